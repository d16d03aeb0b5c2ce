#!/usr/bin/python3
"""test_spill.py - building beyond work_mem: cancelled, failing, parallel, hostile

A set that does not fit in work_mem is built through temporary files, and large
states of parallel workers reach the leader that way.  Whatever becomes of the
query, no file may stay behind, and the server may not complain of a leak.
Then sets whose hashes were chosen to cluster in a few places, which no SQL of
reasonable length finds: for int8 keys the hash can be inverted.

usage: test/run.sh python/test_spill

The server is found through PGHOST and its kin; the extension must be installed.
"""

import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

from inverse_hash import M64, int8_keys
from psql_script import wait_until
from reports import finish, report
from server_modules import compiled

DATABASE = "ribbon_spill"
KEYS = 1200000
SERIAL = "SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 0;"
PARALLEL = """SET work_mem = '64kB'; SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;"""
FILES = "SELECT 'files', count(*) FROM pg_ls_dir('base/pgsql_tmp', true, false);"


def psql(script, database=DATABASE):
    """Rows, and whatever else was said, of a script that goes on after errors."""
    done = subprocess.run(["psql", "-XAtq", "-F", " ", "-d", database],
                          input=script, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8")
    return done.stdout.split("\n")[:-1], done.stderr


def check(name, script, rows=None, error=None, settings=SERIAL):
    """
    The rows of a script that counts files now and then: there are none.  error
    is what it must say, or None if it may not say anything.
    """
    got, said = psql(settings + script)
    left = [row for row in got if row.startswith("files ") and row != "files 0"]
    got = [row for row in got if not row.startswith("files ")]
    if left:
        return report(name, f"{left} left behind")
    if "WARNING" in said:
        return report(name, said)
    if error is None and said or error is not None and error not in said:
        return report(name, f"said {said!r} instead of {error!r}")
    if rows is not None and got != rows:
        return report(name, f"{got} instead of {rows}")
    report(name)


# --- ended early ---

BUILDS = {
    "serial": (SERIAL, "SELECT ribbon_build(k) IS NULL FROM keys;"),
    "parallel": (PARALLEL, "SELECT ribbon_build(k) IS NULL FROM keys;"),
    "hashed groups": (SERIAL + "SET enable_sort = off;",
                      "SELECT count(f) FROM (SELECT g, ribbon_build(k) AS f FROM keys GROUP BY g OFFSET 0) AS s;"),
    "parallel groups": (PARALLEL,
                        "SELECT count(f) FROM (SELECT h, ribbon_build(k) AS f FROM keys GROUP BY h OFFSET 0) AS s;"),
    "window": (SERIAL, "SELECT count(f) FROM (SELECT ribbon_build(k) OVER () AS f FROM keys OFFSET 0) AS s;"),
}


def milliseconds(settings, query):
    """The least of three runs after a first one: a machine that is busy for a moment must not count."""
    run = f"""SELECT clock_timestamp() AS began \\gset
        {query}
        SELECT 'took ' || ceil(1000 * extract(epoch FROM clock_timestamp() - :'began'));
        """
    rows, said = psql(f"{settings} {query} {run * 3}")
    assert not said, said
    return min(int(row.removeprefix("took ")) for row in rows if row.startswith("took "))


def test_timeouts():
    """statement_timeout at many moments of a build, in one session."""
    for name, (settings, query) in BUILDS.items():
        longest = milliseconds(settings, query)
        moments = sorted({1 + i * longest // 25 for i in range(25)})
        script = "".join(f"SET statement_timeout = {moment}; {query} "
                         f"SET statement_timeout = 0; {FILES}\n" for moment in moments)
        rows, said = psql(settings + script)
        left = [row for row in rows if row.startswith("files ") and row != "files 0"]
        cancelled = said.count("canceling statement due to statement timeout")
        if left or "WARNING" in said:
            report(f"{name}: cancelled at many moments", f"{left} {said}")
        elif cancelled != said.count("ERROR") or cancelled < 10:
            report(f"{name}: cancelled at many moments",
                   f"{cancelled} cancelled of {len(moments)}: {said}")
        else:
            report(f"{name}: nothing stays behind, cancelled at many moments")


def test_terminated():
    """The leader is terminated at some moments of parallel builds, while files are there."""
    settings, query = BUILDS["parallel"]
    longest = milliseconds(settings, query)
    terminate = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'
        AND backend_type = 'client backend' AND EXISTS (SELECT FROM pg_ls_dir('base/pgsql_tmp', true, false))"""
    for share in (0.2, 0.5, 0.7, 0.9):
        client = subprocess.Popen(["psql", "-XAtq", "-d", DATABASE],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8")
        client.stdin.write(f"SET application_name = 'victim'; {settings} SELECT 1;\n")
        client.stdin.flush()
        client.stdout.readline()
        client.stdin.write(query * 30 + "\n")
        client.stdin.flush()
        time.sleep(share * longest / 1000)
        wait_until("files of a build", lambda: psql(terminate)[0] == ["t"])
        said = client.communicate()[1]
        wait_until("the end of a build",
                   lambda: psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'victim'")[0] == ["0"])
        name = f"leader terminated at {share} of a parallel build"
        if "terminating connection" in said:
            check(name, FILES)
        else:
            report(name, said or "all builds came to their end")


def test_errors():
    for name, settings in (("serial", SERIAL), ("parallel", PARALLEL)):
        check(f"{name}: an error in a key expression",
              f"SELECT ribbon_build(1 / (i - {KEYS - 5}) + k) FROM keys; {FILES}",
              [], "division by zero", settings)
        check(f"{name}: an error above the aggregate",
              f"SELECT 1 / (ribbon_cardinality(ribbon_build(k)) - {KEYS}) FROM keys; {FILES}",
              [], "division by zero", settings)
        # (version 18 puts the setting's name in quotes)
        check(f"{name}: temp_file_limit",
              f"SET temp_file_limit = '1MB'; SELECT ribbon_build(k) FROM keys; {FILES}",
              [], "ERROR:  temporary file size exceeds", settings)
        # within the transaction that goes on after the error
        check(f"{name}: an error caught by a function", f"""
            BEGIN;
            DO $$BEGIN PERFORM ribbon_build(1 / (i - {KEYS - 5}) + k) FROM keys;
               EXCEPTION WHEN division_by_zero THEN NULL; END$$;
            {FILES}
            SELECT ribbon_cardinality(ribbon_build(k)) FROM keys;
            COMMIT; {FILES}""", [str(KEYS)], None, settings)

    # a named file that is created, and stays empty: partial states within one process
    parts = """SET enable_partitionwise_aggregate = on; SET client_min_messages = warning;
        CREATE TEMP TABLE parts (k int8, h int, p int) PARTITION BY LIST (p);
        CREATE TEMP TABLE parts0 PARTITION OF parts FOR VALUES IN (0);
        CREATE TEMP TABLE parts1 PARTITION OF parts FOR VALUES IN (1);
        INSERT INTO parts SELECT k, h, i % 2 FROM keys WHERE i <= 200000;
        ANALYZE parts; SET temp_file_limit = 0;"""
    build = "SELECT ribbon_build(k) FROM parts GROUP BY h"
    check("no file can be written", f"{parts} {build}; {FILES}", [], "ERROR:  temporary file size exceeds")
    check("no file can be written, caught by a function", f"""
        {parts} BEGIN;
        DO $$BEGIN EXECUTE '{build}';
           EXCEPTION WHEN configuration_limit_exceeded THEN SET parts.caught = 'yes'; END$$;
        {FILES} SHOW parts.caught; COMMIT; {FILES}""", ["yes"])

    # a cursor that fails after a savepoint: its memory outlives its files
    check("an error in a cursor's rows", f"""
        BEGIN;
        DECLARE c CURSOR FOR SELECT h, 1 / (h - 2), ribbon_cardinality(ribbon_build(k))
                               FROM keys GROUP BY h ORDER BY h;
        FETCH 2 FROM c;
        SAVEPOINT s;
        FETCH 2 FROM c;
        ROLLBACK TO s;
        SELECT ribbon_cardinality(ribbon_build(k)) FROM keys WHERE h < 2;
        CLOSE c; {FILES}
        COMMIT; {FILES}""",
          [f"0 0 {KEYS // 4}", f"1 -1 {KEYS // 4}", str(KEYS // 2)], "division by zero",
          SERIAL + "SET enable_hashagg = off;")


def test_unfinished():
    """Groups that no query reads."""
    for name, settings, strategy in (("serial, sorted", SERIAL, "enable_hashagg"),
                                     ("serial, hashed", SERIAL, "enable_sort"),
                                     ("parallel, sorted", PARALLEL, "enable_hashagg"),
                                     ("parallel, hashed", PARALLEL, "enable_sort")):
        check(f"LIMIT, {name}", f"""
            BEGIN; SET LOCAL {strategy} = off;
            SELECT ribbon_cardinality(ribbon_build(k)) FROM keys GROUP BY h LIMIT 1;
            COMMIT; {FILES}""", [str(KEYS // 4)], None, settings)
        check(f"a cursor closed early, {name}", f"""
            BEGIN; SET LOCAL {strategy} = off;
            DECLARE c CURSOR FOR SELECT ribbon_cardinality(ribbon_build(k)) FROM keys GROUP BY h;
            FETCH 1 FROM c; CLOSE c; {FILES}
            COMMIT; {FILES}""", [str(KEYS // 4)], None, settings)
    check("files are gone before the transaction ends", f"""
        BEGIN;
        SELECT ribbon_cardinality(ribbon_build(k)) FROM keys;
        SELECT 'files', count(*) FROM pg_ls_dir('base/pgsql_tmp') AS d, pg_ls_dir('base/pgsql_tmp/' || d);
        COMMIT; {FILES}""", [str(KEYS)], None, PARALLEL)


class Wire:
    """A connection whose portals can be read row by row, as JDBC does."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{os.environ['PGHOST']}/.s.PGSQL.{os.environ['PGPORT']}")
        self.reader = self.socket.makefile("rb")
        user = os.environ["PGUSER"]
        start = f"user\0{user}\0database\0{DATABASE}\0\0".encode()
        self.socket.sendall(struct.pack("!II", len(start) + 8, 3 << 16) + start)
        self.answer()

    def answer(self):
        """The first columns of all rows, and what errors say, until it is our turn."""
        rows = []
        while True:
            kind, length = struct.unpack("!cI", self.reader.read(5))
            body = self.reader.read(length - 4)
            if kind == b"D":
                size = struct.unpack("!I", body[2:6])[0]
                rows.append(body[6:6 + size].decode())
            elif kind == b"E":
                rows.append(body.decode().split("\0M")[1].split("\0")[0])
            elif kind == b"Z":
                return rows

    def send(self, *messages):
        for kind, body in messages:
            self.socket.sendall(kind + struct.pack("!I", len(body) + 4) + body)
        return self.answer()

    def query(self, sql):
        return self.send((b"Q", sql.encode() + b"\0"))

    def open(self, sql):
        self.send((b"P", b"\0" + sql.encode() + b"\0\0\0"),
                  (b"B", b"portal\0\0" + bytes(6)), (b"S", b""))

    def fetch(self, n):
        return self.send((b"E", b"portal\0" + struct.pack("!I", n)), (b"S", b""))


def test_suspended():
    """A portal with partial states outlives a savepoint, and so do its files."""
    name = "files of a portal that was suspended before a savepoint"
    files = "SELECT count(*) FROM pg_ls_dir('base/pgsql_tmp', true, false) AS d WHERE d LIKE '%.fileset'"
    wire = Wire()
    wire.query(PARALLEL + "BEGIN")
    wire.open("SELECT ribbon_cardinality(ribbon_build(k)) FROM keys GROUP BY h ORDER BY h")
    got = [wire.fetch(1), wire.query(files), wire.query("SAVEPOINT s; SELECT 1 / 0"),
           wire.query("ROLLBACK TO s"), wire.query(files), wire.fetch(0),
           wire.query("COMMIT"), wire.query(files)]
    group = str(KEYS // 4)
    wanted = [[group], ["1"], ["division by zero"], [], ["1"], 3 * [group], [], ["0"]]
    report(name, None if got == wanted else f"{got} instead of {wanted}")


def test_names():
    """A process may get the pid of another, but not the names of its files, too."""
    numbers = set()
    for _ in range(2):
        wire = Wire()
        wire.query(PARALLEL + "BEGIN")
        wire.open("SELECT ribbon_cardinality(ribbon_build(k)) FROM keys GROUP BY h ORDER BY h")
        wire.fetch(1)
        numbers.update(wire.query("SELECT split_part(f, '.', 2) FROM pg_ls_dir('base/pgsql_tmp') AS d, "
                                  "pg_ls_dir('base/pgsql_tmp/' || d) AS f WHERE d LIKE '%.fileset'"))
        wire.query("ROLLBACK")
    report("processes number files differently", None if len(numbers) == 2 else str(numbers))


def test_end_of_transaction():
    """
    The leader removes files that it has not been told of.  It does not look for
    them after a transaction that has written no temporary file, and it cannot
    fail, also where the server cannot open one more directory.
    """
    build = "SELECT ribbon_cardinality(ribbon_build(k)) FROM keys;"
    leave = """DO $$BEGIN EXECUTE format('COPY (SELECT) TO PROGRAM %L', format(
        'cat >/dev/null; mkdir -p %1$s && touch %1$s/1.0', format('base/pgsql_tmp/pgsql_tmp%s.2147483648.fileset', pg_backend_pid())));
        END$$;"""
    hold = "SELECT pg_current_xact_id() \\g /dev/null\nSELECT hold_directories() \\g /dev/null\n"
    left = "SELECT count(*) FROM pg_ls_dir('base/pgsql_tmp', true, false);"

    with compiled("hold_directories") as directory:
        psql(f"CREATE FUNCTION hold_directories() RETURNS void LANGUAGE c AS '{directory}/hold_directories'")
        check("only transactions that wrote temporary files look for what is left of such",
              f"{build} {leave} SELECT 1; BEGIN; SELECT 2; COMMIT; {left} {build} {FILES}",
              [str(KEYS), "1", "2", "1", str(KEYS)], None, PARALLEL)
        check("and of these, only where the session has had workers",
              f"{leave} SET max_parallel_workers_per_gather = 0; {build} {left} SET max_parallel_workers_per_gather = 2; {build} {FILES}",
              [str(KEYS), "1", str(KEYS)], None, PARALLEL)
        check("and those that failed, after workers",
              f"{build} {leave} {left} BEGIN; SELECT 1; ROLLBACK; {FILES}", [str(KEYS), "1", "1"], None, PARALLEL)
        check("at first without workers: nothing to look for",
              f"{leave} BEGIN; SELECT 1; ROLLBACK; {left} {build} {FILES}", ["1", "1", str(KEYS)], None, PARALLEL)
        # the server itself warns that these directories were not closed
        for end in ("COMMIT", "ROLLBACK"):
            rows, said = psql(f"{PARALLEL} BEGIN; {build} {leave} {hold} {end}; SELECT 'still here'; {left}")
            lines = [line for line in said.split("\n")[:-1] if "not closed at end-of-transaction" not in line]
            name = f"{end} while no directory can be opened"
            report(name, None if rows == [str(KEYS), "still here", "0"] and not lines else f"{rows} {said}")
        psql("DROP FUNCTION hold_directories")


def test_shared_files():
    """That the parallel builds above did what they are meant to do."""
    rows, _ = psql(PARALLEL + "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) "
                   "SELECT ribbon_build(k) FROM keys;")
    text = "\n".join(rows)
    partial = text[text.find("Partial Aggregate"):]
    if "Workers Launched: 2" not in text:
        report("workers write files that EXPLAIN shows", text)
    elif "temp read" not in text or "written=" not in partial:
        report("workers write files that EXPLAIN shows", text)
    else:
        report("workers write files that EXPLAIN shows")


# --- hashes chosen by an attacker ---

def hash_sets():
    """Sets of more than the million hashes that are sorted in memory at a time."""
    rng = random.Random(20211109)
    print("# seed 20211109")
    n = 1300000
    high = 0x5A5A5A5A5A << 24
    yield "40 equal bits on top", [high | i * 11 for i in range(n)]
    yield "all in one of 256 parts", [0x77 << 56 | rng.getrandbits(56) for _ in range(n)]
    yield "the lowest and the highest hashes", [i if i % 2 else M64 - i for i in range(n)]


def test_hostile_hashes():
    for name, hashes in hash_sets():
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.writelines(f"{key}\n" for key in int8_keys(hashes))
            file.flush()
            psql(f"DROP TABLE IF EXISTS chosen; CREATE UNLOGGED TABLE chosen (k int8);\n"
                 f"\\copy chosen FROM '{file.name}'")
        as_expected = f"SELECT bool_and(ribbon_hash(k) = {hashes[0] - (hashes[0] >> 63 << 64)}) FROM (SELECT k FROM chosen LIMIT 1) AS s;"
        same = """SELECT ribbon_cardinality(f), f = (SELECT f FROM built), (SELECT count(*) FROM chosen WHERE NOT f @> k)
                    FROM (SELECT ribbon_build(k) AS f FROM chosen OFFSET 0) AS s;"""
        expected = f"{len(hashes)} t 0"
        check(f"hashes: {name}", f"""
            {as_expected}
            SET work_mem = '1GB';
            DROP TABLE IF EXISTS built; CREATE TABLE built AS SELECT ribbon_build(k) AS f FROM chosen;
            {SERIAL} {same} {PARALLEL} {same} {FILES}""",
              ["t", expected, expected], None,
              "SET client_min_messages = warning; SET statement_timeout = '60s';")


def main():
    psql(f"DROP DATABASE IF EXISTS {DATABASE}", "postgres")
    psql(f"CREATE DATABASE {DATABASE}", "postgres")
    rows, said = psql(f"""
        CREATE EXTENSION ribbon;
        CREATE TABLE keys AS SELECT i, i::int8 * 7919 AS k, i % 4 AS h, i % 20 AS g
          FROM generate_series(1, {KEYS}) AS i;
        ALTER TABLE keys SET (parallel_workers = 2);
        VACUUM ANALYZE keys;""")
    if said:
        sys.exit(said)
    test_shared_files()
    test_errors()
    test_unfinished()
    test_suspended()
    test_names()
    test_end_of_transaction()
    test_timeouts()
    test_terminated()
    test_hostile_hashes()
    psql(f"DROP DATABASE {DATABASE}", "postgres")


if __name__ == "__main__":
    main()
    finish()
