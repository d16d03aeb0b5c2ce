--
-- Types with attributes inside: a map's values are read only as what they were
--
SET client_min_messages = warning;
CREATE SCHEMA shop;
CREATE TYPE shop.price AS (amount numeric(8,2), currency text);
CREATE TYPE shop.item AS (id int, price shop.price);
CREATE DOMAIN shop.offer AS shop.item CHECK ((value).id > 0);
CREATE TYPE shop.price_range AS RANGE (subtype = shop.price, multirange_type_name = shop.price_ranges);
CREATE TYPE shop.stock AS (id int, offers shop.offer[], bounds shop.price_ranges);
CREATE TABLE maps AS
  SELECT ribbon_map(i, ROW(i / 4.0, 'EUR')::shop.price) AS price, ribbon_map(i, ARRAY[ROW(i, 'EUR')::shop.price]) AS prices, ribbon_map(i, ROW(i, ROW(i, 'EUR'))::shop.item) AS item,
         ribbon_map(i, ROW(i, ROW(i, 'EUR'))::shop.offer) AS offer, ribbon_map(i, shop.price_range(ROW(i, 'EUR')::shop.price, NULL)) AS range,
         ribbon_map(i, ROW(i, ARRAY[ROW(i, ROW(i, 'EUR'))::shop.offer], shop.price_ranges(shop.price_range(ROW(i, 'EUR')::shop.price, NULL)))::shop.stock) AS stock
    FROM generate_series(1, 5) AS i;

-- the third value of each map in its type, and as text
CREATE FUNCTION third(OUT map text, OUT value text, OUT text text) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
	type text;
BEGIN
	FOR map, type IN VALUES ('price', 'shop.price'), ('prices', 'shop.price[]'), ('item', 'shop.item'), ('offer', 'shop.offer'), ('range', 'shop.price_range'), ('stock', 'shop.stock') LOOP
		BEGIN
			EXECUTE format('SELECT ribbon_get(%I, 3, NULL::%s)::text FROM maps', map, type) INTO value;
		EXCEPTION WHEN OTHERS THEN
			value := SQLSTATE || ': ' || SQLERRM;
		END;
		EXECUTE format('SELECT %I ->> 3 FROM maps', map) INTO text;
		RETURN NEXT;
	END LOOP;
END $$;
SELECT * FROM third();

-- an attribute more
ALTER TYPE shop.price ADD ATTRIBUTE net boolean;
SELECT * FROM third();
SELECT ribbon_get(price, 3, NULL::shop.price) FROM maps;
\echo :LAST_ERROR_SQLSTATE
-- without it again all is as it was: what was dropped does not count
ALTER TYPE shop.price DROP ATTRIBUTE net;
SELECT count(*) FROM third() WHERE value = text;
-- another type in place of the one that was dropped
ALTER TYPE shop.price DROP ATTRIBUTE currency;
SELECT DISTINCT value FROM third() ORDER BY 1;
ALTER TYPE shop.price ADD ATTRIBUTE currency varchar;
SELECT DISTINCT value FROM third() ORDER BY 1;
ALTER TYPE shop.price ALTER ATTRIBUTE currency TYPE text;
SELECT count(*) FROM third() WHERE value = text;
-- another name; names that were exchanged, where the types are the same
ALTER TYPE shop.price RENAME ATTRIBUTE currency TO unit;
SELECT count(*) FROM third() WHERE value = text;
ALTER TYPE shop.price RENAME ATTRIBUTE unit TO currency;
CREATE TYPE shop.point AS (x int, y int);
SELECT ribbon_map(1, '(1,2)'::shop.point) AS point \gset
ALTER TYPE shop.point RENAME ATTRIBUTE x TO z;
ALTER TYPE shop.point RENAME ATTRIBUTE y TO x;
ALTER TYPE shop.point RENAME ATTRIBUTE z TO y;
SELECT ribbon_get(:'point', 1, NULL::shop.point);
SELECT :'point'::ribbonmap ->> 1 AS text;
-- a type modifier, to which values would be rounded
ALTER TYPE shop.price ALTER ATTRIBUTE amount TYPE numeric(8,1);
SELECT count(*) FROM third() WHERE value = text;
ALTER TYPE shop.price ALTER ATTRIBUTE amount TYPE numeric(8,2);
SELECT count(*) FROM third() WHERE value = text;

-- a type of an attribute that has moved, or has another name
ALTER TYPE shop.price SET SCHEMA public;
SELECT map, value FROM third() WHERE value <> text;
ALTER TYPE price SET SCHEMA shop;
ALTER TYPE shop.item RENAME TO article;
SELECT map, value FROM third() WHERE value <> text;
ALTER TYPE shop.article RENAME TO item;
SELECT count(*) FROM third() WHERE value = text;
-- what is beneath a domain counts, not what it is called; its constraints have their say
ALTER DOMAIN shop.offer RENAME TO deal;
SELECT ribbon_get(stock, 3, NULL::shop.stock) = ROW(3, ARRAY[ROW(3, ROW(3, 'EUR'))::shop.deal], shop.price_ranges(shop.price_range(ROW(3, 'EUR')::shop.price, NULL)))::shop.stock AS same FROM maps;
CREATE DOMAIN shop.small AS int;
CREATE TYPE shop.box AS (size shop.small);
SELECT ribbon_map(1, '(7)'::shop.box) AS box \gset
ALTER DOMAIN shop.small ADD CHECK (value < 5);
SELECT ribbon_get(:'box', 1, NULL::shop.box);
DROP DOMAIN shop.small CASCADE;
CREATE DOMAIN shop.small AS text;
ALTER TYPE shop.box ADD ATTRIBUTE size shop.small;
SELECT ribbon_get(:'box', 1, NULL::shop.box);
ALTER TYPE shop.box ALTER ATTRIBUTE size TYPE int;
SELECT ribbon_get(:'box', 1, NULL::shop.box) AS box;

-- the same type in another catalogue: made anew, without the dropped attribute, it gives the same bytes
CREATE TABLE shop.kept (a int, gone int, b text);
ALTER TABLE shop.kept DROP COLUMN gone;
SELECT ribbon_map(i, ROW(i, 'x')::shop.kept) AS kept FROM generate_series(1, 5) AS i \gset
SELECT ribbon_get(:'kept', 3, NULL::shop.kept) AS kept;
DROP TABLE shop.kept;
CREATE TYPE shop.kept AS (a int, b text);
SELECT ribbon_map(i, ROW(i, 'x')::shop.kept) = :'kept' AS same FROM generate_series(1, 5) AS i;
SELECT ribbon_get(:'kept', 3, NULL::shop.kept) AS kept;
-- another kind of type of the same name; and back
DROP TYPE shop.kept;
CREATE TYPE shop.kept AS ENUM ('(1,x)');
SELECT ribbon_get(:'kept', 1, NULL::shop.kept);
SELECT ribbon_map(1, '(1,x)'::shop.kept) AS labels \gset
DROP TYPE shop.kept;
CREATE TYPE shop.kept AS (a int, b text);
SELECT ribbon_get(:'labels', 1, NULL::shop.kept);

-- a type of an extension may be in any schema
CREATE TYPE shop.audience AS (name text, members ribbonfilter);
SELECT ribbon_map(1, '(x,)'::shop.audience) AS audience \gset
ALTER EXTENSION ribbon SET SCHEMA shop;
SET search_path = shop;
SELECT ribbon_get(:'audience', 1, NULL::audience) AS audience;
ALTER EXTENSION ribbon SET SCHEMA public;
RESET search_path;

-- within a transaction, or a function, that has seen the type before
DO $$
DECLARE
	m ribbonmap := (SELECT ribbon_map(1, '(1,2)'::shop.point));
	p shop.point;
BEGIN
	FOR i IN 1..3 LOOP
		p := ribbon_get(m, 1, p);
		RAISE WARNING 'point: %', p;
		IF i = 2 THEN
			ALTER TYPE shop.point RENAME ATTRIBUTE x TO longitude;
		END IF;
	END LOOP;
EXCEPTION WHEN datatype_mismatch THEN
	RAISE WARNING '%', SQLERRM;
END $$;

-- what a cursor has found out is not true any more when a savepoint is gone
CREATE TYPE shop.plan AS ENUM ('free', 'pro');
CREATE TYPE shop.pair AS (x int, y int);
CREATE TABLE swapped AS SELECT ribbon_map(1, 'free'::shop.plan) AS plan, ribbon_map(1, ROW(1, 2)::shop.pair) AS pair;
CREATE PROCEDURE swap() LANGUAGE plpgsql AS $$
BEGIN
	ALTER TYPE shop.plan RENAME VALUE 'free' TO 'other';
	ALTER TYPE shop.plan RENAME VALUE 'pro' TO 'free';
	ALTER TYPE shop.plan RENAME VALUE 'other' TO 'pro';
	ALTER TYPE shop.pair RENAME ATTRIBUTE x TO z;
	ALTER TYPE shop.pair RENAME ATTRIBUTE y TO x;
	ALTER TYPE shop.pair RENAME ATTRIBUTE z TO y;
END $$;
CALL swap();
SELECT ribbon_map(1, ROW(1, 2)::shop.pair) AS pair FROM generate_series(1, 1) \gset
CALL swap();
BEGIN;
DECLARE reader CURSOR FOR SELECT ribbon_get(plan, 1, NULL::shop.plan) AS plan FROM swapped, generate_series(1, 9);
DECLARE pairs CURSOR FOR SELECT ribbon_get(m, 1, NULL::shop.pair) AS pair FROM swapped, LATERAL (VALUES (pair), (:'pair'), (:'pair')) AS v (m);
FETCH reader;
FETCH pairs;
SAVEPOINT before;
CALL swap();
FETCH reader;
FETCH pairs;
ROLLBACK TO before;
FETCH reader;
FETCH pairs;
ROLLBACK;
-- nor what a build has found out, when another command has altered the type
SET enable_hashagg = off;
CREATE TABLE subscribers AS SELECT i, i % 3 AS shard, 'free'::shop.plan AS plan, ROW(1, i % 3)::shop.pair AS pair FROM generate_series(1, 9) AS i;
BEGIN;
DECLARE builder CURSOR FOR SELECT shard, ribbon_map(i, plan) ->> 3 + shard AS plan, ribbon_map(i, pair) AS pair FROM subscribers GROUP BY shard ORDER BY shard;
FETCH builder \gset
SELECT :'plan' AS plan, ribbon_get(:'pair', 3, NULL::shop.pair) AS pair;
CALL swap();
ALTER TYPE shop.pair ADD ATTRIBUTE w int;
FETCH builder \gset
SELECT :'plan' AS plan, ribbon_get(:'pair', 4, NULL::shop.pair) AS pair;
ROLLBACK;
-- a group that has values of both is none
BEGIN;
DECLARE builder CURSOR FOR SELECT i, ribbon_map(i, pair) OVER (ORDER BY i) ->> i AS pair FROM subscribers;
FETCH builder;
ALTER TYPE shop.pair ADD ATTRIBUTE w int;
FETCH builder;
\echo :LAST_ERROR_SQLSTATE
ROLLBACK;
RESET enable_hashagg;
-- a type that is gone
BEGIN;
CREATE TYPE shop.gone AS ENUM ('x');
SELECT ribbon_map(1, 'x'::shop.gone) AS gone FROM generate_series(1, 1) \gset
DECLARE reader CURSOR FOR SELECT ribbon_get(:'gone', 1, NULL::shop.gone) IS NULL AS null FROM generate_series(1, 9);
FETCH reader;
DROP TYPE shop.gone;
\set VERBOSITY sqlstate
FETCH reader;
\set VERBOSITY default
ROLLBACK;
DROP TABLE swapped, subscribers;
DROP PROCEDURE swap;

-- what has no attributes inside has no fingerprint
CREATE TYPE shop.plan_range AS RANGE (subtype = shop.plan);
SELECT get_byte(ribbon_map(1, 'free'::shop.plan)::bytea, 4) AS plan, get_byte(ribbon_map(1, ARRAY['free'::shop.plan])::bytea, 4) AS array, get_byte(ribbon_map(1, shop.plan_range('free', 'pro'))::bytea, 4) AS range,
       get_byte(ribbon_map(1, '(1,x)'::shop.kept)::bytea, 4) AS composite, substr(ribbon_map(1, '(1,x)'::shop.kept)::bytea, 5, 9) AS fingerprint;

-- types of types of types
DO $$
BEGIN
	CREATE TYPE shop.t0 AS (a int, b int);
	FOR i IN 1..50 LOOP
		EXECUTE format('CREATE TYPE shop.t%s AS (a shop.t%s, b int)', i, i - 1);
	END LOOP;
END $$;
SELECT ribbon_get(ribbon_map(1, ROW(NULL, 7)::shop.t50), 1, NULL::shop.t50) AS value;
SELECT ribbon_map(1, ROW(NULL, 7)::shop.t50) AS deep \gset
ALTER TYPE shop.t0 DROP ATTRIBUTE b;
SELECT ribbon_get(:'deep', 1, NULL::shop.t50);

-- lengths and precisions of a domain: as if a value had been read as one
CREATE DOMAIN shop.code AS varchar(3);
CREATE DOMAIN shop.tenth AS numeric(5,1);
CREATE DOMAIN shop.second AS timestamp(0);
CREATE DOMAIN shop.codes AS varchar(3)[];
SELECT ribbon_get(ribbon_map(1, 'abc'::varchar), 1, NULL::shop.code) AS code, ribbon_get(ribbon_map(1, 1.26), 1, NULL::shop.tenth) AS tenth, ribbon_get(ribbon_map(1, timestamp '2026-01-01 12:00:00.7'), 1, NULL::shop.second) AS second,
       ribbon_get(ribbon_map(1, NULL::numeric), 1, 1::shop.tenth) AS null, ribbon_get(ribbon_map(1, 1.26), 2, 2::shop.tenth) AS otherwise;
SELECT ribbon_get(ribbon_map(1, 'abcd'::varchar), 1, NULL::shop.code);
SELECT ribbon_get(ribbon_map(1, 'abcd'::text), 1, NULL::shop.code);
SELECT ribbon_get(ribbon_map(1, '{abcd}'::varchar[]), 1, NULL::shop.codes);
DROP DOMAIN shop.code;
CREATE DOMAIN shop.code AS int;
SELECT ribbon_get(ribbon_map(1, '123'::varchar), 1, NULL::shop.code);

DROP TABLE maps;
DROP FUNCTION third;
DROP SCHEMA shop CASCADE;
