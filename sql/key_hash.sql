--
-- ribbon_hash: XXH3-64 of a key's canonical bytes
--
-- Filters are stored, so these numbers are for ever.  Each is shown beside the
-- canonical bytes it is the hash of: bytea is hashed as it is.
--
CREATE FUNCTION canonical(bytes text) RETURNS bigint LANGUAGE sql AS
	$$ SELECT ribbon_hash(decode(replace(bytes, ' ', ''), 'hex')) $$;

-- the hash itself: of no bytes at all, and of "abc"
SELECT to_hex(ribbon_hash(''::bytea)) AS nothing, to_hex(ribbon_hash('abc'::bytea)) AS abc;

SELECT type, hash, hash = canonical(bytes) AS as_documented, bytes
  FROM (VALUES
	('int2',        ribbon_hash(42::int2),       '2a 00 00 00 00 00 00 00'),
	('int4',        ribbon_hash(42::int4),       '2a 00 00 00 00 00 00 00'),
	('int8',        ribbon_hash(42::int8),       '2a 00 00 00 00 00 00 00'),
	('int4 < 0',    ribbon_hash(-2),             'fe ff ff ff ff ff ff ff'),
	('text',        ribbon_hash('abc'::text),    '61 62 63'),
	('varchar',     ribbon_hash('abc'::varchar), '61 62 63'),
	('name',        ribbon_hash('abc'::name),    '61 62 63'),
	('char(5)',     ribbon_hash('abc'::char(5)), '61 62 63'),
	('text blanks', ribbon_hash('abc '::text),   '61 62 63 20'),
	('text, UTF-8', ribbon_hash(U&'\00e9'::text), 'c3 a9'),
	('bytea',       ribbon_hash('\x00ff'::bytea), '00 ff'),
	('uuid',        ribbon_hash('00112233-4455-6677-8899-aabbccddeeff'::uuid),
	                '00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff'),
	('bool',        ribbon_hash(true),           '01'),
	('bool',        ribbon_hash(false),          '00'),
	('date',        ribbon_hash('2000-01-11'::date), '0a 00 00 00'),
	('time',        ribbon_hash('00:00:01'::time), '40 42 0f 00 00 00 00 00'),
	('timestamp',   ribbon_hash('2000-01-01 00:00:01'::timestamp), '40 42 0f 00 00 00 00 00'),
	('timestamptz', ribbon_hash('2000-01-01 00:00:01+00'::timestamptz), '40 42 0f 00 00 00 00 00'),
	('oid',         ribbon_hash(42::oid),        '2a 00 00 00'),
	('float8',      ribbon_hash(1.5::float8),    '00 00 00 00 00 00 f8 3f'),
	('float4',      ribbon_hash(1.5::float4),    '00 00 00 00 00 00 f8 3f'),
	('float8 -0',   ribbon_hash('-0'::float8),   '00 00 00 00 00 00 00 00'),
	('float8 NaN',  ribbon_hash('NaN'::float8),  '00 00 00 00 00 00 f8 7f'),
	('float4 NaN',  ribbon_hash('NaN'::float4),  '00 00 00 00 00 00 f8 7f'),
	('float8 inf',  ribbon_hash('-inf'::float8), '00 00 00 00 00 00 f0 ff'),
	('macaddr',     ribbon_hash('08:00:2b:01:02:03'::macaddr), '08 00 2b 01 02 03'),
	('macaddr8',    ribbon_hash('08:00:2b:01:02:03:04:05'::macaddr8), '08 00 2b 01 02 03 04 05'),
	('numeric',     ribbon_hash(1.50::numeric),  '31 2e 35'),
	('numeric',     ribbon_hash(100::numeric),   '31 30 30'),
	('numeric',     ribbon_hash(-0.0010),        '2d 30 2e 30 30 31'),
	('numeric NaN', ribbon_hash('NaN'::numeric), '4e 61 4e'),
	('interval',    ribbon_hash('1 month 2 days 00:00:01'::interval),
	                '20 00 00 00 00 00 00 00 40 42 0f 00 00 00 00 00'),
	('interval < 0', ribbon_hash('-00:00:00.000001'::interval),
	                'ff ff ff ff ff ff ff ff ff 5f d7 1d 14 00 00 00'),
	('inet',        ribbon_hash('10.1.2.3/8'::inet), '04 08 0a 01 02 03'),
	('cidr',        ribbon_hash('10.0.0.0/8'::cidr), '04 08 0a 00 00 00'),
	('timetz',      ribbon_hash('00:00:01+01'::timetz), '40 42 0f 00 00 00 00 00 f0 f1 ff ff'),
	('xid8',        ribbon_hash('4294967297'::xid8), '01 00 00 00 01 00 00 00'),
	('pg_lsn',      ribbon_hash('1/2'::pg_lsn),  '02 00 00 00 01 00 00 00'),
	('bit(3)',      ribbon_hash(B'101'),         '03 00 00 00 a0'),
	('varbit',      ribbon_hash(B'101'::varbit), '03 00 00 00 a0'),
	('"char"',      ribbon_hash('\351'::"char"), 'e9'),
	('xid, cid',    ribbon_hash('258'::xid),     '02 01 00 00'),
	('tid',         ribbon_hash('(1,2)'::tid),   '01 00 00 00 02 00'),
	('inet, IPv6',  ribbon_hash('2001:db8::1'::inet),
	                '06 80 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 01')
  ) AS v(type, hash, bytes);

-- oid8, which is new in version 19, as 64 bits (an older server shows what it would)
SELECT CASE WHEN current_setting('server_version_num')::int >= 190000
       THEN $$SELECT ribbon_hash('4294967297'::oid8) = canonical('01 00 00 00 01 00 00 00') AS as_documented,
                     ribbon_build('4294967297'::oid8) @> '8589934594'::oid8 AS folded$$
       ELSE $$SELECT true AS as_documented, false AS folded$$ END AS query \gset
:query;

-- an enum by its label
CREATE TYPE mood AS ENUM ('sad', 'happy');
SELECT ribbon_hash('sad'::mood) = canonical('73 61 64') AS as_documented;

-- a domain as its base type
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN small AS positive CHECK (VALUE < 100);
SELECT ribbon_hash(42::small) = ribbon_hash(42) AS same;

-- what is made of parts by the forms of these, to any depth
CREATE TYPE pair AS (a int, b text);
SELECT type, hash = canonical(bytes) AS as_documented, bytes
  FROM (VALUES
	('int4[], empty', ribbon_hash('{}'::int[]),     '00 01'),
	('int2[]',       ribbon_hash('{7,NULL}'::int2[]),
	                 '01 02 00 00 00 01 00 00 00 01 01 07 00 00 00 00 00 00 00 00'),
	('text[]',       ribbon_hash('[5:5][-1:-1]={{ab}}'::text[]),
	                 '02 01 00 00 00 05 00 00 00 01 00 00 00 ff ff ff ff 02 01 02 00 00 00 61 62'),
	('int4range',    ribbon_hash('[1,3]'::int4range),
	                 '0e 01 01 00 00 00 00 00 00 00 01 04 00 00 00 00 00 00 00'),
	('int4range',    ribbon_hash('(,)'::int4range),     '00'),
	('int4range',    ribbon_hash('empty'::int4range),   '01'),
	('numrange',     ribbon_hash('(1.50,]'::numrange),  '02 0e 03 00 00 00 31 2e 35'),
	('multirange',   ribbon_hash('{(,1),[2,3)}'::int4multirange),
	                 '02 00 00 00 04 01 01 00 00 00 00 00 00 00 0e 01 02 00 00 00 00 00 00 00 01 03 00 00 00 00 00 00 00'),
	('row',          ribbon_hash(ROW(1, NULL, 'x'::text, NULL)),
	                 '03 00 00 00 01 01 01 00 00 00 00 00 00 00 00 01 02 01 00 00 00 78'),
	('row',          ribbon_hash(ROW(NULL, NULL)),      '00 00 00 00'),
	('pair',         ribbon_hash((1, 'x')::pair),
	                 '02 00 00 00 01 01 01 00 00 00 00 00 00 00 01 02 01 00 00 00 78'),
	('enum[]',       ribbon_hash('{sad}'::mood[]),
	                 '01 01 00 00 00 01 00 00 00 11 01 03 00 00 00 73 61 64'),
	('char(n)[]',    ribbon_hash('{ab}'::char(5)[]),
	                 '01 01 00 00 00 01 00 00 00 12 01 02 00 00 00 61 62'),
	('jsonb',        ribbon_hash('{"b": [null, true, 1.0], "a": "x", "": {}}'::jsonb),
	                 '06 03 00 00 00 00 00 00 00 06 00 00 00 00 01 00 00 00 61 04 01 00 00 00 78 '
	                 '01 00 00 00 62 05 03 00 00 00 00 02 03 01 00 00 00 31'),
	('jsonb',        ribbon_hash('false'::jsonb),       '01'),
	('jsonb[]',      ribbon_hash(ARRAY['[]'::jsonb]),   '01 01 00 00 00 01 00 00 00 1b 01 05 00 00 00 00'),
	('int4range[]',  ribbon_hash(ARRAY['(,5)'::int4range]),
	                 '01 01 00 00 00 01 00 00 00 18 01 04 01 05 00 00 00 00 00 00 00'),
	('row of rows',  ribbon_hash(ROW(ROW(true))),
	                 '01 00 00 00 01 1a 01 00 00 00 01 05 01')
  ) AS v(type, hash, bytes);

-- a type that PostgreSQL does not come with by its extended hash function with
-- seed 0; its eight bytes are little-endian here
CREATE FUNCTION little_endian(value bigint) RETURNS bytea LANGUAGE sql AS
	$$ SELECT string_agg(substr(int8send(value), i, 1), NULL ORDER BY i DESC)
	     FROM generate_series(1, 8) AS i $$;
SELECT ribbon_hash('\x1101000000'::ribbonfilter) =
       ribbon_hash(little_endian(ribbon_filter_hash_extended('\x1101000000', 0))) AS ribbonfilter;

-- equal values have equal hashes
SELECT ribbon_hash(1.0) = ribbon_hash(1.000) AS numeric,
       ribbon_hash(1e20::numeric) = ribbon_hash(100000000000000000000) AS numeric_big,
       ribbon_hash('1 day'::interval) = ribbon_hash('24 hours'::interval) AS interval_day,
       ribbon_hash('1 month'::interval) = ribbon_hash('30 days'::interval) AS interval_month,
       ribbon_hash('1 day -24 hours'::interval) = ribbon_hash('0'::interval) AS interval_zero,
       ribbon_hash('10.0.0.0/8'::inet) = ribbon_hash('10.0.0.0/8'::cidr) AS inet,
       ribbon_hash('0.1'::float4) = ribbon_hash('0.1'::float4::float8) AS float,
       ribbon_hash('2020-01-01 12:00+02'::timestamptz) =
       ribbon_hash('2020-01-01 10:00+00'::timestamptz) AS timestamptz;
SELECT ribbon_hash('{1.0,-0}'::float8[]) = ribbon_hash('{1,0}'::float4[]) AS arrays,
       ribbon_hash('{1,2}'::int2[]) = ribbon_hash('{1,2}'::int8[]) AS integers,
       ribbon_hash('1 2'::int2vector) = ribbon_hash('[0:1]={1,2}'::int[]) AS vector,
       ribbon_hash(ROW(1.0, 'a'::char(3))) = ribbon_hash(ROW(1.00, 'a'::char(9))) AS rows,
       ribbon_hash(ROW(1, 'x')) = ribbon_hash((1, 'x')::pair) AS named,
       ribbon_hash('[1.0,2.00]'::numrange) = ribbon_hash('[1.00,2.0]'::numrange) AS range,
       ribbon_hash('[1,3]'::int4range) = ribbon_hash('[1,4)'::int8range) AS canonical_range,
       ribbon_hash('[1,1)'::numrange) = ribbon_hash('empty'::numrange) AS empty,
       ribbon_hash('{[1,2),[2,3)}'::int4multirange) = ribbon_hash('{[1,3)}'::int4multirange) AS multirange,
       ribbon_hash('{"a": 1.0, "b": 1, "a": 2.0}'::jsonb) = ribbon_hash('{"b": 1.00, "a": 2}'::jsonb) AS jsonb;

-- different values have different ones, here where bytes nearly agree
SELECT ribbon_hash('10.0.0.1/8'::inet) <> ribbon_hash('10.0.0.1/32'::inet) AS mask,
       ribbon_hash('0.0.0.0/0'::inet) <> ribbon_hash('::/0'::inet) AS family,
       ribbon_hash('1 day'::interval) <> ribbon_hash('-1 day'::interval) AS sign,
       ribbon_hash(B'10') <> ribbon_hash(B'100') AS bits,
       ribbon_hash('12:00+01'::timetz) <> ribbon_hash('11:00+00'::timetz) AS zone;
-- ... and of nested ones, where "=" tells them apart: no two are alike
SELECT count(*) = count(DISTINCT hash) AS arrays FROM unnest(ARRAY[
	ribbon_hash('{}'::int[]), ribbon_hash('{NULL}'::int[]), ribbon_hash('{0}'::int[]), ribbon_hash('{0,NULL}'::int[]),
	ribbon_hash('{1,2,3,4}'::int[]), ribbon_hash('{{1,2},{3,4}}'::int[]), ribbon_hash('{{1,2,3,4}}'::int[]),
	ribbon_hash('[0:3]={1,2,3,4}'::int[]), ribbon_hash('{{1},{2},{3},{4}}'::int[]), ribbon_hash('{""}'::text[]),
	ribbon_hash('{"",""}'::text[]), ribbon_hash('{"ab",c}'::text[]), ribbon_hash('{a,bc}'::text[])]) AS hash;
SELECT count(*) = count(DISTINCT hash) AS rows FROM unnest(ARRAY[
	ribbon_hash(ROW('NaN'::numeric)), ribbon_hash(ROW('Infinity'::numeric)), ribbon_hash(ROW('-Infinity'::numeric)),
	ribbon_hash(ROW(1, NULL, 2)), ribbon_hash(ROW(1, 2, NULL)), ribbon_hash(ROW(NULL, 1, 2)),
	ribbon_hash(ROW('ab'::text, 'c'::text)), ribbon_hash(ROW('a'::text, 'bc'::text)),
	ribbon_hash(ROW(ROW(1), 2)), ribbon_hash(ROW(1, ROW(2))), ribbon_hash(ROW(1::bigint << 32)), ribbon_hash(ROW(1))]) AS hash;
SELECT count(*) = count(DISTINCT hash) AS ranges FROM unnest(ARRAY[
	ribbon_hash('empty'::numrange), ribbon_hash('(,)'::numrange), ribbon_hash('[1,)'::numrange), ribbon_hash('(1,)'::numrange),
	ribbon_hash('(,1]'::numrange), ribbon_hash('(,1)'::numrange), ribbon_hash('[1,2]'::numrange), ribbon_hash('[1,2)'::numrange),
	ribbon_hash('(1,2]'::numrange), ribbon_hash('(1,2)'::numrange), ribbon_hash('[NaN,)'::numrange),
	ribbon_hash('{}'::nummultirange), ribbon_hash('{(,)}'::nummultirange), ribbon_hash('{[1,2),(2,3]}'::nummultirange),
	ribbon_hash('{[1,2)}'::nummultirange), ribbon_hash('{[1,2),[3,4)}'::nummultirange)]) AS hash;
SELECT count(*) = count(DISTINCT ribbon_hash(j::jsonb)) AS jsonb FROM unnest(ARRAY[
	'null', 'true', 'false', '0', '1', '"1"', '""', '"null"', '[]', '[[]]', '[[], []]', '{}', '[{}]', '[1]', '[[1]]', '[1, 2]', '[[1], 2]',
	'[[1, 2]]', '[1, [2]]', '{"a": 1}', '{"a": "1"}', '{"a": [1]}', '["a", 1]', '[{"a": 1}]', '{"a": null}', '{"a": {}}', '{"a": {"b": 1}}',
	'{"a": {}, "b": 1}', '[null]', '{"ab": "c"}', '{"a": "bc"}']) AS j;

-- the widest spans do not overflow
SELECT ribbon_hash('178000000 years'::interval) <>
       ribbon_hash('-178000000 years'::interval) AS far_apart;

-- values that are compressed or out of line hash as what they stand for
CREATE TABLE long_values (t text, b bytea, n numeric, v varbit);
ALTER TABLE long_values ALTER t SET STORAGE extended, ALTER b SET STORAGE external;
INSERT INTO long_values
SELECT repeat('abc', 10000), decode(repeat('616263', 10000), 'hex'),
       repeat('7', 9000)::numeric, repeat('10', 40000)::varbit;
SELECT ribbon_hash(t) = ribbon_hash(repeat('abc', 10000)) AS text,
       ribbon_hash(b) = ribbon_hash(t) AS bytea,
       ribbon_hash(n) = ribbon_hash(repeat('7', 9000)) AS numeric,
       ribbon_hash(v) = ribbon_hash(repeat('10', 40000)::varbit) AS varbit
  FROM long_values;

-- NULL has no hash
SELECT ribbon_hash(NULL::int) IS NULL AS is_null;

-- long ones, parts of which may be compressed, hash as what they are
SELECT ribbon_hash(array_agg(i)) = ribbon_hash(string_to_array(string_agg(i::text, ','), ',')::int8[]) AS array,
       ribbon_hash(array_agg(ROW(i, i::text))) = ribbon_hash(array_agg((i, i)::pair)) AS array_of_rows,
       ribbon_hash(jsonb_object_agg(i, repeat('x', i % 300))) = ribbon_hash(jsonb_object_agg(i, repeat('x', i % 300) ORDER BY -i)) AS jsonb
  FROM generate_series(1, 3000) AS i;
CREATE TYPE long_row AS (t text, a text[], j jsonb);
CREATE TABLE long_parts AS SELECT ROW(t, ARRAY[t, t], jsonb_build_array(t))::long_row AS r, ARRAY[t, t] AS a, jsonb_build_array(t) AS j FROM long_values;
SELECT ribbon_hash(r) = ribbon_hash(ROW(repeat('abc', 10000), ARRAY[repeat('abc', 10000), repeat('abc', 10000)], jsonb_build_array(repeat('abc', 10000)))) AS row,
       ribbon_hash(a) = ribbon_hash(ARRAY[repeat('abc', 10000), repeat('abc', 10000)]) AS array,
       ribbon_hash(j) = ribbon_hash(jsonb_build_array(repeat('abc', 10000))) AS jsonb FROM long_parts;

-- any depth that the stack allows; more than that is an error like any other
CREATE TABLE deep AS SELECT (repeat('[', 1000) || repeat(']', 1000))::jsonb AS j;
SELECT ribbon_hash(j) IS NOT NULL AS deep FROM deep;
SET max_stack_depth = 100;
SELECT ribbon_hash(j) FROM deep;
\echo :LAST_ERROR_SQLSTATE
RESET max_stack_depth;

DROP TABLE deep;
DROP TABLE long_values, long_parts;
DROP FUNCTION canonical, little_endian;
DROP DOMAIN small, positive;
DROP TYPE mood, pair, long_row;
