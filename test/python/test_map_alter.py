#!/usr/bin/python3
"""test_map_alter.py - a type that another session alters while a map's values are read, or a map is built

A statement compares the type of a map's values with the type that it asks for
once, and then reads values of it.  No lock keeps others from altering the type
meanwhile, and a text that is read after that could be another value.  So each
reading of a text is followed by a look at whether the type is still the same,
and so is each writing of one.

usage: test/run.sh python/test_map_alter

The server is found through PGHOST and its kin; the extension must be installed.
"""

import subprocess
import sys
import time

sys.dont_write_bytecode = True
from psql_script import new_database, psql
from reports import compare, finish

DATABASE = "ribbon_map_alter"
SET_UP = """
    CREATE EXTENSION ribbon;
    CREATE TYPE place AS (x int, y int);
    CREATE TYPE track AS (name text, places place[]);
    CREATE TABLE maps AS SELECT ribbon_map(i, ROW('l', ARRAY[ROW(i, -i)::place])::track) AS m
      FROM generate_series(1, 5) AS i;
    CREATE TABLE looked_at (i int);

    -- a value is 32 times as large as its text: 16 MB, which are kept, are 500 values
    CREATE TYPE wide AS (x int, y int, names name[]);
    CREATE TABLE wide_maps AS
      SELECT ribbon_map(i, ROW(i, -i, array_fill('n'::name, ARRAY[500]))::wide, 1) AS m FROM generate_series(1, 600) AS i;

    -- after the second value wait for the lock, and hear what others have done
    CREATE FUNCTION pause(i int) RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
        IF i = 3 THEN
            PERFORM pg_advisory_xact_lock_shared(1);
            PERFORM count(*) FROM looked_at;
        END IF;
        RETURN i;
    END $$;
"""
SELECT = "SELECT ribbon_get(m, pause(i), NULL::track) FROM maps, generate_series(1, 5) AS i;"
BUILD = """
    SELECT ribbon_cardinality(ribbon_map(pause(i), ROW('l', ARRAY[ROW(i, -i)::place])::track))
      FROM generate_series(1, 5) AS i;"""
# so many values, and the wait before the last
SELECT_WIDE = """
    SELECT count(ribbon_get(m, pause(i), NULL::wide)) FROM wide_maps, LATERAL
      (SELECT i FROM generate_series(4, {n} + 2) AS i UNION ALL SELECT 3) AS s;"""
SWAP = """
    ALTER TYPE {type} RENAME ATTRIBUTE x TO z;
    ALTER TYPE {type} RENAME ATTRIBUTE y TO x;
    ALTER TYPE {type} RENAME ATTRIBUTE z TO y;"""
WIDE = range(500, 511)
SWAP_PLACE = SWAP.format(type="place")
SWAP_WIDE = SWAP.format(type="wide")


def read_while(script, select=SELECT):
    """What a statement says in the midst of which another session does this."""
    holder = subprocess.Popen(["psql", "-XAtq", "-d", DATABASE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              encoding="utf-8")
    holder.stdin.write("BEGIN; SELECT pg_advisory_xact_lock(1);\n")
    holder.stdin.flush()
    holder.stdout.readline()
    reader = subprocess.Popen(["psql", "-XAtq", "-v", "VERBOSITY=terse", "-d", DATABASE, "-c", select],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    deadline = time.monotonic() + 60
    while psql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", DATABASE) == "0" and reader.poll() is None:
        if time.monotonic() > deadline:
            raise RuntimeError("the reader does not wait")
        time.sleep(0.05)
    psql(script, DATABASE)
    holder.communicate("COMMIT;\n")
    return reader.communicate()[0].split("\n")[:-1]


def main():
    psql(SET_UP, DATABASE)
    lines = ['(l,"{""({0},-{0})""}")'.replace("{0}", str(i)) for i in range(1, 6)]
    compare("a type that stays", read_while("SELECT 1"), lines)
    compare("another type is altered", read_while("ALTER TABLE looked_at ADD j int"), lines)
    compare("attributes change places", read_while(SWAP_PLACE),
            ["ERROR:  type track has changed since the ribbonmap was built"])
    compare("in the next statement, too", read_while("SELECT 1"),
            ["ERROR:  type track has changed since the ribbonmap was built"])
    compare("and back", read_while(SWAP_PLACE), ["ERROR:  type track has changed since the ribbonmap was built"])
    compare("then it is the same again", read_while("SELECT 1"), lines)
    compare("a build, in the midst of which another type is altered",
            read_while("ALTER TABLE looked_at ADD k int", BUILD), ["5"])
    compare("a build, in the midst of which attributes change places", read_while(SWAP_PLACE, BUILD),
            ["ERROR:  type of the value of ribbon_map must not change within a group"])
    for n in WIDE:
        compare(f"where {n} values are kept, or are too many", read_while(SWAP_WIDE, SELECT_WIDE.format(n=n)),
                ["ERROR:  type wide has changed since the ribbonmap was built"])
        psql(SWAP_WIDE, DATABASE)


if __name__ == "__main__":
    with new_database(DATABASE):
        main()
    finish()
