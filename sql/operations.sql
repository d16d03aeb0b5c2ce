--
-- What docs/operations.md and the recipes for changing sets promise, in numbers
--
CREATE TABLE users (user_id bigint PRIMARY KEY, region text);
INSERT INTO users SELECT i, CASE WHEN i % 2 = 0 THEN 'eu' ELSE 'us' END FROM generate_series(1, 20000) AS i;
CREATE TABLE filters (name text PRIMARY KEY, members ribbonfilter NOT NULL, built timestamptz NOT NULL, took interval NOT NULL);
CREATE PROCEDURE refresh_filter(which text, keys text, fpr float8 DEFAULT 0.01) LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz := clock_timestamp();
	old bigint := (SELECT ribbon_cardinality(members) FROM filters WHERE name = which);
	fresh ribbonfilter;
BEGIN
	-- a semicolon at the end would end this statement, and a comment would go on in it
	keys := regexp_replace(keys, E';\\s*(--[^''\n]*\\s*)*$', '') || E'\n';
	EXECUTE format('SELECT ribbon_build(key, %1$L::float8) FROM (%2$s) AS s(key)'
				   ' HAVING (SELECT * FROM (%2$s) AS s LIMIT 0) IS NULL', fpr, keys) INTO fresh;
	IF ribbon_cardinality(fresh) NOT BETWEEN old / 2 AND 2 * old + 1000 THEN
		RAISE EXCEPTION 'filter "%" would have % keys instead of %', which, ribbon_cardinality(fresh), old
			USING HINT = 'If that is right, delete the old one first.';
	END IF;
	INSERT INTO filters AS f VALUES (which, fresh, clock_timestamp(), clock_timestamp() - started)
		ON CONFLICT (name) DO UPDATE
		SET members = CASE WHEN f.members = EXCLUDED.members THEN f.members ELSE EXCLUDED.members END,
			built = EXCLUDED.built, took = EXCLUDED.took;
END $$;

-- a refresh of the same set writes no filter again; of another set it does
CALL refresh_filter('eu', $$ SELECT user_id FROM users WHERE region = 'eu' $$);
SELECT pg_relation_size(reltoastrelid) AS toast FROM pg_class WHERE relname = 'filters' \gset
CALL refresh_filter('eu', $$ SELECT user_id FROM users WHERE region = 'eu' $$);
SELECT name, ribbon_cardinality(members), pg_relation_size(reltoastrelid) = :toast AS not_written FROM filters, pg_class WHERE relname = 'filters';
CALL refresh_filter('eu', $$ SELECT user_id FROM users WHERE region = 'eu' OR user_id < 5000 $$);
SELECT name, ribbon_cardinality(members), pg_relation_size(reltoastrelid) > :toast AS written FROM filters, pg_class WHERE relname = 'filters';

-- a semicolon at the end of the query, a comment, or both
CALL refresh_filter('eu', E'SELECT user_id FROM users WHERE region = \'eu\';  \n');
CALL refresh_filter('eu', 'SELECT user_id FROM users WHERE region = ''eu'' -- all; of them');
CALL refresh_filter('eu', E'SELECT user_id FROM users WHERE region = \'eu\'; -- all\n  -- of them\n');
CALL refresh_filter('eu', 'SELECT user_id FROM users WHERE region = ''eu'' AND region <> ''; -- no comment''');
SELECT name, ribbon_cardinality(members) FROM filters;

-- a set that has nearly gone is taken for a mistake; a query that fails leaves the old filter
CALL refresh_filter('eu', $$ SELECT user_id FROM users WHERE region = 'eu' LIMIT 10 $$);
CALL refresh_filter('eu', $$ SELECT 1 / (user_id - 9) FROM users $$);
-- so is one that has grown to more than twice its size, and a query with two columns
CALL refresh_filter('eu', $$ SELECT generate_series(1, 50000) $$);
CALL refresh_filter('eu', $$ SELECT user_id, region FROM users WHERE region = 'eu' $$);
SELECT name, ribbon_cardinality(members) FROM filters;

-- a filter per day: rates add up as the page says
CREATE TABLE seen_days AS
SELECT day, ribbon_build(1000000 * day + i, 0.01) AS members FROM generate_series(1, 30) AS day, generate_series(1, 2000) AS i GROUP BY day;
SELECT round(100 * (1 - (1 - 0.01) ^ 30), 0) AS said, count(*) / 200.0 BETWEEN 24 AND 28 AS measured
  FROM generate_series(1, 20000) AS i WHERE -i::bigint <@ ANY (ARRAY(SELECT members FROM seen_days));
SELECT filters, rate, round(100 * (1 - (1 - rate) ^ filters), 1) AS "% of all", bits
  FROM (VALUES (1, 0.01), (30, 0.01), (30, 0.001), (30, 0.00033), (365, 0.000027)) AS v (filters, rate),
       LATERAL (SELECT round(8.0 * length(ribbon_build(i, rate)::bytea) / 100000, 1) AS bits FROM generate_series(1, 100000) AS i) AS f;
-- all members of all days are found; of a day that has gone, few
SELECT count(*) FROM generate_series(1, 30) AS day, generate_series(1, 2000) AS i
 WHERE NOT 1000000::bigint * day + i <@ ANY (ARRAY(SELECT members FROM seen_days));
DELETE FROM seen_days WHERE day = 7;
SELECT count(*) BETWEEN 400 AND 600 AS few FROM generate_series(1, 2000) AS i
 WHERE 7000000::bigint + i <@ ANY (ARRAY(SELECT members FROM seen_days));

-- tombstones: a table misses no member, a filter as many as its rate says
CREATE TABLE gone AS SELECT user_id FROM users WHERE user_id % 10 = 0;
ALTER TABLE gone ADD PRIMARY KEY (user_id);
SELECT count(*) FILTER (WHERE region = 'eu' AND NOT EXISTS (SELECT FROM gone AS g WHERE g.user_id = u.user_id)) AS left,
       count(*) FILTER (WHERE m @> user_id AND NOT EXISTS (SELECT FROM gone AS g WHERE g.user_id = u.user_id) AND region = 'eu') AS found,
       count(*) FILTER (WHERE m @> user_id AND NOT g @> user_id AND region = 'eu') BETWEEN 7880 AND 7960 AS one_percent_missed,
       count(*) FILTER (WHERE m @> user_id AND NOT rare @> user_id AND region = 'eu') AS found_beside_a_rare_filter
  FROM users AS u, (SELECT members AS m FROM filters WHERE name = 'eu') AS f,
       (SELECT ribbon_build(user_id, 0.01) AS g, ribbon_build(user_id, 0.000001) AS rare FROM gone) AS r;

-- each event once: none is taken twice, and as many are lost as the rates say
CREATE TABLE stream (event_id bigint, payload text);
CREATE TABLE staging (LIKE stream);
CREATE TABLE event_days AS SELECT day, ribbon_build(1000000 * day + i, 0.001) AS ids
  FROM generate_series(1, 10) AS day, generate_series(1, 5000) AS i GROUP BY day;
INSERT INTO staging SELECT 50000000 + i / 2, 'new' FROM generate_series(2, 100001) AS i;
INSERT INTO staging SELECT 1000000 * day + i, 'old' FROM generate_series(1, 10) AS day, generate_series(1, 5000) AS i;
INSERT INTO stream
SELECT DISTINCT ON (event_id) s.* FROM staging AS s
 WHERE NOT event_id <@ ANY (ARRAY(SELECT ids FROM event_days))
   AND NOT EXISTS (SELECT FROM stream AS t WHERE t.event_id = s.event_id);
SELECT count(*) = count(DISTINCT event_id) AS each_once, count(*) FILTER (WHERE payload = 'old') AS old,
       50000 - count(*) FILTER (WHERE payload = 'new') BETWEEN 400 AND 600 AS lost_as_said, round(50000 * (1 - 0.999 ^ 10)) AS said
  FROM stream;
SELECT rate, round(10000000 * (1 - (1 - rate) ^ 30), 1) AS "lost a day", round(8.0 * length(ribbon_build(i, rate::float8)::bytea) / 100000) AS bits
  FROM (VALUES (0.001), (0.000001), (0.000000001)) AS v (rate), generate_series(1, 100000) AS i GROUP BY rate ORDER BY rate DESC;

-- all that is stored, looked at
SELECT c.* FROM pg_class AS t, ribbon_check_table(t.oid) AS c WHERE t.relkind IN ('r', 'm') AND t.relpersistence <> 't';
CREATE TABLE "Mixed case" (id int, "a filter" ribbonfilter, m ribbonmap);
INSERT INTO "Mixed case" SELECT n, ribbon_build(i, 0.125, 'kind=homogeneous'), ribbon_map(i, i) FROM generate_series(1, 3) AS n, generate_series(1, 30000) AS i GROUP BY n;
UPDATE "Mixed case" SET "a filter" = overlay("a filter"::bytea PLACING decode(repeat('00', 300), 'hex') FROM 5000)::ribbonfilter WHERE id = 2;
SELECT relation, attribute, (SELECT id FROM "Mixed case" AS t WHERE t.ctid = item), complaint
  FROM pg_class AS t, ribbon_check_table(t.oid) AS c WHERE t.relkind IN ('r', 'm') AND t.relpersistence <> 't';

-- what a restore would lose, since it looks for "=" in the path (plain "=" and DISTINCT are listed, too)
CREATE TABLE lost (f ribbonfilter, g ribbonfilter, m ribbonmap, CONSTRAINT checked CHECK (f IS DISTINCT FROM g), same boolean GENERATED ALWAYS AS (f IS NOT DISTINCT FROM g) STORED);
CREATE TABLE kept (f ribbonfilter, g ribbonfilter, CHECK (f::bytea IS DISTINCT FROM g::bytea AND f @> 1 AND f < g));
CREATE VIEW lost_nullif AS SELECT NULLIF(m, m) FROM lost;
CREATE VIEW lost_case AS SELECT CASE f WHEN g THEN 1 END FROM lost;
CREATE VIEW lost_using AS SELECT kept.f FROM lost JOIN kept USING (f);
CREATE VIEW lost_key AS SELECT ribbon_key(1) IS DISTINCT FROM ribbon_key(2);
CREATE FUNCTION lost_body(a ribbonfilter, b ribbonfilter) RETURNS boolean LANGUAGE sql RETURN a IS DISTINCT FROM b;
CREATE INDEX lost_index ON lost ((f IS DISTINCT FROM g));
CREATE POLICY lost_policy ON lost USING (f IS DISTINCT FROM g);
CREATE FUNCTION no_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
CREATE TRIGGER lost_trigger BEFORE UPDATE ON lost FOR EACH ROW WHEN (old.f IS DISTINCT FROM new.f) EXECUTE FUNCTION no_change();
CREATE TRIGGER kept_trigger BEFORE UPDATE ON lost FOR EACH ROW WHEN (old.f::bytea IS DISTINCT FROM new.f::bytea) EXECUTE FUNCTION no_change();
SELECT object FROM (
	SELECT DISTINCT pg_describe_object(classid, objid, 0) AS object
	  FROM pg_depend JOIN pg_operator AS o ON o.oid = refobjid
	 WHERE refclassid = 'pg_operator'::regclass AND classid <> 'pg_amop'::regclass AND deptype = 'n' AND oprname = '='
	   AND oprleft IN ('ribbonfilter'::regtype, 'ribbonmap'::regtype, 'ribbonkey'::regtype, 'ribbonkeys'::regtype)) AS s
 ORDER BY object COLLATE "C";
DROP VIEW lost_nullif, lost_case, lost_using, lost_key;
DROP FUNCTION lost_body;
DROP TABLE lost, kept;
DROP FUNCTION no_change;

-- a digest that is a generated column
ALTER TABLE filters ADD digest bytea GENERATED ALWAYS AS (sha256(members::bytea)) STORED;
SELECT name, sha256(members::bytea) = digest AS same FROM filters;

DROP TABLE users, filters, seen_days, gone, stream, staging, event_days, "Mixed case";
DROP PROCEDURE refresh_filter;
