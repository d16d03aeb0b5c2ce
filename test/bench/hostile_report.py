#!/usr/bin/env python3
"""hostile_report.py - the table of hostile keys, from what hostile.c has measured

usage: test/bench/hostile_report.py RESULTS [DOCS]

Of all families and rates, the one that takes longest, and the largest.
"""

import csv
import sys

import report


def worst(rows, column):
    row = max(rows, key=lambda r: float(r[column]))
    return f"{float(row[column]):.2f}" + (f" ({row['family']})" if column == "ratio" else "")


def hostile(rows):
    filters = list(dict.fromkeys((r["kind"], r["width"]) for r in rows))
    sizes = list(dict.fromkeys(int(r["keys"]) for r in rows))
    lines = []
    for kind, width in filters:
        line = [f"{'BuRR' if kind == 'burr' else kind} w {width}"]
        for keys in sizes:
            these = [r for r in rows if (r["kind"], r["width"], int(r["keys"])) == (kind, width, keys)]
            line.append(f"{worst(these, 'ratio')}, {worst(these, 'larger')}")
        lines.append(line)
    return report.table(["time, size / those of random keys"] + [f"{report.number(k)} keys" for k in sizes], lines)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(f"{sys.argv[1]}/hostile.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    report.publish({"hostile": hostile(rows)}, sys.argv[2:])


main()
