--
-- docs/recipes.md, as written there, on small tables
--
CREATE TABLE users (user_id bigint PRIMARY KEY, region text);
INSERT INTO users SELECT i, CASE WHEN i % 50 = 0 THEN 'eu' ELSE 'us' END FROM generate_series(1, 20000) AS i;
CREATE TABLE events (user_id bigint, day date, amount int);
INSERT INTO events SELECT i % 20000 + 1, date '2026-01-01' + i % 100, i % 7 FROM generate_series(1, 100000) AS i;
CREATE TABLE audience (name text PRIMARY KEY, members ribbonfilter);
INSERT INTO audience SELECT region, ribbon_build(user_id) FROM users WHERE region IS NOT NULL GROUP BY region;
ANALYZE users, events, audience;

-- a query, and the first node of its plan that scans the table in some way
CREATE FUNCTION plan_has(query text, what text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found boolean := false;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		found := found OR line ~ what;
	END LOOP;
	RETURN found;
END $$;

-- a filter before a join: the same result, of fewer rows joined
SELECT count(*), sum(amount) FROM events JOIN users USING (user_id) WHERE region = 'eu';
SELECT count(*), sum(amount) FROM events JOIN users USING (user_id)
 WHERE region = 'eu' AND (SELECT members FROM audience WHERE name = 'eu') @> user_id;
SELECT plan_has($$SELECT count(*), sum(amount) FROM events JOIN users USING (user_id)
 WHERE region = 'eu' AND (SELECT members FROM audience WHERE name = 'eu') @> user_id$$,
                'Scan (\(RibbonScan\) )?on events \(actual rows=(2[0-9]{3}|3[0-4][0-9]{2})[. ]') AS few_rows_joined;

-- partitions that cannot have the key are not looked at
CREATE TABLE log (shard int, user_id bigint, line text) PARTITION BY LIST (shard);
SELECT format('CREATE TABLE log_%s PARTITION OF log FOR VALUES IN (%s)', s, s) FROM generate_series(0, 7) AS s \gexec
INSERT INTO log SELECT i % 8, i / 8 * 8 + i % 8 * 1000003, 'line ' || i FROM generate_series(1, 16000) AS i;
CREATE TABLE log_keys AS SELECT shard, ribbon_build(user_id, 0.0001) AS members FROM log GROUP BY shard;
ANALYZE log, log_keys;
SELECT log.* FROM log_keys AS k, LATERAL (SELECT * FROM log WHERE log.shard = k.shard AND user_id = 3000017 OFFSET 0) AS log
 WHERE k.members @> 3000017::bigint;
SELECT plan_has(query, 'Scan on log_3.*actual rows=1') AS one_is_read, plan_has(query, 'Scan on log_[0-24-7].*actual') AS others_are_read
  FROM (VALUES ($$SELECT log.* FROM log_keys AS k, LATERAL (SELECT * FROM log WHERE log.shard = k.shard AND user_id = 3000017 OFFSET 0) AS log
 WHERE k.members @> 3000017::bigint$$)) AS v(query);

-- NOT IN: a no is certain, a yes is looked up
CREATE TABLE seen AS SELECT user_id FROM users WHERE user_id % 3 = 0;
CREATE INDEX ON seen (user_id);
INSERT INTO audience SELECT 'seen', ribbon_build(user_id) FROM seen;
ANALYZE seen, audience;
SELECT count(*) FROM events AS e WHERE user_id NOT IN (SELECT user_id FROM seen);
SELECT count(*) FROM events AS e
 WHERE NOT ((SELECT members FROM audience WHERE name = 'seen') @> e.user_id
            AND EXISTS (SELECT FROM seen AS s WHERE s.user_id = e.user_id));

-- a partial index, of the rows of a set that is fixed
SELECT members AS eu FROM audience WHERE name = 'eu' \gset
CREATE INDEX events_eu ON events (day) WHERE ribbon_contains(:'eu', user_id);
ANALYZE events;
PREPARE of_day(date) AS SELECT count(*) FROM events WHERE day = $1 AND ribbon_contains(:'eu', user_id);
EXECUTE of_day('2026-02-20');
SELECT plan_has('EXECUTE of_day(''2026-02-20'')', 'events_eu') AS uses_index;
DEALLOCATE of_day;
-- a filter that is too large for the catalog is in a function
CREATE TABLE large AS SELECT ribbon_build(i) AS members FROM generate_series(1::bigint, 10000) AS i;
CREATE FUNCTION fits(filter ribbonfilter) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE INDEX events_large ON events (day) WHERE ribbon_contains(%L, user_id)', filter);
	DROP INDEX events_large;
	RETURN true;
EXCEPTION WHEN program_limit_exceeded THEN
	RETURN false;
END $$;
SELECT fits(members) = (current_setting('server_version_num')::int >= 180000) AS in_newer_catalogs FROM large;
SELECT ribbon_build(i) AS fits FROM generate_series(1::bigint, 4500) AS i \gset
CREATE INDEX events_fits ON events (day) WHERE ribbon_contains(:'fits', user_id);
DROP INDEX events_fits, events_eu;
UPDATE audience SET members = (SELECT members FROM large) WHERE name = 'eu';
\set ECHO none
SELECT format('CREATE FUNCTION eu_members() RETURNS ribbonfilter LANGUAGE sql IMMUTABLE PARALLEL SAFE
  SET search_path FROM CURRENT AS $$ SELECT %L::ribbonfilter $$', members)
  FROM audience WHERE name = 'eu' \gexec
\set ECHO all
CREATE INDEX events_eu_members ON events (day) WHERE ribbon_contains(eu_members(), user_id);
ANALYZE events;
SELECT count(*) FROM events WHERE day = '2026-02-20' AND ribbon_contains(eu_members(), user_id);
SELECT plan_has('SELECT count(*) FROM events WHERE day = ''2026-02-20'' AND ribbon_contains(eu_members(), user_id)', 'events_eu_members') AS uses_index;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM events WHERE day = '2026-02-20' AND ribbon_contains(eu_members(), user_id);
RESET enable_indexscan;
RESET enable_bitmapscan;
UPDATE audience SET members = :'eu' WHERE name = 'eu';
-- a filter that may change is no constant: mark the rows instead
ALTER TABLE events ADD is_eu boolean;
CREATE FUNCTION mark_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.is_eu := (SELECT members FROM audience WHERE name = 'eu') @> NEW.user_id;
	RETURN NEW;
END $$;
CREATE TRIGGER mark_event BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION mark_event();
INSERT INTO events VALUES (50, '2026-03-01', 1), (100, '2026-03-01', 1) RETURNING is_eu;

-- publications take no functions or operators of extensions, but marked rows
CREATE PUBLICATION eu_events FOR TABLE events WHERE (ribbon_contains('\x1101000000', user_id));
\echo :LAST_ERROR_SQLSTATE
SET client_min_messages = error;	-- wal_level may be too low for replication
CREATE PUBLICATION eu_events FOR TABLE events WHERE (is_eu);
RESET client_min_messages;
DROP PUBLICATION eu_events;

-- statistics in a view
CREATE VIEW audience_stats AS SELECT name, s.* FROM audience, ribbon_stats(members) AS s;
SELECT name, keys, fpr BETWEEN 0.0095 AND 0.0105 AS one_percent, bytes > keys * 0.8 AS size FROM audience_stats ORDER BY bytes DESC;

-- instead of a union
SELECT count(*) FROM events WHERE user_id <@ ANY (ARRAY(SELECT members FROM audience WHERE name IN ('eu', 'us')));
SELECT count(*) FROM events WHERE user_id <@ ALL (ARRAY(SELECT members FROM audience WHERE name IN ('eu', 'us'))) AND user_id % 50 = 1 AND user_id < 400;

DROP VIEW audience_stats;
DROP TABLE users, events, audience, log, log_keys, seen, large;
DROP FUNCTION plan_has, mark_event, eu_members, fits;
