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

-- text, by the other overload
SELECT expected_rows(format('%L::ribbonfilter @> t', :'words')) BETWEEN 1080 AND 1100 AS text;

-- more keys than there are values; no keys; NULL
SELECT expected_rows(format('%L::ribbonfilter @> g', :'hundred')) AS all_rows,
       expected_rows('''\x1101000000''::ribbonfilter @> id') AS empty_filter,
       expected_rows('NULL::ribbonfilter @> id') AS no_filter;

-- a filter that the planner does not know: 5 %
SELECT expected_rows('(SELECT f FROM filters) @> id') AS from_a_table,
       expected_rows('id <@ (SELECT f FROM filters)') AS commuted,
       expected_rows('ribbon_contains((SELECT f FROM filters), id)') AS function;

-- likewise in a join
SELECT expected_rows('f @> events.id', 'events, filters') AS operator,
       expected_rows('events.id <@ f', 'events, filters') AS commuted;

-- an estimate never fails, whatever it is asked
SELECT expected_rows(format('%L::ribbonfilter @> (id * 2 + 1)', :'hundred')) > 0 AS expression,
       expected_rows(format('%L::ribbonfilter @> t', :'hundred')) > 0 AS wrong_class,
       expected_rows(format('%L::ribbonfilter @> random()', :'hundred')) > 0 AS volatile;

DROP FUNCTION expected_rows;
DROP TABLE events, filters;
