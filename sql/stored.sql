--
-- Probing filters that are stored: in slices, or read once
--

-- buffers that a query touches, as EXPLAIN counts them
CREATE FUNCTION buffers(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
END $$;

CREATE TABLE filters (name text PRIMARY KEY, n int, f ribbonfilter);
CREATE FUNCTION filter_of(first int, n int) RETURNS ribbonfilter LANGUAGE sql AS
	'SELECT ribbon_build(i, 0.001) FROM generate_series(first, first + n - 1) AS i';
INSERT INTO filters SELECT 'large', 300000, filter_of(1, 300000);
INSERT INTO filters SELECT 'part' || p, 20000, filter_of(20000 * p + 1, 20000) FROM generate_series(0, 7) AS p;
CREATE TABLE keys AS SELECT k FROM generate_series(1, 200000) AS k;
VACUUM ANALYZE filters, keys;

-- every kind of filter gives the same answers in slices (each of these stored
-- values is probed once) as in memory
CREATE TABLE copies AS SELECT kind, width, rate, f AS plain FROM unnest('{burr,homogeneous}'::text[]) AS kind,
       unnest('{32,64,128}'::int[]) AS width, unnest('{0.3,0.01,0.000001}'::float8[]) AS rate,
       LATERAL (SELECT ribbon_build(i, rate, format('kind=%s,width=%s', kind, width)) AS f FROM generate_series(1, 9000) AS i) AS s;
CREATE TABLE stored (kind text, width int, rate float8, k int, f ribbonfilter);
ALTER TABLE stored ALTER f SET STORAGE external;
INSERT INTO stored SELECT kind, width, rate, k, plain::bytea::ribbonfilter FROM copies, generate_series(8901, 9100) AS k;
CREATE TABLE answers AS SELECT kind, width, rate, k, f @> k AS in_slices FROM stored;
SELECT kind, width, count(*) AS probes, count(*) FILTER (WHERE in_slices AND k <= 9000) AS members_found,
       count(*) FILTER (WHERE in_slices = (plain @> k)) AS agree
  FROM answers JOIN (SELECT kind, width, rate, plain::bytea::ribbonfilter AS plain FROM copies OFFSET 0) AS c USING (kind, width, rate)
 GROUP BY kind, width ORDER BY kind, width;

-- each of them took few buffers: header and slots, found in one index scan
SELECT buffers('SELECT f @> k FROM stored') / count(*) < 8 AS few_buffers FROM stored;
SELECT buffers('SELECT f @> 42 FROM filters WHERE name = ''large''') < 20 AS in_slices,
       buffers('SELECT length(f::bytea::text) FROM filters WHERE name = ''large''') > 45 * 8192 / current_setting('block_size')::int AS whole;

-- what a filter says of itself is in its header
SELECT buffers('SELECT ribbon_cardinality(f), ribbon_fpr(f), ribbon_stats(f) FROM filters WHERE name = ''large''') < 30 AS in_slices,
       ribbon_cardinality(f) AS keys, (ribbon_stats(f)).bytes = length(f::bytea) AS bytes FROM filters WHERE name = 'large';

-- a filter that is probed all over again is read once, however it comes
CREATE TABLE forms (name text, query text);
INSERT INTO forms VALUES
	('scalar subquery', 'SELECT count(*) FROM keys WHERE (SELECT f FROM filters WHERE name = ''part3'') @> k'),
	('materialized CTE', 'WITH c AS MATERIALIZED (SELECT f FROM filters WHERE name = ''part3'') SELECT count(*) FROM keys, c WHERE f @> k'),
	('join', 'SELECT count(*) FROM keys, filters WHERE name = ''part3'' AND f @> k'),
	('lateral', 'SELECT count(*) FROM filters, LATERAL (SELECT * FROM keys WHERE f @> k OFFSET 0) AS s WHERE name = ''part3'''),
	('commuted', 'SELECT count(*) FROM keys, filters WHERE name = ''part3'' AND k <@ f'),
	('function', 'SELECT count(*) FROM keys, filters WHERE name = ''part3'' AND ribbon_contains(f, k)'),
	('array', 'SELECT count(*) FROM keys, filters WHERE name = ''part3'' AND ribbon_contains_any(f, ARRAY[k])'),
	('two sites', 'SELECT count(*) FROM keys, filters WHERE name = ''part3'' AND f @> k AND k <@ f');
SELECT name, buffers(query) < (SELECT pg_relation_size('keys') / current_setting('block_size')::int + 200) AS read_once FROM forms;
CREATE FUNCTION count_of(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE query INTO n;
	RETURN n;
END $$;
SELECT name, count_of(query) BETWEEN 20000 AND 20000 + 300 AS right_count, count_of(query) = first_value(count_of(query)) OVER () AS same
  FROM forms;

-- eight of them in a nested loop, too, where all are found again and again
SET enable_material = off;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 5000) AS k, filters WHERE name LIKE 'part%' AND f @> k$$)
       < 5000 * 2 + 8 * 60 AS read_once;
SELECT name, count(*) FILTER (WHERE f @> k) >= 20000 AS members_found, count(*) FILTER (WHERE f @> k) < 20300 AS few_nonmembers
  FROM keys, filters WHERE name LIKE 'part%' GROUP BY name ORDER BY name;

-- where memory is for one only, the others are probed in slices
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT name, count(*) FILTER (WHERE f @> k AND k > 20000 * substr(name, 5)::int AND k <= 20000 * (substr(name, 5)::int + 1)) AS members_found
  FROM (SELECT * FROM keys WHERE k % 20 = 1) AS k, filters WHERE name LIKE 'part%' GROUP BY name ORDER BY name;
-- (and of filters that are probed once or twice, not even the count is kept)
SELECT count(*) FILTER (WHERE (s.f @> s.k AND s.k <@ s.f) = in_slices) AS agree FROM stored AS s JOIN answers USING (kind, width, rate, k);
-- or kept one after the other
SELECT name, (SELECT count(*) FROM keys WHERE f @> k) BETWEEN 20000 AND 20300 AS found FROM filters WHERE name LIKE 'part%' ORDER BY name;
RESET work_mem;
RESET hash_mem_multiplier;
RESET enable_material;

-- many small ones out of line: each takes more than its bytes, and that counts (a parallel
-- worker would keep those of its own share)
CREATE TABLE small (k int, wide text, f ribbonfilter);
ALTER TABLE small ALTER wide SET STORAGE plain;
INSERT INTO small SELECT n, repeat('x', 2000), ribbon_build(n + i) FROM generate_series(1, 4000) AS n, generate_series(0, 49) AS i GROUP BY n;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '1MB';
SET hash_mem_multiplier = 1;
BEGIN;
SELECT count(*) FROM small WHERE f @> k AND k + 1 <@ f AND f @> (k + 49);
SELECT sum(total_bytes) BETWEEN 0.9 * 1024 * 1024 AND 1.5 * 1024 * 1024 AS as_much_as_allowed FROM pg_backend_memory_contexts WHERE name LIKE 'ribbon filter%';
COMMIT;
RESET work_mem;
RESET hash_mem_multiplier;
RESET max_parallel_workers_per_gather;

-- a rescan with another filter
SELECT p, (SELECT count(*) FROM keys WHERE k <= 40000 AND (SELECT f FROM filters WHERE name = 'part' || p) @> k) >= 20000 AS found
  FROM generate_series(0, 3) AS p;

-- a filter updated within the transaction is another one at once
BEGIN;
SELECT count(*) FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;
UPDATE filters SET f = filter_of(500001, 20000) WHERE name = 'part0';
SELECT count(*) < 100 AS gone FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;
SELECT count(*) FROM generate_series(500001, 520000) AS k, filters WHERE name = 'part0' AND f @> k;
SAVEPOINT s;
UPDATE filters SET f = filter_of(600001, 20000) WHERE name = 'part0';
SELECT count(*) FROM generate_series(600001, 620000) AS k, filters WHERE name = 'part0' AND f @> k;
ROLLBACK TO s;
SELECT count(*) FROM generate_series(500001, 520000) AS k, filters WHERE name = 'part0' AND f @> k;
ROLLBACK;
SELECT count(*) FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;

-- a cursor sees the filter of its own time
BEGIN;
DECLARE c CURSOR FOR SELECT f @> 1, f @> 500001, f @> 2 FROM filters, generate_series(1, 300) WHERE name = 'part0';
FETCH 1 FROM c;
UPDATE filters SET f = filter_of(500001, 20000) WHERE name = 'part0';
FETCH 1 FROM c;
SELECT f @> 1 AS old, f @> 500001 AS new FROM filters WHERE name = 'part0';
MOVE 200 IN c;
FETCH 1 FROM c;
ROLLBACK;

-- what one statement of a transaction has read, the next need not read again
BEGIN;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 2000) AS k, filters WHERE name = 'large' AND f @> k$$) > 80 * 8192 / current_setting('block_size')::int AS read;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 2000) AS k, filters WHERE name = 'large' AND f @> k$$) < 30 AS kept;
SAVEPOINT s;
RELEASE s;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 2000) AS k, filters WHERE name = 'large' AND f @> k$$) < 30 AS kept;
COMMIT;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 2000) AS k, filters WHERE name = 'large' AND f @> k$$) > 80 * 8192 / current_setting('block_size')::int AS read_again;
-- (but it does when any table may have changed)
SET client_min_messages = error;
BEGIN;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 2000) AS k, filters WHERE name = 'large' AND f @> k$$) > 80 * 8192 / current_setting('block_size')::int AS read;
CREATE PUBLICATION ribbon_all FOR ALL TABLES;
SELECT buffers($$SELECT count(*) FROM (SELECT * FROM keys LIMIT 2000) AS k, filters WHERE name = 'large' AND f @> k$$) > 80 * 8192 / current_setting('block_size')::int AS read_again;
ROLLBACK;
RESET client_min_messages;

-- what was read as a filter is none that a cast takes for a map
CREATE CAST (ribbonfilter AS ribbonmap) WITHOUT FUNCTION;
BEGIN;
SELECT count(*) FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;
SAVEPOINT s;
SELECT f::ribbonmap @> 1 FROM filters WHERE name = 'part0';
ROLLBACK TO s;
SELECT CASE WHEN k < 1000 THEN f @> k ELSE f::ribbonmap @> k END FROM keys, filters WHERE name = 'part0';
ROLLBACK;
DROP CAST (ribbonfilter AS ribbonmap);

-- cursors that end before their statement, after it, and after the transaction
BEGIN;
DECLARE c CURSOR FOR SELECT f @> 1 FROM filters, generate_series(1, 300) WHERE name = 'part0';
DECLARE h CURSOR WITH HOLD FOR SELECT f @> 1 AS one FROM filters, generate_series(1, 300) WHERE name = 'part0';
MOVE 200 IN c;
MOVE 200 IN h;
SELECT count(*) FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;
CLOSE c;
SELECT count(*) FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;
COMMIT;
FETCH FROM h;
CLOSE h;
DO $$
DECLARE
	n int := 0;
	r record;
BEGIN
	FOR r IN SELECT f, k FROM keys, filters WHERE name = 'part0' AND k <= 300 AND f @> k LOOP
		BEGIN
			n := n + (r.f @> r.k)::int + (SELECT count(*) FROM filters WHERE name = 'part0' AND f @> r.k);
			IF r.k % 100 = 0 THEN
				RAISE division_by_zero;
			END IF;
		EXCEPTION WHEN division_by_zero THEN
			n := n + 1000;
		END;
	END LOOP;
	RAISE NOTICE 'found: %', n;
END $$;

-- several queries of one portal, which gives its snapshot other command ids
CREATE TABLE counts (n bigint);
CREATE TABLE counts_again (n bigint);
CREATE RULE again AS ON INSERT TO counts DO ALSO INSERT INTO counts_again VALUES (NEW.n);
INSERT INTO counts SELECT count(*) FROM keys, filters WHERE name = 'part0' AND f @> k AND k <= 20000;
SELECT n, (SELECT n FROM counts_again) = n AS same FROM counts;
DROP TABLE counts, counts_again;

-- a loop over filters, and a variable that outlives the stored value
DO $$
DECLARE
	r record;
	g ribbonfilter;
	found int;
	others int;
BEGIN
	FOR r IN SELECT * FROM filters WHERE name LIKE 'part%' ORDER BY name LOOP
		found := 0;
		others := 0;
		FOR k IN 1 .. 160000 BY 16 LOOP
			IF r.f @> k THEN
				IF (k - 1) / 20000 = substr(r.name, 5)::int THEN
					found := found + 1;
				ELSE
					others := others + 1;
				END IF;
			END IF;
		END LOOP;
		RAISE NOTICE '%: % found, few others: %', r.name, found, others < 60;
	END LOOP;
	SELECT f INTO g FROM filters WHERE name = 'part0';
	UPDATE filters SET f = filter_of(500001, 20000) WHERE name = 'part0';
	RAISE NOTICE 'variable: % %', g @> 1, g @> 500001;
	UPDATE filters SET f = g WHERE name = 'part0';
END $$;

-- a procedure that commits
CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$
BEGIN
	FOR round IN 1..3 LOOP
		RAISE NOTICE 'found: %', (SELECT count(*) FROM keys, filters WHERE name = 'part1' AND f @> k AND k BETWEEN 20001 AND 40000);
		COMMIT;
	END LOOP;
END $$;
CALL commits();

-- a function that is not inlined, called for every row
CREATE FUNCTION is_in(k int) RETURNS boolean LANGUAGE sql STABLE SET work_mem = '4MB' AS
	'SELECT f @> k FROM filters WHERE name = ''part1''';
SELECT count(*) FROM keys WHERE k BETWEEN 20001 AND 23000 AND is_in(k);

-- a prepared statement, and a value that moves between its executions
PREPARE find (int, int) AS SELECT count(*) FROM keys, filters WHERE name = 'part2' AND f @> k AND k BETWEEN $1 AND $2;
EXECUTE find(40001, 60000);
VACUUM FULL filters;
EXECUTE find(40001, 60000);
DELETE FROM filters WHERE name = 'part7';
VACUUM filters;
INSERT INTO filters SELECT 'part7', 20000, filter_of(140001, 20000);
EXECUTE find(40001, 60000);
EXECUTE find(40001, 41000);
DEALLOCATE find;

-- several filters for one key, and a filter out of an array of them
SELECT string_agg(name, ' ' ORDER BY name) AS filters FROM filters WHERE 100001 <@ f AND n < 300000 AND name <> 'part0';
SELECT count(*) FROM keys WHERE k BETWEEN 19001 AND 21000
   AND k <@ ANY (ARRAY[(SELECT f FROM filters WHERE name = 'part0'), (SELECT f FROM filters WHERE name = 'part1')]);
SELECT count(*) > 39900 AS all, count(*) < 40400 AS few_others
  FROM keys WHERE k <@ ANY ((SELECT array_agg(f) FROM filters WHERE name IN ('part4', 'part5'))::ribbonfilter[]);
SELECT count(*) FROM keys WHERE k <= 100 AND k <@ ALL (ARRAY[(SELECT f FROM filters WHERE name = 'large'), (SELECT f FROM filters WHERE name = 'part0')]);

-- parallel workers
ALTER TABLE keys SET (parallel_workers = 2);
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT count(*) FROM keys WHERE (SELECT f FROM filters WHERE name = 'large') @> k;
SELECT count(*) FROM keys, filters WHERE name = 'part3' AND f @> k AND k BETWEEN 60001 AND 80000;
RESET max_parallel_workers_per_gather;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;

-- with JIT
SET jit = on;
SET jit_above_cost = 0;
SELECT count(*) FROM keys, filters WHERE name = 'part3' AND f @> k AND k BETWEEN 60001 AND 80000;
RESET jit;
RESET jit_above_cost;

-- an array of keys, few and many, of a stored filter
SELECT ribbon_contains_any(f, ARRAY[500000, 2]) AS "any", ribbon_contains_all(f, ARRAY[1, 2]) AS "all", ribbon_contains_all(f, ARRAY[1, 500000]) AS not_all,
       ribbon_contains_all(f, ARRAY(SELECT k FROM keys)) AS all_of_many, ribbon_contains_any(f, '{}'::int[]) AS none FROM filters WHERE name = 'large';

-- keys of another class are an error in slices as well
SELECT f @> 'one' FROM filters WHERE name = 'large';
SELECT ribbon_contains_any(f, '{}'::text[]) FROM filters WHERE name = 'large';

-- compressed on disk: whole or nothing.  (Slots of zeros are a filter, too.)
CREATE TABLE zeros (f ribbonfilter, plain ribbonfilter);
ALTER TABLE zeros ALTER f SET STORAGE extended, ALTER f SET COMPRESSION pglz, ALTER plain SET STORAGE external;
INSERT INTO zeros
SELECT b, b FROM (SELECT ribbon_build(i, 0.0001, 'kind=homogeneous')::bytea AS real FROM generate_series(1, 1000000) AS i) AS s,
       LATERAL (SELECT (substr(real, 1, 100) || decode(repeat('00', length(real) - 100), 'hex'))::ribbonfilter AS b) AS t;
SELECT pg_column_size(f) BETWEEN 2500 AND 40000 AS is_compressed_and_stored, (SELECT count(*) FROM generate_series(1, 500) AS k WHERE f @> k) AS found,
       (SELECT count(*) FROM generate_series(1, 500) AS k WHERE plain @> k) AS plain_found FROM zeros;

DROP TABLE filters, keys, copies, stored, answers, forms, small, zeros;
DROP FUNCTION buffers, filter_of, count_of, is_in;
DROP PROCEDURE commits;
