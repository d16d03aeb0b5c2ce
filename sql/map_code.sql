--
-- code= of ribbon_map: values in as many bits as they are rare
--
CREATE TABLE vals (k int, usual text, two boolean, halves int, few timestamp, uniform int);
INSERT INTO vals SELECT i, CASE WHEN i % 20 = 7 THEN 'v' || i % 9 ELSE 'usual' END, i % 10 < 7, length(substring((hashint8(i)::bit(32))::text, '^0*')),
	   '2000-01-01'::timestamp + (CASE i % 10 WHEN 0 THEN i % 30 ELSE i % 3 END) * '1000 days'::interval, i % 256
  FROM generate_series(1, 20000) AS i;

-- auto, the default, takes what is smaller; entropy is asked for, even if it is not smaller
CREATE TABLE maps (name text, code text, m ribbonmap);
INSERT INTO maps
SELECT s.* FROM (VALUES ('auto'), ('plain'), ('entropy')) AS c(code),
	   LATERAL (SELECT 'usual', c.code, ribbon_map(k, usual, 1, 'code=' || c.code) FROM vals UNION ALL
				SELECT 'usual, checked', c.code, ribbon_map(k, usual, 0.01, 'code=' || c.code) FROM vals UNION ALL
				SELECT 'two', c.code, ribbon_map(k, two, 1, 'code=' || c.code) FROM vals UNION ALL
				SELECT 'halves', c.code, ribbon_map(k, halves, 1, 'code=' || c.code) FROM vals UNION ALL
				SELECT 'few', c.code, ribbon_map(k, few, 1, 'code=' || c.code) FROM vals UNION ALL
				SELECT 'few, NULL', c.code, ribbon_map(k, NULLIF(few, '2000-01-01'), 0.001, 'code=' || c.code) FROM vals UNION ALL
				SELECT 'uniform', c.code, ribbon_map(k, uniform, 1, 'code=' || c.code) FROM vals) AS s;
SELECT name, a.code AS asked, s.code, s.value_bits, s.distinct_values AS distinct, s.bits_per_key, s.overhead, s.bytes
  FROM maps AS a, ribbon_stats(m) AS s ORDER BY name, asked;
SELECT name, (SELECT m FROM maps AS d WHERE d.name = a.name AND d.code = s.code) = m AS same, length(m::bytea) = least AS least
  FROM maps AS a, ribbon_stats(m) AS s, LATERAL (SELECT min(length(m::bytea)) AS least FROM maps AS b WHERE b.name = a.name) AS l
 WHERE a.code = 'auto' ORDER BY name;
SELECT ribbon_map(k, usual, 1) = ribbon_map(k, usual, 1, 'code=auto') AS default_is_auto FROM vals;

-- whatever the code, each key has its value
SELECT code, count(*) FILTER (WHERE u.m ->> k IS DISTINCT FROM usual OR c.m ->> k IS DISTINCT FROM usual) AS usual,
	   count(*) FILTER (WHERE ribbon_get(t.m, k, NULL::boolean) IS DISTINCT FROM two) AS two,
	   count(*) FILTER (WHERE h.m -> k IS DISTINCT FROM halves) AS halves,
	   count(*) FILTER (WHERE ribbon_get(f.m, k, NULL::timestamp) IS DISTINCT FROM few) AS few,
	   count(*) FILTER (WHERE ribbon_get(n.m, k, 'infinity'::timestamp) IS DISTINCT FROM NULLIF(few, '2000-01-01')) AS few_null,
	   count(*) FILTER (WHERE x.m -> k IS DISTINCT FROM uniform) AS uniform
  FROM (VALUES ('auto'), ('plain'), ('entropy')) AS a(code)
  JOIN maps AS u USING (code) JOIN maps AS c USING (code) JOIN maps AS t USING (code) JOIN maps AS h USING (code)
  JOIN maps AS f USING (code) JOIN maps AS n USING (code) JOIN maps AS x USING (code), vals
 WHERE u.name = 'usual' AND c.name = 'usual, checked' AND t.name = 'two' AND h.name = 'halves' AND f.name = 'few' AND n.name = 'few, NULL'
   AND x.name = 'uniform' GROUP BY code ORDER BY code;

-- and the rate for other keys is the one asked for (less if plain codes may stand for no value)
SELECT name, code, ribbon_fpr(m), others BETWEEN ribbon_fpr(m) * 20000 * 0.5 AND ribbon_fpr(m) * 20000 * 1.4 + 10 AS of_others
  FROM maps, LATERAL (SELECT count(*) AS others FROM generate_series(100001, 120000) AS i WHERE m @> i) AS c
 WHERE name IN ('usual', 'usual, checked', 'few, NULL') ORDER BY name, code;

-- a scan by the page, an array of maps, a stored map probed in slices
SELECT code, count(*) FILTER (WHERE m ->> k = 'v7') AS v7, count(*) FILTER (WHERE m @> k) AS known FROM maps, vals WHERE name = 'usual, checked' GROUP BY code ORDER BY code;
SELECT k, (SELECT string_agg(m ->> k, ' ' ORDER BY name, code) FROM maps WHERE name LIKE 'usual%') FROM generate_series(7, 127, 40) AS k;
CREATE TABLE stored AS SELECT ribbon_map(i, CASE WHEN i % 50 = 0 THEN i % 1000 ELSE 1 END, 1) AS front, ribbon_map(i, CASE WHEN i % 2 = 0 THEN i % 1000 ELSE 1 END, 0.01) AS levels
  FROM generate_series(1, 200000) AS i;
SELECT (ribbon_stats(front)).code AS front, (ribbon_stats(levels)).code AS levels, ribbon_check(front), ribbon_check(levels) FROM stored;
SELECT i, front -> i AS front, levels -> i AS levels FROM stored, generate_series(100, 400, 75) AS i;

-- the same bytes in any order, and from files
SELECT bool_and(a.m = b.m) AS same FROM (SELECT ribbon_map(k, usual) AS m FROM vals) AS a, (SELECT ribbon_map(k, usual ORDER BY usual, k DESC) AS m FROM vals) AS b;
SET work_mem = '64kB';
SELECT b.front = s.front AND b.levels = s.levels AS same FROM stored AS s,
	   (SELECT ribbon_map(i, CASE WHEN i % 50 = 0 THEN i % 1000 ELSE 1 END, 1) AS front, ribbon_map(i, CASE WHEN i % 2 = 0 THEN i % 1000 ELSE 1 END, 0.01) AS levels
		  FROM generate_series(1, 200000) AS i) AS b;
RESET work_mem;

-- the bytes, for ever
SELECT name, length(m::bytea) AS bytes, md5(m::bytea) FROM maps WHERE code = 'entropy' ORDER BY name;
SELECT ribbon_map(i, CASE WHEN i % 40 = 0 THEN 'rare' ELSE 'usual' END, 1)::text FROM generate_series(1, 200) AS i;

-- more than 262,144 values have plain codes, and so has one value, and no key
SELECT name, s.code, s.value_bits FROM (SELECT '262,145 values' AS name, ribbon_map(i, i * 7, 1, 'code=entropy') AS m FROM generate_series(0, 262144) AS i UNION ALL
	   SELECT '262,144 values', ribbon_map(i, i * 7, 1, 'code=entropy') FROM generate_series(0, 262143) AS i UNION ALL
	   SELECT 'one value', ribbon_map(i, 7, 1, 'code=entropy') FROM generate_series(0, 100) AS i UNION ALL
	   SELECT 'no key', ribbon_map(NULL::int, 7, 1, 'code=entropy')) AS m, ribbon_stats(m) AS s ORDER BY name;

-- the option is one of maps, in any case and place, and the same for all rows
SELECT (ribbon_stats(ribbon_map(k, usual, 0.01, 'CODE = Plain, width=64'))).code FROM vals;
SELECT ribbon_map(k, usual, 0.01, 'code=huffman') FROM vals;
SELECT ribbon_map(k, usual, 0.01, 'code=plain code=auto') FROM vals;
SELECT ribbon_map(k, usual, 0.01, CASE k % 2 WHEN 0 THEN 'code=plain' ELSE 'code=auto' END) FROM vals;
SELECT ribbon_build(k, 0.01, 'code=plain') FROM vals;

-- bytes that no builder writes are refused
SELECT substring(m::bytea FROM 1 FOR 60)::ribbonmap FROM maps WHERE name = 'usual' AND code = 'entropy';
SELECT (m::bytea || '\x00')::ribbonmap FROM maps WHERE name = 'usual' AND code = 'entropy';
DROP TABLE vals, maps, stored;

-- timestamps with an infinity and NULL, or with both; a place for all three there is not, but of their texts
CREATE TABLE ends AS SELECT i AS k, CASE WHEN i % 7 = 0 THEN timestamptz 'infinity' WHEN i % 11 = 0 THEN '-infinity' WHEN i % 13 > 0 THEN '2000-01-01 00:00+00' END AS v
  FROM generate_series(1, 3000) AS i;
SELECT code, (SELECT count(*) FROM ends WHERE ribbon_get(latest, k, '1999-01-01'::timestamptz) IS DISTINCT FROM v AND v IS DISTINCT FROM '-infinity') AS latest,
       (SELECT count(*) FROM ends WHERE ribbon_get(earliest, k, '1999-01-01'::timestamptz) IS DISTINCT FROM v AND v IS DISTINCT FROM 'infinity') AS earliest,
       (SELECT count(*) FROM ends WHERE ribbon_get(finite, k, '1999-01-01'::timestamptz) IS DISTINCT FROM v AND v IS NOT NULL) AS no_null,
       (SELECT count(*) FROM ends WHERE ribbon_get(texts, k, 'x'::text) IS DISTINCT FROM v::text) AS texts
  FROM (VALUES ('plain'), ('entropy')) AS c (code),
       LATERAL (SELECT ribbon_map(k, v, 0.01, 'code=' || code) FILTER (WHERE v IS DISTINCT FROM '-infinity') AS latest,
                       ribbon_map(k, v, 0.01, 'code=' || code) FILTER (WHERE v IS DISTINCT FROM 'infinity') AS earliest,
                       ribbon_map(k, v, 0.01, 'code=' || code) FILTER (WHERE v IS NOT NULL) AS finite,
                       ribbon_map(k, v::text, 0.01, 'code=' || code) AS texts FROM ends) AS m;
SELECT ribbon_map(k, v, 0.01, 'code=entropy') FROM ends;
\echo :LAST_ERROR_SQLSTATE
DROP TABLE ends;
