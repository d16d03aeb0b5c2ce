--
-- ribbonmap as text, as bytea and on the wire; comparing maps
--
CREATE TABLE maps AS
SELECT n, ribbon_map(i, i % 5) AS map, ribbon_map(i, 'value ' || i % 5) AS texts FROM unnest(ARRAY[1, 2, 10, 100, 1000, 10000]) AS n, generate_series(1, n) AS i
 GROUP BY n;

-- the text form is \x and the hexadecimal digits of the bytes; what goes out comes in again
SELECT map, texts FROM maps WHERE n = 1;
SELECT n, map::text::ribbonmap = map AND texts::text::ribbonmap = texts AS same, upper(substr(map::text, 3)) IS NOT NULL
       AND ('\x' || upper(substr(map::text, 3)))::ribbonmap = map AS upper_case, length(map::text) = 2 + 2 * length(map::bytea) AS two_digits_a_byte
  FROM maps ORDER BY n;

-- malformed text
SELECT ''::ribbonmap;
\echo :LAST_ERROR_SQLSTATE
SELECT '02'::ribbonmap;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x020'::ribbonmap;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x02zz'::ribbonmap;
\echo :LAST_ERROR_SQLSTATE

-- well-formed text of bytes that are no map: none at all, a filter, another version, a value class that there is not
SELECT '\x'::ribbonmap;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x1101000000'::ribbonmap;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x03'::ribbonmap;
\echo :LAST_ERROR_SQLSTATE
SELECT set_byte(map::bytea, 6, 8)::ribbonmap FROM maps WHERE n = 1;
\echo :LAST_ERROR_SQLSTATE
-- nor is a map a filter
SELECT map::bytea::ribbonfilter FROM maps WHERE n = 10;
\echo :LAST_ERROR_SQLSTATE

-- a dictionary that is not one: numbers without one, another class with one, values out of order, an end too far, no UTF-8
CREATE FUNCTION why_not(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	PERFORM bytes::ribbonmap;
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ' ' || detail;
END $$;
CREATE TABLE two AS SELECT ribbon_map(i, (ARRAY['a', 'bb'])[i])::bytea AS b FROM generate_series(1, 2) AS i;
SELECT b FROM two;
SELECT position('\x0a70675f636174616c6f67'::bytea IN b) AS names, position('\x616262'::bytea IN b) AS texts FROM two \gset
SELECT why_not(set_byte(map::bytea, 6, 0)) AS no_dictionary FROM maps WHERE n = 10;
SELECT why_not(set_byte(b, 6, 132)) AS numbers, why_not(set_byte(b, :texts - 1, 98)) AS equal_beginnings, why_not(set_byte(b, :texts - 1, 99)) AS order,
       why_not(set_byte(b, :texts - 2, 4)) AS too_far, why_not(set_byte(b, :texts - 2, 2)) AS too_short, why_not(set_byte(b, :texts - 3, 200)) AS first_end,
       why_not(set_byte(b, :texts - 1, 200)) AS encoding, why_not(set_byte(b, :texts - 1, 0)) AS zero, why_not(set_byte(b, :texts - 4, 3)) AS end_size,
       why_not(set_byte(b, :texts - 5, 9)) AS count, why_not(set_byte(b, :names - 1, 255)) AS name, why_not(set_byte(b, :names - 1, 0)) AS no_name,
       why_not(set_byte(b, :names + 5, 255)) AS name_encoding, why_not(set_byte(b, 7, 0)) AS bits FROM two \gx

-- no beginning of a map is a map, nor is a map with a byte more
SELECT n, bool_and(why_not(substr(map::bytea, 1, len)) LIKE '22P03%' AND why_not(substr(texts::bytea, 1, len)) LIKE '22P03%') AS refused
  FROM maps, generate_series(0, length(map::bytea) - 1) AS len WHERE n <= 1000 GROUP BY n ORDER BY n;
SELECT n, why_not(map::bytea || '\x00') FROM maps ORDER BY n;

-- whatever a byte is changed to, the result is refused, or safe to use
CREATE FUNCTION survives(bytes bytea) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	map ribbonmap;
BEGIN
	map := bytes::ribbonmap;
	BEGIN
		PERFORM map ->> i, map @> i, ribbon_get(map, i, ''), i <@ map FROM generate_series(1, 20) AS i;
	EXCEPTION WHEN datatype_mismatch THEN
		NULL;
	END;
	PERFORM ribbon_stats(map), ribbon_check(map);
	RETURN true;
EXCEPTION WHEN invalid_binary_representation OR data_corrupted THEN
	RETURN true;
END $$;
SELECT n, bool_and(survives(set_byte(map::bytea, place, value))) AS survives, bool_and(survives(set_byte(texts::bytea, place, value))) AS texts_survive
  FROM maps, generate_series(0, 45) AS place, unnest('{0,1,2,3,4,7,15,16,31,63,64,127,128,192,255}'::int[]) AS value
 WHERE n IN (10, 1000) AND place < least(length(map::bytea), length(texts::bytea)) GROUP BY n ORDER BY n;

-- the binary form is the bytes; what comes in that way is validated too
SELECT bool_and(ribbon_map_send(map) = map::bytea) AS bytes FROM maps;
CREATE TABLE received (n int, map ribbonmap, texts ribbonmap);
\getenv dir PG_ABS_BUILDDIR
\set file '''' :dir '/results/map_io.bin'''
\set export '\\copy maps TO ' :file ' (FORMAT binary)'
\set import '\\copy received FROM ' :file ' (FORMAT binary)'
:export
:import
SELECT count(*), bool_and(m.map = r.map AND m.texts = r.texts) AS same FROM maps AS m JOIN received AS r USING (n);
\set export '\\copy (SELECT 1, ''\\xdeadbeef''::bytea, NULL::bytea) TO ' :file ' (FORMAT binary)'
:export
\set VERBOSITY terse
:import
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY default

-- where the server has soft errors (16 and later), input uses them
SELECT current_setting('server_version_num')::int >= 160000 AS has_soft_errors \gset
\if :has_soft_errors
SELECT pg_input_is_valid('abc', 'ribbonmap') AS malformed, pg_input_is_valid('\x118104', 'ribbonmap') AS not_a_map,
       pg_input_is_valid(map::text, 'ribbonmap') AS map FROM maps WHERE n = 10 \gset
\else
SELECT false AS malformed, false AS not_a_map, true AS map \gset
\endif
SELECT :'malformed' AS malformed, :'not_a_map' AS not_a_map, :'map' AS map;

-- a map may be assigned to a bytea column, not the other way round; a map and a filter are nothing to each other
CREATE TABLE bytes (b bytea);
INSERT INTO bytes SELECT map FROM maps;
\set VERBOSITY terse
INSERT INTO received (map) SELECT b FROM bytes;
\echo :LAST_ERROR_SQLSTATE
SELECT map::ribbonfilter FROM maps;
\echo :LAST_ERROR_SQLSTATE
SELECT length(map) FROM maps;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY default

--
-- An order: that of the bytes.  So DISTINCT, GROUP BY, UNION, joins, UNIQUE and indexes work
--
CREATE TABLE ordered AS SELECT row_number() OVER () AS id, map, map::bytea AS b FROM (SELECT map FROM maps UNION ALL SELECT map FROM maps WHERE n > 2 UNION ALL SELECT texts FROM maps) AS s;
SELECT count(*) AS pairs, count(*) FILTER (WHERE (x.map < y.map) = (x.b < y.b) AND (x.map <= y.map) = (x.b <= y.b) AND (x.map > y.map) = (x.b > y.b)
       AND (x.map >= y.map) = (x.b >= y.b) AND (x.map = y.map) = (x.b = y.b) AND (x.map <> y.map) = (x.b <> y.b)
       AND sign(ribbon_cmp(x.map, y.map)) = sign(byteacmp(x.b, y.b))) AS agree FROM ordered AS x, ordered AS y;
SELECT count(*) AS rows, count(DISTINCT map) AS maps, count(DISTINCT b) AS bytes, (array_agg(b ORDER BY map)) = (array_agg(b ORDER BY b)) AS same_order FROM ordered;
SELECT count(*) FROM (SELECT map FROM ordered GROUP BY map) AS s;
SELECT count(*) FROM (SELECT map FROM ordered UNION SELECT texts FROM maps) AS s;
SELECT count(*) FROM ordered AS x JOIN ordered AS y USING (map);
CREATE TABLE only_once (map ribbonmap UNIQUE);
INSERT INTO only_once SELECT map FROM ordered WHERE octet_length(b) < 1000 ON CONFLICT DO NOTHING;
SELECT count(*) AS rows, (SELECT count(DISTINCT map) FROM ordered WHERE octet_length(b) < 1000) AS maps FROM only_once;
CREATE INDEX ordered_hash ON ordered USING hash (map);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM ordered WHERE map = '\x118104c32d010300020002000d';
SELECT count(*) FROM ordered WHERE map = (SELECT map FROM maps WHERE n = 100);
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM only_once WHERE map >= '\x118104c32d010300020002000d';
RESET enable_bitmapscan;
RESET enable_seqscan;
CREATE TABLE parts (map ribbonmap) PARTITION BY HASH (map);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT map FROM ordered;
SELECT count(*), count(DISTINCT map) AS maps FROM parts;

DROP TABLE maps, two, received, bytes, ordered, only_once, parts;
DROP FUNCTION why_not, survives;
