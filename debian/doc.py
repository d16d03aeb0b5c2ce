#!/usr/bin/python3
"""doc.py - the pages of the site as plain HTML: no search, no script, nothing from elsewhere

usage: debian/doc.py FOLDER

The same texts as "make site" shows (docs/site/pages.py), but for its start page and the page that needs the core as
WebAssembly: links to these two become plain text.
"""

import os
import re
import shutil
import sys

import markdown

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "site"))
sys.dont_write_bytecode = True

from pages import NAV, pages, title_of  # noqa: E402
from slugs import github  # noqa: E402
from sources import TOP, paths  # noqa: E402

FIRST = "readme.md"
STYLE = """body { max-width: 60rem; margin: 1rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif }
nav { font-size: .85rem } img { max-width: 100%; background: #fff } table { border-collapse: collapse }
th, td { border: 1px solid #bbb; padding: .2rem .5rem; text-align: left; vertical-align: top }
pre { overflow-x: auto; background: #f4f4f4; padding: .6rem } code { overflow-wrap: anywhere }
.table { overflow-x: auto }
"""
FRAME = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - ribbon</title><link rel="stylesheet" href="{up}style.css"></head>
<body>
<nav>
{nav}
</nav>
{body}
</body>
</html>
"""


def place(path):
    return "index.html" if path == FIRST else re.sub(r"\.md$", ".html", path)


def navigation(page, titles):
    """Every page's name, a line for each part; links are as they are from this page."""
    here = os.path.dirname(page) or "."
    lines = []
    for part, found in NAV:
        if isinstance(found, list):
            links = [f'<a href="{os.path.relpath(place(path), here)}">{titles[path]}</a>' for path in found if path in titles]
            lines.append(f"<p><b>{part}:</b> {' | '.join(links)}</p>")
    return "\n".join(lines)


def without_links(html, page, known):
    """Links to pages that are not here become what they say, others lead to HTML."""
    def move(match):
        name, hash, chapter = match[1].partition("#")
        if not name or re.match(r"[a-z]+:", name):
            return match[0]
        there = os.path.normpath(os.path.join(os.path.dirname(page), name))
        if there not in known:
            return match[2]
        to = os.path.relpath(place(there), os.path.dirname(page) or ".")
        return f'<a href="{to}{hash}{chapter}">{match[2]}</a>'
    return re.sub(r'<a href="([^"]*)">(.*?)</a>', move, html, flags=re.S)


def main():
    folder = sys.argv[1]
    found = pages()
    del found["index.md"]
    titles = {path: title_of(text) for path, text in found.items()} | {FIRST: "Overview"}
    pictures = paths("docs/**/*.svg")
    known = set(found) | {os.path.relpath(path, "docs") for path in pictures}
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in found.items():
        to = os.path.join(folder, place(path))
        os.makedirs(os.path.dirname(to), exist_ok=True)
        body = markdown.markdown(text, extensions=["tables", "fenced_code", "attr_list", "md_in_html", "toc"],
                                 extension_configs={"toc": {"slugify": github}})
        body = without_links(body, path, known).replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
        with open(to, "w", encoding="utf-8") as file:
            file.write(FRAME.format(title=titles[path], up="../" * path.count("/"), nav=navigation(path, titles), body=body))
    for path in pictures:
        shutil.copy(os.path.join(TOP, path), os.path.join(folder, os.path.relpath(path, "docs")))
    with open(f"{folder}/style.css", "w", encoding="utf-8") as file:
        file.write(STYLE)


if __name__ == "__main__":
    main()
