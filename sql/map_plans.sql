--
-- ribbon_map: the same keys and values give the same bytes, in any plan
--
SET max_parallel_workers_per_gather = 0;
CREATE TABLE pairs AS
SELECT i AS k, NULLIF(i % 1000, 7) AS v, 'city ' || i % 300 AS s, i % 3 AS g, i % 2 AS h FROM generate_series(1, 600000) AS i;
ALTER TABLE pairs SET (parallel_workers = 2);
VACUUM ANALYZE pairs;

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
SELECT ribbon_map(k, v) AS v, ribbon_map(k, s) AS s, ribbon_map(k, v, 1, 'seed=3') AS static, ribbon_map(k, v) FILTER (WHERE g = 0) AS filtered
  FROM pairs;
CREATE TABLE kept_groups AS
SELECT g, h, GROUPING(g, h) AS set, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY CUBE (g, h);
SELECT shows('temp .*written', 'SELECT ribbon_map(k, v) FROM pairs') AS spills;
SELECT count(*) FILTER (WHERE (kept.v -> k) IS NOT DISTINCT FROM pairs.v) AS numbers, count(*) FILTER (WHERE (kept.s ->> k) = pairs.s) AS texts,
       count(*) FILTER (WHERE (static -> k) IS NOT DISTINCT FROM pairs.v) AS static FROM pairs, kept;

-- and what files do
SET work_mem = '64kB';
SELECT shows('temp .*written', 'SELECT ribbon_map(k, v) FROM pairs') AS spills;
SELECT ribbon_map(k, v) = (SELECT v FROM kept) AS v, ribbon_map(k, s) = (SELECT s FROM kept) AS s,
       ribbon_map(k, v, 1, 'seed=3') = (SELECT static FROM kept) AS static,
       ribbon_map(k, v) FILTER (WHERE g = 0) = (SELECT filtered FROM kept) AS filtered FROM pairs;
SET work_mem = '4MB';
SELECT ribbon_map(k, v) = (SELECT v FROM kept) AS v, ribbon_map(k, s) = (SELECT s FROM kept) AS s FROM pairs;
SET work_mem = '64kB';

-- order and duplicates leave no trace
SELECT ribbon_map(k, v ORDER BY k DESC) = (SELECT v FROM kept) AS ordered, ribbon_map(DISTINCT k, v) = (SELECT v FROM kept) AS distinct_rows
  FROM pairs;
SELECT ribbon_map(k, v) = (SELECT v FROM kept) AS v, ribbon_map(k, s) = (SELECT s FROM kept) AS s
  FROM (SELECT * FROM pairs UNION ALL SELECT * FROM pairs ORDER BY 3) AS twice;
SELECT shows('temp .*written', 'SELECT ribbon_map(k % 150, k % 150 / 10) FROM pairs') AS spills;

-- a key of two values is found in memory, in files, in parts of them, and as one of two rows a million apart
SELECT ribbon_map(k, v) FROM (SELECT 5 AS k, 1 AS v UNION ALL SELECT k, v FROM pairs) AS s;
\set VERBOSITY sqlstate
SELECT ribbon_map(k % 100, k % 101) FROM pairs;
SELECT ribbon_map(k % 599999, v) FROM (SELECT k, v FROM pairs UNION ALL SELECT k + 600000, v FROM pairs) AS s;
SELECT ribbon_map(k, s) FROM (SELECT k, s FROM pairs UNION ALL SELECT 17, NULL) AS s;
SELECT ribbon_map(k, v) FROM (SELECT k, s AS v FROM pairs UNION ALL SELECT k, s || k FROM pairs) AS s;
\set VERBOSITY default

-- groups, sorted and hashed, and grouping sets
SELECT g, bool_and(s.v = t.v AND s.s = t.s) AS same
  FROM kept_groups AS t JOIN (SELECT g, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY g) AS s USING (g)
 WHERE set = 1 GROUP BY g ORDER BY g;
SET enable_hashagg = off;
SELECT g, bool_and(s.v = t.v AND s.s = t.s) AS same
  FROM kept_groups AS t JOIN (SELECT g, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY g) AS s USING (g)
 WHERE set = 1 GROUP BY g ORDER BY g;
RESET enable_hashagg;
SELECT s.set, count(*) AS groups, bool_and(s.v = t.v AND s.s = t.s) AS same
  FROM (SELECT g, h, GROUPING(g, h) AS set, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY CUBE (g, h)) AS s
  JOIN kept_groups AS t ON s.set = t.set AND s.g IS NOT DISTINCT FROM t.g AND s.h IS NOT DISTINCT FROM t.h
 GROUP BY s.set ORDER BY s.set;

-- many groups, small ones and large ones, with texts that are their own
SELECT count(*) AS groups, sum(ribbon_cardinality(m)) AS keys, bool_and(m ->> (3 * g) = 'a' || g % 700 AND m ->> (3 * g + 2) = 'c') AS found
  FROM (SELECT i / 3 AS g, ribbon_map(i, CASE i % 3 WHEN 0 THEN 'a' || i / 3 % 700 WHEN 1 THEN NULL ELSE 'c' END) AS m
          FROM generate_series(3, 60002) AS i GROUP BY i / 3) AS s;
SELECT count(*) AS groups, sum(ribbon_cardinality(v)) AS keys, bool_and(v -> g = g AND s ->> g = 'city ' || g % 300) AS found
  FROM (SELECT k % 1000 AS g, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY 1) AS s WHERE g NOT IN (0, 7);

-- windows: the state goes on after the map has been built
SELECT h, ribbon_cardinality(m) AS keys, m = (SELECT ribbon_map(k, s) FROM pairs WHERE k <= 200000 AND pairs.h <= s.h) AS same
  FROM (SELECT h, ribbon_map(k, s) OVER (ORDER BY h) AS m, row_number() OVER (ORDER BY h) AS n FROM pairs WHERE k <= 200000) AS s
 WHERE n % 100000 = 1 ORDER BY h;
SELECT i, m -> 1 AS first, m -> i AS last, m @> 7 AS seven, ribbon_cardinality(m) AS keys
  FROM (SELECT i, ribbon_map(i, i * i) OVER (ORDER BY i ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS m FROM generate_series(1, 5) AS i) AS s;

-- an aggregate that is scanned again
SET enable_material = off;
SET enable_memoize = off;
SELECT n, ribbon_cardinality(m) AS keys, m -> (n + 1) AS value
  FROM (VALUES (1), (2), (3)) AS n(n), LATERAL (SELECT ribbon_map(k, v) AS m FROM pairs WHERE k > n OFFSET 0) AS s ORDER BY n;
SELECT n, count(*) AS groups, sum(ribbon_cardinality(m)) AS keys
  FROM (VALUES (1), (2)) AS n(n) LEFT JOIN (SELECT g, ribbon_map(k, s) AS m FROM pairs GROUP BY g) AS s ON g <> n GROUP BY n ORDER BY n;
RESET enable_material;
RESET enable_memoize;

-- parallel plans: states as bytes, and in files
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT shows('Partial', 'SELECT ribbon_map(k, v) FROM pairs') AS in_parallel;
SELECT ribbon_map(k, v) = (SELECT v FROM kept) AS v, ribbon_map(k, s) = (SELECT s FROM kept) AS s,
       ribbon_map(k, v, 1, 'seed=3') = (SELECT static FROM kept) AS static,
       ribbon_map(k, v) FILTER (WHERE g = 0) = (SELECT filtered FROM kept) AS filtered FROM pairs;
SELECT g, bool_and(s.v = t.v AND s.s = t.s) AS same
  FROM kept_groups AS t JOIN (SELECT g, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY g) AS s USING (g)
 WHERE set = 1 GROUP BY g ORDER BY g;
SELECT count(*) AS groups, sum(ribbon_cardinality(v)) AS keys, bool_and(v -> g = g AND s ->> g = 'city ' || g % 300) AS found
  FROM (SELECT k % 1000 AS g, ribbon_map(k, v) AS v, ribbon_map(k, s) AS s FROM pairs GROUP BY 1) AS s WHERE g NOT IN (0, 7);
SELECT ribbon_map(k, s) AS no_rows, ribbon_map(NULLIF(k, k), v) AS null_keys FROM pairs WHERE k < 0;
SELECT ribbon_map(k, v) = (SELECT ribbon_map(i, i) FROM generate_series(1, 3) AS i) AS few_rows FROM pairs WHERE k <= 3;
-- a key has two values in two processes, or in one of them, whose sets are joined
\set SHOW_CONTEXT never
SELECT ribbon_map(k % 599999, v) FROM pairs;
\set VERBOSITY sqlstate
SELECT ribbon_map(k, s || k) FROM pairs;
SELECT ribbon_map(k, v, CASE WHEN k < 10 THEN 0.01 ELSE 0.02 END) FROM pairs;
-- a key has two values in one worker, which finds it when it sends its state
SET parallel_leader_participation = off;
INSERT INTO pairs SELECT k + 600000, v, s, g, h FROM pairs;
SELECT ribbon_map(CASE WHEN k % 1999 = 7 THEN 5 ELSE k END, k) FROM pairs;
SELECT ribbon_build_exact(CASE WHEN k % 1999 = 7 THEN 5 ELSE k END, k % 2 = 0) FROM pairs;
\set VERBOSITY default
\set SHOW_CONTEXT errors

DROP TABLE pairs, kept, kept_groups;
DROP FUNCTION shows(text, text);
