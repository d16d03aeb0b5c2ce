"""psql_script.py - run SQL, and read what psql prints"""

import contextlib
import csv
import io
import os
import subprocess

# Times in one zone, no notices, and rows in the order of a plain plan.
ROWS_SETTINGS = """
SET TimeZone = 'Asia/Kolkata';
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
"""

# how to make a database whose texts are UTF-8 and compared by their bytes
UTF8 = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

csv.field_size_limit(2**30)


def psql(script, database):
    """What psql prints, without alignment or headers; an error is thrown."""
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", database], input=script,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.strip()


def error_of(script, database):
    """What the server says against a script; nothing if it takes it."""
    try:
        psql(script, database)
        return ""
    except RuntimeError as error:
        return str(error) or "psql failed"


@contextlib.contextmanager
def new_database(name, how=""):
    """For a with statement: a database that is new, and gone at the end, however that comes."""
    drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE);\n"
    psql(f"{drop}CREATE DATABASE {name} {how};", "postgres")
    try:
        yield
    finally:
        psql(drop, "postgres")


def rows_and_errors(script, database):
    """Rows of all queries of a script, as lists of strings, and error messages."""
    done = subprocess.run(["psql", "-XAtq", "--csv", "-d", database],
                          input=ROWS_SETTINGS + script, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8",
                          env={**os.environ, "PGCLIENTENCODING": "UTF8"})
    return list(csv.reader(io.StringIO(done.stdout))), done.stderr.strip()


def hex_bytes(text):
    """The bytes that a bytea's text stands for."""
    return bytes.fromhex(text[2:])
