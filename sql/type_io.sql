--
-- ribbonfilter as text and on the wire: in, out, receive, send
--

-- the text form is \x and the hexadecimal digits of the bytes
SELECT ribbon_build(NULL::int) AS empty_filter;

-- input accepts digits of both cases, output writes lower case
SELECT '\x1101000000'::ribbonfilter AS lower_case,
       '\x111C000000'::ribbonfilter AS upper_case;

-- what goes out comes in again
CREATE TABLE filters AS
SELECT n, ribbon_build(i) AS filter
  FROM unnest(ARRAY[1, 2, 10, 100, 1000, 10000]) AS n, generate_series(1, n) AS i
 GROUP BY n;
SELECT n, filter::text::ribbonfilter = filter AS same,
       length(filter::text) = 2 + 2 * length(filter::bytea) AS two_digits_a_byte
  FROM filters ORDER BY n;

-- \b and base64 come in, too: what goes out if hexadecimal digits would be more than the server can hold (make check-deep)
SELECT bool_and(('\b' || translate(encode(filter::bytea, 'base64'), E'\n', ''))::ribbonfilter = filter) AS same FROM filters;
SELECT '\bEQEAAAA='::ribbonfilter, ('\b' || encode(ribbon_map(1, 2)::bytea, 'base64'))::ribbonmap = ribbon_map(1, 2) AS same_map;
SELECT '\bEQEAAAA'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY sqlstate
SELECT '\bEQEAAAB='::ribbonfilter;
SELECT '\bEQEA'::ribbonfilter;
SELECT '\b'::ribbonfilter;
SELECT '\'::ribbonfilter;
SELECT '\x1'::ribbonfilter;
SELECT '\y1101000000'::ribbonfilter;
\set VERBOSITY default

-- malformed text
SELECT ''::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT 'abc'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '1101000000'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x110100000'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x11010000zz'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x11 01 00 00'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE

-- well-formed text of bytes that are no filter: none at all, the end missing,
-- something after the end, another version, an unknown key class
SELECT '\x'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x11010000'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x110100000000'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x1201000000'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT set_byte(ribbon_build(1)::bytea, 1, 0)::ribbonfilter; -- no class, but a key
\echo :LAST_ERROR_SQLSTATE
SELECT '\x111e000000'::ribbonfilter;
\echo :LAST_ERROR_SQLSTATE

-- no beginning of a filter is a filter, nor is a filter with a byte more
CREATE FUNCTION is_filter(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM bytes::ribbonfilter;
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT n, is_filter(substr(filter::bytea, 1, len)) AS verdict, count(*) > 0 AS seen
  FROM filters, generate_series(0, length(filter::bytea) - 1) AS len
 WHERE n <= 1000
 GROUP BY 1, 2 ORDER BY 1, 2;
SELECT n, is_filter(filter::bytea || '\x00') FROM filters ORDER BY n;

-- whatever a byte is changed to, the result is refused, or safe to use
CREATE FUNCTION survives(bytes bytea) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	filter ribbonfilter;
BEGIN
	filter := bytes::ribbonfilter;
	BEGIN
		PERFORM ribbon_contains(filter, i) FROM generate_series(1, 50) AS i;
	EXCEPTION WHEN datatype_mismatch THEN
		NULL;
	END;
	PERFORM ribbon_stats(filter), ribbon_shrink(filter, 0.5);
	RETURN true;
EXCEPTION WHEN invalid_binary_representation THEN
	RETURN true;
END $$;
SELECT n, bool_and(survives(set_byte(filter::bytea, place, value))) AS survives
  FROM filters, generate_series(0, 15) AS place, generate_series(0, 255) AS value
 WHERE n IN (10, 1000) AND place < length(filter::bytea)
 GROUP BY n ORDER BY n;

-- the binary form is the bytes; what comes in that way is validated too
SELECT ribbon_send('\x1101000000') AS bytes;
CREATE TABLE received (n int, filter ribbonfilter);
\getenv dir PG_ABS_BUILDDIR
\set file '''' :dir '/results/type_io.bin'''
\set export '\\copy filters TO ' :file ' (FORMAT binary)'
\set import '\\copy received FROM ' :file ' (FORMAT binary)'
:export
:import
SELECT count(*), bool_and(f.filter = r.filter) AS same
  FROM filters f JOIN received r USING (n);
\set export '\\copy (SELECT 1, ''\\xdeadbeef''::bytea) TO ' :file ' (FORMAT binary)'
:export
\set VERBOSITY terse
:import
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY default

-- where the server has soft errors (16 and later), input uses them
SELECT current_setting('server_version_num')::int >= 160000 AS has_soft_errors \gset
\if :has_soft_errors
SELECT pg_input_is_valid('abc', 'ribbonfilter') AS malformed,
       pg_input_is_valid('\x1200', 'ribbonfilter') AS not_a_filter,
       pg_input_is_valid('\x1101000000', 'ribbonfilter') AS filter \gset
\else
SELECT false AS malformed, false AS not_a_filter, true AS filter \gset
\endif
SELECT :'malformed' AS malformed, :'not_a_filter' AS not_a_filter, :'filter' AS filter;

DROP TABLE filters, received;
DROP FUNCTION is_filter, survives;
