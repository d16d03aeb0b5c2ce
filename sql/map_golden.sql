--
-- The bytes of maps: the same on every server, machine and plan, for ever
--
SET client_min_messages = warning;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN code AS varchar(10);
CREATE TYPE pair AS (a int, b text);
CREATE TABLE types (type text PRIMARY KEY, expression text);
INSERT INTO types VALUES
	('int2', 'i % 300 - 20'), ('int4', 'i'), ('int8', 'i * 10000000000'), ('bool', 'i % 2 = 1'),
	('date', '''2000-01-01''::date + i'), ('timestamp', '''1999-01-01''::timestamp + i * ''1 hour''::interval'),
	('timestamptz', '''1999-01-01 UTC''::timestamptz + i * ''1 hour''::interval'),
	('text', '''key '' || i % 100'), ('varchar', '''été '' || i % 70'), ('name', 'i % 5'), ('char(8)', 'i % 9'), ('code', 'i % 8'),
	('bytea', 'int4send(i % 50)'), ('uuid', 'md5((i % 50)::text)'), ('mood', '(enum_range(NULL::mood))[1 + i % 3]'),
	('time', '''00:00''::time + i % 90 * ''1 second''::interval'), ('timetz', '''00:00+01''::timetz + i % 90 * ''1 second''::interval'),
	('interval', 'i % 90 * ''1 month 2 days 3 seconds''::interval'), ('oid', 'i % 9'), ('xid', '(i % 9)::text'),
	('tid', 'format(''(%s,%s)'', i % 7, i % 11)'), ('pg_lsn', '''0/'' || to_hex(i % 99)'), ('"char"', 'chr(65 + i % 20)'),
	('float4', '(i % 99) / 7.0'), ('float8', '(i % 99 - 50) / 7.0'), ('numeric', '(i % 99 - 50) / 7.0'), ('numeric(10,2)', 'i % 99 / 4.0'),
	('macaddr', '(''08:00:2b:00:00:''::text || lpad(to_hex(i % 99), 2, ''0''))'), ('inet', '''10.0.0.0''::inet + i % 99'),
	('bit(8)', '(i % 99)::bit(8)'), ('varbit', 'substring((i % 99)::bit(24) FROM 1 + i % 5)'),
	('jsonb', 'jsonb_build_object(''a'', i % 9, ''b'', ARRAY[i % 7 / 2.0, NULL])'), ('json', '''{"a" : '' || i % 9 || ''}'''),
	('int[]', 'ARRAY[i % 9, -i % 3, NULL]'), ('text[]', 'ARRAY[[(i % 9)::text], [''x y'']]'),
	('int4range', 'int4range(i % 9, i % 9 + 5)'), ('tstzrange', 'tstzrange(''1999-01-01 UTC''::timestamptz + i % 99 * ''1 hour''::interval, NULL)'),
	('pair', 'ROW(i % 9, ''x'')'), ('pair[]', 'ARRAY[ROW(i % 9, ''x'')::pair]');

-- values of each type, some of them NULL: the digest of the bytes, and keys that do not get their value
CREATE FUNCTION of_type(type text, expression text, options text, OUT bytes int, OUT digest text, OUT wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
	value text := format('CASE WHEN i %% 17 > 0 THEN (%s)::%s END', expression, type);
BEGIN
	EXECUTE format('WITH m AS MATERIALIZED (SELECT ribbon_map(i, %s, %s) AS m FROM generate_series(1, 1000) AS i)
		SELECT octet_length(m::bytea), md5(m::bytea),
			   (SELECT count(*) FROM generate_series(1, 1000) AS i
				 WHERE ribbon_get(m, i, NULL::%s)::text IS DISTINCT FROM (%s)::text) FROM m', value, options, type, value)
	  INTO bytes, digest, wrong;
END $$;
SELECT type, o.* FROM types, of_type(type, expression, '0.01, ''code=plain''') AS o WHERE type NOT LIKE 'pair%' ORDER BY type COLLATE "C";

-- keys of each type
CREATE FUNCTION of_key(type text, expression text, OUT bytes int, OUT digest text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT octet_length(m::bytea), md5(m::bytea) FROM (
		SELECT ribbon_map(k, v) AS m FROM (SELECT k, max(i) AS v FROM (SELECT i, (%s)::%s AS k FROM generate_series(1, 1000) AS i) AS s GROUP BY k) AS s) AS s',
		expression, type) INTO bytes, digest;
END $$;
SELECT type, o.* FROM types, of_key(type, expression) AS o
 WHERE type NOT IN ('json', 'xid', 'tid') ORDER BY type COLLATE "C";

-- rates, widths, seeds, more keys
SELECT fpr, width, n, (SELECT octet_length(m::bytea) || ' ' || md5(m::bytea) FROM (
		SELECT ribbon_map(i, (i * 7919 % 1000)::int, fpr, 'width=' || width || ', seed=' || n) AS m FROM generate_series(1, n) AS i) AS s) AS digest
  FROM (VALUES (1), (0.5), (0.01), (1e-9)) AS f (fpr), (VALUES (32), (64), (128)) AS w (width), (VALUES (0), (1), (30), (3000), (100000)) AS n (n)
 ORDER BY fpr, width, n;

DROP FUNCTION of_type, of_key;
DROP TABLE types;
DROP TYPE pair, mood;
DROP DOMAIN code;
