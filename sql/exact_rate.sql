--
-- ribbon_build_exact with a rate: right about the keys that are listed, and yes to others at the rate
--
SET TimeZone = 'UTC';
CREATE TABLE listed AS SELECT i AS id, i <= 4000 AS member, 'key ' || i AS name FROM generate_series(1, 68000) AS i;

-- no listed key gets a wrong answer; others get a yes as often as was asked for, and as ribbon_fpr says
SELECT fpr, (SELECT count(*) FROM listed WHERE (f @> id) <> member) AS wrong, (s).kind, (s).keys, (s).universe,
       abs(ribbon_fpr(f) / fpr - 1) < 0.005 AS as_asked, abs((s).fpr / ribbon_fpr(f) - 1) < 0.001 AS as_stated,
       abs((SELECT avg((f @> i)::int) FROM generate_series(100001, 200000) AS i) / ribbon_fpr(f) - 1) < 4 / sqrt(100000 * fpr / (1 - fpr)) AS as_found,
       (s).bytes <= 1.004 * 4000 * bits / 8 + 32 AS small
  FROM (VALUES (1 / 256.0, 8 + 16 / 128.0), (0.01, 6.72 + 0.32), (1 / 65536.0, 16.001)) AS v(fpr, bits),
       LATERAL (SELECT ribbon_build_exact(id, member, fpr) AS f FROM listed OFFSET 0) AS b, LATERAL (SELECT ribbon_stats(f) AS s) AS st;
-- at most 1.02 of a filter of the members alone; a filter that no other key needs to be told from takes as much
SELECT octet_length(e::bytea) <= 1.02 * octet_length(b::bytea) AS nearly_free, abs(octet_length(n::bytea) - octet_length(b::bytea)) <= 8 AS free
  FROM (SELECT ribbon_build_exact(id, member, 1 / 256.0) AS e, ribbon_build_exact(id, member, 1 / 256.0) FILTER (WHERE member) AS n,
               ribbon_build(id, 1 / 256.0) FILTER (WHERE member) AS b FROM listed) AS s;
-- any rate that is allowed, sets of any few keys
SELECT fpr, n, h, count(*) FILTER (WHERE (f @> i) <> (i <= n)) AS wrong, bool_and(ribbon_check(f)) AS sound,
       min(ribbon_fpr(f)) BETWEEN 0.995 * fpr AND 1.005 * fpr OR n = 0 AS as_asked
  FROM unnest('{0.5,0.4,0.25,0.1,2.3283064365386963e-10}'::float8[]) AS fpr, unnest('{0,1,2,40}'::int[]) AS n, unnest('{0,1,2}'::int[]) AS h,
       LATERAL (SELECT ribbon_build_exact(i, i <= n, fpr) AS f FROM generate_series(1, n + h) AS i OFFSET 0) AS b, generate_series(1, n + h) AS i
 GROUP BY fpr, n, h ORDER BY fpr, n, h;

-- however many are members, it is no filter of the others; if others are many, it may say yes more seldom than was asked for, and says so
SELECT ribbon_fpr(f) AS rate, f @> 1 AS member, f @> 40000 AS other FROM (SELECT ribbon_build_exact(id, id < 40000, 0.25) AS f FROM listed) AS s;
SELECT ribbon_fpr(f) < 0.1 AS seldom, f @> 1 AS member FROM (SELECT ribbon_build_exact(id, id < 40, 0.1) AS f FROM listed) AS s;
-- without members there is nothing in it
SELECT f::text, ribbon_fpr(f), f @> 1 AS one, f @> 99 AS other FROM (SELECT ribbon_build_exact(id, false, 0.1) AS f FROM listed WHERE id < 9) AS s;
SELECT ribbon_build_exact(id, member, 0.1)::text, ribbon_build_exact(id, member, 0.1, 'width=64')::text FROM listed WHERE false;
SELECT ribbon_fpr(f), f @> 1 AS one FROM (SELECT ribbon_build_exact(id, true, 0.25) AS f FROM listed WHERE id = 1) AS s;

-- rows without a key, or without an answer, are none; keys count once; the same keys give the same bytes, as they are or hashed
SELECT ribbon_cardinality(f) AS members, (ribbon_stats(f)).universe, f @> 1 AS one, f @> 2 AS two
  FROM (SELECT ribbon_build_exact(k, m, 0.001) AS f
          FROM (VALUES (1, true), (NULL, true), (2, false), (3, NULL), (1, true), (NULL, NULL), (2, false)) AS v(k, m)) AS s;
SELECT a = b AND b = c AND c = d AS same
  FROM (SELECT ribbon_build_exact(id, member, 0.01) AS a, ribbon_build_exact(id, member, 0.01 ORDER BY name) AS b,
               ribbon_build_exact(ribbon_key(id), member, 0.01) AS d FROM listed) AS s,
       (SELECT ribbon_build_exact(id::bigint, member, 0.01) AS c FROM (SELECT * FROM listed UNION ALL SELECT * FROM listed WHERE id < 900) AS u) AS t;
SELECT count(*) AS wrong FROM listed, (SELECT ribbon_build_exact(name, member, 0.03) AS f FROM listed) AS s WHERE (f @> name) <> member;

-- mistakes
SELECT ribbon_build_exact(k, m, 0.01) FROM (VALUES (1, true), (2, false), (1, false)) AS v(k, m);
SELECT ribbon_build_exact(id, member, NULL::float8) FROM listed;
SELECT ribbon_build_exact(id, member, CASE WHEN id < 9 THEN 0.1 ELSE 0.2 END) FROM listed;
SELECT ribbon_build_exact(NULL::int, member, 0.51) FROM listed;
SELECT ribbon_build_exact(id, member, 1) FROM listed;
SELECT ribbon_build_exact(id, member, 1e-10) FROM listed;
SELECT ribbon_build_exact(id, member, '0.01') FROM listed;
SELECT ribbon_build_exact(id, member, '1E-3, width=64') FROM listed;
SELECT ribbon_build_exact(ribbon_key(id), member, ' .5 ') FROM listed;
PREPARE built AS SELECT ribbon_build_exact(id, member, $1) FROM listed;
EXECUTE built(0.25);
DEALLOCATE built;
SELECT ribbon_build_exact(id, member, '0') FROM listed;
SELECT ribbon_build_exact(id, member, 0.1, '0.2') FROM listed;
SELECT ribbon_build_exact(id, member, 'NaN') FROM listed;
SELECT ribbon_build_exact(id, member, 'NaN'::float8) FROM listed;
SELECT ribbon_build_exact(id, member, 0.1, NULL) FROM listed;
SELECT ribbon_build_exact(id, member, 0.1, 'kind=auto') FROM listed;
SELECT ribbon_build_exact(id, member, 0.1, CASE WHEN id < 9 THEN 'width=64' ELSE '' END) FROM listed;

-- options; a time; it cannot be shrunk
SELECT width, (ribbon_stats(f)).ribbon_width, (ribbon_stats(f)).as_of, ribbon_check(f), ribbon_member(f, 1, '2026-03-01 00:00+00') AS member,
       ribbon_member(f, 68000, '2026-03-01 00:00+00') AS other, ribbon_member(f, 1, '2026-03-01 00:00:01+00') AS newer
  FROM unnest('{32,64,128}'::int[]) AS width, LATERAL (SELECT ribbon_build_exact(id, member, 0.01, 'as_of=2026-03-01 00:00+00 width=' || width) AS f FROM listed) AS s;
CREATE TABLE kept AS SELECT ribbon_build_exact(id, member, 0.01) AS f FROM listed;
SELECT ribbon_shrink(f, 0.1) FROM kept;
SELECT f::bytea::ribbonfilter = f AS back, f::text::ribbonfilter = f AS text, ribbon_contains_all(f, ARRAY[1, 4000]) AS all,
       ribbon_contains_any(f, ARRAY[4001, 4002, 68000]) AS none FROM kept;
CREATE TABLE many AS SELECT id, member FROM listed;
ANALYZE many;
SELECT count(*), bool_and(member) FROM many WHERE id <@ (SELECT f FROM kept);
-- damage: a rate that only an exact set has, a column that nothing belongs into
SELECT '\x11818001000100'::ribbonfilter;
SELECT ribbon_check(set_byte(f::bytea, 2, get_byte(f::bytea, 2) - 128)::ribbonfilter) FROM kept;

-- the same bytes by sorted and hashed groups, as a window, in parallel, and beyond memory
CREATE TABLE plans AS SELECT md5(ribbon_build_exact(id, member, 0.01)::bytea) AS digest FROM listed;
SET enable_hashagg = off;
CREATE TABLE sorted AS SELECT id % 3 AS g, ribbon_build_exact(id, member, 0.3) AS f FROM listed GROUP BY 1;
RESET enable_hashagg;
SELECT count(*) AS same FROM sorted JOIN (SELECT id % 3 AS g, ribbon_build_exact(id, member, 0.3) AS f FROM listed GROUP BY 1) AS h USING (g, f);
SELECT count(*) AS prefixes, bool_and(f = w) AS same
  FROM (SELECT id, ribbon_build_exact(id, id % 3 = 0, 0.1) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS w FROM listed WHERE id <= 70) AS s,
       LATERAL (SELECT ribbon_build_exact(id, id % 3 = 0, 0.1) AS f FROM listed WHERE id <= s.id) AS t;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT md5(ribbon_build_exact(id, member, 0.01)::bytea) FROM listed;
SELECT md5(ribbon_build_exact(id, member, 0.01)::bytea) = digest AS same FROM plans, listed GROUP BY digest;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather;
CREATE TABLE beyond AS SELECT i AS id, i % 5 = 0 AS member FROM generate_series(1, 300000) AS i;
CREATE TABLE digests AS SELECT 'in memory' AS how, md5(ribbon_build_exact(id, member, fpr)::bytea) AS digest
  FROM beyond, unnest('{0.5,0.01}'::float8[]) AS fpr GROUP BY fpr;
SET work_mem = '1MB';
INSERT INTO digests SELECT 'in files', md5(ribbon_build_exact(id, member, fpr)::bytea)
  FROM beyond, unnest('{0.5,0.01}'::float8[]) AS fpr GROUP BY fpr;
RESET work_mem;
SELECT count(*), count(DISTINCT digest) FROM digests;
DROP TABLE listed, kept, many, plans, sorted, beyond, digests;
