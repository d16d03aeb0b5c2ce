"""server.py - a session of psql to measure with, and the memory of its backend

The server is the one that test/lib/cluster.sh has started.  Times are psql's own,
of one statement from sending it to having its result.
"""

import json
import re
import subprocess
import threading
import time

END = "--end of result--"


class Result:
    """What a statement gave: rows of text, its time, and its error if it failed."""

    def __init__(self, lines, status):
        failed, sqlstate = status
        times = [l for l in lines if l.startswith("Time: ")]
        self.ms = float(times[-1].split()[1]) if times else None
        self.rows = [l.split("\t") for l in lines if not l.startswith("Time: ")]
        self.error = None
        if failed == "true":
            text = next((l for l in lines if re.search("(ERROR|FATAL|PANIC): ", l)), "failed")
            self.error = f"{sqlstate} {text.split(':  ', 1)[-1]}"
            self.ms = None

    @property
    def value(self):
        return self.rows[0][0] if self.rows and not self.error else None


class Session:
    """One backend, with its settings: a dictionary."""

    def __init__(self, timeout="0", **settings):
        self.psql = subprocess.Popen(
            ["psql", "-X", "-q", "-A", "-t", "-F", "\t"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.psql.stdin.write("\\set VERBOSITY terse\n\\timing on\n")
        self.do("SET client_min_messages = warning")
        self.pid = int(self.do("SELECT pg_backend_pid()").value)
        for name, value in {"statement_timeout": timeout, **settings}.items():
            self.do(f"SET {name} = '{value}'")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.psql.stdin.close()
        self.psql.wait()

    def send(self, sql):
        self.psql.stdin.write(f"{sql}\n;\n\\echo {END} :ERROR :SQLSTATE\n")
        self.psql.stdin.flush()

    def receive(self):
        lines = []
        for line in self.psql.stdout:
            line = line.rstrip("\n")
            if line.startswith(END):
                return Result(lines, line[len(END) :].split())
            lines.append(line)
        raise ConnectionError("\n".join(["the server has gone away"] + lines))

    def run(self, sql):
        """Run a statement that may fail."""
        self.send(sql)
        return self.receive()

    def do(self, sql):
        """Run a statement that must not fail."""
        result = self.run(sql)
        if result.error:
            raise RuntimeError(f"{result.error}\nin: {sql}")
        return result

    def explain(self, sql, options="ANALYZE, BUFFERS, TIMING OFF"):
        """The plan as PostgreSQL's JSON, or the error."""
        result = self.run(f"EXPLAIN ({options}, FORMAT JSON) {sql}")
        if result.error:
            return None, result.error
        return json.loads("\n".join("\t".join(row) for row in result.rows))[0], None

    def temp_bytes(self):
        """Bytes of temporary files so far, of all sessions that have told."""
        self.do("SELECT pg_stat_force_next_flush()")
        sql = "SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()"
        return int(self.do(sql).value)


def nodes(plan):
    """All nodes of a plan."""
    plan = plan.get("Plan", plan)
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def private_memory(pid):
    """Bytes of memory that are the process's own (Linux), or None."""
    try:
        with open(f"/proc/{pid}/status") as f:
            found = re.search(r"^RssAnon:\s+(\d+) kB", f.read(), re.MULTILINE)
    except OSError:
        return None
    return int(found.group(1)) * 1024 if found else None


class PeakMemory:
    """Look at a process's memory every other millisecond: with PeakMemory(pid) as m."""

    def __init__(self, pid):
        self.pid = pid
        self.start = self.peak = private_memory(pid)
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self.done.wait(0.002):
            now = private_memory(self.pid)
            if now is not None and self.peak is not None:
                self.peak = max(self.peak, now)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()

    @property
    def grown(self):
        """Bytes that the process had at most beyond those it began with."""
        return None if self.peak is None else self.peak - self.start


def cancel_delay(session, canceller, sql, moment):
    """Milliseconds from a cancel, so many seconds into a statement, to its end.

    None if the statement was over before.
    """
    session.send(sql)
    time.sleep(moment)
    asked = time.perf_counter()
    canceller.do(f"SELECT pg_cancel_backend({session.pid})")
    result = session.receive()
    delay = 1000 * (time.perf_counter() - asked)
    # A cancel that comes late must not hit what is run next.
    if not result.error:
        session.run("SELECT pg_sleep(0.01)")
        return None
    if not result.error.startswith("57014"):
        raise RuntimeError(f"{result.error}\nin: {sql}")
    return delay
