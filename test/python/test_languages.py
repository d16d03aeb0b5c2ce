#!/usr/bin/python3
"""test_languages.py - do the programs of docs/languages.md work?

Each program of test/languages is on the page, as it is here; those of ids on
docs/parameters.md.  Those whose
driver is installed (test/lib/setup.sh languages) are run, and must print the same
answers and leave the same filter behind.  The statements of which the page says
that they fail must fail so, and what it says to write instead must work.

usage: test/run.sh python/test_languages
"""

import contextlib
import glob
import os
import re
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading

from psql_script import error_of, new_database, psql
from reports import check, compare, finish, report

DATABASE = "ribbon_languages"
PROGRAMS = os.path.abspath("test/languages")
JDBC = "/usr/share/java/postgresql.jar"
NODE_PATH = os.pathsep.join([os.path.abspath("build/languages/node_modules"), "/usr/share/nodejs", os.environ.get("NODE_PATH", "")])
GO = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""}

FILTERS = """
SET client_min_messages = warning;
DROP TABLE IF EXISTS audience;
CREATE TABLE audience (name text PRIMARY KEY, members ribbonfilter);
INSERT INTO audience SELECT 'eu', ribbon_build(i) FROM generate_series(1::bigint, 1000) AS i;
INSERT INTO audience SELECT 'words', ribbon_build(w) FROM unnest('{ann,bob}'::text[]) AS w;
"""
SIZE = "SELECT octet_length(members::bytea) FROM audience WHERE name = 'eu'"


class Relay(socketserver.BaseRequestHandler):
    """From a port of this machine to the server's socket: JDBC knows no other way than TCP."""

    def handle(self):
        server = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError), server:
            server.connect(f"{os.environ['PGHOST']}/.s.PGSQL.{os.environ['PGPORT']}")
            threading.Thread(target=self.pass_on, args=(server, self.request), daemon=True).start()
            self.pass_on(self.request, server)

    @staticmethod
    def pass_on(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def relay():
    socketserver.ThreadingTCPServer.daemon_threads = True
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def works(*command, **variables):
    """Does this command run?  It asks for a driver."""
    return shutil.which(command[0]) is not None and subprocess.run(
        command, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


# For each program: the command that runs it, variables that it needs, and whether its driver is there.
LANGUAGES = {
    "psycopg_3.py": ([sys.executable], {}, lambda: works(sys.executable, "-c", "import psycopg")),
    "psycopg_2.py": ([sys.executable], {}, lambda: works(sys.executable, "-c", "import psycopg2")),
    "sqlalchemy_1.py": ([sys.executable], {}, lambda: works(sys.executable, "-c", "import sqlalchemy, psycopg2")),
    "django_3.py": ([sys.executable], {}, lambda: works(sys.executable, "-c", "import django, psycopg2")),
    "node_postgres.js": (["node"], {"NODE_PATH": NODE_PATH}, lambda: works("node", "-e", "require('pg')", NODE_PATH=NODE_PATH)),
    "Jdbc.java": (["java", "-cp", JDBC], {}, lambda: os.path.exists(JDBC) and works("javac", "--version")),
    "pgx.go": (["go", "run"], GO, lambda: works("go", "list", "github.com/jackc/pgx/v4", **GO)),
    "psql.sql": (["psql", "-Xqf"], {}, lambda: True),
}


# The programs of docs/parameters.md, which need our own package besides: what must be there to run them.
PARAMETERS = {
    "ids_psycopg_3.py": ([sys.executable], "build/python/lib/ribbonfilter", "psycopg_3.py"),
    "ids_node_postgres.mjs": (["node"], "clients/js/dist/ribbon-build.wasm", "node_postgres.js"),
}
ITEMS = """
CREATE TABLE items AS SELECT i AS id FROM generate_series(1::bigint, 1000) AS i;
"""


def run(name, port):
    command, variables, is_there = LANGUAGES[name]
    if not is_there():
        print(f"ok - {name}: its driver is not installed # SKIP")
        return
    psql(FILTERS)
    with tempfile.TemporaryDirectory() as directory:
        variables = {**os.environ, **variables, "GOCACHE": f"{directory}/go",
                     "JDBC_URL": f"jdbc:postgresql://127.0.0.1:{port}/{DATABASE}?user={os.environ['PGUSER']}"}
        done = subprocess.run(command + [f"{PROGRAMS}/{name}"], env=variables, cwd=directory, encoding="utf-8", timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answers = done.stdout.lower().replace("|", " ").split()
    compare(f"{name}: all answers", [{"t": "true", "f": "false"}.get(answer, answer) for answer in answers] + done.stderr.split(),
            ["true", "true", "true", "false", psql(SIZE), "true", "true"])
    compare(f"{name}: the filter that was read and written",
            psql("SELECT count(*), count(DISTINCT members) FROM audience WHERE name <> 'words'"), "2|1")


def find_pg():
    """The directory of node's pg, from where it is found by require, if it is anywhere."""
    paths = [f"{path}/pg" for path in NODE_PATH.split(os.pathsep) if path and os.path.exists(f"{path}/pg")]
    return os.path.realpath(paths[0]) if paths else None


def run_parameters(name):
    """Of 1,000 items, 501 have one of the million ids."""
    command, package, driver = PARAMETERS[name]
    if not os.path.exists(package) or not LANGUAGES[driver][2]():
        print(f"ok - {name}: its driver or {package} is not there # SKIP")
        return
    with tempfile.TemporaryDirectory() as directory:
        os.mkdir(f"{directory}/node_modules")
        os.symlink(os.path.abspath("clients/js"), f"{directory}/node_modules/ribbonfilter")
        if find_pg():
            os.symlink(find_pg(), f"{directory}/node_modules/pg")
        shutil.copy(f"{PROGRAMS}/{name}", directory)    # modules are found from where a program is
        variables = {**os.environ, "PYTHONPATH": os.path.abspath("build/python/lib")}
        done = subprocess.run(command + [f"{directory}/{name}"], env=variables, cwd=directory, encoding="utf-8", timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    compare(f"{name}: the rows", (done.stdout.split(), done.stderr), (["501"], ""))


def outcome(expression):
    """The error of a query with this expression, or none; its parameter, if any, has no type and is 42."""
    query = f"SELECT {expression} FROM audience WHERE name = 'eu'"
    if "$1" in query:
        query = f"PREPARE asked AS {query}; EXECUTE asked('42')"
    error = error_of(f"\\set VERBOSITY sqlstate\n{query};")
    return re.search(r"ERROR:  (\w+)", error).group(1) if error else "none"


def main():
    page = open("docs/languages.md", encoding="utf-8").read()
    compare("a program for each language", sorted(os.path.basename(path) for path in glob.glob(f"{PROGRAMS}/*")),
            sorted([*LANGUAGES, *PARAMETERS]))
    shown = re.findall(r"^```(?!sql)\w+\n(.*?)^```$", page, re.M | re.S)
    for name in LANGUAGES:
        with open(f"{PROGRAMS}/{name}", encoding="utf-8") as file:
            check(f"{name} is on the page", file.read() in shown, "it is not, or it is another one")
    check("and no other program", len(shown) == len(LANGUAGES), len(shown))

    parameters = re.findall(r"^```(?!sql)\w+\n(.*?)^```$", open("docs/parameters.md", encoding="utf-8").read(), re.M | re.S)
    for name in PARAMETERS:
        with open(f"{PROGRAMS}/{name}", encoding="utf-8") as file:
            check(f"{name} is on its page", file.read() in parameters, "it is not, or it is another one")

    with new_database(DATABASE):
        psql("CREATE EXTENSION ribbon")
        psql(ITEMS)
        port = relay()
        for name in LANGUAGES:
            try:
                run(name, port)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                report(name, str(error))
        for name in PARAMETERS:
            run_parameters(name)
        rows = re.findall(r"^\| `([^`]*)`[^|]*\| (\w{5}) \| `([^`]*)` \|$", page, re.M)
        check("statements that fail", len(rows) >= 7, len(rows))
        for wrong, error, right in rows:
            compare(f"{wrong}: {error}", outcome(wrong), error)
            compare(f"{right} works", outcome(right), "none")


main()
finish()
