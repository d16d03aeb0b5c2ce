--
-- ribbon_check: raises what is wrong with a filter, as far as its bytes tell
--
CREATE TABLE filters AS
SELECT n, kind, width, ribbon_build(i, 0.125, format('kind=%s, width=%s', kind, width)) AS f
  FROM unnest('{1,10,1000,30000}'::int[]) AS n, unnest('{burr,homogeneous}'::text[]) AS kind,
       unnest('{32,64,128}'::int[]) AS width, generate_series(1, n) AS i
 GROUP BY 1, 2, 3;

-- nothing, with filters as they were built, or shrunk, or have come in
SELECT ribbon_check(f) AS checked, count(*) FROM filters GROUP BY 1;
SELECT count(ribbon_check(ribbon_shrink(f, 0.3))) FROM filters;
SELECT ribbon_check('\x1101000000'::ribbonfilter);
SELECT ribbon_check(NULL) IS NULL AS is_null;

-- a filter with these bytes from a place on
CREATE FUNCTION damaged(f ribbonfilter, place int, bytes bytea) RETURNS ribbonfilter LANGUAGE sql AS
$$ SELECT overlay(f::bytea PLACING bytes FROM place + 1)::ribbonfilter $$;

-- thresholds that bump nothing: 54 bytes of them, behind a header of 14
SELECT (ribbon_stats(f)).layers, substr(f::bytea, 1, 20) AS begins FROM filters WHERE n = 30000 AND kind = 'burr' AND width = 64;
SELECT ribbon_check(damaged(f, 14, decode(repeat('00', 54), 'hex'))) FROM filters WHERE n = 30000 AND kind = 'burr' AND width = 64;
\echo :LAST_ERROR_SQLSTATE

-- a bit behind the last slot: 10 keys, 3 bits each, in 4 bytes
SELECT f::bytea AS bytes FROM filters WHERE n = 10 AND kind = 'burr' AND width = 64;
SELECT ribbon_check(set_bit(f::bytea, 8 * length(f::bytea) - 1, 1)::ribbonfilter) FROM filters WHERE n = 10 AND kind = 'burr' AND width = 64;
\echo :LAST_ERROR_SQLSTATE

-- a stretch of zeros where a homogeneous filter had its slots
SELECT ribbon_check(damaged(f, 5000, decode(repeat('00', 100), 'hex'))) FROM filters WHERE n = 30000 AND kind = 'homogeneous' AND width = 64;
\echo :LAST_ERROR_SQLSTATE

-- it is called even where the query does not use the result
SELECT count(*) FROM (SELECT ribbon_check(damaged(f, 5000, decode(repeat('00', 100), 'hex'))) FROM filters WHERE n = 30000 AND kind = 'homogeneous' AND width = 64) AS s;

-- which filters of a table are damaged?
CREATE TABLE stored AS SELECT row_number() OVER (ORDER BY n, kind COLLATE "C", width) AS id, n, kind, f FROM filters;
UPDATE stored SET f = damaged(f, 5000, decode(repeat('00', 100), 'hex')) WHERE n = 30000 AND kind = 'homogeneous';
CREATE FUNCTION complaint(f ribbonfilter) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	PERFORM ribbon_check(f);
	RETURN NULL;
EXCEPTION WHEN data_corrupted THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN detail;
END $$;
SELECT id, complaint(f) FROM stored WHERE complaint(f) IS NOT NULL ORDER BY id;

-- what only who has the keys can tell: that a slot of a BuRR filter has changed
SELECT ribbon_check(damaged(f, 100, '\x00000000')) FROM filters WHERE n = 1000 AND kind = 'burr' AND width = 64;
SELECT damaged(f, 100, '\x00000000') = (SELECT ribbon_build(i, 0.125, 'kind=burr, width=64') FROM generate_series(1, 1000) AS i) AS same
  FROM filters WHERE n = 1000 AND kind = 'burr' AND width = 64;

DROP TABLE filters, stored;
DROP FUNCTION damaged, complaint;
