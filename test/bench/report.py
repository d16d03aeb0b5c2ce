#!/usr/bin/python3
"""report.py - tables and plots of what was measured

usage: report.py RESULTS PART... | report.py RESULTS docs [DOCS]

Prints the tables of each PART of the results in directory RESULTS, and puts the
plots beside them: core (of run.sh), kernels, hostile, maps, sql (of sql/run.sh).
"docs" takes all parts that have been measured, and writes their tables into
pages of DOCS/developer, each between its lines <!-- begin: NAME --> and
<!-- end: NAME -->, and the plots into DOCS, by default docs.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
from tables_core import core_tables, hostile_tables, kernel_tables
from tables_maps import map_tables
from tables_sql import sql_tables

# Of each part: the file that is there if it was measured, its tables (a list of lines by
# name) from a directory of results, with its plots put into another one, and their page.
PARTS = {
    "core": ("machine.csv", core_tables, "benchmarks"),
    "kernels": ("kernels.csv", kernel_tables, "benchmarks"),
    "hostile": ("hostile.csv", hostile_tables, "benchmarks"),
    "maps": ("map_times.csv", map_tables, "benchmarks"),
    "sql": ("sql_machine.csv", sql_tables, "benchmarks_sql"),
}


def fill_in(text, name, lines):
    """Put lines between the markers of this name."""
    begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"report.py: no place for the table: {begin} ... {end}")
    return pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)


def write(tables, path):
    """Put tables into a page."""
    with open(path) as f:
        text = f.read()
    for name, lines in tables.items():
        text = fill_in(text, name, lines)
    with open(path, "w") as f:
        f.write(text)


def main():
    results, *parts = sys.argv[1:] or sys.exit(__doc__)
    if parts[:1] == ["docs"]:
        docs = parts[1] if len(parts) > 1 else "docs"
        for file, tables, page in PARTS.values():
            if os.path.exists(f"{results}/{file}"):
                write(tables(results, docs), f"{docs}/developer/{page}.md")
        return
    if not parts or not set(parts) <= set(PARTS):
        sys.exit(__doc__)
    for part in parts:
        for name, lines in PARTS[part][1](results, results).items():
            print(f"\n{name}\n", *lines, sep="\n")


if __name__ == "__main__":
    main()
