#!/usr/bin/python3
"""test_command_use.py - options of the command, and whom it talks to

usage: test/run.sh lib/test_command_use
"""

import os
import pty
import signal
import subprocess
import time

from command import LIMIT, RIBBON, built, lines, read, refused, ribbon, run, wait_read, write
from reports import check, compare


def check_usage():
    status, output, errors = ribbon("--help")
    check("--help", status == 0 and output.startswith(b"Usage: ribbon build"), errors)
    for name in ("build", "map", "exact", "test", "get", "stats", "check", "shrink"):
        status, of_one, errors = ribbon(name, "--help")
        check(f"{name} --help", status == 0 and of_one.startswith(f"Usage: ribbon {name}".encode()) and errors == "", errors)
        check("has its own options only", set(of_one.split(b"\n")[1:]) < set(output.split(b"\n")[1:]), of_one)
        compare("which help and -h say, too", [ribbon("help", name)[1] == of_one, ribbon(name, "-h")[1] == of_one], [True, True])
    status, output, errors = ribbon()
    check("no subcommand", status == 2 and output == b"" and errors.startswith("Usage"), errors)
    subcommands = "only build, map, exact, test, get, stats, check and shrink"
    for arguments, expected in ((["bulid"], f'no subcommand "bulid", {subcommands}'),
                                (["help", "bulid"], f'no subcommand "bulid", {subcommands}'), (["-h", "bulid"], subcommands),
                                (["build", "-f", "2"], "rate"), (["build", "-f", "x"], "invalid rate"), (["build", "-f", "1/"], "invalid rate"),
                                (["build", "--kind", "exact"], 'invalid kind "exact": there are burr, homogeneous, auto'),
                                (["build", "-m", "5X"], "invalid size"), (["build", "-m", "99999999999G"], "invalid size"),
                                (["build", "-m", "1"], "with its unit"), (["build", "--memory", "16"], "with its unit"),
                                (["build", "-m", "0B"], "at least 16 MB, not 0 bytes"),
                                (["build", "-m", "16383kB"], "at least 16 MB"), (["build", "-m", "MB"], "with its unit"),
                                (["build", "--format", "text", "-d", "n"], "a delimiter of this format"),
                                (["build", "--format", "text", "-d", "."], "a delimiter of this format"),
                                (["build", "--format", "text", "-d", "7"], "a delimiter of this format"),
                                (["get", "-d", "n", "in"], "a delimiter of this format"),
                                (["build", "--format", "csv", "--null", 'a"'], "no quote"),
                                (["build", "--format", "csv", "--null", "a,b"], "no delimiter"),
                                (["map", "--null", "a\tb"], "no delimiter"),
                                (["build", "--format", "text", "-d", "N"], 'no delimiter in it: "\\N"'),
                                (["map", "--format", "text", "-d", "N"], "no delimiter"),
                                (["get", "-d", "N", "in"], "no delimiter"), (["get", "--format", "text", "-d", "N", "in"], "no delimiter"),
                                (["get", "-z", "-d", "N", "in"], "no delimiter"),
                                (["build", "--format", "text", "--null", "a\nb"], "no end of a line"),
                                (["build", "--format", "csv", "--null", "\r"], "no end of a line"),
                                (["build", "--format", "csv", "-d", '"'], "delimiter"),
                                (["build", "-d", "é"], "delimiter"), (["build", "-v", "text"], 'no option "-v"'),
                                (["build", "--value", "text"], 'no option "--value"'),
                                (["build", "--quiet=3"], 'option "--quiet" takes no argument: try ribbon build --help'),
                                (["build", "-k"], 'option "-k" needs an argument'),
                                (["build", "--he"], 'option "--he" may be several: try ribbon build --help'),
                                (["build", "--hex"], 'no option "--hex"'),
                                (["build", "--key"], 'option "--key" needs an argument: try ribbon build --help'),
                                (["build", "-qX"], 'no option "-X"'), (["build", "-q:x", "text"], 'no option "-:"'),
                                (["build", "-é", "text"], 'no option "-\\xC3"'), (["build", "--format", "text", "-z"], "COPY"),
                                (["build", "-d", "\\"], "delimiter"), (["build", "-d", ","], "say which by --column"),
                                (["test", "-d", ",", "in"], "say which by --column"),
                                (["build", "--width", "65"], "width"),
                                (["build", "--width", "4294967295"], 'invalid width "4294967295"'),
                                (["map", "-f", "2"], "2^-32 to 0.5, not 2; of a map it may be 1"),
                                (["build", "--kind", "x"], "kind"), (["map", "-v", "x"], "type of values"),
                                (["build", "-d", "ab"], "delimiter"), (["build", "-c", "0"], "counted from 1"), (["build", "-c", "x"], "--header"),
                                (["build", "-c", "1000001"], "the number of a column is at most 1000000, not 1000001"),
                                (["map", "--seed", "4294967296"], "seed"), (["build", "--format", "csv", "-z"], "COPY"),
                                (["build", "nowhere"], "nowhere"), (["build", "."], "directory")):
        refused(repr(" ".join(arguments)), arguments, b"a\n", expected)


def check_streams():
    """What comes by a pipe is answered before more of it comes."""
    write("f.ribbon", built("build", stdin=b"a\nb\n"))
    with subprocess.Popen([RIBBON, "test", "f.ribbon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        answers = []
        for line in (b"a\n", b"b\n"):
            child.stdin.write(line)
            answers.append(wait_read(child.stdout.fileno(), 30))
        child.stdin.close()
        child.wait(LIMIT)
    compare("a pipe is answered line by line", (answers, child.returncode), ([b"a\n", b"b\n"], 0))
    write("behind", b"head" + read("f.ribbon"))
    with open("behind", "rb", buffering=0) as file:
        file.seek(4)
        done = subprocess.run([RIBBON, "stats", "-"], stdin=file, capture_output=True, timeout=LIMIT)
    compare("standard input is read from where it is", done.stdout + done.stderr, ribbon("stats", "f.ribbon")[1])
    refused("which has a name in messages", ["stats", "-"], b"x", 'ribbon: "standard input" is no filter')
    write("mapped.ribbon", built("build", stdin=lines(*range(10000))))
    with subprocess.Popen([RIBBON, "test", "mapped.ribbon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, bufsize=0) as child:
        child.stdin.write(b"1\n")
        wait_read(child.stdout.fileno(), 30)
        write("mapped.ribbon", b"")
        _, errors = child.communicate(b"2\n", timeout=LIMIT)
    compare("a filter's file that becomes shorter", (child.returncode, b"has become shorter" in errors), (2, True))
    with subprocess.Popen([RIBBON, "test", "f.ribbon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        child.stdout.close()
        try:
            child.stdin.write(b"a\n" * 100000)
            child.stdin.close()
        except BrokenPipeError:
            pass
        child.wait(LIMIT)
    compare("a reader that has gone ends it as it ends grep", child.returncode, -signal.SIGPIPE)
    with subprocess.Popen([RIBBON, "build"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write(b"\xef\xbb")
        child.stdin.flush()
        time.sleep(0.2)
        child.stdin.write(b"\xbfa\n")
        child.stdin.close()
        marked = child.stdout.read()
        child.wait(LIMIT)
    compare("a byte-order mark that comes in parts is none of a key", marked, built("build", stdin=b"a\n"))
    with subprocess.Popen([RIBBON, "build", "-o", "late"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        child.stdin.write(b"a\n")
        child.stdin.flush()
        child.send_signal(signal.SIGTERM)
        child.wait(LIMIT)
    compare("a signal ends it and leaves nothing", (child.returncode, [name for name in os.listdir(".") if name.startswith("late")]),
            (-signal.SIGTERM, []))


def read_terminal(leader, child):
    """What a program writes to a terminal until it ends."""
    shown = b""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            piece = wait_read(leader, 1)
        except OSError:
            break
        shown += piece
        if not piece and child.poll() is not None:
            break
    child.wait(LIMIT)
    os.close(leader)
    return shown


def is_blank(shown):
    """Is there nothing left of a line of which something was shown?"""
    *_, last, blanks, behind = shown.split(b"\r")
    return b" keys " in last and blanks == b" " * len(last) and behind == b""


def check_terminal():
    """On a terminal there is a bar, which is gone at the end; not with --quiet, nor elsewhere."""
    write("in", lines(*range(600000)))
    for quiet in (False, True):
        leader, follower = pty.openpty()
        with subprocess.Popen([RIBBON, "build", "-k", "integer", "-o", "out", *(["-q"] if quiet else []), "in"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=follower) as child:
            os.close(follower)
            shown = read_terminal(leader, child)
        if quiet:
            compare("--quiet shows no bar", (child.returncode, shown), (0, b""))
        else:
            check("a terminal sees a bar", child.returncode == 0 and b"%" in shown and b"\x1b" not in shown and is_blank(shown), shown[-200:])
    write("bad", lines(*range(600000), "x"))
    leader, follower = pty.openpty()
    with subprocess.Popen([RIBBON, "build", "-k", "integer", "-o", "out", "bad"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=follower) as child:
        os.close(follower)
        shown = read_terminal(leader, child)
    check("a message takes its place", is_blank(shown.partition(b"ribbon: bad:600001: ")[0]), shown[-200:])
    leader, follower = pty.openpty()
    done = subprocess.run([RIBBON, "build", "in"], stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.PIPE,
                          timeout=LIMIT, check=False)
    os.close(follower)
    os.close(leader)
    compare("bytes are not for a terminal", (done.returncode, b"terminal" in done.stderr), (2, True))


if __name__ == "__main__":
    run(check_usage, check_streams, check_terminal)
