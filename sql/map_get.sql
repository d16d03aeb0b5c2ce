--
-- Looking up: ->, ->>, ribbon_get, @> and <@
--
CREATE TABLE users AS SELECT id, (id * 37 % 101)::int AS score, (ARRAY['free', 'pro', 'max'])[1 + id % 3] AS plan, id % 2 = 0 AS active FROM generate_series(1, 1000) AS id;
CREATE TABLE m AS SELECT ribbon_map(id, score) AS score, ribbon_map(id, plan) AS plan, ribbon_map(id, active) AS active,
       ribbon_map(id, CASE WHEN id % 10 > 0 THEN score END) AS not_all, ribbon_map(id, CASE WHEN id % 10 > 0 THEN plan END) AS some_plans FROM users;

-- every key has its value
SELECT count(*) AS users, count(*) FILTER (WHERE m.score -> id = u.score) AS bigint, count(*) FILTER (WHERE m.score ->> id = u.score::text) AS text,
       count(*) FILTER (WHERE ribbon_get(m.score, id, 0) = u.score) AS int, count(*) FILTER (WHERE m.score @> id AND id <@ m.score) AS contained,
       count(*) FILTER (WHERE ribbon_contains(m.score, id) AND ribbon_contained_by(id, m.score)) AS functions FROM users AS u, m;
SELECT count(*) FILTER (WHERE m.plan ->> id = u.plan) AS text, count(*) FILTER (WHERE ribbon_get(m.plan, id, '') = u.plan) AS plan,
       count(*) FILTER (WHERE m.active -> id = u.active::int) AS bigint, count(*) FILTER (WHERE m.active ->> id = u.active::text) AS boolean_text,
       count(*) FILTER (WHERE ribbon_get(m.active, id, false) = u.active) AS boolean FROM users AS u, m;

-- a NULL value is a value: the key is in the map
SELECT count(m.not_all -> id) AS not_null, count(m.not_all ->> id) AS texts, count(*) FILTER (WHERE m.not_all @> id) AS contained, count(ribbon_get(m.not_all, id, -1)) AS got,
       count(m.some_plans ->> id) AS plans, count(ribbon_get(m.some_plans, id, 'none')) AS got_plans, count(*) FILTER (WHERE ribbon_get(m.some_plans, id, 'none') = 'none') AS otherwise
  FROM users AS u, m;

-- other keys: NULL, or otherwise, but for one in a hundred; that one has a value of the map's, no other
SELECT count(m.score -> k) BETWEEN 800 AND 1200 AS few, count(m.score -> k) = count(*) FILTER (WHERE m.score @> k) AS as_many,
       count(*) FILTER (WHERE ribbon_get(m.score, k, -1) = -1) = count(*) - count(m.score -> k) AS otherwise,
       min(m.score -> k) >= 0 AS least, max(m.score -> k) <= 127 AS greatest,
       (SELECT array_agg(DISTINCT m.plan ->> k ORDER BY m.plan ->> k) FROM m, generate_series(2001, 20000) AS k) AS plans FROM m, generate_series(100001, 200000) AS k;
SELECT score -> 0 AS bigint, score ->> 0 AS text, ribbon_get(score, 0, 42) AS otherwise, ribbon_get(score, 0, NULL::int) AS null, ribbon_get(plan, 0, 'unknown') AS word FROM m;

-- NULL maps and keys give NULL, whatever otherwise is
SELECT NULL::ribbonmap -> 1 AS map, score -> NULL::int AS key, score ->> NULL::int AS text, ribbon_get(NULL::ribbonmap, 1, 5) AS got_map, ribbon_get(score, NULL::int, 5) AS got_key,
       score @> NULL::int AS contains, NULL::int <@ score AS contained FROM m;

-- an empty map knows nothing; one of a single value takes no bits for it
CREATE TABLE empty AS SELECT ribbon_map(i, i) AS ints, ribbon_map(i::text, 'v'::text) AS texts FROM generate_series(1, 0) AS i;
SELECT ints -> 1 AS bigint, ints @> 1 AS contains, ribbon_get(ints, 1, 7) AS otherwise, texts ->> 'a' AS text, ribbon_get(texts, 'a'::text, 'none') AS text_otherwise, ribbon_cardinality(ints) AS keys FROM empty;
SELECT sum(same -> i), count(DISTINCT same -> i) AS values, (ribbon_stats(same)).value_bits FROM (SELECT ribbon_map(i, 7) AS same FROM generate_series(1, 100) AS i) AS s, generate_series(1, 100) AS i GROUP BY same;
SELECT nulls ->> 5 AS text, nulls @> 5 AS contains, ribbon_get(nulls, 5, 9) AS got FROM (SELECT ribbon_map(i, NULL::int) AS nulls FROM generate_series(1, 100) AS i) AS s;

-- without check bits every key has a value; those of the map have their own
SELECT count(*) FILTER (WHERE all_known -> id = u.score) AS right, (SELECT count(all_known -> k) FROM generate_series(5001, 6000) AS k) > 780 AS known, ribbon_fpr(all_known)
  FROM users AS u, (SELECT ribbon_map(id, score, 1) AS all_known FROM users) AS s GROUP BY all_known;

-- what the rate is, the seed and the width, keys find their values
SELECT fpr, width, seed, count(*) FILTER (WHERE map -> k = k % 300 - 100) AS found, count(*) FILTER (WHERE map @> (k + 100000)) <= 3 + 2 * 2000 * fpr AS few_others
  FROM unnest('{0.5,0.03,0.000001}'::float8[]) AS fpr, unnest('{32,64,128}'::int[]) AS width, unnest('{0,1,4294967295}'::bigint[]) AS seed,
       LATERAL (SELECT ribbon_map(i, i % 300 - 100, fpr, format('width=%s, seed=%s', width, seed)) AS map FROM generate_series(1, 2000) AS i) AS s, generate_series(1, 2000) AS k
 GROUP BY fpr, width, seed ORDER BY fpr, width, seed;
-- a call site that meets several seeds in turn
SELECT count(*) AS probes, count(*) FILTER (WHERE map -> k = k + seed) AS found
  FROM (SELECT seed, ribbon_map(i, i + seed, 0.000001, 'seed=' || seed) AS map FROM generate_series(0, 5) AS seed, generate_series(1, 500) AS i GROUP BY seed) AS s, generate_series(1, 500) AS k;
SELECT count(*) AS probes, count(*) FILTER (WHERE map -> k = seed) AS found
  FROM generate_series(1, 200) AS i, LATERAL (SELECT ARRAY[i, 1] AS k) AS s,
       (SELECT seed, ribbon_map(ARRAY[i, 1], seed, 0.000001, 'seed=' || seed) AS map FROM generate_series(0, 5) AS seed, generate_series(1, 200) AS i GROUP BY seed) AS t;

-- 64 bits of value, in two planes
SELECT count(*) AS keys, count(*) FILTER (WHERE wide -> k = v) AS found, count(*) FILTER (WHERE checked -> k = v) AS checked_found
  FROM (SELECT ribbon_map(k, v) AS wide, ribbon_map(k, v, 1e-9) AS checked FROM generate_series(1, 500) AS k, LATERAL (SELECT ribbon_hash(k) AS v) AS s) AS t,
       generate_series(1, 500) AS k, LATERAL (SELECT ribbon_hash(k) AS v) AS u;
SELECT least -> 1 AS least, least -> 2 AS greatest, least ->> 1 AS text FROM (SELECT ribbon_map(i, (ARRAY[-9223372036854775808, 9223372036854775807])[i]) AS least FROM generate_series(1, 2) AS i) AS s;

--
-- Types of keys: any that a filter can have, hashed as a filter's
--
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN shorty AS varchar(10);
CREATE TYPE pair AS (a int, b text);
SELECT int8 -> 5::int8 AS int8, int8 -> 5::int2 AS int2, text -> '5' AS text, text -> '5'::varchar AS varchar, text -> '5'::shorty AS domain, padded -> '5' AS padded, padded -> '5  ' AS more_padded,
       uuid -> md5('5')::uuid AS uuid, numeric -> 5.00 AS numeric, mood -> 'ok'::mood AS mood, arrays -> ARRAY[5, 5] AS array, pairs -> ROW(5, 'x')::pair AS pair,
       json -> '{"a": 5.0}'::jsonb AS jsonb, date -> (date '2026-01-01' + 5) AS date, float -> 5::float4 AS float
  FROM (SELECT ribbon_map(i::int8, i) AS int8, ribbon_map(i::text, i) AS text, ribbon_map(i::char(3), i) AS padded, ribbon_map(md5(i::text)::uuid, i) AS uuid, ribbon_map(i::numeric, i) AS numeric,
               ribbon_map(ARRAY[i, i], i) AS arrays, ribbon_map(ROW(i, 'x')::pair, i) AS pairs, ribbon_map(format('{"a": %s}', i)::jsonb, i) AS json,
               ribbon_map(date '2026-01-01' + i, i) AS date, ribbon_map(i::float8, i) AS float FROM generate_series(1, 50) AS i) AS s,
       (SELECT ribbon_map(e, n) AS mood FROM unnest(enum_range(NULL::mood)) WITH ORDINALITY AS u (e, n)) AS t;

-- a key of another class is an error with a hint, never a silent NULL
SELECT score -> '5' FROM m;
\echo :LAST_ERROR_SQLSTATE
SELECT score @> 5.0 FROM m;
SELECT score ->> ARRAY[5] FROM m;
SELECT ribbon_get(score, now(), 0) FROM m;
SELECT ribbon_map(i::text, i) ->> 'a'::char(3) FROM generate_series(1, 3) AS i;
SELECT ribbon_map(ROW(i, i), i) -> ROW(1, 'a') FROM generate_series(1, 3) AS i;
SELECT ribbon_map(i::float8, i) -> 1 FROM generate_series(1, 3) AS i;

--
-- Types of answers
--
-- -> is for integers and booleans; -> of others, and ribbon_get of another type, are errors that name the type
SELECT plan -> 5 FROM m;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_map(i, date '2026-01-01' + i) -> 5 FROM generate_series(1, 9) AS i;
SELECT ribbon_get(score, 5, 0::bigint) FROM m;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_get(score, 5, 'none') FROM m;
SELECT ribbon_get(plan, 5, 0) FROM m;
SELECT ribbon_get(plan, 5, NULL::mood) FROM m;
SELECT ribbon_get(active, 5, 0) FROM m;
-- also if the key is not in the map, or the map is empty
SELECT ribbon_get(plan, 0, 0) FROM m;
SELECT ribbon_get(texts, 'a'::text, 0) FROM empty;
SELECT texts -> 'a' FROM empty;
-- text and varchar are the same characters
SELECT ribbon_get(ribbon_map(i, ('v' || i)::varchar), 3, 'none') AS of_varchar, ribbon_get(ribbon_map(i, 'v' || i), 3, 'none'::varchar) AS as_varchar FROM generate_series(1, 9) AS i;

-- domains count as their base type, and their constraints hold for what they get
CREATE DOMAIN small_int AS int CHECK (VALUE < 50);
CREATE DOMAIN known_plan AS text CHECK (VALUE <> 'max');
SELECT count(*) FROM (SELECT ribbon_map(id, score::small_int) AS map FROM users WHERE score < 50) AS s, users AS u WHERE score < 50 AND ribbon_get(map, id, 0) = score;
SELECT ribbon_get(score, 1, 1::small_int) AS small, pg_typeof(ribbon_get(score, 1, 1::small_int)) AS type FROM m;
SELECT ribbon_get(score, 2, 1::small_int) FROM m;
SELECT ribbon_get(plan, 1, 'none'::known_plan) AS known, ribbon_get(plan, 0, 'none'::known_plan) AS otherwise FROM m;
SELECT ribbon_get(plan, 2, 'none'::known_plan) FROM m;

-- in a generated column, an index expression, a check, a prepared statement, a variable, an array
CREATE TABLE places (map ribbonmap, k int, v bigint GENERATED ALWAYS AS (map -> k) STORED, CHECK (map @> k));
INSERT INTO places SELECT score, 1 FROM m;
\set VERBOSITY terse
INSERT INTO places SELECT score, 0 FROM m;
\set VERBOSITY default
CREATE INDEX places_value ON places ((map ->> k));
SELECT k, v, map ->> k AS text FROM places;
PREPARE find (ribbonmap, int) AS SELECT $1 -> $2;
SELECT score AS map FROM m \gset
EXECUTE find(:'map', 3);
DEALLOCATE find;
DO $$
DECLARE
	map ribbonmap := (SELECT score FROM m);
	maps ribbonmap[] := (SELECT ARRAY[score, not_all] FROM m);
	total bigint := 0;
BEGIN
	FOR i IN 1..1000 LOOP
		total := total + (map -> i) + COALESCE(maps[2] -> i, 0);
	END LOOP;
	RAISE NOTICE 'sum: %', total;
END $$;
SELECT sum(score) + sum(score) FILTER (WHERE id % 10 > 0) AS sum FROM users;
SELECT count(*) FROM users WHERE id <@ ANY (ARRAY(SELECT score FROM m UNION ALL SELECT plan FROM m));

-- untyped keys are text to the operators
SELECT map -> '7' AS operator, map ->> 'x' AS none, map @> '7' AS contains, '7' <@ map AS contained FROM (SELECT ribbon_map(i::text, i) AS map FROM generate_series(1, 9) AS i) AS s;

-- values that are too large to keep once they have been read
SELECT count(*) FILTER (WHERE ribbon_get(map, i, NULL::int[]) = array_fill(i, ARRAY[20000])) AS arrays
  FROM (SELECT ribbon_map(i, array_fill(i, ARRAY[20000])) AS map FROM generate_series(0, 2) AS i) AS s, generate_series(0, 2) AS i, generate_series(1, 3);

DROP TABLE users, m, empty, places;
DROP TYPE mood, pair;
DROP DOMAIN shorty, small_int, known_plan;
