--
-- Where plans probe by the page: RibbonScan in the place of Seq Scan
--
CREATE TABLE events AS
SELECT i AS id, (i * 7919) % 20000 AS user_id, i % 10 AS kind, i::text AS name FROM generate_series(1, 20000) AS i;
CREATE TABLE audience AS
SELECT 'eu' AS name, ribbon_build(i) AS members, ribbon_build(i::text) AS names FROM generate_series(0, 19999, 100) AS i;
ANALYZE events, audience;
SET max_parallel_workers_per_gather = 0;

-- the scans of a query's plan
CREATE FUNCTION scans(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT string_agg(coalesce(node ->> 'Custom Plan Provider', node ->> 'Node Type') || ' on ' || (node ->> 'Alias'), ', '
	                          ORDER BY node ->> 'Alias')
	          FROM jsonb_path_query(plan, 'strict $.** ? (exists(@."Relation Name"))') AS node);
END $$;

-- the filter may be a subquery's, a literal, a parameter's, another table's, a
-- stable function's; on either side of the operator, or in a call
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS subquery;
SELECT scans('SELECT FROM events WHERE user_id <@ (SELECT members FROM audience)') AS commuted;
SELECT scans('SELECT FROM events WHERE ribbon_contains((SELECT members FROM audience), user_id)') AS call;
SELECT members AS literal FROM audience \gset
SELECT scans(format('SELECT FROM events WHERE %L::ribbonfilter @> user_id', :'literal')) AS literal;
SELECT scans('SELECT FROM events, audience AS a WHERE a.members @> user_id') AS joined;
SELECT scans('SELECT FROM events LEFT JOIN audience AS a ON a.members @> user_id') AS rows_kept;
SELECT scans('SELECT FROM audience AS a LEFT JOIN events ON a.members @> user_id') AS filters_kept;
SELECT scans('SELECT n FROM audience AS a, LATERAL (SELECT count(*) AS n FROM events WHERE members @> user_id OFFSET 0) AS s') AS lateral;
SELECT scans('SELECT FROM audience AS a WHERE EXISTS (SELECT FROM events WHERE members @> user_id OFFSET 0)') AS correlated;
CREATE FUNCTION members_of(text) RETURNS ribbonfilter STABLE LANGUAGE sql RETURN (SELECT members FROM audience WHERE name = $1);
SELECT scans($$SELECT FROM events WHERE members_of(clock_timestamp()::text) @> user_id$$) AS volatile_filter;
SELECT scans($$SELECT FROM events WHERE members_of(current_user) @> user_id$$) AS stable_filter;
SET plan_cache_mode = force_generic_plan;
PREPARE by_parameter(ribbonfilter) AS SELECT FROM events WHERE $1 @> user_id;
SELECT scans('EXECUTE by_parameter(NULL)') AS parameter;
RESET plan_cache_mode;
SELECT scans('SELECT FROM events WHERE (SELECT names FROM audience) @> name') AS text_key;

-- a map is probed likewise
CREATE TABLE plans AS SELECT ribbon_map(i, i % 9) AS m, ribbon_map(i, 'plan ' || i % 9) AS names FROM generate_series(0, 19999, 2) AS i;
ANALYZE plans;
SELECT scans('SELECT FROM events WHERE (SELECT m FROM plans) @> user_id') AS map,
       scans('SELECT FROM events WHERE user_id <@ (SELECT m FROM plans)') AS commuted,
       scans('SELECT FROM events WHERE ribbon_contains((SELECT m FROM plans), user_id)') AS call;

-- and where a comparison is NULL without a value, which is looked up behind
SELECT scans('SELECT FROM events WHERE (SELECT m FROM plans) -> user_id = 1') AS bigint,
       scans('SELECT FROM events WHERE 2 < (SELECT m FROM plans) -> user_id') AS right_side,
       scans('SELECT FROM events WHERE (SELECT m FROM plans) -> user_id IN (1, 2)') AS one_of;
SELECT scans($$SELECT FROM events WHERE (SELECT names FROM plans) ->> user_id = 'plan 3'$$) AS text,
       scans($$SELECT FROM events WHERE ribbon_get((SELECT names FROM plans), user_id, NULL::text) = 'plan 3'$$) AS typed,
       scans($$SELECT FROM events, plans WHERE m -> user_id = 1$$) AS joined;
-- not if it may hold without one
SELECT scans($$SELECT FROM events WHERE ribbon_get((SELECT names FROM plans), user_id, 'none'::text) = 'plan 3'$$) AS otherwise,
       scans('SELECT FROM events WHERE (SELECT m FROM plans) -> user_id IS NOT NULL') AS not_null,
       scans('SELECT FROM events WHERE (SELECT m FROM plans) -> user_id IS DISTINCT FROM 1') AS is_distinct;
CREATE FUNCTION is_same(bigint, bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 IS NOT DISTINCT FROM $2; END';
CREATE OPERATOR === (FUNCTION = is_same, LEFTARG = bigint, RIGHTARG = bigint);
SELECT scans('SELECT FROM events WHERE (SELECT m FROM plans) -> user_id === NULL') AS not_strict, count(*) > 9500 AS those_without
  FROM events WHERE (SELECT m FROM plans) -> user_id === NULL;
DROP OPERATOR === (bigint, bigint);
DROP FUNCTION is_same;
SELECT scans('SELECT FROM events WHERE (SELECT m FROM plans) -> user_id <> ALL (ARRAY[]::int[])') AS none_of,
       scans('SELECT FROM events WHERE coalesce((SELECT m FROM plans) -> user_id, 1) = 1') AS coalesced,
       scans('SELECT FROM events WHERE kind = ANY (ARRAY[1, (SELECT m FROM plans) -> user_id])') AS element;

-- nor if nearly all keys are found: then most values are looked up twice
CREATE TABLE full_plans AS SELECT ribbon_map(i, i % 9) AS m FROM generate_series(0, 19999) AS i;
CREATE TABLE unchecked AS SELECT ribbon_map(i, i % 9, 1) AS m FROM generate_series(0, 19999, 2) AS i;
ANALYZE full_plans, unchecked;
SELECT scans('SELECT FROM events WHERE (SELECT m FROM full_plans) -> user_id = 1') AS all_found,
       scans('SELECT FROM events WHERE (SELECT m FROM unchecked) -> user_id = 1') AS unchecked;

-- one probe is enough; others are tried behind it
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND (SELECT names FROM audience) @> name') AS two_probes;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND kind < 5 AND id % 7 < 3') AS conditions;

-- not if the key is computed, or its hash is not ours alone to make
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id + 1') AS computed;
SELECT scans('SELECT FROM events WHERE (SELECT ribbon_build(''events''::regclass::oid)) @> tableoid') AS system_column, count(*)
  FROM events WHERE (SELECT ribbon_build('events'::regclass::oid)) @> tableoid;
CREATE TYPE colour AS ENUM ('red', 'green');
CREATE TABLE keys AS SELECT 'red'::colour AS colour, ARRAY[i] AS list, to_jsonb(i) AS json FROM generate_series(1, 20000) AS i;
SELECT scans(format('SELECT FROM keys WHERE %L::ribbonfilter @> colour', :'literal')) AS enum,
       scans(format('SELECT FROM keys WHERE %L::ribbonfilter @> list', :'literal')) AS list,
       scans(format('SELECT FROM keys WHERE %L::ribbonfilter @> json', :'literal')) AS json;

-- nor if the filter depends on a subquery that is not executed by itself
SELECT scans($$SELECT FROM events WHERE CASE WHEN 'eu' IN (SELECT name FROM audience) THEN (SELECT members FROM audience) END @> user_id$$) AS subplan, count(*) >= 200 AS members
  FROM events WHERE CASE WHEN 'eu' IN (SELECT name FROM audience) THEN (SELECT members FROM audience) END @> user_id;

-- nor if the filter is a column of the same table, or the condition is an
-- alternative
CREATE TABLE pairs AS SELECT user_id, literal::ribbonfilter AS members FROM events, (SELECT :'literal') AS s(literal);
SELECT scans('SELECT FROM pairs WHERE members @> user_id') AS own_filter;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id OR kind = 1') AS alternative;
SELECT scans('SELECT FROM events WHERE NOT (SELECT members FROM audience) @> user_id') AS negated;

-- nor if any condition is volatile
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND random() < 2') AS volatile;

-- nor if a condition with a subplan may come first: in two places of the node
-- it would be executed twice; behind the probe it is in one
CREATE TABLE banned AS SELECT i AS id FROM generate_series(1, 100) AS i;
ANALYZE banned;
CREATE FUNCTION executions(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT string_agg(node ->> 'Actual Loops', ', ') FROM jsonb_path_query(plan, 'strict $.** ? (@."Alias" == "banned")') AS node);
END $$;
SELECT scans('SELECT FROM events WHERE id NOT IN (SELECT id FROM banned) AND (SELECT members FROM audience) @> user_id') AS hashed_subplan,
       executions('SELECT FROM events WHERE id NOT IN (SELECT id FROM banned) AND (SELECT members FROM audience) @> user_id') AS executions;
SELECT scans('SELECT FROM events WHERE id <> (SELECT count(*) FROM banned WHERE banned.id <= kind) AND (SELECT members FROM audience) @> user_id') AS behind,
       executions('SELECT FROM events WHERE id <> (SELECT count(*) FROM banned WHERE banned.id <= kind) AND (SELECT members FROM audience) @> user_id')::int < 1000 AS once_per_row;

-- nor if rows are locked or changed; what a subquery reads is not
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id FOR UPDATE') AS locked;
SELECT scans('DELETE FROM events WHERE (SELECT members FROM audience) @> user_id') AS deleted;
SELECT scans('UPDATE events SET kind = 0 WHERE (SELECT members FROM audience) @> user_id') AS updated;
SELECT scans('INSERT INTO events SELECT * FROM events AS e WHERE (SELECT members FROM audience) @> user_id') AS inserted;
SELECT scans($$UPDATE audience AS a SET name = '' WHERE (SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id) > 1$$) AS of_subquery;

-- nor in tables of few rows, or where few come to be probed; that a condition
-- which may fail lets few rows pass counts as well, but it is tried behind
CREATE TABLE few AS SELECT * FROM events LIMIT 900;
ANALYZE few;
SELECT scans('SELECT FROM few WHERE (SELECT members FROM audience) @> user_id') AS few;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND id < 900') AS few_left;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND id % 100 = 1') AS few_left;

-- nor in what is not a heap, or not all of one
CREATE VIEW names AS SELECT DISTINCT user_id FROM events;
SELECT scans('SELECT FROM events TABLESAMPLE system (50) WHERE (SELECT members FROM audience) @> user_id') AS sample;
SELECT scans('SELECT FROM (VALUES (1), (2)) AS v(i) WHERE (SELECT members FROM audience) @> i') AS list;
CREATE MATERIALIZED VIEW kept AS SELECT * FROM events;
ANALYZE kept;
SELECT scans('SELECT FROM kept WHERE (SELECT members FROM audience) @> user_id') AS materialized;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
SELECT scans(format('SELECT FROM pg_attribute WHERE %L::ribbonfilter @> attnum', :'literal')) AS catalog;
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_bitmapscan;
CREATE TABLE copied AS SELECT attrelid, attnum FROM pg_attribute;
ANALYZE copied;
SELECT scans(format('SELECT FROM copied WHERE %L::ribbonfilter @> attnum', :'literal')) AS copy_of_catalog;
DROP TABLE copied;

-- of a partitioned table each partition by itself, with an index where that is better
CREATE TABLE parts (LIKE events) PARTITION BY LIST (kind);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM events;
ANALYZE parts;
SELECT scans('SELECT FROM parts WHERE (SELECT members FROM audience) @> user_id') AS partitions;
SELECT scans('SELECT FROM audience AS a, parts WHERE a.members @> user_id') AS joined_partitions;
-- (also with a table of filters without statistics, as a table of a few rows has none
-- until ANALYZE counts them: pages stay in memory from one scan to the next)
CREATE TABLE fresh AS SELECT members FROM audience, generate_series(1, 3);
CREATE TABLE wide (LIKE events, filler text) PARTITION BY LIST (kind);
CREATE TABLE wide_0 PARTITION OF wide FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE wide_1 PARTITION OF wide DEFAULT;
INSERT INTO wide SELECT *, repeat('x', 300) FROM events;
ANALYZE wide;
SELECT scans('SELECT FROM fresh AS a, wide WHERE a.members @> user_id') AS pages_stay;
SET effective_cache_size = '80kB';
SELECT scans('SELECT FROM fresh AS a, wide WHERE a.members @> user_id') AS pages_go;
RESET effective_cache_size;
DROP TABLE fresh, wide;
CREATE INDEX ON events (id);
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND id BETWEEN 3000 AND 3100') AS index_scan;
CREATE TABLE tree () INHERITS (events);
INSERT INTO tree SELECT * FROM events;
ANALYZE tree;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS inherited;
DROP TABLE tree;

-- nor where conditions hide rows: row security, barriers
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM events WHERE kind > 2;
SELECT scans('SELECT FROM barrier WHERE (SELECT members FROM audience) @> user_id') AS barrier;
CREATE ROLE ribbon_scan_reader;
GRANT SELECT ON events, audience TO ribbon_scan_reader;
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON events USING (kind > 2);
SET ROLE ribbon_scan_reader;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS row_security;
RESET ROLE;
ALTER TABLE events DISABLE ROW LEVEL SECURITY;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS no_row_security;

-- who may not call the function may not have it called by a page
REVOKE EXECUTE ON FUNCTION ribbon_contains(ribbonfilter, anycompatible) FROM PUBLIC;
SET ROLE ribbon_scan_reader;
SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id;
RESET ROLE;
GRANT EXECUTE ON FUNCTION ribbon_contains(ribbonfilter, anycompatible) TO PUBLIC;

-- enable_seqscan means these scans, too; ribbon.batch means them alone
SET enable_seqscan = off;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id AND id > 0') AS index_instead;
RESET enable_seqscan;
SET ribbon.batch = off;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS by_the_row;
RESET ribbon.batch;

-- EXPLAIN has the conditions in the planner's order, as a Seq Scan's; and says
-- what was probed
\pset format unaligned
EXPLAIN (COSTS OFF) SELECT FROM events WHERE '\x1101c32d03000400510833'::ribbonfilter @> user_id AND id % 7 < 3 AND kind < 5;
SET ribbon.batch = off;
EXPLAIN (COSTS OFF) SELECT FROM events WHERE '\x1101c32d03000400510833'::ribbonfilter @> user_id AND id % 7 < 3 AND kind < 5;
RESET ribbon.batch;
\pset format aligned
CREATE FUNCTION first_scan(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN jsonb_path_query(plan, 'strict $.** ? (@."Relation Name" == "events")');
END $$;
SELECT plan ->> 'Rows Removed by Filter' AS removed, plan ->> 'Keys Probed' AS probed, plan ->> 'Keys Passed' AS passed,
       (plan ->> 'Probe Batches')::int - pg_relation_size('events') / current_setting('block_size')::int BETWEEN 0 AND 10 AS a_page_each
  FROM first_scan(format('SELECT FROM events WHERE %L::ribbonfilter @> user_id AND kind < 5', :'literal')) AS plan;
SET ribbon.batch = off;
SELECT plan ->> 'Rows Removed by Filter' AS removed
  FROM first_scan(format('SELECT FROM events WHERE %L::ribbonfilter @> user_id AND kind < 5', :'literal')) AS plan;
RESET ribbon.batch;

-- a session's first query has it, before anything else has loaded the library
\c -
SET max_parallel_workers_per_gather = 0;
SELECT scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS first;

-- not in a table of another access method, whose pages are not heap's
CREATE ACCESS METHOD ribbon_heap TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE others USING ribbon_heap AS SELECT * FROM events;
ANALYZE others;
SELECT scans('SELECT FROM others WHERE (SELECT members FROM audience) @> user_id') AS other, scans('SELECT FROM events WHERE (SELECT members FROM audience) @> user_id') AS heap;
DROP TABLE others;
DROP ACCESS METHOD ribbon_heap;

DROP OWNED BY ribbon_scan_reader;
DROP ROLE ribbon_scan_reader;
DROP FUNCTION members_of, scans, executions, first_scan;
DROP MATERIALIZED VIEW kept;
DROP VIEW barrier, names;
DROP TABLE plans, full_plans, unchecked, events, audience, keys, pairs, few, parts, banned;
DROP TYPE colour;
