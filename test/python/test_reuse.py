#!/usr/bin/python3
"""test_reuse.py - a stored value's id that goes to another value

What has been read of a stored filter is kept under its TOAST pointer (storedcache.c).
When the value has been deleted and vacuumed away, another one may get the same
pointer, some four billion values later.  Here that comes at once, because a
function (modules/next_id.c) sets the counter of such ids.  The filters are
homogeneous ones of the same number of keys, so that they have the same size.

A VACUUM tells all sessions that the table has changed, and a statement that is
parsed listens.  One that was prepared does not, so it is left to what a new
snapshot shows: the value has another author.  A transaction in the middle of
PREPARE is in snapshots twice, which once mattered.  For that a server with other
settings is needed: it is started at the end, and does everything once more.

usage: test/run.sh python/test_reuse

The server is found through PGHOST and its kin; PG_CONFIG names its pg_config.
"""

import os
import subprocess
import sys
import tempfile

import psql_script
from psql_script import Session
from reports import compare, finish
from server_modules import compile_into

DATABASE = "ribbon_reuse"
# the members found of the set that is stored now, which are all of them
FOUND = "SELECT count(*) FROM stored, generate_series(first, first + 4999) AS i WHERE f @> i;\n"
# the same where no snapshot says which value it is
FOUND_UNDER_ANY = FOUND.replace("f @> i", "contains_under_any('ribbon_contains(ribbonfilter,anycompatible)'::regprocedure, f, i)")
ID = "(SELECT min(chunk_id) FROM :toast)"
SETTINGS = """
max_prepared_transactions = 8
wal_level = replica
max_wal_senders = 1
synchronous_standby_names = 'nobody'
synchronous_commit = local
"""
status = 0
first = 100001  # of the set that was stored last


def psql(script, database=DATABASE):
    return psql_script.psql(script, database).split()


def store(first):
    return (f"INSERT INTO stored SELECT {first}, ribbon_build(i, 0.01, 'kind=homogeneous')"
            f" FROM generate_series({first}, {first + 4999}) AS i;\n")


def open_in_other_database():
    """A session with a transaction that is seen to run everywhere."""
    session = Session("postgres")
    session.ask("SET synchronous_commit = on; BEGIN; SELECT pg_current_xact_id();")
    return session


def prepare_twice_seen(sessions):
    """Have transactions wait in the middle of PREPARE, which no standby confirms."""
    for i, session in enumerate(sessions):
        session.say(f"PREPARE TRANSACTION 'reuse{i}';")
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    psql_script.wait_until("transactions in the middle of PREPARE", lambda: psql(waiting) == [str(len(sessions))])


def use_again_between_executions(name, sessions, meanwhile, again="found"):
    """
    Two executions of a prepared statement, which see no invalidation; the second
    may be of another statement, which has been executed before, too.
    """
    global first
    psql("SELECT pg_current_xact_id()")     # so that snapshots reach up to here
    reader = Session(DATABASE)
    reader.ask("SET plan_cache_mode = force_generic_plan; PREPARE found AS " + FOUND
               + "PREPARE found_under_any AS " + FOUND_UNDER_ANY + "BEGIN;")
    reader.ask(f"EXECUTE {again};")
    got = [reader.ask("EXECUTE found;")]
    first += 100000
    got += psql(TOAST + f"SELECT {ID} AS id \\gset\nDELETE FROM stored; VACUUM (TRUNCATE off) stored;"
                f"SELECT set_next_id(:id) \\g /dev/null\n{store(first)}SELECT :id = {ID};\n")
    meanwhile(sessions)
    got.append(reader.ask(f"EXECUTE {again};"))
    reader.close()
    compare(name, got, ["5000", "t", "5000"])


def use_again_below_xmax():
    """
    The same by transactions that were running when the first execution's
    snapshot was taken: the second's has the same xmax, and fewer of them.
    """
    global first
    deleter, writer = Session(DATABASE), Session(DATABASE)
    for session in (deleter, writer):
        session.ask("BEGIN; SELECT pg_current_xact_id();")
    psql("SELECT pg_current_xact_id()")     # so that snapshots reach up to here
    reader = Session(DATABASE)
    reader.ask("SET plan_cache_mode = force_generic_plan; PREPARE found AS " + FOUND
               + "PREPARE xmax AS SELECT pg_snapshot_xmax(pg_current_snapshot()); BEGIN;")
    xmax = reader.ask("EXECUTE xmax;")
    got = [reader.ask("EXECUTE found;")]
    first += 100000
    id = psql(TOAST + f"SELECT {ID};")[0]
    deleter.ask("DELETE FROM stored; COMMIT;")
    psql("VACUUM (TRUNCATE off) stored")
    writer.ask(f"SELECT set_next_id({id}) \\g /dev/null\n{store(first)}COMMIT;")
    got.append(reader.ask("EXECUTE found;"))
    got += ["same xmax" if xmax == reader.ask("EXECUTE xmax;") else "other xmax"]
    got.append("same id" if psql(TOAST + f"SELECT {ID};") == [id] else "other id")
    for session in (deleter, writer, reader):
        session.close()
    compare("the same by transactions below both statements' xmax", got, ["5000", "5000", "same xmax", "same id"])


def elsewhere(script):
    """A script for another session, as a command of psql."""
    with tempfile.NamedTemporaryFile("w", dir=directory, suffix=".sql", delete=False) as file:
        file.write(TOAST + script)
    return f"\\! psql -XAtq -v ON_ERROR_STOP=1 -d {DATABASE} -f {file.name}\n"


def held_between_statements():
    """A statement holds a snapshot; a transaction that has kept filters does not."""
    reader = Session(DATABASE)
    reader.ask("BEGIN;")
    pid = reader.ask("SELECT pg_backend_pid();")
    got = [reader.ask(FOUND)]
    got.append(psql(f"SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE pid = {pid}")[0])
    got.append(reader.ask("SELECT count(*) > 0 FROM pg_backend_memory_contexts WHERE name = 'ribbon filter';"))
    reader.ask("DECLARE c CURSOR FOR " + FOUND + "FETCH c;")
    got.append(psql(f"SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE pid = {pid}")[0])
    reader.ask("CLOSE c;")
    got.append(psql(f"SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE pid = {pid}")[0])
    # planning calls a stable function, where no portal is active
    got.append(reader.ask("SELECT count(*) FROM stored WHERE first = found();"))
    got.append(psql(f"SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE pid = {pid}")[0])
    reader.close()
    compare("a transaction that keeps a filter holds back no xmin between its statements", got,
            ["5000", "t", "t", "f", "t", "0", "t"])


def older_cursor():
    """A statement fetches from a cursor that is older than it: each sees the filter of its own time."""
    reader = Session(DATABASE)
    reader.ask("BEGIN; DECLARE c CURSOR FOR SELECT f @> i FROM stored, generate_series(first, first + 4999) AS i; FETCH c;")
    psql("UPDATE stored SET first = first + 5000, f = (SELECT ribbon_build(i, 0.01, 'kind=homogeneous')"
         " FROM generate_series(first + 5000, first + 9999) AS i)")
    got = reader.ask("SELECT count(*) FILTER (WHERE f @> i), sum(CASE WHEN i % 1000 = 0 THEN fetched(900) END)"
                     " FROM stored, generate_series(first, first + 4999) AS i;")
    reader.close()
    compare("a statement that fetches from an older cursor", got, "5000|4500")


TOAST = "SELECT reltoastrelid::regclass AS toast FROM pg_class WHERE relname = 'stored' \\gset\n"
directory = tempfile.mkdtemp(prefix="ribbon.")
psql(f"CREATE DATABASE {DATABASE}", "postgres")
try:
    compile_into(directory, "next_id", "any_snapshot")
    psql(f"""CREATE EXTENSION ribbon;
CREATE FUNCTION set_next_id(oid) RETURNS void LANGUAGE c AS '{directory}/next_id';
CREATE FUNCTION contains_under_any(regprocedure, ribbonfilter, int) RETURNS bool LANGUAGE c AS '{directory}/any_snapshot';
CREATE TABLE stored (first int, f ribbonfilter); {store(1)}
CREATE FUNCTION fetched(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    c refcursor := 'c';
    found boolean;
    total int := 0;
BEGIN
    FOR i IN 1 .. n LOOP
        FETCH c INTO found;
        total := total + found::int;
    END LOOP;
    RETURN total;
END $$;
CREATE FUNCTION found() RETURNS int STABLE LANGUAGE plpgsql AS $$BEGIN RETURN ({FOUND.strip().strip(";")}); END$$;""")

    # A transaction of another database holds back xmin, though not VACUUM.
    again = elsewhere(f"SELECT {ID} AS id \\gset\nDELETE FROM stored; VACUUM stored;"
                      f"SELECT set_next_id(:id) \\g /dev/null\n{store(100001)}SELECT :id = {ID};\n")
    holder = open_in_other_database()
    compare("deleted, vacuumed and used again between two statements",
          psql(f"BEGIN; {FOUND}{again}{FOUND}"), ["5000", "t", "5000"])
    use_again_between_executions("the same between two executions", [], lambda sessions: None)
    use_again_between_executions("the same under a snapshot that sees every row", [], lambda sessions: None,
                                 "found_under_any")
    holder.close()
    use_again_below_xmax()

    compare("truncated at once and used again within a transaction",
          psql(f"BEGIN; DROP TABLE stored; CREATE TABLE stored (first int, f ribbonfilter);\n{store(1)}{TOAST}"
               f"SELECT {ID} AS id \\gset\n{FOUND}TRUNCATE stored; SELECT set_next_id(:id) \\g /dev/null\n"
               f"{store(100001)}SELECT :id = {ID};\n{FOUND}COMMIT;"), ["5000", "t", "5000"])

    held_between_statements()
    older_cursor()

    may_prepare = psql("SHOW max_prepared_transactions") != ["0"]
    if may_prepare:
        sessions = [open_in_other_database() for i in range(8)]
        use_again_between_executions("the same while transactions are seen twice", sessions, prepare_twice_seen)
        psql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        for i, session in enumerate(sessions):
            session.close()
            psql(f"ROLLBACK PREPARED 'reuse{i}'", "postgres")
finally:
    psql(f"DROP DATABASE {DATABASE} WITH (FORCE)", "postgres")
    subprocess.call(["rm", "-rf", directory])
if not may_prepare:
    print("# with prepared transactions", flush=True)
    status = subprocess.call(["test/lib/cluster.sh", sys.executable, "test/python/test_reuse.py"],
                             env=dict(os.environ, CLUSTER_SETTINGS=SETTINGS))
finish(status)
