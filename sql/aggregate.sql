--
-- ribbon_build: the same set gives the same bytes, however it is presented
--
CREATE TABLE keys AS SELECT i AS k, i % 7 AS g FROM generate_series(1, 5000) AS i;

-- the rate is what was asked for, the size follows from it
SELECT asked, round(ribbon_fpr(f)::numeric, 6) AS got, ribbon_cardinality(f) AS keys,
       round(8.0 * length(f::bytea) / ribbon_cardinality(f), 1) AS bits_per_key
  FROM unnest('{0.5,0.1,0.01,0.001,0.0001}'::float8[]) AS asked,
       LATERAL (SELECT ribbon_build(k, asked) AS f FROM keys) AS s;

-- without a rate it is 1 %, without options kind=burr
SELECT ribbon_build(k) = ribbon_build(k, 0.01) AS rate,
       ribbon_build(k) = ribbon_build(k, 0.01, '') AS no_options,
       ribbon_build(k) = ribbon_build(k, 0.01, 'kind=burr') AS kind
  FROM keys;

-- order, duplicates, DISTINCT, FILTER, the integer type: no difference
SELECT ribbon_build(k) = ribbon_build(k ORDER BY k DESC) AS reversed,
       ribbon_build(k) = ribbon_build(k ORDER BY md5(k::text)) AS shuffled,
       ribbon_build(k) = ribbon_build(DISTINCT k) AS distinct_keys,
       ribbon_build(k) = ribbon_build(k::bigint) AS wider,
       ribbon_build(k) FILTER (WHERE g = 1) = ribbon_build(CASE WHEN g = 1 THEN k END) AS filtered
  FROM keys;
SELECT (SELECT ribbon_build(k) FROM keys) =
       (SELECT ribbon_build(k) FROM (SELECT k FROM keys UNION ALL SELECT k FROM keys) AS s) AS doubled,
       (SELECT ribbon_cardinality(ribbon_build(k)) FROM keys, generate_series(1, 3)) AS keys;

-- one filter per group, by sorting or by hashing
CREATE TABLE by_hash AS SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g;
SET enable_hashagg = off;
CREATE TABLE by_sort AS SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g;
RESET enable_hashagg;
SELECT g, ribbon_cardinality(h.f) AS keys, h.f = s.f AS same,
       (SELECT bool_and(h.f @> k) FROM keys WHERE keys.g = h.g) AS all_found
  FROM by_hash h JOIN by_sort s USING (g) ORDER BY g;

-- many small groups, more than a hash aggregate may hold in memory at a time
SET work_mem = '64kB';
SELECT count(*) AS groups, sum(ribbon_cardinality(f)) AS keys, bool_and(f @> k) AS found
  FROM (SELECT i / 3 AS k, ribbon_build(i / 3) AS f FROM generate_series(3, 30002) AS i GROUP BY i / 3) AS s;
RESET work_mem;

-- parameters must not be NULL, even beside a NULL key
SELECT ribbon_build(k, NULL) FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(NULL::int, NULL) FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, NULL) FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(NULL::int, 0.01, NULL) FROM keys;
\echo :LAST_ERROR_SQLSTATE

-- nor change within a group, be it beside a NULL key
SELECT ribbon_build(k, CASE WHEN k < 10 THEN 0.01 ELSE 0.02 END) FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(NULLIF(k, 10), CASE WHEN k <> 10 THEN 0.01 ELSE 0.02 END) FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, CASE WHEN k < 10 THEN 'width=32' ELSE 'width=64' END) FROM keys;
\echo :LAST_ERROR_SQLSTATE

-- they may differ between groups, and be spelled differently within one
SELECT g, round(ribbon_fpr(ribbon_build(k, 0.1 / (g + 1)))::numeric, 4) AS rate FROM keys GROUP BY g ORDER BY g;
SELECT ribbon_build(k, 0.01, CASE WHEN k < 10 THEN 'kind=burr width=32' ELSE 'width=32, kind=burr' END) =
       ribbon_build(k, 0.01, 'width=32') AS same FROM keys;

-- the range of rates: 2^-32 to 0.5
SELECT ribbon_build(k, 0.5) @> 1 AS highest, ribbon_build(k, 2::float8 ^ -32) @> 1 AS lowest FROM keys;
SELECT ribbon_build(k, 0.51) FROM keys;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY sqlstate
SELECT ribbon_build(k, 2e-10) FROM keys;
SELECT ribbon_build(k, 0) FROM keys;
SELECT ribbon_build(k, -0.01) FROM keys;
SELECT ribbon_build(k, 1) FROM keys;
SELECT ribbon_build(k, 'NaN') FROM keys;
SELECT ribbon_build(k, 5) FROM keys;
SELECT ribbon_build(k, 51) FROM keys;
SELECT ribbon_build(k, 'Infinity') FROM keys;
SELECT ribbon_build(NULL::int, 7) FROM keys;
\set VERBOSITY default

DROP TABLE keys, by_hash, by_sort;
