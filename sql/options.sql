--
-- The third argument of ribbon_build: kind=burr|homogeneous|auto, width=32|64|128
--
CREATE TABLE keys AS SELECT i AS k FROM generate_series(1, 2000) AS i;

-- any order, any case, commas or blanks or both, blanks around =
SELECT options, kind, ribbon_width, keys
  FROM (VALUES (''), ('kind=burr'), ('kind=homogeneous'), ('width=32'), ('width=64'), ('width=128'),
	('kind=homogeneous, width=32'), ('width=32,kind=homogeneous'), ('width=32 kind=homogeneous'),
	('  KIND = Homogeneous ,, Width =128 '), (E'kind=burr\n\twidth=32')) AS v(options),
       LATERAL (SELECT ribbon_build(k, 0.01, options) AS f FROM keys) AS b, ribbon_stats(f);

-- auto is the kind that takes fewer bytes
SELECT rate, width, length(a::bytea) = least(length(b::bytea), length(h::bytea)) AS smallest
  FROM unnest('{0.5,0.1,0.001}'::float8[]) AS rate, unnest('{32,64,128}'::int[]) AS width,
       LATERAL (SELECT ribbon_build(k, rate, 'kind=auto width=' || width) AS a,
                       ribbon_build(k, rate, 'kind=burr width=' || width) AS b,
                       ribbon_build(k, rate, 'kind=homogeneous width=' || width) AS h FROM keys) AS s
 ORDER BY rate, width;

-- an unknown option, a repeated one, a bad value, none
SELECT ribbon_build(k, 0.01, 'colour=blue') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, 'kind=burr width=64 kind=burr') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, 'kind=bloom') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, 'kind=exact') FROM keys;
SELECT ribbon_build(k, 0.01, 'exact') FROM keys;
SELECT ribbon_build(k, 0.01, 'width=16') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, 'width') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, 'width=') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, '=64') FROM keys;
\echo :LAST_ERROR_SQLSTATE
SELECT ribbon_build(k, 0.01, 'width=64=64') FROM keys;
\echo :LAST_ERROR_SQLSTATE

-- also beside a NULL key
SELECT ribbon_build(NULL::int, 0.01, 'colour=blue') FROM keys;
\echo :LAST_ERROR_SQLSTATE

-- rates that differ, in as many digits as it takes
SELECT ribbon_build(k, CASE WHEN k < 5 THEN 0.01 ELSE 0.010000000001 END) FROM keys;

DROP TABLE keys;
