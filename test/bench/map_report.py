#!/usr/bin/env python3
"""map_report.py - the tables of maps, from what maps.c has measured

usage: test/bench/map_report.py RESULTS [DOCS]

RESULTS/map_sizes.csv and map_times.csv, the latter with the number of the round
in front of each line.
"""

import csv
import re
import statistics
import sys

import report


def sizes(path):
    """For each value bits and rate: sizes, and how many sets' sizes are within the limit."""
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    shown = [10, 100, 1000, 10000, 100000, 1000000, 10000000]
    lines = []
    for bits, fpr in dict.fromkeys((r["value_bits"], r["fpr"]) for r in rows):
        these = {int(r["keys"]): r for r in rows if (r["value_bits"], r["fpr"]) == (bits, fpr)}
        over = [k for k, r in these.items() if float(r["most_bytes"]) > float(r["limit"])]
        worst = max(float(r["most_bytes"]) / float(r["limit"]) for r in these.values())
        cells = [report.number(float(these[k]["bytes"])) if k in these else "" for k in shown]
        within = f"{len(these) - len(over)} of {len(these)}"
        lines.append([f"{bits}, {'none' if fpr == '1' else '1 %'}"] + cells + [within, f"{worst:.4f}"])
    head = ["value bits, check bits"] + [report.number(k) for k in shown]
    return report.table(head + ["sizes within", "most : limit"], lines)


def read_times(path):
    """(library, config, keys) -> column -> figures of the rounds."""
    figures = {}
    with open(path, newline="") as f:
        for line in csv.reader(f):
            columns = figures.setdefault((line[1], line[2], int(line[3])), {})
            names = ("build", "get", "batch", "bits") if len(line) > 7 else ("build", "get", "bits")
            for name, figure in zip(names, line[4:]):
                if figure:
                    columns.setdefault(name, []).append(float(figure))
    return {key: {c: statistics.median(v) for c, v in columns.items()} for key, columns in figures.items()}


def cell(columns, name, digits=1):
    return f"{columns[name]:.{digits}f}" if name in columns else ""


def times(figures):
    lines = []
    for (library, config, keys), columns in figures.items():
        if library != "filter":
            lines.append([f"{library} {config}", report.number(keys)]
                         + [cell(columns, c) for c in ("build", "get", "batch")] + [cell(columns, "bits", 3)])
    return report.table(["map: value bits v, check bits c", "keys", "build, ns/key", "get, ns", "get in batches of 1024",
                         "bits/key"], lines)


def ratios(figures):
    """A map to a filter of as many result bits, and to other libraries' of as many value bits."""
    lines = []
    for (library, config, keys), ours in figures.items():
        if library != "ribbon":
            continue
        value, check = (int(part[1:]) for part in config.split("-"))
        for (other, their_config, their_keys), theirs in figures.items():
            same = their_keys == keys and (
                their_config == f"r{value + check}" if other == "filter" else other != "ribbon" and check == 0
                and re.search(rf"r{value}(\D|$)", their_config))
            if same:
                cells = []
                for mine, their in (("build", "build"), ("get", "get"), ("batch", "get"), ("bits", "bits")):
                    cells.append(f"{ours[mine] / theirs[their]:.{3 if mine == 'bits' else 2}f}"
                                 if mine in ours and their in theirs else "")
                lines.append([f"{config} : {other} {their_config}", report.number(keys)] + cells)
    return report.table(["ours : theirs", "keys", "build", "get", "batch : get", "bits"], lines)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    figures = read_times(f"{sys.argv[1]}/map_times.csv")
    report.publish({"map-sizes": sizes(f"{sys.argv[1]}/map_sizes.csv"), "map-times": times(figures),
                    "map-ratios": ratios(figures)}, sys.argv[2:])


main()
