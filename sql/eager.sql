--
-- Eager aggregation (PostgreSQL 19): states are made below a join, which lets
-- one through many times, or never.  Older servers aggregate the joined rows.
--
-- groups of 1,000 keys, whose states are sent whole, and of 18,000, which are sent as files
CREATE TABLE facts AS
SELECT i AS k, CASE WHEN i <= 20000 THEN i % 20 ELSE 20 + i % 3 END AS d FROM generate_series(1, 74000) AS i;
ALTER TABLE facts SET (parallel_workers = 2);
CREATE TABLE dimensions AS
SELECT d, g FROM generate_series(0, 29) AS d, generate_series(0, 3) AS g WHERE (d + g) % 4 > 0 AND d NOT IN (7, 21);
VACUUM ANALYZE facts, dimensions;

CREATE VIEW eager AS SELECT g, ribbon_build(k) AS f FROM facts JOIN dimensions USING (d) GROUP BY g;
-- an aggregate with ORDER BY needs all its rows
CREATE TABLE plain AS
SELECT g, ribbon_build(k ORDER BY k) AS f FROM facts JOIN dimensions USING (d) GROUP BY g;

CREATE FUNCTION is_eager() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) SELECT * FROM eager' INTO plan;
	RETURN current_setting('server_version_num')::int < 190000 OR
		   plan::text ~ '"Join Type".*"Partial Mode": "Partial"';
END $$;

-- groups hashed, and sorted
SET max_parallel_workers_per_gather = 0;
SELECT g, is_eager(), e.f = p.f AS same, ribbon_cardinality(p.f) AS keys
  FROM eager AS e JOIN plain AS p USING (g) ORDER BY g;
SET work_mem = '64kB';
SET enable_hashagg = off;
SELECT g, is_eager(), e.f = p.f AS same FROM eager AS e JOIN plain AS p USING (g) ORDER BY g;

-- states that are asked for again and again, by another join and by another scan
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SELECT is_eager();
CREATE TABLE by_loops AS SELECT * FROM eager;
SELECT g, l.f = p.f AS same FROM by_loops AS l JOIN plain AS p USING (g) ORDER BY g;
RESET enable_hashagg;
RESET work_mem;
SELECT v, count(*) AS groups, bool_and(s.f = p.f) AS same
  FROM generate_series(1, 2) AS v,
       LATERAL (SELECT g, ribbon_build(k) AS f FROM facts JOIN dimensions USING (d) WHERE g <> v GROUP BY g) AS s
  JOIN plain AS p USING (g)
 GROUP BY v ORDER BY v;

-- workers make states, and join them
RESET ALL;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT g, is_eager(), e.f = p.f AS same FROM eager AS e JOIN plain AS p USING (g) ORDER BY g;

DROP VIEW eager;
DROP FUNCTION is_eager;
DROP TABLE facts, dimensions, plain, by_loops;
