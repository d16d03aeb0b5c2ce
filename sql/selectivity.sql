--
-- How many rows the planner expects a probe to let through
--
CREATE TABLE events AS SELECT i AS id, i % 100 AS g, NULLIF(i % 2, 0) * i AS half, i::text AS t
  FROM generate_series(1, 10000) AS i;
CREATE TABLE filters AS SELECT 1 AS id, ribbon_build(i) AS f FROM generate_series(1, 100) AS i;
ANALYZE events, filters;

-- the number of rows expected from the first node of a plan
CREATE FUNCTION expected_rows(condition text, tables text DEFAULT 'events') RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) SELECT FROM ' || tables || ' WHERE ' || condition INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;

SELECT f AS hundred FROM filters \gset
SELECT ribbon_build(i) AS fifty FROM generate_series(1, 50) AS i \gset
SELECT ribbon_build(i::text) AS words FROM generate_series(1, 1000) AS i \gset

-- a known filter: of 10000 ids the 100 in it, and 1 % of the others
SELECT expected_rows(format('%L::ribbonfilter @> id', :'hundred')) AS operator,
       expected_rows(format('id <@ %L::ribbonfilter', :'hundred')) AS commuted,
       expected_rows(format('ribbon_contains(%L, id)', :'hundred')) AS function;

-- of 100 distinct values 50, and again 1 % of the rest; where half is NULL
SELECT expected_rows(format('%L::ribbonfilter @> g', :'fifty')) AS values_repeat,
       expected_rows(format('%L::ribbonfilter @> half', :'hundred')) BETWEEN 140 AND 160 AS half_is_null;

-- exact sets: 100 members alone, as all keys are known; or, with a rate, that share of the others, too
SELECT ribbon_build_exact(i, i <= 100) AS universe, ribbon_build_exact(i, i <= 100, 0.25) AS rated FROM generate_series(1, 200) AS i \gset
SELECT expected_rows(format('%L::ribbonfilter @> id', :'universe')) AS universe,
       expected_rows(format('%L::ribbonfilter @> id', :'rated')) AS rated;
CREATE TABLE rated AS SELECT :'rated'::ribbonfilter AS f;
ANALYZE rated;
SELECT expected_rows('id <@ (SELECT f FROM rated)') AS rated_from_a_table;
DROP TABLE rated;

-- text
SELECT expected_rows(format('%L::ribbonfilter @> t', :'words')) BETWEEN 1080 AND 1100 AS text;

-- more keys than there are values; no keys; NULL
SELECT expected_rows(format('%L::ribbonfilter @> g', :'hundred')) AS all_rows,
       expected_rows('''\x1101000000''::ribbonfilter @> id') AS empty_filter,
       expected_rows('NULL::ribbonfilter @> id') AS no_filter;

-- a filter from a table: by the means of its column's filters, here one of 100 keys
SELECT expected_rows('(SELECT f FROM filters) @> id') AS subquery,
       expected_rows('id <@ (SELECT f FROM filters WHERE id = 1)') AS commuted,
       expected_rows('ribbon_contains((SELECT f FROM filters), id)') AS function;

-- likewise in a join
SELECT expected_rows('f @> events.id', 'events, filters') AS operator,
       expected_rows('events.id <@ f', 'events, filters') AS commuted,
       expected_rows('ribbon_contains(f, events.id)', 'events, filters') AS function;

-- a table of filters, in line and out of line: estimates are within a factor
-- of three of the truth
CREATE TABLE sets AS SELECT s AS id, ribbon_build(i) AS f
  FROM generate_series(1, 100) AS s, LATERAL generate_series(s * 50, s * 50 + s * 70) AS i GROUP BY s;
ANALYZE sets;
CREATE FUNCTION is_close(condition text, tables text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM ' || tables || ' WHERE ' || condition INTO n;
	RETURN expected_rows(condition, tables) BETWEEN n / 3 AND n * 3;
END $$;
SELECT is_close('f @> events.id', 'events, sets') AS join,
       is_close('events.id <@ f AND sets.id BETWEEN 40 AND 60', 'events, sets') AS some,
       is_close('(SELECT f FROM sets WHERE id = 50) @> id', 'events') AS subquery;

-- so it is if the column is of a domain
CREATE DOMAIN members AS ribbonfilter;
CREATE TABLE domains AS SELECT id, f::members AS f FROM sets;
ANALYZE domains;
SELECT expected_rows('(SELECT f FROM domains LIMIT 1) @> id') = expected_rows('(SELECT f FROM sets LIMIT 1) @> id') AS operator,
       is_close('ribbon_contains((SELECT f FROM domains WHERE id = 50), id)', 'events') AS function,
       is_close('f @> events.id', 'events, domains') AS join;
DROP TABLE domains;
DROP DOMAIN members;

-- which of them hold a key?  and what of a filter, or a column of filters, of
-- which nothing is known?  5 %
CREATE TABLE unknown AS TABLE sets;
CREATE TABLE truths AS SELECT ribbon_build(s > 50) AS f FROM generate_series(1, 100) AS s GROUP BY s;
ANALYZE truths;
SELECT expected_rows('42 <@ f', 'sets') BETWEEN 5 AND 7 AS one_key, expected_rows('true <@ f', 'truths') BETWEEN 5 AND 7 AS of_two, expected_rows('(SELECT f FROM unknown LIMIT 1) @> id') AS no_statistics;
CREATE FUNCTION expected_generic() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PREPARE unknown_filter(ribbonfilter) AS SELECT FROM events WHERE $1 @> id;
	EXECUTE 'EXPLAIN (FORMAT JSON) EXECUTE unknown_filter(''\x1101000000'')' INTO plan;
	DEALLOCATE unknown_filter;
	RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SET plan_cache_mode = force_generic_plan;
SELECT expected_generic();
RESET plan_cache_mode;

-- a stable function is called once for that, not for the cost as well
CREATE SEQUENCE calls;
CREATE FUNCTION hundred() RETURNS ribbonfilter LANGUAGE plpgsql STABLE AS $$
BEGIN
	PERFORM nextval('calls');
	RETURN (SELECT f FROM filters);
END $$;
SELECT expected_rows('hundred() @> id') AS operator, expected_rows('ribbon_contains(hundred(), id)') AS function;
SELECT last_value AS calls FROM calls;

-- a probe is made after cheaper conditions, and before a join
SELECT ribbon_build(i) AS three FROM generate_series(1, 3) AS i \gset
SET ribbon.batch = off;
EXPLAIN (COSTS OFF) SELECT FROM events WHERE :'three'::ribbonfilter @> id AND g > 5;
EXPLAIN (COSTS OFF) SELECT FROM sets WHERE 42 <@ f AND id > 5;
EXPLAIN (COSTS OFF) SELECT FROM events JOIN events AS e USING (g) WHERE ribbon_contains(:'three', events.id);
-- probes of an array cost more, so they come after more
CREATE TABLE lists AS SELECT i AS id, ARRAY(SELECT generate_series(i, i + 39)) AS keys FROM generate_series(1, 100) AS i;
ANALYZE lists;
EXPLAIN (COSTS OFF) SELECT FROM lists WHERE ribbon_contains_any(:'three', keys) AND id + 1 - 2 + 3 = 4;
EXPLAIN (COSTS OFF) SELECT FROM lists WHERE ribbon_contains(:'three', id) AND id + 1 - 2 + 3 = 4;
DROP TABLE lists;

-- what it costs goes by the filter's size, and by whether each row has its own
CREATE FUNCTION expected_cost(condition text, tables text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) SELECT FROM ' || tables || ' WHERE ' || condition INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Total Cost';
END $$;
CREATE TABLE large AS SELECT ribbon_build(i) AS f FROM generate_series(1, 300000) AS i;
ANALYZE large;
SELECT expected_cost('id > 5', 'events') < expected_cost(format('%L::ribbonfilter @> id', :'hundred'), 'events') AS than_comparison,
       expected_cost('(SELECT f FROM filters) @> id', 'events') < expected_cost('(SELECT f FROM large) @> id', 'events') AS than_small,
       expected_cost('42 <@ f', 'sets') > 2 * expected_cost('id = 42', 'sets') AS in_slices;

-- an estimate never fails, whatever it is asked: of an expression, whose distinct values are not known, 5 %
-- and 1 % of the rest; of a key of another class, which the query would refuse, as of one of the filter's
SELECT expected_rows(format('%L::ribbonfilter @> (id * 2 + 1)', :'hundred')) AS expression,
       expected_rows(format('%L::ribbonfilter @> t', :'hundred')) AS wrong_class,
       expected_rows(format('%L::ribbonfilter @> random()', :'hundred')) AS volatile;

RESET ribbon.batch;
DROP FUNCTION expected_rows, expected_cost, expected_generic, is_close, hundred;
DROP SEQUENCE calls;
DROP TABLE events, filters, sets, truths, unknown, large;
