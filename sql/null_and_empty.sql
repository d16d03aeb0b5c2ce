--
-- NULL keys, and filters of no keys
--

-- no key gives an empty filter, not NULL: no rows, or only NULL ones
SELECT ribbon_build(i) AS no_rows FROM generate_series(1, 0) AS i;
SELECT ribbon_build(NULL::int) AS null_keys FROM generate_series(1, 3) AS i;
SELECT ribbon_build(i, 0.001) AS no_rows, ribbon_build(i, 0.5, 'kind=homogeneous width=128') AS nor_here
  FROM generate_series(1, 0) AS i;

-- it is the same whatever the parameters, but has the class of its keys
SELECT ribbon_build(NULL::int) = ribbon_build(NULL::int8, 0.5, 'kind=homogeneous') AS same,
       ribbon_build(NULL::int) = ribbon_build(NULL::text) AS other_class;
SELECT (ribbon_stats(ribbon_build(NULL::int))).key_type AS "int",
       (ribbon_stats(ribbon_build(NULL::text))).key_type AS "text",
       (ribbon_stats(ribbon_build(NULL::jsonb))).key_type AS "jsonb",
       (ribbon_stats(ribbon_build(NULL::record))).key_type AS "record";

-- it contains nothing, and costs five bytes
SELECT count(*) AS nonmembers_found FROM generate_series(1, 10000) AS i WHERE '\x1101000000'::ribbonfilter @> i;
SELECT ribbon_cardinality(f), ribbon_fpr(f), length(f::bytea) AS bytes FROM (SELECT ribbon_build(NULL::int) AS f) AS s;
SELECT s.* FROM (SELECT ribbon_build(NULL::int) AS f) AS e, ribbon_stats(f) AS s \gx

-- NULL keys leave no trace among others
SELECT ribbon_build(NULLIF(i % 10, 0)) = ribbon_build(i % 10) FILTER (WHERE i % 10 <> 0) AS same,
       ribbon_cardinality(ribbon_build(NULLIF(i % 10, 0))) AS keys
  FROM generate_series(1, 100) AS i;

-- but 0, the empty string, false and the empty array are keys
SELECT ribbon_build(0) @> 0 AS zero, ribbon_build(''::text) @> '' AS empty_text,
       ribbon_build(false) @> false AS no, ribbon_build('{}'::int[]) @> '{}'::int[] AS empty_array,
       ribbon_build(ROW(NULL::int, NULL::text)) @> ROW(NULL::int, NULL::text) AS row_of_nulls;

-- a group without keys
SELECT g, ribbon_cardinality(ribbon_build(k)) AS keys
  FROM (VALUES (1, 1), (1, 2), (2, NULL), (3, 7)) AS v(g, k) GROUP BY g ORDER BY g;

-- functions of NULL
SELECT ribbon_cardinality(NULL) IS NULL AS cardinality, ribbon_fpr(NULL) IS NULL AS fpr,
       ribbon_stats(NULL) IS NULL AS stats, ribbon_shrink(NULL, 0.1) IS NULL AS shrink,
       NULL::ribbonfilter::bytea IS NULL AS bytes;
