#!/usr/bin/python3
"""test_golden.py - filters of every format version, read through SQL for ever

test/golden/keys_1.txt has a line for each kind of key: an expression of i, and the
filter of its values for i from 1 to 3.  Key hashes do not change with the format.

test/golden/format_N.txt has filters of version N (test/unit/whole/test_golden.c reads
them without a server).  Their keys are hashes; here they are the int8 keys that
have these hashes, so that the server must find each of them, and build the
same bytes from them if the version is the one it writes.

usage: test/run.sh python/test_golden
"""

import glob
import re

from inverse_hash import int8_key, mix
from psql_script import new_database, psql
from reports import finish, report

DATABASE = "ribbon_golden"


def check_file(path, written):
    version = int(re.search(r"format_(\d+)\.txt$", path).group(1))
    lines = [line.split() for line in open(path)]
    rows = "".join(f"{number}\t{kind}\t{width}\t{fpr}\t{nkeys}\t{shift}\t{shrunk_to}\t\\\\x{data}\n"
                   for number, (kind, width, fpr, nkeys, shift, shrunk_to, data) in enumerate(lines, 1))
    psql("CREATE TABLE golden (line int, kind text, width int, fpr float8, nkeys int, shift int, shrunk_to float8, data bytea);"
         f"COPY golden FROM STDIN;\n{rows}\\.\n"
         "CREATE TABLE filters AS SELECT *, data::ribbonfilter AS f FROM golden;")
    queries = [
        ("have their version and number of keys, and are sound",
         f"(ribbon_stats(f)).format_version = {version} AND ribbon_cardinality(f) = nkeys AND ribbon_check(f)"),
        ("contain each of their keys",
         "NOT EXISTS (SELECT FROM keys WHERE i < nkeys AND keys.shift = filters.shift AND NOT f @> k)"
         " AND (nkeys = 0 OR ribbon_contains_all(f, (SELECT array_agg(k) FROM keys WHERE i < nkeys AND keys.shift = filters.shift)))"),
        ("come back from text and bytea as they were", "f::bytea = data AND f::text::ribbonfilter = f AND ribbon_send(f) = data")]
    if version == written:
        queries.append(("are what is built from these keys",
                        "f = (SELECT CASE shrunk_to WHEN 0 THEN b ELSE ribbon_shrink(b, shrunk_to) END FROM (SELECT ribbon_build(k, fpr,"
                        " format('kind=%s, width=%s', kind, width)) AS b FROM keys WHERE i < nkeys AND keys.shift = filters.shift) AS s)"))
    for name, condition in queries:
        good = psql(f"SELECT count(*) FROM filters WHERE {condition}")
        report(f"version {version}: {len(lines)} filters {name}", None if int(good) == len(lines) > 0 else f"{good} do")
    psql("DROP TABLE golden, filters")


def check_keys(path):
    psql("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy'); CREATE TYPE pair AS (a int, b text);")
    for line in open(path, encoding="utf-8"):
        expression, data = line.rstrip("\n").split("\t")
        found = psql(f"SELECT ribbon_build({expression}) = '\\x{data}', bool_and('\\x{data}'::ribbonfilter @> ({expression}))"
                     "  FROM generate_series(1, 3) AS i")
        report(f"keys {expression} have the hashes they have always had", None if found == "t|t" else found)


with new_database(DATABASE):
    most = max(int(line.split()[3]) for path in glob.glob("test/golden/format_*.txt") for line in open(path))
    keys = "".join(f"{i}\t{shift}\t{int8_key(mix(i + 0x60DE) >> shift)}\n" for shift in (0, 20) for i in range(most))
    psql(f"CREATE EXTENSION ribbon; CREATE TABLE keys (i int, shift int, k int8); COPY keys FROM STDIN;\n{keys}\\.\n")
    written = int(psql("SELECT (ribbon_stats(ribbon_build(1))).format_version"))
    files = sorted(glob.glob("test/golden/format_*.txt"))
    report("there are golden values of every version up to the one that is written",
           None if len(files) == written else f"{files}, {written} is written")
    for path in files:
        check_file(path, written)
    check_keys("test/golden/keys_1.txt")
finish()
