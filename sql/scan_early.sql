--
-- Scans by the page that end early, turn back, or start again
--
SET max_parallel_workers_per_gather = 0;
CREATE TABLE events WITH (autovacuum_enabled = false) AS
SELECT i AS id, i % 1000 AS user_id, i % 2 AS kind, repeat('x', i % 100) AS filler FROM generate_series(1, 20000) AS i;
CREATE TABLE audience AS
SELECT 'few' AS name, ribbon_build(i, 1e-9) AS members FROM generate_series(500, 509) AS i
UNION ALL SELECT 'large', ribbon_build(i, 1e-9) FROM generate_series(0, 40000, 2) AS i;
CREATE TABLE nothing (i int);
ANALYZE events, audience;

-- what a query's scan of events tells
CREATE FUNCTION events_scan(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
	RETURN jsonb_path_query_first(plan, 'strict $.** ? (@."Alias" == "events")');
END $$;

-- the node that scans events, of which nothing is executed
CREATE FUNCTION node(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT coalesce(node ->> 'Custom Plan Provider', node ->> 'Node Type')
	          FROM jsonb_path_query_first(plan, 'strict $.** ? (@."Alias" == "events")') AS node);
END $$;

-- who wants few rows does not pay for a page: as many keys are probed ahead as
-- were probed before, at most.  (Every second one is a member; a batch ends with
-- its page, wherever that is.)
SELECT n, scan ->> 'Custom Plan Provider' AS scan, (scan ->> 'Keys Probed')::int AS probed,
       (scan ->> 'Probe Batches')::int AS batches, (scan ->> 'Rows Removed by Filter')::int AS removed
  FROM unnest(ARRAY[1, 2, 4]) AS n,
       events_scan(format($$SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id LIMIT %s$$, n)) AS scan;
SELECT n, (scan ->> 'Keys Probed')::int BETWEEN 2 * n AND 4 * n AS few_probed,
       (scan ->> 'Probe Batches')::int BETWEEN 5 AND 15 AS few_batches, (scan ->> 'Rows Removed by Filter')::int AS removed
  FROM unnest(ARRAY[30, 100]) AS n,
       events_scan(format($$SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id LIMIT %s$$, n)) AS scan;
SELECT (scan ->> 'Keys Probed')::int AS probed
  FROM events_scan($$SELECT EXISTS (SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id)$$) AS scan;

-- nor is a large filter read for them: slices of it are
SELECT (scan ->> 'Shared Hit Blocks')::int + (scan ->> 'Shared Read Blocks')::int < 40 AS few_blocks
  FROM events_scan($$SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id LIMIT 1$$) AS scan;

-- a condition that may fail is tried on no row that the query does not ask for,
-- cheap as it may be: the probe goes first
SELECT node($$SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND 1 / (id - 501) > -2 LIMIT 1$$),
       node($$SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND kind = 1 AND sqrt(600 - id) > 0$$);
SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND 1 / (id - 501) > -2 LIMIT 1;
SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND 1 / (id - 501) > -2 LIMIT 2;
SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND 1 / (id - 511) > -2 LIMIT 11;
SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND kind = 1 AND sqrt(600 - id) > 0;
CREATE FUNCTION tell(int) RETURNS boolean LANGUAGE plpgsql COST 0.001 AS $$
BEGIN
	RAISE NOTICE 'tried on %', $1;
	RETURN true;
END $$;
ALTER FUNCTION tell(int) IMMUTABLE;
SELECT id FROM events WHERE tell(id) AND (SELECT members FROM audience WHERE name = 'few') @> user_id LIMIT 2;

-- what is wrong with a filter, or a map, or the subquery that gives it, is an
-- error with the first row that a Seq Scan probes
CREATE TABLE wrong AS SELECT ribbon_build('a'::text) AS f, ribbon_map(i, 'a'::text) AS m FROM generate_series(1, 9) AS i;
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM (' || query || ') AS s' INTO n;
	RETURN n;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT low, probe, node(query), answer(query)
  FROM (VALUES (0), (19990), (20000)) AS l(low),
       (VALUES ('(SELECT f FROM wrong) @> user_id'), ('(SELECT m FROM wrong) -> user_id = 1'), ('(SELECT members FROM audience, wrong) @> user_id')) AS p(probe),
       LATERAL (SELECT format('SELECT id FROM events WHERE id / %s <> 0 AND %s', low + 1, probe) AS query) AS q
 ORDER BY low, probe;

-- a comparison of texts may fail, too: by which collation?
CREATE TABLE texts AS SELECT id, user_id, filler COLLATE "C" AS a, filler COLLATE "POSIX" AS b FROM events;
ANALYZE texts;
SELECT id FROM texts WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id AND (id <= 4 OR a < b) LIMIT 2;
SELECT id FROM texts WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id AND (id <= 4 OR a < b) LIMIT 3;
DROP TABLE texts;

-- and so may starts_with, under a nondeterministic collation (and when the
-- planner tries it on statistics)
SET client_min_messages = warning;
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
RESET client_min_messages;
CREATE TABLE names AS SELECT id, user_id, ('name ' || id) COLLATE ignore_case AS name FROM events;
ALTER TABLE names ALTER name SET STATISTICS 0;
ANALYZE names;
SELECT id FROM names WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id AND (id <= 4 OR NOT name ^@ 'x') LIMIT 2;
SELECT id FROM names WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id AND (id <= 4 OR NOT name ^@ 'x') LIMIT 3;

-- a Seq Scan is better if few rows pass such a condition
SELECT node($$SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND id % 100 = 3$$);

-- one that cannot is tried ahead, and its rows are not probed
SELECT scan ->> 'Keys Probed' AS probed, scan ->> 'Keys Passed' AS passed
  FROM events_scan($$SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id AND id BETWEEN 1001 AND 11000
                        AND kind = 0 AND user_id < 500$$) AS scan;

-- a subquery of a condition that never comes to be needed is not executed, one
-- that comes to be needed is
SELECT count(*) FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id AND id < 0 AND id < (SELECT 1 / i FROM nothing);
SELECT count(*) FROM (SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id
                         AND (id <= 2 OR id < (SELECT 1 / (count(*) - count(*)) FROM nothing)) LIMIT 1) AS s;
SELECT count(*) FROM (SELECT FROM events WHERE (SELECT members FROM audience WHERE name = 'large') @> user_id
                         AND (id <= 2 OR id < (SELECT 1 / (count(*) - count(*)) FROM nothing)) LIMIT 2) AS s;
SELECT count(*) FROM events WHERE (SELECT ribbon_build(1 / (i - i)) FROM generate_series(1, 2) AS i) @> user_id AND id < 0;

-- the filter's errors come with the first key that is not NULL
SELECT count(*) FROM events WHERE (SELECT ribbon_build('a'::text)) @> user_id AND id > 30000;
SELECT count(*) FROM events WHERE (SELECT ribbon_build('a'::text)) @> NULLIF(user_id, user_id);
SELECT count(*) FROM events WHERE (SELECT ribbon_build('a'::text)) @> user_id;

-- keys of a type that can be none matter to no filter that is NULL
SELECT count(*) FROM names WHERE (SELECT NULL::ribbonfilter) @> name;
SELECT count(*) FROM names WHERE (SELECT ribbon_build('a'::text)) @> name;
DROP TABLE names;
DROP COLLATION ignore_case;

-- cursors: forwards, backwards, to and fro over the borders of pages
SELECT node($$SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id$$);
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
FETCH 3 FROM c;
FETCH BACKWARD 2 FROM c;
FETCH 2 FROM c;
MOVE 30 IN c;
FETCH 1 FROM c;
FETCH RELATIVE 0 FROM c;
FETCH BACKWARD 12 FROM c;
FETCH 3 FROM c;
MOVE ALL IN c;
FETCH BACKWARD 3 FROM c;
FETCH ALL FROM c;
MOVE BACKWARD ALL IN c;
FETCH 2 FROM c;
FETCH ABSOLUTE 150 FROM c;
FETCH LAST FROM c;
FETCH NEXT FROM c;
FETCH PRIOR FROM c;
FETCH FIRST FROM c;
FETCH PRIOR FROM c;
FETCH NEXT FROM c;
COMMIT;

-- every way through a table of a few pages, row by row: a cursor that is turned
-- at any place gives what is there
CREATE FUNCTION walk(batch text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	here int;
	seen text := '';
BEGIN
	PERFORM set_config('ribbon.batch', batch, true), setseed(0.7);
	OPEN c SCROLL FOR EXECUTE $q$SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND id < 9000$q$;
	FOR step IN 1..400 LOOP
		IF random() < 0.6 THEN
			FETCH NEXT FROM c INTO here;
		ELSE
			FETCH PRIOR FROM c INTO here;
		END IF;
		seen := seen || ' ' || coalesce(here::text, '-');
	END LOOP;
	CLOSE c;
	RETURN md5(seen) || ' ' || length(seen);
END $$;
SELECT walk('on') = walk('off') AS same_way;

-- WITH HOLD; SCROLL of a plan that cannot turn by itself; WHERE CURRENT OF
BEGIN;
DECLARE held CURSOR WITH HOLD FOR SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
FETCH 2 FROM held;
DECLARE joined SCROLL CURSOR FOR SELECT name, id FROM audience, events WHERE members @> user_id AND name = 'few';
FETCH 3 FROM joined;
FETCH PRIOR FROM joined;
DECLARE place CURSOR FOR SELECT id FROM events WHERE '\x1101c32d03000400510833'::ribbonfilter @> user_id;
FETCH 2 FROM place;
UPDATE events SET filler = 'here' WHERE CURRENT OF place RETURNING id;
FETCH 1 FROM place;
DELETE FROM events WHERE CURRENT OF place RETURNING id;
COMMIT;
FETCH 2 FROM held;
CLOSE held;
SELECT id FROM events WHERE filler = 'here';

-- a cursor sees neither what its session does meanwhile nor what it undoes
BEGIN;
DECLARE c CURSOR FOR SELECT count(*) OVER (), id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
SELECT count(*) FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
DECLARE d CURSOR FOR SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
FETCH 1 FROM d;
SAVEPOINT s;
UPDATE events SET user_id = 1 WHERE user_id BETWEEN 500 AND 509;
FETCH 1 FROM d;
ROLLBACK TO s;
FETCH 1 FROM d;
DELETE FROM events WHERE user_id BETWEEN 500 AND 509;
FETCH 1 FROM d;
FETCH 1 FROM c;
ROLLBACK;

-- errors within a savepoint and after it
BEGIN;
SELECT count(*) FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
SAVEPOINT s;
SELECT count(*) FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND 1 / (id - 10509) = 0;
ROLLBACK TO s;
SELECT count(*) FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id;
COMMIT;

-- prepared statements: filters that change, plans that are kept, tables that
-- change under them
PREPARE members_of(text) AS SELECT count(*), min(id), max(id) FROM events WHERE (SELECT members FROM audience WHERE name = $1) @> user_id;
EXECUTE members_of('few');
SET plan_cache_mode = force_generic_plan;
EXECUTE members_of('few');
EXECUTE members_of('large');
EXECUTE members_of('none');
UPDATE audience SET members = (SELECT ribbon_build(i, 1e-9) FROM generate_series(600, 602) AS i) WHERE name = 'few';
EXECUTE members_of('few');
INSERT INTO events VALUES (30000, 601);
EXECUTE members_of('few');
ALTER TABLE events ALTER user_id TYPE bigint;
EXECUTE members_of('few');
PREPARE of_filter(ribbonfilter) AS SELECT count(*), min(id) FROM events WHERE $1 @> user_id;
CREATE FUNCTION named(text) RETURNS ribbonfilter STABLE LANGUAGE sql AS 'SELECT members FROM audience WHERE name = $1';
EXECUTE of_filter(named('few'));
EXECUTE of_filter(named('large'));
EXECUTE of_filter(NULL);
RESET plan_cache_mode;

-- started again for each row of another table, with and without end
SELECT name, (SELECT id FROM events WHERE members @> user_id LIMIT 1) AS first,
       (SELECT count(*) FROM events WHERE members @> user_id AND id > 19000) AS last
  FROM audience ORDER BY name;
SELECT i, (SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND id > i * 2000 AND id < 30000 LIMIT 1) AS next
  FROM generate_series(0, 10) AS i;
WITH RECURSIVE steps AS (
	SELECT 0 AS id UNION ALL
	SELECT (SELECT id FROM events WHERE (SELECT members FROM audience WHERE name = 'few') @> user_id AND id > steps.id AND id < 30000 LIMIT 1)
	  FROM steps WHERE id < 5000)
SELECT string_agg(id::text, ' ') AS steps FROM steps;

-- conditions of each kind, tried before and after the filter or left out of that: the rows are those of a Seq Scan
CREATE TABLE kinds AS SELECT i AS id, i % 1000 AS user_id, ('v' || i % 7)::varchar AS v, 'v5' AS w, CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END AS b
  FROM generate_series(1, 20000) AS i;
ANALYZE kinds;
CREATE FUNCTION both_ways(condition text) RETURNS TABLE (node text, nrows bigint, same boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT count(*), sum(id::bigint * id) FROM kinds AS events WHERE (SELECT members FROM audience WHERE name = ''few'') @> user_id AND %s', condition);
	plain record;
	batched record;
BEGIN
	EXECUTE query INTO batched;
	node := node(query);
	PERFORM set_config('ribbon.batch', 'off', true);
	EXECUTE query INTO plain;
	PERFORM set_config('ribbon.batch', 'on', true);
	nrows := plain.count;
	same := plain = batched;
	RETURN NEXT;
END $$;
SELECT condition, result.* FROM unnest(ARRAY['id IS DISTINCT FROM 501', 'b IS TRUE', 'b IS NOT UNKNOWN AND NOT b', 'v = ''v5''', 'v IN (''v5'', w)', 'texteq(v, ''v5'')', 'starts_with(v, ''v5'')',
       'int4eq(id, 501)', 'id IN (501, user_id, 7)', 'current_user <> ''no one'''])
  WITH ORDINALITY AS c(condition, n), both_ways(condition) AS result ORDER BY n;
-- without statistics of the table's use, too
SET track_counts = off;
SELECT * FROM both_ways('true');
RESET track_counts;
DROP FUNCTION both_ways;
DROP TABLE kinds;

DROP FUNCTION events_scan, node, walk, tell, named, answer;
DROP TABLE events, audience, nothing, wrong;
