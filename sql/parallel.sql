--
-- Parallel plans: partial states travel as bytes and are combined
--
CREATE TABLE keys AS
SELECT i AS k, NULLIF(i % 3, 0) AS sparse, md5(i::text) AS t, i % 5 AS g FROM generate_series(1, 20000) AS i;
ALTER TABLE keys SET (parallel_workers = 2);
ANALYZE keys;

CREATE FUNCTION is_parallel(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ 'Partial' THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END $$;

SET max_parallel_workers_per_gather = 0;
CREATE TABLE serial_plan AS
SELECT ribbon_build(k) AS k, ribbon_build(sparse) AS sparse, ribbon_build(t, 0.001) AS t,
       ribbon_build(k, 0.1, 'kind=homogeneous') AS h, ribbon_build(ARRAY[row(k::numeric)]) AS nested FROM keys;
CREATE TABLE serial_groups AS SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g;

SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;

SELECT is_parallel('SELECT ribbon_build(k) FROM keys') AS built_in_parallel,
       is_parallel('SELECT g, ribbon_build(k) FROM keys GROUP BY g') AS grouped_in_parallel;

-- the same bytes as from a serial plan
SELECT s.k = p.k AS k, s.sparse = p.sparse AS sparse, s.t = p.t AS t, s.h = p.h AS h, s.nested = p.nested AS nested
  FROM serial_plan s,
       (SELECT ribbon_build(k) AS k, ribbon_build(sparse) AS sparse, ribbon_build(t, 0.001) AS t,
               ribbon_build(k, 0.1, 'kind=homogeneous') AS h, ribbon_build(ARRAY[row(k::numeric)]) AS nested FROM keys) AS p;
SELECT g, s.f = p.f AS same
  FROM serial_groups s JOIN (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g) AS p USING (g) ORDER BY g;

-- no rows, NULL keys, few rows
SELECT ribbon_build(k) AS no_rows FROM keys WHERE k < 0;
SELECT ribbon_build(NULLIF(k, k)) AS null_keys FROM keys;
SELECT ribbon_build(k) = (SELECT ribbon_build(i) FROM generate_series(1, 3) AS i) AS few_rows FROM keys WHERE k <= 3;

-- parameters that change are noticed wherever the rows end up
\set VERBOSITY sqlstate
SELECT ribbon_build(k, CASE WHEN k < 10 THEN 0.01 ELSE 0.02 END) FROM keys;
SELECT ribbon_build(k, 0.01, CASE WHEN k < 10 THEN 'kind=burr' ELSE 'kind=auto' END) FROM keys;
SELECT ribbon_build(k, 0.7) FROM keys;
\set VERBOSITY default

-- probing in parallel
CREATE FUNCTION probed_in_parallel() RETURNS boolean LANGUAGE sql AS
	$$ SELECT is_parallel('SELECT count(*) FROM keys WHERE (SELECT k FROM serial_plan) @> k') $$;
SELECT probed_in_parallel();
SELECT count(*) FROM keys WHERE (SELECT k FROM serial_plan) @> k;
SELECT count(*) FROM keys WHERE t <@ (SELECT t FROM serial_plan);

DROP FUNCTION probed_in_parallel, is_parallel;
DROP TABLE keys, serial_plan, serial_groups;
