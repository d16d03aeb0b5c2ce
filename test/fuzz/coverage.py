#!/usr/bin/python3
"""Print what share of the lines of each file of the core was executed.

usage: coverage.py DIRECTORY

The directory holds objects compiled with --coverage and what they counted.  A
line of a header counts as executed if it was in any object.  Lines that were
not are listed behind the share.
"""

import collections
import json
import os
import subprocess
import sys


def counts_below(directory):
    """By file and line, how often it was executed in all objects together."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for path, _, names in os.walk(directory):
        for name in names:
            if not name.endswith(".gcno"):
                continue
            out = subprocess.run(["gcov", "--json-format", "--stdout", os.path.join(path, name)],
                                 check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            for text in out.splitlines():
                for source in json.loads(text)["files"]:
                    for line in source["lines"]:
                        counts[source["file"]][line["line_number"]] += line["count"]
    return counts


def missing(lines):
    """The lines not executed, as 3, 7-9."""
    runs = []
    ordered = sorted(lines)
    for number in ordered:
        if lines[number] > 0:
            runs.append(None)
        elif runs and runs[-1] is not None:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in filter(None, runs))


def main():
    counts = counts_below(sys.argv[1])
    total = executed = 0
    for file in sorted(counts):
        if not file.startswith(("src/core/", "src/pg/")):
            continue
        lines = counts[file]
        hit = sum(count > 0 for count in lines.values())
        total += len(lines)
        executed += hit
        print("%6.1f %%  %4d  %s  %s" % (100 * hit / len(lines), len(lines), file, missing(lines)))
    if total == 0:
        sys.exit("no counts in " + sys.argv[1])
    print("%6.1f %%  %4d  in all" % (100 * executed / total, total))


if __name__ == "__main__":
    main()
