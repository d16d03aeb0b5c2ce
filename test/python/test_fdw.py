#!/usr/bin/python3
"""test_fdw.py - does postgres_fdw let the remote server probe?

With the extension named in the server's option, it sends the condition and the
filter, and fetches the rows that pass: docs/recipes.md.  The remote server is
the local one.

And does it let remote servers hash the keys of a filter that is built here, so
that only hashes travel: docs/scaling.md?  The two servers are databases here.

usage: test/run.sh python/test_fdw
"""

import os

import psql_script
from reports import check, compare, finish

DATABASE = "ribbon_fdw"
SECOND = "ribbon_fdw_second"
SETUP = f"""
SET client_min_messages = warning;
CREATE EXTENSION ribbon;
CREATE EXTENSION postgres_fdw;
CREATE TABLE remote_events AS SELECT i::bigint AS user_id FROM generate_series(1, 100000) i;
CREATE TABLE audience AS SELECT 'eu' AS name, ribbon_build(i::bigint) AS members FROM generate_series(1, 20000) i;
CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host '{os.environ["PGHOST"]}', port '{os.environ["PGPORT"]}', dbname '{DATABASE}', extensions 'ribbon');
CREATE USER MAPPING FOR CURRENT_USER SERVER remote OPTIONS (user '{os.environ["PGUSER"]}');
CREATE FOREIGN TABLE events (user_id bigint) SERVER remote OPTIONS (table_name 'remote_events');
ANALYZE;
"""


# Two servers with half of the rows each, and a table whose partitions these are.
PARTS = f"""
CREATE SERVER second FOREIGN DATA WRAPPER postgres_fdw
	OPTIONS (host '{os.environ["PGHOST"]}', port '{os.environ["PGPORT"]}', dbname '{SECOND}', extensions 'ribbon');
CREATE USER MAPPING FOR CURRENT_USER SERVER second OPTIONS (user '{os.environ["PGUSER"]}');
CREATE TABLE visits (part int, user_id bigint) PARTITION BY LIST (part);
CREATE FOREIGN TABLE visits_1 PARTITION OF visits FOR VALUES IN (1) SERVER remote OPTIONS (table_name 'part_1');
CREATE FOREIGN TABLE visits_2 PARTITION OF visits FOR VALUES IN (2) SERVER second OPTIONS (table_name 'part_2');
CREATE TABLE part_1 AS SELECT 1 AS part, i::bigint AS user_id FROM generate_series(1, 60000) i;
"""
# A damaged filter in a partition that is another server's.
DAMAGED = """
CREATE TABLE kept (part int, f ribbonfilter) PARTITION BY LIST (part);
CREATE FOREIGN TABLE kept_1 PARTITION OF kept FOR VALUES IN (1) SERVER remote OPTIONS (table_name 'far');
CREATE TABLE far AS SELECT 1 AS part, overlay(ribbon_build(i, 0.125, 'kind=homogeneous')::bytea
	PLACING decode(repeat('00', 300), 'hex') FROM 5000)::ribbonfilter AS f FROM generate_series(1, 30000) AS i;
"""
PART_2 = "CREATE TABLE part_2 AS SELECT 2 AS part, i::bigint AS user_id FROM generate_series(40001, 100000) i"
SAME = "(SELECT ribbon_build(i::bigint) FROM generate_series(1, 100000) i)"
TWO_STEPS = "(SELECT ribbon_keys(user_id) AS k FROM visits_1 UNION ALL SELECT ribbon_keys(user_id) FROM visits_2) AS parts"


def psql(script, database=DATABASE):
    return psql_script.psql(script, database)


if psql("SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'", "postgres") == "0":
    print("ok - postgres_fdw is not installed # SKIP")
    raise SystemExit

with psql_script.new_database(DATABASE):
    psql(SETUP)
    for name, query in [
            ("operator", "SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id"),
            ("commuted", "SELECT count(*) FROM events WHERE user_id <@ (SELECT members FROM audience)"),
            ("function", "SELECT count(*) FROM events WHERE ribbon_contains((SELECT members FROM audience), user_id)")]:
        plan = psql(f"EXPLAIN (VERBOSE, COSTS OFF) {query}")
        remote = [line for line in plan.split("\n") if "Remote SQL" in line]
        check(f"{name}: the condition goes to the remote server, with the filter as a parameter",
              len(remote) == 1 and "$1::" in remote[0] and "user_id" in remote[0].split("WHERE")[-1], plan)
        count = psql(query)
        check(f"{name}: the same answer", count == psql(query.replace("FROM events", "FROM remote_events"))
              and 20000 <= int(count) <= 21100, count)
    query = "SELECT count(*) FROM events, audience WHERE name = 'eu' AND members @> user_id"
    plan = psql(f"EXPLAIN (VERBOSE, COSTS OFF) {query}")
    remote = [line for line in plan.split("\n") if "Remote SQL" in line]
    check("as a join, the rows come here", len(remote) == 1 and "WHERE" not in remote[0], plan)
    check("as a join, the same answer", psql(query) == count, count)
    psql(DAMAGED)
    compare("ribbon_check_table reads foreign partitions", psql("SELECT relation, attribute, item FROM ribbon_check_table('kept')"),
            "kept_1|f|(0,1)")
    psql("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS ribbon; " + PARTS)
    with psql_script.new_database(SECOND):
        psql(f"CREATE EXTENSION ribbon; {PART_2}", SECOND)
        query = f"SELECT ribbon_build_keys(k) = {SAME} FROM {TWO_STEPS}"
        plan = psql(f"EXPLAIN (VERBOSE, COSTS OFF) {query}")
        remote = [line for line in plan.split("\n") if "Remote SQL" in line]
        check("two servers: each makes a set of its keys", len(remote) == 2 and all("ribbon_keys(user_id)" in line for line in remote), plan)
        compare("two servers: the filter of all keys", psql(query), "t")
        query = f"SELECT ribbon_build_keys(k) = {SAME} FROM (SELECT ribbon_keys(user_id) AS k FROM visits GROUP BY part) AS parts"
        plan = psql(f"SET enable_partitionwise_aggregate = on; EXPLAIN (VERBOSE, COSTS OFF) {query}")
        remote = [line for line in plan.split("\n") if "Remote SQL" in line]
        check("partitions: each server makes a set", len(remote) == 2 and all("ribbon_keys(user_id)" in line for line in remote), plan)
        compare("partitions: the same", psql(f"SET enable_partitionwise_aggregate = on; {query}"), "t")
        query = "SELECT ribbon_build(ribbon_key(user_id)) FROM visits"
        plan = psql(f"SET enable_partitionwise_aggregate = on; EXPLAIN (VERBOSE, COSTS OFF) {query}")
        remote = [line for line in plan.split("\n") if "Remote SQL" in line]
        check("in one step hashes or keys come, a row each", len(remote) == 2 and not any("ribbon_build" in line for line in remote), plan)
        compare("in one step, the same filter", psql(f"SELECT ribbon_build(ribbon_key(user_id)) = {SAME} FROM visits"), "t")
        per_key = float(psql("SELECT sum(length(k::text)) / 120000.0 FROM " + TWO_STEPS))
        check("at most nine bytes a key come", per_key <= 9, per_key)
    plan = psql("ALTER SERVER remote OPTIONS (DROP extensions);"
                "EXPLAIN (VERBOSE, COSTS OFF) SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id")
    check("without the option the rows come here", "WHERE" not in plan and "Filter" in plan, plan)
finish()
