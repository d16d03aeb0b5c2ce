--
-- ribbon_map: keys and values in, a map out
--
CREATE TYPE plan AS ENUM ('free', 'pro', 'team');
CREATE DOMAIN score AS smallint CHECK (value >= 0);
CREATE DOMAIN plan_name AS text;
CREATE TABLE vals AS
SELECT i AS k, i % 2 = 0 AS b, (i % 7 - 3)::smallint AS s, 1000000 + i % 300 AS i, (i - 500) * 9000000000000000::bigint AS l,
       date '2020-02-28' + i % 5 AS d, timestamp '2020-02-28 23:59:59.5' + i * interval '1 second' AS t,
       timestamptz '2020-02-28 23:59:59+00' + i * interval '1 day' AS tz, (i % 100)::smallint::score AS score,
       (ARRAY['free', 'pro', 'team'])[1 + i % 3]::plan AS plan, 'größe ' || i % 20 AS text, repeat('x', i % 50) AS long,
       (ARRAY['free', 'pro'])[1 + i % 2]::plan_name AS named, (i % 10 / 4.0)::float8 AS f, (i % 10 / 3.0)::numeric AS n,
       int8range(i % 4, 9) AS bounds, ARRAY[i % 3, NULL] AS a, jsonb_build_object('i', i % 6) AS j, (i % 8 || ' days')::interval AS iv,
       ('\x0' || i % 9)::bytea AS bytes, ('10.0.0.' || i % 30)::inet AS ip, tstzrange(to_timestamp(i % 3), NULL) AS r,
       (i % 5)::"char" AS c, (i % 4)::text::char(3) AS padded, ('k' || i % 5)::name AS name, (i % 6 / 7.0)::float4 AS f4
  FROM generate_series(1, 1000) AS i;

-- every key gives its value back, whatever its type
CREATE FUNCTION back(col text, OUT type text, OUT bits int, OUT vals bigint, OUT right_ones bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT (s).value_type, (s).value_bits, (s).distinct_values,
	                       (SELECT count(*) FROM vals WHERE ribbon_get(m, k, NULL::%s)::text = %I::text)
	                  FROM (SELECT m, ribbon_stats(m) AS s FROM (SELECT ribbon_map(k, %I) AS m FROM vals) AS m OFFSET 0) AS s',
	               (SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'vals'::regclass AND attname = col),
	               col, col) INTO type, bits, vals, right_ones;
END $$;
SELECT attname, b.* FROM pg_attribute, back(attname) AS b WHERE attrelid = 'vals'::regclass AND attnum > 1 ORDER BY attnum;

-- numbers take the bits of their range, wherever it lies: none if all are the same
SELECT least, greatest, (SELECT value_bits FROM ribbon_stats(m)) AS bits, m -> 1 AS first, m -> 2 AS second
  FROM (VALUES (5, 5), (5, 6), (-1, 1), (0, 255), (0, 256), (-9223372036854775808, -9223372036854775807),
	(-9223372036854775808, 9223372036854775807)) AS v(least, greatest),
       LATERAL (SELECT ribbon_map(k, v) AS m FROM (VALUES (1, least::bigint), (2, greatest::bigint)) AS kv(k, v)) AS s;
SELECT m ->> 1 AS first, m ->> 2 AS second, m ->> 3 AS third
  FROM (SELECT ribbon_map(k, v) AS m FROM (VALUES (1, timestamp '-infinity'), (2, 'infinity'), (3, '2000-01-01')) AS kv(k, v)) AS s;

-- a NULL value is a value, a NULL key is no key
SELECT ribbon_cardinality(m) AS keys, (SELECT value_bits FROM ribbon_stats(m)) AS bits, m @> 1 AS known, m -> 1 AS one, m -> 2 AS two,
       ribbon_get(m, 1, 7) AS got
  FROM (SELECT ribbon_map(k, v) AS m FROM (VALUES (1, NULL), (2, 0), (NULL, 4), (3, 3)) AS kv(k, v)) AS s;
SELECT ribbon_cardinality(m) AS keys, (SELECT value_bits FROM ribbon_stats(m)) AS bits, m @> 1 AS known, m ->> 1 AS one, m ->> 2 AS two,
       (SELECT distinct_values FROM ribbon_stats(m)) AS vals
  FROM (SELECT ribbon_map(k, v) AS m FROM (VALUES (1, NULL), (2, 'x'), (NULL, 'no'), (3, '')) AS kv(k, v)) AS s;
SELECT ribbon_cardinality(m) AS keys, (SELECT value_bits FROM ribbon_stats(m)) AS bits, m @> 1 AS known, m -> 1 AS one, m = n AS same
  FROM (SELECT ribbon_map(k, NULL::int) AS m, ribbon_map(k, NULL::int ORDER BY k DESC) AS n FROM generate_series(1, 9) AS k) AS s;

-- no row, or none with a key: an empty map, which knows no key
SELECT ribbon_map(k, i) AS no_rows, ribbon_map(NULLIF(k, k), i) AS null_keys, ribbon_map(k, i) @> 1 AS known, ribbon_map(k, i) -> 1 AS one
  FROM vals WHERE k < 0;
SELECT ribbon_map(k, plan) = ribbon_map(NULLIF(k, k), plan) AS same, (ribbon_stats(ribbon_map(k, plan))).value_type,
       ribbon_map(k, plan) ->> 1 AS one FROM vals WHERE k < 0;

-- rows that say the same count once; values that differ for a key are an error
SELECT ribbon_map(k, v) = ribbon_map(DISTINCT k, v) AS same, ribbon_cardinality(ribbon_map(k, v)) AS keys
  FROM (VALUES (1, 2), (1, 2), (2, NULL), (2, NULL)) AS kv(k, v);
SELECT ribbon_map(k, v) FROM (VALUES (1, 2), (2, 2), (1, 3)) AS kv(k, v);
\echo :LAST_ERROR_SQLSTATE
SELECT k FROM (VALUES (1), (2)) AS kv(k) WHERE ribbon_hash(k) = 3439722301264460078;
SELECT ribbon_map(k, v) FROM (VALUES (1, 'two'), (2, 'two'), (1, NULL)) AS kv(k, v);
SELECT ribbon_map(k, v) FROM (VALUES (1, 1.0), (1, 1.00)) AS kv(k, v);
SELECT ribbon_map(k, v) FROM (VALUES (1, false), (1, true)) AS kv(k, v);
SELECT ribbon_map(k, v) FROM (VALUES (1, repeat('größe', 30)), (1, 'x')) AS kv(k, v);
SELECT ribbon_map(k, v, 0.01, 'seed=4294967295')
  FROM (VALUES (1, timestamptz '2020-01-01 12:00+02'), (1, '2020-01-01 12:00+01')) AS kv(k, v);

-- what a value is does not depend on settings
CREATE TABLE settled AS
SELECT ribbon_map(k, iv) AS iv, ribbon_map(k, f) AS f, ribbon_map(k, bytes) AS bytes, ribbon_map(k, r) AS r, ribbon_map(k, bounds) AS bounds,
       ribbon_map(k, ('vals'::regclass)) AS class, ribbon_map(k, 12.5::money) AS money
  FROM vals;
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = iso_8601;
SET extra_float_digits = -10;
SET bytea_output = escape;
SET TimeZone = 'Asia/Tokyo';
SET quote_all_identifiers = on;
SET lc_monetary = 'POSIX';
SELECT s.iv = v.iv AS iv, s.f = v.f AS f, s.bytes = v.bytes AS bytes, s.r = v.r AS r, s.bounds = v.bounds AS bounds, s.class = v.class AS class,
       s.money = v.money AS money, v.class ->> 1 AS class, v.money ->> 1 AS money
  FROM settled AS s,
       (SELECT ribbon_map(k, iv) AS iv, ribbon_map(k, f) AS f, ribbon_map(k, bytes) AS bytes, ribbon_map(k, r) AS r,
               ribbon_map(k, bounds) AS bounds, ribbon_map(k, ('vals'::regclass)) AS class, ribbon_map(k, 12.5::money) AS money
          FROM vals) AS v;
-- and the settings stay what they are
SHOW DateStyle;
SHOW search_path;
RESET DateStyle;
RESET IntervalStyle;
RESET extra_float_digits;
RESET bytea_output;
RESET TimeZone;
RESET quote_all_identifiers;
RESET lc_monetary;

-- up to 65,536 different values by dictionary
SELECT ribbon_cardinality(m) AS keys, (SELECT distinct_values FROM ribbon_stats(m)) AS vals, m ->> 65536 AS last
  FROM (SELECT ribbon_map(i, 'v' || i) AS m FROM generate_series(1, 65536) AS i) AS s;
SELECT ribbon_map(i, 'v' || i) FROM generate_series(1, 65537) AS i;
\echo :LAST_ERROR_SQLSTATE

-- values out of range: one number stands for NULL, and NULL needs a place of its own
SELECT ribbon_map(k, v) -> 1 AS without_null FROM (VALUES (1, -7332882250841393536), (2, 3)) AS kv(k, v);
SELECT ribbon_map(k, v) FROM (VALUES (1, -7332882250841393536), (2, NULL)) AS kv(k, v);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_map(k, v) FROM (VALUES (1, -9223372036854775808), (2, 9223372036854775807), (3, NULL)) AS kv(k, v);
\echo :LAST_ERROR_SQLSTATE

-- types that a column cannot have are no types of values
SELECT ribbon_map(k, ROW(k, i)) FROM vals;
\echo :LAST_ERROR_SQLSTATE

-- the rate: that of ribbon_build, or 1 for a map that has an answer for every key
SELECT asked, round(ribbon_fpr(m)::numeric, 6) AS got, round(8.0 * length(m::bytea) / 1000, 1) AS bits_per_key,
       (SELECT count(*) FROM vals WHERE m -> k = s) AS right_ones, m @> 1001 AND m @> 1002 AND m @> 1003 AS knows_all
  FROM unnest('{1,0.5,0.1,0.01,0.0001}'::float8[]) AS asked, LATERAL (SELECT ribbon_map(k, s, asked) AS m FROM vals) AS m;
SELECT ribbon_map(k, s, 2::float8 ^ -32) @> 1 AS lowest, ribbon_map(k, s) = ribbon_map(k, s, 0.01) AS default_rate FROM vals;
SELECT ribbon_map(k, s, 0.51) FROM vals;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY sqlstate
SELECT ribbon_map(k, s, 2e-10) FROM vals;
SELECT ribbon_map(k, s, 0) FROM vals;
SELECT ribbon_map(k, s, 1.01) FROM vals;
SELECT ribbon_map(k, s, 10) FROM vals;
SELECT ribbon_map(k, s, 'NaN') FROM vals;
SELECT ribbon_map(NULL::int, s, 7) FROM vals;
SELECT ribbon_map(k, s, NULL) FROM vals;
SELECT ribbon_map(NULL::int, s, NULL) FROM vals;
SELECT ribbon_map(k, s, 0.01, NULL) FROM vals;
SELECT ribbon_map(k, s, CASE WHEN k < 10 THEN 0.01 ELSE 1 END) FROM vals;
SELECT ribbon_map(k, s, 0.01, CASE WHEN k < 10 THEN 'seed=1' ELSE 'seed=2' END) FROM vals;
\set VERBOSITY default

-- the options: any order, any case, commas or blanks or both
SELECT options, ribbon_width, (SELECT count(*) FROM vals WHERE m -> k = s) AS right_ones
  FROM (VALUES (''), ('width=32'), ('seed=0'), ('seed=4294967295, width=128'), ('width=64 seed=00017'), (E' SEED = 3 ,,\tWidth =32 ')) AS v(options),
       LATERAL (SELECT ribbon_map(k, s, 0.01, options) AS m FROM vals) AS m, ribbon_stats(m);
-- two texts that have the same hash, as values and as keys: another seed tells them apart
SELECT ribbon_hash('customer 13779'::text) = ribbon_hash('Vf9j23Wq'::text) AS same_hash;
CREATE TABLE alike AS SELECT * FROM (VALUES (1, 'customer 13779'), (2, 'Vf9j23Wq')) AS v(k, t);
SELECT ribbon_map(k, t) FROM alike;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_map(t, k) FROM alike;
\echo :LAST_ERROR_SQLSTATE
SELECT (SELECT ribbon_map(k, t, 0.01, 'seed=1') FROM alike) ->> k = t AS value, (SELECT ribbon_map(t, k, 0.01, 'seed=1') FROM alike) -> t = k AS key FROM alike;
DROP TABLE alike;
SELECT ribbon_map(k, s, 0.01, 'seed=1') = ribbon_map(k, s, 0.01, 'seed=01') AS same_seed,
       ribbon_map(k, s, 0.01, 'seed=0') = ribbon_map(k, s) AS default_seed,
       ribbon_map(k, s, 0.01, 'seed=1') = ribbon_map(k, s) AS other_seed FROM vals;
SELECT ribbon_map(k, s, 0.01, 'kind=burr') FROM vals;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_map(k, s, 0.01, 'seed=1 width=64 seed=1') FROM vals;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_map(k, s, 0.01, 'seed=4294967296') FROM vals;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_map(k, s, 0.01, 'seed=-1') FROM vals;
SELECT ribbon_map(k, s, 0.01, 'seed=1e3') FROM vals;
SELECT ribbon_map(k, s, 0.01, 'seed=') FROM vals;
SELECT ribbon_map(k, s, 0.01, 'width') FROM vals;
SELECT ribbon_map(NULL::int, s, 0.01, 'width=16') FROM vals;
SELECT ribbon_build(k, 0.01, 'seed=1') FROM vals;

-- an untyped literal is text
SELECT ribbon_map(k, 'v') ->> 1 AS v, (ribbon_stats(ribbon_map(k, 'v'))).value_type FROM vals;

-- a key that cannot be one is refused by name, also when it is looked up
SELECT ribbon_map('pg_class'::regclass, 1);
SELECT ribbon_map(1, 2) -> 'pg_class'::regclass;
SELECT ribbon_map(ROW(1, ARRAY['pg_class'::regclass]), 1);
SELECT ribbon_map(a || b, 1) FROM (SELECT 'a'::text COLLATE "C" AS a, 'b'::text COLLATE "POSIX" AS b) AS s;

DROP TABLE vals, settled;
DROP TYPE plan;
DROP DOMAIN score, plan_name;
DROP FUNCTION back(text);
