#!/usr/bin/python3
"""links.py - pages in packages have no links that lead nowhere

usage: test/deb/links.py DIRECTORY

Unpacks each package of DIRECTORY, prints the links that lead to no file in it,
and fails if there are any, or no page at all.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile


def dead_links(page):
    with open(page, encoding="utf-8") as file:
        targets = re.findall(r'(?:href|src)="([^"#]+)' if page.endswith(".html") else r"\]\(([^()\s#]+)", file.read())
    return [target for target in targets
            if not re.match("[a-z]+:", target) and not os.path.exists(os.path.join(os.path.dirname(page), target))]


def main():
    pages = dead = 0
    for package in sorted(glob.glob(f"{sys.argv[1]}/*.deb")):
        with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
            subprocess.run(["dpkg-deb", "-x", package, directory], check=True)
            for page in sorted(glob.glob(f"{directory}/usr/share/doc/**/*.md", recursive=True) +
                               glob.glob(f"{directory}/usr/share/doc/**/*.html", recursive=True)):
                pages += 1
                for target in dead_links(page):
                    dead += 1
                    print(f"{os.path.relpath(page, directory)}: {target}")
    print(f"{pages} pages, {dead} dead links")
    sys.exit(dead > 0 or pages == 0)


if __name__ == "__main__":
    main()
