--
-- Comparing, byte by byte, and the operator classes for hash and btree
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

-- an order: that of the bytes, as bytea's.  It means nothing, and is the same everywhere
CREATE TABLE ordered AS
SELECT row_number() OVER () AS id, f, f::bytea AS b
  FROM (SELECT f FROM filters UNION ALL SELECT NULL UNION ALL SELECT ribbon_build(NULL::int) UNION ALL SELECT ribbon_build(NULL::text)
        UNION ALL SELECT ribbon_build(k, 0.01, 'kind=' || kind) FROM generate_series(1, 40) AS n, generate_series(1, n * n) AS k,
                         unnest('{burr,homogeneous}'::text[]) AS kind GROUP BY n, kind) AS s;
SELECT count(*) AS pairs, count(*) FILTER (WHERE (x.f < y.f) = (x.b < y.b) AND (x.f <= y.f) = (x.b <= y.b) AND (x.f > y.f) = (x.b > y.b)
                                             AND (x.f >= y.f) = (x.b >= y.b) AND sign(ribbon_cmp(x.f, y.f)) = sign(byteacmp(x.b, y.b))) AS agree
  FROM ordered AS x, ordered AS y WHERE x.f IS NOT NULL AND y.f IS NOT NULL;
SELECT (SELECT array_agg(b ORDER BY f) FROM ordered) = (SELECT array_agg(b ORDER BY b) FROM ordered) AS ascending,
       (SELECT array_agg(b ORDER BY f DESC NULLS LAST) FROM ordered) = (SELECT array_agg(b ORDER BY b DESC NULLS LAST) FROM ordered) AS descending;
SELECT NULL::ribbonfilter < f AS less, f >= NULL AS not_less FROM ordered LIMIT 1;

-- so DISTINCT aggregates, windows, rows, arrays and UNIQUE work
SELECT count(DISTINCT f) AS filters, count(DISTINCT b) AS bytes, count(DISTINCT (f, id % 2)) = count(DISTINCT (b, id % 2)) AS rows FROM ordered;
SELECT count(*) FROM (SELECT DISTINCT ON (f) f, id FROM ordered ORDER BY f, id) AS s;
SELECT max(n) AS most_alike, count(*) FILTER (WHERE n > 1) AS alike FROM (SELECT count(*) OVER (PARTITION BY f) AS n FROM ordered) AS s;
SELECT ARRAY[f, f] > ARRAY[f] AS longer, ROW(f, 2) < ROW(f, 3) AS later, ROW(f) = ROW(f) AS same FROM ordered WHERE id = 1;
CREATE TABLE only_once (f ribbonfilter UNIQUE, PRIMARY KEY (f));
INSERT INTO only_once SELECT f FROM ordered WHERE octet_length(b) < 1000 ON CONFLICT DO NOTHING;
SELECT count(*) AS rows, (SELECT count(DISTINCT f) FROM ordered WHERE octet_length(b) < 1000) AS filters FROM only_once;
\set VERBOSITY sqlstate
INSERT INTO only_once SELECT ribbon_build(NULL::int);
\set VERBOSITY default

-- partitions by range and by list
CREATE TABLE by_range (f ribbonfilter) PARTITION BY RANGE (f);
CREATE TABLE by_range_low PARTITION OF by_range FOR VALUES FROM (MINVALUE) TO ('\x1102000000');
CREATE TABLE by_range_high PARTITION OF by_range FOR VALUES FROM ('\x1102000000') TO (MAXVALUE);
INSERT INTO by_range SELECT f FROM ordered WHERE f IS NOT NULL;
SELECT tableoid::regclass AS partition, bool_and(f < '\x1102000000') AS low, bool_or(f < '\x1102000000') AS some_low FROM by_range GROUP BY 1 ORDER BY 1;
CREATE TABLE by_list (f ribbonfilter) PARTITION BY LIST (f);
CREATE TABLE by_list_empty PARTITION OF by_list FOR VALUES IN ('\x1101000000', '\x1102000000');
INSERT INTO by_list VALUES ('\x1102000000');
\set VERBOSITY sqlstate
INSERT INTO by_list SELECT f FROM filters LIMIT 1;
\set VERBOSITY default

-- a btree index: looked into, read in order, its duplicates stored once; a filter that is too large for it is the server's error
CREATE TABLE many AS SELECT i AS id, ribbon_build(k) AS f FROM generate_series(1, 3000) AS i, generate_series(1, i % 10 + 1) AS k GROUP BY i;
CREATE INDEX many_f ON many (f);
ANALYZE many;
SELECT indexrelid::regclass AS index, pg_relation_size(indexrelid) < 3000 * 16 AS deduplicated FROM pg_index WHERE indrelid = 'many'::regclass;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT f FROM many WHERE f >= '\x1102000000' ORDER BY f DESC;
SELECT count(*) FROM many WHERE f = (SELECT ribbon_build(k) FROM generate_series(1, 7) AS k);
SELECT count(*) AS rows, bool_and(f >= before) AS in_order FROM (SELECT f, lag(f, 1, f) OVER (ORDER BY f) AS before FROM many) AS s;
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET enable_sort;
\set VERBOSITY sqlstate
CREATE INDEX filters_f ON filters (f);
\set VERBOSITY default

-- a merge join, of stored filters, too
SET enable_hashjoin = off;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM filters AS x JOIN filters AS y USING (f);
SELECT count(*) FROM filters AS x JOIN filters AS y USING (f);
SELECT count(*) AS rows, count(x.id) AS left, count(y.id) AS right FROM many AS x FULL JOIN ordered AS y USING (f);
RESET enable_hashjoin;
RESET enable_nestloop;

-- a sort that does not fit in memory, of filters that are stored out of line; with the same result
CREATE TABLE stored AS SELECT i AS id, ribbon_build(k) AS f, 0::bigint AS place FROM generate_series(1, 300) AS i, generate_series(i, i + 3000) AS k GROUP BY i;
UPDATE stored SET place = p FROM (SELECT id, row_number() OVER (ORDER BY f::bytea) AS p FROM stored) AS s WHERE s.id = stored.id;
SELECT bool_and(octet_length(f::bytea) > 2000) AS large FROM stored;
SET work_mem = '64kB';
CREATE FUNCTION sort_method(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ 'Sort Method' THEN
			RETURN regexp_replace(line, '.*Sort Method: (.*)  .*', '\1');
		END IF;
	END LOOP;
END $$;
SELECT sort_method('SELECT f, id FROM (SELECT (f::bytea || ''''::bytea)::ribbonfilter, id FROM stored OFFSET 0) AS s (f, id) ORDER BY f') AS filters;
SELECT count(*) AS rows, bool_and(place = number) AS in_order
  FROM (SELECT place, row_number() OVER (ORDER BY f) AS number FROM (SELECT place, (f::bytea || ''::bytea)::ribbonfilter AS f FROM stored OFFSET 0) AS s) AS s;
SELECT count(*) AS rows, bool_and(place = number) AS in_order FROM (SELECT place, row_number() OVER (ORDER BY f) AS number FROM stored) AS s;
SELECT count(DISTINCT f) FROM stored;
RESET work_mem;

-- ANALYZE and the estimates of = < <= > >=, of columns that are short, long, and both
ANALYZE filters, ordered, stored;
SELECT tablename, null_frac > 0 AS nulls, most_common_vals IS NOT NULL AS common, histogram_bounds IS NOT NULL AS histogram, correlation IS NOT NULL AS correlation
  FROM pg_stats WHERE attname = 'f' AND tablename IN ('filters', 'ordered', 'many', 'stored') ORDER BY tablename COLLATE "C";
CREATE FUNCTION estimate(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SELECT "table", operator, constant, estimate(format('SELECT FROM %s WHERE f %s %L::ribbonfilter', "table", operator, constant)) BETWEEN 0 AND 3000 AS plausible
  FROM unnest('{many,stored}'::text[]) AS "table", unnest('{<,<=,>,>=,=,<>}'::text[]) AS operator, unnest('{"\\x1102000000"}'::text[]) AS constant
 ORDER BY "table", operator COLLATE "C";
SELECT estimate($$SELECT FROM many WHERE f < '\x1101000000'$$) <= 1 AS none, estimate($$SELECT FROM many WHERE f > '\x1102000000'$$) <= 1 AS none_either,
       estimate($$SELECT FROM many WHERE f >= '\x1101000000'$$) AS all, estimate($$SELECT FROM many, ordered WHERE many.f < ordered.f$$) > 0 AS joined;
SELECT count(*) AS pairs, sum(abs(estimate(format('SELECT FROM many WHERE f < %L::ribbonfilter', f)) - (SELECT count(*) FROM many AS m WHERE m.f < s.f)) ) < 100 AS near_the_truth
  FROM (SELECT DISTINCT f FROM many) AS s;

DROP TABLE filters, parts, ordered, only_once, by_range, by_list, many, stored;
DROP FUNCTION sort_method, estimate;
