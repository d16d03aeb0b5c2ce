--
-- Types that cannot be keys: refused when building, and when probing, with the
-- reason and the way out
--
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE DOMAIN mood_domain AS mood;
CREATE TYPE mood_range AS RANGE (subtype = mood);
CREATE TYPE moody AS (id int, m mood);
CREATE TYPE outer_row AS (id int, inner_row moody[]);
CREATE DOMAIN class_domain AS regclass;
CREATE TYPE described AS (id int, doc json);

CREATE FUNCTION refusal(query text, OUT state text, OUT message text, OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	message := 'accepted';
EXCEPTION WHEN OTHERS THEN
	state := SQLSTATE;
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;

CREATE TABLE refused (key text);
INSERT INTO refused VALUES
	-- object identifiers that do not survive a dump and restore
	('''pg_class''::regclass'), ('''int4''::regtype'), ('''now''::regproc'),
	('''simple''::regconfig'), ('''pg_catalog''::regnamespace'),
	('''pg_class''::class_domain'), ('NULL::aclitem'),
	-- the same inside another type
	('''{pg_class}''::regclass[]'), ('''{pg_class}''::class_domain[]'),
	('NULL::aclitem[]'), ('ROW(1, ''pg_class''::regclass)'),
	('ARRAY[''sad'']::mood[]'), ('ARRAY[''sad'']::mood_domain[]'),
	('mood_range(''sad'', ''happy'')'), ('''{[sad,happy]}''::mood_multirange'),
	('ROW(1, ''sad'')::moody'), ('ROW(1, ''sad''::mood)'),
	('ROW(1, ARRAY[ROW(1, ''sad'')::moody])::outer_row'), ('ARRAY[ROW(1, ''sad'')::moody]'),
	-- no 64-bit hash function
	('''{}''::json'), ('''(1,2)''::point'), ('''1''::money'),
	('ARRAY[''{}'']::json[]'), ('ROW(1, ''{}'')::described'), ('ROW(1, ''{}''::json)'),
	('ROW(1, ROW(2, 3))'), ('ARRAY[ROW(1, 2)]');

-- when building
\pset format unaligned
\pset fieldsep '\n   '
\t on
SELECT key, state || ' ' || message, detail, hint
  FROM refused, refusal(format('SELECT ribbon_build(%s)', key));
\t off
\pset format aligned

-- when probing, even an empty filter: the key is refused for the same reason
SELECT count(*) AS refused, count(*) FILTER (WHERE probe.message = build.message
	AND operator.message = build.message AND hash.message = build.message) AS same_reason
  FROM refused,
       refusal(format('SELECT ribbon_build(%s)', key)) AS build,
       refusal(format('SELECT ribbon_contains(ribbon_build(''[]''::jsonb), %s)', key)) AS probe,
       refusal(format('SELECT %s <@ ribbon_build(NULL::jsonb)', key)) AS operator,
       refusal(format('SELECT ribbon_hash(%s)', key)) AS hash
 WHERE key !~ '^NULL';

-- a type is refused before any row has come
SELECT ribbon_build(oid::regclass) FROM pg_class WHERE false;
\echo :LAST_ERROR_SQLSTATE

-- "char" is hashed as an unsigned byte, which its array's hash is not
SELECT ribbon_hash('\351'::"char");
SELECT ribbon_hash(ARRAY['a'::"char"]);
\echo :LAST_ERROR_SQLSTATE

-- the hints work
SELECT ribbon_build(oid::regclass::text) @> 'pg_class' AS reg_as_text
  FROM pg_class WHERE oid < 16384;
SELECT ribbon_build(a::text) @> '{sad}' AS enums_as_text
  FROM (VALUES ('{sad}'::mood[])) AS v(a);
SELECT ribbon_build('{"a": 1}'::json::jsonb) @> '{"a":1}'::jsonb AS json_as_jsonb;

-- an enum, a row and an array as such are fine
SELECT ribbon_cardinality(ribbon_build('sad'::mood)) AS enum,
       ribbon_cardinality(ribbon_build(ROW(1, 2))) AS row,
       ribbon_cardinality(ribbon_build(ARRAY[1])) AS array;

-- rows are looked at one by one where their type may change
SELECT ribbon_build(r) FROM (VALUES (ROW(1, 'a'::text)), (ROW(1, 'sad'::mood))) AS v(r);
\echo :LAST_ERROR_SQLSTATE

DROP TABLE refused;
DROP FUNCTION refusal;
DROP TYPE described, outer_row, moody, mood_range CASCADE;
DROP DOMAIN class_domain, mood_domain;
DROP TYPE mood;
