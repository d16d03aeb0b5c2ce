"""documented.py - the SQL examples of README.md and docs/*.md, and what they take for granted"""

import glob
import hashlib
import re

import psql_script

PAGES = ["README.md"] + sorted(glob.glob("docs/*.md"))

# What the examples take for granted.  Digests are SHA-224, for the server has no function of SHA-1.
TABLES = """
CREATE TABLE users (user_id bigint PRIMARY KEY, region text);
INSERT INTO users SELECT i, CASE WHEN i % 50 < 2 THEN 'eu' ELSE 'us' END FROM generate_series(1, 5000) AS i;
CREATE TABLE events (user_id bigint, day date, amount int);
INSERT INTO events SELECT i % 5000 + 1, date '2026-01-01' + i % 100, i % 7 FROM generate_series(1, 20000) AS i;
CREATE TABLE seen AS SELECT user_id FROM users WHERE user_id % 3 = 0;
CREATE TABLE log (shard int, user_id bigint, line text) PARTITION BY LIST (shard);
CREATE TABLE log_0 PARTITION OF log FOR VALUES IN (0);
CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1);
INSERT INTO log SELECT i % 2, i + 3000016, 'line ' || i FROM generate_series(1, 1000) AS i;
CREATE TABLE passwords AS SELECT sha224(i::text::bytea) AS password_sha1 FROM generate_series(1, 5000) AS i;
CREATE TABLE logins AS SELECT i, sha224(i::text::bytea) AS sha1 FROM generate_series(1, 10) AS i;
"""
# The table that most pages ask, with a filter that a recipe mentions.
AUDIENCE = """
SET client_min_messages = warning;
CREATE TABLE IF NOT EXISTS audience (name text PRIMARY KEY, members ribbonfilter);
INSERT INTO audience SELECT region, ribbon_build(user_id) FROM users GROUP BY region ON CONFLICT DO NOTHING;
INSERT INTO audience SELECT 'seen', ribbon_build(user_id) FROM seen ON CONFLICT DO NOTHING;
"""
# The parameters that examples have: a filter; a member, since nothing is found of others.
VALUES = {"$1::ribbonfilter": "(SELECT members FROM audience WHERE name = 'eu')",
          "$1": "'\\x" + hashlib.sha224(b"42").hexdigest() + "'"}
# Run elsewhere: what needs a remote server (test_fdw.py) or a setting of the server (sql/recipes.sql)
ELSEWHERE = r"^CREATE (SERVER|PUBLICATION)|remote_events"


def examples(page, mark=""):
    """The SQL blocks of a page, each a list of statements as psql takes them.  Those that are marked "sql session" are
    for one session; "sql fdw" and "sql citus" need other servers."""
    blocks = re.findall(rf"^```sql{mark}\n(.*?)^```$", open(page, encoding="utf-8").read(), re.M | re.S)
    return [split(block) for block in blocks]


def split(block):
    """A block's statements.  A semicolon ends one at the end of a line or before a comment, but not in a function's body."""
    statements, statement, in_body = [], "", False
    for line in block.split("\n"):
        statement += line + "\n"
        in_body ^= line.count("$$") % 2 == 1
        if not in_body and re.search(r";\s*(--.*)?$|\\g(set|exec)$", line):
            statements.append(statement.strip())
            statement = ""
    assert statement.strip() == "", statement
    return statements


def with_values(statement):
    """The statement with a value for each parameter."""
    for parameter, value in VALUES.items():
        statement = statement.replace(parameter, value)
    return statement


def prepare_database(database, page):
    """Make the tables that a page takes for granted; and the extension, unless the page does."""
    text = open(page, encoding="utf-8").read()
    installs = "CREATE EXTENSION ribbon;" in text
    psql_script.psql(TABLES + ("" if installs else "CREATE EXTENSION ribbon;"), database)
    if not installs and "CREATE TABLE audience" not in text:
        psql_script.psql(AUDIENCE, database)
