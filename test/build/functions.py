#!/usr/bin/python3
"""functions.py - docs/security.md says of every function what it can do

Its table names each function and aggregate of the installation script, by itself or by a pattern as `ribbonkey_*`.
Those that no statement can call, for their arguments or results are `internal`, are a row together.

usage: test/run.sh build/functions
"""

import fnmatch
import glob
import re

from reports import compare, finish

PAGE = "docs/security.md"
CREATED = re.compile(r"^CREATE (?:FUNCTION|AGGREGATE) (\w+)\s*\((.*?)\)\s*(?:RETURNS (\w+))?", re.M | re.S)
# What an aggregate calls; ribbonkeys is a state that all may have, and the page tells of it apart.
OF_AGGREGATES = re.compile(r"_(?:trans|combine|serial|deserial|final)fn$")


def callable_functions(script):
    """The names of the functions of a script that a statement can call."""
    return {name for name, arguments, result in CREATED.findall(script)
            if not re.search(r"\binternal\b", f"{arguments} {result}") and not OF_AGGREGATES.search(name)}


def unnamed(functions, page):
    """Those that the first column of the page's tables does not name."""
    patterns = [pattern for row in re.findall(r"^\|([^|]*)\|", page, re.M) for pattern in re.findall(r"`([\w*]+)`", row)]
    return sorted(name for name in functions if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    for path in sorted(glob.glob("sql/ribbon--*.sql")):
        with open(path, encoding="utf-8") as file:
            functions = callable_functions(file.read())
        compare(f"{PAGE} names each of the {len(functions)} functions of {path}", unnamed(functions, page), [])
    compare("a function that a table does not name is found",
            unnamed(callable_functions("CREATE FUNCTION f_in(cstring)\nRETURNS x AS\nCREATE AGGREGATE g(\n\tanyelement)"),
                    "`g`\n| functions | `g` |\n| `f_*` | |\n"), ["g"])
    finish()


main()
