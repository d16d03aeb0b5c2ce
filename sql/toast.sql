--
-- Filters in tables: in line, out of line, compressed
--
CREATE TABLE filters (id int, f ribbonfilter);
INSERT INTO filters
SELECT n, ribbon_build(i) FROM unnest(ARRAY[10, 1000, 10000, 20000]) AS n, generate_series(1, n) AS i GROUP BY n;

-- the small ones are in the row, with a header of one byte; the others in the
-- TOAST table, uncompressed
SELECT id, pg_column_size(f) - length(f::bytea) AS header_bytes FROM filters ORDER BY id;

-- one call site, one filter after another, over and over
SELECT id, count(*) FILTER (WHERE k <= id) AS members, count(*) FILTER (WHERE k <= id AND f @> k) AS members_found
  FROM filters, generate_series(1, 20000, 10) AS k GROUP BY id ORDER BY id;
SELECT id, bool_and(f @> k) AS all_found
  FROM generate_series(1, 10) AS k, LATERAL (SELECT * FROM filters ORDER BY id * (k % 2 * 2 - 1) OFFSET 0) AS s
 GROUP BY id ORDER BY id;

-- a scan with a filter from a subquery, and a join
SELECT count(*) FROM generate_series(1, 20000) AS k WHERE (SELECT f FROM filters WHERE id = 20000) @> k;
SELECT count(*) FROM generate_series(1, 10000) AS k JOIN filters ON f @> k AND id = 10000;

-- an updated filter is another one, in the same place
CREATE FUNCTION replace_and_find(key int) RETURNS SETOF boolean LANGUAGE plpgsql AS $$
BEGIN
	FOR round IN 0..3 LOOP
		UPDATE filters SET f = (SELECT ribbon_build(i + 100000 * round, 0.0001) FROM generate_series(1, 20000) AS i) WHERE id = 20000;
		RETURN QUERY SELECT f @> key FROM filters WHERE id = 20000;
	END LOOP;
END $$;
SELECT replace_and_find(200001) AS found;

-- bytes that compress: a real header, and slots of nothing but zeros, which is
-- a filter as well.  Stored plainly and compressed it gives the same answers
CREATE TABLE compressed (id int, f ribbonfilter, plain ribbonfilter);
ALTER TABLE compressed ALTER f SET STORAGE extended, ALTER f SET COMPRESSION pglz, ALTER plain SET STORAGE external;
INSERT INTO compressed
SELECT n, b, b FROM unnest(ARRAY[10000, 20000, 400000]) AS n,
       LATERAL (SELECT ribbon_build(i, 0.01, 'kind=homogeneous')::bytea AS real FROM generate_series(1, n) AS i) AS s,
       LATERAL (SELECT (substr(real, 1, 32) || decode(repeat('00', length(real) - 32), 'hex'))::ribbonfilter AS b) AS t;
SELECT id, pg_column_size(f) < length(f::bytea) / 10 AS is_compressed, f = plain AS same_bytes FROM compressed ORDER BY id;
SELECT id, count(*) AS probes, count(*) FILTER (WHERE (f @> k) = (plain @> k)) AS agree
  FROM compressed, generate_series(1, 1000) AS k GROUP BY id ORDER BY id;
SELECT count(*) FILTER (WHERE (f @> k) = (plain @> k)) AS agree
  FROM generate_series(1, 1000) AS k, LATERAL (SELECT * FROM compressed WHERE k > 0 ORDER BY id OFFSET 0) AS s;

-- the other functions read stored filters too
SELECT id, ribbon_cardinality(f), (ribbon_stats(f)).bytes = length(f::bytea) AS bytes, ribbon_fpr(f) < 0.011 AS fpr,
       ribbon_cardinality(ribbon_shrink(f, 0.1)) AS shrunk, ribbon_contains_all(f, ARRAY[1, 2, 3]) AS "all"
  FROM filters WHERE id < 20000 ORDER BY id;
-- also one that is read in steps, of 5 MB
CREATE TABLE texts (m ribbonmap);
INSERT INTO texts SELECT ribbon_map(i, repeat(md5(i::text), 32)) FROM generate_series(1, 5000) AS i;
SELECT ribbon_check(m), m::bytea::ribbonmap = m AS same, ribbon_cardinality(m) AS keys, m ->> 5000 = repeat(md5('5000'), 32) AS last FROM texts;
SELECT pg_column_size(m) > 5000000 AS large FROM texts;

-- filters that end at the end of a chunk, or a byte before or behind it, read
-- in slices: no member is missed, and few pages are touched
CREATE TABLE ends (id int, n int, f ribbonfilter);
CREATE FUNCTION filter_of(id int, n int) RETURNS ribbonfilter LANGUAGE sql AS 'SELECT ribbon_build(k, 0.001) FROM generate_series(id * 100000 + 1, id * 100000 + n) AS k';
INSERT INTO ends SELECT id, n, filter_of(id, n) FROM generate_series(1, 300) AS id, LATERAL (SELECT (1 + id % 4) * 1596 - 50 + id / 4) AS k (n);
VACUUM ANALYZE ends;
SELECT reltoastrelid::regclass AS toast FROM pg_class WHERE oid = 'ends'::regclass \gset
SELECT max(length(chunk_data)) AS chunk FROM :toast \gset
SELECT count(*) FILTER (WHERE (size + 1) % :chunk < 3) > 4 AS at_ends FROM (SELECT octet_length(f::bytea) AS size FROM ends) AS s;
SELECT count(*) FILTER (WHERE f @> (id * 100000 + 1 + id % n)) AS "first", count(*) FILTER (WHERE f @> (id * 100000 + n - id % n)) AS "last" FROM ends;
DELETE FROM ends WHERE id % 3 = 0;
VACUUM ends;
INSERT INTO ends SELECT id, n, filter_of(id, n) FROM generate_series(301, 400) AS id, LATERAL (SELECT 1592 + id % 2 * 3194) AS k (n);
SELECT count(*), count(*) FILTER (WHERE f @> (id * 100000 + 1 + id % n)) AS found FROM ends;
CREATE FUNCTION buffers(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
END $$;
SELECT buffers('SELECT f @> 42 FROM ends') AS by_index \gset
SELECT :by_index / 300.0 < 5 AS few_buffers;

-- a TOAST table whose ids are not OIDs is the access method's to read, which
-- takes more
UPDATE pg_attribute SET atttypid = 'xid'::regtype WHERE attname = 'chunk_id' AND attrelid = :'toast'::regclass;
SELECT count(*) FILTER (WHERE f @> (id * 100000 + 1 + id % n)) AS found FROM ends;
SELECT buffers('SELECT f @> 42 FROM ends') > :by_index AS by_access_method;
UPDATE pg_attribute SET atttypid = 'oid'::regtype WHERE attname = 'chunk_id' AND attrelid = :'toast'::regclass;

-- a stored filter that is not what was stored is reported as such
CREATE TABLE bytes (f bytea);
ALTER TABLE bytes ALTER f SET STORAGE external;
INSERT INTO bytes VALUES ('\x'), ('\xdeadbeef'), (substr((SELECT f::bytea FROM filters WHERE id = 10000), 1, 5000));
UPDATE pg_attribute SET atttypid = 'ribbonfilter'::regtype WHERE attrelid = 'bytes'::regclass AND attname = 'f';
\c -
SELECT f @> 1 FROM bytes WHERE length(f::bytea) = 0;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_stats(f) FROM bytes WHERE length(f::bytea) = 4;
\echo :LAST_ERROR_SQLSTATE
SELECT f @> 1 FROM bytes WHERE length(f::bytea) = 5000;
\echo :LAST_ERROR_SQLSTATE

-- one whose chunks are lost, or cut, is an error, and no other one is
CREATE TABLE damaged AS SELECT id, ribbon_build(k) AS f FROM generate_series(1, 4) AS id, generate_series(1, 20000) AS k GROUP BY id ORDER BY id;
SELECT reltoastrelid::regclass AS toast FROM pg_class WHERE oid = 'damaged'::regclass \gset
SET allow_system_table_mods = on;
UPDATE pg_class SET relkind = 'r' WHERE oid = :'toast'::regclass;
CREATE TEMP TABLE chunks AS SELECT *, dense_rank() OVER (ORDER BY chunk_id) AS id FROM :toast;
TRUNCATE :toast;
INSERT INTO :toast SELECT chunk_id, chunk_seq, CASE WHEN id = 3 AND chunk_seq = 0 THEN substr(chunk_data, 1, 100) ELSE chunk_data END
  FROM chunks WHERE NOT (id = 1 AND chunk_seq = 0) AND NOT (id = 2 AND chunk_seq > 0) ORDER BY chunk_id, chunk_seq;
DROP TABLE chunks;
RESET allow_system_table_mods;
UPDATE pg_class SET relkind = 't' WHERE oid = :'toast'::regclass;
\set VERBOSITY sqlstate
SELECT f @> 1 FROM damaged WHERE id = 1;
SELECT f @> k FROM damaged, generate_series(1, 10) AS k WHERE id = 2;
SELECT f @> 1 FROM damaged WHERE id = 3;
SELECT ribbon_check(f) FROM damaged WHERE id = 2;
\set VERBOSITY default
SELECT count(*) FROM damaged, generate_series(1, 20000) AS k WHERE id = 4 AND f @> k;
DROP TABLE damaged;

-- in a table of another access method, which may keep its chunks in other ways, filters are read as a whole
CREATE ACCESS METHOD ribbon_heap TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE others USING ribbon_heap AS SELECT * FROM filters;
SELECT count(*) FILTER (WHERE o.f @> k) AS found, count(*) FILTER (WHERE (o.f @> k) <> (f.f @> k)) AS differ
  FROM others AS o JOIN filters AS f USING (id), generate_series(1, 200) AS k;
BEGIN;
SELECT count(*) FILTER (WHERE f @> k) AS found FROM others, generate_series(1, 200) AS k WHERE id >= 200;
SELECT count(*) FILTER (WHERE f @> k) AS found FROM others, generate_series(101, 300) AS k WHERE id >= 200;
COMMIT;
DROP TABLE others;
DROP ACCESS METHOD ribbon_heap;

DROP FUNCTION replace_and_find, filter_of, buffers;
DROP TABLE filters, compressed, texts, ends, bytes;
