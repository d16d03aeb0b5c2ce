#!/usr/bin/python3
"""test_reuse.py - a stored value's id that goes to another value

What has been read of a stored filter is kept under its TOAST pointer (kept.c).
When the value has been deleted and vacuumed away, another one may get the same
pointer, some four billion values later.  Here that comes at once, because a
function (t/next_id.c) sets the counter of such ids.  The filters are
homogeneous ones of the same number of keys, so that they have the same size.

usage: test/cluster.sh test/test_reuse.py

The server is found through PGHOST and its kin; PG_CONFIG names its pg_config.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import psql_script

DATABASE = "ribbon_reuse"
# the members found of the set that is stored now, which are all of them
FOUND = "SELECT count(*) FROM stored, generate_series(first, first + 4999) AS i WHERE f @> i;\n"
ID = "(SELECT min(chunk_id) FROM :toast)"
failed = 0


def psql(script, database=DATABASE):
    return psql_script.psql(script, database).split()


def store(first):
    return (f"INSERT INTO stored SELECT {first}, ribbon_build(i, 0.01, 'kind=homogeneous')"
            f" FROM generate_series({first}, {first + 4999}) AS i;\n")


def elsewhere(script):
    """A script for another session, as a command of psql."""
    with tempfile.NamedTemporaryFile("w", dir=directory, suffix=".sql", delete=False) as file:
        file.write(TOAST + script)
    return f"\\! psql -XAtq -v ON_ERROR_STOP=1 -d {DATABASE} -f {file.name}\n"


def check(name, got, expected):
    global failed
    failed += got != expected
    print(f"ok - {name}" if got == expected else f"not ok - {name}: {got} instead of {expected}", flush=True)


TOAST = "SELECT reltoastrelid::regclass AS toast FROM pg_class WHERE relname = 'stored' \\gset\n"
directory = tempfile.mkdtemp(prefix="ribbon.")
psql(f"CREATE DATABASE {DATABASE}", "postgres")
try:
    os.chmod(directory, 0o755)
    include = subprocess.check_output([os.environ.get("PG_CONFIG", "pg_config"), "--includedir-server"],
                                      encoding="utf-8").strip()
    subprocess.check_call(["cc", "-shared", "-fPIC", "-I", include, "-o", directory + "/next_id.so",
                           "test/t/next_id.c"])
    psql(f"""CREATE EXTENSION ribbon;
CREATE FUNCTION set_next_id(oid) RETURNS void LANGUAGE c AS '{directory}/next_id';
CREATE TABLE stored (first int, f ribbonfilter); {store(1)}""")

    # A transaction of another database holds back xmin, though not VACUUM.
    again = elsewhere(f"SELECT {ID} AS id \\gset\nDELETE FROM stored; VACUUM stored;"
                      f"SELECT set_next_id(:id) \\g /dev/null\n{store(100001)}SELECT :id = {ID};\n")
    holder = subprocess.Popen(["psql", "-XAtq", "-d", "postgres"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              encoding="utf-8")
    holder.stdin.write("BEGIN; SELECT pg_current_xact_id();\n")
    holder.stdin.flush()
    holder.stdout.readline()
    check("deleted, vacuumed and used again between two statements",
          psql(f"BEGIN; {FOUND}{again}{FOUND}"), ["5000", "t", "5000"])
    holder.communicate("COMMIT;\n")

    check("truncated at once and used again within a transaction",
          psql(f"BEGIN; DROP TABLE stored; CREATE TABLE stored (first int, f ribbonfilter);\n{store(1)}{TOAST}"
               f"SELECT {ID} AS id \\gset\n{FOUND}TRUNCATE stored; SELECT set_next_id(:id) \\g /dev/null\n"
               f"{store(100001)}SELECT :id = {ID};\n{FOUND}COMMIT;"), ["5000", "t", "5000"])
finally:
    psql(f"DROP DATABASE {DATABASE} WITH (FORCE)", "postgres")
    subprocess.call(["rm", "-rf", directory])
raise SystemExit(failed > 0)
