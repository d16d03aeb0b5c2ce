#!/usr/bin/python3
"""regression_database.py - every column of PostgreSQL's own regression database as a key

The server's regression tests leave a database with a table for every type and
trick that PostgreSQL has: what these tests have not thought of.  This makes that
database, and those of contrib modules, from the server's source package, and
then takes for a key every column of every table, view, materialized view,
foreign table and sequence there, of the system catalogs, too, every whole row,
and arrays, rows, ranges and multiranges of each column of a user's table.  Of
each such key:

  * a filter is built, or the type is refused by an error that is among those
    promised and that names the type;
  * each value is found by every way to ask: both operators, the functions, ANY
    and ALL, a subquery, a join with a stored and TOASTed filter, a variable, a
    parameter, a prepared statement, and as its text read again;
  * ribbon_cardinality is the number of values that "=" tells apart;
  * a filter of one of each group of equal values has the same bytes, whichever
    one it is;
  * a filter of every other value, at the least rate, takes none of the rest for a
    member;
  * hashes stand for it: ribbon_key finds what the key finds, and filters of hashed
    keys, and of sets of hashes, have the same bytes;
  * an exact set of a third of the values is right about each of them, and a map,
    with codes by frequency or without, has the value of each;
  * a map of rows to these values gives each of them, or the type is refused (42804), or its range (22003: timestamps
    with both infinities and NULL);
  * the bytes come back from text, bytea and COPY BINARY, and pass ribbon_check;
  * after pg_dump and a restore, where OIDs are others, filters, exact sets and maps
    that were dumped find the rows that were dumped.  (Not whole rows of a table whose columns
    have another order then: one that inherits columns that were added later.)

usage: test/lib/cluster.sh test/deep/regression_database.py SOURCE [CONTRIB]...

SOURCE is the unpacked source package of the server ("apt-get source
postgresql-15").  CONTRIB are modules besides the usual ones; "none" for none at
all.  Regression tests that fail, and modules that are not installed, are told,
but do no harm.  What a case was can be read in the output: RELATION, EXPRESSION.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import psql_script
from reports import finish, report

CONTRIB = ["btree_gin", "btree_gist", "citext", "cube", "hstore", "intarray", "ltree", "pg_trgm", "seg"]
ROWS = 20000        # of a relation at most, for a column; and for what is made of columns
FEWER = 1000
VALUES = 200        # where each value is a call or a statement
BATCH = 2000        # cases for one connection: catalogs grow by what each creates
DATABASE = "regression"


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.strip()


def config(option):
    return output_of(os.environ.get("PG_CONFIG", "pg_config"), f"--{option}")


def make_databases(source, modules, work):
    """Run the server's regression tests and those of modules: the names of the databases.  They need the directory."""
    os.chmod(work, 0o777)                   # the server writes there, too
    tests = os.path.join(source, "src/test/regress")
    run = os.path.join(os.path.dirname(config("pgxs")), "../test/regress/pg_regress")
    subprocess.run(["gcc", "-w", "-O1", "-fPIC", "-shared", "-I" + config("includedir-server"), "-o",
                    f"{work}/regress.so", f"{tests}/regress.c"], check=True)
    for name in ("refint.so", "autoinc.so"):
        if os.path.exists(os.path.join(config("pkglibdir"), name)):
            shutil.copy(os.path.join(config("pkglibdir"), name), work)
    made = []
    for module in [None] + modules:
        if module is None:
            directory, database, what = tests, DATABASE, [f"--dlpath={work}", f"--schedule={tests}/parallel_schedule"]
        else:
            directory, database = os.path.join(source, "contrib", module), "contrib_" + module
            makefile = open(os.path.join(directory, "Makefile")).read().replace("\\\n", " ")
            what = re.search(r"^REGRESS = (.*)$", makefile, re.M).group(1).split()
        out = os.path.join(work, database)
        os.mkdir(out)
        os.mkdir(os.path.join(out, "results"))
        for made_for_both in (out, os.path.join(out, "results")):
            os.chmod(made_for_both, 0o777)
        done = subprocess.run([run, "--inputdir=.", f"--outputdir={out}", f"--bindir={config('bindir')}", f"--dbname={database}"] + what,
                              cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        failed = re.findall(r"^(?:not ok \d+ +[-+] (\S+)|(?:test)? +(\S+) +\.\.\. FAILED)", done.stdout, re.M)
        print(f"# {database}: failed {' '.join(a or b for a, b in failed) or 'none'}", flush=True)
        made.append(database)
    return made


SETUP = r"""
CREATE EXTENSION ribbon;
CREATE SCHEMA ribbon_test;
SET search_path = ribbon_test, public;

-- What is a key, and whether the relation is the same after a restore: materialized views can be stale.
CREATE TABLE cases (id serial PRIMARY KEY, kind text, relation text, expression text, restorable boolean,
                    columns text, outcome text, state text, message text, stored boolean NOT NULL DEFAULT false);
CREATE TABLE faults (id int, step text, state text, message text, statement text);
CREATE TABLE counts (id int, step text, n bigint);

-- Other columns are so long that filters are always moved out of line.
CREATE TABLE filters (id int PRIMARY KEY, filter ribbonfilter, exact ribbonfilter, map ribbonmap, keys ribbonkeys, padding text);
ALTER TABLE filters ALTER padding SET STORAGE PLAIN;
ALTER TABLE filters SET (toast_tuple_target = 128);

CREATE FUNCTION by_parameter(key anyelement, filter ribbonfilter, OUT yes boolean) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT $1 @> $2' INTO yes USING filter, key;
END $$;
CREATE FUNCTION by_variable(key anyelement, filter ribbonfilter) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	variable ribbonfilter := filter;
BEGIN
	key := key;
	RETURN variable @> key AND ribbon_contains(variable, key) AND key <@ variable;
END $$;
CREATE FUNCTION by_language_sql(anyelement, ribbonfilter) RETURNS boolean LANGUAGE sql AS 'SELECT $2 @> $1';

-- A value from its text; itself if it cannot be read.
CREATE FUNCTION reread(value text, INOUT key anyelement) LANGUAGE plpgsql AS $$
BEGIN
	key := value;
EXCEPTION WHEN OTHERS THEN
	NULL;
END $$;

-- What is a member of the exact set, and what the map has for a key, by its hash: most keys have one value, some NULL.
CREATE FUNCTION member_of(hash bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT hash % 3 = 0';
CREATE FUNCTION value_of(hash bigint) RETURNS int LANGUAGE sql IMMUTABLE AS
	'SELECT CASE WHEN hash % 8 = 0 THEN (hash % 1000)::int WHEN hash % 9 <> 0 THEN 5 END';

CREATE FUNCTION base_type(type oid) RETURNS oid LANGUAGE sql AS $$
	WITH RECURSIVE b AS (SELECT type AS t UNION ALL SELECT typbasetype FROM b JOIN pg_type ON oid = t WHERE typtype = 'd')
	SELECT t FROM b JOIN pg_type ON oid = t WHERE typtype <> 'd' $$;

-- Run a statement that gives counts, of which all must be equal to the first.
CREATE FUNCTION equal(case_id int, step text, statement text, VARIADIC may_fail text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	n bigint[];
	s text;
	m text;
BEGIN
	EXECUTE statement INTO n;
	IF n[1] IS NULL OR EXISTS (SELECT FROM unnest(n) AS u WHERE u IS DISTINCT FROM n[1]) THEN
		INSERT INTO ribbon_test.faults VALUES (case_id, step, NULL, n::text, statement);
	END IF;
	INSERT INTO ribbon_test.counts VALUES (case_id, step, n[1] * (cardinality(n) - 1));
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT;
	IF s <> ALL (may_fail) AND m !~ '^PL/pgSQL functions cannot|element type of "anyarray"' THEN
		INSERT INTO ribbon_test.faults VALUES (case_id, step, s, m, statement);
	ELSE
		INSERT INTO ribbon_test.counts VALUES (case_id, step || ': left out, ' || s, 1);
	END IF;
END $$;

CREATE FUNCTION run(case_id int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	c cases;
	source text;
	most bigint;
	n bigint;
	w text := '';				-- WITH, where no table can have the key
	s text;
	m text;
	d text;
	key_type oid;
	is_array boolean;
	literal text;
	good boolean;
BEGIN
	SELECT * INTO c FROM cases WHERE id = case_id;
	most := CASE c.kind WHEN 'column' THEN ROWS ELSE FEWER END;
	source := format('SELECT row_number() OVER () AS o, %s AS k FROM %s AS ribbon_row LIMIT %s', c.expression, c.relation, most);
	DROP TABLE IF EXISTS pg_temp.src, pg_temp.flt;

	BEGIN
		EXECUTE 'CREATE TEMP TABLE src AS ' || source;
	EXCEPTION WHEN invalid_table_definition THEN	-- a pseudo-type
		w := format('WITH src AS MATERIALIZED (%s), flt AS MATERIALIZED (SELECT ribbon_build(k, 1e-4) AS f FROM src) ', source);
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT;
		UPDATE cases SET outcome = 'unreadable', state = s, message = m WHERE id = case_id;
		RETURN;
	END;

	EXECUTE CASE WHEN w = '' THEN 'SELECT base_type(pg_typeof((SELECT k FROM src LIMIT 1)))'
				 ELSE format('SELECT base_type(pg_typeof((SELECT k FROM (%s) AS src LIMIT 1)))', source) END INTO key_type;
	is_array := key_type = 'anyarray'::regtype OR (SELECT typlen = -1 AND typelem <> 0 AND typsubscript = 'array_subscript_handler'::regproc
	                                                 FROM pg_type WHERE oid = key_type) OR key_type IN ('int2vector'::regtype, 'oidvector'::regtype);
	BEGIN
		EXECUTE CASE WHEN w = '' THEN 'CREATE TEMP TABLE flt AS SELECT ribbon_build(k, 1e-4) AS f FROM src' ELSE w || 'SELECT f FROM flt' END;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT, d = PG_EXCEPTION_DETAIL;
		UPDATE cases SET outcome = 'refused', state = s, message = m || ' | ' || d WHERE id = case_id;
		IF s NOT IN ('0A000', '42883', '42P22') OR s <> '42P22' AND position(format_type(key_type, NULL) IN m || ' ' || d) = 0 THEN
			INSERT INTO faults VALUES (case_id, 'refused', s, m || ' | ' || d, format_type(key_type, NULL));
		END IF;
		IF w = '' THEN
			BEGIN		-- nor can it be asked for, or hashed
				EXECUTE 'SELECT count(ribbon_hash(k)) = 0 FROM src' INTO good;
				s := '';
			EXCEPTION WHEN OTHERS THEN
				GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT;
			END;
			IF s NOT IN ('0A000', '42883', '42P22') AND NOT (s = '' AND good) THEN
				INSERT INTO faults VALUES (case_id, 'refused by ribbon_hash', s, m, format_type(key_type, NULL));
			END IF;
			BEGIN
				EXECUTE 'SELECT count(ribbon_build(NULL::text) @> k) = 0 FROM src GROUP BY o, k::text' INTO good;
				s := '';
			EXCEPTION WHEN OTHERS THEN
				GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT;
			END;
			IF s LIKE 'XX%' THEN
				INSERT INTO faults VALUES (case_id, 'refused as a probe', s, m, format_type(key_type, NULL));
			END IF;
		END IF;
		RETURN;
	END;

	PERFORM equal(case_id, 'plain', w || $q$SELECT ARRAY[count(k), count(*) FILTER (WHERE f @> k), count(*) FILTER (WHERE k <@ f),
		count(*) FILTER (WHERE ribbon_contains(f, k)), count(*) FILTER (WHERE k <@ ANY (ARRAY[f])), count(*) FILTER (WHERE k <@ ALL (ARRAY[f, f])),
		count(*) FILTER (WHERE f = ANY (ARRAY[f]) AND ribbon_shard(k, 7) BETWEEN 0 AND 6)] FROM src, flt WHERE num_nonnulls(k) = 1$q$);
	IF NOT is_array THEN
		PERFORM equal(case_id, 'arrays', w || $q$SELECT ARRAY[count(k), count(*) FILTER (WHERE ribbon_contains_any(f, ARRAY[NULL, k])),
			count(*) FILTER (WHERE ribbon_contains_all(f, ARRAY[k, k])), count(k) * COALESCE((SELECT ribbon_contains_any(f, array_agg(k)) FROM src, flt GROUP BY f), true)::int,
			count(k) * COALESCE((SELECT ribbon_contains_all(f, array_agg(k)) FROM src, flt WHERE num_nonnulls(k) = 1 GROUP BY f), true)::int] FROM src, flt WHERE num_nonnulls(k) = 1$q$);
	END IF;
	PERFORM equal(case_id, 'subqueries', w || $q$SELECT ARRAY[count(k), count(*) FILTER (WHERE (SELECT f FROM flt) @> k),
		count(*) FILTER (WHERE k <@ ANY (SELECT f FROM flt)), count(*) FILTER (WHERE k <@ ANY (ARRAY(SELECT f FROM flt))),
		(SELECT count(*) FROM src WHERE (SELECT f FROM flt) @> k),
		(SELECT count(*) FROM src AS t WHERE EXISTS (SELECT FROM flt WHERE f @> t.k)),
		(SELECT count(*) FROM src AS t, LATERAL (SELECT f @> t.k AS yes FROM flt) AS l WHERE yes)] FROM src WHERE num_nonnulls(k) = 1$q$);
	EXECUTE w || format($q$INSERT INTO filters SELECT %s, f, ribbon_build_exact(k, member_of(ribbon_hash(k))),
		ribbon_map(ribbon_key(k), value_of(ribbon_hash(k)), 1e-4, 'code=entropy'), ribbon_keys(k), repeat('x', 1000) FROM flt LEFT JOIN src ON true GROUP BY f$q$, case_id);
	-- of a view, or below a limit, rows are not the same every time
	EXECUTE CASE WHEN c.restorable THEN format('SELECT count(*) FROM %s', c.relation) ELSE 'SELECT NULL::int8' END INTO n;
	IF w = '' OR n <= most THEN
		PERFORM equal(case_id, 'stored', w || format($q$SELECT ARRAY[(SELECT count(k) FROM src), (SELECT count(*) FROM src JOIN filters AS s ON s.id = %1$s AND s.filter @> src.k),
			(SELECT count(*) FROM src, filters AS s WHERE s.id = %1$s AND src.k <@ s.filter),
			(SELECT count(*) FROM src WHERE (SELECT filter FROM filters WHERE id = %1$s) @> k)]$q$, case_id));
	END IF;
	PERFORM equal(case_id, 'calls', w || format($q$SELECT ARRAY[count(k), count(*) FILTER (WHERE by_variable(k, f)), count(*) FILTER (WHERE by_parameter(k, f)),
		count(*) FILTER (WHERE by_language_sql(k, f))] FROM (SELECT k FROM src WHERE num_nonnulls(k) = 1 LIMIT %s) AS src, flt$q$, VALUES_));
	PERFORM equal(case_id, 'cardinality', w || $q$SELECT ARRAY[(SELECT count(k) FROM (SELECT k FROM src GROUP BY k) AS g), ribbon_cardinality(f)] FROM flt$q$, '42883');
	PERFORM equal(case_id, 'equal ones', w || $q$SELECT ARRAY[1, (f = (SELECT ribbon_build(k, 1e-4) FROM src WHERE o IN (SELECT min(o) FROM src GROUP BY k)))::int,
		(f = (SELECT ribbon_build(k, 1e-4) FROM src WHERE o IN (SELECT max(o) FROM src GROUP BY k)))::int] FROM flt$q$, '42883');
	PERFORM equal(case_id, 'nonmembers', CASE w WHEN '' THEN 'WITH ' ELSE w || ', ' END || $q$d AS (SELECT o, k FROM src WHERE o IN (SELECT min(o) FROM src GROUP BY k) AND num_nonnulls(k) = 1),
		e AS (SELECT k, row_number() OVER (ORDER BY o) % 2 = 0 AS half FROM d), h AS (SELECT ribbon_build(k, 2.4e-10) FILTER (WHERE half) AS h FROM e)
		SELECT ARRAY[(count(*) FILTER (WHERE NOT half))::int8, (count(*) FILTER (WHERE NOT half AND NOT h @> k))::int8] FROM e, h$q$, '42883');
	PERFORM equal(case_id, 'bytes', w || $q$SELECT ARRAY[1, (f::text::ribbonfilter = f)::int, (f::bytea::ribbonfilter = f)::int, (ribbon_check(f) IS NOT NULL)::int] FROM flt$q$);

	PERFORM equal(case_id, 'hashed', w || $q$SELECT ARRAY[count(k), count(*) FILTER (WHERE f @> ribbon_key(k)), count(*) FILTER (WHERE ribbon_key(k) <@ f),
		count(*) FILTER (WHERE ribbon_contains_any(f, ARRAY[NULL, ribbon_key(k)])), count(*) FILTER (WHERE (SELECT f FROM flt) @> ribbon_key(k)),
		count(*) FILTER (WHERE ribbon_key(k)::text::ribbonkey = ribbon_key(k) AND ribbon_hash(ribbon_key(k)) = ribbon_hash(k) AND ribbon_shard(ribbon_key(k), 7) = ribbon_shard(k, 7))]
		FROM src, flt WHERE num_nonnulls(k) = 1$q$);
	PERFORM equal(case_id, 'sets', w || $q$SELECT ARRAY[n, CASE WHEN n = 0 OR f = (SELECT ribbon_build(ribbon_key(k), 1e-4) FROM src) THEN n END,
		CASE WHEN f = (SELECT ribbon_build_keys(s, 1e-4) FROM (SELECT ribbon_keys(k) AS s FROM src GROUP BY o % 3 UNION ALL SELECT ribbon_keys(k) FROM src) AS s) THEN n END,
		(SELECT ribbon_cardinality(ribbon_keys(k)::text::ribbonkeys) FROM src), (SELECT ribbon_cardinality(ribbon_keys(k)::bytea::ribbonkeys) FROM src),
		(SELECT count(DISTINCT ribbon_key(k)) FROM src)] FROM flt, ribbon_cardinality(f) AS n$q$);
	PERFORM equal(case_id, 'exact', w || $q$SELECT ARRAY[count(k), count(*) FILTER (WHERE (e @> k) = member_of(ribbon_hash(k))), count(*) FILTER (WHERE (k <@ e) = member_of(ribbon_hash(k))),
		count(*) FILTER (WHERE (e @> ribbon_key(k)) = member_of(ribbon_hash(k))), count(*) FILTER (WHERE ribbon_member(e, k, '2020-01-01 UTC') = member_of(ribbon_hash(k))),
		count(*) FILTER (WHERE h = e)] FROM src, (SELECT ribbon_build_exact(k, member_of(ribbon_hash(k)), 'as_of=infinity') AS e FROM src) AS e,
		(SELECT ribbon_build_exact(ribbon_key(k), member_of(ribbon_hash(k)), 'as_of=infinity') AS h FROM src) AS h WHERE num_nonnulls(k) = 1$q$);
	PERFORM equal(case_id, 'universe', w || $q$SELECT ARRAY[ribbon_cardinality(f), (ribbon_stats(e)).universe, CASE WHEN ribbon_check(e) AND e::text::ribbonfilter = e THEN ribbon_cardinality(f) END]
		FROM flt, (SELECT ribbon_build_exact(k, member_of(ribbon_hash(k))) AS e FROM src) AS e$q$);
	PERFORM equal(case_id, 'maps', w || $q$SELECT ARRAY[count(k), count(*) FILTER (WHERE m -> k IS NOT DISTINCT FROM v), count(*) FILTER (WHERE p -> k IS NOT DISTINCT FROM v),
		count(*) FILTER (WHERE c -> k IS NOT DISTINCT FROM v), count(*) FILTER (WHERE c -> ribbon_key(k) IS NOT DISTINCT FROM v), count(*) FILTER (WHERE s -> k IS NOT DISTINCT FROM v),
		count(*) FILTER (WHERE c @> k), count(*) FILTER (WHERE ribbon_get(c, k, 7) IS NOT DISTINCT FROM v), count(*) FILTER (WHERE c ->> k IS NOT DISTINCT FROM v::text),
		count(*) FILTER (WHERE h = c AND c::text::ribbonmap = c AND c::bytea::ribbonmap = c AND (ribbon_stats(m)).bytes <= LEAST((ribbon_stats(c)).bytes, (ribbon_stats(p)).bytes))]
		FROM (SELECT k, value_of(ribbon_hash(k)) AS v FROM (SELECT k FROM src WHERE num_nonnulls(k) = 1 LIMIT FEWER) AS l) AS r,
		(SELECT ribbon_map(k, value_of(ribbon_hash(k)), 1) AS m, ribbon_map(k, value_of(ribbon_hash(k)), 1, 'code=plain') AS p, ribbon_map(k, value_of(ribbon_hash(k)), 1, 'code=entropy') AS c,
		ribbon_map(ribbon_key(k), value_of(ribbon_hash(k)), 1, 'code=entropy') AS h, ribbon_map(k, value_of(ribbon_hash(k)), 0.01, 'seed=5') AS s FROM src) AS b$q$);
	PERFORM equal(case_id, 'values', w || $q$SELECT ARRAY[count(*), count(*) FILTER (WHERE ribbon_get(m, o, (SELECT k FROM src WHERE false))::text IS NOT DISTINCT FROM k::text),
		count(*) FILTER (WHERE ribbon_get(c, o, (SELECT k FROM src WHERE false))::text IS NOT DISTINCT FROM k::text), count(*) FILTER (WHERE (m ->> o IS NULL) = (k IS NULL))]
		FROM (SELECT * FROM src WHERE o <= FEWER) AS s, (SELECT ribbon_map(o, k, 0.1, 'code=plain') AS m, ribbon_map(o, k, 1, 'code=entropy') AS c FROM src) AS b$q$, '42804', '22003');

	PERFORM equal(case_id, 'reread', w || format($q$SELECT ARRAY[count(*), count(*) FILTER (WHERE f @> t)] FROM (
		SELECT k, reread(k::text, k) AS t FROM (SELECT k FROM src WHERE num_nonnulls(k) = 1 LIMIT %s) AS l) AS r, flt WHERE t = k$q$, VALUES_), '42883');
	IF w = '' THEN
		BEGIN
			DEALLOCATE ALL;
			EXECUTE format('PREPARE p (%s) AS SELECT (SELECT f FROM flt) @> $1', (SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'pg_temp.src'::regclass AND attname = 'k'));
			FOR literal IN EXECUTE $q$SELECT k::text FROM (SELECT k, reread(k::text, k) AS t FROM (SELECT k FROM src WHERE num_nonnulls(k) = 1 LIMIT 3) AS l) AS r WHERE t = k$q$
			LOOP
				EXECUTE format('EXECUTE p (%L)', literal) INTO good;
				INSERT INTO counts VALUES (case_id, 'prepared', 1);
				IF good IS NOT TRUE THEN
					INSERT INTO faults VALUES (case_id, 'prepared', NULL, good::text, literal);
				END IF;
			END LOOP;
		EXCEPTION WHEN undefined_function THEN
			NULL;
		WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS s = RETURNED_SQLSTATE, m = MESSAGE_TEXT;
			INSERT INTO faults VALUES (case_id, 'prepared', s, m, literal);
		END;
	END IF;
	UPDATE cases SET outcome = 'built', stored = COALESCE(n <= most, false) WHERE id = case_id;
END $$;

-- The regression tests drop their tables of enums, and keep hardly any values that are equal but written differently.
CREATE SCHEMA ribbon_added;
CREATE TYPE ribbon_added.mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE ribbon_added.pair AS (m ribbon_added.mood, n numeric);
CREATE TYPE ribbon_added.moods AS RANGE (subtype = ribbon_added.mood);
CREATE TABLE ribbon_added.various AS
SELECT m::ribbon_added.mood AS m, n, f::float8 AS f, i::interval AS i, b::bpchar AS b, j::jsonb AS j, ROW(m, n)::ribbon_added.pair AS p
  FROM (VALUES ('sad', 1, '0', '1 day', 'a', '{"a": 1}'), ('ok', 1.0, '-0', '24:00', 'a ', '{"a": 1.0}'), ('happy', 1.00, 'NaN', '1 mon', 'b', '[]'),
	('ok', 1e3, '-NaN', '30 days', '', '[1]'), ('happy', 1000.0, '1', '720:00', ' ', '[1.00]')) AS v (m, n, f, i, b, j);

-- Its columns, in their order.
CREATE FUNCTION columns_of(relation text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = relation::regclass AND attnum > 0 AND NOT attisdropped $$;

CREATE TABLE key_relations AS
SELECT c.oid, c.oid::regclass::text AS name, c.relkind,
	   n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't' AS restorable,
	   n.nspname NOT IN ('pg_catalog', 'information_schema') AND c.relnatts < 100 AS mixed
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname <> 'ribbon_test' AND n.nspname NOT LIKE 'pg_temp%' AND n.nspname NOT LIKE 'pg_toast_temp%'
   AND (current_database() = 'regression' OR n.nspname NOT IN ('pg_catalog', 'information_schema'));

INSERT INTO cases (kind, relation, expression, restorable)
SELECT 'column', name, format('ribbon_row.%I', attname), restorable AND attnum > 0
  FROM key_relations AS r JOIN pg_attribute AS a ON attrelid = r.oid
 WHERE NOT attisdropped AND (attnum > 0 OR attname IN ('ctid', 'xmin', 'tableoid') AND relkind IN ('r', 'm'))
 ORDER BY name, attnum;

INSERT INTO cases (kind, relation, expression, restorable)
SELECT v.* FROM key_relations AS r, LATERAL (VALUES ('whole row', name, 'ribbon_row', restorable), ('whole row', name, 'ROW(ribbon_row.*)', restorable),
	('whole row', name, 'ARRAY[ribbon_row, NULL, ribbon_row]', restorable)) AS v;

INSERT INTO cases (kind, relation, expression, restorable)
SELECT v.kind, relation, v.expression, restorable
  FROM cases, LATERAL (VALUES ('array', format('ARRAY[%s]', cases.expression)), ('array', format('ARRAY[NULL, %1$s, %1$s]', cases.expression)),
	('row', format('ROW(%1$s, NULL::int4, %1$s)', cases.expression)), ('array', format('ARRAY[ROW(%1$s), ROW(NULL::int8)]', cases.expression))) AS v (kind, expression)
 WHERE cases.kind = 'column' AND cases.expression !~ '\.(ctid|xmin|tableoid)$' AND (SELECT mixed FROM key_relations WHERE name = relation);

INSERT INTO cases (kind, relation, expression, restorable)
SELECT v.kind, name, v.expression, restorable
  FROM key_relations AS r JOIN pg_attribute AS a ON attrelid = r.oid JOIN pg_range AS g ON rngsubtype = base_type(atttypid),
	LATERAL (SELECT format('%s(ribbon_row.%I, NULL)', rngtypid::regtype, attname), format('%s(ribbon_row.%2$I, ribbon_row.%2$I, ''[]'')', rngtypid::regtype, attname)) AS e (open, closed),
	LATERAL (VALUES ('range', open), ('range', closed), ('multirange', format('%s(%s)', rngmultitypid::regtype, closed)), ('array', format('ARRAY[%s]', open))) AS v (kind, expression)
 WHERE NOT attisdropped AND attnum > 0 AND mixed;

UPDATE cases SET columns = columns_of(relation) WHERE kind = 'whole row';
""".replace("VALUES_", str(VALUES)).replace("FEWER", str(FEWER)).replace("ROWS", str(ROWS))

# Parallel plans wherever they are possible.
SESSION = """
SET client_min_messages = error;
SET search_path = ribbon_test, public;
SET statement_timeout = '120s';
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 100;
"""

# A statement for each filter whose rows can be looked up once more, in a database like the one where it was built.
AGAIN = """
SELECT format('SELECT equal(%s, %L, %L)', id, STEP, format('SELECT ARRAY[count(k), count(*) FILTER (WHERE f.filter @> k), count(*) FILTER (WHERE k <@ f.filter), count(*) FILTER (WHERE f.filter @> ribbon_key(k)),'
	' count(*) FILTER (WHERE (f.exact @> k) = member_of(ribbon_hash(k))), count(*) FILTER (WHERE f.map -> k IS NOT DISTINCT FROM value_of(ribbon_hash(k))),'
	' count(*) FILTER (WHERE ribbon_cardinality(f.keys) = ribbon_cardinality(f.filter))]'
	' FROM (SELECT %s AS k FROM %s AS ribbon_row OFFSET 0) AS t, ribbon_test.filters AS f WHERE id = %s AND num_nonnulls(k) = 1', expression, relation, id))
  FROM cases WHERE stored AND restorable AND (columns IS NULL OR columns = columns_of(relation)) ORDER BY id
"""


def run_cases(database):
    """All cases; one that ends its connection, or is ended, is a fault, and the next ones are run."""
    batch = f"SELECT id FROM ribbon_test.cases WHERE outcome IS NULL ORDER BY id LIMIT {BATCH}"
    while True:
        last = psql_script.psql(f"VACUUM ANALYZE; SELECT max(id) FROM ({batch}) AS b", database)
        if last == "":
            return
        done = subprocess.run(["psql", "-XAtq", "-d", database], encoding="utf-8", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              input=SESSION + f"SELECT format('SELECT run(%s)', id) FROM ({batch}) AS b \\gexec\n")
        for _ in range(120):                    # the server may have to recover
            if subprocess.run(["psql", "-XAtqc", "SELECT", "-d", database], stderr=subprocess.DEVNULL).returncode == 0:
                break
            time.sleep(1)
        if done.returncode != 0:
            last = "(SELECT COALESCE(max(id), 0) + 1 FROM ribbon_test.cases WHERE outcome IS NOT NULL)"
        psql_script.psql(f"""WITH lost AS (UPDATE ribbon_test.cases SET outcome = 'lost' WHERE outcome IS NULL AND id <= {last} RETURNING id)
            INSERT INTO ribbon_test.faults SELECT id, 'run', 'lost', $text${done.stderr[-300:]}$text$, NULL FROM lost""", database)


def look_up_again(database, step):
    """All rows in the filters that were stored; it is a fault if a statement has neither a count nor a fault."""
    again = AGAIN.replace("STEP", f"'{step}'")
    subprocess.run(["psql", "-XAtq", "-d", database], encoding="utf-8", stdout=subprocess.DEVNULL, input=SESSION + again + "\\gexec\n")
    psql_script.psql(f"""SET search_path = ribbon_test, public;
        INSERT INTO faults SELECT 0, '{step}', 'lost', format('%s statements ended', wanted - done), NULL
          FROM (SELECT count(*) AS wanted FROM ({again}) AS a) AS w, (SELECT count(*) AS done FROM counts WHERE step = '{step}') AS d
         WHERE wanted <> done""", database)


def show(database, title, query):
    for line in psql_script.psql("SET search_path = ribbon_test, public; " + query, database).splitlines():
        print(f"#   {title} {line}", flush=True)


def judge(database, name):
    rows = psql_script.psql(f"""SELECT format('%s: %s %s (%s %s)', step, relation, expression, faults.state, faults.message)
        FROM ribbon_test.faults LEFT JOIN ribbon_test.cases USING (id) ORDER BY id""", database).splitlines()
    for row in rows[:40]:
        print("#   fault:", row[:600])
    if psql_script.psql("SELECT count(*) FROM ribbon_test.filters", database) == "0":
        rows.append("no filter was built")
    report(f"{database}: {name}", f"{len(rows)} faults, such as {rows[0]}" if rows else None)


def check(database):
    psql_script.psql(SETUP, database)
    run_cases(database)
    show(database, "cases:", "SELECT outcome || ' ' || kind, count(*), count(DISTINCT relation) || ' relations' FROM cases GROUP BY 1 ORDER BY 1")
    show(database, "probes:", "SELECT step, sum(n) FROM counts GROUP BY 1 ORDER BY 1")
    show(database, "not built:", "SELECT outcome, state, regexp_replace(message, 'type (\\S+)', 'type T'), count(*) FROM (SELECT outcome, state, "
         "left(regexp_replace(split_part(message, ' | ', 1), '\"[^\"]*\"', '\"...\"', 'g'), 80) AS message FROM cases WHERE outcome <> 'built') AS c GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 60")
    judge(database, "every value is found, and every refusal is one")
    psql_script.psql("DELETE FROM ribbon_test.faults", database)

    # plainly, from where the rows lie
    with tempfile.NamedTemporaryFile(suffix=".copy") as copy:
        psql_script.psql(f"""CREATE TABLE ribbon_test.copied (LIKE ribbon_test.filters INCLUDING ALL);
            \\copy ribbon_test.filters TO '{copy.name}' (FORMAT binary)
            \\copy ribbon_test.copied FROM '{copy.name}' (FORMAT binary)
            INSERT INTO ribbon_test.faults SELECT id, 'copied', NULL, 'other bytes', NULL FROM ribbon_test.copied AS c JOIN ribbon_test.filters AS f USING (id) WHERE c.filter <> f.filter OR c.exact <> f.exact OR c.map <> f.map OR c.keys::bytea <> f.keys::bytea;
            INSERT INTO ribbon_test.counts SELECT 0, 'copied filters', count(*) FROM ribbon_test.copied;""", database)
    look_up_again(database, "plain statements")
    judge(database, "stored filters find the rows, and COPY BINARY gives the same bytes")

    restored = database + "_restored"
    with tempfile.NamedTemporaryFile(suffix=".sql") as dump:
        psql_script.psql("DELETE FROM ribbon_test.faults; DROP TABLE ribbon_test.copied;", database)
        subprocess.run(["pg_dump", "-f", dump.name, database], check=True)
        psql_script.psql(f'DROP DATABASE IF EXISTS "{restored}"; CREATE DATABASE "{restored}" TEMPLATE template0;', "postgres")
        done = subprocess.run(["psql", "-Xq", "-f", dump.name, "-d", restored],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        print(f"#   errors of the restore: {done.stderr.count('ERROR:')}", *re.findall("ERROR:.*", done.stderr)[:5], sep="\n#     ")
    look_up_again(restored, "restored")
    show(restored, "probes:",
         "SELECT step, count(*), sum(n) FROM counts WHERE step IN ('copied filters', 'plain statements', 'restored') GROUP BY 1 ORDER BY 1")
    judge(restored, "dumped filters find dumped rows")


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        sys.exit("usage: test/lib/cluster.sh test/deep/regression_database.py SOURCE [CONTRIB]...")
    modules = [] if arguments[1:] == ["none"] else CONTRIB + arguments[1:]
    with tempfile.TemporaryDirectory(prefix="ribbon-regress.", dir="/tmp", ignore_cleanup_errors=True) as work:
        for database in make_databases(os.path.abspath(arguments[0]), modules, work):
            check(database)
    finish()


if __name__ == "__main__":
    main(sys.argv[1:])
