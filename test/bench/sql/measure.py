#!/usr/bin/python3
"""measure.py - measure the extension, as a user of SQL sees it

usage: measure.py DIRECTORY ROWS

To be run by run.sh, on a server that is empty.  Writes to DIRECTORY:

	sql.csv			what was measured, one figure a line:
		round		which time it was measured
		section		one of SECTIONS
		case		what of: a type of key, a size, a setting
		what		the query or way
		count		keys, rows, filters or probes it is of
		unit		of the figure: ms, MB, blocks, ...
		figure		empty if there is none
		note		why there is none, or what to know about it
	sql_machine.csv	what it ran on, and for how long

and what it measures to standard output while it runs.  A statement that fails
or takes too long leaves a note, and the run goes on.  Within a section all ways
are measured in turn, time after time, so that figures of the same round may be
compared; those of different rounds, sections or runs may not.
"""

import csv
import math
import os
import platform
import sys
import time
import traceback

sys.dont_write_bytecode = True
import building
import goals
import maps
import probing
import scanning
from data import Data
from server import Session

SECTIONS = {
    "build": building.Build,
    "memory": building.Memory,
    "parallel": building.Parallel,
    "groups": building.Groups,
    "huge": building.Huge,
    "goals": goals.Goals,
    "cancel": building.Cancel,
    "forms": probing.Forms,
    "pages": scanning.Pages,
    "shares": probing.Shares,
    "types": probing.Types,
    "semijoin": probing.SemiJoin,
    "several": probing.Several,
    "many": probing.Many,
    "big": probing.Big,
    "arrays": probing.Arrays,
    "filter-arrays": probing.FilterArrays,
    "map-build": maps.MapBuild,
    "map-rows": maps.MapRows,
    "map-many": maps.ManyMaps,
}
COLUMNS = ("round", "section", "case", "what", "count", "unit", "figure", "note")


class Bench:
    """What sections measure with, and where they put their figures."""

    def __init__(self, directory, rows, kept):
        self.rows = rows
        self.rounds = rounds()
        self.timeout = os.environ.get("BENCH_SQL_TIMEOUT") or f"{max(20, rows // 100000)}s"
        self.huge = int(float(os.environ.get("BENCH_SQL_HUGE") or 0))
        self.section = self.round = None
        self.hopeless = {}
        self.file = open(f"{directory}/sql.csv", "w", newline="")
        self.writer = csv.writer(self.file, lineterminator="\n")
        self.writer.writerows([COLUMNS, *kept])
        self.echo = csv.writer(sys.stdout, lineterminator="\n")
        self.admin = Session()
        self.data = Data(self.admin, rows)

    def _write(self, line):
        for writer in (self.writer, self.echo):
            writer.writerow(line)
        self.file.flush()
        sys.stdout.flush()

    def session(self, timeout=None, **settings):
        """A new session that knows the extension already."""
        session = Session(timeout=timeout or self.timeout, **settings)
        session.do("SELECT ribbon_build(i) @> 1 FROM generate_series(1, 100) i")
        return session

    def record(self, case, what, count, unit, figure, note=""):
        if figure is not None:
            figure = f"{figure:.6g}"
        self._write((self.round, self.section, case, what, count, unit, figure, note))

    def time(self, session, case, what, count, sql, note=""):
        """Measure and record the time of a statement; return its result.

        Of one that has failed, or was too slow, once is enough.
        """
        key = (self.section, case, what, count)
        if key in self.hopeless:
            return self.hopeless[key]
        result = session.run(sql)
        self.record(case, what, count, "ms", result.ms, result.error or note)
        if result.error:
            self.hopeless[key] = result
        return result

    def run(self, name):
        """All rounds of a section.  What goes wrong in it stops it alone."""
        self.section, self.round = name, 0
        start = time.monotonic()
        tables = set(self.data.made)
        try:
            section = SECTIONS[name](self)
            for self.round in range(1, self.rounds + 1):
                section.measure()
        except RuntimeError as error:
            traceback.print_exc()
            self.record("", "", 0, "", None, str(error).split("\n", 1)[0])
        self.data.drop(*(t for t in self.data.made - tables if not t.startswith("keys_")))
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)


def rounds():
    return int(os.environ.get("BENCH_SQL_ROUNDS") or 3)


def earlier(directory, rows, names):
    """Lines of an earlier run like this one that are not measured again, and its seconds."""
    try:
        with open(f"{directory}/sql_machine.csv") as f:
            machine = dict(line.rstrip("\n").split(",", 1) for line in f)
        with open(f"{directory}/sql.csv", newline="") as f:
            lines = [line for line in csv.reader(f) if line[1] not in ("section", *names)]
    except OSError:
        return [], 0
    if not lines or (int(machine["rows"]), int(machine["rounds"])) != (rows, rounds()):
        return [], 0
    return lines, int(machine["seconds"])


def machine(bench, seconds):
    """Where this was measured: "name,value" lines."""
    cpu = platform.machine()
    try:
        with open("/proc/cpuinfo") as f:
            cpu = next((l.split(":", 1)[1].strip() for l in f if l.startswith("model name")), cpu)
    except OSError:
        pass
    yield "cpu", cpu
    yield "cpus", os.cpu_count()
    for name in ("server_version", "shared_buffers"):
        yield name, bench.admin.do(f"SHOW {name}").value
    yield "rows", bench.rows
    yield "rounds", bench.rounds
    yield "seconds", math.ceil(seconds)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: measure.py DIRECTORY ROWS")
    directory, rows = sys.argv[1], int(sys.argv[2])
    names = (os.environ.get("BENCH_SQL_ONLY") or " ".join(SECTIONS)).split()
    if not set(names) <= set(SECTIONS):
        sys.exit(f"measure.py: sections are {', '.join(SECTIONS)}")
    if rows < 100000:
        sys.exit("measure.py: at least 100000 rows, please")

    start = time.monotonic()
    kept, seconds = earlier(directory, rows, names)
    bench = Bench(directory, rows, kept)
    for name in names:
        bench.run(name)
    with open(f"{directory}/sql_machine.csv", "w") as f:
        for name, value in machine(bench, seconds + time.monotonic() - start):
            f.write(f"{name},{value}\n")


if __name__ == "__main__":
    main()
