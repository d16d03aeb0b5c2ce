--
-- Texts of a dictionary are read under settings that are always the same; code
-- of users, as in the constraint of a domain, sees those of the caller
--
CREATE SCHEMA app;
CREATE TABLE app.allowed (word text);
INSERT INTO app.allowed VALUES ('red'), ('green');
CREATE FUNCTION app.chk(v text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RETURN EXISTS (SELECT FROM allowed WHERE word = v);
END $$;
CREATE DOMAIN app.good AS text CHECK (app.chk(VALUE));
SET search_path = app, public, pg_temp;
CREATE TABLE app.maps AS
  SELECT ribbon_map(i, CASE WHEN i % 2 = 0 THEN ARRAY['red', 'green'] ELSE ARRAY['green'] END::app.good[]) AS m FROM generate_series(1, 9) AS i;

-- the constraint finds its table by the search_path
SELECT ribbon_get(m, i, NULL::app.good[]), pg_typeof(ribbon_get(m, i, NULL::app.good[])) FROM app.maps, generate_series(1, 2) AS i;

-- a function with its owner's rights and a safe search_path does not run what
-- its caller has put into pg_temp
CREATE ROLE regress_ribbon_caller;
GRANT USAGE ON SCHEMA app TO regress_ribbon_caller;
CREATE FUNCTION app.look_up(i int) RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = app, public, pg_temp AS
'SELECT ribbon_get(m, i, NULL::app.good[])::text FROM app.maps';
SET SESSION AUTHORIZATION regress_ribbon_caller;
CREATE FUNCTION pg_temp.pwn() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RAISE WARNING 'code of the caller runs as %', current_user;
	RETURN 'red';
END $$;
CREATE TEMP VIEW allowed AS SELECT pg_temp.pwn() AS word;
SELECT app.look_up(2) FROM generate_series(1, 1);
DROP VIEW pg_temp.allowed;
RESET SESSION AUTHORIZATION;

-- all that a constraint can see is the caller's
CREATE FUNCTION app.settings() RETURNS text LANGUAGE sql STABLE AS
$$SELECT string_agg(name || '=' || current_setting(name), ' ' ORDER BY name)
    FROM unnest(ARRAY['search_path', 'datestyle', 'intervalstyle', 'timezone', 'extra_float_digits', 'bytea_output', 'array_nulls', 'xmloption', 'lc_monetary', 'quote_all_identifiers']) AS name$$;
CREATE TABLE app.seen (settings text);
CREATE FUNCTION app.note(v date) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO app.seen VALUES (app.settings());
	RETURN true;
END $$;
CREATE DOMAIN app.day AS date CHECK (app.note(VALUE));
SET search_path = public, app;
SET datestyle = 'German';
SET intervalstyle = iso_8601;
SET timezone = 'Asia/Tokyo';
SET extra_float_digits = -3;
SET bytea_output = 'escape';
SET array_nulls = off;
SET quote_all_identifiers = on;
CREATE TABLE app.days AS SELECT ribbon_map(i, ARRAY['2024-01-01'::date + i, NULL]::app.day[]) AS m FROM generate_series(1, 3) AS i;
SELECT ribbon_get(m, 2, NULL::app.day[]), m ->> 2 AS text FROM app.days;
SELECT DISTINCT settings = app.settings() AS same FROM app.seen;
RESET ALL;

-- constraints are checked when values are read, as they are then
ALTER DOMAIN app.good ADD CONSTRAINT no_red CHECK (VALUE <> 'red');
SET search_path = app, public;
SELECT ribbon_get(m, 1, NULL::app.good[]) FROM app.maps;
SELECT ribbon_get(m, 2, NULL::app.good[]) FROM app.maps;
SELECT m ->> 2 AS text FROM app.maps;

-- a domain over it, and elements that have a length
CREATE DOMAIN app.short AS varchar(3);
CREATE DOMAIN app.pair AS app.short[] CHECK (array_length(VALUE, 1) = 2);
CREATE TABLE app.pairs AS SELECT ribbon_map(i, ARRAY['ab', 'cde']::app.pair) AS m FROM generate_series(1, 3) AS i;
SELECT ribbon_get(m, 1, NULL::app.pair), ribbon_get(m, 1, NULL::app.short[]), pg_typeof(ribbon_get(m, 1, NULL::app.pair)) FROM app.pairs;

-- what is known of the type is found out anew after each command, more than once
CREATE FUNCTION app.each_pair() RETURNS SETOF app.pair LANGUAGE plpgsql AS $$
DECLARE
	pairs CURSOR FOR SELECT ribbon_get(m, i, NULL::app.pair) AS pair FROM app.pairs, generate_series(1, 3) AS i LIMIT 3;
	pair app.pair;
BEGIN
	OPEN pairs;
	FOR i IN 1 .. 3 LOOP
		FETCH pairs INTO pair;
		RETURN NEXT pair;
		CREATE TEMP TABLE command ();
		DROP TABLE command;
	END LOOP;
END $$;
SELECT * FROM app.each_pair();

-- refused: what would run code of users in its midst, or cannot be read back
CREATE TYPE app.item AS (id int, word app.good);
CREATE DOMAIN app.ints AS int[];
CREATE DOMAIN app.number AS int;
CREATE TYPE app.number_range AS RANGE (subtype = app.number);
CREATE TYPE app.plain AS RANGE (subtype = float8, multirange_type_name = app.plains);
SET client_min_messages = warning;
CREATE TYPE app.steps;
CREATE FUNCTION app.whole_steps(app.steps) RETURNS app.steps LANGUAGE internal IMMUTABLE STRICT AS 'int4range_canonical';
CREATE TYPE app.steps AS RANGE (subtype = int, canonical = app.whole_steps, multirange_type_name = app.many_steps);
RESET client_min_messages;
CREATE FUNCTION app.try(value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE format('SELECT ribbon_map(1, %s)', value);
	RETURN 'stored';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', SQLSTATE, SQLERRM, detail, hint);
END $$;
SELECT value, app.try(value) FROM (VALUES
	($$'(1,green)'::app.item$$), ($$'{"(1,green)"}'::app.item[]$$), ('ROW(1, 2)'), ($$NULL::pg_class$$),
	($$ARRAY['{1,2}'::app.ints]$$), ($$'[1,2)'::app.number_range$$),
	($$'version'::regproc$$), ($$'{version}'::regproc[]$$), ($$'0'::regoper$$), ($$(SELECT ev_action FROM pg_rewrite LIMIT 1)$$),
	($$'lower(text)'::regprocedure$$), ($$app.plain(1, 2)$$), ($$'{[1,2)}'::app.plains$$), ($$'{[1,2),[5,6)}'::int4multirange$$), ($$'{1,2}'::app.ints$$), ($$'green'::app.good$$), ($$'[1,2]'::app.steps$$)) AS v(value);
-- a canonical function that was in C may be replaced by one that is not
CREATE OR REPLACE FUNCTION app.whole_steps(app.steps) RETURNS app.steps LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1; END';
SELECT value, app.try(value) FROM (VALUES ($$'[1,2]'::app.steps$$), ($$'{[1,2]}'::app.many_steps$$)) AS v(value);

-- nor is such a type read
SELECT ribbon_get(m, 1, NULL::app.item) FROM app.maps;

DROP OWNED BY regress_ribbon_caller;
DROP ROLE regress_ribbon_caller;
SET client_min_messages = error;
DROP SCHEMA app CASCADE;
