--
-- Types of values that are altered while they are read, and domains over them
--
SET client_min_messages = warning;
CREATE SCHEMA shop;

-- what a cursor has found out is not true any more when a savepoint is gone
CREATE TYPE shop.plan AS ENUM ('free', 'pro');
CREATE TABLE swapped AS SELECT ribbon_map(1, 'free'::shop.plan) AS plan;
CREATE PROCEDURE swap() LANGUAGE plpgsql AS $$
BEGIN
	ALTER TYPE shop.plan RENAME VALUE 'free' TO 'other';
	ALTER TYPE shop.plan RENAME VALUE 'pro' TO 'free';
	ALTER TYPE shop.plan RENAME VALUE 'other' TO 'pro';
END $$;
BEGIN;
DECLARE reader CURSOR FOR SELECT ribbon_get(plan, 1, NULL::shop.plan) AS plan FROM swapped, generate_series(1, 9);
FETCH reader;
SAVEPOINT before;
CALL swap();
FETCH reader;
ROLLBACK TO before;
FETCH reader;
ROLLBACK;
-- nor what a build has found out, when another command has altered the type
SET enable_hashagg = off;
CREATE TABLE subscribers AS SELECT i, i % 3 AS shard, 'free'::shop.plan AS plan FROM generate_series(1, 9) AS i;
BEGIN;
DECLARE builder CURSOR FOR SELECT shard, ribbon_map(i, plan) ->> 3 + shard AS plan FROM subscribers GROUP BY shard ORDER BY shard;
FETCH builder \gset
SELECT :'plan' AS plan;
CALL swap();
FETCH builder \gset
SELECT :'plan' AS plan;
ROLLBACK;
-- a group that has values of both is none
BEGIN;
DECLARE builder CURSOR FOR SELECT i, ribbon_map(i, plan) OVER (ORDER BY i) ->> i AS plan FROM subscribers;
FETCH builder;
ALTER TYPE shop.plan RENAME TO tariff;
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

DROP SCHEMA shop CASCADE;
