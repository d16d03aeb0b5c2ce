#!/usr/bin/python3
"""paths.py - the pages name files that there are

Each `file.c`, or `.py` and so on, with as much of its path as the page gives,
and each link to another page.  Names that stand for many, such as format_N.txt,
are not looked for, nor those of other projects (OTHERS).

usage: test/run.sh build/paths
"""

import glob
import os
import re

from reports import finish, report

PAGES = [*sorted(glob.glob("*.md")), *sorted(glob.glob("docs/**/*.md", recursive=True))]
MENTIONED = re.compile(r"`([\w./-]+\.(?:[ch]|sh|py|pl|pm|mk|sql|out|md|txt))`")
LINKED = re.compile(r"\]\(([\w./-]+)(?:#[\w-]*)?\)")
STANDS_FOR_MANY = re.compile(r"_N\.|--X--")
OTHERS = {"xxhash.h", "math.h"}


def names():
    """All files, by their paths and the ends of these."""
    found = set()
    for path in glob.glob("**", recursive=True):
        parts = path.split("/")
        if parts[0] != "build":
            found |= {"/".join(parts[begin:]) for begin in range(len(parts))}
    return found


def faults(page, text, known):
    """What a page mentions, and there is not."""
    mentioned = {name for name in MENTIONED.findall(text) if not STANDS_FOR_MANY.search(name)} - OTHERS
    linked = {os.path.normpath(os.path.join(os.path.dirname(page), name)) for name in LINKED.findall(text)}
    return sorted((mentioned | linked) - known)


def main():
    known = names()
    for page in PAGES:
        with open(page, encoding="utf-8") as file:
            missing = faults(page, file.read(), known)
        report(f"{page} names files that there are", ", ".join(missing) or None)
    made_up = "`kept.c` `no.c` [here](nowhere.md#x) [there](testing.md) `src/pg/none.c` `docs/testing.md`"
    found = faults("docs/made_up.md", made_up, {"kept.c", "docs/testing.md"})
    report("one that is missing is seen",
           None if found == ["docs/nowhere.md", "no.c", "src/pg/none.c"] else str(found))


if __name__ == "__main__":
    main()
    finish()
