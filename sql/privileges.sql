--
-- Privileges: no role learns from a filter, or about it, what it may not read
--
CREATE ROLE regress_ribbon_owner;
CREATE ROLE regress_ribbon_reader;
GRANT CREATE ON SCHEMA public TO regress_ribbon_owner, regress_ribbon_reader;
SET ROLE regress_ribbon_owner;

-- audiences of several customers, of which one is the reader's
CREATE TABLE audiences (customer text, name text, members ribbonfilter);
INSERT INTO audiences SELECT 'regress_ribbon_reader', 'own ' || g, ribbon_build(i) FROM generate_series(1, 50) AS g, generate_series(1, 100) AS i GROUP BY g;
INSERT INTO audiences SELECT 'other', 'secret ' || g, ribbon_build(i) FROM generate_series(1, 50) AS g, generate_series(1, 9000) AS i GROUP BY g;
INSERT INTO audiences SELECT 'other', 'by name', ribbon_build('secret ' || i) FROM generate_series(1, 100) AS i;
CREATE TABLE events AS SELECT i AS user_id FROM generate_series(1, 10000) AS i;
GRANT SELECT ON events TO regress_ribbon_reader;
ANALYZE audiences, events;
CREATE VIEW own_audiences WITH (security_barrier) AS SELECT name, members FROM audiences WHERE customer = current_user;
GRANT SELECT ON own_audiences TO regress_ribbon_reader;

-- the rows expected of the topmost node of a plan
CREATE FUNCTION expected_rows(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;

--
-- Through a security barrier: a probe is not leakproof, for it throws at keys of another class and at damaged filters,
-- so it sees only rows that the view lets through.  Here a filter of text would throw.
--
SELECT count(*) FROM audiences WHERE members @> 7;
SET ROLE regress_ribbon_reader;
SELECT count(*) FROM audiences WHERE members @> 7;
SELECT count(*) FROM own_audiences WHERE members @> 7;
SELECT count(*) FROM own_audiences WHERE ribbon_cardinality(members) > 0 AND ribbon_contains_any(members, ARRAY[7]);

-- statistics of filters do not get through either: the estimate is the default, 5 %, whatever is hidden
RESET ROLE;
SET ROLE regress_ribbon_owner;
SELECT expected_rows('SELECT FROM events WHERE user_id <@ (SELECT members FROM audiences LIMIT 1)') BETWEEN 4000 AND 5500 AS owner_sees_means;
SET ROLE regress_ribbon_reader;
SELECT expected_rows('SELECT FROM events WHERE user_id <@ (SELECT members FROM own_audiences LIMIT 1)') AS through_a_view;

-- the same under row security
RESET ROLE;
SET ROLE regress_ribbon_owner;
ALTER TABLE audiences ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON audiences USING (customer = current_user);
GRANT SELECT ON audiences TO regress_ribbon_reader;
SET ROLE regress_ribbon_reader;
SELECT count(*) FROM audiences WHERE members @> 7;
SELECT expected_rows('SELECT FROM events WHERE user_id <@ (SELECT members FROM audiences LIMIT 1)') AS under_row_security;

-- and with a privilege to read another column only
RESET ROLE;
SET ROLE regress_ribbon_owner;
ALTER TABLE audiences DISABLE ROW LEVEL SECURITY;
REVOKE SELECT ON audiences FROM regress_ribbon_reader;
GRANT SELECT (name) ON audiences TO regress_ribbon_reader;
SET ROLE regress_ribbon_reader;
SELECT name FROM audiences WHERE members @> 7;
SELECT ribbon_check(members) FROM audiences;

-- the same of maps: no value of a row that is hidden, and no error that it might cause
RESET ROLE;
SET ROLE regress_ribbon_owner;
CREATE TABLE scores (customer text, map ribbonmap);
INSERT INTO scores SELECT 'regress_ribbon_reader', ribbon_map(i, i + g) FROM generate_series(1, 50) AS g, generate_series(1, 100) AS i GROUP BY g;
INSERT INTO scores SELECT 'other', ribbon_map(i, i + g) FROM generate_series(1, 50) AS g, generate_series(1, 9000) AS i GROUP BY g;
INSERT INTO scores SELECT 'other', ribbon_map('secret ' || i, i) FROM generate_series(1, 100) AS i;
ANALYZE scores;
CREATE VIEW own_scores WITH (security_barrier) AS SELECT map FROM scores WHERE customer = current_user;
GRANT SELECT ON own_scores TO regress_ribbon_reader;
SELECT expected_rows('SELECT FROM events WHERE user_id <@ (SELECT map FROM scores LIMIT 1)') BETWEEN 4000 AND 5500 AS owner_sees_means;
SET ROLE regress_ribbon_reader;
SELECT count(*) FROM own_scores WHERE map @> 7 AND map -> 7 > 7 AND map ->> 7 > '1' AND ribbon_get(map, 7, 0) > 7;
SELECT expected_rows('SELECT FROM events WHERE user_id <@ (SELECT map FROM own_scores LIMIT 1)') AS through_a_view;
SELECT map -> 7 FROM scores;

-- what ANALYZE has gathered is where all statistics are: out of sight
SELECT count(*) FROM pg_statistic;
SELECT count(*) FROM pg_stats WHERE tablename = 'audiences' AND attname = 'members';

--
-- Estimators on operators of one's own: only a superuser may name them there.  For whatever types that is done, they
-- say something, if it is only the default of 5 %
--
CREATE OPERATOR public.@@@ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq, RESTRICT = ribbon_contains_sel);
CREATE OPERATOR public.@@@ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq, JOIN = ribbon_contains_joinsel);
RESET ROLE;
CREATE OPERATOR public.@@@ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq, RESTRICT = ribbon_contains_sel, JOIN = ribbon_contains_joinsel);
CREATE OPERATOR public.@@@ (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq, RESTRICT = ribbon_contains_sel, JOIN = ribbon_contains_joinsel);
CREATE OPERATOR public.@@@ (LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = byteaeq, RESTRICT = ribbon_contains_sel, JOIN = ribbon_contains_joinsel);
CREATE OPERATOR public.@@@ (LEFTARG = numeric, RIGHTARG = numeric, FUNCTION = numeric_eq, RESTRICT = ribbon_contains_sel, JOIN = ribbon_contains_joinsel);
CREATE OPERATOR public.@@@ (RIGHTARG = date, FUNCTION = isfinite, RESTRICT = ribbon_contains_sel);
SELECT expected_rows('SELECT FROM events WHERE user_id @@@ 5') AS integers,
       expected_rows('SELECT FROM events WHERE user_id::text @@@ ''''') AS nothing,
       expected_rows('SELECT FROM events WHERE user_id::text @@@ repeat(''Q'', 700)') AS text,
       expected_rows('SELECT FROM events WHERE decode(md5(user_id::text), ''hex'') @@@ ''\x1101000000''') AS bytes_of_a_filter,
       expected_rows('SELECT FROM events WHERE user_id::numeric @@@ 12345678901234567890.1') AS numbers,
       expected_rows('SELECT FROM events WHERE @@@ (date ''2026-01-01'' + user_id)') AS unary,
       expected_rows('SELECT FROM events AS a, events AS b WHERE a.user_id @@@ b.user_id') AS of_a_join;
DROP OPERATOR public.@@@ (int, int), public.@@@ (text, text), public.@@@ (bytea, bytea), public.@@@ (numeric, numeric), public.@@@ (NONE, date);
SET ROLE regress_ribbon_reader;

-- The functions themselves are for the planner alone, and support functions for the superuser's functions
CREATE FUNCTION mine(ribbonfilter, int) RETURNS boolean LANGUAGE sql SUPPORT ribbon_contains_support AS 'SELECT true';
CREATE FUNCTION mine(ribbonmap, int) RETURNS boolean LANGUAGE sql SUPPORT ribbon_lookup_support AS 'SELECT true';

--
-- Settings: an ordinary user may change ours, for themselves
--
SELECT name, context FROM pg_settings WHERE name LIKE 'ribbon.%' ORDER BY name;
SET ribbon.build_threads = 64;
SELECT ribbon_cardinality(ribbon_build(i)) FROM generate_series(1, 100000) AS i;
-- what bounds the files that a set beyond work_mem is collected in is not theirs to change
SET temp_file_limit = -1;
RESET ROLE;
SET temp_file_limit = '1MB';
SET work_mem = '64kB';
SET ROLE regress_ribbon_reader;
\set VERBOSITY sqlstate
SELECT ribbon_build(i) FROM generate_series(1, 1000000) AS i;
\set VERBOSITY default
RESET ALL;
RESET ROLE;

DROP OWNED BY regress_ribbon_reader, regress_ribbon_owner;
DROP ROLE regress_ribbon_reader, regress_ribbon_owner;
