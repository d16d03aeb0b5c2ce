--
-- One key against an array of filters: key <@ ANY (filters)
--

-- Filter i of three hundred holds 10 i .. 10 i + 4, in several types.
CREATE TABLE sets AS
SELECT array_agg(i ORDER BY g) AS ints, array_agg(n ORDER BY g) AS numerics,
       array_agg(t ORDER BY g) AS texts, array_agg(j ORDER BY g) AS jsons
  FROM (SELECT k / 10 AS g, ribbon_build(k, 1e-9) AS i, ribbon_build(k::numeric, 1e-9) AS n,
               ribbon_build(k::text, 1e-9) AS t, ribbon_build(to_jsonb(k), 1e-9) AS j
          FROM generate_series(0, 2999) AS k WHERE k % 10 < 5 GROUP BY k / 10) AS s;

-- every member is found in one of them, and no non-member (half of the rows are)
SELECT count(*) AS rows,
       count(*) FILTER (WHERE k <@ ANY (ints)) AS ints,
       count(*) FILTER (WHERE k::numeric <@ ANY (numerics)) AS numerics,
       count(*) FILTER (WHERE k::text <@ ANY (texts)) AS texts,
       count(*) FILTER (WHERE to_jsonb(k) <@ ANY (jsons)) AS jsons
  FROM generate_series(0, 2999) AS k, sets;

-- the same with an array in memory, which stays at one place
SELECT count(*) FILTER (WHERE k <@ ANY (ARRAY(SELECT unnest(ints) FROM sets))) AS ints,
       count(*) FILTER (WHERE k::numeric <@ ANY (ARRAY(SELECT unnest(numerics) FROM sets))) AS numerics
  FROM generate_series(0, 2999) AS k;

-- in which of them?
SELECT k, array_agg(i ORDER BY i) AS filters
  FROM sets, unnest(ints) WITH ORDINALITY AS u (f, i), generate_series(100, 120, 4) AS k
 WHERE k <@ f GROUP BY k ORDER BY k;

-- ALL: in each of the filters
SELECT 12 <@ ALL (ints[2:2]) AS one, 12 <@ ALL (ints[1:2]) AS two, 12 <@ ALL ('{}'::ribbonfilter[]) AS none FROM sets;

-- equal keys that are written differently, one after the other, are found alike; so are keys of any length
SELECT left(k::text, 5) AS k, length(k::text) AS digits, k <@ ANY (f) AS found
  FROM (SELECT ARRAY[ribbon_build(k)] AS f FROM unnest(ARRAY[1.5, 1e300 + 1, 0.1]) AS k) AS s,
       unnest(ARRAY[1.5, 1.50, 1.500, 1e300 + 1, 1e300 + 2, 0.1, 0.10, 0.2]) AS k;

-- a NULL among the filters leaves open whether the key is in one
SELECT 1 <@ ANY (ARRAY[NULL, f]) AS member, 2 <@ ANY (ARRAY[NULL, f]) AS nonmember,
       NULL::int <@ ANY (ARRAY[f]) AS "null"
  FROM (SELECT ribbon_build(1, 1e-9) AS f) AS s;

-- a filter of another class among them is an error
SELECT 2 <@ ANY (ARRAY[ribbon_build(1, 1e-9), ribbon_build('1'::text)]);
\echo :LAST_ERROR_SQLSTATE

DROP TABLE sets;
