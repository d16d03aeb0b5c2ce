--
-- ribbon_contains_any and ribbon_contains_all: many keys at once
--
CREATE TABLE digits AS SELECT ribbon_build(i, 0.000001) AS f FROM generate_series(0, 9) AS i;

SELECT keys, ribbon_contains_any(f, keys) AS "any", ribbon_contains_all(f, keys) AS "all"
  FROM digits, (VALUES ('{1,2,3}'::int[]), ('{1,20,30}'), ('{10,20,30}'), ('{5}'), ('{50}'),
	-- of no keys, none is a member and all are; NULL elements do not count
	('{}'), ('{NULL}'), ('{1,NULL}'), ('{NULL,10}'), ('{1,NULL,10}'),
	-- several dimensions are as good as one
	('{{1,2},{3,4}}'), ('{{1,2},{30,4}}'), ('{{10,20},{30,40}}'), ('[5:6]={7,8}')) AS v(keys);

-- other types of the class
SELECT ribbon_contains_any(f, ARRAY[1, 20]::int2[]) AS int2, ribbon_contains_all(f, ARRAY[1, 20]::int8[]) AS int8
  FROM digits;
SELECT ribbon_contains_all(ribbon_build(w), ARRAY['a', 'b']) AS text,
       ribbon_contains_all(ribbon_build(w), ARRAY['a', 'b']::name[]) AS name
  FROM unnest('{a,b}'::text[]) AS w;
SELECT ribbon_contains_any(ribbon_build(i * 0.1), ARRAY[0.30, 7]) AS numeric FROM generate_series(1, 9) AS i;
SELECT ribbon_contains_all(ribbon_build(r), array_agg(r)) AS rows
  FROM (VALUES (1, 'a'::text), (2, 'b')) AS r;

-- long arrays are probed batch by batch
SELECT ribbon_contains_all(ribbon_build(i, 1e-9), array_agg(i)) AS all_members,
       ribbon_contains_all(ribbon_build(i, 1e-9), array_agg(i) || 0) AS one_nonmember,
       ribbon_contains_any(ribbon_build(i, 1e-9), array_agg(-i)) AS all_nonmembers,
       ribbon_contains_any(ribbon_build(i, 1e-9), array_agg(-i) || 1) AS one_member
  FROM generate_series(1, 10000) AS i;

-- the same answers as one probe for each key
SELECT count(*) AS arrays,
       count(*) FILTER (WHERE ribbon_contains_any(f, keys) = (f @> ANY (keys))
                          AND ribbon_contains_all(f, keys) = (f @> ALL (keys))) AS agree
  FROM (SELECT ribbon_build(i, 0.3) AS f FROM generate_series(1, 300, 3) AS i) AS s,
       (SELECT array_agg(k) AS keys FROM generate_series(1, 3000) AS k GROUP BY k / 7) AS a;

-- an empty filter
SELECT ribbon_contains_any('\x1101000000', ARRAY[1]) AS "any", ribbon_contains_all('\x1101000000', ARRAY[1]) AS "all",
       ribbon_contains_all('\x1101000000', '{}'::int[]) AS all_of_none;

-- NULL in, NULL out
SELECT ribbon_contains_any(f, NULL::int[]) IS NULL AS no_array, ribbon_contains_all(NULL, ARRAY[1]) IS NULL AS no_filter
  FROM digits;

-- elements of another class are an error, even if there are none
SELECT ribbon_contains_any(f, ARRAY['1']) FROM digits;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_contains_all(f, '{}'::text[]) FROM digits;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_contains_any(f, '{1,2}') FROM digits;
SELECT ribbon_contains_any(ribbon_build('2001-02-28'::date), '{2001-02-28}');
SELECT ribbon_contains_all(f, '{NULL}'::regclass[]) FROM digits;
\echo :LAST_ERROR_SQLSTATE

-- anonymous rows, of other columns in each array; of an array without any, nothing is known
SELECT i, ribbon_contains_any(f, rows) AS "any", ribbon_contains_all(f, rows) AS "all"
  FROM (SELECT ribbon_build(ROW(k)) AS numbers, ribbon_build(ROW(k::text)) AS words
          FROM generate_series(1, 9) AS k) AS s,
       LATERAL (VALUES (1, numbers, ARRAY[ROW(1), NULL]), (2, words, '{}'), (3, words, ARRAY[NULL::record]),
                       (4, words, ARRAY[ROW('1'::text)]), (5, numbers, '{}'), (6, numbers, ARRAY[ROW(2)])) AS a (i, f, rows)
 ORDER BY i;

-- the same with arrays of rows, which are still not arrays of numbers if there are none
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN pairs AS pair[];
SELECT i, ribbon_contains_any(f, keys) AS "any"
  FROM (SELECT ribbon_build(ARRAY[(k, 'a')::pair]::pairs) AS of_pairs, ribbon_build(ARRAY[k]) AS of_numbers
          FROM generate_series(1, 9) AS k) AS s,
       LATERAL (VALUES (1, of_pairs, ARRAY[ARRAY[(1, 'a')::pair]::pairs]), (2, of_pairs, '{}'),
                       (3, of_numbers, '{}')) AS a (i, f, keys)
 ORDER BY i;
\echo :LAST_ERROR_SQLSTATE
DROP DOMAIN pairs;
DROP TYPE pair;

DROP TABLE digits;
