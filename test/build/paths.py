#!/usr/bin/python3
"""paths.py - the pages name files, chapters and functions that there are

Each `file.c`, or `.py` and so on, with as much of its path as the page gives,
each link to another page, and to a chapter of it or of the same page, and each `ribbon_name`.  Names that stand for
many, such as format_N.txt, are not looked for, nor those of other projects (OTHERS).

usage: test/run.sh build/paths
"""

import glob
import os
import re

from reports import finish, report

PAGES = [*sorted(glob.glob("*.md")), *sorted(glob.glob("docs/**/*.md", recursive=True))]
MENTIONED = re.compile(r"`([\w./-]+\.(?:[ch]|sh|py|pl|pm|mk|sql|out|md|txt))`")
CALLED = re.compile(r"`(ribbon_\w+)`")
LINKED = re.compile(r"\]\(([\w./-]*)(?:#([\w-]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
STANDS_FOR_MANY = re.compile(r"_N\.|--X--")
OTHERS = {"xxhash.h", "math.h"}
SOURCES = ("src/**/*.[ch]", "lib/**/*.[ch]", "sql/*.sql", "clients/**/*.py", "clients/**/*.p[yx][xi]", "clients/**/*.js")


def names():
    """All files, by their paths and the ends of these."""
    found = set()
    for path in glob.glob("**", recursive=True):
        parts = path.split("/")
        if parts[0] != "build":
            found |= {"/".join(parts[begin:]) for begin in range(len(parts))}
    return found


def chapters(text):
    """What links call the chapters of a page."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def called():
    """What the sources call ribbon_..."""
    found = set()
    for path in (path for pattern in SOURCES for path in glob.glob(pattern, recursive=True)):
        with open(path, encoding="utf-8") as file:
            found |= set(re.findall(r"\bribbon_\w+", file.read()))
    return found


def faults(page, text, known, texts):
    """What a page mentions, and there is not; texts are those of all pages, by their paths."""
    mentioned = {name for name in MENTIONED.findall(text) if not STANDS_FOR_MANY.search(name)} - OTHERS
    mentioned |= set(CALLED.findall(text))
    for name, chapter in LINKED.findall(text):
        path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
        mentioned.add(path if not chapter or path not in texts or chapter in chapters(texts[path]) else f"{path}#{chapter}")
    return sorted(mentioned - known - set(texts))


def main():
    known = names() | called()
    texts = {}
    for page in PAGES:
        with open(page, encoding="utf-8") as file:
            texts[page] = file.read()
    for page in PAGES:
        missing = faults(page, texts[page], known, texts)
        report(f"{page} names files and functions that there are", ", ".join(missing) or None)
    made_up = ("`kept.c` `no.c` `ribbon_open` `ribbon_no` [here](nowhere.md#x) [there](testing.md) `src/pg/none.c` `docs/testing.md`"
               " [a](testing.md#what-ribbon_check-is) [b](testing.md#no) [c](#made) [d](#up)\n## Up\n")
    found = faults("docs/made_up.md", made_up, {"kept.c", "ribbon_open", "docs/testing.md"},
                   {"docs/testing.md": "# How\n## What `ribbon_check` is\n", "docs/made_up.md": made_up})
    report("one that is missing is seen",
           None if found == ["docs/made_up.md#made", "docs/nowhere.md", "docs/testing.md#no", "no.c", "ribbon_no", "src/pg/none.c"] else str(found))


if __name__ == "__main__":
    main()
    finish()
