#!/usr/bin/python3
"""test_fdw.py - does postgres_fdw let the remote server probe?

With the extension named in the server's option, it sends the condition and the
filter, and fetches the rows that pass: docs/recipes.md.  The remote server is
the local one.

usage: test/run.sh python/test_fdw
"""

import os
import sys

sys.dont_write_bytecode = True
import psql_script
from reports import check, finish

DATABASE = "ribbon_fdw"
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
    plan = psql("ALTER SERVER remote OPTIONS (DROP extensions);"
                "EXPLAIN (VERBOSE, COSTS OFF) SELECT count(*) FROM events WHERE (SELECT members FROM audience) @> user_id")
    check("without the option the rows come here", "WHERE" not in plan and "Filter" in plan, plan)
finish()
