#!/usr/bin/python3
"""test_directory.py - installed where the server's packages do not reach

Who runs PostgreSQL in a managed set-up may have no way to write into the server's
own directories.  From PostgreSQL 18 on an extension can be in others, which
extension_control_path and dynamic_library_path name: "make install" puts it there
if it is told datadir and pkglibdir.  Before, there is no such setting, and the server says so.

Wherever it is, the owner of a database, who is no superuser, creates it, uses it
and drops it, and nothing is preloaded.

usage: test/run.sh python/test_directory

This starts another server, from whose directories the extension is removed.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

import psql_script
from reports import check, compare, finish

DATABASE = "ribbon_directory"
FIRST_WITH_PATH = 180000


def pg_config(what):
    return subprocess.check_output([os.environ["PG_CONFIG"], what], encoding="utf-8").strip()


def as_owner(script, run=psql_script.psql):
    return run(f"SET SESSION AUTHORIZATION ribbon_owner;\n{script}", DATABASE)


def used():
    """An ordinary user creates the extension, uses what it offers, and drops it."""
    as_owner("CREATE EXTENSION ribbon")
    compare("an ordinary user has created it; nothing is preloaded", psql_script.psql(
        "SELECT rolname, rolsuper, current_setting('shared_preload_libraries'), current_setting('session_preload_libraries')"
        "  FROM pg_extension JOIN pg_roles r ON r.oid = extowner WHERE extname = 'ribbon'", DATABASE),
            "ribbon_owner|f||")
    compare("filters and maps", as_owner(
        "SELECT ribbon_cardinality(f), f @> 7, m -> 7 FROM"
        " (SELECT ribbon_build(i) AS f, ribbon_map(i, 2 * i) AS m FROM generate_series(1, 1000) AS i) AS s"), "1000|t|14")
    as_owner("DROP EXTENSION ribbon")


def inside():
    version = int(psql_script.psql("SHOW server_version_num", "postgres"))
    psql_script.psql("CREATE ROLE ribbon_owner; CREATE DATABASE ribbon_directory OWNER ribbon_owner", "postgres")
    if os.environ["RIBBON_DIRECTORY_INSIDE"] == "server":
        used()
    elif version < FIRST_WITH_PATH:
        said = as_owner("SHOW extension_control_path", psql_script.error_of)
        check("before PostgreSQL 18 there is one directory", "unrecognized configuration parameter" in said, said)
        said = as_owner("CREATE EXTENSION ribbon", psql_script.error_of)
        check("where it is missing, CREATE EXTENSION says which", "ribbon.control" in said or "not available" in said, said)
    else:
        directory = os.environ["RIBBON_DIRECTORY"]
        said = as_owner("CREATE EXTENSION ribbon", psql_script.error_of)
        check("it is not in the server's own directory", 'extension "ribbon" is not available' in said, said)
        psql_script.psql(f"ALTER SYSTEM SET extension_control_path = '$system:{directory}/share'", "postgres")
        psql_script.psql(f"ALTER SYSTEM SET dynamic_library_path = '$libdir:{directory}/lib'", "postgres")
        psql_script.psql("SELECT pg_reload_conf()", "postgres")
        psql_script.wait_until("the server to know the directory",
                               lambda: directory in psql_script.psql("SHOW dynamic_library_path", "postgres"))
        used()


def remove():
    """The extension, from the directories of the server's copy."""
    for path in glob.glob(pg_config("--sharedir") + "/extension/ribbon*") + glob.glob(pg_config("--pkglibdir") + "/ribbon*"):
        os.unlink(path)


def main():
    root = tempfile.mkdtemp(prefix="ribbon.", dir="/tmp")
    try:
        copied = subprocess.check_output(["test/lib/copy_server.sh", root], encoding="utf-8").strip()
        os.environ["PG_CONFIG"] = copied
        elsewhere = f"{root}/elsewhere"
        os.makedirs(elsewhere)
        os.chmod(root, 0o755)
        run = ["test/lib/cluster.sh", sys.executable, __file__]
        status = subprocess.call(run, env=dict(os.environ, RIBBON_DIRECTORY_INSIDE="server"))
        remove()
        subprocess.check_call(["make", "-s", "--no-print-directory", "install", f"datadir={elsewhere}/share", f"pkglibdir={elsewhere}/lib"])
        subprocess.check_call(["chmod", "-R", "a+rX", elsewhere])
        status |= subprocess.call(run, env=dict(os.environ, RIBBON_DIRECTORY_INSIDE="elsewhere", RIBBON_DIRECTORY=elsewhere))
        return status
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    if "RIBBON_DIRECTORY_INSIDE" not in os.environ:
        sys.exit(main())
    inside()
    finish()
