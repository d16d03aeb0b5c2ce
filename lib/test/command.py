"""command.py - what tests of the command ribbon share: to call it, and files

It is the command with every sanitizer, build/unit/lib/ribbon.
"""

import os
import select
import subprocess
import sys
import tempfile

sys.path.insert(0, "test/lib")
from reports import check, finish

RIBBON = os.path.abspath("build/unit/lib/ribbon")
LIMIT = 120     # seconds that any call may take


def ribbon(*arguments, stdin=b"", **more):
    """The status, the output and the errors of a call."""
    done = subprocess.run([RIBBON, *arguments], input=stdin, capture_output=True, timeout=LIMIT, **more)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def built(*arguments, stdin=b""):
    status, bytes_, errors = ribbon(*arguments, stdin=stdin)
    if status != 0:
        raise SystemExit(f"{arguments}: {errors}")
    return bytes_


def lines(*texts):
    return "".join(f"{text}\n" for text in texts).encode()


def write(name, bytes_):
    with open(name, "wb") as file:
        file.write(bytes_)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def wait_read(fd, seconds):
    """What can be read within some seconds."""
    ready, _, _ = select.select([fd], [], [], seconds)
    return os.read(fd, 65536) if ready else b""


def refused(name, arguments, stdin, expected, status=2):
    """An error: status 2, nothing on standard output, and this in the message, once."""
    got, output, errors = ribbon(*arguments, stdin=stdin)
    good = got == status and output == b"" and expected in errors and errors.startswith("ribbon: ") and errors.count("\n") == 1
    check(name, good, f"status {got}, output {output[:50]}, {errors}")


def run(*parts):
    """The parts of a test, in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        os.chdir(directory)
        for part in parts:
            part()
        os.chdir("/")
    finish()
