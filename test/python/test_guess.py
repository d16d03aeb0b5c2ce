#!/usr/bin/python3
"""test_guess.py - stored values whose place is guessed while the table changes

Where a value lies is guessed from the one that the call site probed before
(guess.c).  What one session can show is in sql/guess.sql; here another one gets
in between:

* VACUUM cuts off the end of the TOAST table, and the next value ought to be
  there.
* A value lies elsewhere, and where it ought to be is one of the same id, deleted
  long ago, or never committed, that the index has forgotten.  An id comes again
  after some four billion values; here at once, by a function that sets the
  counter (modules/next_id.c).
* Values are replaced and vacuumed all the time.

usage: test/run.sh python/test_guess

The server is found through PGHOST and its kin; PG_CONFIG names its pg_config.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import psql_script
from reports import compare, finish

DATABASE = "ribbon_guess"
SECONDS = 5
STORE = "INSERT INTO stored SELECT id, ribbon_build(id * 100000 + k, 0.0001) FROM generate_series(1, {n}) AS k, {ids} AS id GROUP BY id ORDER BY id;\n"
TOAST = "SELECT reltoastrelid::regclass AS toast FROM pg_class WHERE relname = 'stored' \\gset\n"
FOUND = "SELECT count(*) FILTER (WHERE f @> (id * 100000 + 1)) FROM (SELECT * FROM stored ORDER BY {} OFFSET 0) AS s;\n"


def psql(script):
    return psql_script.psql(script, DATABASE).split()


def store(ids, n):
    """Values of n keys each, one behind another."""
    return STORE.format(ids=ids, n=n)


def cut_off():
    """A cursor that is at the last value left, when the rest is cut off."""
    psql("TRUNCATE stored;" + store("generate_series(0, 9)", 5000) + store("generate_series(10, 40)", 5000)
         + "DELETE FROM stored WHERE id >= 10")
    reader = subprocess.Popen(["psql", "-XAtq", "-d", DATABASE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8")
    # the values from 3 to 9, and then those before, and the last one again
    reader.stdin.write("BEGIN; DECLARE c CURSOR FOR SELECT f @> (id * 100000 + 1) FROM (SELECT * FROM stored,"
                       " generate_series(1, 2) AS i ORDER BY i, (id + 7) % 10 OFFSET 0) AS s; FETCH 7 FROM c;\n")
    reader.stdin.flush()
    got = [reader.stdout.readline().strip() for i in range(7)]
    size = TOAST + "SELECT pg_relation_size(:'toast');\n"
    before = int(psql(size)[0])
    psql("VACUUM stored")
    after = int(psql(size)[0])
    got += reader.communicate("FETCH 13 FROM c; COMMIT;\n")[0].split()
    compare("the end of the table is cut off", ["cut off" if after < before / 2 else "as long"] + got,
            ["cut off"] + 20 * ["t"])


def same_id(name, end):
    """
    Values 0 to 6, one on each page, then one that is deleted or never committed,
    then value 7, which has that one's id.  The index forgets entries that a scan
    has found to be dead, if that is known to be on disk; the page is not cleaned as
    long as a tenth of it is free.
    """
    psql("TRUNCATE stored;" + store("generate_series(0, 6)", 4000))
    got = psql(f"""{TOAST}
SET synchronous_commit = on;
BEGIN; {store("generate_series(90, 90)", 4000)}
SELECT chunk_id AS id, (ctid::text::point)[0] AS page FROM :toast ORDER BY ctid DESC LIMIT 1 \\gset
{end};
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT count(chunk_data) FROM :toast WHERE chunk_id = :id;
SELECT set_next_id(:id) \\g /dev/null
{store("generate_series(7, 7)", 4000)}
SELECT DISTINCT chunk_id = :id, (ctid::text::point)[0] - :page FROM :toast WHERE chunk_id = :id;
{FOUND.format("id")}""")
    compare(name, got, ["0", "t|1", "8"])


def while_replaced():
    """Readers find a key in each value, whatever is going on."""
    psql("TRUNCATE stored;" + store("generate_series(0, 199)", 3000))
    deadline = time.monotonic() + SECONDS
    missing = []
    rounds = [0, 0]

    def write():
        while time.monotonic() < deadline:
            psql(f"UPDATE stored SET f = f::bytea::ribbonfilter WHERE hashint4(id + {rounds[0]}) % 5 = 0")
            psql("VACUUM stored" if rounds[0] % 4 else "VACUUM FULL stored")
            rounds[0] += 1

    def read():
        orders = ("id", "id", "ctid", "hashint4(id)")
        while time.monotonic() < deadline:
            found = psql("".join(FOUND.format(order) for order in orders))
            missing.extend(n for n in found if n != "200")
            rounds[1] += 1

    threads = [threading.Thread(target=work) for work in (write, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    compare("found while values are replaced and vacuumed", [min(rounds) > 0, missing], [True, []])


directory = tempfile.mkdtemp(prefix="ribbon.")
psql_script.psql(f"CREATE DATABASE {DATABASE}", "postgres")
try:
    os.chmod(directory, 0o755)
    include = subprocess.check_output([os.environ.get("PG_CONFIG", "pg_config"), "--includedir-server"],
                                      encoding="utf-8").strip()
    subprocess.check_call(["cc", "-shared", "-fPIC", "-I", include, "-o", f"{directory}/next_id.so",
                           "test/modules/next_id.c"])
    psql(f"""CREATE EXTENSION ribbon;
CREATE FUNCTION set_next_id(oid) RETURNS void LANGUAGE c AS '{directory}/next_id';
CREATE TABLE stored (id int, f ribbonfilter)
  WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off, toast_tuple_target = 128);""")
    cut_off()
    same_id("a deleted value of the same id is where the guess leads", "COMMIT; DELETE FROM stored WHERE id = 90")
    same_id("one that was not committed is", "ROLLBACK")
    while_replaced()
finally:
    psql_script.psql(f"DROP DATABASE {DATABASE} WITH (FORCE)", "postgres")
    subprocess.call(["rm", "-rf", directory])
finish(0)
