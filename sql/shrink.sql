--
-- ribbon_shrink: fewer bytes at a higher rate, without the keys
--
CREATE TABLE filters AS
SELECT kind, ribbon_build(i, 0.0001, 'kind=' || kind) AS f
  FROM generate_series(1, 5000) AS i, unnest('{burr,homogeneous}'::text[]) AS kind GROUP BY kind;

-- the same keys, about the rate asked for, and fewer bytes
SELECT kind, rate, ribbon_cardinality(s) AS keys,
       (SELECT count(*) FROM generate_series(1, 5000) AS i WHERE s @> i) AS members_found,
       (SELECT count(*) FROM generate_series(100001, 120000) AS i WHERE s @> i)
       <= 20000 * rate + 5 * sqrt(20000 * rate) + 1 AS few_nonmembers_found,
       ribbon_fpr(s) BETWEEN 0.5 * rate AND 1.01 * rate AS expected_rate,
       round(length(s::bytea)::numeric / length(f::bytea), 1) AS of_its_size
  FROM filters, unnest('{0.001,0.01,0.1,0.3,0.5}'::float8[]) AS rate, LATERAL ribbon_shrink(f, rate) AS s
 ORDER BY kind COLLATE "C", rate;

-- step by step
SELECT kind, ribbon_cardinality(s) AS keys, (SELECT count(*) FROM generate_series(1, 5000) AS i WHERE s @> i) AS members_found
  FROM filters, LATERAL ribbon_shrink(ribbon_shrink(ribbon_shrink(f, 0.001), 0.01), 0.1) AS s ORDER BY kind COLLATE "C";

-- a BuRR filter stores its first rate beside the new one: of a few keys, that takes more than is saved
SELECT n AS keys, length(f::bytea) AS bytes, length(s::bytea) AS shrunk, round(ribbon_fpr(s)::numeric, 2) AS rate
  FROM unnest('{1,5,17,30,300}'::int[]) AS n,
       LATERAL (SELECT ribbon_build(i) AS f FROM generate_series(1, n) AS i) AS built, LATERAL ribbon_shrink(f, 0.03) AS s
 ORDER BY n;

-- a filter's own rate changes nothing, nor is there anything to take from an empty filter
SELECT kind, ribbon_shrink(f, ribbon_fpr(f)) = f AS same FROM filters ORDER BY kind COLLATE "C";
SELECT ribbon_shrink('\x1101000000', 0.5);

-- a lower rate needs the keys
SELECT ribbon_shrink(f, 0.00001) FROM filters WHERE kind = 'burr';
\echo :LAST_ERROR_SQLSTATE

-- the rate must be in range
SELECT ribbon_shrink(f, 0.6) FROM filters WHERE kind = 'burr';
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY sqlstate
SELECT ribbon_shrink(f, 0) FROM filters WHERE kind = 'burr';
SELECT ribbon_shrink(f, 'NaN') FROM filters WHERE kind = 'burr';
SELECT ribbon_shrink('\x1101000000', 2);
\set VERBOSITY default

DROP TABLE filters;
