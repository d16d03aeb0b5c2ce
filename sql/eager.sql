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

-- all aggregates, also those whose states are values, and whose groups the join drops
-- contradict themselves (d = 7 has each of its keys with two values)
RESET ALL;
SET enable_material = off;
CREATE TABLE many AS
SELECT k, d, ribbon_key(k) AS r, k % 5 AS v, (SELECT ribbon_keys(i) FROM generate_series(k, k + 2) AS i) AS s FROM facts WHERE d < 20;
INSERT INTO many SELECT k, d, r, v + 1, s FROM many WHERE d = 7;
ANALYZE many;
DROP VIEW eager;
CREATE VIEW eager AS
SELECT g, ribbon_build(r) AS b, ribbon_keys(k) AS s, ribbon_build_keys(s) AS u, ribbon_map(k, v) AS m,
	   ribbon_build_exact(r, v < 2) AS e, ribbon_build_exact(k, v < 2, 0.1) AS f
  FROM many JOIN dimensions USING (d) GROUP BY g;
SELECT is_eager();
CREATE TABLE by_states AS SELECT * FROM eager;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT is_eager();
CREATE TABLE by_states_again AS SELECT * FROM eager;
SELECT g, x.b = p.b AS build, x.s = p.s AS keys, x.u = p.u AS build_keys, x.m = p.m AS map, x.e = p.e AS exact, x.f = p.f AS rated, x = y AS again
  FROM by_states AS x JOIN by_states_again AS y USING (g)
  JOIN (SELECT g, ribbon_build(r ORDER BY k) AS b, ribbon_keys(k ORDER BY k) AS s, ribbon_build_keys(s ORDER BY k) AS u, ribbon_map(k, v ORDER BY k) AS m,
			   ribbon_build_exact(r, v < 2 ORDER BY k) AS e, ribbon_build_exact(k, v < 2, 0.1 ORDER BY k) AS f
		  FROM many JOIN dimensions USING (d) GROUP BY g) AS p USING (g)
 ORDER BY g;
INSERT INTO dimensions VALUES (7, 0);
\set VERBOSITY sqlstate
SELECT ribbon_cardinality(m) FROM eager WHERE g = 0;
\set VERBOSITY default

DROP VIEW eager;
DROP FUNCTION is_eager;
DROP TABLE facts, dimensions, plain, by_loops, many, by_states, by_states_again;
