--
-- Stored values that are probed one after another: where the next one lies is guessed, and the index asked if it is not there
--

-- buffers that a query touches, as EXPLAIN counts them
CREATE FUNCTION buffers(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
END $$;

-- filters of one to twenty chunks, many of which end at the end of a chunk, or a byte before or behind it; each has keys of its own
CREATE TABLE filters (id int PRIMARY KEY, n int, f ribbonfilter);
ALTER TABLE filters SET (toast_tuple_target = 128, autovacuum_enabled = false, toast.autovacuum_enabled = false);
CREATE FUNCTION filter_of(id int, n int) RETURNS ribbonfilter LANGUAGE sql AS 'SELECT ribbon_build(k, 0.001) FROM generate_series(id * 100000 + 1, id * 100000 + n) AS k';
CREATE FUNCTION keys_of(id int) RETURNS int LANGUAGE sql AS 'SELECT (ARRAY[1591, 1592, 1593, 3188, 3189, 3190, 4785, 4786, 4787, 6386, 6387, 500, 32000])[1 + (hashint4(id) & 1023) % 13]';
INSERT INTO filters SELECT id, n, filter_of(id, n) FROM generate_series(1, 500) AS id, keys_of(id) AS n;
VACUUM ANALYZE filters;
SELECT count(DISTINCT size) FILTER (WHERE size % 1996 IN (1995, 0, 1)) > 6 AS at_ends, count(*) FILTER (WHERE size % 1996 = 0) > 30 AS whole_chunks FROM (SELECT octet_length(f::bytea) AS size FROM filters) AS s;

-- one key for each, in some order: is it found in all of them?
CREATE FUNCTION probes(rows_in_order text) RETURNS text LANGUAGE sql AS $$SELECT format('SELECT count(*) FILTER (WHERE f @> (id * 100000 + 1 + id %% n)) FROM (%s OFFSET 0) AS s', rows_in_order)$$;
CREATE FUNCTION all_found(rows_in_order text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
	n bigint;
BEGIN
	EXECUTE probes(rows_in_order) INTO found;
	EXECUTE 'SELECT count(*) FROM (' || rows_in_order || ') AS s' INTO n;
	RETURN n > 0 AND found = n;
END $$;
CREATE TABLE orders (name text, rows_in_order text);
INSERT INTO orders VALUES ('as written', 'SELECT * FROM filters ORDER BY id'), ('backwards', 'SELECT * FROM filters ORDER BY id DESC'), ('in none', 'SELECT * FROM filters ORDER BY hashint4(id)'),
	('in pairs', 'SELECT * FROM filters ORDER BY id / 2, id DESC'), ('with gaps', 'SELECT * FROM filters WHERE id % 5 > 0 ORDER BY id'), ('each thrice', 'SELECT * FROM filters, generate_series(1, 3) ORDER BY id');
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;

-- what is guessed takes a page or two; and a guess that fails is not made again and again
SELECT buffers(probes('SELECT * FROM filters')) / 500.0 < 1.6 AS as_written;
SELECT buffers(probes('SELECT * FROM filters ORDER BY hashint4(id)')) / 500.0 < 3.5 AS in_no_order;

-- the same of one large value that is probed with several keys: without asking the index
CREATE TABLE large AS SELECT 1 AS id, ribbon_build(k, 0.001) AS f FROM generate_series(1, 1500000) AS k;
VACUUM ANALYZE large;
SELECT buffers('SELECT f @> 42 FROM large') < 12 AS alone;
SELECT buffers('SELECT f @> k FROM large, generate_series(1, 40) AS k') < 40 * 3 AS several;
SELECT count(*) FILTER (WHERE f @> k) AS found FROM large, generate_series(1, 1500000, 30000) AS k;

-- rows that are deleted and updated here and there, and what comes into the holes
DELETE FROM filters WHERE hashint4(id) % 3 = 0;
UPDATE filters SET f = filter_of(id, n) WHERE hashint4(id) % 5 = 0;
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;
VACUUM filters;
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;
INSERT INTO filters SELECT id, n, filter_of(id, n) FROM generate_series(501, 800) AS id, keys_of(id) AS n;
UPDATE filters SET n = 1592, f = filter_of(id, 1592) WHERE hashint4(id) % 7 = 0;
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;
SELECT all_found('SELECT * FROM filters') AS by_page;

-- written anew, in this order or that, and cut off at the end
VACUUM FULL filters;
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;
SELECT buffers(probes('SELECT * FROM filters')) / count(*) < 3 AS few_buffers FROM filters;
CREATE INDEX by_hash ON filters (hashint4(id));
CLUSTER filters USING by_hash;
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;
DELETE FROM filters WHERE hashint4(id) > 0;
VACUUM filters;
SELECT name, all_found(rows_in_order) FROM orders ORDER BY name;

-- values of several tables, in line and out of it, compressed and not, before one operator
CREATE TABLE others (LIKE filters) PARTITION BY RANGE (id);
CREATE TABLE others_1 PARTITION OF others FOR VALUES FROM (1) TO (1100);
CREATE TABLE others_2 PARTITION OF others FOR VALUES FROM (1100) TO (1200);
CREATE TABLE others_3 PARTITION OF others FOR VALUES FROM (1200) TO (2000);
ALTER TABLE others_2 ALTER f SET STORAGE main;
ALTER TABLE others_3 ALTER f SET STORAGE extended;
INSERT INTO others SELECT id, n, filter_of(id, n) FROM generate_series(1001, 1300) AS id, keys_of(id) AS n;
SELECT all_found('SELECT * FROM others') AS one_by_one, all_found('SELECT * FROM others ORDER BY id % 100, id') AS in_turns,
       all_found('SELECT * FROM others UNION ALL SELECT * FROM filters') AS appended, all_found('SELECT * FROM (SELECT * FROM filters UNION ALL SELECT * FROM others) AS u ORDER BY id % 100, id') AS mixed;

-- one operator over the statements of a function, while values are replaced, and after that is rolled back
CREATE FUNCTION all_found_one_by_one() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	r record;
	f ribbonfilter;
	missing int := 0;
BEGIN
	FOR i IN 1..4 LOOP
		BEGIN
			FOR r IN SELECT id, n FROM others WHERE id <= 1060 ORDER BY id LOOP
				f := (SELECT o.f FROM others AS o WHERE o.id = r.id);
				IF NOT f @> (r.id * 100000 + 1 + r.id % r.n) THEN
					missing := missing + 1;
				END IF;
				IF i > 1 AND r.id % i = 0 THEN
					UPDATE others AS o SET n = 1592, f = filter_of(o.id, 1592) WHERE o.id = r.id + 1;
				END IF;
			END LOOP;
			IF i = 3 THEN
				RAISE EXCEPTION 'back';
			END IF;
		EXCEPTION WHEN raise_exception THEN
			NULL;
		END;
	END LOOP;
	RETURN missing = 0;
END $$;
SELECT all_found_one_by_one();
SELECT all_found('SELECT * FROM others');
BEGIN;
DELETE FROM others WHERE id % 2 = 0;
SAVEPOINT s;
TRUNCATE others_1;
INSERT INTO others SELECT id, n, filter_of(id, n) FROM generate_series(1050, 1099) AS id, keys_of(id) AS n;
SELECT all_found('SELECT * FROM others') AS within;
ROLLBACK TO s;
SELECT all_found('SELECT * FROM others') AS within;
ROLLBACK;
SELECT all_found('SELECT * FROM others');

-- a snapshot that sees what has been deleted since
BEGIN;
DECLARE c CURSOR FOR SELECT f @> (id * 100000 + 1 + id % n) AS found FROM others_1 ORDER BY id;
FETCH 1 FROM c;
UPDATE others_1 SET n = 1592, f = filter_of(id, 1592);
CREATE FUNCTION rest_found(c refcursor) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found boolean;
	n bigint := 0;
BEGIN
	LOOP
		FETCH c INTO found;
		EXIT WHEN found IS NULL;
		n := n + found::int;
	END LOOP;
	RETURN n;
END $$;
SELECT rest_found('c');
COMMIT;
SELECT all_found('SELECT * FROM others_1');

DROP TABLE filters, large, orders, others;
DROP FUNCTION buffers, filter_of, keys_of, probes, all_found, all_found_one_by_one, rest_found;
