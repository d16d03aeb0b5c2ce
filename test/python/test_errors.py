#!/usr/bin/python3
"""test_errors.py - errors that go through the core leave nothing behind

An error or a cancel may be thrown out of the middle of a build, of ribbon_shrink
or ribbon_check: while hashes are sorted or solved for, by threads or not, or read
from and written to files.  Here that happens at many moments in one transaction,
which goes on from a savepoint; then in one statement, which catches errors.
Afterwards the session has as much memory, as many files and as many threads as
before, and builds the same filter.

usage: test/run.sh python/test_errors

The server is found through PGHOST and its kin; the extension must be installed.
"""

import os

import psql_script
from reports import check, finish

DATABASE = "ribbon_errors"
KEYS = 1200000
MEMORY = "SELECT sum(total_bytes) FROM pg_backend_memory_contexts;"
MB = 1 << 20
RESIDENT = 24 * MB      # memory of the process may vary by less
MOMENTS = 16

# Settings, and what is done under them.
THREADS = "SET ribbon.build_threads = 4; SET work_mem = '512MB';"
ONE = "SET ribbon.build_threads = 1; SET work_mem = '512MB';"
FILES = "SET ribbon.build_threads = 4; SET work_mem = '64kB';"
FILES_ONE = "SET ribbon.build_threads = 1; SET work_mem = '64kB';"
WORK = {
    "in memory": (ONE, "SELECT md5(ribbon_build(k)::bytea) FROM keys;"),
    "in memory, threads": (THREADS, "SELECT md5(ribbon_build(k)::bytea) FROM keys;"),
    "from files": (FILES_ONE, "SELECT md5(ribbon_build(k)::bytea) FROM keys;"),
    "from files, threads": (FILES, "SELECT md5(ribbon_build(k)::bytea) FROM keys;"),
    "homogeneous": (ONE, "SELECT md5(ribbon_build(k, 0.01, 'kind=homogeneous')::bytea) FROM keys;"),
    "homogeneous, from files": (FILES, "SELECT md5(ribbon_build(k, 0.01, 'kind=homogeneous')::bytea) FROM keys;"),
    "maps, in memory": (THREADS, "SELECT md5(ribbon_map(k, k % 100)::bytea) FROM keys;"),
    "maps, from files": (FILES, "SELECT md5(ribbon_map(k, k % 100)::bytea) FROM keys;"),
    "maps of texts, from files": (FILES_ONE, "SELECT md5(ribbon_map(k, k % 50000 || ' m')::bytea) FROM keys;"),
    "exact sets, in memory": (THREADS, "SELECT md5(ribbon_build_exact(k, k % 20 = 0)::bytea) FROM keys;"),
    "exact sets, from files": (FILES, "SELECT md5(ribbon_build_exact(k, k % 20 = 0)::bytea) FROM keys;"),
    "ribbon_shrink": (ONE, "SELECT md5(string_agg(ribbon_shrink(f, 0.25)::text, '')) FROM filters;"),
    "ribbon_check": (ONE, "SELECT count(ribbon_check(f)) FROM filters;"),
}


class Session(psql_script.Session):
    def __init__(self):
        super().__init__(DATABASE, "SET max_parallel_workers_per_gather = 0; SET jit = off; SET client_min_messages = warning;")
        self.pid = self.ask("SELECT pg_backend_pid();")

    def time(self, query):
        """What it prints, and how many milliseconds that took."""
        answer, took = self.ask(f"SELECT clock_timestamp() AS began \\gset\n{query}\n"
                                "SELECT 1000 * extract(epoch FROM clock_timestamp() - :'began');").rsplit("\n", 1)
        return answer, float(took)

    def holds(self):
        """Bytes in memory contexts; of the process; its temporary files and threads."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            resident = [1024 * int(line.split()[1]) for line in status if line.startswith("RssAnon")][0]
        files = [os.readlink(f"/proc/{self.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{self.pid}/fd")]
        return (int(self.ask(MEMORY)), resident, len([file for file in files if "pgsql_tmp" in file]),
                len(os.listdir(f"/proc/{self.pid}/task")))


def compare_holds(name, before, after):
    more = [b - a for a, b in zip(before, after)]
    check(f"{name}: no memory is held", more[0] < MB, f"{more[0]} bytes more in contexts")
    check(f"{name}: nor is any by threads", more[1] < RESIDENT, f"{more[1]} bytes more resident")
    check(f"{name}: no file is open, no thread is left", more[2:] == [0, 0], more)


def cancel(session, query, wanted, longest):
    """At many moments: how often it was, and what else came out.  A query that ends before its
    moment was measured while the machine was busier: later moments come earlier."""
    cancelled, strange = 0, []
    for i in range(MOMENTS):
        session.ask("SAVEPOINT s;")
        got = session.ask(f"SET LOCAL statement_timeout = {max(1, int(longest * (i + 0.5) / MOMENTS))};\n{query}")
        while session.ask("ROLLBACK TO s;"):    # which may take too long itself
            pass
        if got == "ERROR:  canceling statement due to statement timeout":
            cancelled += 1
        elif got == wanted:
            longest *= 0.8
        else:
            strange.append(got)
    return cancelled, strange


def test_cancels(name, settings, query):
    """Cancelled at many moments, in one transaction."""
    session = Session()
    session.ask(settings + "BEGIN;")
    wanted, longest = session.time(query)
    before = session.holds()
    cancelled, strange = cancel(session, query, wanted, longest)
    check(f"{name}: cancelled at {cancelled} moments", cancelled >= MOMENTS / 3 and not strange, strange)
    after = session.holds()
    if after[1] - before[1] >= RESIDENT:    # what malloc keeps for later it keeps once, what is lost comes again
        cancel(session, query, wanted, longest)
        before = (before[0], after[1]) + before[2:]
        after = session.holds()
    compare_holds(name, before, after)
    got = session.ask(query + "COMMIT;")
    check(f"{name}: and then done as before", got == wanted, got)
    session.close()


def test_full(name, settings, query, step=1):
    """Files that may not grow further, at many sizes; caught within one statement."""
    session = Session()
    session.ask(settings + "BEGIN; CREATE TEMP TABLE outcomes (what text, bytes int8);")
    wanted = session.ask(query)
    session.ask(query)
    before = session.holds()
    got = session.ask(f"""
        DO $do$
        BEGIN
            FOR mb IN 1..24 LOOP
                BEGIN
                    PERFORM set_config('temp_file_limit', mb * {step} || 'MB', true);
                    EXECUTE $q${query.rstrip(';')}$q$;
                    INSERT INTO outcomes VALUES ('built', NULL);
                EXCEPTION WHEN configuration_limit_exceeded THEN
                    INSERT INTO outcomes SELECT 'full', sum(total_bytes) FROM pg_backend_memory_contexts;
                END;
            END LOOP;
        END $do$;
        SET LOCAL temp_file_limit = -1;
        SELECT count(*) FILTER (WHERE what = 'full') > 3, count(*) FILTER (WHERE what = 'built') > 3,
               max(bytes) - min(bytes) < {MB} FROM outcomes;""")
    check(f"{name}: files full at many moments, caught in one statement", got == "t|t|t", got)
    compare_holds(f"{name}, files full", before, session.holds())
    got = session.ask(query + "COMMIT;")
    check(f"{name}, files full: and then built as before", got == wanted, got)
    session.close()


with psql_script.new_database(DATABASE):
    psql_script.psql(f"""
        CREATE EXTENSION ribbon;
        CREATE TABLE keys AS SELECT i::int8 * 7919 AS k FROM generate_series(1, {KEYS}) AS i;
        CREATE TABLE filters AS SELECT f
          FROM (SELECT unnest(ARRAY[ribbon_build(k, 0.0001), ribbon_build(k, 0.01, 'kind=homogeneous')]) AS f FROM keys) AS s,
               generate_series(1, 4);
        VACUUM ANALYZE;""", DATABASE)
    for name, (settings, query) in WORK.items():
        test_cancels(name, settings, query)
    for name in ("from files", "from files, threads", "homogeneous, from files", "maps, from files"):
        test_full(name, *WORK[name], step=2 if "maps" in name else 1)
finish()
