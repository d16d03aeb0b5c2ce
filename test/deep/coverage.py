#!/usr/bin/python3
"""Tables of the lines, branches and conditions that tests have executed.

usage: coverage.py LLVM_COV DIRECTORY

DIRECTORY is what coverage.sh has made: of each part a merged profile, and the names
of the objects that clang compiled with -fcoverage-mapping -fcoverage-mcdc, which
LLVM_COV reads.  Prints a table per folder; writes files.txt, the same per file,
missing.txt, which names each line, branch and condition that no test has reached,
and index.html.

A function of a header, or one that is compiled once per kernel, counts once: a
branch of it is taken if it is in any of its copies.
"""

import collections
import html
import json
import os
import subprocess
import sys

KINDS = ("lines", "branches", "MC/DC")
PARTS = {"core": ("src/core/",), "lib": ("lib/src/", "lib/command/"), "server": ("src/pg/",)}


class File:
    """What could be reached of a file, and whether it was."""

    def __init__(self, path, tree):
        copy = os.path.join(tree, path)  # from which it was compiled, if there is one
        with open(copy if os.path.exists(copy) else path, encoding="utf-8") as source:
            self.text = source.read().split("\n")
        self.lines = {}
        self.branches = collections.defaultdict(int)  # by place and outcome
        self.conditions = collections.defaultdict(bool)  # by place and number

    def reached(self):
        """(reached, all) of each of KINDS."""
        return [(sum(map(bool, of.values())), len(of)) for of in (self.lines, self.branches, self.conditions)]

    def quoted(self, place):
        line, column, last_line, last_column = place
        if line == last_line:
            return self.text[line - 1][column - 1:last_column - 1]
        return self.text[line - 1][column - 1:].strip() + " ..."

    def missing(self):
        """What was not reached: (line, text)."""
        for line, count in self.lines.items():
            if count == 0:
                yield line, "line: " + self.text[line - 1].strip()
        for (place, outcome), count in self.branches.items():
            if count == 0:
                yield place[0], "never %s: %s" % (str(outcome).lower(), self.quoted(place))
        for (place, number), shown in self.conditions.items():
            if not shown:
                yield place[0], "condition %d alone decides never: %s" % (number + 1, self.quoted(place))


def export(command, profile, objects, form):
    more = [argument for path in objects[1:] for argument in ("-object", path)]
    return subprocess.run([command, "export", "-format=" + form, "-instr-profile=" + profile, objects[0], *more],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def covered(command, profile, objects, roots, tree):
    """File by path, below some folders; tree is a copy of the sources, as they were when it began."""
    files = {}

    def file_of(path):
        path = os.path.relpath(path)
        if not path.startswith(roots) or not any(os.path.exists(os.path.join(top, path)) for top in (".", tree)):
            return None
        if path not in files:
            files[path] = File(path, tree if roots != PARTS["core"] else ".")
        return files[path]

    file = None
    for line in export(command, profile, objects, "lcov").splitlines():
        if line.startswith("SF:"):
            file = file_of(line[3:])
        elif line.startswith("DA:") and file is not None:
            number, count = line[3:].split(",")[:2]
            file.lines[int(number)] = int(count)

    for function in json.loads(export(command, profile, objects, "text"))["data"][0]["functions"]:
        for *place, on_true, on_false, file_id, _, _ in function["branches"]:
            file = file_of(function["filenames"][file_id])
            if file is not None:
                file.branches[tuple(place), True] += on_true
                file.branches[tuple(place), False] += on_false
        for *place, file_id, _, shown in function["mcdc_records"]:
            file = file_of(function["filenames"][file_id])
            if file is None or place[2] > len(file.text):  # the place is in a macro of another file
                continue
            for number, alone in enumerate(shown):
                file.conditions[tuple(place), number] |= alone
    return files


def table(names_and_files):
    """A line per name, with the shares of its files."""
    yield "%-40s %19s %19s %19s" % (("",) + KINDS)
    for name, files in names_and_files:
        line = "%-40s" % name
        for kind in zip(*(file.reached() for file in files)):
            reached, of = map(sum, zip(*kind))
            line += " %7.2f %% %4d/%-5d" % (100 * reached / of if of else 100, reached, of)
        yield line.rstrip()


def page(parts):
    """The table per file as HTML; each name leads to the source."""
    yield "<!DOCTYPE html><meta charset=utf-8><title>ribbon: coverage</title>"
    yield "<style>td { text-align: right; padding: 0 1em } td:first-child { text-align: left }</style>"
    yield "<table><tr><th>%s</tr>" % "<th>".join(("file",) + KINDS)
    for part, files in parts.items():
        for path, file in sorted(files.items()):
            source = "%s/html/coverage%s.html" % (part, os.path.abspath(path))
            cells = ["%.2f %% of %d" % (100 * reached / of, of) if of else "" for reached, of in file.reached()]
            yield "<tr><td><a href='%s'>%s</a><td>%s</tr>" % (
                html.escape(source), html.escape(path), "<td>".join(cells))
    yield "</table>"


def main():
    command, directory = sys.argv[1:]
    parts = {}
    rows = []
    everything = {}
    for part, roots in PARTS.items():
        if not os.path.exists(os.path.join(directory, part, "objects")):
            continue
        with open(os.path.join(directory, part, "objects"), encoding="utf-8") as names:
            objects = names.read().splitlines()
        profile = os.path.join(directory, part, "profile")
        files = covered(command, profile, objects, roots, os.path.join(directory, "tree"))
        if not files:
            sys.exit("nothing of %s has been counted" % part)
        folders = collections.defaultdict(list)
        for path in sorted(files):
            folders[os.path.dirname(path)].append(files[path])
        rows += [*folders.items(), (part + " in all", list(files.values()))]
        parts[part] = files
        everything.update(files)

    def write(name, lines):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as out:
            print(*lines, sep="\n", file=out)

    write("files.txt", [*table(rows), "", *table((path, [everything[path]]) for path in sorted(everything))])
    write("missing.txt", ["%s:%d: %s" % (path, line, text) for path in sorted(everything)
                          for line, text in sorted(everything[path].missing())])
    write("index.html", page(parts))
    print(*table(rows), sep="\n")


if __name__ == "__main__":
    main()
