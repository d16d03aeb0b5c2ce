--
-- The extension as a whole: what it installs, and how it behaves as an object
--

-- everything it installs (besides the array types and a view's row type, which are members from version 17 on)
SELECT pg_describe_object(classid, objid, 0) AS object
  FROM pg_depend
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ribbon')
   AND objid NOT IN ('ribbonfilter[]'::regtype, 'ribbonmap[]'::regtype, 'ribbonkey[]'::regtype, 'ribbonkeys[]'::regtype,
                     'ribbonliteral[]'::regtype, 'ribbon_progress'::regtype, 'ribbon_progress[]'::regtype)
 ORDER BY pg_describe_object(classid, objid, 0) COLLATE "C";

-- every object has a comment (besides those types, which get none)
SELECT pg_describe_object(classid, objid, 0) AS object_without_comment
  FROM pg_depend
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ribbon')
   AND obj_description(objid, classid::regclass::name) IS NULL
   AND objid NOT IN ('ribbonfilter[]'::regtype, 'ribbonmap[]'::regtype, 'ribbonkey[]'::regtype, 'ribbonkeys[]'::regtype,
                     'ribbonliteral[]'::regtype, 'ribbon_progress'::regtype, 'ribbon_progress[]'::regtype)
 ORDER BY 1;

-- labels: all parallel safe but two; few are not immutable (sql/labels.sql shows which, docs/security.md says why)
SELECT provolatile, proparallel, proisstrict, prokind, count(*)
  FROM pg_depend JOIN pg_proc ON objid = pg_proc.oid
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
   AND classid = 'pg_proc'::regclass
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ribbon')
 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;

-- values are stored out of line, never compressed; they have a category of their own, and what has no type is a filter
-- where it may be either
SELECT oid::regtype AS type, typlen, typstorage, typcategory, typispreferred
  FROM pg_type
 WHERE typcategory = (SELECT typcategory FROM pg_type WHERE oid = 'ribbonfilter'::regtype) ORDER BY typname;
SELECT count(*) AS preferred_of_user_defined FROM pg_type WHERE typcategory = 'U' AND typispreferred;

-- commutators and negators know one another
SELECT o.oid::regoperator AS operator, o.oprcom::regoperator AS commutator,
       o.oprnegate::regoperator AS negator
  FROM pg_operator o
 WHERE oprleft IN ('ribbonfilter'::regtype, 'ribbonmap'::regtype)
    OR oprright IN ('ribbonfilter'::regtype, 'ribbonmap'::regtype)
 ORDER BY o.oprname COLLATE "C", o.oprleft::regtype::text COLLATE "C",
          o.oprright::regtype::text COLLATE "C";

-- filters, maps, keys and sets of keys are compared in the same ways
SELECT o.oprname AS operator, count(*) AS types,
       count(DISTINCT (c.oprname, n.oprname, o.oprrest::text, o.oprjoin::text, o.oprcanhash, o.oprcanmerge, obj_description(o.oid, 'pg_operator'),
                       p.proname, p.provolatile, p.proisstrict, p.proparallel, obj_description(p.oid, 'pg_proc'))) AS ways
  FROM pg_operator o JOIN pg_operator c ON c.oid = o.oprcom JOIN pg_operator n ON n.oid = o.oprnegate JOIN pg_proc p ON p.oid = o.oprcode
 WHERE o.oprleft = o.oprright AND o.oprleft IN ('ribbonfilter'::regtype, 'ribbonmap'::regtype, 'ribbonkey'::regtype, 'ribbonkeys'::regtype)
 GROUP BY 1 ORDER BY o.oprname COLLATE "C";

-- relocatable: nothing depends on the schema it lives in
CREATE SCHEMA elsewhere;
ALTER EXTENSION ribbon SET SCHEMA elsewhere;
SELECT elsewhere.ribbon_contains(elsewhere.ribbon_build(i), 7) AS member,
       elsewhere.ribbon_build(i) OPERATOR(elsewhere.@>) 7 AS by_operator
  FROM generate_series(1, 10) AS i;
ALTER EXTENSION ribbon SET SCHEMA public;
DROP SCHEMA elsewhere;

-- the library has the version of a release of the extension, and from PostgreSQL 18 on says so with its name
SELECT ribbon_version() LIKE extversion || '.%' AS same_version FROM pg_extension WHERE extname = 'ribbon';
SELECT CASE WHEN current_setting('server_version_num')::int >= 180000 THEN
            $$SELECT module_name, version LIKE default_version || '.%' AS same_version
                FROM pg_get_loaded_modules() LEFT JOIN pg_available_extensions ON name = module_name
               WHERE file_name LIKE 'ribbon.%'$$
       ELSE $$SELECT 'ribbon' AS module_name, true AS same_version$$ END AS query \gset
:query;

-- dropped, it takes along what uses it, as docs/operations.md says: columns, not tables
CREATE TABLE kept (id int, f ribbonfilter, m ribbonmap[]);
INSERT INTO kept SELECT 1, ribbon_build(1), ARRAY[ribbon_map(1, 2)];
CREATE INDEX kept_probed ON kept (id) WHERE f @> 1;
CREATE VIEW kept_view AS SELECT id FROM kept WHERE f @> id;
CREATE FUNCTION kept_takes(ribbonfilter) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION kept_body(i int) RETURNS bigint LANGUAGE sql RETURN ribbon_hash(i);
CREATE FUNCTION kept_calls(i int) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN ribbon_hash(i); END';
\set VERBOSITY terse
DROP EXTENSION ribbon;
SET client_min_messages = warning;
DROP EXTENSION ribbon CASCADE;
RESET client_min_messages;
SELECT * FROM kept;
SELECT relname FROM pg_class WHERE relname ^@ 'kept' UNION ALL SELECT proname FROM pg_proc WHERE proname ^@ 'kept' ORDER BY 1;
SELECT kept_calls(1);
\set VERBOSITY default
DROP TABLE kept;
DROP FUNCTION kept_calls;

-- trusted: whoever may create objects in a database may install it
CREATE ROLE regress_ribbon_user;
CREATE SCHEMA theirs AUTHORIZATION regress_ribbon_user;
SELECT format('GRANT CREATE ON DATABASE %I TO regress_ribbon_user', current_database()) \gexec
SET ROLE regress_ribbon_user;
CREATE EXTENSION ribbon SCHEMA theirs;
SELECT theirs.ribbon_cardinality(theirs.ribbon_build(i))
  FROM generate_series(1, 10) AS i;
DROP EXTENSION ribbon;
RESET ROLE;
DROP SCHEMA theirs;
SELECT format('REVOKE CREATE ON DATABASE %I FROM regress_ribbon_user', current_database()) \gexec
DROP ROLE regress_ribbon_user;
CREATE EXTENSION ribbon;
