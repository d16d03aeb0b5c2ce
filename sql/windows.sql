--
-- Final functions called more than once: windows, grouping sets, rescans
--
CREATE TABLE events AS SELECT i AS id, i % 3 AS g, i % 2 AS h FROM generate_series(1, 12) AS i;

-- a growing frame: after each row, the keys so far
SELECT id, ribbon_cardinality(f) AS keys, f @> 1 AS first, f @> id AS this
  FROM (SELECT id, ribbon_build(id) OVER (ORDER BY id) AS f FROM events) AS s ORDER BY id;

-- each of these filters is what the aggregate makes of the same rows
SELECT bool_and(f = (SELECT ribbon_build(e.id) FROM events AS e WHERE e.id <= s.id)) AS same
  FROM (SELECT id, ribbon_build(id) OVER (ORDER BY id) AS f FROM events) AS s;

-- partitions, moving frames, frames without rows
SELECT id, ribbon_cardinality(ribbon_build(id) OVER (PARTITION BY g)) AS of_partition,
       ribbon_cardinality(ribbon_build(id) OVER (ORDER BY id ROWS 2 PRECEDING)) AS moving,
       ribbon_cardinality(ribbon_build(id) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)) AS before,
       ribbon_cardinality(ribbon_build(id, 0.1, 'kind=homogeneous') OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING)) AS ahead
  FROM events ORDER BY id;

-- grouping sets: every set gets all of its keys
SELECT g, h, ribbon_cardinality(f) AS keys,
       f = (SELECT ribbon_build(e.id) FROM events AS e
             WHERE (s.g IS NULL OR e.g = s.g) AND (s.h IS NULL OR e.h = s.h)) AS same
  FROM (SELECT g, h, ribbon_build(id) AS f FROM events GROUP BY CUBE (g, h)) AS s ORDER BY g, h;
SET enable_hashagg = off;
SELECT g, h, ribbon_cardinality(ribbon_build(id)) AS keys FROM events GROUP BY ROLLUP (g, h) ORDER BY g, h;
RESET enable_hashagg;

-- several aggregates of one group, alike or not
SELECT g, ribbon_build(id) = ribbon_build(id) AS alike, ribbon_build(id) = ribbon_build(id, 0.01) AS same_rate,
       ribbon_build(id) = ribbon_build(id, 0.5) AS other_rate
  FROM events GROUP BY g ORDER BY g;

-- another extension's aggregate that shares our state
CREATE AGGREGATE twice(anyelement) (
	SFUNC = ribbon_build_transfn, STYPE = internal, FINALFUNC = ribbon_build_finalfn, FINALFUNC_EXTRA);
SELECT ribbon_build(id) = twice(id) AS same FROM events;
DROP AGGREGATE twice(anyelement);

-- a hash aggregate that is scanned again and again
SET enable_sort = off;
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT e.id, count(*) AS groups_that_hold_it
  FROM events AS e LEFT JOIN (SELECT g, ribbon_build(id, 0.000001) AS f FROM events GROUP BY g) AS s ON s.f @> e.id
 GROUP BY e.id ORDER BY e.id;
RESET enable_sort;
RESET enable_material;
RESET enable_hashjoin;
RESET enable_mergejoin;

DROP TABLE events;
