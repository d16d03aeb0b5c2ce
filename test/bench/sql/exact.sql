-- exact.sql - an exact set built of a table's rows, and asked, beside filters
--
-- usage: psql -v rows=100000000 -f test/bench/sql/exact.sql
--
-- Prints the time that each of two rounds takes, in one process with work_mem 256 MB; 1.5 % of the keys are members.
-- Builds are beside that of a filter of all rows; then as many rows are looked up, by the page and row by row, of which
-- 0, 50 and 100 % are members, beside a filter of the members. 10^8 rows take 3.5 GB for each of four tables, and 3 GB
-- of temporary files. The tables are dropped in the end.
\set ON_ERROR_STOP on
\if :{?rows} \else \set rows 1000000 \endif
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ribbon;
CREATE SCHEMA exact_bench;
SET search_path = exact_bench, public;
SET work_mem = '256MB';
SET max_parallel_workers_per_gather = 0;
SET jit = off;
CREATE UNLOGGED TABLE universe AS SELECT i * 7919 AS key, i % 200 < 3 AS member FROM generate_series(1, :rows::bigint) AS i;
VACUUM universe;
SELECT sum(key) > 0 AS read FROM universe;
\timing on
SELECT ribbon_cardinality(ribbon_build(key)) AS filter FROM universe;
SELECT ribbon_cardinality(ribbon_build_exact(key, member)) AS exact_set FROM universe;
SELECT ribbon_cardinality(ribbon_build(key)) AS filter FROM universe;
SELECT ribbon_cardinality(ribbon_build_exact(key, member)) AS exact_set FROM universe;
\timing off
CREATE UNLOGGED TABLE sets AS
SELECT ribbon_build_exact(key, member) AS exact, ribbon_build(key) FILTER (WHERE member) AS filter FROM universe;
SELECT format('CREATE UNLOGGED TABLE asked_%1$s AS
	SELECT (i - i %% 200 + CASE WHEN hashint8(i) & 127 < %2$s THEN i %% 3 ELSE 3 + i %% 197 END) * 7919 AS key
	  FROM generate_series(200, %3$s::bigint) AS i', share, share * 128 / 100, :rows)
  FROM unnest(ARRAY[0, 50, 100]) AS share \gexec
SELECT format('VACUUM asked_%1$s', share), format('SELECT sum(key) > 0 AS read FROM asked_%1$s', share)
  FROM unnest(ARRAY[0, 50, 100]) AS share \gexec
\timing on
SELECT format('SET ribbon.batch = %s', batch),
	   format('SELECT count(*) AS "%1$s, %2$s%% members, by the page %3$s" FROM asked_%2$s WHERE (SELECT %1$s FROM sets) @> key', kind, share, batch)
  FROM unnest(ARRAY['on', 'off']) AS batch, unnest(ARRAY[0, 50, 100]) AS share, generate_series(1, 3), unnest(ARRAY['exact', 'filter']) AS kind
\gexec
\timing off
DROP SCHEMA exact_bench CASCADE;
