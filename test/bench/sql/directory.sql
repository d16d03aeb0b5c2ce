-- directory.sql - one uuid in a table of 100 partitions: an index in each, or a map that says which
--
-- usage: psql -v rows=10000000 -f test/bench/sql/directory.sql
--
-- Prints bytes, buffers of the first lookup of a session and of later ones, and microseconds per lookup of 2,000 ids.
-- The table is dropped in the end.
\set ON_ERROR_STOP on
\if :{?rows} \else \set rows 1000000 \endif
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ribbon;
CREATE SCHEMA directory_bench;
SET search_path = directory_bench, public;
CREATE TABLE readings (id uuid, day date, value int) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE readings_%s PARTITION OF readings FOR VALUES FROM (%L) TO (%L)', i, date '2026-01-01' + i, date '2026-01-02' + i)
  FROM generate_series(0, 99) AS i \gexec
INSERT INTO readings SELECT md5(i::text)::uuid, date '2026-01-01' + i % 100, i FROM generate_series(1, :rows) AS i;
CREATE INDEX ON readings (id);
CREATE TABLE directory AS SELECT ribbon_map(id, day, 0.000001) AS days FROM readings;
VACUUM ANALYZE readings;
ANALYZE directory;
SELECT pg_size_pretty(sum(pg_relation_size(indexrelid))) AS indexes, (SELECT pg_size_pretty(octet_length(days::bytea)::bigint) FROM directory) AS map,
	   round((SELECT octet_length(days::bytea) FROM directory) * 8.0 / :rows, 2) AS map_bits_per_key
  FROM pg_index JOIN pg_inherits ON inhrelid = indexrelid WHERE inhparent = 'readings_id_idx'::regclass;

CREATE TABLE asked AS SELECT md5((1 + i * 7919::bigint % :rows)::text)::uuid AS id FROM generate_series(1, 2000) AS i;
CREATE FUNCTION by_index(wanted uuid) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT value FROM readings WHERE id = wanted);
END $$;
CREATE FUNCTION by_map(wanted uuid) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT value FROM readings WHERE id = wanted AND day = (SELECT ribbon_get(days, wanted, NULL::date) FROM directory));
END $$;
-- by a stable function, which the executor calls before it makes any scan ready
CREATE FUNCTION day_of(wanted uuid) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT ribbon_get(days, wanted, NULL::date) FROM directory);
END $$;
CREATE FUNCTION by_stable(wanted uuid) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT value FROM readings WHERE id = wanted AND day = day_of(wanted));
END $$;
-- in two steps, so that the other partitions are not even made ready
CREATE FUNCTION by_steps(wanted uuid) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	its_day date := (SELECT ribbon_get(days, wanted, NULL::date) FROM directory);
BEGIN
	RETURN (SELECT value FROM readings WHERE id = wanted AND day = its_day);
END $$;
-- the buffers of one lookup, whose plan is there
\ir buffers.sql
-- microseconds for each of the ids
CREATE FUNCTION microseconds(called text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	begun timestamptz := clock_timestamp();
	found bigint;
BEGIN
	EXECUTE format('SELECT count(%s(id)) FROM asked', called) INTO found;
	ASSERT found = 2000;
	RETURN round(extract(epoch FROM clock_timestamp() - begun) * 1000000 / 2000, 1);
END $$;
SELECT id AS one FROM asked OFFSET 7 LIMIT 1 \gset
SELECT format('SELECT value FROM readings WHERE id = %L', :'one') AS index_query,
	   format('SELECT value FROM readings WHERE id = %L AND day = (SELECT ribbon_get(days, %L::uuid, NULL::date) FROM directory)', :'one', :'one') AS map_query,
	   format('SELECT value FROM readings WHERE id = %L AND day = day_of(%L)', :'one', :'one') AS stable_query \gset
SELECT buffers(:'index_query') > 0, buffers(:'map_query') > 0, buffers(:'stable_query') > 0 \g /dev/null
SELECT buffers(:'index_query') AS index_buffers, buffers(:'map_query') AS map_buffers, buffers(:'stable_query') AS stable_buffers;
SET plan_cache_mode = force_generic_plan;
SELECT microseconds('by_index'), microseconds('by_map'), microseconds('by_stable'), microseconds('by_steps') \g /dev/null
SELECT microseconds('by_index') AS index_us, microseconds('by_map') AS map_us, microseconds('by_stable') AS stable_us,
	   microseconds('by_steps') AS steps_us FROM generate_series(1, 3);
DROP SCHEMA directory_bench CASCADE;
