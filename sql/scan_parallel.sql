--
-- Scans by the page in several processes
--
CREATE TABLE events AS
SELECT i AS id, i % 1000 AS user_id, i % 2 AS kind, repeat('x', i % 100) AS filler FROM generate_series(1, 30000) AS i;
CREATE TABLE audience AS SELECT 'eu' AS name, ribbon_build(i, 1e-9) AS members FROM generate_series(0, 999, 2) AS i;
CREATE TABLE parts (LIKE events) PARTITION BY RANGE (id);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES FROM (0) TO (10000);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (10000) TO (100000);
INSERT INTO parts SELECT * FROM events;
VACUUM ANALYZE events, audience, parts;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;

-- the scans of a plan, parallel or not; workers that it has; the sums of what
-- they tell
CREATE FUNCTION run(query text, OUT scans text, OUT probed bigint, OUT passed bigint) LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, VERBOSE, FORMAT JSON) ' || query INTO plan;
	SELECT string_agg(CASE node ->> 'Parallel Aware' WHEN 'true' THEN 'Parallel ' ELSE '' END || (node ->> 'Custom Plan Provider')
	                  || ' on ' || (node ->> 'Relation Name'), ', ' ORDER BY node ->> 'Relation Name'),
	       sum((node ->> 'Keys Probed')::bigint), sum((node ->> 'Keys Passed')::bigint)
	  INTO scans, probed, passed
	  FROM jsonb_path_query(plan, 'strict $.** ? (@."Custom Plan Provider" == "RibbonScan")') AS node;
END $$;
ALTER FUNCTION run(text) PARALLEL UNSAFE;

-- each row is probed once, by some process, and all are counted
SELECT (run('SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id')).*;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM audience) @> user_id;
-- (the first key of each process is that of a row for which id % 3 < 1, too)
SELECT scans, probed BETWEEN 14990 AND 15000 AS probed, passed = probed AS passed
  FROM run('SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id AND kind = 0 AND id % 3 < 1');
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM audience) @> user_id AND kind = 0 AND id % 3 < 1;

-- with the leader's help and without
SET parallel_leader_participation = off;
SELECT (run('SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id')).*;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM audience) @> user_id;
RESET parallel_leader_participation;

-- without a worker, though the plan is for some
SET max_parallel_workers = 0;
SELECT (run('SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id')).*;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM audience) @> user_id;
RESET max_parallel_workers;

-- partitions
SELECT (run('SELECT count(*) FROM parts WHERE (SELECT members FROM audience) @> user_id')).*;
SELECT count(*), sum(id) FROM parts WHERE (SELECT members FROM audience) @> user_id;

-- a literal, a parameter
SELECT members AS literal FROM audience \gset
SELECT (run(format('SELECT count(*) FROM events WHERE %L::ribbonfilter @> user_id', :'literal'))).*;
SET plan_cache_mode = force_generic_plan;
PREPARE by_parameter(ribbonfilter) AS SELECT count(*), sum(id) FROM events WHERE $1 @> user_id;
SELECT (run(format('EXECUTE by_parameter(%L)', :'literal'))).*;
EXECUTE by_parameter(:'literal');
RESET plan_cache_mode;

-- a large literal, whose bytes all processes share: of partitions, a plan that is kept, one that is started again, and
-- the inner side of a join, whole in each process; also compared, and as a map
SELECT ribbon_build(i, 1e-9) AS large, ribbon_map(i, i % 9, 1e-9) AS map FROM generate_series(0, 19999, 2) AS i \gset
SELECT length(:'large') > 20000 AS large, (run(format('SELECT count(*) FROM parts WHERE %L::ribbonfilter @> user_id', :'large'))).*;
SELECT count(*), sum(id) FROM parts WHERE :'large'::ribbonfilter @> user_id;
PREPARE by_literal AS SELECT count(*), sum(id) FROM events WHERE :'large'::ribbonfilter @> user_id;
EXECUTE by_literal;
EXECUTE by_literal;
SELECT count(*), sum(id) FROM events WHERE :'map'::ribbonmap -> user_id = 4;
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT (run(format($$SELECT i, n FROM (VALUES (1), (2), (3)) AS v(i) LEFT JOIN
                     (SELECT count(*) AS n FROM events WHERE %L::ribbonfilter @> user_id) AS s ON n > i$$, :'large'))).*;
SELECT i, n FROM (VALUES (1), (2), (3)) AS v(i) LEFT JOIN
       (SELECT count(*) AS n FROM events WHERE :'large'::ribbonfilter @> user_id) AS s ON n > i;
RESET enable_material;
RESET enable_hashjoin;
SET enable_parallel_hash = off;
SELECT (run(format('SELECT FROM parts AS p LEFT JOIN events AS e ON p.id = e.id AND %L::ribbonfilter @> e.user_id', :'large'))).scans;
SELECT count(*), count(e.id), sum(e.id) FROM parts AS p LEFT JOIN events AS e ON p.id = e.id AND :'large'::ribbonfilter @> e.user_id;
RESET enable_parallel_hash;
RESET enable_mergejoin;

-- rows in their order, from processes that each probe by the page
SELECT (run('SELECT id FROM events WHERE (SELECT members FROM audience) @> user_id ORDER BY id DESC LIMIT 3')).scans;
SELECT id FROM events WHERE (SELECT members FROM audience) @> user_id ORDER BY id DESC LIMIT 3;

-- ended early, and started again
SELECT count(*) FROM (SELECT id FROM events WHERE (SELECT members FROM audience) @> user_id LIMIT 100) AS s;
SELECT i, (SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id AND id > i * 1000 LIMIT 1) FROM generate_series(0, 30, 10) AS i;
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT (run($$SELECT i, n FROM (VALUES (1), (2), (3)) AS v(i) LEFT JOIN
              (SELECT count(*) AS n FROM events WHERE (SELECT members FROM audience) @> user_id) AS s ON n > i$$)).*;
SELECT i, n FROM (VALUES (1), (2), (3)) AS v(i) LEFT JOIN
       (SELECT count(*) AS n FROM events WHERE (SELECT members FROM audience) @> user_id) AS s ON n > i;

-- the inner side of a join, whole in each process
SELECT (run('SELECT count(*) FROM audience AS a, events WHERE a.members @> user_id')).*;
SELECT count(*), sum(id) FROM audience AS a, events WHERE a.members @> user_id;

-- an error in any process
\set VERBOSITY terse
SELECT count(*) FROM events WHERE (SELECT ribbon_build('a'::text)) @> user_id;

DROP FUNCTION run;
DROP TABLE events, audience, parts;
