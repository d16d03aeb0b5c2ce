#!/usr/bin/python3
"""filters.py - the same filters and maps on every server: build them, read them, compare

usage: test/lib/cluster.sh test/matrix/filters.py build DIRECTORY
       test/lib/cluster.sh test/matrix/filters.py read DIRECTORY...
       test/matrix/filters.py compare DIRECTORY

"build" makes a database with the filters and maps that filters.sql describes, and
writes them to the directory: filters.copy and maps.copy hold their bytes (a binary
COPY), facts.csv and map_facts.csv what ribbon_stats says of each and how it answers
to non-members.  "read" makes the database from a directory that another server has
written, and "compare" looks at a database that is there, however it came there: the
bytes and the facts must be those of the directory, and every member must be found,
in a map with its value.
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import psql_script
from reports import check, finish

DATABASE = "ribbon_matrix"
MAP_NAME = "concat_ws(' ', key_type, value_type, width, fpr, seed, n)"
# what each holds: filters and maps in an order that is the same everywhere
FILES = {
    "filters.copy": 'COPY (SELECT name, f FROM filters ORDER BY name COLLATE "C") TO STDOUT (FORMAT binary)',
    "facts.csv": "COPY (SELECT * FROM facts) TO STDOUT (FORMAT csv, HEADER)",
    "maps.copy": 'COPY (SELECT name, m FROM maps ORDER BY name COLLATE "C") TO STDOUT (FORMAT binary)',
    "map_facts.csv": "COPY (SELECT * FROM map_facts) TO STDOUT (FORMAT csv, HEADER)",
}


def psql(script):
    return psql_script.psql(script, DATABASE)


def copy(command, **streams):
    """A COPY by psql, from or to its own standard streams."""
    return subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", DATABASE, "-c", command],
                          check=True, **streams).stdout


def content(directory, name):
    with open(os.path.join(directory, name), "rb") as file:
        return file.read()


def create():
    psql_script.psql(f"DROP DATABASE IF EXISTS {DATABASE};\nCREATE DATABASE {DATABASE};", "postgres")
    with open(os.path.join(HERE, "filters.sql"), encoding="utf-8") as script:
        psql(script.read())


def build(directory):
    create()
    psql("""INSERT INTO filters
            SELECT concat_ws(' ', kind, width, fpr, type, n), s, build(s) FROM shapes AS s;""")
    psql(f"INSERT INTO maps SELECT {MAP_NAME}, s, build(s) FROM map_shapes AS s;")
    os.makedirs(directory, exist_ok=True)
    for name, command in FILES.items():
        with open(os.path.join(directory, name), "wb") as file:
            copy(command, stdout=file)
    many, members, missing = psql("SELECT count(*), sum((shape).n), sum(missing)"
                                  "  FROM filters JOIN facts USING (name);").split("|")
    check(f"{many} filters built; of {members} members none is missing", missing == "0" and int(many) > 400, f"{missing} missing")
    many, members, wrong = psql("SELECT count(*), sum(keys), sum(wrong) FROM map_facts;").split("|")
    check(f"{many} maps built; {members} members have their values", wrong == "0" and int(many) > 400, f"not {wrong}")


def read(directory):
    create()
    psql("CREATE TABLE came (name text PRIMARY KEY, f ribbonfilter);"
         "CREATE TABLE maps_came (name text PRIMARY KEY, m ribbonmap);")
    for table, name in ("came", "filters.copy"), ("maps_came", "maps.copy"):
        with open(os.path.join(directory, name), "rb") as file:
            copy(f"COPY {table} FROM STDIN (FORMAT binary)", stdin=file)
    psql("""INSERT INTO filters SELECT name, s, f
              FROM shapes AS s JOIN came ON name = concat_ws(' ', kind, width, fpr, type, n);""")
    psql(f"INSERT INTO maps SELECT name, s, m FROM map_shapes AS s JOIN maps_came ON name = {MAP_NAME};")
    compare(directory)


def same_facts(command, there):
    """Are the lines those?  Shows five that are not."""
    here = copy(command, stdout=subprocess.PIPE).decode().splitlines()
    there = there.decode().splitlines()
    for ours, theirs in [pair for pair in zip(here, there) if pair[0] != pair[1]][:5]:
        print(f"# here:  {ours}\n# there: {theirs}")
    return here == there


def compare_sets(directory, table, facts, wrong, right):
    """Filters or maps: their bytes, what is said of them, and whether what the facts count as wrong is 0."""
    name = os.path.basename(directory)
    many = int(psql(f"SELECT count(*) FROM {table};"))
    same = copy(FILES[f"{table}.copy"], stdout=subprocess.PIPE) == content(directory, f"{table}.copy")
    check(f"{name}: {many} {table}, byte by byte as built there", same and many > 400, "other bytes")
    check(f"{name}: statistics of {table}, and answers to {1000 * many} non-members, as there",
          same_facts(FILES[f"{facts}.csv"], content(directory, f"{facts}.csv")), "others")
    number = psql(f"SELECT sum({wrong}) FROM {facts};")
    check(f"{name}: every member {right}", number == "0", f"{number} {wrong}")


def compare(directory):
    compare_sets(directory, "filters", "facts", "missing", "is found")
    compare_sets(directory, "maps", "map_facts", "wrong", "has its value")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "read", "compare"):
        sys.exit(__doc__)
    for directory in sys.argv[2:]:
        {"build": build, "read": read, "compare": compare}[sys.argv[1]](directory)
    finish()


main()
