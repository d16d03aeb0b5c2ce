#!/usr/bin/python3
"""goals.py - what was measured of each goal for speed, and whether it is met

usage: goals.py RESULTS

Reads what "make bench-goals" has put into directory RESULTS: goal_probes.csv
(lines of probes.c), goal_kernels.csv (run.sh kernels) and sql.csv (its section
"goals"), and prints a line for each goal: what is compared, on which kernel,
numbers of keys, the ratios (medians of those within a round), and the ratios
aimed at.  Figures that were not measured are "-".
"""

import csv
import sys

sys.dont_write_bytecode = True
from figures import Rounds
from tables_sql import Figures

KEYS = {3: "10^3", 4: "10^4", 5: "10^5", 6: "10^6", 7: "10^7", 8: "10^8"}

# In probes.c's words, or "COLUMN OURS : THEIRS" of lines of engine.c.
CORE = (
    ("single:homogeneous", "avx512", {3: 2.0, 4: 1.9, 5: 1.5}),
    ("single:homogeneous", "avx2", {3: 1.7, 4: 1.6, 5: 1.3}),
    ("batch:single", "avx512", {3: 0.5, 4: 0.5, 5: 0.55, 6: 0.6}),
    ("batch:single", "avx2", {3: 0.75, 4: 0.75, 5: 0.75, 6: 0.75, 7: 0.5}),
    ("mixed burr : fuse8", "avx2", {4: 2.2, 5: 1.9, 6: 1.6, 7: 0.9}),
    ("mixed burr : fuse8", "avx512", {4: 2.0, 5: 1.6, 6: 1.3, 7: 0.7}),
    ("build burr : fuse8", "avx2", {4: 2.4, 5: 1.25, 6: 0.85, 7: 0.36}),
    ("build burr : fuse8", "avx512", {3: 1.7, 4: 1.2, 5: 0.8, 6: 0.75}),
    ("build homogeneous : pleat", "avx2", {4: 0.9, 6: 0.7, 7: 0.5}),
    ("batch:memory", "avx512", {7: 1.25, 8: 1.25}),
    ("batch:memory", "avx2", {7: 1.25, 8: 1.25}),
)
SQL = (
    ("build : count(k)", {"build, 4MB": 1.7, "build, 256MB": 1.7}),
    ("groups : array_agg", {"groups of 10": 1.0, "groups of 100": 1.0}),
    ("rows by the page : x > 0", {"pages, large": 1.0, "pages, huge": 1.5}),
)


def probes(path):
    """(kernel, measure, keys) -> the median."""
    with open(path, newline="") as f:
        return {(kernel, measure, int(keys)): float(middle) for kernel, keys, measure, middle, *_ in csv.reader(f)}


def kernels(path):
    """Of (kernel, name, keys, column); ours go by their kind."""
    figures = Rounds()
    with open(path, newline="") as f:
        for rnd, kernel, library, config, keys, build, _, _, mixed, *_ in csv.reader(f):
            name = config.split("-")[0] if library == "ribbon" else library
            for column, figure in (("build", build), ("mixed", mixed)):
                figures.add((kernel, name, int(keys), column), rnd, figure)
    return figures


def within(figures, measure, kernel, keys):
    column, ours, _, theirs = measure.split()
    return figures.ratio((kernel, ours, keys, column), (kernel, theirs, keys, column))


def line(measure, kernel, names, values, goals):
    def text(x):
        return "-" if x is None else f"{x:.2f}"

    missed = [name for name, x, goal in zip(names, values, goals) if x is None or round(x, 2) > goal]
    verdict = "met" if not missed else "missed: " + ", ".join(missed)
    print(" | ".join([measure, kernel, ", ".join(names), ", ".join(map(text, values)), ", ".join(map(str, goals)), verdict]))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asked = probes(f"{sys.argv[1]}/goal_probes.csv")
    timed = kernels(f"{sys.argv[1]}/goal_kernels.csv")
    sql = Figures(sys.argv[1])
    print("measure | kernel | keys | ratios | goals | verdict")
    for measure, kernel, goals in CORE:
        values = [asked.get((kernel, measure, 10**e)) if " " not in measure else within(timed, measure, kernel, 10**e)
                  for e in goals]
        line(measure, kernel, [KEYS[e] for e in goals], values, goals.values())
    for measure, goals in SQL:
        values = [sql.ratio("goals", case, "ours", "other") for case in goals]
        line(measure, "best", list(goals), values, goals.values())


if __name__ == "__main__":
    main()
