--
-- Maps that are stored: looked up in slices, or read once
--

-- buffers that a query touches, as EXPLAIN counts them
CREATE FUNCTION buffers(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
END $$;
CREATE TYPE plan AS ENUM ('free', 'pro', 'max');
CREATE FUNCTION plan_of(k int) RETURNS plan LANGUAGE sql IMMUTABLE AS $$SELECT (ARRAY['free', 'pro', 'max'])[1 + k % 3]::plan$$;

CREATE TABLE maps (name text PRIMARY KEY, map ribbonmap);
CREATE FUNCTION map_of(first int, n int, added int) RETURNS ribbonmap LANGUAGE sql AS
	'SELECT ribbon_map(i, i % 500 + added, 0.001) FROM generate_series(first, first + n - 1) AS i';
INSERT INTO maps SELECT 'large', map_of(1, 200000, 0);
INSERT INTO maps SELECT 'plans', ribbon_map(i, plan_of(i), 0.001) FROM generate_series(1, 200000) AS i;
INSERT INTO maps SELECT 'texts', ribbon_map(i, repeat('x', i % 3000) || i % 3000, 0.001) FROM generate_series(1, 100000) AS i;
INSERT INTO maps SELECT 'wide', ribbon_map(i, ribbon_hash(i), 0.001) FROM generate_series(1, 30000) AS i;
INSERT INTO maps SELECT 'seed', ribbon_map(i, i, 0.001, 'seed=7') FROM generate_series(1, 30000) AS i;
INSERT INTO maps SELECT 'unchecked', ribbon_map(i, i, 1) FROM generate_series(1, 30000) AS i;
INSERT INTO maps SELECT 'part' || p, map_of(20000 * p + 1, 20000, 1000 * p) FROM generate_series(0, 7) AS p;
CREATE TABLE keys AS SELECT k FROM generate_series(1, 200000) AS k;
VACUUM ANALYZE maps, keys;

-- each stored value that is looked up once is read in slices, and gives what it gives in memory, for members and others
CREATE TABLE copies AS SELECT width, rate, seed, values_of, map AS plain FROM unnest('{32,64,128}'::int[]) AS width, unnest('{0.3,0.000001,1}'::float8[]) AS rate, unnest('{0,5}'::int[]) AS seed,
       LATERAL (SELECT 'int' AS values_of, ribbon_map(i, CASE WHEN i % 7 > 0 THEN i % 4000 - 2000 END, rate, format('width=%s,seed=%s', width, seed)) AS map FROM generate_series(1, 9000) AS i
                UNION ALL SELECT 'text', ribbon_map(i, CASE WHEN i % 7 > 0 THEN 'value ' || i % 700 END, rate, format('width=%s,seed=%s', width, seed)) FROM generate_series(1, 9000) AS i
                UNION ALL SELECT 'hash', ribbon_map(i, ribbon_hash(i), rate, format('width=%s,seed=%s', width, seed)) FROM generate_series(1, 9000) AS i) AS s;
CREATE TABLE stored (width int, rate float8, seed int, values_of text, k int, map ribbonmap);
INSERT INTO stored SELECT width, rate, seed, values_of, k, plain::bytea::ribbonmap FROM copies, generate_series(8990, 9009) AS k;
CREATE TABLE answers AS SELECT width, rate, seed, values_of, k, map ->> k AS in_slices, map @> k AS contained FROM stored;
SELECT values_of, count(*) AS lookups, count(*) FILTER (WHERE contained AND k <= 9000) AS members_found,
       count(*) FILTER (WHERE k > 9000 OR in_slices IS NOT DISTINCT FROM CASE values_of WHEN 'hash' THEN ribbon_hash(k)::text WHEN 'int' THEN CASE WHEN k % 7 > 0 THEN (k % 4000 - 2000)::text END
                              ELSE CASE WHEN k % 7 > 0 THEN 'value ' || k % 700 END END) AS right_values,
       count(*) FILTER (WHERE in_slices IS NOT DISTINCT FROM (plain ->> k) AND contained = (plain @> k)) AS agree
  FROM answers JOIN (SELECT width, rate, seed, values_of, plain::bytea::ribbonmap AS plain FROM copies OFFSET 0) AS c USING (width, rate, seed, values_of) GROUP BY values_of ORDER BY values_of;
SELECT values_of, count(*) FILTER (WHERE ribbon_get(s.map, s.k, '') IS NOT DISTINCT FROM CASE WHEN contained THEN in_slices ELSE '' END) AS got
  FROM stored AS s JOIN answers USING (width, rate, seed, values_of, k) WHERE values_of = 'text' GROUP BY values_of;

-- each of them took few buffers, and what a map says of itself is in its header
SELECT values_of, buffers('SELECT map @> k FROM stored WHERE values_of = ''' || values_of || '''') / count(*) < 10 AS few_buffers FROM stored GROUP BY values_of ORDER BY values_of;
SELECT buffers('SELECT map -> 42 FROM maps WHERE name = ''large''') < 20 AS in_slices, buffers('SELECT map ->> 42 FROM maps WHERE name = ''texts''') < 30 AS with_dictionary,
       buffers('SELECT length(map::bytea::text) FROM maps WHERE name = ''large''') > 60 * 8192 / current_setting('block_size')::int AS whole;
SELECT name, buffers(format('SELECT ribbon_cardinality(map), ribbon_fpr(map), ribbon_stats(map) FROM maps WHERE name = %L', name)) < 60 AS in_slices, ribbon_cardinality(map) AS keys,
       (ribbon_stats(map)).bytes = length(map::bytea) AS bytes FROM maps WHERE name NOT LIKE 'part%' ORDER BY name;

-- a map that is looked up all over again is read once, however it comes
CREATE TABLE forms (name text, query text);
INSERT INTO forms VALUES
	('scalar subquery', 'SELECT sum((SELECT map FROM maps WHERE name = ''part3'') -> k) FROM keys WHERE k BETWEEN 60001 AND 80000'),
	('join', 'SELECT sum(map -> k) FROM keys, maps WHERE name = ''part3'' AND k BETWEEN 60001 AND 80000'),
	('text', 'SELECT sum((map ->> k)::bigint) FROM keys, maps WHERE name = ''part3'' AND k BETWEEN 60001 AND 80000'),
	('get', 'SELECT sum(ribbon_get(map, k, 0)) FROM keys, maps WHERE name = ''part3'' AND k BETWEEN 60001 AND 80000'),
	('contained', 'SELECT sum(map -> k) FROM keys, maps WHERE name = ''part3'' AND k <@ map AND map @> k AND k BETWEEN 60001 AND 80000');
CREATE FUNCTION result_of(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE query INTO n;
	RETURN n;
END $$;
SELECT name, buffers(query) < (SELECT pg_relation_size('keys') / current_setting('block_size')::int + 200) AS read_once, result_of(query) = (SELECT sum(k % 500 + 3000) FROM keys WHERE k BETWEEN 60001 AND 80000) AS right FROM forms;
SELECT count(*) FILTER (WHERE map ->> k = plan_of(k)::text) AS texts, count(*) FILTER (WHERE ribbon_get(map, k, NULL::plan) = plan_of(k)) AS plans FROM keys, maps WHERE name = 'plans';
SELECT count(*) FILTER (WHERE map ->> k = repeat('x', k % 3000) || k % 3000) AS texts FROM keys, maps WHERE name = 'texts' AND k <= 20000;
SELECT count(*) FILTER (WHERE map -> k = ribbon_hash(k)) AS hashes FROM keys, maps WHERE name = 'wide' AND k <= 30000;
SELECT name, count(*) FILTER (WHERE map -> k = k) AS found FROM keys, maps WHERE name IN ('seed', 'unchecked') AND k <= 30000 GROUP BY name ORDER BY name;

-- where memory is for one only, the others are looked up in slices
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT name, count(*) FILTER (WHERE map -> k = k % 500 + 1000 * substr(name, 5)::int) AS found
  FROM (SELECT * FROM keys WHERE k % 20 = 1) AS k, maps WHERE name LIKE 'part%' AND (k - 1) / 20000 = substr(name, 5)::int GROUP BY name ORDER BY name;
RESET work_mem;
RESET hash_mem_multiplier;

-- a map that is refreshed within the transaction is another one at once, and the old one again after a rollback
BEGIN;
SELECT sum(map -> k) FROM keys, maps WHERE name = 'part0' AND k <= 20000;
UPDATE maps SET map = map_of(1, 20000, 7) WHERE name = 'part0';
SELECT sum(map -> k) FROM keys, maps WHERE name = 'part0' AND k <= 20000;
SAVEPOINT s;
UPDATE maps SET map = map_of(1, 20000, 70) WHERE name = 'part0';
SELECT sum(map -> k) FROM keys, maps WHERE name = 'part0' AND k <= 20000;
ROLLBACK TO s;
SELECT sum(map -> k) FROM keys, maps WHERE name = 'part0' AND k <= 20000;
ROLLBACK;
SELECT sum(map -> k) FROM keys, maps WHERE name = 'part0' AND k <= 20000;
-- a cursor sees the map of its own time
BEGIN;
DECLARE c CURSOR FOR SELECT map -> 1 AS first, map -> 2 AS second FROM maps, generate_series(1, 300) WHERE name = 'part0';
FETCH 1 FROM c;
UPDATE maps SET map = map_of(1, 20000, 7) WHERE name = 'part0';
MOVE 200 IN c;
FETCH 1 FROM c;
SELECT map -> 1 AS first FROM maps WHERE name = 'part0';
ROLLBACK;

-- filters and maps of one query are kept side by side
CREATE TABLE filters AS SELECT ribbon_build(i, 0.0001) AS filter FROM generate_series(1, 20000) AS i;
SELECT count(*) FILTER (WHERE filter @> k AND map -> k = k % 500) AS found, count(*) FILTER (WHERE map @> k AND NOT filter @> k) < 40 AS few FROM keys, filters, maps WHERE name = 'part0' AND k <= 40000;

-- a loop over maps, a variable that outlives the stored value, an array of maps
DO $$
DECLARE
	r record;
	m ribbonmap;
	maps_of ribbonmap[];
	total bigint;
BEGIN
	FOR r IN SELECT * FROM maps WHERE name LIKE 'part%' ORDER BY name LOOP
		total := 0;
		FOR k IN 1 .. 160000 BY 160 LOOP
			total := total + COALESCE(r.map -> k, 0);
		END LOOP;
		RAISE NOTICE '%: %', r.name, total / 20000;
	END LOOP;
	SELECT map INTO m FROM maps WHERE name = 'part0';
	SELECT array_agg(map ORDER BY name) INTO maps_of FROM maps WHERE name LIKE 'part%';
	UPDATE maps SET map = map_of(1, 20000, 7) WHERE name = 'part0';
	RAISE NOTICE 'variable: %, array: % % %', m -> 1, maps_of[1] -> 1, maps_of[2] -> 20001, maps_of[8] -> 140001;
	UPDATE maps SET map = m WHERE name = 'part0';
END $$;

-- parallel workers, and JIT
ALTER TABLE keys SET (parallel_workers = 2);
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT sum((SELECT map FROM maps WHERE name = 'large') -> k) FROM keys;
SELECT count(*) FILTER (WHERE ribbon_get((SELECT map FROM maps WHERE name = 'plans'), k, NULL::plan) = plan_of(k)) FROM keys;
RESET max_parallel_workers_per_gather;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
SET jit = on;
SET jit_above_cost = 0;
SELECT sum(map -> k) FROM keys, maps WHERE name = 'part3' AND k BETWEEN 60001 AND 80000;
RESET jit;
RESET jit_above_cost;

-- keys of another class, and answers of another type, are errors in slices as well
SELECT map -> 'one' FROM maps WHERE name = 'large';
SELECT map -> 1 FROM maps WHERE name = 'plans';
SELECT ribbon_get(map, 1, 0) FROM maps WHERE name = 'texts';

-- compressed on disk: whole or nothing.  (A map in line or out of it, with a dictionary that compresses well)
CREATE TABLE compressed (map ribbonmap, plain ribbonmap);
ALTER TABLE compressed ALTER map SET STORAGE extended, ALTER map SET COMPRESSION pglz;
INSERT INTO compressed SELECT map, map FROM (SELECT ribbon_map(i, repeat('y', i * m))::bytea::ribbonmap AS map FROM unnest('{50,100}'::int[], '{50,500}'::int[]) AS u (n, m), generate_series(1, n) AS i GROUP BY n) AS s;
SELECT pg_column_size(map) < pg_column_size(plain) / 2 AS is_compressed, pg_column_size(map) < 2000 AS in_line,
       count(*) FILTER (WHERE map ->> k IN (repeat('y', k * 50), repeat('y', k * 500))) AS found, count(*) FILTER (WHERE plain ->> k = map ->> k) AS agree
  FROM compressed, generate_series(1, 50) AS k GROUP BY map, plain;

-- the planner knows a map as it does a filter: from the value, or from the column's statistics
CREATE TABLE places AS SELECT ribbon_map(i, i) AS map FROM generate_series(1, 100) AS p, generate_series(1, 2000) AS i GROUP BY p;
ANALYZE places;
CREATE FUNCTION expected_rows(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
SELECT map AS constant FROM (SELECT ribbon_map(i, i) AS map FROM generate_series(1, 20000) AS i) AS s \gset
SELECT expected_rows(format('SELECT FROM keys WHERE %L::ribbonmap @> k', :'constant')) BETWEEN 21000 AND 23000 AS of_constant,
       expected_rows(format('SELECT FROM keys WHERE k <@ %L::ribbonmap', :'constant')) BETWEEN 21000 AND 23000 AS commuted,
       expected_rows('SELECT FROM keys WHERE (SELECT map FROM places LIMIT 1) @> k') BETWEEN 3800 AND 4200 AS of_column;

DROP TABLE maps, keys, copies, stored, answers, forms, filters, compressed, places;
DROP FUNCTION buffers, plan_of, map_of, result_of, expected_rows;
DROP TYPE plan;
