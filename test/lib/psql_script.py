"""psql_script.py - run SQL, at once or in a session, and read what psql prints; wait for what others do

Where no database is named, it is that of the innermost new_database.
"""

import contextlib
import csv
import io
import os
import subprocess
import time

# Times in one zone, no notices, and rows in the order of a plain plan.
ROWS_SETTINGS = """
SET TimeZone = 'Asia/Kolkata';
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
"""

# how to make a database whose texts are UTF-8 and compared by their bytes
UTF8 = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

csv.field_size_limit(2**30)


def psql(script, database=None):
    """What psql prints, without alignment or headers; an error is thrown."""
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", database or os.environ["PGDATABASE"]],
                          input=script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.strip()


class Session:
    """A psql to talk to, which goes on after errors: they are answers, too."""

    END = "-- end of an answer --"

    def __init__(self, database, setup=""):
        self.psql = subprocess.Popen(["psql", "-XAtq", "-d", database], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, encoding="utf-8")
        self.ask(setup)

    def say(self, script):
        end = "" if script.rstrip().endswith(";") else ";"      # an empty statement would be sent, too
        self.psql.stdin.write(f"{script}{end}\n\\echo {self.END}\n")
        self.psql.stdin.flush()

    def hear(self):
        """What it prints for the script that it was told first, of those that it has not been heard for."""
        lines = []
        for line in self.psql.stdout:
            line = line.rstrip("\n")
            if line == self.END:
                return "\n".join(lines)
            lines.append(line)
        raise RuntimeError("psql has ended: " + " ".join(lines))

    def ask(self, script):
        self.say(script)
        return self.hear()

    def close(self):
        self.psql.communicate()


def wait_until(what, is_so):
    """Look until it is so, for a minute at most."""
    deadline = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited in vain for {what}")
        time.sleep(0.02)


def error_of(script, database=None):
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
    before, os.environ["PGDATABASE"] = os.environ["PGDATABASE"], name
    try:
        yield
    finally:
        os.environ["PGDATABASE"] = before
        psql(drop, "postgres")


def rows_and_errors(script, database=None):
    """Rows of all queries of a script, as lists of strings, and error messages."""
    done = subprocess.run(["psql", "-XAtq", "--csv", "-d", database or os.environ["PGDATABASE"]],
                          input=ROWS_SETTINGS + script, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8",
                          env={**os.environ, "PGCLIENTENCODING": "UTF8"})
    return list(csv.reader(io.StringIO(done.stdout))), done.stderr.strip()


def hex_bytes(text):
    """The bytes that a bytea's text stands for."""
    return bytes.fromhex(text[2:])
