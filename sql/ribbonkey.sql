--
-- ribbonkey: a key's hashes, which stand for the key
--
SET client_min_messages = warning;

-- text and binary form
SELECT ribbon_key(42), ribbon_key(42::int2) = ribbon_key(42::bigint) AS same_class, ribbon_key('a') = ribbon_key('a'::varchar) AS text,
       ribbon_hash(ribbon_key(42)) = ribbon_hash(42) AS hash, ribbon_key(ribbon_key('x'::text)) = ribbon_key('x') AS itself,
       pg_column_size(ribbon_key(42)) AS bytes, ribbon_key(NULL::int) IS NULL AS of_null;
SELECT k::text::ribbonkey = k AS text, length(k::text) AS length, ribbonkey_send(k) AS binary
  FROM ribbon_key('ribbon'::text) AS k;
SELECT '\x00000001'::ribbonkey;
SELECT ''::ribbonkey;
SELECT ('\x' || repeat('zz', 20))::ribbonkey;
SELECT ('\x' || repeat('00', 20))::ribbonkey;
SELECT ('\x0000001f' || repeat('00', 16))::ribbonkey;
SELECT ('\x00100001' || repeat('00', 16))::ribbonkey;
SELECT ('\xffffffff' || repeat('00', 16))::ribbonkey;
SELECT ('\x0000001E' || repeat('AB', 16))::ribbonkey;
SELECT ('\x00000001' || repeat('AB', 16))::ribbonkey AS any_hash;

-- order, hashing, indexes, joins
CREATE TABLE k AS SELECT i, ribbon_key(i) AS key FROM generate_series(1, 1000) AS i;
SELECT count(DISTINCT key) AS keys, count(*) FILTER (WHERE key = ribbon_key(7)) AS one FROM k;
SELECT bool_and(o) AS ordered FROM (SELECT key >= lag(key, 1, key) OVER (ORDER BY key) AND NOT key < lag(key, 1, key) OVER (ORDER BY key) AS o FROM k) AS s;
SELECT ribbon_key(1) < ribbon_key('a') AS by_class, ribbon_key(1) <> ribbon_key(2) AS ne, ribbon_key(1) <= ribbon_key(1) AS le, ribbon_key(1) > ribbon_key(1) AS gt;
CREATE UNIQUE INDEX ON k (key);
CREATE INDEX ON k USING hash (key);
ANALYZE k;
SET enable_seqscan = off;
SELECT i FROM k WHERE key = ribbon_key(500);
RESET enable_seqscan;
SET enable_mergejoin = off; SET enable_nestloop = off;
SELECT count(*) FROM k AS a JOIN k AS b USING (key);
SET enable_mergejoin = on; SET enable_hashjoin = off;
SELECT count(*) FROM k AS a JOIN k AS b USING (key);
RESET ALL;
SET client_min_messages = warning;
SELECT count(DISTINCT hashtext) > 950 AS spread FROM (SELECT ribbonkey_hash(key) & 65535 AS hashtext FROM k) AS s;

-- wherever a key is taken: the same filter, the same bytes, the same answers
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN code AS varchar(10);
CREATE TABLE types (type text, expression text);
INSERT INTO types VALUES ('int2', 'i'), ('int4', 'i'), ('int8', 'i'), ('text', '''k'' || i'), ('varchar', 'i'), ('name', 'i'), ('code', 'i'),
	('char(5)', 'i'), ('bytea', 'int4send(i)'), ('uuid', 'md5(i::text)'), ('bool', 'i % 2 = 0'), ('date', '''2000-01-01''::date + i'),
	('time', '''00:00''::time + i * ''1 s''::interval'), ('timetz', '''00:00+01''::timetz + i * ''1 s''::interval'),
	('timestamp', '''1999-01-01''::timestamp + i * ''1 h''::interval'), ('timestamptz', '''1999-01-01 UTC''::timestamptz + i * ''1 h''::interval'),
	('oid', 'i'), ('xid8', 'i::text'), ('pg_lsn', '''0/'' || to_hex(i)'), ('float4', 'i / 7.0'), ('float8', 'i / 7.0'), ('numeric', 'i / 7.0'),
	('macaddr', '''08:00:2b:00:00:'' || lpad(to_hex(i), 2, ''0'')'), ('interval', 'i * ''1 h''::interval'), ('inet', '''10.0.0.0''::inet + i'),
	('bit(8)', 'i::bit(8)'), ('mood', '(enum_range(NULL::mood))[1 + i % 3]'), ('int[]', 'ARRAY[i, NULL]'), ('text[]', 'ARRAY[[i::text]]'),
	('int4range', 'int4range(i, i + 5)'), ('int4multirange', 'int4multirange(int4range(i, i + 5))'), ('pair', 'ROW(i, ''x'')'),
	('jsonb', 'jsonb_build_object(''a'', i)'), ('"char"', 'chr(i)'), ('tid', 'format(''(%s,1)'', i)');
CREATE FUNCTION alike(type text, expression text, OUT built bool, OUT mapped bool, OUT seeded bool, OUT answers bool, OUT hashes bool) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('WITH t AS MATERIALIZED (SELECT (%s)::%s AS k, ribbon_key((%1$s)::%2$s) AS h, hashtext(((%1$s)::%2$s)::text) %% 10 AS v FROM generate_series(1, 100) AS i),
		b AS MATERIALIZED (SELECT ribbon_build(k) AS f, ribbon_build(h) AS fh, ribbon_map(k, v) AS m, ribbon_map(h, v) AS mh,
			ribbon_map(k, v, 0.0001, ''seed=7'') AS ms, ribbon_map(h, v, 0.0001, ''seed=7'') AS mhs FROM t)
		SELECT (SELECT f = fh FROM b), (SELECT m = mh FROM b), (SELECT ms = mhs FROM b),
			   bool_and(f @> h AND h <@ f AND ribbon_contains(f, h) AND m @> h AND h <@ m AND m -> h = v AND ms -> h = v AND mhs -> k = v AND m ->> h = v::text
				AND ribbon_get(ms, h, 11) = v AND ribbon_contains_any(f, ARRAY[h, NULL]) AND ribbon_contains_all(f, ARRAY[h, NULL])),
			   bool_and(ribbon_hash(k) = ribbon_hash(h) AND ribbon_shard(k, 64) = ribbon_shard(h, 64)) FROM t, b', expression, type)
	   INTO built, mapped, seeded, answers, hashes;
END $$;
SELECT type, a.* FROM types, alike(type, expression) AS a WHERE NOT (built AND mapped AND seeded AND answers AND hashes);
SELECT count(*) AS types_alike FROM types, alike(type, expression) AS a WHERE built AND mapped AND seeded AND answers AND hashes;
SELECT s.kind, s.key_type, s.keys, s.ribbon_width FROM ribbon_stats((SELECT ribbon_build(ribbon_key(i), 0.1, 'kind=homogeneous, width=128') FROM generate_series(1, 10) AS i)) AS s;
SELECT e = (SELECT ribbon_build_exact(i, i % 3 = 0) FROM generate_series(1, 1000) AS i) AS exact,
       (SELECT bool_and((e @> ribbon_key(i)) = (i % 3 = 0)) FROM generate_series(1, 1000) AS i) AS right
  FROM (SELECT ribbon_build_exact(ribbon_key(i), i % 3 = 0) AS e FROM generate_series(1, 1000) AS i) AS s;

-- classes must be the same
SELECT ribbon_build(1) @> ribbon_key('a'::text);
SELECT ribbon_build('a'::text) @> ribbon_key(1);
SELECT ribbon_build('a'::text) @> ribbon_key('a'::char(3));
SELECT ribbon_build('a'::char(3)) @> ribbon_key('a'::text);
SELECT ribbon_build('a'::char(3)) @> ribbon_key('a'::char(9)) AS found;
SELECT ribbon_build(ARRAY[1]) @> ribbon_key(ARRAY['a']);
SELECT ribbon_build(ARRAY[1]) @> ribbon_key(1);
SELECT ribbon_build(row(1, 'a'::text)) @> ribbon_key(row(1, 2));
SELECT ribbon_build(row(1, 'a'::text)) @> ribbon_key(row(1, 'a'::text)) AS found;
SELECT ribbon_map(1, 2) -> ribbon_key('a');
SELECT ribbon_contains_any(ribbon_build(1, 1e-9), ARRAY[ribbon_key(2), ribbon_key(3), ribbon_key('a')]);
SELECT ribbon_contains_any(ribbon_build(1), ARRAY[ribbon_key(1), ribbon_key('a')]);
SELECT ribbon_contains_any(ribbon_build(1), '{}'::ribbonkey[]) AS any, ribbon_contains_all(ribbon_build(1), ARRAY[NULL]::ribbonkey[]) AS all;
SELECT ribbon_build(k) FROM (VALUES (ribbon_key(1)), (ribbon_key('a'))) AS v (k);
SELECT ribbon_map(k, 1) FROM (VALUES (ribbon_key(1)), (ribbon_key('a'))) AS v (k);
SELECT ribbon_build(k) FROM (VALUES (ribbon_key(ARRAY[1])), (ribbon_key(ARRAY['a']))) AS v (k);
SELECT ribbon_build(k) = ribbon_build(ARRAY[1]) AS no_element FROM (VALUES (ribbon_key('{}'::int[])), (ribbon_key(ARRAY[1]))) AS v (k), (SELECT ribbon_build('{}'::int[])) AS b (f) WHERE ribbon_key('{}'::int[]) <> k;

-- no key at all: a filter of no class, which takes any probe
SELECT f @> 1 AS integer, f @> 'a'::text AS text, f @> ribbon_key(1) AS hashed, (ribbon_stats(f)).key_type, ribbon_cardinality(f), f::text::ribbonfilter = f AS text,
       ribbon_check(f), ribbon_shrink(f, 0.5) @> 1 AS shrunk FROM (SELECT ribbon_build(NULL::ribbonkey) AS f) AS s;
SELECT m -> 1 AS value, m @> ribbon_key('a') AS found, (ribbon_stats(m)).key_type FROM (SELECT ribbon_map(NULL::ribbonkey, 1) AS m) AS s;

-- what cannot be a key cannot be a ribbonkey, and that is no part of a key
SELECT ribbon_key('pg_class'::regclass);
SELECT ribbon_key('a'::json);
SELECT ribbon_key(ARRAY[ribbon_key(1)]);
SELECT ribbon_build(row(ribbon_key(1), 2));
SELECT ribbon_hash(int8range(1, 2)) = ribbon_hash(ribbon_key(int8range(1, 2))) AS range;

-- stored: columns, generated columns, expressions in indexes
CREATE TABLE events (id int, who text, key ribbonkey GENERATED ALWAYS AS (ribbon_key(who)) STORED);
INSERT INTO events SELECT i, 'user ' || i FROM generate_series(1, 1000) AS i;
CREATE INDEX ON events (ribbon_key(id));
CREATE TABLE audience AS SELECT ribbon_build('user ' || i, 0.0001) AS f FROM generate_series(1, 100) AS i;
SELECT count(*) FROM events, audience WHERE f @> key;
SELECT count(*) FROM events WHERE key <@ (SELECT f FROM audience);
ANALYZE events; ANALYZE audience;
CREATE FUNCTION scanned_by(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN jsonb_path_query_first(plan, '$.**."Custom Plan Provider"') #>> '{}';
END $$;
SELECT scanned_by('SELECT count(*) FROM events WHERE (SELECT f FROM audience) @> key');
SELECT count(*) FROM events WHERE (SELECT f FROM audience) @> key;
SET ribbon.batch = off;
SELECT count(*) FROM events WHERE (SELECT f FROM audience) @> key;
RESET ribbon.batch;
-- a page of ribbonkeys of several classes
CREATE TABLE mixed AS SELECT i, CASE WHEN i <= 50 THEN ribbon_key('user ' || i) ELSE ribbon_key(i) END AS key FROM generate_series(1, 100) AS i;
SELECT count(*) FROM mixed WHERE (SELECT f FROM audience) @> key;
SELECT count(*) FROM (SELECT FROM mixed WHERE (SELECT f FROM audience) @> key LIMIT 50) AS s;

-- partitions by a hash of theirs, which they find again
CREATE TABLE parts (key ribbonkey) PARTITION BY HASH (key);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT key FROM events;
SELECT count(*) BETWEEN 400 AND 600 AS half FROM parts_0;
SELECT count(*) AS found FROM generate_series(1, 1000, 111) AS i JOIN parts ON key = ribbon_key('user ' || i);
SELECT count(*) AS one FROM parts WHERE key = ribbon_key('user 7'::text);
DROP TABLE parts;

-- as many characters as a key has, but not those
SELECT ('xx' || substr(ribbon_key(1)::text, 3))::ribbonkey;
SELECT ('\y' || substr(ribbon_key(1)::text, 3))::ribbonkey;

DROP TABLE k, types, events, audience, mixed;
DROP FUNCTION alike, scanned_by;
DROP DOMAIN code;
DROP TYPE mood, pair;

-- a call site of ribbon_key whose results an aggregate takes makes them in one place: what sees them, too, keeps a copy
CREATE CAST (bigint AS ribbonkey) WITH FUNCTION ribbon_key(anycompatible);
SELECT ribbon_build(x) = ribbon_build(i) AS filter, array_agg(x ORDER BY i) = array_agg(ribbon_key(i) ORDER BY i) AS all_of_them,
	   ribbon_keys(x) = ribbon_keys(i) AS set, count(DISTINCT x) AS keys, (array_agg(x))[1] = ribbon_key(1::bigint) AS first
  FROM (SELECT i, ribbon_key(i) AS x FROM generate_series(1, 100::bigint) AS i OFFSET 0) AS s;
SELECT count(*) FILTER (WHERE x <> before) AS differ, count(*) FILTER (WHERE n = ribbon_cardinality(f)) AS counted
  FROM (SELECT x, n, lag(x) OVER w AS before, ribbon_build(x) OVER w AS f FROM (SELECT i AS n, ribbon_key(i) AS x FROM generate_series(1, 100::bigint) AS i OFFSET 0) AS s WINDOW w AS (ORDER BY n)) AS t;
SELECT ribbon_build(a[3]) = ribbon_build(i + 2) AS element, count(DISTINCT a) AS arrays, bool_and(a[1] = ribbon_key(i) AND a[2] = ribbon_key(i + 1)) AS each
  FROM (SELECT i, ARRAY[i, i + 1, i + 2]::ribbonkey[] AS a FROM generate_series(1, 100::bigint) AS i OFFSET 0) AS s;
DROP CAST (bigint AS ribbonkey);
