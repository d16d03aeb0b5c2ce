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
	('inet, IPv6',  ribbon_hash('2001:db8::1'::inet),
	                '06 80 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 01')
  ) AS v(type, hash, bytes);

-- an enum by its label
CREATE TYPE mood AS ENUM ('sad', 'happy');
SELECT ribbon_hash('sad'::mood) = canonical('73 61 64') AS as_documented;

-- a domain as its base type
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN small AS positive CHECK (VALUE < 100);
SELECT ribbon_hash(42::small) = ribbon_hash(42) AS same;

-- any other type by its extended hash function with seed 0, then XXH3-64 of the
-- eight bytes, which are little-endian here
CREATE FUNCTION little_endian(value bigint) RETURNS bytea LANGUAGE sql AS
	$$ SELECT string_agg(substr(int8send(value), i, 1), NULL ORDER BY i DESC)
	     FROM generate_series(1, 8) AS i $$;
SELECT ribbon_hash('{"a": 1}'::jsonb) =
       ribbon_hash(little_endian(jsonb_hash_extended('{"a": 1}', 0))) AS jsonb,
       ribbon_hash(ARRAY[1, 2]) =
       ribbon_hash(little_endian(hash_array_extended(ARRAY[1, 2], 0))) AS array,
       ribbon_hash(ROW(1, 'x'::text)) =
       ribbon_hash(little_endian(hash_record_extended(ROW(1, 'x'::text), 0))) AS row,
       ribbon_hash(int4range(1, 5)) =
       ribbon_hash(little_endian(hash_range_extended(int4range(1, 5), 0))) AS range;

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

-- different values have different ones, here where bytes nearly agree
SELECT ribbon_hash('10.0.0.1/8'::inet) <> ribbon_hash('10.0.0.1/32'::inet) AS mask,
       ribbon_hash('0.0.0.0/0'::inet) <> ribbon_hash('::/0'::inet) AS family,
       ribbon_hash('1 day'::interval) <> ribbon_hash('-1 day'::interval) AS sign,
       ribbon_hash(B'10') <> ribbon_hash(B'100') AS bits;

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

DROP TABLE long_values;
DROP FUNCTION canonical, little_endian;
DROP DOMAIN small, positive;
DROP TYPE mood;
