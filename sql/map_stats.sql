--
-- What a map says of itself: ribbon_cardinality, ribbon_fpr, ribbon_stats, ribbon_check
--

-- the columns
SELECT ordinality AS column, attname, format_type(atttype, NULL) AS type
  FROM pg_proc, unnest(proargnames[2:], proallargtypes[2:]) WITH ORDINALITY AS u (attname, atttype, ordinality) WHERE oid = 'ribbon_stats(ribbonmap)'::regprocedure;

-- values of r bits and a rate take r and log2(1 / rate) bits per key, and little more; the dictionary besides
SELECT n, r, rate, s.kind, s.key_type, s.value_type, s.keys, s.value_bits, s.distinct_values AS distinct, s.overhead < 0.02 + 16 * 8.0 / n / r AS low_overhead,
       s.ribbon_width IN (32, 64, 128) AS width, s.layers > 0 AS layers, s.slots >= n AND s.empty_slots < 0.02 * n AND s.bumped_keys < n AS slots, s.bytes = length(map::bytea) AS bytes, abs(s.bits_per_key / (8.0 * s.bytes / s.keys) - 1) < 0.0001 AS bits, ribbon_cardinality(map) = n AS cardinality, abs(ribbon_fpr(map) / s.fpr - 1) < 0.0001 AS fpr,
       s.fpr BETWEEN 0.98 * rate AND 1.01 * rate AS rate_met, s.format_version AS version
  FROM unnest('{1000,20000}'::int[]) AS n, unnest('{1,4,8,16}'::int[]) AS r, unnest('{0.01,1}'::float8[]) AS rate,
       LATERAL (SELECT ribbon_map(i, i % (1 << r), rate) AS map FROM generate_series(1, n) AS i) AS m, LATERAL ribbon_stats(map) AS s WHERE 1 << r < n ORDER BY 1, 2, 3;
SELECT s.keys, s.value_type, s.value_bits, s.distinct_values, s.overhead < 0.02 AS low_overhead, s.bits_per_key > 10.7 AS with_dictionary
  FROM (SELECT ribbon_map(i::text, repeat('v', 1 + i % 16)) AS map FROM generate_series(1, 5000) AS i) AS m, LATERAL ribbon_stats(map) AS s;

-- an empty map
SELECT s.* FROM (SELECT ribbon_map(i, i) AS map FROM generate_series(1, 0) AS i) AS m, LATERAL ribbon_stats(map) AS s \gx

-- ribbon_check is true of a map as it was built, whatever it is of
SELECT count(*) FILTER (WHERE ribbon_check(map)) AS checked
  FROM unnest('{0,1,2,100,3000,50000}'::int[]) AS n, unnest('{1,17,60}'::int[]) AS r, unnest('{0.5,0.01,0.0000001,1}'::float8[]) AS rate,
       LATERAL (SELECT ribbon_map(i, ribbon_hash(i) & ((1::bigint << r) - 1), rate) AS map FROM generate_series(1, n) AS i) AS m;
SELECT ribbon_check(NULL::ribbonmap) IS NULL AS of_null;

-- and says what is wrong with one that was damaged where it is stored: here in its dictionary, in the thresholds, and in its length
CREATE TABLE damaged (name text, map bytea);
INSERT INTO damaged SELECT 'dictionary', set_byte(map::bytea, position('\x61'::bytea IN map::bytea) - 1, 255) FROM (SELECT ribbon_map(i, (ARRAY['aa', 'bb'])[1 + i % 2]) AS map FROM generate_series(1, 9) AS i) AS s;
INSERT INTO damaged SELECT 'end', substr(map::bytea, 1, length(map::bytea) - 1) FROM (SELECT ribbon_map(i, i) AS map FROM generate_series(1, 9) AS i) AS s;
INSERT INTO damaged SELECT 'version', set_byte(map::bytea, 0, 3) FROM (SELECT ribbon_map(i, i) AS map FROM generate_series(1, 9) AS i) AS s;
INSERT INTO damaged SELECT 'class', set_byte(map::bytea, 6, 13) FROM (SELECT ribbon_map(i, i) AS map FROM generate_series(1, 9) AS i) AS s;
UPDATE pg_attribute SET atttypid = 'ribbonmap'::regtype WHERE attrelid = 'damaged'::regclass AND attname = 'map';
CREATE FUNCTION outcome(statement text, map ribbonmap) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	EXECUTE statement USING map;
	RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN format('%s %s %s', SQLSTATE, SQLERRM, detail);
END $$;
SELECT name, outcome('SELECT ribbon_check($1)', map) AS check FROM damaged;
SELECT name, outcome('SELECT $1 @> 1', map) AS lookup FROM damaged WHERE name <> 'dictionary';
SELECT name, outcome('SELECT ribbon_stats($1)', map) AS stats FROM damaged WHERE name <> 'dictionary';

DROP TABLE damaged;
DROP FUNCTION outcome;
