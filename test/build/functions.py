#!/usr/bin/python3
"""functions.py - docs/security.md says of every function what it can do

Its table names each function and aggregate of the installation script, by itself or by a pattern as `ribbonkey_*`.
Those that no statement can call, for their arguments or results are `internal`, are a row together.

Its paragraphs "**STRICT**", "**PARALLEL SAFE**", "**VOLATILE**" and "**STABLE**" name the functions that these tell
apart from most others.  The functions that aggregates call are not named one by one.

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
DEFINED = re.compile(r"^CREATE FUNCTION (\w+)([^;]*)", re.M)
# The functions that a paragraph names, by what the script says of them.
LABELS = {
    "STRICT": lambda said: "STRICT" not in said,
    "PARALLEL SAFE": lambda said: "PARALLEL SAFE" not in said,
    "VOLATILE": lambda said: "STABLE" not in said and "IMMUTABLE" not in said,
    "STABLE": lambda said: "STABLE" in said,
}


def callable_functions(script):
    """The names of the functions of a script that a statement can call."""
    return {name for name, arguments, result in CREATED.findall(script)
            if not re.search(r"\binternal\b", f"{arguments} {result}") and not OF_AGGREGATES.search(name)}


def unnamed(functions, page):
    """Those that the first column of the page's tables does not name."""
    patterns = [pattern for row in re.findall(r"^\|([^|]*)\|", page, re.M) for pattern in re.findall(r"`([\w*]+)`", row)]
    return sorted(name for name in functions if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))


def labelled(script, page):
    """By paragraph: the functions that it should name, and those that it does."""
    functions = [(name, said) for name, said in DEFINED.findall(script) if not OF_AGGREGATES.search(name)]
    names = {name for name, _ in functions}
    for label, belongs in LABELS.items():
        paragraph = (re.search(rf"^\*\*{label}\*\*.*?\n\n", page, re.M | re.S) or [""])[0]
        yield (label, sorted({name for name, said in functions if belongs(said)}),
               sorted(names & set(re.findall(r"`(\w+)`", paragraph))))


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    for path in sorted(glob.glob("sql/ribbon--*.sql")):
        with open(path, encoding="utf-8") as file:
            script = file.read()
        for label, expected, named in labelled(script, page):
            compare(f"{PAGE} names the functions of {path} that {label} is about", named, expected)
        functions = callable_functions(script)
        compare(f"{PAGE} names each of the {len(functions)} functions of {path}", unnamed(functions, page), [])
    compare("a function that a table does not name is found",
            unnamed(callable_functions("CREATE FUNCTION f_in(cstring)\nRETURNS x AS\nCREATE AGGREGATE g(\n\tanyelement)"),
                    "`g`\n| functions | `g` |\n| `f_*` | |\n"), ["g"])
    compare("a function that a paragraph does not name is found, and one that it should not name",
            list(labelled("CREATE FUNCTION f(int) STABLE STRICT PARALLEL SAFE;\nCREATE FUNCTION g(int) IMMUTABLE PARALLEL SAFE;\n",
                          "".join(f"**{label}**: `f`, `h`\n\n" for label in LABELS))),
            [("STRICT", ["g"], ["f"]), ("PARALLEL SAFE", [], ["f"]), ("VOLATILE", [], ["f"]), ("STABLE", ["f"], ["f"])])
    finish()


main()
