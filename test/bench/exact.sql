-- exact.sql - an exact set built of a table's rows, beside a filter of the same rows
--
-- usage: psql -v rows=100000000 -f test/bench/exact.sql
--
-- Prints the seconds that each of two rounds takes, in one process with work_mem 256 MB; 1.5 % of the keys are members.
-- 10^8 rows take 3.5 GB for the table, and 3 GB of temporary files. The table is dropped in the end.
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
DROP SCHEMA exact_bench CASCADE;
