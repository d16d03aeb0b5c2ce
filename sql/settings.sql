--
-- Settings: threads that work on a build, and reports of how far it is
--
LOAD 'ribbon';
SHOW ribbon.build_threads;
SHOW ribbon.progress_interval;
SET ribbon.build_threads = -2;
SET ribbon.build_threads = 65;
-- (the message has units from version 17 on)
SELECT min_val, max_val, unit FROM pg_settings WHERE name = 'ribbon.progress_interval';
\set VERBOSITY sqlstate
SET ribbon.progress_interval = -1;
\set VERBOSITY default
SET ribbon.nonsense = 1;

-- the same bytes with any number of threads, in memory and beyond
CREATE TABLE filters AS
SELECT 'one thread, in memory' AS way, ribbon_build(i) AS f FROM generate_series(1, 0) AS i;
DELETE FROM filters;
CREATE PROCEDURE build(way text, threads int, mem text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('ribbon.build_threads', threads::text, true);
	PERFORM set_config('work_mem', mem, true);
	INSERT INTO filters SELECT build.way, ribbon_build(i) FROM generate_series(1, 1300000) AS i;
END $$;
CALL build('one thread, in memory', 1, '1GB');
CALL build('two threads, in memory', 2, '1GB');
CALL build('one thread, in files', 1, '64kB');
CALL build('two threads, in files', 2, '64kB');
SELECT way, ribbon_cardinality(f), f = first_value(f) OVER (ORDER BY way) AS same FROM filters ORDER BY way;
SELECT count(*) AS members FROM filters, generate_series(1, 1300000, 1000) AS i WHERE way = 'two threads, in files' AND f @> i;

-- a report comes when an interval has gone by, and there is something to say
SET ribbon.progress_interval = '1s';
SELECT ribbon_cardinality(ribbon_build(i)) FROM generate_series(1, 8) AS i;
SELECT ribbon_cardinality(ribbon_build(k))
  FROM (SELECT CASE WHEN i = 1 THEN (SELECT i FROM pg_sleep(1.1)) ELSE i END AS k FROM generate_series(1, 100) AS i) AS keys;
RESET ribbon.progress_interval;

DROP PROCEDURE build;
DROP TABLE filters;
