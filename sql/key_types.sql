--
-- Every type that can be a key: what goes in is found again, under the key
-- class that ribbon_stats shows
--
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN code AS varchar(10);
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN pairs AS pair[];

-- for each type 200 keys, of which the even ones are put in; then members_found
-- must be 100, and non-members_found about 1 of 100
CREATE FUNCTION try_type(type text, expression text,
						 OUT key_type text, OUT keys bigint,
						 OUT members_found bigint, OUT nonmembers_found_le_10 boolean)
LANGUAGE plpgsql AS $$
DECLARE
	filter ribbonfilter;
BEGIN
	EXECUTE format('SELECT ribbon_build((%s)::%s) FROM generate_series(2, 200, 2) AS i',
				   expression, type) INTO filter;
	EXECUTE format('SELECT count(*) FILTER (WHERE i %% 2 = 0 AND $1 @> (%1$s)::%2$s AND (%1$s)::%2$s <@ $1),
						   count(*) FILTER (WHERE i %% 2 = 1 AND $1 @> (%1$s)::%2$s) <= 10
					  FROM generate_series(1, 200) AS i', expression, type)
		INTO members_found, nonmembers_found_le_10 USING filter;
	SELECT s.key_type, s.keys INTO key_type, keys FROM ribbon_stats(filter) AS s;
END $$;

SELECT type, r.*
  FROM (VALUES
	('int2', 'i'), ('int4', 'i'), ('int8', 'i * 10000000000'),
	('text', 'i::text'), ('varchar', 'i::text'), ('name', 'i::text'),
	('char(8)', 'i::text'), ('bytea', 'i::text'),
	('uuid', 'md5(i::text)'),
	('date', '''2000-01-01''::date + i'),
	('time', '''00:00''::time + i * ''1 minute''::interval'),
	('timestamp', '''2000-01-01''::timestamp + i * ''1 minute''::interval'),
	('timestamptz', '''2000-01-01''::timestamptz + i * ''1 minute''::interval'),
	('oid', 'i'), ('float4', 'i / 8.0'), ('float8', 'i / 7.0'),
	('macaddr', '''08:00:2b:00:00:'' || lpad(to_hex(i), 2, ''0'')'),
	('macaddr8', '''08:00:2b:00:00:00:00:'' || lpad(to_hex(i), 2, ''0'')'),
	('numeric', 'i / 7.0'), ('numeric(10, 2)', 'i / 4.0'),
	('interval', 'i * ''1 hour''::interval'),
	('inet', '''10.0.0.'' || i'), ('cidr', '''10.0.'' || i || ''.0/24'''),
	('positive', 'i'), ('code', 'i'),
	('jsonb', 'jsonb_build_object(''a'', i)'),
	('timetz', '''00:00+01''::timetz + i * ''1 minute''::interval'),
	('bit(16)', 'i::bit(16)'), ('varbit', 'i::bit(16)'),
	('"char"', 'i - 101'), ('xid', 'i::text'), ('pg_lsn', '''0/'' || to_hex(i)'), ('tid', 'format(''(0,%s)'', i)'),
	('int[]', 'ARRAY[i, -i, NULL]'), ('text[]', 'ARRAY[[i::text], [''x'']]'),
	('oidvector', 'i || '' 1'''),
	('int4range', 'int4range(i, i + 5)'), ('numrange', 'numrange(i, i + 0.50)'),
	('int4multirange', 'int4multirange(int4range(i, i + 5))'),
	('pair', 'ROW(i, ''x'')'), ('pair[]', 'ARRAY[ROW(i, ''x'')::pair]'),
	('pairs', 'ARRAY[ROW(i, ''x'')::pair]'),
	('ribbonfilter', '(SELECT ribbon_build(k) FROM generate_series(1, i) AS k)')
  ) AS t(type, expression), try_type(type, expression) AS r;

-- types of few values
SELECT f @> true AS holds_true, f @> false AS holds_false, (ribbon_stats(f)).key_type
  FROM (SELECT ribbon_build(true, 0.0001) AS f) AS s;
SELECT m AS mood, f @> m AS found, (ribbon_stats(f)).key_type
  FROM (SELECT ribbon_build(m, 0.0001) AS f FROM unnest('{sad,happy}'::mood[]) AS m) AS s,
       unnest(enum_range(NULL::mood)) AS m;

-- anonymous rows, and rows of rows by name
SELECT (ribbon_stats(f)).key_type, f @> ROW(1, 'x'::text) AS member,
       f @> ROW(2, 'x'::text) AS nonmember
  FROM (SELECT ribbon_build(ROW(1, 'x'::text), 0.0001) AS f) AS s;

-- a filter of one type answers for every type of its class
SELECT k, f @> k::int2 AS int2, f @> k::int4 AS int4, f @> k::int8 AS int8
  FROM (SELECT ribbon_build(i, 0.0001) AS f FROM generate_series(1, 5) AS i) AS s,
       unnest(ARRAY[5, 6]) AS k;
SELECT k, f @> k AS text, f @> k::varchar AS varchar, f @> k::name AS name,
       f @> k::char(10) AS char_n, f @> k::code AS domain
  FROM (SELECT ribbon_build(t, 0.0001) AS f FROM unnest('{a,b}'::text[]) AS t) AS s,
       unnest('{b,c}'::text[]) AS k;
SELECT k, f @> k::float4 AS float4, f @> k::float8 AS float8
  FROM (SELECT ribbon_build(i / 4.0::float4, 0.0001) AS f FROM generate_series(1, 5) AS i) AS s,
       unnest('{0.25,0.3}'::float8[]) AS k;
SELECT k, f @> k AS inet, f @> k::cidr AS cidr
  FROM (SELECT ribbon_build('10.1.0.0/16'::cidr, 0.0001) AS f) AS s,
       unnest('{10.1.0.0/16,10.1.0.0}'::inet[]) AS k;

-- and for equal values of other appearance
SELECT ribbon_build(1.0) @> 1.00 AS numeric,
       ribbon_build('24:00'::interval) @> '1 day'::interval AS interval,
       ribbon_build('-0'::float8) @> '0'::float8 AS zero,
       ribbon_build('NaN'::float4) @> 'NaN'::float8 AS nan,
       ribbon_build('a'::char(3)) @> 'a '::char(2) AS blanks;

-- infinite intervals exist from version 17 on; elsewhere look at the widest
SELECT CASE WHEN current_setting('server_version_num')::int >= 170000
            THEN 'infinity' ELSE '178000000 years' END AS wide \gset
SELECT ribbon_build(:'wide'::interval, 0.0001) @> :'wide'::interval AS widest,
       ribbon_build(:'wide'::interval, 0.0001) @> ('-' || :'wide')::interval AS opposite;

-- a renamed label is another key, for it is the label that counts
CREATE TABLE moods AS SELECT ribbon_build(m, 0.0001) AS f FROM unnest('{sad}'::mood[]) AS m;
ALTER TYPE mood RENAME VALUE 'sad' TO 'blue';
SELECT f @> 'blue'::mood AS renamed, f @> 'ok'::mood AS other FROM moods;

DROP TABLE moods;
DROP FUNCTION try_type;
DROP DOMAIN positive, code, pairs;
DROP TYPE mood, pair;
