"""large.py - what is dumped of filters whose hexadecimal digits would exceed 1 GB

Up to 768 MB there is a text, so that pg_dump and pg_restore keep a filter; beyond
that the build gives a NOTICE, text output is an error, and COPY BINARY keeps it.

usage: test/lib/cluster.sh /usr/bin/python3 test/deep/large.py
"""

import subprocess
import tempfile

import psql_script
from reports import check, compare, finish

DATABASE, RESTORED = "ribbon_large", "ribbon_restored"
DIGEST = "SELECT id, bytes, sha256(f::bytea) FROM large, ribbon_stats(f)"


def build(id, nkeys):
    """A row with a filter of so many keys, of 32 bits each; what psql says."""
    done = subprocess.run(["psql", "-Xqd", DATABASE, "-c", "SET work_mem = '256MB'", "-c",
                           f"INSERT INTO large SELECT {id}, ribbon_build(i, 2.33e-10) FROM generate_series(1, {nkeys}) AS i"],
                          stderr=subprocess.PIPE, encoding="utf-8", check=True)
    return done.stderr


def dump_and_restore(directory):
    file = f"{directory}/dump"
    subprocess.run(["pg_dump", "-Fc", "-Z0", "-d", DATABASE, "-f", file], check=True)
    subprocess.run(["pg_restore", "--exit-on-error", "-d", RESTORED, file], check=True)


with psql_script.new_database(DATABASE), psql_script.new_database(RESTORED), tempfile.TemporaryDirectory() as directory:
    psql_script.psql("CREATE EXTENSION ribbon; CREATE TABLE large (id int, f ribbonfilter);", DATABASE)
    compare("600 MB: no notice", build(1, 150_000_000), "")
    dump_and_restore(directory)
    was = psql_script.psql(DIGEST, DATABASE)
    check("600 MB: it is that large", was.startswith("1|600"), was)
    compare("600 MB: dumped and restored", psql_script.psql(DIGEST, RESTORED), was)

    notice = build(2, 212_000_000)
    check("850 MB: a notice", "is too large for text output, and so for pg_dump" in notice, notice)
    error = psql_script.error_of("SELECT length(f::text) FROM large WHERE id = 2", DATABASE)
    check("850 MB: no text", "is too large for text output" in error and "FORMAT binary" in error, error)
    psql_script.psql(f"\\copy (SELECT * FROM large WHERE id = 2) TO '{directory}/copy' (FORMAT binary)", DATABASE)
    psql_script.psql(f"TRUNCATE large;\n\\copy large FROM '{directory}/copy' (FORMAT binary)", RESTORED)
    compare("850 MB: copied in binary form", psql_script.psql(DIGEST, RESTORED), psql_script.psql(DIGEST + " WHERE id = 2", DATABASE))
finish()
