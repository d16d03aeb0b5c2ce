--
-- Types of values: what goes in comes out, whatever the settings, and whatever becomes of the type
--
CREATE SCHEMA shop;
CREATE TYPE shop.plan AS ENUM ('free', 'pro', 'max', 'spare');
CREATE DOMAIN shop.label AS text;

-- a map of these values to the keys 1, 2, ..., looked up in every way; the way of ribbon_get needs the type
CREATE FUNCTION look_up(value_type text, items text[], OUT item text, OUT as_text text, OUT same boolean, OUT as_bigint text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format($query$
		SELECT v::text, map ->> n, ribbon_get(map, n, NULL::%1$s)::text IS NOT DISTINCT FROM v::text, CASE WHEN '%1$s' IN ('boolean', 'smallint', 'integer', 'bigint') THEN (map -> n)::text END
		  FROM (SELECT ribbon_map(n, x::%1$s) AS map FROM unnest($1) WITH ORDINALITY AS u (x, n)) AS s,
		       unnest($1) WITH ORDINALITY AS u (x, n), LATERAL (SELECT x::%1$s AS v OFFSET 0) AS w ORDER BY n$query$, value_type) USING items;
END $$;
SET TimeZone = 'UTC';

-- numbers, to the ends of their types
SELECT * FROM look_up('boolean', '{t,f,NULL}');
SELECT * FROM look_up('smallint', '{-32768,32767,0,NULL}');
SELECT * FROM look_up('integer', '{-2147483648,2147483647,0}');
SELECT * FROM look_up('bigint', '{-9223372036854775808,9223372036854775807,0}');
SELECT * FROM look_up('bigint', '{9223372036854775805,9223372036854775806,9223372036854775807,NULL}');
SELECT * FROM look_up('date', '{2026-02-28,0001-01-01,0044-03-15 BC,5874897-12-31,infinity,-infinity,NULL}');
SELECT * FROM look_up('timestamp', '{2026-02-28 12:34:56.789,4713-01-01 BC,294276-12-31 23:59:59.999999}');
SELECT * FROM look_up('timestamp', '{2026-02-28,infinity}');
SELECT * FROM look_up('timestamptz', '{2026-02-28 12:34:56+05:30,4713-01-01 BC,NULL}');
SELECT * FROM look_up('timestamptz', '{-infinity,2026-02-28}');

-- all others, by a dictionary
SELECT * FROM look_up('text', ARRAY['', 'a', 'ä', E'a\tb', '日本', NULL, 'A', repeat('x', 40)]);
SELECT * FROM look_up('varchar(3)', '{abc,ab}');
SELECT * FROM look_up('char(3)', '{abc,ab}');
SELECT * FROM look_up('name', '{abc,ab}');
SELECT * FROM look_up('"char"', '{a,b}');
SELECT * FROM look_up('shop.plan', '{max,free,NULL}');
SELECT * FROM look_up('shop.label', '{yes,no}');
SELECT * FROM look_up('numeric', '{1.0,1.00,1,NaN,Infinity,-1e30,1e-10}');
SELECT * FROM look_up('real', '{0.1,1e10,NaN,-0}');
SELECT * FROM look_up('double precision', '{0.1,1.0000000000000002,-Infinity}');
SELECT * FROM look_up('money', '{12.34,-1}');
SELECT * FROM look_up('uuid', '{00000000-0000-0000-0000-000000000001,ffffffff-ffff-ffff-ffff-ffffffffffff}');
SELECT * FROM look_up('bytea', ARRAY['\x', '\xdeadbeef', 'abc']);
SELECT * FROM look_up('interval', '{1 mon -2 days,-00:00:01.5}');
SELECT * FROM look_up('time', '{12:34:56.7,24:00}');
SELECT * FROM look_up('timetz', '{12:34:56+05:30}');
SELECT * FROM look_up('inet', '{10.0.0.1/8,::1}');
SELECT * FROM look_up('jsonb', ARRAY['{"b": 1, "a": [1.0, null]}', '"x"']);
SELECT * FROM look_up('integer[]', ARRAY['{1,2}', '[5:6]={1,NULL}', '{}']);
SELECT * FROM look_up('text[]', ARRAY['{a,"b c",NULL,"NULL"}']);
SELECT * FROM look_up('timestamptz[]', ARRAY['{2026-02-28 12:00+05}']);
SELECT * FROM look_up('int4range', '{"[1,5)",empty}');
SELECT * FROM look_up('point', '{"(0.1,2)"}');
SELECT * FROM look_up('oid', '{4294967295}');
SELECT * FROM look_up('regclass', '{pg_class}');
-- xml, where the server has it
CREATE FUNCTION xml_is_kept() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL xmloption = document;
	RETURN (SELECT ribbon_get(map, 1, NULL::xml)::text = 'no document' AND map ->> 2 = '<a/>'
			  FROM (SELECT ribbon_map(i, v) AS map FROM (VALUES (1, XMLPARSE(CONTENT 'no document')), (2, XMLPARSE(CONTENT '<a/>'))) AS t (i, v)) AS s);
EXCEPTION WHEN feature_not_supported THEN
	RETURN true;
END $$;
SELECT xml_is_kept();

-- what a map says of them
CREATE TABLE typed AS SELECT ribbon_map(i, (ARRAY['free', 'pro', 'max'])[1 + i % 3]::shop.plan) AS plan, ribbon_map(i, date '2026-01-01' + i) AS day, ribbon_map(i, timestamptz '2026-01-01 12:00+00' + i * interval '1 hour') AS at,
       ribbon_map(i, i * 0.5::float8) AS half, ribbon_map(i, (i || ' days')::interval) AS span, ribbon_map(i, ARRAY[timestamptz '2026-01-01 12:00+00' + i * interval '1 hour']) AS times,
       ribbon_map(i, ('\x0' || i)::bytea) AS bytes, ribbon_map(i, i::text::money) AS money FROM generate_series(1, 9) AS i;
SELECT c, s.key_type, s.value_type, s.value_bits, s.distinct_values, s.keys
  FROM typed, LATERAL (VALUES ('plan', plan), ('day', day), ('at', at), ('half', half), ('span', span), ('times', times), ('bytes', bytes), ('money', money)) AS v (c, map), LATERAL ribbon_stats(map) AS s;

-- no setting changes an answer, or a map
CREATE TABLE before AS SELECT plan ->> 5 AS a, day ->> 5 AS b, at ->> 5 AS c, half ->> 5 AS d, span ->> 5 AS e, times ->> 5 AS f, bytes ->> 5 AS g,
       ribbon_get(at, 5, NULL::timestamptz) AS i, ribbon_get(times, 5, NULL::timestamptz[]) AS j, ribbon_get(half, 5, NULL::float8) AS k, ribbon_get(span, 5, NULL::interval) AS l,
       ribbon_get(bytes, 5, NULL::bytea) AS m FROM typed;
SET TimeZone = 'Asia/Kathmandu';
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = 'iso_8601';
SET extra_float_digits = -5;
SET bytea_output = 'escape';
SET search_path = shop, public;
SELECT was = ROW(plan ->> 5, day ->> 5, at ->> 5, half ->> 5, span ->> 5, times ->> 5, bytes ->> 5,
       ribbon_get(at, 5, NULL::timestamptz), ribbon_get(times, 5, NULL::timestamptz[]), ribbon_get(half, 5, NULL::float8), ribbon_get(span, 5, NULL::interval),
       ribbon_get(bytes, 5, NULL::bytea))::before AS same FROM typed, before AS was;
SELECT times = (SELECT ribbon_map(i, ARRAY[timestamptz '2026-01-01 12:00+00' + i * interval '1 hour']) FROM generate_series(1, 9) AS i) AS same_map,
       span = (SELECT ribbon_map(i, i * interval '1 day') FROM generate_series(1, 9) AS i) AS same_span FROM typed;
-- nor does a temporary table that has the name of one of the server's
SELECT ribbon_map(1, 'pg_class'::regclass) AS class FROM generate_series(1, 1) \gset
CREATE TEMPORARY TABLE pg_class (a int);
SELECT ribbon_get(:'class', 1, NULL::regclass) = 'pg_catalog.pg_class'::regclass AS same, ribbon_map(1, 'pg_catalog.pg_class'::regclass) = :'class' AS same_map FROM generate_series(1, 1);
DROP TABLE pg_temp.pg_class;
-- nor does a setting that input functions go by
SET array_nulls = off;
SELECT ribbon_get(map, 1, NULL::text[]) = ARRAY['a', NULL, 'NULL'] AS same FROM (SELECT ribbon_map(i, ARRAY['a', NULL, 'NULL']) AS map FROM generate_series(1, 2) AS i) AS s;
SHOW array_nulls;
-- settings are what they were afterwards, also after an error within
SHOW DateStyle;
SELECT ribbon_get(span, 5, NULL::plan) FROM typed;
SHOW TimeZone;
RESET ALL;
SET TimeZone = 'UTC';

--
-- A type that changes: a clear error, or the text; never another value
--
CREATE TABLE plans AS SELECT ribbon_map(i, (ARRAY['free', 'pro', 'max'])[1 + i % 3]::shop.plan) AS map FROM generate_series(1, 9) AS i;
SELECT DISTINCT ribbon_get(map, i, NULL::shop.plan) AS plan, map ->> i AS text FROM plans, generate_series(1, 9) AS i ORDER BY 1;
-- a value more changes nothing, nor does their order
ALTER TYPE shop.plan ADD VALUE 'trial' BEFORE 'free';
SELECT DISTINCT ribbon_get(map, i, NULL::shop.plan) AS plan FROM plans, generate_series(1, 9) AS i ORDER BY 1;
-- a label that was renamed is not taken any more; the others are
ALTER TYPE shop.plan RENAME VALUE 'pro' TO 'professional';
SELECT ribbon_get(map, 2, NULL::shop.plan) AS plan FROM plans;
SELECT ribbon_get(map, 1, NULL::shop.plan) FROM plans;
\echo :LAST_ERROR_SQLSTATE
SELECT map ->> 1 AS text FROM plans;
-- even within a transaction, or a function, that has seen it before
ALTER TYPE shop.plan RENAME VALUE 'professional' TO 'pro';
DO $$
DECLARE
	m ribbonmap := (SELECT map FROM plans);
	p shop.plan;
BEGIN
	FOR i IN 1..3 LOOP
		p := ribbon_get(m, 1, p);
		RAISE NOTICE 'plan: %', p;
		IF i = 2 THEN
			ALTER TYPE shop.plan RENAME VALUE 'pro' TO 'expert';
		END IF;
	END LOOP;
EXCEPTION WHEN invalid_text_representation THEN
	RAISE NOTICE '%', SQLERRM;
END $$;
-- a type of another name, or in another schema, is another type
ALTER TYPE shop.plan RENAME TO tariff;
SELECT ribbon_get(map, 1, NULL::shop.tariff) FROM plans;
\echo :LAST_ERROR_SQLSTATE
ALTER TYPE shop.tariff RENAME TO plan;
ALTER TYPE shop.plan SET SCHEMA public;
SELECT ribbon_get(map, 1, NULL::plan) FROM plans;
SELECT map ->> 1 AS text FROM plans;
-- dropped: the text is left
DROP TYPE plan CASCADE;
SELECT map ->> 1 AS text, map @> 1 AS contains, (ribbon_stats(map)).value_type FROM plans;
-- come back, it is the same again
CREATE TYPE shop.plan AS ENUM ('max', 'pro', 'free');
SELECT ribbon_get(map, 1, NULL::shop.plan) AS plan FROM plans;
-- one call that reads two maps in turn, in which one code stands for different texts
SELECT ribbon_get(map, 1, NULL::shop.plan) AS plan, count(*) AS rows
  FROM (SELECT ARRAY[ribbon_map(1, 'free'::shop.plan), ribbon_map(1, 'max'::shop.plan)] AS maps OFFSET 0) AS s,
       generate_series(1, 100) AS i, LATERAL (SELECT maps[1 + i % 2] AS map OFFSET 0) AS t GROUP BY plan ORDER BY plan;

-- a type beneath a domain is the map's; what it is called follows the map
SELECT (ribbon_stats(ribbon_map(1, 'x'::shop.label))).value_type, ribbon_get(ribbon_map(1, 'x'::shop.label), 1, 'y') AS text, pg_typeof(ribbon_get(ribbon_map(1, 'x'::text), 1, 'y'::shop.label)) AS type;

-- the hint is a type as a query writes it
CREATE TYPE shop."Odd Type" AS ENUM ('a');
SELECT ribbon_get(ribbon_map(1, 'a'::shop."Odd Type"), 1, 1);
SELECT ribbon_get(ribbon_map(1, 'a'::shop."Odd Type"), 1, NULL::shop."Odd Type");
SELECT ribbon_get(ribbon_map(1, 'a'::"char"), 1, 1);

-- a domain has its say about a value, also about NULL
CREATE DOMAIN shop.amount AS integer NOT NULL CHECK (value > 0);
CREATE TABLE amounts AS SELECT ribbon_map(i, NULLIF(i, 2) - 3) AS map FROM generate_series(1, 9) AS i;
SELECT ribbon_get(map, 5, 1::shop.amount) AS amount, ribbon_get(map, 10, 1::shop.amount) AS otherwise FROM amounts;
SELECT ribbon_get(map, 1, 1::shop.amount) FROM amounts;
SELECT ribbon_get(map, 2, 1::shop.amount) FROM amounts;

-- many values: 65,536, and texts of any length
CREATE TABLE many AS SELECT ribbon_map(i, 'value ' || i) AS map FROM generate_series(1, 65536) AS i;
SELECT count(*) FILTER (WHERE map ->> i = 'value ' || i) AS texts, count(*) FILTER (WHERE ribbon_get(map, i, '') = 'value ' || i) AS got,
       (SELECT distinct_values FROM many, ribbon_stats(map)), (SELECT value_bits FROM many, ribbon_stats(map)) FROM many, generate_series(1, 65536) AS i;
SELECT n, length(map ->> n) AS length, map ->> n = repeat(chr(96 + n), (10 ^ n)::int) AS same FROM generate_series(1, 6) AS n,
       (SELECT ribbon_map(n, repeat(chr(96 + n), (10 ^ n)::int)) AS map FROM generate_series(1, 6) AS n) AS s;

-- values that were decoded are kept, but no more than 16 MB of them, as the allocator counts: long ones, or as many as there can be
CREATE TABLE longer AS SELECT ribbon_map(i, jsonb_build_array(i, repeat(i::text, 160))) AS map FROM generate_series(1, 20000) AS i;
SELECT same, (SELECT sum(total_bytes) BETWEEN 1e6 AND 16 * 1024 * 1024 FROM pg_backend_memory_contexts WHERE name = 'ribbon values' AND same > 0) AS bounded
  FROM (SELECT count(*) FILTER (WHERE (ribbon_get(map, i, NULL::jsonb) -> 0)::int = i) AS same FROM longer, generate_series(1, 20000) AS i OFFSET 0) AS s;
CREATE TABLE arrays AS SELECT ribbon_map(i, ARRAY[i, 12345678, 12345678, 12345678, 12345678]) AS map FROM generate_series(1, 65536) AS i;
SELECT same, (SELECT sum(total_bytes) BETWEEN 1e6 AND 16 * 1024 * 1024 FROM pg_backend_memory_contexts WHERE name = 'ribbon values' AND same > 0) AS bounded
  FROM (SELECT count(*) FILTER (WHERE (ribbon_get(map, i, NULL::int[]))[1] = i) AS same FROM arrays, generate_series(1, 65536) AS i OFFSET 0) AS s;

DROP TABLE typed, before, plans, amounts, many, longer, arrays;
DROP FUNCTION look_up;
SET client_min_messages = warning;
DROP SCHEMA shop CASCADE;
