--
-- Types that cannot be keys: refused when building, and when probing, with the
-- reason and the way out
--
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TYPE class_range AS RANGE (subtype = regclass, subtype_opclass = oid_ops);
CREATE TYPE classy AS (id int, c regclass);
CREATE TYPE classies AS (id int, c regclass[]);
CREATE TYPE outer_row AS (id int, inner_row classy[]);
CREATE DOMAIN class_domain AS regclass;
CREATE TYPE described AS (id int, doc json);
CREATE TYPE amount AS (n numeric);
CREATE TYPE image_range AS RANGE (subtype = amount, subtype_opclass = record_image_ops);
CREATE TYPE blank_range AS RANGE (subtype = text, subtype_opclass = bpchar_ops);
CREATE OPERATOR CLASS own_ops FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(int, int);
CREATE TYPE own_range AS RANGE (subtype = int, subtype_opclass = own_ops);
CREATE TYPE pattern_range AS RANGE (subtype = text, subtype_opclass = text_pattern_ops);

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
	('NULL::pg_node_tree'), ('NULL::pg_ndistinct'), ('NULL::pg_mcv_list'),
	-- the same inside another type
	('''{pg_class}''::regclass[]'), ('''{pg_class}''::class_domain[]'),
	('NULL::aclitem[]'), ('ROW(1, ''pg_class''::regclass)'),
	('ROW(1, ARRAY[ROW(1, ''pg_class'')::classy])::outer_row'), ('ARRAY[ROW(1, ''pg_class'')::classy]'), ('ARRAY[ROW(1, NULL)::classies]'),
	('class_range(''pg_class'', NULL)'), ('''{[pg_class,)}''::class_multirange'),
	-- bounds that are equal elsewhere, but not in the range, or only in the range
	('image_range(ROW(1.0), NULL)'), ('blank_range(''a'', ''b'')'), ('own_range(1, 2)'),
	-- no 64-bit hash function
	('''{}''::json'), ('''(1,2)''::point'), ('''{1,2,3}''::line'), ('''((1,2),(3,4))''::lseg'), ('''((1,2),(3,4))''::box'),
	('''<(1,2),3>''::circle'), ('''((1,2),(3,4))''::path'), ('''((1,2),(3,4))''::polygon'), ('''1''::money'), ('''a''::tsvector'),
	('''a''::tsquery'), ('''$''::jsonpath'), ('NULL::xml'),
	('ARRAY[''{}'']::json[]'), ('ROW(1, ''{}'')::described'), ('ROW(1, ''{}''::json)');

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

-- of an extension: ltree has had a hash function since PostgreSQL 17
SET client_min_messages = warning;
CREATE EXTENSION ltree; CREATE EXTENSION cube;
RESET client_min_messages;
SELECT key, state, hint FROM unnest('{NULL::lquery,NULL::lquery[],NULL::cube}'::text[]) AS key, refusal(format('SELECT ribbon_build(%s)', key));
SELECT bool_and(state IS NULL OR hint = 'Cast the key, as in key::text.' AND current_setting('server_version_num')::int < 170000) AS ltree
  FROM refusal($$SELECT ribbon_build('a.b'::ltree)$$);
SELECT f @> 'a.b'::ltree::text AS advised FROM (SELECT ribbon_build('a.b'::ltree::text) AS f FROM generate_series(1, 1)) AS s;
DROP EXTENSION ltree; DROP EXTENSION cube;

-- all identifiers, also those that later versions of the server have brought
SELECT typname AS accepted
  FROM pg_type, refusal(format('SELECT ribbon_build(NULL::%I)', typname))
 WHERE oid < 10000 AND typname ~ '^_?reg' AND state IS DISTINCT FROM '0A000';

-- a type is refused before any row has come
SELECT ribbon_build(oid::regclass) FROM pg_class WHERE false;
\echo :LAST_ERROR_SQLSTATE


-- the hints work, and whatever is set
CREATE FUNCTION advised(OUT reg bigint, OUT regs bigint, OUT doc bigint, OUT point bigint, OUT line bigint, OUT box bigint, OUT circle bigint, OUT money bigint)
LANGUAGE sql AS $$
	SELECT ribbon_hash('pg_class'::regclass::oid::bigint), ribbon_hash('{pg_class}'::regclass[]::oid[]::bigint[]), ribbon_hash('{"a": 1}'::json::jsonb),
	       ribbon_hash(row(p[0], p[1])), ribbon_hash(row(l[0], l[1], l[2])), ribbon_hash(row((b[0])[0], (b[0])[1], (b[1])[0], (b[1])[1])),
	       ribbon_hash(row((center(c))[0], (center(c))[1], radius(c))), ribbon_hash(cash_send(m))
	  FROM (VALUES (point(1, 1/3.0), line(point(0, 1/3.0), point(1, 0)), box(point(0, 1/3.0), point(1, 0)), circle(point(0, 1/3.0), 1/7.0),
	                '\x0000000000000007'::bytea)) AS v (p, l, b, c, bytes), LATERAL (SELECT 7 * 0.01::money) AS s (m)
$$;
SELECT advised() AS before \gset
SET search_path = pg_temp, public;
SET extra_float_digits = -10;
SET TimeZone = 'Asia/Tokyo';
SET DateStyle = 'German';
SET bytea_output = 'escape';
SELECT advised()::text = :'before' AS as_before;
RESET ALL;
DROP FUNCTION advised;

-- what was refused inside other types once, and is not any more
SELECT ribbon_build(ARRAY['sad']::mood[]) @> ARRAY['sad']::mood[] AS enums, ribbon_build(ROW(1, 'sad'::mood)) @> ROW(1, 'sad'::mood) AS enum_in_row,
       ribbon_build(ARRAY['\351'::"char"]) @> ARRAY['\351'::"char"] AS "char", ribbon_build(ROW(1, ROW(2, 3))) @> ROW(1, ROW(2, 3)) AS rows,
       ribbon_build(ARRAY[ROW(1, 2)]) @> ARRAY[ROW(1, 2)] AS array_of_rows;

-- bounds in another order, but with the same "="
SELECT ribbon_build(pattern_range('a', 'b')) @> pattern_range('a', 'b') AS pattern_range;

-- an enum, a row and an array as such are fine
SELECT ribbon_cardinality(ribbon_build('sad'::mood)) AS enum,
       ribbon_cardinality(ribbon_build(ROW(1, 2))) AS row,
       ribbon_cardinality(ribbon_build(ARRAY[1])) AS array;

-- rows are looked at one by one where their type may change
SELECT ribbon_cardinality(ribbon_build(r)) FROM (VALUES (ROW(1, 'a'::text)), (ROW(1, 'sad'::mood)), (ROW(1, 'a'::text)), (ROW(2, 'a'::text))) AS v(r);
SELECT ribbon_build(r) FROM (VALUES (ROW(1, 'a'::text)), (ROW(1, 'pg_class'::regclass))) AS v(r);
\echo :LAST_ERROR_SQLSTATE

-- a column of statistics takes no COLLATE; of a row, the column is named
CREATE TABLE surveyed AS SELECT (i % 4 / 3)::text AS t FROM generate_series(1, 100) AS i;
ANALYZE surveyed;
SELECT ribbon_build(most_common_vals) FROM pg_stats WHERE tablename = 'surveyed';
SELECT ribbon_build(most_common_vals::text::text[]) @> '{0,1}'::text[] AS advised FROM pg_stats WHERE tablename = 'surveyed';
SELECT ribbon_build(ROW(1, c || p)) FROM (SELECT t COLLATE "C" AS c, t COLLATE "POSIX" AS p FROM surveyed) AS s;
SELECT ribbon_cardinality(ribbon_build(ROW(1, (c || p) COLLATE "C"))) FROM (SELECT t COLLATE "C" AS c, t COLLATE "POSIX" AS p FROM surveyed) AS s;
DROP TABLE surveyed;

DROP TABLE refused;
DROP FUNCTION refusal;
DROP TYPE described, outer_row, classies, classy, class_range, image_range, blank_range, own_range, pattern_range, amount CASCADE;
DROP OPERATOR FAMILY own_ops USING btree;
DROP DOMAIN class_domain;
DROP TYPE mood;
