--
-- Sets that do not fit in work_mem give the same bytes by way of files
--
SET max_parallel_workers_per_gather = 0;
CREATE TABLE keys AS SELECT i AS k, i % 3 AS g, i % 2 AS h FROM generate_series(1, 1200000) AS i;
ALTER TABLE keys SET (parallel_workers = 2);
VACUUM ANALYZE keys;

-- does a query use temporary files, or a plan of a certain kind?
CREATE FUNCTION shows(what text, query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ what THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END $$;

-- what memory makes of them
SET work_mem = '256MB';
CREATE TABLE kept AS
SELECT ribbon_build(k) AS f, ribbon_build(k, 0.001, 'kind=homogeneous') AS homogeneous,
       ribbon_build(k) FILTER (WHERE g = 0) AS filtered
  FROM keys;
CREATE TABLE kept_groups AS SELECT g, h, GROUPING(g, h) AS set, ribbon_build(k) AS f FROM keys GROUP BY CUBE (g, h);
SELECT shows('temp .*written', 'SELECT ribbon_build(k) FROM keys') AS spills;

-- and what files do
SET work_mem = '64kB';
SELECT shows('temp .*written', 'SELECT ribbon_build(k) FROM keys') AS spills;
SELECT ribbon_cardinality(ribbon_build(k)) AS keys, ribbon_build(k) = (SELECT f FROM kept) AS same,
       ribbon_build(k, 0.001, 'kind=homogeneous') = (SELECT homogeneous FROM kept) AS homogeneous,
       ribbon_build(k) FILTER (WHERE g = 0) = (SELECT filtered FROM kept) AS filtered
  FROM keys;
SELECT ribbon_build(DISTINCT k) = (SELECT f FROM kept) AS distinct_keys,
       ribbon_build(k ORDER BY k DESC) = (SELECT f FROM kept) AS ordered FROM keys;

-- many times the same keys: 300 of them need no file, and many are sorted out on the way
SELECT shows('temp .*written', 'SELECT ribbon_build(k % 300) FROM keys') AS spills;
SELECT ribbon_cardinality(ribbon_build(k % 300)) AS few,
       ribbon_cardinality(ribbon_build(k % 400000)) AS many,
       ribbon_build(k % 400000) = (SELECT ribbon_build(i) FROM generate_series(0, 399999) AS i) AS same
  FROM (SELECT k FROM keys UNION ALL SELECT k FROM keys UNION ALL SELECT k FROM keys) AS s;

-- groups, sorted and hashed
SELECT g, bool_and(s.f = t.f) AS same FROM kept_groups AS t JOIN (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g) AS s USING (g)
 WHERE set = 1 GROUP BY g ORDER BY g;
SET enable_hashagg = off;
SELECT g, bool_and(s.f = t.f) AS same FROM kept_groups AS t JOIN (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g) AS s USING (g)
 WHERE set = 1 GROUP BY g ORDER BY g;
RESET enable_hashagg;

-- groups that come one after the other use one file of the plan's, whatever the state is
CREATE INDEX keys_in_order ON keys ((k / 400001));
ANALYZE keys;
SET enable_hashagg = off;
SET enable_sort = off;
SET temp_file_limit = '4MB';
SELECT count(*) AS groups, sum(n) AS keys FROM (SELECT ribbon_cardinality(ribbon_build(k)) AS n FROM keys GROUP BY k / 400001) AS s;
SELECT count(*) AS groups, sum(n) AS keys FROM (SELECT ribbon_cardinality(ribbon_build(ribbon_key(k))) AS n FROM keys GROUP BY k / 400001) AS s;
SELECT count(*) AS groups, sum(n) AS keys FROM (SELECT ribbon_cardinality(ribbon_keys(k)) AS n FROM keys GROUP BY k / 400001) AS s;
RESET temp_file_limit;
RESET enable_sort;
RESET enable_hashagg;
DROP INDEX keys_in_order;
ANALYZE keys;

-- grouping sets
SELECT s.set, count(*) AS groups, bool_and(s.f = t.f) AS same
  FROM (SELECT g, h, GROUPING(g, h) AS set, ribbon_build(k) AS f FROM keys GROUP BY CUBE (g, h)) AS s
  JOIN kept_groups AS t ON s.set = t.set AND s.g IS NOT DISTINCT FROM t.g AND s.h IS NOT DISTINCT FROM t.h
 GROUP BY s.set ORDER BY s.set;

-- many groups that together are too large
SELECT shows('temp .*written', 'SELECT k % 1000, ribbon_build(k) FROM keys GROUP BY 1') AS spills;
SELECT count(*) AS groups, sum(ribbon_cardinality(f)) AS keys, bool_and(f @> g AND f @> 1199000 + g) AS found
  FROM (SELECT k % 1000 AS g, ribbon_build(k) AS f FROM keys WHERE k < 1200000 GROUP BY 1) AS s WHERE g > 0;

-- windows: the state goes on after the filter has been built
SELECT h, ribbon_cardinality(f) AS keys, f = (SELECT ribbon_build(k) FROM keys WHERE k <= 600000 AND keys.h <= s.h) AS same
  FROM (SELECT h, ribbon_build(k) OVER (ORDER BY h) AS f, row_number() OVER (ORDER BY h) AS n FROM keys WHERE k <= 600000) AS s
 WHERE n % 300000 = 1 ORDER BY h;

-- an aggregate that is scanned again
SET enable_material = off;
SET enable_memoize = off;
SELECT v, ribbon_cardinality(f) AS keys, f @> (v + 1) AS found
  FROM (VALUES (1), (2), (3)) AS v(v), LATERAL (SELECT ribbon_build(k) AS f FROM keys WHERE k > v OFFSET 0) AS s ORDER BY v;
SELECT v, count(*) AS groups, sum(ribbon_cardinality(f)) AS keys
  FROM (VALUES (1), (2)) AS v(v) LEFT JOIN (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g) AS s ON g <> v
 GROUP BY v ORDER BY v;

-- its filters, 8 MB in all, are kept for the next scan only as far as there is memory
CREATE FUNCTION megabytes(ribbonfilter) RETURNS numeric LANGUAGE plpgsql VOLATILE AS
'BEGIN RETURN (SELECT sum(total_bytes) / 1e6 FROM pg_backend_memory_contexts); END';
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_sort = off;
SELECT count(*) AS groups, sum(ribbon_cardinality(f)) AS keys, max(used) FILTER (WHERE v > 1) - max(used) FILTER (WHERE v = 1) < 3 AS bounded
  FROM (SELECT v, f, megabytes(f) AS used
          FROM (VALUES (1), (2), (3)) AS v(v)
          LEFT JOIN (SELECT i % 8 AS g, ribbon_build(i, 2.4e-10) AS f FROM generate_series(1, 2000000) AS i GROUP BY 1) AS s ON g < v * 10) AS s;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_sort;
DROP FUNCTION megabytes;

-- parallel plans: large states are handed over as files
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT shows('Partial Aggregate', 'SELECT ribbon_build(k) FROM keys') AS parallel;
SELECT ribbon_build(k) = (SELECT f FROM kept) AS same,
       ribbon_build(k, 0.001, 'kind=homogeneous') = (SELECT homogeneous FROM kept) AS homogeneous,
       ribbon_build(k) FILTER (WHERE g = 0) = (SELECT filtered FROM kept) AS filtered
  FROM keys;
SELECT (SELECT ribbon_build(k) FROM keys) = f AS same FROM kept;
SELECT g, s.f = t.f AS same FROM (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g) AS s
  JOIN kept_groups AS t USING (g) WHERE set = 1 ORDER BY g;
SET enable_hashagg = off;
SELECT g, s.f = t.f AS same FROM (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g) AS s
  JOIN kept_groups AS t USING (g) WHERE set = 1 ORDER BY g;
RESET enable_hashagg;
-- without the leader's help, and with more memory than files
SET parallel_leader_participation = off;
SELECT (SELECT ribbon_build(k) FROM keys) = f AS same FROM kept;
SET work_mem = '256MB';
SELECT (SELECT ribbon_build(k) FROM keys) = f AS same FROM kept;
RESET parallel_leader_participation;
SET work_mem = '64kB';

-- partitionwise: states are handed over within one process, and are asked for again in a rescan
CREATE TABLE parts (k int, g int, p int) PARTITION BY LIST (p);
CREATE TABLE parts0 PARTITION OF parts FOR VALUES IN (0);
CREATE TABLE parts1 PARTITION OF parts FOR VALUES IN (1);
INSERT INTO parts SELECT k, g, h FROM keys;
ANALYZE parts;
SET enable_partitionwise_aggregate = on;
SET max_parallel_workers_per_gather = 0;
SELECT shows('Partial HashAggregate', 'SELECT g, ribbon_build(k) FROM parts GROUP BY g') AS partitionwise,
       shows('Gather', 'SELECT g, ribbon_build(k) FROM parts GROUP BY g') AS parallel;
SELECT g, s.f = t.f AS same FROM (SELECT g, ribbon_build(k) AS f FROM parts GROUP BY g) AS s
  JOIN kept_groups AS t USING (g) WHERE set = 1 ORDER BY g;
-- files that other processes can find are for states that go in files: a ribbonkeys goes as its bytes
CREATE FUNCTION is_shared(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	keys bigint;
BEGIN
	OPEN c FOR EXECUTE query;
	FETCH c INTO keys;
	ASSERT keys = 1200000;
	RETURN EXISTS (SELECT FROM pg_ls_dir('base/pgsql_tmp', true, false) AS f WHERE f LIKE format('pgsql_tmp%s.%%.fileset', pg_backend_pid()));
END $$;
SELECT shows('Partial Aggregate', 'SELECT ribbon_keys(k) FROM parts') AS partitionwise,
       is_shared('SELECT ribbon_cardinality(ribbon_build(k)) FROM parts') AS build;
SELECT is_shared('SELECT ribbon_cardinality(ribbon_keys(k)) FROM parts') AS keys;
SELECT is_shared('SELECT ribbon_cardinality(ribbon_build(ribbon_key(k))) FROM parts') AS hashed;
DROP FUNCTION is_shared;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_sort = off;
SELECT v, count(*) AS groups, sum(ribbon_cardinality(f)) AS keys, bool_and(f = (SELECT t.f FROM kept_groups AS t WHERE t.g = s.g AND set = 1)) AS same
  FROM (VALUES (1), (2)) AS v(v) LEFT JOIN (SELECT g, ribbon_build(k) AS f FROM parts GROUP BY g) AS s ON g <> v
 GROUP BY v ORDER BY v;
SET max_parallel_workers_per_gather = 2;
SELECT g, s.f = t.f AS same FROM (SELECT g, ribbon_build(k) AS f FROM parts GROUP BY g) AS s
  JOIN kept_groups AS t USING (g) WHERE set = 1 ORDER BY g;

-- small states, which are handed over as they are, fill a file of their own; then comes one in another file
CREATE TABLE many (k int, p int) PARTITION BY RANGE (p);
DO $$
BEGIN
	FOR p IN 0 .. 40 LOOP
		EXECUTE format('CREATE TABLE many%s PARTITION OF many FOR VALUES FROM (%s) TO (%s)', p, p, p + 1);
	END LOOP;
END $$;
INSERT INTO many SELECT i, i / 15000 FROM generate_series(0, 599999) AS i UNION ALL SELECT -i, 40 FROM generate_series(1, 100000) AS i;
ANALYZE many;
SET max_parallel_workers_per_gather = 0;
SELECT shows('Partial Aggregate', 'SELECT ribbon_build(k) FROM many') AS partitionwise;
SELECT ribbon_build(k) = (SELECT ribbon_build(k) FROM generate_series(-100000, 599999) AS k) AS same,
       ribbon_map(k, p) FILTER (WHERE k % 2 = 0) = (SELECT ribbon_map(k, CASE WHEN k < 0 THEN 40 ELSE k / 15000 END) FROM generate_series(-100000, 599999, 2) AS k) AS map
  FROM many;
DROP TABLE many;

-- where I/O is timed, that of these files is
RESET ALL;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '4MB';
SET track_io_timing = on;
SELECT shows('I/O Timings.*temp read=.* write=', 'SELECT ribbon_build(k) FROM keys') AS timed;

RESET ALL;
DROP FUNCTION shows;
DROP TABLE keys, kept, kept_groups, parts;
