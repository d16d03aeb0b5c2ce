--
-- Rows that are probed by the page: the same as one by one
--
SET max_parallel_workers_per_gather = 0;

-- the rows of a query, probed by the page and one by one: how many, and whether
-- they are the same in the same order; its scans by the page
CREATE FUNCTION compare(query text, OUT rows bigint, OUT same boolean, OUT by_page bigint) LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
	by_pages text;
	by_rows text;
BEGIN
	query := format('SELECT count(*) || '' '' || coalesce(md5(string_agg(s::text, '';'')), '''') FROM (%s) AS s', query);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	EXECUTE query INTO by_pages;
	PERFORM set_config('ribbon.batch', 'off', true);
	EXECUTE query INTO by_rows;
	PERFORM set_config('ribbon.batch', 'on', true);
	rows := split_part(by_pages, ' ', 1);
	same := by_pages IS NOT DISTINCT FROM by_rows;
	by_page := (SELECT count(*) FROM jsonb_path_query(plan, 'strict $.** ? (@."Custom Plan Provider" == "RibbonScan")'));
END $$;

-- keys of all types that may be hashed ahead; a third of the rows are members,
-- every tenth key is NULL
CREATE TABLE keys AS
SELECT i AS id, k AS int4, k::int2 AS int2, k::int8 AS int8, 'k' || k AS text, ('v' || k)::varchar AS varchar,
       ('c' || k)::char(9) AS bpchar, ('n' || k)::name AS name, md5(k::text)::uuid AS uuid, int4send(k) AS bytea, k % 2 = 0 AS bool,
       date '2000-01-01' + k AS date, time '00:00' + k * interval '1 s' AS time, timetz '00:00+01' + k * interval '1 s' AS timetz,
       timestamp '2000-01-01' + k * interval '1 s' AS timestamp, timestamptz '2000-01-01 00:00+00' + k * interval '1 s' AS timestamptz,
       k::oid AS oid, k::text::xid8 AS xid8, ('0/' || to_hex(k))::pg_lsn AS pg_lsn, k::float8 AS float8, k::float4 AS float4,
       ('08002b00' || lpad(to_hex(k), 4, '0'))::macaddr AS macaddr, ('08002b010203' || lpad(to_hex(k), 4, '0'))::macaddr8 AS macaddr8,
       k::numeric / 10 AS numeric, k * interval '1 s' AS interval, inet '10.0.0.0' + k AS inet, (inet '10.0.0.0' + k)::cidr AS cidr,
       k::bit(16) AS bit, k::bit(16)::varbit AS varbit
  FROM generate_series(1, 6000) AS i, LATERAL (SELECT CASE WHEN i % 10 > 0 THEN i END AS k) AS s;
ANALYZE keys;
CREATE TABLE filters (type text, f ribbonfilter);
SELECT format('INSERT INTO filters SELECT %L, ribbon_build(%I, 0.001) FROM keys WHERE id %% 3 = 0', column_name, column_name)
  FROM information_schema.columns WHERE table_name = 'keys' AND column_name <> 'id' ORDER BY ordinal_position \gexec
SELECT type, c.same, c.by_page, rows BETWEEN 1800 AND 1830 AS members
  FROM filters, compare(format('SELECT id FROM keys WHERE (SELECT f FROM filters WHERE type = %L) @> %I', type, type)) AS c
 WHERE type <> 'bool';
SELECT c.* FROM compare($$SELECT id FROM keys WHERE (SELECT f FROM filters WHERE type = 'bool') @> bool$$) AS c;

-- the same of maps: those with check bits, with another seed, and with none,
-- which say yes to any key
CREATE TABLE maps (type text, options text, m ribbonmap);
SELECT format('INSERT INTO maps SELECT %L, o, ribbon_map(%I, id %% 100, fpr, o) FROM keys, (VALUES (0.001, ''width=32''), (0.001, ''seed=7''), (1, '''')) AS v(fpr, o) WHERE id %% 3 = 0 GROUP BY o',
              column_name, column_name)
  FROM information_schema.columns WHERE table_name = 'keys' AND column_name NOT IN ('id', 'bool') ORDER BY ordinal_position \gexec
SELECT type, bool_and(c.same) AS same, min(c.by_page) AS by_page, bool_and(rows = 5400 OR options <> '' AND rows BETWEEN 1800 AND 1830) AS members
  FROM maps, compare(format('SELECT id FROM keys WHERE (SELECT m FROM maps WHERE type = %L AND options = %L) @> %I', type, options, type)) AS c
 GROUP BY type ORDER BY type;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE text <@ (SELECT m FROM maps WHERE type = 'text' AND options = 'seed=7') LIMIT 100$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE ribbon_contains((SELECT m FROM maps WHERE type = 'int8' AND options = 'seed=7'), int4)$$) AS c;
SELECT c.* FROM compare($$SELECT options, s.id FROM maps, LATERAL (SELECT id FROM keys WHERE m @> int4 OFFSET 0) AS s WHERE type = 'int4'$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE (SELECT m FROM maps WHERE type = 'none') @> int4$$) AS c;
SELECT count(*) FROM keys WHERE (SELECT m FROM maps WHERE type = 'uuid' AND options = '') @> int4;

-- of codes that stand for nothing, such as those behind nine texts: a key with
-- one is not in the map, which may be probed in slices
CREATE TABLE nothings AS
SELECT 'texts' AS name, ribbon_map(i, 'v' || i % 9, 1, 'code=plain') AS m FROM generate_series(0, 400000, 7) AS i UNION ALL
SELECT 'texts, and NULL', ribbon_map(i, NULLIF('v' || i % 9, 'v3'), 1, 'code=plain') FROM generate_series(0, 400000, 7) AS i UNION ALL
SELECT 'dates', ribbon_map(i, CASE i % 2 WHEN 0 THEN date '2000-01-01' ELSE date '5874897-12-31' END - i, 1) FROM generate_series(0, 400000, 7) AS i;
SELECT name, c.same, c.by_page, c.rows BETWEEN 2000 AND 5399 AS turned_away, few.same AS few_same, few.by_page AS few_by_page
  FROM nothings, compare(format('SELECT id FROM keys WHERE (SELECT m FROM nothings WHERE name = %L) @> int4', name)) AS c,
       compare(format('SELECT id FROM keys WHERE (SELECT m FROM nothings WHERE name = %L) @> int4 LIMIT 3', name)) AS few
 ORDER BY name;

-- comparisons of what a map has for a key
INSERT INTO maps SELECT 'int4', 'texts', ribbon_map(int4, 'plan ' || NULLIF(id % 100, 7), 0.001) FROM keys WHERE id % 3 = 0;
SELECT condition, c.* FROM (VALUES ('m -> int4 = 3'), ('m -> int8 > 90 AND id < 5000'), ('5 >= m -> int2'), ('m -> int4 = id % 100'),
       ('m -> int4 IN (3, 6, NULL)'), ('m -> int4 = ANY (ARRAY[id % 100, id % 50])'), ('m ->> int4 = ''33'''),
       ('ribbon_get(m, int4, NULL::int) = 33'), ('m -> int4 = 3 AND m @> int8'), ('m -> int4 = NULL')) AS v(condition),
       compare(format($$SELECT options, s.* FROM maps, LATERAL (SELECT id FROM keys WHERE %s OFFSET 0) AS s WHERE type = 'int4' AND options <> 'texts'$$, condition)) AS c;
SELECT condition, c.* FROM (VALUES ('m ->> int4 = ''plan 33'''), ('m ->> int4 < ''plan 3'''), ('ribbon_get(m, int8, NULL::text) ~ ''9$'''),
       ('m ->> int4 <> ''plan 33'' AND random() < 0')) AS v(condition),
       compare(format($$SELECT id FROM keys, maps WHERE %s AND type = 'int4' AND options = 'texts'$$, condition)) AS c;

-- a map of other values than are asked for: an error with the first row, be its
-- key in the map or not
SELECT count(*) FROM keys WHERE (SELECT m FROM maps WHERE options = 'texts') -> int4 = 1;
INSERT INTO maps SELECT 'int4', 'elsewhere', ribbon_map(i, 'a'::text, 1e-9) FROM generate_series(-100, -1) AS i;
SELECT count(*) FROM keys WHERE (SELECT m FROM maps WHERE options = 'elsewhere') -> int4 = 1;
CREATE TABLE late AS SELECT NULLIF(greatest(i, 2000), 2000) AS int4 FROM generate_series(1, 6000) AS i;
ANALYZE late;
SELECT count(*) FROM late WHERE (SELECT m FROM maps WHERE options = 'elsewhere') -> int4 = 1;
SELECT count(*) FROM keys WHERE (SELECT m FROM maps WHERE options = 'texts') -> int4 = 1 AND id < 0;

-- a domain's, one under another name, and other integers than the filter's
CREATE DOMAIN user_id AS int CHECK (value > 0);
CREATE TABLE others AS SELECT int4 AS id, int4::user_id AS domain, int8 FROM keys;
ANALYZE others;
SELECT c.* FROM compare($$SELECT id FROM others WHERE (SELECT f FROM filters WHERE type = 'int8') @> domain$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM others WHERE (SELECT f FROM filters WHERE type = 'int2') @> int8$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE (SELECT f FROM filters WHERE type = 'oid') @> int4::oid$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE (SELECT f FROM filters WHERE type = 'text') @> ('k' || int4)$$) AS c;

-- a filter of char(n) trims texts: keys are hashed again when that is known
INSERT INTO filters SELECT 'padded', ribbon_build(text::char(20)) FROM keys WHERE id % 3 = 0;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE (SELECT f FROM filters WHERE type = 'padded') @> text$$) AS c;
CREATE TABLE blanks AS SELECT id, text || repeat(' ', id % 3) AS text FROM keys;
ANALYZE blanks;
SELECT c.* FROM compare($$SELECT id FROM blanks WHERE (SELECT f FROM filters WHERE type = 'padded') @> text$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM blanks WHERE (SELECT f FROM filters WHERE type = 'text') @> text$$) AS c;

-- an empty filter, none, and one of another class, which is an error
SELECT c.* FROM compare($$SELECT id FROM keys WHERE '\x1101000000'::ribbonfilter @> int4$$) AS c;
SELECT c.* FROM compare($$SELECT id FROM keys WHERE (SELECT f FROM filters WHERE type = 'none') @> int4$$) AS c;
SELECT count(*) FROM keys WHERE (SELECT f FROM filters WHERE type = 'uuid') @> int4;

-- rows that are not there (deleted, updated, of a transaction that was rolled
-- back), that were there before, and that are of this one
CREATE TABLE changing AS SELECT i AS id, i AS user_id, repeat('x', i % 50) AS filler FROM generate_series(1, 20000) AS i;
CREATE INDEX ON changing (id);
CREATE TABLE audience AS SELECT ribbon_build(i) AS members FROM generate_series(0, 50000, 7) AS i;
ANALYZE changing, audience;
DELETE FROM changing WHERE id % 4 = 1;
UPDATE changing SET filler = '' WHERE id % 5 = 1;
UPDATE changing SET user_id = user_id + 1 WHERE id % 9 = 1;
BEGIN;
INSERT INTO changing SELECT i, i, 'rolled back' FROM generate_series(20001, 25000) AS i;
ROLLBACK;
INSERT INTO changing SELECT i, i, 'more' FROM generate_series(25001, 30000) AS i;
BEGIN;
DELETE FROM changing WHERE id % 6 = 0;
INSERT INTO changing SELECT i, i, 'mine' FROM generate_series(30001, 35000) AS i;
SAVEPOINT s;
INSERT INTO changing SELECT i, i, 'not mine' FROM generate_series(35001, 40000) AS i;
ROLLBACK TO s;
SELECT c.* FROM compare('SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id') AS c;
SELECT count(*), count(*) FILTER (WHERE id > 30000) AS mine FROM changing WHERE user_id % 7 = 0;
COMMIT;
SELECT c.* FROM compare('SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id') AS c;
VACUUM ANALYZE changing;
SELECT c.* FROM compare('SELECT *, ctid, tableoid FROM changing WHERE (SELECT members FROM audience) @> user_id') AS c;

-- system columns in conditions, before the probe and behind
SELECT c.rows > 2000 AS rows, c.same, c.by_page
  FROM compare($$SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND ctid > '(3,2)'
                             AND tableoid = 'changing'::regclass AND xmin <> '0'$$) AS c;

-- conditions on both sides of the probe: with subqueries, of other columns,
-- that are NULL
SELECT c.* FROM compare($$SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND filler <> '' AND id % 2 < 1 AND id < 30000$$) AS c;
SELECT c.* FROM compare($$SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND id IN (SELECT int4 * 5 FROM keys)$$) AS c;
CREATE INDEX keys_int4 ON keys (int4);
SELECT c.* FROM compare($$SELECT * FROM changing AS a WHERE (SELECT members FROM audience) @> user_id
                             AND EXISTS (SELECT FROM keys WHERE int4 = a.id AND a.id > 100 OFFSET 0)$$) AS c;
DROP INDEX keys_int4;
SELECT c.* FROM compare($$SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND NULLIF(id % 3, 0) > 1 AND NULL IS NULL$$) AS c;
SELECT c.* FROM compare($$SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND (SELECT f FROM filters WHERE type = 'int4') @> id$$) AS c;

-- a column of the row's end, behind NULLs and values out of line; one that came
-- later, with a default; one that went
CREATE TABLE columns AS
SELECT i AS id, NULLIF(i % 2, 0) AS n, repeat(md5(i::text), CASE WHEN i % 100 = 0 THEN 1000 ELSE 1 END) AS long, i AS gone,
       md5(i::text) AS short, i AS user_id
  FROM generate_series(1, 5000) AS i;
ALTER TABLE columns DROP gone, ADD added int DEFAULT 14;
INSERT INTO columns SELECT i, 1, '', '', i, 21 FROM generate_series(5001, 7000) AS i;
INSERT INTO columns SELECT i, 1, '', '', i, 22 FROM generate_series(7001, 8000) AS i;
ANALYZE columns;
SELECT c.* FROM compare('SELECT * FROM columns WHERE (SELECT members FROM audience) @> user_id') AS c;
SELECT c.* FROM compare('SELECT * FROM columns WHERE (SELECT members FROM audience) @> added') AS c;
SELECT c.* FROM compare('SELECT id FROM columns WHERE (SELECT ribbon_build(long) FROM columns WHERE id % 50 = 0) @> long') AS c;

-- joins: one filter, several in turn, none, outer joins, lateral ones
INSERT INTO audience SELECT ribbon_build(i) FROM generate_series(0, 50000, 11) AS i;
INSERT INTO audience SELECT ribbon_build(i) FROM generate_series(0, 500000, 13) AS i;
INSERT INTO audience VALUES (NULL), ('\x1101000000');
ALTER TABLE audience ADD id serial;
ANALYZE audience;
SET enable_material = off;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT c.* FROM compare('SELECT a.id, changing.* FROM audience AS a, changing WHERE a.members @> user_id') AS c;
SELECT c.* FROM compare('SELECT a.id, changing.* FROM audience AS a LEFT JOIN changing ON a.members @> user_id AND filler > ''m''') AS c;
SELECT c.* FROM compare('SELECT a.id, n FROM audience AS a, LATERAL (SELECT count(*) AS n FROM changing WHERE a.members @> user_id AND changing.id > a.id OFFSET 0) AS s') AS c;
SELECT c.* FROM compare('SELECT a.id FROM audience AS a WHERE EXISTS (SELECT FROM changing WHERE a.members @> user_id AND changing.id > 29000 OFFSET 0)') AS c;
SELECT c.* FROM compare('SELECT k.id, b.user_id FROM changing AS b JOIN keys AS k ON k.int4 = b.id WHERE (SELECT members FROM audience WHERE id = 1) @> b.user_id') AS c;
SELECT c.* FROM compare('SELECT a.id FROM audience AS a WHERE EXISTS (SELECT FROM changing WHERE a.members @> user_id)') AS c;
SELECT c.* FROM compare('SELECT a.id FROM audience AS a WHERE NOT EXISTS (SELECT FROM changing WHERE a.members @> user_id)') AS c;
SELECT c.* FROM compare('SELECT a.id, b.id FROM (SELECT id, coalesce(members, members) AS members FROM audience) AS a, changing AS b WHERE a.members @> b.user_id AND b.id > a.id') AS c;
RESET enable_material;
RESET enable_indexscan;
RESET enable_bitmapscan;
DELETE FROM audience WHERE id > 1;
VACUUM ANALYZE audience;

-- partitions, inheritance, unions, common table expressions, windows
CREATE TABLE parts (LIKE changing) PARTITION BY RANGE (id);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES FROM (0) TO (10000);
CREATE TABLE parts_1 (filler text, user_id int, id int NOT NULL);
ALTER TABLE parts ATTACH PARTITION parts_1 FOR VALUES FROM (10000) TO (100000);
INSERT INTO parts SELECT * FROM changing;
ANALYZE parts;
SELECT c.* FROM compare('SELECT * FROM parts WHERE (SELECT members FROM audience) @> user_id') AS c;
SELECT c.* FROM compare('SELECT parts.* FROM audience AS a, parts WHERE a.members @> user_id') AS c;
SELECT c.* FROM compare($$WITH s AS MATERIALIZED (SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id)
                          SELECT id, sum(user_id) OVER (ORDER BY id) FROM s UNION ALL
                          SELECT id, 1 FROM parts WHERE (SELECT members FROM audience) @> user_id$$) AS c;

-- with just-in-time compilation
SET jit_above_cost = 0;
SET jit_optimize_above_cost = 0;
SELECT c.* FROM compare($$SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND filler <> '' AND id % 2 < 1 AND id < 30000$$) AS c;
RESET jit_above_cost;
RESET jit_optimize_above_cost;

-- what statements do with the rows
CREATE TABLE target AS SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND id < 1000;
INSERT INTO target SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id AND id >= 1000;
INSERT INTO changing SELECT * FROM changing WHERE (SELECT members FROM audience) @> user_id;
SELECT (SELECT count(*) FROM target) AS copied, (SELECT count(*) FROM changing WHERE user_id % 7 = 0) AS twice;

-- in functions, whose plans are kept, with filters that change
CREATE FUNCTION count_members(f ribbonfilter) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(*) FROM target WHERE f @> user_id);
END $$;
SELECT n, count_members(f) FROM generate_series(2, 12) AS n, LATERAL (SELECT ribbon_build(i, 0.0001) AS f FROM generate_series(0, 40000, n) AS i) AS s;

DROP FUNCTION compare, count_members;
DROP TABLE keys, filters, maps, nothings, late, others, blanks, changing, audience, columns, parts, target;
DROP DOMAIN user_id;
