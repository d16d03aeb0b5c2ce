--
-- Labels: what every function promises the planner, the executor and the server
--
-- docs/security.md says why.  volatility, called on NULL, parallel safety, leakproof, runs as its
-- owner, planner support, has settings, privileges (NULL: every role may call it)
SELECT p.oid::regprocedure AS function, provolatile AS volatile, NOT proisstrict AS on_null, proparallel AS parallel,
       proleakproof AS leakproof, prosecdef AS definer, CASE WHEN prosupport <> 0 THEN prosupport::text END AS support, proconfig AS settings, proacl AS acl
  FROM pg_depend JOIN pg_proc p ON objid = p.oid AND classid = 'pg_proc'::regclass
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ribbon')
 ORDER BY p.oid::regprocedure::text COLLATE "C";

-- But for ribbon_check_table nothing runs SQL, or another function by name: all are C, or a function of the server's own that core types use
SELECT lanname, CASE lanname WHEN 'internal' THEN prosrc ELSE proname END AS source, count(*), bool_and(prosqlbody IS NULL AND proargdefaults IS NULL) AS no_sql
  FROM pg_depend JOIN pg_proc p ON objid = p.oid AND classid = 'pg_proc'::regclass JOIN pg_language l ON l.oid = prolang
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND (lanname <> 'c')
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ribbon')
 GROUP BY 1, 2 ORDER BY source COLLATE "C";

-- An aggregate is as safe as its functions, and none is a window function or ordered set
SELECT aggfnoid::regprocedure AS aggregate, aggkind AS kind, aggfinalextra, aggfinalmodify, aggtranstype::regtype AS state,
       aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn
  FROM pg_aggregate JOIN pg_proc p ON p.oid = aggfnoid WHERE proname IN ('ribbon_build', 'ribbon_map') ORDER BY aggfnoid::regprocedure::text COLLATE "C";

-- No statement can call what takes or gives internal: there is no value of that type to be had, not even NULL
CREATE FUNCTION state_of_call(function regprocedure, nothing text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	arguments text;
BEGIN
	SELECT string_agg(CASE WHEN type = 'internal'::regtype THEN nothing
	                  ELSE 'NULL::' || regexp_replace(format_type(type, NULL), '^any(compatible|element)$', 'integer') END, ', ' ORDER BY number) INTO arguments
	  FROM pg_proc, unnest(proargtypes) WITH ORDINALITY AS argument (type, number) WHERE oid = function;
	EXECUTE format('SELECT %s(%s)', function::regproc, arguments);
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	-- by which of them differs between minor versions
	RETURN CASE WHEN SQLSTATE IN ('42883', '42846', '0A000') THEN 'refused' ELSE SQLERRM END;
END $$;
SELECT nothing, state_of_call(p.oid, nothing) AS state, count(*)
  FROM pg_depend JOIN pg_proc p ON objid = p.oid AND classid = 'pg_proc'::regclass, unnest('{"NULL",NULL::internal}'::text[]) AS nothing
 WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ribbon')
   AND ('internal'::regtype = ANY (proargtypes) OR prorettype = 'internal'::regtype)
 GROUP BY 1, 2 ORDER BY nothing COLLATE "C", state;
-- nor can one be slipped in by an aggregate of one's own
CREATE ROLE regress_ribbon_maker;
GRANT CREATE ON SCHEMA public TO regress_ribbon_maker;
SET ROLE regress_ribbon_maker;
CREATE AGGREGATE mine (anycompatible) (SFUNC = ribbon_build_transfn, STYPE = internal, FINALFUNC = ribbon_build_finalfn, FINALFUNC_EXTRA);
CREATE AGGREGATE mine (anyelement, anycompatible) (SFUNC = ribbon_map_transfn, STYPE = internal, FINALFUNC = ribbon_map_finalfn, FINALFUNC_EXTRA);
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM regress_ribbon_maker;
DROP ROLE regress_ribbon_maker;

-- IMMUTABLE: neither settings nor the session change a hash
CREATE TYPE pair AS (a int, b text);
CREATE TYPE letter AS ENUM ('a', 'b');
CREATE FUNCTION hashes() RETURNS bigint[] LANGUAGE sql AS $$
SELECT ARRAY[ribbon_hash(1.5::float8), ribbon_hash(0.1::float4), ribbon_hash(1.50::numeric), ribbon_hash('2026-01-02 03:04+05'::timestamptz),
             ribbon_hash('2026-01-02'::date), ribbon_hash('1 month 2 days'::interval), ribbon_hash('\xff00'::bytea), ribbon_hash('ä'::text),
             ribbon_hash('1.2.3.4/24'::inet), ribbon_hash('{"a": [1, 2.50]}'::jsonb), ribbon_hash('{1,2}'::int[]), ribbon_hash('[1,3)'::int4range),
             ribbon_hash('(1,x)'::pair), ribbon_hash('12:00'::time), ribbon_hash('12:00+01'::timetz), ribbon_hash('b'::letter)]
$$;
CREATE TABLE hashes_before AS SELECT hashes() AS hashes;
SET TimeZone = 'Asia/Kathmandu';
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = 'iso_8601';
SET extra_float_digits = -5;
SET bytea_output = 'escape';
SELECT hashes() = hashes AS same, cardinality(hashes) AS classes FROM hashes_before;
RESET ALL;

-- nor what a map gives, but by ribbon_get, which is STABLE (sql/map_types.sql)
CREATE FUNCTION looked_up() RETURNS text[] LANGUAGE sql AS $$
SELECT ARRAY[map ->> 1, days ->> 1, times ->> 1, (numbers -> 1)::text]
  FROM (SELECT ribbon_map(i, i * interval '1 month') AS map, ribbon_map(i, date '2026-01-02' + i) AS days, ribbon_map(i, '2026-01-02 03:04+05'::timestamptz) AS times,
               ribbon_map(i, 100 * i) AS numbers FROM generate_series(1, 3) AS i) AS s
$$;
CREATE TABLE looked_up_before AS SELECT looked_up() AS answers;
SET TimeZone = 'Asia/Kathmandu';
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = 'iso_8601';
SELECT looked_up() = answers AS same, answers FROM looked_up_before;
RESET ALL;

-- The first exception: an enum's label is what is hashed, so a label that is renamed is another key from then on
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE moods AS SELECT m, ribbon_hash(m) AS hash FROM unnest(enum_range(NULL::mood)) AS m;
CREATE TABLE moody AS SELECT ribbon_build(m, 0.000001) AS f FROM moods;
ALTER TYPE mood RENAME VALUE 'ok' TO 'fine';
SELECT m, f @> m AS found, hash = ribbon_hash(m) AS same_hash FROM moods, moody ORDER BY m;
-- back again, and the filter is what it was; a value more changes nothing
ALTER TYPE mood RENAME VALUE 'fine' TO 'ok';
ALTER TYPE mood ADD VALUE 'bored' BEFORE 'sad';
SELECT m, f @> m AS found, hash = ribbon_hash(m) AS same_hash FROM moods, moody ORDER BY m;

-- The second: a row is hashed by all of its columns up to the last that is not NULL: with one more at the end it is
-- the same key, with one less it is another
CREATE TABLE rows_before AS SELECT p, hash_record_extended(p, 0) AS hash FROM (SELECT (i, 'x')::pair AS p FROM generate_series(1, 5) AS i) AS s;
CREATE TABLE paired AS SELECT ribbon_build(p, 0.000001) AS f FROM rows_before;
SELECT count(*) AS members, count(*) FILTER (WHERE f @> p) AS found FROM rows_before, paired;
-- not so to the server: the hash of its hash indexes and partitions has changed
ALTER TYPE pair ADD ATTRIBUTE c int;
SELECT count(*) AS members, count(*) FILTER (WHERE f @> p) AS found, count(*) FILTER (WHERE hash = hash_record_extended(p, 0)) AS same_to_the_server FROM rows_before, paired;
-- without that column again, and the filter is what it was
ALTER TYPE pair DROP ATTRIBUTE c;
SELECT count(*) AS members, count(*) FILTER (WHERE f @> p) AS found FROM rows_before, paired;
ALTER TYPE pair DROP ATTRIBUTE b;
SELECT count(*) AS members, count(*) FILTER (WHERE f @> p) AS found FROM rows_before, paired;
-- nor does a dropped column count that has others behind it
ALTER TYPE pair ADD ATTRIBUTE again text;
SELECT count(*) FILTER (WHERE f @> (i, 'x')::pair) AS found, count(*) FILTER (WHERE f @> (i, 'y')::pair) AS others FROM generate_series(1, 5) AS i, paired;
ALTER TYPE pair DROP ATTRIBUTE again;
-- other names change nothing
CREATE TABLE paired_again AS SELECT ribbon_build(p, 0.000001) AS f FROM rows_before;
ALTER TYPE pair RENAME ATTRIBUTE a TO number;
ALTER TYPE pair RENAME TO single;
SELECT count(*) AS members, count(*) FILTER (WHERE f @> p) AS found FROM rows_before, paired_again;

-- a call site that has seen a key before notices: hashes of rows are not remembered
CREATE TYPE point_in_time AS (day date, minute int);
CREATE TYPE span AS RANGE (subtype = point_in_time);
CREATE TABLE spans AS SELECT span(('2026-01-01', i)::point_in_time, NULL) AS s FROM generate_series(1, 5) AS i;
CREATE FUNCTION found_before_and_after(OUT member boolean) RETURNS SETOF boolean LANGUAGE plpgsql AS $$
DECLARE
	key span := (SELECT s FROM spans ORDER BY s LIMIT 1);
	filter ribbonfilter;
BEGIN
	FOR i IN 1..2 LOOP
		filter := (SELECT ribbon_build(s, 0.000001) FROM spans);
		member := filter @> key;
		RETURN NEXT;
		EXECUTE format('ALTER TYPE point_in_time ADD ATTRIBUTE c%s int', i);
	END LOOP;
END $$;
SELECT * FROM found_before_and_after();

DROP TABLE looked_up_before, hashes_before, moods, moody, rows_before, paired, paired_again, spans;
DROP FUNCTION state_of_call, looked_up, hashes, found_before_and_after;
DROP TYPE mood, single, letter, span, point_in_time;
