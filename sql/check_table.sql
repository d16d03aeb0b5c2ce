--
-- ribbon_check_table: all filters and maps of a table that anything is wrong with
--
\set SHOW_CONTEXT never
-- a filter whose slots have been overwritten with zeros
CREATE FUNCTION damaged(f ribbonfilter) RETURNS ribbonfilter LANGUAGE sql AS
$$ SELECT overlay(f::bytea PLACING decode(repeat('00', 300), 'hex') FROM 5000)::ribbonfilter $$;
CREATE DOMAIN audience AS ribbonfilter;
CREATE DOMAIN audiences AS audience[];
CREATE TABLE "Mixed case" (id int, "a filter" ribbonfilter, gone ribbonfilter, other text, m ribbonmap, d audience, many ribbonfilter[], more audiences, maps ribbonmap[][]);
ALTER TABLE "Mixed case" DROP gone;
INSERT INTO "Mixed case"
SELECT n, f, 'text', m, f, ARRAY[NULL, f, f], ARRAY[f]::audience[], ARRAY[[m, NULL], [m, m]]
  FROM generate_series(1, 4) AS n,
       (SELECT ribbon_build(i, 0.125, 'kind=homogeneous') AS f, ribbon_map(i, i % 16) AS m FROM generate_series(1, 30000) AS i) AS s;
INSERT INTO "Mixed case" DEFAULT VALUES;
INSERT INTO "Mixed case" SELECT 5, ribbon_build(i), '', NULL, NULL, '{}', '{NULL}', '{}' FROM generate_series(1, 0) AS i;

-- nothing, where all is well
SELECT * FROM ribbon_check_table('"Mixed case"');
SELECT count(*) FROM ribbon_check_table('pg_class');
SELECT ribbon_check_table(NULL) IS NULL AS is_null;

-- what is wrong, and where; it goes on behind
UPDATE "Mixed case" SET "a filter" = damaged("a filter") WHERE id = 2;
UPDATE "Mixed case" SET d = damaged(d), many[3] = damaged(many[3]), more[1] = damaged(more[1]) WHERE id = 3;
SELECT relation, attribute, id, element, complaint FROM ribbon_check_table('"Mixed case"'), "Mixed case" AS t WHERE t.ctid = item ORDER BY id, attribute COLLATE "C";

-- in a table where nothing is out of line
CREATE TABLE small AS SELECT n, ribbon_build(i) AS f, ribbon_map(i, i) AS m FROM generate_series(1, 3) AS n, generate_series(1, 10) AS i GROUP BY n;
UPDATE small SET f = set_bit(f::bytea, 8 * length(f::bytea) - 1, 1)::ribbonfilter WHERE n = 2;
SELECT attribute, item, complaint FROM ribbon_check_table('small');

-- partitions, materialized views, tables that inherit, where columns have other numbers
CREATE TABLE days (day int, f ribbonfilter) PARTITION BY LIST (day);
CREATE TABLE day_1 (f ribbonfilter, day int);
ALTER TABLE days ATTACH PARTITION day_1 FOR VALUES IN (1);
CREATE TABLE day_2 PARTITION OF days FOR VALUES IN (2) PARTITION BY LIST (day);
CREATE TABLE day_2_all PARTITION OF day_2 DEFAULT;
INSERT INTO days SELECT n, damaged("a filter") FROM "Mixed case", generate_series(1, 2) AS n WHERE id = 1;
SELECT relation, attribute, item FROM ribbon_check_table('days') ORDER BY relation::text COLLATE "C";
SELECT relation FROM ribbon_check_table('day_2');
CREATE MATERIALIZED VIEW seen AS SELECT f FROM days;
SELECT count(*) FROM ribbon_check_table('seen');
CREATE TABLE parent (f ribbonfilter);
CREATE TABLE child (extra ribbonfilter) INHERITS (parent);
INSERT INTO child SELECT "a filter", damaged("a filter") FROM "Mixed case" WHERE id = 1;
SELECT count(*) FROM ribbon_check_table('parent');
SELECT relation, attribute FROM ribbon_check_table('child');

-- a chunk of a stored value that is lost: of a filter, a map, an array
SELECT reltoastrelid AS toast FROM pg_class WHERE relname = 'Mixed case' \gset
CREATE FUNCTION lose(toast regclass, nth int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	value oid;
BEGIN
	EXECUTE format('SELECT chunk_id FROM %s GROUP BY chunk_id ORDER BY chunk_id OFFSET %s LIMIT 1', toast, nth) INTO value;
	UPDATE pg_class SET relkind = 'r' WHERE oid = toast;
	EXECUTE format('DELETE FROM %s WHERE chunk_id = %s AND chunk_seq = 2', toast, value);
	UPDATE pg_class SET relkind = 't' WHERE oid = toast;
END $$;
TRUNCATE "Mixed case";
INSERT INTO "Mixed case" (id, "a filter", m, many) SELECT n, ribbon_build(i), ribbon_map(i, i), ARRAY[ribbon_build(i), ribbon_build(-i)]
  FROM generate_series(1, 3) AS n, generate_series(1, 30000) AS i GROUP BY n;
SELECT lose(:toast, 2), lose(:toast, 4), lose(:toast, 6);
SELECT id, attribute, element, regexp_replace(complaint, 'value \d+ in pg_toast_\d+', 'value N in TOAST') AS complaint
  FROM ribbon_check_table('"Mixed case"'), "Mixed case" AS t WHERE t.ctid = item ORDER BY id, attribute COLLATE "C";

CREATE TABLE sets AS SELECT n, ribbon_keys(i) AS keys FROM generate_series(1, 3) AS n, generate_series(1, 5000) AS i GROUP BY n;
SELECT count(*) FROM ribbon_check_table('sets');
SELECT lose(reltoastrelid, 1) FROM pg_class WHERE relname = 'sets';
SELECT attribute, regexp_replace(complaint, 'value \d+ in pg_toast_\d+', 'value N in TOAST') AS complaint FROM ribbon_check_table('sets');

-- a file that is gone
CREATE TABLE moved AS SELECT ribbon_build(i) AS f FROM generate_series(1, 30000) AS i;
SELECT t.reltoastrelid AS toast, c.relfilenode AS file FROM pg_class AS t, pg_class AS c WHERE t.relname = 'moved' AND c.oid = t.reltoastrelid \gset
UPDATE pg_class SET relfilenode = 4294967295 WHERE oid = :toast;
SELECT item, regexp_replace(complaint, '"base.*"', 'FILE') AS complaint FROM ribbon_check_table('moved');
UPDATE pg_class SET relfilenode = :file WHERE oid = :toast;
SELECT count(*) FROM ribbon_check_table('moved');

-- what stores nothing is refused
CREATE VIEW shown AS SELECT f FROM days;
SELECT * FROM ribbon_check_table('shown');
\echo :LAST_ERROR_SQLSTATE
CREATE INDEX by_value ON parent (f);
SELECT * FROM ribbon_check_table('by_value');
SELECT * FROM ribbon_check_table(4294967295);
\echo :LAST_ERROR_SQLSTATE

-- whoever may read the table, all its columns and rows, may check it; it runs with the rights of its caller
CREATE ROLE regress_ribbon_checker;
SET ROLE regress_ribbon_checker;
SELECT count(*) FROM ribbon_check_table('days');
\echo :LAST_ERROR_SQLSTATE
SELECT count(*) FROM ribbon_check_table('small');
-- where there is nothing to check, no lock stays, by which a role without any right could keep others waiting
BEGIN;
SELECT count(*) FROM ribbon_check_table('pg_authid');
SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'pg_authid'::regclass;
COMMIT;
RESET ROLE;
GRANT SELECT ON days TO regress_ribbon_checker;
GRANT SELECT (f) ON small TO regress_ribbon_checker;
SET ROLE regress_ribbon_checker;
SELECT count(*) FROM ribbon_check_table('days');
SELECT count(*) FROM ribbon_check_table('small');
RESET ROLE;
GRANT SELECT ON small TO regress_ribbon_checker;
SET ROLE regress_ribbon_checker;
SELECT count(*) FROM ribbon_check_table('small');
RESET ROLE;
ALTER TABLE small ENABLE ROW LEVEL SECURITY;
SET ROLE regress_ribbon_checker;
SELECT count(*) FROM ribbon_check_table('small');
\echo :LAST_ERROR_SQLSTATE
RESET ROLE;
SELECT count(*) FROM ribbon_check_table('small');

-- it calls nothing but functions of the server and of the extension, whatever else is called so where that is
CREATE FUNCTION ribbon_check(f audience) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$;
CREATE FUNCTION unnest(f ribbonfilter[]) RETURNS SETOF ribbonfilter LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$;
CREATE FUNCTION count(b boolean) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE 'called'; END $$;
CREATE TABLE domains (a audience, many ribbonfilter[], more audiences);
INSERT INTO domains SELECT f, ARRAY[f], ARRAY[f]::audience[] FROM small WHERE n = 2;
SELECT attribute, element, complaint FROM ribbon_check_table('domains');
DROP FUNCTION ribbon_check(audience), unnest(ribbonfilter[]), count(boolean);

-- in a subtransaction that is rolled back, a read-only transaction, and a subquery
BEGIN READ ONLY;
SELECT count(*) FROM ribbon_check_table('days');
SAVEPOINT s;
SELECT count(*) FROM ribbon_check_table('shown');
ROLLBACK TO s;
SELECT count(*) FROM ribbon_check_table('days');
COMMIT;
SELECT relname, (SELECT count(*) FROM ribbon_check_table(c.oid)) FROM pg_class AS c WHERE relname IN ('small', 'days', 'seen') ORDER BY relname;

DROP TABLE "Mixed case", moved, domains, small, parent, child, days, sets CASCADE;
DROP FUNCTION damaged, lose;
DROP DOMAIN audiences, audience;
DROP ROLE regress_ribbon_checker;
