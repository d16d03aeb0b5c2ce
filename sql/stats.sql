--
-- ribbon_cardinality, ribbon_fpr, ribbon_stats
--
CREATE TABLE filters AS
SELECT n, kind, ribbon_build(i, 0.01, 'kind=' || kind) AS f
  FROM unnest(ARRAY[1, 10, 1000, 100000]) AS n, unnest('{burr,homogeneous}'::text[]) AS kind,
       generate_series(1, n) AS i
 GROUP BY n, kind;

-- the columns and their types
SELECT ordinality AS column, attname, type
  FROM pg_proc, unnest(proargnames[2:], proallargtypes[2:]::regtype[]) WITH ORDINALITY AS u(attname, type, ordinality)
 WHERE oid = 'ribbon_stats(ribbonfilter)'::regprocedure;

-- duplicates do not count
SELECT ribbon_cardinality(ribbon_build(i % 10)) FROM generate_series(1, 1000) AS i;

-- one row: what is exact
SELECT n, s.kind, key_type, keys, ribbon_width, format_version, bytes = length(f::bytea) AS bytes,
       empty_slots = slots - keys AS empty_slots, abs(fpr / ribbon_fpr(f) - 1) < 0.0001 AS fpr
  FROM filters, ribbon_stats(f) AS s ORDER BY n, s.kind COLLATE "C";

-- what follows from the parameters: a homogeneous filter has one layer and no
-- bumped keys; BuRR of few keys too, and then no or hardly an empty slot
SELECT n, s.kind, layers, bumped_keys, empty_slots <= 0.002 * n AS hardly_an_empty_slot
  FROM filters, ribbon_stats(f) AS s WHERE n <= 1000 ORDER BY n, s.kind COLLATE "C";
SELECT n, layers > 1 AS layers, bumped_keys BETWEEN 1 AND n / 5 AS some_are_bumped
  FROM filters, ribbon_stats(f) AS s WHERE n = 100000 AND s.kind = 'burr';

-- what is derived: bits per key, and how much that is above log2(1/fpr)
SELECT n, s.kind, abs(bits_per_key / (8.0 * bytes / keys) - 1) < 0.0001 AS bits_per_key,
       abs(overhead - (8.0 * bytes / keys / -log(2, ribbon_fpr(f)::numeric)::float8 - 1)) <= 0.0001 * overhead AS overhead
  FROM filters, ribbon_stats(f) AS s ORDER BY n, s.kind COLLATE "C";
SELECT s.kind, bits_per_key < 7.5 AS small, overhead < 0.15 AS close_to_the_bound
  FROM filters, ribbon_stats(f) AS s WHERE n = 100000 ORDER BY s.kind COLLATE "C";

-- of an exact set with a rate the least is log2(1/fpr) for each member, whatever is decided of the others
SELECT others, overhead BETWEEN 0 AND 0.3 AS above_the_least
  FROM generate_series(0, 8000, 4000) AS others, LATERAL (SELECT ribbon_build_exact(i, i <= 5000, 0.01) AS f FROM generate_series(1, 5000 + others) AS i OFFSET 0) AS e,
       ribbon_stats(f);

-- fractions are rounded
SELECT fpr::text ~ '^0\.0\d{1,5}$' AS fpr, bits_per_key::text ~ '^6\.\d{1,4}$' AS bits_per_key, overhead::text ~ '^0\.0\d{1,5}$' AS overhead
  FROM ribbon_stats((SELECT f FROM filters WHERE (n, kind) = (100000, 'burr')));

-- the expected rate is the one asked for (a BuRR's exactly so)
SELECT n, kind, abs(ribbon_fpr(f) / 0.01 - 1) < CASE kind WHEN 'burr' THEN 0.001 ELSE 0.1 END AS as_asked
  FROM filters WHERE n >= 1000 ORDER BY n, kind COLLATE "C";

DROP TABLE filters;
