--
-- What JIT compiles, and inlines, finds all that it calls.  (Where there is no JIT, the answers are the same.)
--
SET jit = on;
SET jit_above_cost = 0;
SET jit_inline_above_cost = 0;
SET jit_optimize_above_cost = 0;
CREATE TABLE keys AS SELECT i, i::text AS x, i::numeric AS n, date '2000-01-01' + i AS d FROM generate_series(1, 3000) AS i;
CREATE TABLE sets AS
SELECT ribbon_build(i) AS f, ribbon_build(x) AS fx, ribbon_build(n) AS fn, ribbon_build(d) AS fd, ribbon_map(i, i % 7) AS m, ribbon_map(x, x) AS mx
  FROM keys WHERE i % 2 = 0;
SET ribbon.batch = off;
SELECT count(*) FROM keys, sets WHERE i % 2 = 0 AND f @> i AND x <@ fx AND ribbon_contains(fn, n) AND fd @> d AND m @> i;
SELECT sum(m -> i), count(mx ->> x), count(ribbon_get(m, i, NULL::int)) FROM keys, sets WHERE i % 2 = 0;
SELECT count(*) FROM keys, sets WHERE i % 2 = 0 AND ribbon_contains_all(f, ARRAY[i, i]) AND ribbon_hash(i) IS NOT NULL AND ribbon_shard(x, 8) < 8;
SELECT ribbon_cardinality(f) AS keys, round(ribbon_fpr(f)::numeric, 2) AS fpr, (ribbon_stats(m)).kind, ribbon_check(mx) AS checked,
       ribbon_check(ribbon_shrink(f, 0.1)) AS shrunk, f::text::ribbonfilter = f AS same FROM sets;
RESET ribbon.batch;
SELECT count(*) FROM keys, sets WHERE i % 2 = 0 AND f @> i;
DROP TABLE keys, sets;
RESET jit;
RESET jit_above_cost;
RESET jit_inline_above_cost;
RESET jit_optimize_above_cost;
