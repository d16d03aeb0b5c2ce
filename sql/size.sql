--
-- ribbon_size: the bytes that a filter of so many keys will take
--

-- of real sets: BuRR filters are within 0.5 % and 12 bytes of it, homogeneous ones within 4 % and 12 bytes
CREATE TABLE sizes AS
SELECT n, fpr, options, ribbon_size(n, fpr, options) AS expected, length(f::bytea) AS taken
  FROM unnest('{0,1,2,10,50,100,500,1000,2000,5000,10000,30000}'::int[]) AS n,
       unnest('{0.5,0.3,0.01,0.001,0.00000001}'::float8[]) AS fpr,
       unnest('{"",width=32,width=128,kind=homogeneous,"kind=homogeneous, width=128",kind=auto}'::text[]) AS options,
       LATERAL (SELECT ribbon_build(i, fpr, options) AS f FROM generate_series(1, n) AS i) AS s;
INSERT INTO sizes
SELECT n, fpr, options, ribbon_size(n, fpr, options), length(f::bytea)
  FROM (VALUES (1000000, 0.01, ''), (1000000, 0.001, 'kind=homogeneous'), (300000, 0.2, 'kind=auto')) AS s (n, fpr, options),
       LATERAL (SELECT ribbon_build(i, fpr, options) AS f FROM generate_series(1, n) AS i) AS b;
SELECT count(*), count(*) FILTER (WHERE expected = taken) > 50 AS some_exactly FROM sizes;
SELECT * FROM sizes
 WHERE abs(expected - taken) > 12 + taken * CASE WHEN options LIKE '%homogeneous%' OR options = 'kind=auto' THEN 0.04 ELSE 0.005 END;

-- no keys, and bits per key at 1 %
SELECT ribbon_size(0, 0.01) = length(ribbon_build(NULL::int)::bytea) AS of_none;
SELECT n, round(ribbon_size(n, 0.01) * 8.0 / n, 1) AS bits_per_key FROM unnest('{10000,1000000,1000000000}'::bigint[]) AS n;

-- NULL in, NULL out
SELECT ribbon_size(NULL, 0.01) IS NULL AS keys, ribbon_size(1, NULL) IS NULL AS fpr, ribbon_size(1, 0.1, NULL) IS NULL AS options;

-- what ribbon_build refuses
SELECT ribbon_size(100, 5);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_size(100, 0);
SELECT ribbon_size(10, 2.3283064365e-10);
SELECT ribbon_size(100, 'NaN');
SELECT ribbon_size(100, 0.01, 'colour=blue');
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_size(100, 0.01, 'seed=1');
SELECT ribbon_size(-1, 0.01);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_size(2000000000, 0.01);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_size(9223372036854775807, 0.5);
\echo :LAST_ERROR_SQLSTATE

DROP TABLE sizes;
