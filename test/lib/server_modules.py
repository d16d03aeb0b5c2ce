"""server_modules.py - the C of test/modules, compiled for the server that is tested"""

import contextlib
import os
import subprocess
import tempfile


def compile_into(directory, *names):
    """For CREATE FUNCTION ... AS 'DIRECTORY/NAME', by a server that runs as another user."""
    include = subprocess.check_output([os.environ.get("PG_CONFIG", "pg_config"), "--includedir-server"],
                                      encoding="utf-8").strip()
    os.chmod(directory, 0o755)
    for name in names:
        subprocess.check_call(["cc", "-shared", "-fPIC", "-I", include, "-o", f"{directory}/{name}.so",
                               f"test/modules/{name}.c"])


@contextlib.contextmanager
def compiled(*names):
    """For a with statement: the directory where they are, which is gone at the end."""
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        compile_into(directory, *names)
        yield directory
