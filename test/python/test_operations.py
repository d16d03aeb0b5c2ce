#!/usr/bin/python3
"""test_operations.py - filters are refreshed, and checked, while others use them

The procedure of docs/operations.md, as it is written there: readers see the old
filter until the new one is committed, and wait for nothing; two refreshes at once
do not end in an error; a session that is in the middle of a query goes on with
what it has begun with.  And ribbon_check_table reads what a query would read: no
temporary table of another session.

usage: test/run.sh python/test_operations
"""

import re

import psql_script
from reports import compare, finish

DATABASE = "ribbon_operations"
BUILT = "SELECT ribbon_cardinality(members), members @> 5, members @> 15 FROM filters WHERE name = 'few'"


def statement(begin):
    """A statement of the page, by how it begins."""
    page = open("docs/operations.md", encoding="utf-8").read()
    body = r".*?\$\$.*?^END \$\$;$" if "PROCEDURE" in begin else r".*?;$"
    return re.search("^" + re.escape(begin) + body, page, re.M | re.S).group(0)


def psql(script):
    return psql_script.psql(script, DATABASE)


class Session(psql_script.Session):
    def __init__(self):
        super().__init__(DATABASE, "SET lock_timeout = '2s'; SET statement_timeout = '20s';")


def refresh(upto):
    return f"CALL refresh_filter('few', 'SELECT generate_series(1, {upto})', 0.000001);"


def check_temporary(owner, other):
    owner.ask("CREATE TABLE parent (f ribbonfilter); CREATE TEMP TABLE child () INHERITS (parent);"
              "INSERT INTO child SELECT ribbon_build(1); INSERT INTO parent SELECT ribbon_build(1);")
    count = "SELECT count(*) FROM ribbon_check_table('parent'); SELECT count(*) FROM parent;"
    compare("a temporary table of one's own is checked with its parent", owner.ask(count), "0\n2")
    compare("that of another session is not", other.ask(count), "0\n1")
    compare("nor by itself", other.ask("SELECT ribbon_check_table(oid) FROM pg_class WHERE relname = 'child';").split("\n")[0],
            "ERROR:  cannot access temporary tables of other sessions")


def main():
    psql_script.psql(f"CREATE DATABASE {DATABASE}", "postgres")
    psql("CREATE EXTENSION ribbon;" + statement("CREATE TABLE filters") + statement("CREATE PROCEDURE refresh_filter"))
    psql(refresh(10))
    writer, reader, other = Session(), Session(), Session()

    compare("a refresh, not committed", writer.ask(f"BEGIN; {refresh(20)} {BUILT};"), "20|t|t")
    compare("readers do not wait, and see the old filter", reader.ask(BUILT + ";"), "10|t|f")
    compare("nor does who locks the row to read it", reader.ask("SELECT name FROM filters FOR KEY SHARE;"), "few")
    reader.ask(f"BEGIN ISOLATION LEVEL REPEATABLE READ; {BUILT};")
    other.say(refresh(12))
    writer.ask("COMMIT;")
    compare("a second refresh waits for the first, and is done", other.hear(), "")
    compare("then all see the new one", writer.ask(BUILT + ";"), "12|t|f")
    compare("but who has begun with the old one", reader.ask(BUILT + "; COMMIT;"), "10|t|f")
    compare("until its end", reader.ask(BUILT + ";"), "12|t|f")
    answer = writer.ask("CALL refresh_filter('few', 'SELECT 1 / (i - 5) FROM generate_series(1, 30) AS i');")
    compare("a refresh that fails leaves the filter", (answer.split("\n")[0], reader.ask(BUILT + ";")),
            ("ERROR:  division by zero", "12|t|f"))
    check_temporary(writer, reader)
    for session in writer, reader, other:
        session.close()


if __name__ == "__main__":
    main()
    finish()
