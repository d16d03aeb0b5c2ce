--
-- ribbon_shard: a set that is too large for one filter
--

-- equal keys go to the same shard, whatever their type within a class
SELECT ribbon_shard(42, 64) AS int4, ribbon_shard(42::int8, 64) AS int8, ribbon_shard(42::int2, 64) AS int2;
SELECT ribbon_shard('abc'::text, 1000) = ribbon_shard('abc'::name, 1000) AS same;

-- from 0 to shards - 1, evenly
SELECT min(s), max(s), min(n) > 900 AND max(n) < 1100 AS even
  FROM (SELECT ribbon_shard(i, 64) AS s, count(*) AS n FROM generate_series(1, 64000) AS i GROUP BY 1) AS shards;
SELECT ribbon_shard(42, 1) AS only, ribbon_shard(42, 2147483647) BETWEEN 0 AND 2147483646 AS most;
SELECT ribbon_shard(NULL::int, 64) IS NULL AND ribbon_shard(42, NULL) IS NULL AS strict;
SELECT ribbon_shard(42, 0);
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_shard(42, -1);
SELECT ribbon_shard('pg_class'::regclass, 64);

-- the shard says nothing of where the key is in its filter: the rate is the same
CREATE TABLE shards (shard int PRIMARY KEY, filter ribbonfilter);
INSERT INTO shards
SELECT ribbon_shard(i, 16), ribbon_build(i) FROM generate_series(1, 200000) AS i GROUP BY 1;
SELECT count(*) AS shards, sum(ribbon_cardinality(filter)) AS keys FROM shards;

-- a probe reads one filter
PREPARE probe(int) AS
SELECT filter @> $1 AS found FROM shards WHERE shard = ribbon_shard($1, 16);
EXECUTE probe(1);
EXECUTE probe(200000);

SELECT count(*) AS members_missed FROM generate_series(1, 200000) AS i
 WHERE NOT EXISTS (SELECT FROM shards WHERE shard = ribbon_shard(i, 16) AND filter @> i);
SELECT count(*) BETWEEN 1700 AND 2300 AS one_percent FROM generate_series(200001, 400000) AS i
 WHERE EXISTS (SELECT FROM shards WHERE shard = ribbon_shard(i, 16) AND filter @> i);

DROP TABLE shards;
