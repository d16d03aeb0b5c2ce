--
-- ribbonkeys: sets of hashes that travel, and filters built from them
--
SET client_min_messages = warning;

-- the same filter, whichever way its keys came
SELECT ribbon_build(ribbon_key(i)) = ribbon_build(i) AS one_percent, ribbon_build(ribbon_key(i), 0.1) = ribbon_build(i, 0.1) AS rate,
       ribbon_build(ribbon_key(i), 0.1, 'kind=homogeneous, width=128') = ribbon_build(i, 0.1, 'kind=homogeneous, width=128') AS options
  FROM generate_series(1, 20000) AS i;
SELECT n, ribbon_build_keys(s) = (SELECT ribbon_build(i::text) FROM generate_series(1, n) AS i) AS same, sum(ribbon_cardinality(s)) AS keys,
       bool_and(ribbon_check(s)) AS sound
  FROM (SELECT n, ribbon_keys(i::text) AS s FROM unnest('{1,2,3,7,8,9,1000,65536,70000}'::int[]) AS n, generate_series(1, n) AS i GROUP BY n, i % 4) AS sets
 GROUP BY n ORDER BY n;
SELECT ribbon_build_keys(s, 0.1) = (SELECT ribbon_build(i, 0.1) FROM generate_series(1, 200) AS i) AS overlapping,
       ribbon_build_keys(s, 0.1, 'width=32') = (SELECT ribbon_build(i, 0.1, 'width=32') FROM generate_series(1, 200) AS i) AS options
  FROM (SELECT ribbon_keys(i) AS s FROM generate_series(1, 150) AS i UNION ALL SELECT ribbon_keys(i::bigint) FROM generate_series(51, 200) AS i UNION ALL SELECT NULL) AS s;

-- the bytes: the same set is the same bytes, at most 66 - log2 n bits a key
SELECT ribbon_keys(i)::bytea AS bytes FROM generate_series(1, 3) AS i;
SELECT ribbon_keys(i ORDER BY i)::bytea = ribbon_keys(i ORDER BY -i)::bytea AS order_is_nothing, ribbon_keys(ribbon_key(i))::bytea = ribbon_keys(i)::bytea AS hashed
  FROM generate_series(1, 1000) AS i, generate_series(1, 2);
SELECT ribbon_keys(DISTINCT ribbon_key(i))::bytea = ribbon_keys(i)::bytea AS is_distinct, ribbon_keys(ribbon_key(i) ORDER BY -i)::bytea = ribbon_keys(i)::bytea AS is_ordered,
       ribbon_keys(ribbon_key(i)) FILTER (WHERE i < 9)::bytea = ribbon_keys(CASE WHEN i < 9 THEN i END)::bytea AS is_filtered FROM generate_series(1, 1000) AS i, generate_series(1, 2);
SELECT n, length(s::bytea) AS bytes, round(8.0 * (length(s::bytea) - 16) / n, 2) AS bits, s::text::ribbonkeys::bytea = s::bytea AS text, s::bytea::ribbonkeys::bytea = s::bytea AS bytea,
       ribbonkeys_send(s) = s::bytea AS binary, replace(encode(s::bytea, 'base64'), E'\n', '') = s::text AS base64
  FROM (SELECT n, ribbon_keys(i) AS s FROM unnest('{1,2,3,100,1000,100000,700000}'::int[]) AS n, generate_series(1, n) AS i GROUP BY n) AS sets ORDER BY n;

SELECT overlay(ribbon_keys(i)::text placing '!' from 5000)::ribbonkeys IS NULL AS no_digit FROM generate_series(1, 5000) AS i;
-- states of one process are put together as they are
CREATE TABLE halves (half int, k int) PARTITION BY LIST (half);
CREATE TABLE half_0 PARTITION OF halves FOR VALUES IN (0);
CREATE TABLE half_1 PARTITION OF halves FOR VALUES IN (1);
INSERT INTO halves SELECT i % 2, i % 5000 FROM generate_series(1, 20001) AS i;
ANALYZE halves;
SET enable_partitionwise_aggregate = on;
SET max_parallel_workers_per_gather = 0;
SELECT ribbon_keys(k)::bytea = (SELECT ribbon_keys(i)::bytea FROM generate_series(0, 4999) AS i) AS same, ribbon_build(k) = (SELECT ribbon_build(i) FROM generate_series(0, 4999) AS i) AS filter,
       ribbon_build(ribbon_key(k)) = ribbon_build(k) AS hashed FROM halves;
RESET enable_partitionwise_aggregate; RESET max_parallel_workers_per_gather;
DROP TABLE halves;

-- no key: a set all the same, of the type that is known
SELECT ribbon_keys(NULL::int) AS null_keys, ribbon_keys(NULL::ribbonkey) AS null_ribbonkeys, ribbon_cardinality(ribbon_keys(i)) AS no_rows FROM generate_series(1, 0) AS i;
SELECT (ribbon_stats(ribbon_build_keys(s))).key_type FROM (SELECT ribbon_keys(NULL::int) AS s) AS s;
SELECT ribbon_cardinality(ribbon_build_keys(NULL)) AS of_null, ribbon_cardinality(ribbon_build(k)) AS of_no_rows FROM (SELECT ribbon_key(1) AS k LIMIT 0) AS s;
SELECT ribbon_keys(k) AS hashed_no_rows FROM (SELECT ribbon_key(1) AS k LIMIT 0) AS s;
SELECT g, ribbon_keys(k)::bytea FROM (VALUES (1, ribbon_key(1)), (2, NULL), (3, ribbon_key('a')), (4, NULL)) AS v (g, k) GROUP BY g ORDER BY g;

-- an untyped literal is text still
SELECT ribbon_build('a') = ribbon_build('a'::text) AS literal, ribbon_build('a', 0.1) = ribbon_build('a'::varchar, 0.1) AS rate,
       ribbon_build('a', 0.1, 'kind=auto') = ribbon_build('a'::name, 0.1, 'kind=auto') AS options, ribbon_keys('a')::bytea = ribbon_keys('a'::text)::bytea AS keys,
       (ribbon_stats(ribbon_build(NULL))).key_type AS of_null;
SELECT ribbon_build(DISTINCT 'a') = ribbon_build('a') AS is_distinct, ribbon_build('a' ORDER BY i) = ribbon_build('a') AS is_ordered FROM generate_series(1, 2) AS i;
SELECT ribbon_keys(DISTINCT 'a')::bytea = ribbon_keys('a'::text)::bytea AS keys_distinct, ribbon_keys('a' ORDER BY i)::bytea = ribbon_keys('a'::varchar)::bytea AS keys_ordered,
       ribbon_keys(NULL)::bytea = ribbon_keys(NULL::text)::bytea AS keys_null FROM generate_series(1, 2) AS i;
PREPARE untyped AS SELECT ribbon_build($1, $2, $3) = ribbon_build('a'::text, 0.1, 'kind=auto') AS parameter;
EXECUTE untyped('a', 0.1, 'kind=auto');
DEALLOCATE untyped;
CREATE VIEW literal AS SELECT ribbon_build('a') AS f;
SELECT f @> 'a' AS found FROM literal;
DROP VIEW literal;

-- parameters, as those of any build
SELECT ribbon_build(ribbon_key(i), 0.7) FROM generate_series(1, 2) AS i;
SELECT ribbon_build(ribbon_key(i), NULL) FROM generate_series(1, 2) AS i;
SELECT ribbon_build(NULL::ribbonkey, 0.7);
SELECT ribbon_build(ribbon_key(i), 0.1 * i) FROM generate_series(1, 2) AS i;
SELECT ribbon_build(ribbon_key(i), 0.1, NULL) FROM generate_series(1, 2) AS i;
SELECT ribbon_build(ribbon_key(i), 0.1, 'kind=tall') FROM generate_series(1, 2) AS i;
SELECT ribbon_build(ribbon_key(i), 0.1, 'width=' || 32 * i) FROM generate_series(1, 2) AS i;
SELECT ribbon_build_keys(s, 0.1 * i) FROM (SELECT i, ribbon_keys(i) AS s FROM generate_series(1, 2) AS i GROUP BY i) AS s;

-- one type of key
SELECT ribbon_build(k) FROM (VALUES (ribbon_key(1)), (ribbon_key('a'))) AS v (k);
SELECT ribbon_build_keys(s) FROM (SELECT ribbon_keys(1) AS s UNION ALL SELECT ribbon_keys('a')) AS s;
SELECT ribbon_build_keys(s) FROM (SELECT ribbon_keys(ARRAY[1]) AS s UNION ALL SELECT ribbon_keys(ARRAY['a'])) AS s;
SELECT ribbon_build_keys(s) = (SELECT ribbon_build(a) FROM (VALUES (ARRAY[1]), ('{}')) AS v (a)) AS class_unknown FROM (SELECT ribbon_keys(ribbon_key(ARRAY[1])) AS s UNION ALL SELECT ribbon_keys(ribbon_key('{}'::int[]))
	UNION ALL SELECT ribbon_keys(NULL::ribbonkey)) AS s;
-- rows of any columns, as ribbon_build takes them, but nothing else
WITH v (a, k) AS (VALUES (1, ROW(1)), (2, ROW('x'::text)), (3, ROW(1, ROW(2))), (4, ROW(1, ROW('x'::text))), (5, ROW(ARRAY[ROW(1)])))
SELECT ribbon_build(k) = ribbon_build(ribbon_key(k)) AS keys, ribbon_build(k) = (SELECT ribbon_build_keys(s) FROM (SELECT ribbon_keys(k) AS s FROM v GROUP BY a) AS t) AS sets,
       ribbon_build_exact(k, a < 3) = ribbon_build_exact(ribbon_key(k), a < 3) AS exact, ribbon_map(ribbon_key(k), a) -> ribbon_key(ROW('x'::text)) AS two
  FROM v;
SELECT ribbon_keys(k) FROM (VALUES (ribbon_key(ROW(1))), (ribbon_key(ARRAY[1]))) AS v (k);
SELECT ribbon_keys(k) FROM (VALUES (ribbon_key(ARRAY[ROW(1)])), (ribbon_key(ARRAY[1]))) AS v (k);
SELECT ribbon_build(ribbon_key(ROW(1))) @> ribbon_key(ROW('x'::text));
SELECT ribbon_keys('pg_class'::regclass);
SELECT ribbon_keys(k) FROM (VALUES (ribbon_key(1)), (ribbon_key('a'))) AS v (k);
SELECT ribbon_build(s) FROM (SELECT ribbon_keys(1) AS s) AS s;

-- equal by their bytes, which are those of the set
SELECT a = b AS same, a <> b AS other, count(*) FROM (SELECT ribbon_keys(i) AS a, ribbon_keys(101 - i) AS b FROM generate_series(1, 100) AS i) AS s GROUP BY a, b;
SELECT count(DISTINCT s) AS sets, bool_and(s >= before) AS ordered
  FROM (SELECT s, lag(s, 1, s) OVER (ORDER BY s) AS before FROM (SELECT ribbon_keys(i % 5) AS s FROM generate_series(1, 30) AS i GROUP BY i % 3) AS s) AS t;
SELECT ribbon_keys(1) AS s UNION SELECT ribbon_keys(1::int2) AS s;

SELECT s = 'oQAAAAEAAAABAAAAAAAAAAEuedtkNVm8Lw==' AS own_text, s = 'oQAAAAEAAAABAAAAAAAAAAEuedtkNVm8MA==' AS other_text, s <> t AS unequal,
       s < t OR s > t AS before_or_after, s <= s AND s >= s AS itself FROM (SELECT ribbon_keys(1) AS s, ribbon_keys(2) AS t) AS k;
SELECT ribbon_keys(1) = '\xa1';
CREATE TABLE sets AS SELECT i % 100 AS n, ribbon_keys(i % 50) AS s FROM generate_series(1, 200) AS i GROUP BY i;
CREATE INDEX ON sets (s);
CREATE INDEX ON sets USING hash (s);
ANALYZE sets;
SET enable_nestloop = off; SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sets AS a JOIN sets AS b USING (s);
SELECT count(*) FROM sets AS a JOIN sets AS b USING (s);
SET enable_hashjoin = off; SET enable_mergejoin = on; SET enable_indexscan = off; SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sets AS a JOIN sets AS b USING (s);
SELECT count(*) FROM sets AS a JOIN sets AS b USING (s);
RESET enable_nestloop; RESET enable_mergejoin; RESET enable_hashjoin; RESET enable_indexscan; RESET enable_indexonlyscan;
SET enable_seqscan = off;
SELECT count(*) FROM sets WHERE s = (SELECT ribbon_keys(7));
RESET enable_seqscan;
SELECT count(DISTINCT s) AS sets, (SELECT count(*) FROM (SELECT FROM sets GROUP BY s) AS t) AS groups FROM sets;
DROP TABLE sets;

-- other plans: parallel, hashed, sorted, in windows, beyond work_mem
CREATE TABLE k AS SELECT i, i % 500 AS g, ribbon_key(i) AS h FROM generate_series(1, 200000) AS i;
ANALYZE k;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT ribbon_build(h) FROM k;
SELECT ribbon_build(h) = (SELECT ribbon_build(i) FROM k) AS parallel, ribbon_build(h, 0.2, 'width=32') = (SELECT ribbon_build(i, 0.2, 'width=32') FROM k) AS options FROM k;
EXPLAIN (COSTS OFF) SELECT ribbon_keys(h) FROM k;
SELECT ribbon_cardinality(ribbon_keys(i)) AS keys, ribbon_keys(h)::bytea = ribbon_keys(i)::bytea AS hashed FROM k;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; SET max_parallel_workers_per_gather = 0;
SELECT count(*) AS groups, bool_and(f = fk) AS same FROM (SELECT ribbon_build(i) AS f, ribbon_build(h) AS fk FROM k GROUP BY g) AS s;
SET enable_hashagg = off;
SELECT count(*) AS groups, bool_and(f = fk) AS same FROM (SELECT ribbon_build(i) AS f, ribbon_build(h) AS fk FROM k GROUP BY g) AS s;
RESET enable_hashagg;
SELECT bool_and(f = fk) AS windows FROM (SELECT ribbon_build(i) OVER w AS f, ribbon_build(h) OVER w AS fk FROM k WHERE i <= 100 WINDOW w AS (ORDER BY i)) AS s;
-- of sets without keys, of which the last one says their type
WITH empty AS (SELECT 1 AS i, ribbon_keys(NULL::ribbonkey) AS s UNION ALL SELECT 2, ribbon_keys(NULL::ribbonkey) UNION ALL SELECT 3, ribbon_keys(NULL::int))
SELECT i, ribbon_build_keys(s) OVER (ORDER BY i) = (SELECT ribbon_build_keys(s) FROM empty AS e WHERE e.i <= empty.i) AS as_if_built_alone FROM empty;
-- one type of key, and one rate, in states that are combined, of each partition one
CREATE TABLE parts (p int, h ribbonkey, s ribbonkeys) PARTITION BY LIST (p);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
INSERT INTO parts SELECT 1, ribbon_key(i), ribbon_keys(i) FROM generate_series(1, 1000) AS i GROUP BY i;
INSERT INTO parts SELECT 2, ribbon_key(i::text), ribbon_keys(i::text) FROM generate_series(1, 1000) AS i GROUP BY i;
ANALYZE parts;
SET enable_partitionwise_aggregate = on;
EXPLAIN (COSTS OFF) SELECT ribbon_keys(h) FROM parts;
SELECT ribbon_keys(h) FROM parts;
SELECT ribbon_build(h) FROM parts;
SELECT ribbon_build_keys(s) FROM parts;
SELECT ribbon_build_keys(CASE p WHEN 1 THEN s END, 0.1 * p) FROM parts;
RESET enable_partitionwise_aggregate;
DROP TABLE parts;
SET work_mem = '64kB';
CREATE TABLE spilled AS SELECT ribbon_keys(i) AS s, ribbon_build(ribbon_key(i), 0.1) AS f FROM generate_series(1, 600000) AS i;
RESET work_mem;
SELECT ribbon_cardinality(s), ribbon_check(s), f = (SELECT ribbon_build(i, 0.1) FROM generate_series(1, 600000) AS i) AS built, (SELECT ribbon_build_keys(s, 0.1) FROM spilled) = f AS from_set FROM spilled;

-- what is known of a type is found once for all groups, also where no key comes
BEGIN;
DECLARE c CURSOR FOR SELECT g, ribbon_keys(ARRAY[g]) FILTER (WHERE false) FROM generate_series(1, 1000) AS g GROUP BY g;
MOVE 500 IN c;
SELECT count(*) AS contexts FROM pg_backend_memory_contexts WHERE name = 'ribbon key parts';
COMMIT;

-- their functions are for aggregates, or take what they are given
SELECT ribbon_keys_transfn(NULL, 1);
SELECT ribbon_keys_transfn(NULL, ribbon_key(1));
SELECT ribbon_build_transfn(NULL::ribbonkeys, ribbon_key(1));
SELECT ribbon_build_keys_transfn(NULL, NULL);
SELECT ribbon_keys_finalfn(NULL) AS of_hashed, ribbon_keys_finalfn(NULL, 1) AS of_integers;
SELECT ribbon_keys_combinefn(NULL, ribbon_keys(1)) FROM k LIMIT 1;
SELECT ribbon_cardinality(ribbon_build_keys_finalfn(s)) AS keys FROM (SELECT ribbon_keys(i) AS s FROM k WHERE i < 10) AS s;

-- hostile bytes
SELECT '\xa1'::bytea::ribbonkeys;
SELECT 'YQ'::ribbonkeys;
SELECT 'Y Q='::ribbonkeys;
-- the same bytes, but for two bits of the last digit that are of no byte
SELECT 'oQAAAAEAAAABAAAAAAAAAAEuedtkNVm8Lx=='::ribbonkeys;
SELECT ''::ribbonkeys;
SELECT set_byte(s::bytea, 4, 0)::ribbonkeys FROM (SELECT ribbon_keys(1) AS s) AS s;
SELECT set_byte(s::bytea, 8, 2)::ribbonkeys FROM (SELECT ribbon_keys(1) AS s) AS s;
SELECT set_byte(s::bytea, 15, 255)::ribbonkeys FROM (SELECT ribbon_keys(1) AS s) AS s;
SELECT (s::bytea || '\x00')::ribbonkeys FROM (SELECT ribbon_keys(1) AS s) AS s;
CREATE FUNCTION is_set(bytes bytea) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	RETURN ribbon_check(bytes::ribbonkeys);
EXCEPTION WHEN invalid_binary_representation THEN
	RETURN false;
END $$;
SELECT count(*) FILTER (WHERE is_set(substr(b, 1, n))) AS cut FROM (SELECT ribbon_keys(i)::bytea AS b FROM generate_series(1, 100) AS i) AS s, generate_series(0, length(b) - 1) AS n;
-- every byte of a set counts: one changed is another set, or none
SELECT count(*) AS changed, count(*) FILTER (WHERE is_set(c)) AS sets, bool_and(CASE WHEN is_set(c) THEN ribbon_cardinality(c::ribbonkeys) = 100 END) AS as_many
  FROM (SELECT ribbon_keys(i)::bytea AS b FROM generate_series(1, 100) AS i) AS s, generate_series(0, length(b) - 1) AS n, LATERAL (SELECT set_byte(b, n, get_byte(b, n) # 16) AS c) AS t;
-- what a header says is to be built must be what ribbon_build can: kind, width, class, no keys, rate
SELECT what, is_set(decode('a101' || header, 'hex')) FROM (VALUES ('right', '0040 01000000 0000000000000000 7b14ae47e17a843f'),
  ('homogeneous', '0180 01000000 0000000000000000 7b14ae47e17a843f'), ('exact', '0340 01000000 0000000000000000 7b14ae47e17a843f'),
  ('kind 4', '0440 01000000 0000000000000000 7b14ae47e17a843f'), ('width 33', '0021 01000000 0000000000000000 7b14ae47e17a843f'),
  ('rate 0', '0040 01000000 0000000000000000 0000000000000000'), ('rate NaN', '0040 01000000 0000000000000000 000000000000f87f')) AS v(what, header);

-- everybody may use the type, and a role sees no table through it
CREATE ROLE ribbon_keys_reader;
GRANT SELECT (i) ON k TO ribbon_keys_reader;
SET ROLE ribbon_keys_reader;
SELECT ribbon_cardinality(ribbon_keys(i)) AS allowed FROM k;
SELECT ribbon_build(h) FROM k;
RESET ROLE;
DROP TABLE k, spilled;
DROP FUNCTION is_set;
DROP ROLE ribbon_keys_reader;
