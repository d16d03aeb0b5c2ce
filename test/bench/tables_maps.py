"""tables_maps.py - of maps: what maps.c has measured, read back, and its tables"""

import csv
import re

from figures import Rounds, number, table


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
        cells = [number(float(these[k]["bytes"])) if k in these else "" for k in shown]
        within = f"{len(these) - len(over)} of {len(these)}"
        lines.append([f"{bits}, {'none' if fpr == '1' else '1 %'}"] + cells + [within, f"{worst:.4f}"])
    head = ["value bits, check bits"] + [number(k) for k in shown]
    return table(head + ["sizes within", "most : limit"], lines)


def read_times(path):
    """Of (library, config, keys, column), from lines of maps.c behind the number of the round."""
    figures = Rounds()
    with open(path, newline="") as f:
        for line in csv.reader(f):
            names = ("build", "get", "batch", "bits") if len(line) > 7 else ("build", "get", "bits")
            for name, text in zip(names, line[4:]):
                figures.add((line[1], line[2], int(line[3]), name), line[0], text)
    return figures


def measured(figures):
    """(library, config, keys), in the order measured."""
    return dict.fromkeys(what[:3] for what in figures.rounds)


def cell(x, digits=1):
    return "" if x is None else f"{x:.{digits}f}"


def times(figures):
    rows = []
    for what in measured(figures):
        library, config, keys = what
        if library != "filter":
            rows.append([f"{library} {config}", number(keys)]
                        + [cell(figures.median((*what, c))) for c in ("build", "get", "batch")]
                        + [cell(figures.median((*what, "bits")), 3)])
    return table(["map: value bits v, check bits c", "keys", "build, ns/key", "get, ns", "get in batches of 1024",
                  "bits/key"], rows)


def ratios(figures):
    """A map to a filter of as many result bits, and to other libraries' of as many value bits."""
    rows = []
    for ours in measured(figures):
        library, config, keys = ours
        if library != "ribbon":
            continue
        value, check = (int(part[1:]) for part in config.split("-"))
        for theirs in measured(figures):
            other, their_config, their_keys = theirs
            same = their_keys == keys and (
                their_config == f"r{value + check}" if other == "filter" else other != "ribbon" and check == 0
                and re.search(rf"r{value}(\D|$)", their_config))
            if same:
                columns = (("build", "build", 2), ("get", "get", 2), ("batch", "get", 2), ("bits", "bits", 3))
                rows.append([f"{config} : {other} {their_config}", number(keys)]
                            + [cell(figures.ratio((*ours, mine), (*theirs, their)), digits)
                               for mine, their, digits in columns])
    return table(["ours : theirs", "keys", "build", "get", "batch : get", "bits"], rows)


def map_tables(directory, _):
    figures = read_times(f"{directory}/map_times.csv")
    return {"map-sizes": sizes(f"{directory}/map_sizes.csv"), "map-times": times(figures), "map-ratios": ratios(figures)}
