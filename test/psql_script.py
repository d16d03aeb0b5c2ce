"""psql_script.py - run SQL that is expected to work"""

import subprocess


def psql(script, database):
    """What psql prints, without alignment or headers; an error is thrown."""
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", database], input=script,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.strip()
