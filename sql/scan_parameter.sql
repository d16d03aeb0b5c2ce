--
-- Filters as parameters, literals, and from temporary tables: what plans hold of
-- them, and what parallel workers are given
--
CREATE TABLE events AS SELECT i AS id, (i * 7919) % 20000 AS user_id, i % 10 AS kind FROM generate_series(1, 20000) AS i;
CREATE TABLE parts (LIKE events) PARTITION BY LIST (kind);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM events;
CREATE TABLE audience AS SELECT 'eu' AS name, ribbon_build(i, 1e-9) AS members, ribbon_map(i, i % 9, 1e-9) AS plans
  FROM generate_series(0, 19999, 5) AS i;
ANALYZE events, parts, audience;
SELECT members AS filter, plans AS map FROM audience \gset
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;

-- the conditions of a plan, and the filters that they are said to have; is it
-- parallel?
CREATE FUNCTION conditions(query text, OUT parallel boolean, OUT conditions text, OUT probed text) LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE format('EXPLAIN (VERBOSE, FORMAT JSON%s) ', CASE WHEN query ~ '\$1' THEN ', GENERIC_PLAN' END) || query INTO plan;
	parallel := jsonb_path_exists(plan, '$.** ? (@."Node Type" == "Gather")');
	conditions := (SELECT string_agg(DISTINCT c #>> '{}', ', ') FROM jsonb_path_query(plan, '$.**."Filter"') AS c);
	probed := (SELECT string_agg(DISTINCT c #>> '{}', ', ') FROM jsonb_path_query(plan, '$.**."Probed"') AS c);
END $$;

-- a parameter stays one, also in the plan for its value alone; in a node of ours
-- and in others
PREPARE by_parameter(ribbonfilter) AS SELECT count(*), sum(id) FROM events WHERE $1 @> user_id;
SELECT * FROM conditions(format('EXECUTE by_parameter(%L)', :'filter'));
EXECUTE by_parameter(:'filter');
SET ribbon.batch = off;
SELECT * FROM conditions(format('EXECUTE by_parameter(%L)', :'filter'));
EXECUTE by_parameter(:'filter');
RESET ribbon.batch;
SET max_parallel_workers_per_gather = 0;
SELECT * FROM conditions(format('EXECUTE by_parameter(%L)', :'filter'));
EXECUTE by_parameter(:'filter');
RESET max_parallel_workers_per_gather;
SET plan_cache_mode = force_generic_plan;
PREPARE generic(ribbonfilter) AS SELECT count(*), sum(id) FROM events WHERE $1 @> user_id;
SELECT * FROM conditions(format('EXECUTE generic(%L)', :'filter'));
EXECUTE generic(:'filter');
-- EXPLAIN of it without any value, from version 16 on; before, with NULL
SELECT c.* FROM conditions(CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'EXECUTE generic(NULL)'
                                ELSE 'SELECT count(*), sum(id) FROM events WHERE $1::ribbonfilter @> user_id' END) AS c;
RESET plan_cache_mode;
-- with other values, also none; a small one may be a constant
EXECUTE by_parameter(NULL);
SELECT ribbon_build(i, 1e-9) AS other FROM generate_series(1, 20000, 7) AS i \gset
EXECUTE by_parameter(:'other');
SELECT ribbon_build(1) AS small \gset
SELECT * FROM conditions(format('EXECUTE by_parameter(%L)', :'small'));
EXECUTE by_parameter(:'small');
EXECUTE by_parameter(:'filter');

-- of the bytes of a filter, by a cast
PREPARE by_bytes(bytea) AS SELECT count(*), sum(id) FROM events WHERE user_id <@ $1::ribbonfilter;
SELECT * FROM conditions(format('EXECUTE by_bytes(%L)', :'filter'));
EXECUTE by_bytes(:'filter');
\set VERBOSITY terse
EXECUTE by_bytes('\x1101');
\set VERBOSITY default

-- a map; several parameters; a filter of two that are the same
PREPARE by_map(ribbonmap, int) AS SELECT count(*), sum(id) FROM events WHERE $1 -> user_id = $2;
SELECT * FROM conditions(format('EXECUTE by_map(%L, 3)', :'map'));
EXECUTE by_map(:'map', 3);
PREPARE by_two(ribbonfilter, ribbonfilter) AS SELECT count(*), sum(id) FROM parts WHERE $1 @> user_id AND $2 @> id;
SELECT parallel, conditions FROM conditions(format('EXECUTE by_two(%L, %L)', :'filter', :'other'));
EXECUTE by_two(:'filter', :'other');
EXECUTE by_two(:'filter', :'filter');
-- behind others, of no use as a filter, that are NULL or as long
PREPARE behind_others(int, text, bytea, ribbonfilter) AS SELECT count(*), sum(id) FROM events WHERE $4 @> user_id;
SELECT parallel, conditions FROM conditions(format('EXECUTE behind_others(1, NULL, %L, %L)', decode(repeat('00', length(:'filter'::ribbonfilter::bytea)), 'hex'), :'filter'));
EXECUTE behind_others(1, NULL, '\x', :'filter');

-- where all is tried: a target list, an alternative, a join, arrays
PREPARE elsewhere(ribbonfilter) AS
SELECT count(*) FILTER (WHERE $1 @> e.user_id) AS target, count(*) FILTER (WHERE $1 @> e.id OR e.kind = 1) AS alternative,
       count(*) FILTER (WHERE ribbon_contains_any($1, ARRAY[e.id, p.user_id])) AS any,
       count(*) FILTER (WHERE ribbon_contains_all($1, ARRAY[e.id, p.user_id])) AS all
  FROM events AS e JOIN parts AS p USING (id);
EXECUTE elsewhere(:'filter');
CREATE FUNCTION plan_length(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON) ' || query INTO plan;
	RETURN length(plan::text);
END $$;
SELECT length(:'filter') > 20000 AS filter, plan_length(format('EXECUTE elsewhere(%L)', :'filter')) < 20000 AS plan;

-- what the planner knows of a value it knows of the parameter
CREATE FUNCTION rows_expected(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;
SET max_parallel_workers_per_gather = 0;
PREPARE rows_of(ribbonfilter) AS SELECT FROM events WHERE $1 @> user_id;
SELECT rows_expected(format('EXECUTE rows_of(%L)', :'filter')) AS parameter,
       rows_expected(format('SELECT FROM events WHERE %L::ribbonfilter @> user_id', :'filter')) AS literal,
       rows_expected('EXECUTE rows_of(NULL)') AS none;
RESET max_parallel_workers_per_gather;

-- a large literal is described where the node is ours
SELECT * FROM conditions(format('SELECT FROM events WHERE kind < 5 AND %L::ribbonfilter @> user_id', :'filter'));
SELECT count(*), sum(id) FROM events WHERE :'filter'::ribbonfilter @> user_id;
SELECT * FROM conditions(format('SELECT FROM events WHERE %L::ribbonmap -> user_id = 3', :'map'));
SELECT count(*), sum(id) FROM events WHERE :'map'::ribbonmap -> user_id = 3;
SELECT count(*) FROM events WHERE :'filter'::ribbonfilter @> user_id AND id % 7 < 3 AND kind < 5;

-- a loop over parameters: each row has its own; a cursor, forwards and back
PREPARE lateral_of(ribbonfilter, ribbonfilter) AS
SELECT i, n FROM generate_series(1, 3) AS i, LATERAL (SELECT count(*) AS n FROM events WHERE CASE i WHEN 1 THEN $1 WHEN 2 THEN $2 END @> user_id) AS s;
EXECUTE lateral_of(:'filter', :'other');
CREATE FUNCTION through_cursor(f ribbonfilter) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c SCROLL CURSOR FOR SELECT id FROM events WHERE f @> user_id;
	first int;
	again int;
BEGIN
	OPEN c;
	FETCH c INTO first;
	f := NULL;
	MOVE FORWARD 500 IN c;
	MOVE BACKWARD ALL IN c;
	FETCH c INTO again;
	RETURN first || ' ' || again;
END $$;
SELECT through_cursor(:'filter');

-- a variable, which may point to a stored filter, changes
CREATE FUNCTION count_members(f ribbonfilter) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT count(*) FROM events WHERE f @> user_id;
	f := ribbon_build(i, 1e-9) FROM generate_series(1, 5000) AS i;
	RETURN QUERY SELECT count(*) FROM events WHERE f @> user_id;
END $$;
SELECT count_members(members) FROM audience, generate_series(1, 4);

-- row security hides what it hides
CREATE ROLE ribbon_parameter_reader;
GRANT SELECT ON events TO ribbon_parameter_reader;
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON events USING (kind < 2);
SET ROLE ribbon_parameter_reader;
SELECT conditions, probed FROM conditions(format('EXECUTE by_parameter(%L)', :'filter'));
EXECUTE by_parameter(:'filter');
RESET ROLE;
ALTER TABLE events DISABLE ROW LEVEL SECURITY;
DROP OWNED BY ribbon_parameter_reader;
DROP ROLE ribbon_parameter_reader;

-- with the leader's help and without, compiled
SET parallel_leader_participation = off;
EXECUTE by_parameter(:'filter');
EXECUTE by_bytes(:'filter');
RESET parallel_leader_participation;
SET jit = on;
SET jit_above_cost = 0;
EXECUTE by_parameter(:'filter');
SELECT count(*), sum(id) FROM events WHERE :'filter'::ribbonfilter @> user_id;
RESET jit;
RESET jit_above_cost;

--
-- Temporary tables: the leader gives its workers the filter
--
CREATE TEMPORARY TABLE mine AS SELECT members, plans, 1 AS version FROM audience;
SELECT (conditions('SELECT count(*) FROM events WHERE (SELECT members FROM mine) @> user_id')).parallel;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM mine) @> user_id;
SELECT count(*), sum(id) FROM parts WHERE user_id <@ (SELECT members FROM mine ORDER BY version DESC LIMIT 1);
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM mine UNION SELECT members FROM mine) @> user_id;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM audience JOIN mine USING (members)) @> user_id;
WITH m AS MATERIALIZED (SELECT members FROM mine)
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM m) @> user_id;
-- a name is hidden by the same name
WITH m AS MATERIALIZED (SELECT members FROM mine)
SELECT * FROM (
  WITH m AS MATERIALIZED (SELECT members FROM m)
  SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM m) @> user_id OFFSET 0) AS e;
SELECT count(*), sum(id) FROM events WHERE coalesce((SELECT members FROM mine WHERE version = 2), (SELECT members FROM mine)) @> user_id;
-- a number beside it is not one to copy; bytes are
SELECT count(*), sum(id) FROM events WHERE CASE WHEN (SELECT version FROM mine) = 1 THEN (SELECT members FROM mine) END @> user_id;
SELECT count(*), sum(id) FROM events WHERE (SELECT members::bytea FROM mine)::ribbonfilter @> user_id;
SELECT count(*) FILTER (WHERE (SELECT members FROM mine) @> user_id) FROM events;
SELECT count(*), sum(id) FROM events WHERE ribbon_contains_any((SELECT members FROM mine), ARRAY[user_id]);
SELECT count(*), sum(id) FROM events WHERE (SELECT plans FROM mine) -> user_id = 3;
SELECT count(*), sum(e.id) FROM events AS e JOIN parts AS p USING (id) WHERE (SELECT members FROM mine) @> e.user_id;
SELECT count(*) FROM events WHERE (SELECT members FROM mine WHERE version = 2) @> user_id;
SET ribbon.batch = off;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM mine) @> user_id;
RESET ribbon.batch;
SET parallel_leader_participation = off;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM mine) @> user_id;
-- so may be a table that inherits from one that is not
CREATE TABLE inherited (members ribbonfilter);
CREATE TEMPORARY TABLE mine_inherits () INHERITS (inherited);
INSERT INTO mine_inherits SELECT members FROM mine;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM inherited) @> user_id;
-- so may be what a function reads, if it is not PARALLEL SAFE
CREATE FUNCTION my_filter() RETURNS ribbonfilter LANGUAGE sql STABLE PARALLEL RESTRICTED AS 'SELECT members FROM mine';
CREATE FUNCTION my_filters() RETURNS TABLE (members ribbonfilter) LANGUAGE sql STABLE PARALLEL RESTRICTED AS 'SELECT members FROM mine';
SELECT count(*), sum(id) FROM events WHERE (SELECT my_filter()) @> user_id;
SELECT count(*), sum(id) FROM events WHERE (SELECT members FROM my_filters()) @> user_id;
RESET parallel_leader_participation;
CREATE TEMPORARY VIEW my_events AS SELECT * FROM events WHERE (SELECT members FROM mine) @> user_id;
SELECT count(*), sum(id) FROM my_events;
-- a subquery for each row is what it was: it reads slices
SELECT count(*) FROM (SELECT * FROM events LIMIT 100) AS e WHERE (SELECT members FROM mine WHERE version = e.kind) @> user_id;
-- the planner knows the column's statistics
ANALYZE mine;
SET max_parallel_workers_per_gather = 0;
SELECT rows_expected('SELECT FROM events WHERE (SELECT members FROM mine) @> user_id') AS serial;
RESET max_parallel_workers_per_gather;
SET parallel_tuple_cost = 1000;
SELECT rows_expected('SELECT FROM events WHERE (SELECT members FROM mine) @> user_id') AS perhaps_parallel;
CREATE FUNCTION is_true(truth boolean) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT truth IS TRUE';
SELECT rows_expected('SELECT FROM events WHERE is_true((SELECT members FROM mine) @> user_id)') AS simplified_twice;
SET parallel_tuple_cost = 0;

-- does a query have its filter in memory?  Not if it cannot have workers: the
-- leader reads slices
CREATE FUNCTION in_memory(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON) ' || query INTO plan;
	RETURN plan::text LIKE '%byteacat(%';
END $$;
CREATE TEMPORARY TABLE my_keys AS SELECT 5 AS user_id;
CREATE TABLE small AS SELECT * FROM my_keys;
CREATE VIEW events_seen AS SELECT * FROM events;
SELECT in_memory('SELECT (SELECT members FROM mine) @> 5') AS of_none,
       in_memory('SELECT count(*) FROM my_keys WHERE (SELECT members FROM mine) @> user_id') AS of_temporary,
       in_memory('SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id') AS of_small;
SET min_parallel_table_scan_size = '8MB';
SELECT in_memory('SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id') AS of_small,
       in_memory('SELECT count(*) FROM small, events_seen AS e WHERE (SELECT members FROM mine) @> e.user_id') AS of_view,
       in_memory('SELECT count(*) FROM parts WHERE (SELECT members FROM mine) @> user_id') AS of_parts,
       in_memory('SELECT (SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id) FROM parts') AS within_parts;
SELECT (SELECT members FROM mine) @> 5 AS found, count(*) FROM small WHERE (SELECT members FROM mine) @> user_id;
ALTER TABLE small SET (parallel_workers = 2);
SELECT in_memory('SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id') AS of_small,
       (conditions('SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id')).parallel;
SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id;
ALTER TABLE small RESET (parallel_workers);
SET min_parallel_index_scan_size = 0;
SELECT in_memory('SELECT count(*) FROM small WHERE (SELECT members FROM mine) @> user_id') AS of_index;
RESET min_parallel_index_scan_size;
-- a setting for tests, which has had two names, gives any plan a worker
SELECT set_config(name, 'regress', false) AS forced FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
SELECT in_memory('SELECT (SELECT members FROM mine) @> 5') AS of_none;
SELECT (SELECT members FROM mine) @> 5 AS found;
SELECT set_config(name, 'off', false) AS forced FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
SET min_parallel_table_scan_size = 0;

-- a variable has a pointer, which is a parameter; a plan for its value has that
SET parallel_leader_participation = off;
SELECT count_members(members) FROM mine;
SET plan_cache_mode = force_generic_plan;
\set SHOW_CONTEXT never
SELECT count_members(members) FROM mine;
\set SHOW_CONTEXT errors
SET max_parallel_workers = 0;
SELECT count_members(members) FROM mine;
RESET ALL;

DROP VIEW my_events;
DROP FUNCTION conditions, plan_length, rows_expected, through_cursor, count_members, in_memory, is_true, my_filter, my_filters;
DROP VIEW events_seen;
DROP TABLE events, parts, audience, mine, my_keys, small;
