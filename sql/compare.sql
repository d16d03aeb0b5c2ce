--
-- = and <>, byte by byte, and the hash operator class
--
CREATE TABLE filters AS
SELECT n, ribbon_build(i) AS f FROM unnest(ARRAY[1, 2, 100, 100, 20000, 20000]) WITH ORDINALITY AS u(n, id),
       generate_series(1, n) AS i GROUP BY n, id;

SELECT a.n, b.n, a.f = b.f AS equal, a.f <> b.f AS different
  FROM filters a, filters b WHERE a.n <= b.n GROUP BY 1, 2, 3, 4 ORDER BY 1, 2;

-- so DISTINCT, GROUP BY, UNION, joins and IN work
SELECT count(*) AS filters, count(DISTINCT n) AS sets FROM filters;
SELECT count(*) FROM (SELECT DISTINCT f FROM filters) AS s;
SELECT count(*) FROM (SELECT f FROM filters GROUP BY f) AS s;
SELECT count(*) FROM (SELECT f FROM filters UNION SELECT f FROM filters) AS s;
SELECT count(*) FROM filters a JOIN filters b USING (f);
SELECT n, f IN (SELECT ribbon_build(i) FROM generate_series(1, 100) AS i) AS of_hundred
  FROM filters GROUP BY 1, 2 ORDER BY 1;

-- a hash index, and hash partitioning (which uses the extended hash function)
CREATE INDEX ON filters USING hash (f);
SET enable_seqscan = off;
SELECT count(*) FROM filters WHERE f = (SELECT ribbon_build(i) FROM generate_series(1, 20000) AS i);
RESET enable_seqscan;
CREATE TABLE parts (f ribbonfilter) PARTITION BY HASH (f);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT f FROM filters;
SELECT count(*), count(DISTINCT f::bytea) AS distinct_filters FROM parts;

-- there is no order
SELECT f FROM filters ORDER BY f;
\echo :LAST_ERROR_SQLSTATE

DROP TABLE filters, parts;
