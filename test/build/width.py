#!/usr/bin/python3
"""width.py - lines are no wider than 80 columns in C, 120 in scripts and text

With tabs of 4.  In C, code is clang-format's business (make format-check), so
only comments are looked at.  What is in quotes is not counted: messages, SQL and
data of tests stay in one piece; but with it, a line that has several strings is
no wider than 150.  Free are tables, code blocks and links of the pages, and
everything in sql/, whose lines expected/ repeats.  But a cell of a table has at
most 300 characters.

usage: test/run.sh build/width
"""

import glob
import re

from reports import finish, report

SCRIPTS = ("Makefile", "*.mk", "lib/**/*.mk", "lib/**/*.sh", "lib/**/*.py", "lib/*.py",
           "test/**/*.mk", "test/**/*.sh", "test/**/*.py", "test/**/*.p[lm]", ".ci/run",
           "packaging/**/*.sh", "packaging/**/*.py", "docs/site/*.sh", "docs/site/*.py", "docs/site/*.js", "docs/site/*.mjs",
           "clients/**/*.js", "clients/**/*.m[jt]s", "clients/**/*.mk", "clients/**/*.py", "clients/**/*.p[yx][xid]")

# patterns, kind, columns
WIDTHS = (
    (("src/**/*.[ch]", "lib/**/*.[ch]", "test/**/*.[ch]", "clients/*/src/**/*.[ch]"), "comments", 80),
    (SCRIPTS, "code", 120),
    (SCRIPTS, "strings", 150),
    (("*.md", "docs/**/*.md", "test/**/*.md"), "text", 120),
    (("*.md", "docs/**/*.md", "test/**/*.md"), "cells", 300),
)

# quotes within a line; then what begins or ends a string of many lines
QUOTED = re.compile(r'''"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*\'''')
TRIPLE = re.compile(r'"""')
HERE = re.compile(r"<<[-~]?(['\"]?)([A-Z]+)\1")


def lines_of_code(lines):
    """Lines, without what a string of many lines has of them."""
    end = None          # of the string that we are in
    for line in lines:
        if end == '"""':
            line, end = ("", end) if end not in line else (line.split(end, 1)[1], None)
        elif end:
            line, end = "", None if line.strip() == end else end
        here = HERE.search(line)
        line = re.sub(r'""".*?"""', '""', line)
        if TRIPLE.search(line):
            line, end = line.split('"""', 1)[0], '"""'
        elif here:
            end = here.group(2)
        yield line


def code_lines(lines):
    """Lines of code, without what is in quotes."""
    for line in lines_of_code(lines):
        yield QUOTED.sub('""', line)


def string_lines(lines):
    """Lines of code with several strings."""
    for line in lines_of_code(lines):
        yield line if len(QUOTED.findall(line)) > 1 else ""


def comment_lines(lines):
    """Lines of C that have a comment in them."""
    inside = False
    for line in lines:
        code = QUOTED.sub('""', line)
        begins = "/*" in code
        yield line if inside or begins else ""
        inside = (inside or begins) and "*/" not in code[code.find("/*") if begins else 0:]


def text_lines(lines):
    """Lines of text, with the words that may be taken to the next line."""
    block = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        block = block != fence
        if block or fence or line.startswith(("|", "#", "    ")):
            line = ""
        yield line if " " in line.strip() else ""


def cells(lines):
    """Of each row of a table the longest cell."""
    for line in lines:
        yield max(line.split("|"), key=len) if line.startswith("|") else ""


KINDS = {"cells": cells, "code": code_lines, "comments": comment_lines, "strings": string_lines, "text": text_lines}


def too_wide(lines, kind, columns):
    """The numbers of the lines that are."""
    return [number for number, line in enumerate(KINDS[kind](lines), 1)
            if len(line.rstrip().expandtabs(4)) > columns]


def check_tree():
    for patterns, kind, columns in WIDTHS:
        faults = []
        for path in sorted({path for pattern in patterns for path in glob.glob(pattern, recursive=True)}):
            with open(path, encoding="utf-8") as file:
                faults += [f"{path}:{number}" for number in too_wide(file.read().split("\n"), kind, columns)]
        for fault in faults:
            print(f"# {fault}")
        report(f"{columns} columns: {', '.join(patterns)}", f"{len(faults)} lines are wider" if faults else None)


def check_made_up():
    wide = 30 * "word "
    for name, kind, lines, expected in (
            ("code", "code", ["x = 1;", wide, f'x = "{wide}";', f'{wide} "x";', '"""', wide, '"""' + wide], [2, 4, 7]),
            ("code after a long string", "code", ["cat <<END", wide, "END", wide, f"x = '''{wide}'''"], [4]),
            ("strings", "strings", [f'x = "{wide}";', f'x = "{wide}", "";', f"x = 'y', '{wide[:100]}'"], [2]),
            ("tabs", "code", ["\t" * 29 + "x", "\t" * 31 + "x"], [2]),
            ("comments", "comments", [f"/* {wide} */", wide, "/* a", wide, " */", wide, f'"/*" {wide}'], [1, 4]),
            ("cells", "cells", [f"| a | {wide} |", f"| {wide[:50]} | {wide[:70]} |", wide], [1]),
            ("text", "text", [wide, f"| {wide} |", "```", wide, "```", wide, "x" * 200], [1, 6])):
        found = too_wide(lines, kind, 120)
        report(f"made up: {name}", None if found == expected else f"lines {found}, not {expected}")


if __name__ == "__main__":
    check_tree()
    check_made_up()
    finish()
