#!/usr/bin/env python3
"""kernel_report.py - the tables of kernels.sh: each kernel beside others, and beside other libraries

usage: test/bench/kernel_report.py RESULTS [DOCS]

A peer is compared with our filter of its kind and of the kernel that it was compiled for.
"""

import csv
import statistics
import sys

import report
from results import Filter

COLUMNS = ("build", "mixed")


def read(path):
    """(kernel, name, homogeneous, ours?) -> (keys, column) -> round -> figure, in the order measured."""
    filters = {}
    with open(path, newline="") as f:
        for rnd, kernel, library, config, keys, *figures in csv.reader(f):
            said = Filter(library, config)
            figures = dict(zip(("build", "members", "nonmembers", "mixed"), figures))
            measured = filters.setdefault((kernel, said.name, said.homogeneous, said.ours), {})
            for column in COLUMNS:
                measured.setdefault((int(keys), column), {})[rnd] = float(figures[column])
    return filters


def ratio(mine, theirs, place):
    """The median of the ratios within a round, or None."""
    both = [x / theirs[place][r] for r, x in mine.get(place, {}).items() if r in theirs.get(place, {})]
    return statistics.median(both) if both else None


def cells(keys, figure, text):
    return [report.several(*(text(figure((k, c))) for c in COLUMNS)) for k in keys]


def median(measured, place):
    return statistics.median(measured[place].values()) if place in measured else None


def times(filters, keys):
    lines = [
        [f"{name}, {kernel if ours else 'for ' + kernel}"] + cells(keys, lambda p, m=measured: median(m, p), report.figure)
        for (kernel, name, _, ours), measured in sorted(filters.items(), key=lambda item: (not item[0][3], item[0][1]))
    ]
    return report.table(["build / mixed probe, ns"] + [report.number(k) for k in keys], lines)


def ratios(filters, keys):
    lines = []
    for (kernel, name, homogeneous, ours), mine in filters.items():
        for (other, their_name, their_kind, theirs_are_ours), theirs in filters.items():
            slower = theirs_are_ours and name == their_name and other == "portable" != kernel
            peer = not theirs_are_ours and other == kernel and homogeneous == their_kind
            if ours and (slower or peer):
                lines.append([f"{name}, {kernel} : {other if slower else their_name}"]
                             + cells(keys, lambda p, m=mine, t=theirs: ratio(m, t, p), report.ratio))
    return report.table(["build / mixed probe"] + [report.number(k) for k in keys], lines)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    filters = read(f"{sys.argv[1]}/kernels.csv")
    keys = sorted({k for measured in filters.values() for k, _ in measured})
    report.publish({"by-kernel": times(filters, keys), "kernel-ratios": ratios(filters, keys)}, sys.argv[2:])


if __name__ == "__main__":
    main()
