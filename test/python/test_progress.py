#!/usr/bin/python3
"""test_progress.py - what others can see of a build, and of filters that are kept

One session builds, and another looks: into ribbon_progress, at wait events, at
what the server counts and logs of temporary files.  Who may look, what is left
when a build ends in one way or another, and what the server's own views of
progress say meanwhile.

usage: test/run.sh python/test_progress
"""

import subprocess

import psql_script
from reports import check, compare, finish

DATABASE = "ribbon_progress"
KEYS = 2000000

SETUP = """
CREATE EXTENSION ribbon;
CREATE ROLE builder LOGIN;
ALTER ROLE builder SET log_temp_files = 0;
CREATE ROLE other LOGIN;
CREATE ROLE reader LOGIN IN ROLE pg_read_all_stats;
CREATE ROLE member LOGIN IN ROLE builder;
CREATE TABLE seen (at serial, role text, phase text, aggregate text, keys_read bigint, keys_solved bigint, layer int,
				   percent numeric, temp_bytes bigint, usename text, datname text);
CREATE TABLE waits (type text, event text);
CREATE TABLE others (command text, n bigint);
GRANT ALL ON seen, seen_at_seq, waits, others TO PUBLIC;
GRANT EXECUTE ON FUNCTION pg_stat_clear_snapshot() TO PUBLIC;

-- Look until the session named "builder" is done, a minute at most.
CREATE PROCEDURE watch() LANGUAGE plpgsql AS $$
DECLARE
	begun boolean := false;
	busy boolean;
	view text;
	role_of text := session_user;
BEGIN
	FOR i IN 1 .. 1000000 LOOP
		PERFORM pg_stat_clear_snapshot();
		INSERT INTO seen (role, phase, aggregate, keys_read, keys_solved, layer, percent, temp_bytes, usename, datname)
			SELECT role_of, phase, aggregate, keys_read, keys_solved, layer, percent, temp_bytes, usename, datname FROM ribbon_progress;
		INSERT INTO waits SELECT wait_event_type, wait_event FROM pg_stat_activity
		  WHERE application_name = 'builder' AND state = 'active' AND wait_event IS NOT NULL;
		busy := EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'builder');
		IF busy THEN
			begun := true;
			FOR view IN SELECT viewname FROM pg_views WHERE viewname LIKE 'pg\\_stat\\_progress\\_%' LOOP
				EXECUTE format('INSERT INTO others SELECT %L, count(*) FROM pg_catalog.%I JOIN pg_stat_activity USING (pid)'
							   ' WHERE application_name = ''builder''', view, view);
			END LOOP;
		END IF;
		EXIT WHEN begun AND NOT busy OR clock_timestamp() > now() + interval '1 min';
		PERFORM pg_sleep(0.001);
	END LOOP;
END $$;
"""


def psql(script):
    return psql_script.psql(script, DATABASE)


def start(user):
    return subprocess.Popen(["psql", "-XAtq", f"dbname={DATABASE} user={user} application_name=builder"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def watched(script, watchers=("postgres",), settings="SET work_mem = '4MB'; SET max_parallel_workers_per_gather = 0;"):
    """What a session of "builder" printed, while others looked."""
    psql("TRUNCATE seen, waits, others")
    looking = [subprocess.Popen(["psql", "-XAtq", f"dbname={DATABASE} user={user}", "-c", "CALL watch()"],
                                stderr=subprocess.PIPE, encoding="utf-8") for user in watchers]
    builder = start("builder")
    out, errors = builder.communicate(settings + script)
    for process in looking:
        said = process.communicate()[1]
        if process.returncode != 0:
            raise RuntimeError(said)
    return out.strip(), errors


BUILD = f"SELECT ribbon_cardinality(ribbon_build(i)) FROM generate_series(1, {KEYS}) AS i;\n"


def phases():
    out, errors = watched("SET client_min_messages = log; " + BUILD, ("postgres", "other", "reader", "member", "builder"))
    compare("a build that is watched builds", out, str(KEYS))
    compare("phases, in order", psql(
        "SELECT string_agg(phase, ' ' ORDER BY first) FROM (SELECT phase, min(at) AS first FROM seen GROUP BY phase) AS p"),
            "collecting sorting solving")
    compare("what it says is possible", psql(f"""
        SELECT bool_and(aggregate = 'ribbon_build' AND usename = 'builder' AND datname = current_database()
                        AND keys_read BETWEEN 65536 AND {KEYS}
                        AND (phase = 'collecting') = (percent IS NULL) AND coalesce(percent, 0) BETWEEN 0 AND 100
                        AND (phase = 'solving') = (layer IS NOT NULL) AND coalesce(layer, 1) BETWEEN 1 AND 10
                        AND (phase = 'solving') = (keys_solved IS NOT NULL) AND coalesce(keys_solved, 0) BETWEEN 0 AND keys_read)
          FROM seen"""), "t")
    compare("it goes on, and never back", psql("""
        SELECT bool_and(keys_read >= before_read AND (phase <> before_phase OR layer IS DISTINCT FROM before_layer OR percent >= before_percent
                        OR percent IS NULL)), count(DISTINCT keys_read) > 5, count(DISTINCT percent) > 5
          FROM (SELECT *, lag(keys_read, 1, 0::bigint) OVER w AS before_read, lag(percent) OVER w AS before_percent,
                       lag(phase, 1, phase) OVER w AS before_phase, lag(layer) OVER w AS before_layer
                  FROM seen WHERE role = 'postgres' WINDOW w AS (ORDER BY at)) AS s"""), "t|t|t")
    compare("all keys have come when it solves", psql(
        "SELECT min(keys_read), max(keys_read) FROM seen WHERE phase = 'solving'"), f"{KEYS}|{KEYS}")
    check("its temporary file is counted", int(psql("SELECT max(temp_bytes) FROM seen")) >= 8 * KEYS,
          psql("SELECT max(temp_bytes) FROM seen"))
    compare("who sees it: its role, members of that, superusers, pg_read_all_stats", psql(
        "SELECT string_agg(DISTINCT role, ' ' ORDER BY role) FROM seen"), "builder member postgres reader")
    check("log_temp_files tells of it", "temporary file: path" in errors, errors)
    compare("no view of the server's own commands shows it", psql("SELECT sum(n), count(DISTINCT command) > 5 FROM others"), "0|t")
    waits()


def waits():
    version = int(psql("SHOW server_version_num"))
    expected = "Extension RibbonBuild" if version >= 170000 else "IO BufFile"
    seen = psql("SELECT string_agg(DISTINCT type || ' ' || event, ', ') FROM waits")
    check("what it waited for has a name", expected in seen, seen)


def counted():
    """A session counts its files when it ends, which is after its client has."""
    count = "SELECT temp_files, temp_bytes FROM pg_stat_database WHERE datname = current_database()"
    before = psql(count)
    out = start("builder").communicate(f"SET work_mem = '4MB'; {BUILD}")[0]
    psql_script.wait_until(f"files in pg_stat_database: {out}", lambda: psql(count) != before)
    files, size = (int(b) - int(a) for a, b in zip(before.split("|"), psql(count).split("|")))
    check("pg_stat_database counts its files and their bytes", files >= 1 and size >= 8 * KEYS, f"{files} files, {size} bytes; {out}")


def parallel():
    """Workers show themselves, too."""
    psql("CREATE TABLE keys AS SELECT i FROM generate_series(1, 4000000) AS i; GRANT SELECT ON keys TO builder")
    out, _ = watched("SELECT ribbon_cardinality(ribbon_build(i)) FROM keys;",
                     settings="SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;"
                     "SET min_parallel_table_scan_size = 0; SET work_mem = '4MB';")
    compare("a parallel build", out, "4000000")
    compare("a leader that has all keys solves", psql(
        "SELECT max(keys_read) FROM seen WHERE phase = 'solving'"), "4000000")


def maps():
    watched("SELECT ribbon_cardinality(ribbon_map(i, i % 4)) FROM generate_series(1, 500000) AS i;")
    compare("maps are shown as such", psql("SELECT DISTINCT aggregate FROM seen"), "ribbon_map")


def sets():
    """Sets of keys are shown with their own number of keys, of several groups, too."""
    watched(f"SELECT ribbon_cardinality(ribbon_keys(i)) FROM generate_series(1, {KEYS}) AS i;")
    compare("all keys have come when a set of keys is sorted", psql(
        "SELECT aggregate, min(keys_read), max(keys_read) FROM seen WHERE phase = 'sorting' GROUP BY aggregate"),
            f"ribbon_keys|{KEYS}|{KEYS}")
    watched(f"SET enable_sort = off; SELECT ribbon_cardinality(ribbon_keys(i)) FROM generate_series(1, {3 * KEYS}) AS i GROUP BY i % 3 = 0;")
    compare("hashed groups are sorted one after the other", psql(
        "SELECT string_agg(DISTINCT keys_read::text, ' ' ORDER BY keys_read::text) FROM seen WHERE phase = 'sorting'"),
            f"{KEYS} {2 * KEYS}")


def partial():
    """A state that has been sent is not built any more."""
    out, errors = watched("""
        CREATE TEMP TABLE parted (i int) PARTITION BY LIST ((i = 0));
        CREATE TEMP TABLE many PARTITION OF parted FOR VALUES IN (false);
        CREATE TEMP TABLE one PARTITION OF parted FOR VALUES IN (true);
        INSERT INTO parted SELECT generate_series(0, 300000);
        ANALYZE parted;
        SET enable_partitionwise_aggregate = on;
        CREATE FUNCTION pg_temp.looked(i int) RETURNS int LANGUAGE plpgsql AS $$
        BEGIN
            IF i IN (0, 300000) THEN
                PERFORM pg_stat_clear_snapshot();
                RAISE WARNING '% shown at %', (SELECT count(*) FROM ribbon_progress WHERE pid = pg_backend_pid()), i;
            END IF;
            RETURN i;
        END $$;
        SELECT ribbon_cardinality(ribbon_build(pg_temp.looked(i))) FROM parted;""")
    compare("a state that is sent is shown until then", (out, [line for line in errors.split("\n") if " shown " in line]),
            ("300001", ["WARNING:  1 shown at 300000", "WARNING:  0 shown at 0"]))


def left():
    """What is there of it afterwards, in a session that goes on."""
    endings = {
        "done": BUILD,
        "an error": f"SELECT ribbon_build(i / (1900000 - i)) FROM generate_series(1, {KEYS}) AS i;",
        "an error in a subtransaction": "BEGIN; DO $$ BEGIN PERFORM ribbon_build(i / (1900000 - i))"
                                        f" FROM generate_series(1, {KEYS}) AS i; EXCEPTION WHEN OTHERS THEN END $$;",
        "a timeout": "SET statement_timeout = '2s'; SELECT ribbon_build(i) FROM (SELECT generate_series(1, 2000000000) AS i) AS s;"
                     " RESET statement_timeout;",
    }
    for ending, script in endings.items():
        out, _ = watched(script + "SELECT pg_stat_clear_snapshot(); SELECT 'rows: ' || count(*) FROM ribbon_progress;")
        check(f"{ending}: nothing is left", out.endswith("rows: 0") and psql("SELECT count(*) > 0 FROM seen") == "t", out)


def within():
    """Within a command that shows its own progress, that is left alone."""
    watched(f"COPY (SELECT ribbon_build(i) FROM generate_series(1, {KEYS}) AS i) TO STDOUT;")
    compare("COPY shows its own progress", psql("SELECT max(n) FROM others WHERE command = 'pg_stat_progress_copy'"), "1")
    compare("and not the build within", psql("SELECT count(*) FROM seen"), "0")
    psql("ALTER ROLE builder SET track_activities = off")
    watched(BUILD)
    compare("without track_activities, nothing is shown", psql("SELECT count(*) FROM seen"), "0")
    psql("ALTER ROLE builder RESET track_activities")
    watched("SELECT count(ribbon_cardinality(f)) FROM (SELECT ribbon_build(i) AS f FROM generate_series(1, 300000) AS i GROUP BY i % 30) AS s;")
    compare("small sets are not shown", psql("SELECT count(*) FROM seen"), "0")


def kept():
    """Filters and maps that a query keeps, by their names in memory."""
    psql("""CREATE TABLE stored AS SELECT ribbon_build(i) AS f, ribbon_map(i, i % 16) AS m FROM generate_series(1, 200000) AS i""")
    found = psql("""BEGIN;
        SELECT count(*) FROM stored, generate_series(1, 20000) AS i WHERE f @> i AND m -> i IS NOT NULL;
        SELECT string_agg(format('%s, %s, %s', name, regexp_replace(ident, '\\d+', 'N', 'g'), total_bytes > 100000), '; ' ORDER BY ident)
          FROM pg_backend_memory_contexts WHERE name = 'ribbon filter';
        SELECT reltoastrelid = (SELECT substring(ident from '\\d+$')::oid FROM pg_backend_memory_contexts WHERE name = 'ribbon filter' LIMIT 1)
          FROM pg_class WHERE relname = 'stored';""").split("\n")
    compare("memory of what a query keeps has a name", found,
            ["20000", "ribbon filter, ribbonfilter N of TOAST table N, t; ribbon filter, ribbonmap N of TOAST table N, t", "t"])


def main():
    psql_script.psql(f"CREATE DATABASE {DATABASE}", "postgres")
    psql(SETUP)
    phases()
    counted()
    parallel()
    maps()
    sets()
    partial()
    left()
    within()
    kept()


if __name__ == "__main__":
    main()
    finish()
