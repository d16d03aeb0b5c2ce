--
-- Settings: threads that work on a build
--
LOAD 'ribbon';
SHOW ribbon.build_threads;
SET ribbon.build_threads = -2;
SET ribbon.build_threads = 65;
SET ribbon.nonsense = 1;

-- the same bytes with any number of threads, in memory and beyond
CREATE TABLE filters (way text, f ribbonfilter);
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

DROP PROCEDURE build;
DROP TABLE filters;
