#!/usr/bin/python3
"""release.py - which version this is, and the day of its release, as every file says them

usage: packaging/release.py [DIRECTORY]
       packaging/release.py [DIRECTORY] YYYY-MM-DD

Of the tree in DIRECTORY (here), whose META.json says the version.  The first prints what
its files say, and fails, with a line for each that says something else.  The second
writes the day into them: from then on that version is released.  Until then

    CHANGELOG.md                says "(unreleased)" instead of the day
    debian/changelog            is of UNRELEASED; its date is that of the files of make dist
    packaging/rpm/ribbon.spec   has no entry in its changelog
    META.json                   has the release_status "testing"
    README.md                   says NOT_YET, if nothing else was released; whoever releases must replace that
"""

import re
import sys
from datetime import datetime, timezone
from pathlib import Path

WHO = "the ribbon authors <ribbon@example.org>"
NOT_YET = "Nothing is published yet"

# Where else the version is, as it stands there.
VERSIONS = {
    "packaging/rpm/ribbon.spec": r"^Version: +(\S+)$",
    "packaging/nix/default.nix": r'^ *version = "(.*)";$',
    "packaging/homebrew/ribbon.rb": r"/ribbon-([\d.]+)\.tar\.gz",
    "packaging/container/metadata.hcl": r'^ *"18" = "(.*)"$',
    "packaging/container/cluster.yaml": r"ribbon:(\d+\.\d+\.\d+)",
    "packaging/catalogue.csv": r",(\d+\.\d+\.\d+),",
    "clients/js/package.json": r'^\s*"version": "(.*)",$',
    "clients/python/ribbonfilter/__init__.py": r'^__version__ = "(.*)"$',
    "debian/changelog": r"\Aribbon \((.*)-\d+\) ",
    "CHANGELOG.md": r"^## (\S+) \(",
}


class Tree:
    def __init__(self, directory):
        self.directory = Path(directory)
        self.version = self.find("META.json", r'^   "version": "(.*)",$')

    def text(self, name):
        return (self.directory / name).read_text(encoding="utf-8")

    def find(self, name, pattern):
        """What the first match's group is in a file; None without one."""
        found = re.search(pattern, self.text(name), re.M)
        return found and found.group(1)

    def replace(self, name, pattern, by):
        text, n = re.subn(pattern, lambda match: by, self.text(name), count=1, flags=re.M)
        if n != 1:
            sys.exit(f"release: {name} has not {pattern}")
        (self.directory / name).write_text(text, encoding="utf-8")

    def day(self):
        """YYYY-MM-DD, or None: not released; of anything else, what stands there."""
        said = self.find("CHANGELOG.md", rf"^## {re.escape(self.version)} \((.*)\)$")
        return None if said == "unreleased" else said or "no day"

    def date(self):
        """What the files of make dist are dated: the release, or as long as there is none debian/changelog's entry."""
        if self.day():
            return datetime.strptime(self.day(), "%Y-%m-%d").replace(tzinfo=timezone.utc)
        return datetime.strptime(self.find("debian/changelog", r"^ -- .*>  (.*)$"), "%a, %d %b %Y %H:%M:%S %z").astimezone(timezone.utc)


def faults(tree):
    """What files say that others do not, a line each."""
    for name, pattern in VERSIONS.items():
        version = tree.find(name, pattern)
        if version != tree.version:
            yield f"{name} is of {version}, META.json of {tree.version}"
    day = tree.day()
    if day and not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
        yield f"CHANGELOG.md: {day} instead of a day or (unreleased)"
        return
    when = datetime.strptime(day, "%Y-%m-%d") if day else None
    expected = {
        ("META.json", r'^   "release_status": "(.*)",$'): "stable" if day else "testing",
        ("debian/changelog", r"\A\S+ \S+ (\S+);"): "unstable" if day else "UNRELEASED",
        ("packaging/rpm/ribbon.spec", rf"^\* (\w+ \w+ \d+ \d+) .* - {re.escape(tree.version)}-"): f"{when:%a %b %d %Y}" if day else None,
        ("README.md", f"({NOT_YET})"): None if tree.find("CHANGELOG.md", r"^## \S+ \((\d.*)\)$") else NOT_YET,
    }
    if day:
        expected["debian/changelog", r"^ -- .*>  \w+, (\d+ \w+ \d+)"] = f"{when:%d %b %Y}"
    for (name, pattern), what in expected.items():
        found = tree.find(name, pattern)
        if found != what:
            yield f"{name} says {found} instead of {what}, by CHANGELOG.md's {day or '(unreleased)'}"


def release(tree, day):
    when = datetime.strptime(day, "%Y-%m-%d")
    if tree.day():
        sys.exit(f"release: {tree.version} was released on {tree.day()}")
    tree.replace("CHANGELOG.md", rf"^## {re.escape(tree.version)} \(unreleased\)$", f"## {tree.version} ({day})")
    tree.replace("META.json", r'"release_status": "testing"', '"release_status": "stable"')
    tree.replace("debian/changelog", "UNRELEASED", "unstable")
    tree.replace("debian/changelog", r"^ -- .*$", f" -- {WHO}  {when:%a, %d %b %Y} 00:00:00 +0000")
    tree.replace("packaging/rpm/ribbon.spec", r"^%changelog\n",
                 f"%changelog\n* {when:%a %b %d %Y} {WHO} - {tree.version}-1PGDG\n- Release {tree.version}\n")


def main():
    arguments = sys.argv[1:]
    day = arguments.pop() if arguments and re.fullmatch(r"\d{4}-\d\d-\d\d", arguments[-1]) else None
    tree = Tree(arguments[0] if arguments else Path(__file__).parents[1])
    if day:
        release(tree, day)
    found = list(faults(tree))
    print(f"{tree.version}, {tree.day() or 'unreleased'}", *found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
