"""catalogue.py - all that the server knows of an extension, as lines to compare

A line per fact, "object: property = value", with names for OIDs and without
what differs from one installation to the next: OIDs, and the schema, which is
written as SCHEMA.  Objects that hang on a member without being one (the array
type, members of operator families) are in it, too.
"""

import psql_script

# Properties of a row that are names, numbers or flags stand for themselves;
# OIDs are given a name here.  With an empty search_path names outside of
# pg_catalog are written with their schema.
QUERY = """
SET search_path = '';

CREATE TEMP TABLE members AS
SELECT classid, objid FROM pg_depend
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'EXTENSION')
 UNION
SELECT 'pg_type'::regclass, t.typarray
  FROM pg_depend d JOIN pg_type t ON t.oid = d.objid
 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
   AND d.classid = 'pg_type'::regclass AND t.typarray <> 0
   AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'EXTENSION');

CREATE TEMP TABLE facts (classid oid, objid oid, facts jsonb);

INSERT INTO facts
SELECT m.classid, m.objid, jsonb_build_object(
	'comment', obj_description(m.objid, m.classid::regclass::text::name),
	'initial privileges', (SELECT initprivs FROM pg_init_privs i WHERE (i.classoid, i.objoid) = (m.classid, m.objid)),
	'security labels', (SELECT jsonb_agg(l.provider || ' ' || l.label ORDER BY l.provider)
	                      FROM pg_seclabel l WHERE (l.classoid, l.objoid) = (m.classid, m.objid)),
	'depends on', (SELECT jsonb_agg(format('%s %s', d.deptype, pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid))
	                                           ORDER BY pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) COLLATE "C", d.deptype)
	                 FROM pg_depend d WHERE (d.classid, d.objid) = (m.classid, m.objid)))
  FROM members m;

INSERT INTO facts
SELECT classid, objid, to_jsonb(p) - '{oid,pronamespace,proowner,prorettype,proargtypes,proallargtypes,protrftypes,provariadic,prolang,prosupport,proargdefaults}'::text[] ||
	jsonb_build_object(
	'owner', proowner::regrole, 'returns', prorettype::regtype,
	'arguments', pg_get_function_arguments(p.oid), 'result', pg_get_function_result(p.oid),
	'language', (SELECT lanname FROM pg_language l WHERE l.oid = prolang), 'support', prosupport::regprocedure)
  FROM members JOIN pg_proc p ON p.oid = objid AND classid = 'pg_proc'::regclass;

INSERT INTO facts
SELECT classid, objid, to_jsonb(a) - '{aggfnoid,aggsortop,aggtranstype,aggmtranstype}'::text[] || jsonb_build_object(
	'sort operator', aggsortop::regoperator, 'state', aggtranstype::regtype, 'moving state', aggmtranstype::regtype,
	'transition', aggtransfn::regprocedure, 'final', aggfinalfn::regprocedure, 'combine', aggcombinefn::regprocedure)
  FROM members JOIN pg_aggregate a ON a.aggfnoid = objid AND classid = 'pg_proc'::regclass;

INSERT INTO facts
SELECT classid, objid, to_jsonb(o) - '{oid,oprnamespace,oprowner,oprleft,oprright,oprresult,oprcom,oprnegate}'::text[] || jsonb_build_object(
	'owner', oprowner::regrole, 'result', oprresult::regtype, 'commutator', oprcom::regoperator,
	'negator', oprnegate::regoperator, 'function', oprcode::oid::regprocedure)
  FROM members JOIN pg_operator o ON o.oid = objid AND classid = 'pg_operator'::regclass;

INSERT INTO facts
SELECT classid, objid, to_jsonb(t) - '{oid,typnamespace,typowner,typrelid,typelem,typarray,typbasetype,typcollation}'::text[] || jsonb_build_object(
	'owner', typowner::regrole, 'element', typelem::regtype, 'array', typarray::regtype,
	'base', typbasetype::regtype, 'collation', typcollation::regcollation)
  FROM members JOIN pg_type t ON t.oid = objid AND classid = 'pg_type'::regclass;

INSERT INTO facts
SELECT classid, objid, jsonb_build_object('function', castfunc::regprocedure, 'context', castcontext, 'method', castmethod)
  FROM members JOIN pg_cast c ON c.oid = objid AND classid = 'pg_cast'::regclass;

INSERT INTO facts
SELECT classid, objid, jsonb_build_object('owner', opcowner::regrole, 'type', opcintype::regtype,
	'default', opcdefault, 'stored', opckeytype::regtype,
	'family', pg_describe_object('pg_opfamily'::regclass, opcfamily, 0))
  FROM members JOIN pg_opclass c ON c.oid = objid AND classid = 'pg_opclass'::regclass;

INSERT INTO facts
SELECT classid, objid, jsonb_build_object('owner', f.opfowner::regrole,
	'operators', (SELECT jsonb_agg(format('%s %s %s %s', amopstrategy, amoppurpose, amopopr::regoperator, amopsortfamily)
	                                          ORDER BY amopstrategy, amopopr::regoperator::text COLLATE "C")
	                FROM pg_amop WHERE amopfamily = f.oid),
	'functions', (SELECT jsonb_agg(format('%s %s', amprocnum, amproc::oid::regprocedure)
	                                          ORDER BY amprocnum, amproc::oid::regprocedure::text COLLATE "C")
	                FROM pg_amproc WHERE amprocfamily = f.oid))
  FROM members JOIN pg_opfamily f ON f.oid = objid AND classid = 'pg_opfamily'::regclass;

INSERT INTO facts
SELECT classid, objid, jsonb_build_object('owner', relowner::regrole, 'kind', relkind, 'privileges', relacl, 'options', reloptions,
	'definition', pg_get_viewdef(c.oid), 'columns', (SELECT jsonb_agg(format('%s %s', attname, format_type(atttypid, atttypmod)) ORDER BY attnum)
	                                                   FROM pg_attribute WHERE attrelid = c.oid))
  FROM members JOIN pg_class c ON c.oid = objid AND classid = 'pg_class'::regclass;

-- what none of these has told of
SELECT 'unknown kind of object: ' || pg_describe_object(classid, objid, 0)
  FROM facts GROUP BY classid, objid HAVING count(*) < 2;

SELECT 'extension: version = ' || extversion || ', relocatable = ' || extrelocatable || ', configuration = ' || COALESCE(extconfig::text, 'none')
  FROM pg_extension WHERE extname = 'EXTENSION';
SELECT pg_describe_object(classid, objid, 0) || ': ' || key || ' = ' || value
  FROM facts, jsonb_each(facts)
 ORDER BY pg_describe_object(classid, objid, 0) COLLATE "C", key COLLATE "C", value::text COLLATE "C";
"""


def describe(database, extension="ribbon"):
    """The facts about an extension that is installed in a database, as a list of lines."""
    schema = psql_script.psql("SELECT quote_ident(nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace"
                              f" WHERE extname = '{extension}'", database)
    lines = psql_script.psql(QUERY.replace("EXTENSION", extension), database).splitlines()
    unknown = [line for line in lines if line.startswith("unknown kind of object")]
    if unknown:
        raise RuntimeError(f"catalogue.py cannot tell of {unknown}")
    return [line.replace(f"{schema}.", "SCHEMA.").replace(f"schema {schema}", "schema SCHEMA") for line in lines]
