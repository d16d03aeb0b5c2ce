--
-- ribbon_build_exact: all keys of a universe in, a filter that is right about each of them out
--
CREATE TABLE universe AS
SELECT i AS id, i % 70 = 0 AS member, 'key ' || i AS name, md5(i::text)::uuid AS uid, i / 10.0 AS amount, ARRAY[i, i % 3] AS ids
  FROM generate_series(1, 70000) AS i;

-- no wrong answer, whichever way, for keys of any type
SELECT ribbon_cardinality(f) AS members, (SELECT count(*) FROM universe WHERE (f @> id) <> member) AS wrong,
       (SELECT count(*) FROM universe WHERE (id <@ f) <> member) AS wrong_too
  FROM (SELECT ribbon_build_exact(id, member) AS f FROM universe) AS s;
SELECT (SELECT count(*) FROM universe WHERE (n @> name) <> member) AS names, (SELECT count(*) FROM universe WHERE (u @> uid) <> member) AS uids,
       (SELECT count(*) FROM universe WHERE (a @> amount) <> member) AS amounts, (SELECT count(*) FROM universe WHERE (i @> ids) <> member) AS arrays
  FROM (SELECT ribbon_build_exact(name, member) AS n, ribbon_build_exact(uid, member) AS u, ribbon_build_exact(amount, member) AS a,
               ribbon_build_exact(ids, member) AS i FROM universe) AS s;

-- 8.08 bits per member where 69 others come with each, whatever the number of members; half of them members: 2
SELECT k AS others_per_member, n AS members, ribbon_cardinality(f) = n AS counted, (ribbon_stats(f)).universe,
       8 * octet_length(f::bytea) <= 1.004 * n * CASE k WHEN 1 THEN 2 WHEN 4 THEN 4 WHEN 16 THEN 6 ELSE 8.078 END + 8 * 32 AS small,
       (SELECT count(*) FROM generate_series(1, n * (k + 1)) AS i WHERE (f @> i) <> (i <= n)) AS wrong
  FROM (VALUES (1, 1000), (4, 1000), (16, 1000), (69, 1000), (1, 10000), (16, 5000)) AS v(k, n),
       LATERAL (SELECT ribbon_build_exact(i, i <= n) AS f FROM generate_series(1, n * (k + 1)) AS i OFFSET 0) AS s;

-- what is outside the universe gets a wrong answer easily: half of these would be members
SELECT ribbon_fpr(f) AS rate, abs(avg((f @> i)::int) - 0.5) < 0.03 AS as_stated
  FROM (SELECT ribbon_build_exact(id, id % 2 = 0) AS f FROM universe) AS s, generate_series(100001, 110000) AS i GROUP BY f;
SELECT round(ribbon_fpr(f)::numeric, 5) AS rate, abs(avg((f @> i)::int) / ribbon_fpr(f) - 1) < 0.2 AS as_stated
  FROM (SELECT ribbon_build_exact(id, member) AS f FROM universe) AS s, generate_series(100001, 140000) AS i GROUP BY f;

-- rows without a key, or without an answer, are none; keys count once; the same set gives the same bytes
SELECT ribbon_cardinality(f) AS members, (ribbon_stats(f)).universe, f @> 1 AS one, f @> 2 AS two
  FROM (SELECT ribbon_build_exact(k, m) AS f
          FROM (VALUES (1, true), (NULL, true), (2, false), (3, NULL), (1, true), (NULL, NULL), (2, false)) AS v(k, m)) AS s;
SELECT a = b AND b = c AS same
  FROM (SELECT ribbon_build_exact(id, member) AS a, ribbon_build_exact(id, member ORDER BY name) AS b FROM universe) AS s,
       (SELECT ribbon_build_exact(id::bigint, member) AS c FROM (SELECT * FROM universe UNION ALL SELECT * FROM universe WHERE id < 900) AS u) AS t;

-- no key at all, no members, nothing but members
SELECT what, f::text, ribbon_fpr(f), f @> 1 AS one, f @> 99 AS other, (s).kind, (s).keys, (s).universe, (s).bytes
  FROM (SELECT what, ribbon_build_exact(k, m) AS f
          FROM (VALUES ('none', NULL, NULL), ('no members', 1, false), ('no members', 2, false), ('all', 1, true), ('all', 2, true), ('one', 1, true),
                       ('one', 2, false)) AS v(what, k, m) GROUP BY what) AS g, LATERAL (SELECT ribbon_stats(f) AS s) AS st ORDER BY what;
SELECT ribbon_build_exact(id, member)::text FROM universe WHERE false;

-- a key on both sides
SELECT ribbon_build_exact(k, m) FROM (VALUES (1, true), (2, false), (1, false)) AS v(k, m);
SELECT ribbon_build_exact(k, m, 'as_of=2026-03-01Z') FROM (VALUES (1, true), (2, false), (1, false)) AS v(k, m);
SELECT ribbon_hash(1) AS the_key;
SELECT ribbon_build_exact(k, m) @> 1 AS one FROM (SELECT k, bool_or(m) AS m FROM (VALUES (1, true), (2, false), (1, false)) AS v(k, m) GROUP BY k) AS s;

-- keys of one hash: these pairs were chosen so; the set has a seed then, under which all keys have other hashes
CREATE FUNCTION chosen(x int, second boolean) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
	SELECT encode(CASE WHEN second THEN int8send(x'b93942ea7b738267'::bigint # x) || '\x3a5296093bbc56af'
	                   ELSE '\xb93942ea7b738267' || int8send(x'3a5296093bbc56af'::bigint # (x::bigint << 56)) END, 'hex')::uuid $$;
CREATE TABLE pairs AS SELECT chosen(x, second) AS k, CASE WHEN x < 9 THEN second ELSE x % 2 = 0 END AS member
  FROM generate_series(1, 100) AS x, (VALUES (false), (true)) AS v(second);
SELECT count(DISTINCT k) AS keys, count(DISTINCT ribbon_hash(k)) AS hashes FROM pairs;
SELECT (ribbon_stats(f)).keys, (ribbon_stats(f)).universe, ribbon_check(f), (SELECT count(*) FROM pairs WHERE (f @> k) <> member) AS wrong,
       (SELECT ribbon_contains_all(f, array_agg(k)) FROM pairs WHERE member) AS all,
       (SELECT ribbon_contains_any(f, array_agg(k)) FROM pairs WHERE NOT member) AS any
  FROM (SELECT ribbon_build_exact(k, member) AS f FROM pairs) AS s;
SELECT count(DISTINCT f) FROM (SELECT ribbon_build_exact(k, member ORDER BY k) AS f FROM pairs
                               UNION ALL SELECT ribbon_build_exact(k, member ORDER BY k DESC) FROM pairs) AS s;
CREATE TABLE seeded AS SELECT ribbon_build_exact(k, member) AS f FROM pairs;
SELECT k FROM pairs WHERE (SELECT f FROM seeded) @> k AND NOT member;
SELECT count(*) FROM pairs, seeded WHERE (f @> k) <> member;
SELECT ribbon_build_exact(k, member) FROM (SELECT * FROM pairs UNION ALL SELECT chosen(3, true), false) AS s;
DROP TABLE pairs, seeded; DROP FUNCTION chosen;

-- options: the ribbon width, and the time up to which the universe is complete
SELECT width, (s).ribbon_width, (s).as_of, (SELECT count(*) FROM universe WHERE (f @> id) <> member) AS wrong
  FROM (VALUES ('32'), ('64'), ('128')) AS w(width),
       LATERAL (SELECT ribbon_build_exact(id, member, 'width=' || width) AS f FROM universe) AS b, LATERAL (SELECT ribbon_stats(f) AS s) AS st;
SET TimeZone = 'UTC';
SELECT (ribbon_stats(f)).as_of FROM (SELECT ribbon_build_exact(id, member, 'as_of=2026-03-01 12:30:00.5+02, width=64') AS f FROM universe) AS s;
SELECT (ribbon_stats(f)).as_of = now() AS now FROM (SELECT ribbon_build_exact(id, member, 'width=64 as_of=now') AS f FROM universe) AS s;
SELECT ribbon_build_exact(id, member, 'as_of=2026-03-01') FROM universe;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build_exact(id, member, 'as_of=yesterdayish') FROM universe;
SELECT ribbon_build_exact(id, member, 'as_of=') FROM universe;
SELECT ribbon_build_exact(id, member, 'as_of=width=64') FROM universe;
SELECT ribbon_build_exact(id, member, 'as_of = 2026-03-01 12:30+02 width = 128') =
       ribbon_build_exact(id, member, 'width=128, as_of=2026-03-01 12:30+02') AS same FROM universe;
SELECT ribbon_build_exact(id, member, 'width=63') FROM universe;
SELECT ribbon_build_exact(id, member, 'kind=burr') FROM universe;
SELECT ribbon_build_exact(id, member, NULL) FROM universe;
SELECT ribbon_build_exact(id, member, CASE WHEN id < 9 THEN 'as_of=2026-01-01Z' ELSE '' END) FROM universe;
SELECT ribbon_build(id, 0.01, 'as_of=now') FROM universe;

-- a time is the same under every setting, or it is refused (22007; 22008 and 22009 where there is no such day or offset)
CREATE FUNCTION as_of(option text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	time timestamptz;
BEGIN
	SELECT (ribbon_stats(ribbon_build_exact(1, true, option))).as_of INTO time;
	RETURN CASE WHEN NOT isfinite(time) THEN (time = 'infinity')::text ELSE to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US BC') END;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
CREATE TABLE times AS
SELECT time, as_of('as_of=' || time) AS as_of
  FROM unnest('{infinity,-infinity,2026-03-01 02:00+00,2026-03-01T02:00:00Z,2026-03-01t02:00:00.5-0530,2026-03-01Z,2026-03-01+00,2026-03-01 02:00:00+05:30:10,
    0044-03-15 12:00+00 BC,294276-12-31 23:59:59.999999+00,2026-03-01 24:00+00,"2026-03-01 02:00+00  ",
    2026-03-01,2026-03-01 02:00,2026-03-01 02:00:00 CST,2026-03-01 02:00 Europe/Berlin,01/03/2026 02:00:00+00,01/03/2026 02:00:00 CST,Sun Mar 01 02:00:00 2026 UTC,
    1.3.2026 02:00+00,26-03-01 02:00+00,20260301T020000Z,J2451187+00,2026-03-01 02:00 PM+00,2026-03-01 02:00 +00,2026-03-01 02:00:60+00,2026-13-01 02:00+00,
    today,tomorrow,epoch,allballs,2026-02-30 02:00+00,2026-03-01 25:00+00,2026-03-01 02:00+16,294277-01-01 00:00+00,0000-01-01 00:00+00,=,=2026-03-01Z}'::text[]) AS time;
SELECT * FROM times;
SET DateStyle = 'SQL, DMY'; SET TimeZone = 'Asia/Shanghai';
SELECT count(*), bool_and(as_of = as_of('as_of=' || time)) AS same FROM times;
-- of a time that is a value, whatever the settings are
SELECT count(*), bool_and((ribbon_stats(f)).as_of = time) AS right
  FROM unnest('{infinity,-infinity,2026-02-01 00:00:00.000001+00,0044-03-15 12:00+00 BC,4714-11-24 00:00+00 BC,294276-12-31 23:59:59.999999+00}'::timestamptz[]) AS time,
       LATERAL (SELECT ribbon_build_exact(i, true, 'width=32, ' || ribbon_as_of(time)) AS f FROM generate_series(1, 2) AS i) AS s;
SELECT ribbon_as_of(timestamptz '2026-02-01 08:00+08') AS option, ribbon_as_of(NULL) AS none;
-- keys that the set never saw are not taken for known ones
SELECT ribbon_member(f, id, time + interval '1 s') IS NULL AS newer, count(*)
  FROM (SELECT timestamptz '2026-03-01 00:00+00' AS time, ribbon_build_exact(id, member, ribbon_as_of('2026-03-01 00:00+00')) AS f FROM universe) AS s,
       generate_series(70001, 70500) AS id GROUP BY 1;
RESET DateStyle; SET TimeZone = 'UTC';
DROP TABLE times; DROP FUNCTION as_of;

-- keys that are newer than the set: it does not know
CREATE TABLE kept AS SELECT ribbon_build_exact(id, member, 'as_of=2026-03-01 00:00+00') AS f FROM universe;
SELECT ribbon_member(f, 70, '2026-02-28 23:00+00') AS member, ribbon_member(f, 71, '2026-03-01 00:00+00') AS none,
       ribbon_member(f, 70, '2026-03-01 00:00:00.000001+00') AS newer, ribbon_member(f, 70, NULL) AS never FROM kept;
SELECT count(*) FILTER (WHERE ribbon_member(f, id, timestamptz '2026-03-01 00:00+00' + (id - 60000) * interval '1 s') IS NULL) AS unknown,
       count(*) FILTER (WHERE ribbon_member(f, id, timestamptz '2026-03-01 00:00+00' + (id - 60000) * interval '1 s') <> member) AS wrong
  FROM kept, universe;
-- one that is stored out of line, and read whole
CREATE TABLE large AS SELECT ribbon_build_exact(id, id % 5 = 0, 'as_of=2026-03-01 00:00+00') AS f FROM universe;
SELECT pg_column_size(f) > 4000 AS out_of_line FROM large;
SELECT count(*) FILTER (WHERE member) AS members, count(*) FILTER (WHERE member <> (id % 5 = 0)) AS wrong, count(*) FILTER (WHERE member IS NULL) AS newer
  FROM (SELECT id, ribbon_member(f, id, timestamptz '2026-03-01 00:00+00' + (id - 60000) * interval '1 s') AS member FROM large, universe) AS s;
DROP TABLE large;
-- the beginning of PostgreSQL's calendar, which is its 0, is a time, too
SELECT ribbon_build_exact(id, member, CASE WHEN id % 2 = 0 THEN 'as_of=2000-01-01 00:00Z' ELSE '' END) FROM universe;
SELECT ribbon_member(ribbon_build_exact(id, member), 1, now()) FROM universe;
SELECT ribbon_member(ribbon_build(id), 1, now()) FROM universe;
SELECT ribbon_member(f, 'a'::text, now()) FROM kept;
SELECT ribbon_member(ribbon_build_exact(id, member, 'as_of=now'), 1, now()) IS NULL AS no_rows_no_options FROM universe WHERE false;

-- a filter like any other: arrays, stored in slices, page by page, joins, checks, casts; but it cannot be shrunk
SELECT ribbon_contains_any(f, ARRAY[1, 2, 70]) AS any, ribbon_contains_any(f, ARRAY[1, 2, 71]) AS none, ribbon_contains_all(f, ARRAY[70, 140]) AS all,
       ribbon_contains_all(f, ARRAY[70, 141]) AS not_all, ribbon_check(f), f::bytea::ribbonfilter = f AS back, f::text::ribbonfilter = f AS text
  FROM kept;
CREATE TABLE large AS
SELECT part, ribbon_build_exact(i, i % 7 = part) AS f FROM generate_series(1, 100000) AS i, generate_series(0, 3) AS part GROUP BY part;
SELECT part, pg_column_size(f) > 8000 AS out_of_line, (SELECT count(*) FROM generate_series(1, 3000) AS i WHERE (l.f @> i) <> (i % 7 = part)) AS wrong
  FROM large AS l ORDER BY part;
SELECT i, array_agg(part ORDER BY part) AS parts FROM large, generate_series(701, 707) AS i WHERE f @> i GROUP BY i ORDER BY i;
CREATE TABLE many AS SELECT id, member FROM universe;
ANALYZE many;
SELECT count(*), bool_and(member) FROM many WHERE id <@ (SELECT f FROM kept);
SELECT count(*) FROM many WHERE (SELECT f FROM kept) @> id AND NOT member;
SELECT (ribbon_stats(f)).kind, (ribbon_stats(f)).key_type, (ribbon_stats(f)).keys, (ribbon_stats(f)).universe, (ribbon_stats(f)).overhead < 0.1 AS small
  FROM kept;
SELECT ribbon_shrink(f, 0.5) FROM kept;
SELECT f @> 1.5 FROM kept;
SELECT complaint FROM ribbon_check_table('large');

-- damage
SELECT ribbon_check(set_byte(f::bytea, 2, 64)::ribbonfilter) FROM kept;
SELECT substr(f::bytea, 1, octet_length(f::bytea) - 1)::ribbonfilter FROM kept;
SELECT (f::bytea || '\x00')::ribbonfilter FROM kept;
SELECT (f::bytea)::ribbonmap FROM kept;
-- times: only those that a timestamp can be
CREATE FUNCTION timed(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (ribbon_stats(bytes::ribbonfilter)).as_of;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT time, timed('\x118118010002' || substr(int8send(time), 8) || substr(int8send(time), 7, 1) || substr(int8send(time), 6, 1) || substr(int8send(time), 5, 1) ||
                   substr(int8send(time), 4, 1) || substr(int8send(time), 3, 1) || substr(int8send(time), 2, 1) || substr(int8send(time), 1, 1)) AS as_of
  FROM unnest('{-9223372036854775808,-9223372036854775807,-211813488000000001,-211813488000000000,0,9223371331199999999,9223371331200000000,9223372036854775806,9223372036854775807}'::bigint[]) AS time;
DROP FUNCTION timed;

-- the same bytes by sorted and hashed groups, as a window, in parallel, and beyond memory
CREATE TABLE plans AS SELECT md5(ribbon_build_exact(id, member)::bytea) AS digest FROM universe;
SET enable_hashagg = off;
SELECT count(DISTINCT f) FROM (SELECT id % 3 AS g, ribbon_build_exact(id, member) AS f FROM universe GROUP BY 1) AS s;
CREATE TABLE sorted AS SELECT id % 3 AS g, ribbon_build_exact(id, member) AS f FROM universe GROUP BY 1;
RESET enable_hashagg;
SELECT count(*) AS same FROM sorted JOIN (SELECT id % 3 AS g, ribbon_build_exact(id, member) AS f FROM universe GROUP BY 1) AS h USING (g, f);
SELECT count(DISTINCT w) AS windows, bool_or(w = f) AS whole
  FROM (SELECT ribbon_build_exact(id, member) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS w FROM universe WHERE id <= 70) AS s,
       (SELECT ribbon_build_exact(id, member) AS f FROM universe WHERE id <= 70) AS t;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT md5(ribbon_build_exact(id, member, 'as_of=now')::bytea) FROM universe;
SELECT md5(ribbon_build_exact(id, member)::bytea) = digest AS same FROM plans, universe GROUP BY digest;
SELECT (ribbon_stats(ribbon_build_exact(id, member, 'as_of=now'))).as_of = now() AS now FROM universe;
SELECT ribbon_build_exact(CASE WHEN id = 70000 THEN 1 ELSE id END, member) FROM universe;
CREATE TABLE beyond AS SELECT i AS id, i % 20 = 0 AS member FROM generate_series(1, 700000) AS i;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE digests AS SELECT 'in memory' AS how, md5(ribbon_build_exact(id, member)::bytea) AS digest FROM beyond;
SET work_mem = '4MB';
INSERT INTO digests SELECT 'in files', md5(ribbon_build_exact(id, member)::bytea) FROM beyond;
SET max_parallel_workers_per_gather = 2;
INSERT INTO digests SELECT 'by workers', md5(ribbon_build_exact(id, member)::bytea) FROM beyond;
RESET work_mem; RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;
SELECT count(*), count(DISTINCT digest) FROM digests;

-- keys whose canonical form is longer than what is hashed at once
SELECT count(*) FILTER (WHERE (f @> key) <> member) AS wrong
  FROM (SELECT ARRAY[repeat('x', 3000), i::text] AS key, i % 2 = 0 AS member FROM generate_series(1, 200) AS i) AS s,
       (SELECT ribbon_build_exact(ARRAY[repeat('x', 3000), i::text], i % 2 = 0) AS f FROM generate_series(1, 200) AS i) AS t;
-- what is taken for a rate among the options
SELECT ribbon_build_exact(id, member, '5') FROM universe;
SELECT ribbon_build_exact(id, member, '500') FROM universe;
SELECT ribbon_build_exact(id, member, '-5') FROM universe;

DROP TABLE universe, plans, kept, large, many, sorted, beyond, digests;
