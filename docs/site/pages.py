#!/usr/bin/python3
"""pages.py - what mkdocs makes the site of: the pages of the tree, and references made from the sources

usage: docs/site/pages.py FOLDER

FOLDER gets mkdocs.yml and the folder src.  Pages are found there as they are here, README.md as readme.md; a link to
a file that is no page becomes plain text.  Of the sources are made: sql.md from COMMENTs, python-api.md from stubs and
docstrings, javascript-api.md from types, messages.md from what the sources say in errors, and demo.svg from the table of
the README.
"""

import html
import json
import os
import re
import shutil
import sys

from messages import messages_page
from references import javascript_reference, python_reference, sql_reference
from sources import TOP, paths, read

HERE = os.path.dirname(os.path.abspath(__file__))
NAV = [
    ("Start", "index.md"),
    ("Use", ["readme.md", "recipes.md", "troubles.md", "maps.md", "exact.md", "keys.md", "parameters.md", "operations.md",
             "scaling.md", "performance.md", "building.md", "probing.md", "security.md", "messages.md"]),
    ("Languages", ["languages.md", "command.md", "python.md", "javascript.md", "bundlers.md", "examples/passwords/README.md"]),
    ("Reference", ["sql.md", "libribbon.md", "python-api.md", "javascript-api.md", "glossary.md", "CHANGELOG.md"]),
    ("Inside", ["algorithm.md", ("Watch one being solved", "explain/index.html"), "developer/files.md", "developer/words.md",
                "developer/engine.md", "format.md", "format_examples.md", "canonical.md", "CONTRIBUTING.md", "SECURITY.md",
                "developer/testing.md", "developer/records.md", "developer/benchmarks.md", "developer/benchmarks_sql.md", "developer/decisions.md",
                "developer/releasing.md"]),
]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


# --- pages of the tree ---

def home(path):
    """Where a page of the tree lies in the site: docs is its root."""
    return "readme.md" if path == "README.md" else path[5:] if path.startswith("docs/") else path


def tree_pages():
    return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/passwords/README.md",
            *(path for path in paths("docs/**/*.md") if not path.startswith("docs/site/"))]


def moved_links(text, path, known):
    """The text of the page at path, with links as they are in the site."""
    def move(match):
        image, label, target = match.groups()
        name, hash, chapter = target.partition("#")
        if not name or re.match(r"[a-z]+:", name):
            return match.group()
        there = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if not there.startswith("docs/") and there not in known:
            return label
        to = os.path.relpath(home(there), os.path.dirname(home(path)) or ".")
        return f"{image}[{label}]({to}{hash}{chapter})"
    return LINK.sub(move, text)


def for_mkdocs(text):
    """Lists as mkdocs reads them: an empty line before each, and four columns for what is in an item."""
    out, in_code, last = [], False, ""
    for line in text.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
            line = re.sub(r"^(```\w+) .*", r"\1", line)      # of two words mkdocs makes no code
        if not in_code:
            item = re.match(r"( *)(?:[*-]|\d+\.) ", line)
            if item and last.strip() and not re.match(r" *(?:[*-]|\d+\.) |  ", last):
                out.append("")
            indent = re.match(r" *", line).group()
            if 2 <= len(indent) <= 3 and line.strip():
                line = "    " + line.lstrip()
        out.append(line)
        last = line
    return "\n".join(out)


# --- the demo's table as a plot ---

def demo_rows():
    """Ways to ask, with bytes per key and microseconds per row, of the README's table."""
    table = re.search(r"\| way to ask \|.*?\n\n", read("README.md"), re.S).group()
    for line in table.strip().split("\n")[2:]:
        way, _, bits, _, time, _ = (cell.strip() for cell in line.strip("|").split("|"))
        yield way, float(bits), float(time)


def demo_plot():
    rows = list(demo_rows())
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {60 + 34 * len(rows)}" role="img" '
           f'aria-label="Bits per key and time per row of each way to ask">',
           "<style>text { font: 14px sans-serif; fill: #222 } .title { font-weight: bold } rect.bits { fill: #3f51b5 } rect.time { fill: #e8710a }</style>",
           '<text class="title" x="220" y="24">bits per key</text><text class="title" x="490" y="24">microseconds per row</text>']
    most = [max(row[column] for row in rows) for column in (1, 2)]
    for i, (way, bits, time) in enumerate(rows):
        y = 42 + 34 * i
        out.append(f'<text x="210" y="{y + 16}" text-anchor="end">{html.escape(way)}</text>')
        for x, value, top, kind in ((220, bits, most[0], "bits"), (490, time, most[1], "time")):
            width = max(1.5, 160 * value / top)
            out.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width:.1f}" height="22"/>'
                       f'<text x="{x + width + 6:.1f}" y="{y + 16}">{value:g}</text>')
    return "\n".join([*out, "</svg>", ""])


# --- all of it ---

def config(folder, titles):
    out = ["site_name: ribbon", "site_description: Compact static sets and maps for PostgreSQL", "docs_dir: src", "site_dir: html",
           "use_directory_urls: false", "strict: true", "extra_css: [site.css]", "extra_javascript: [search.js]", "nav:"]
    for title, pages in NAV:
        if isinstance(pages, str):
            out.append(f'  - "{title}": {pages}')
            continue
        out.append(f'  - "{title}":')
        for page in pages:
            name, path = page if isinstance(page, tuple) else (titles[page], page)
            out.append(f'    - "{name}": {path}')
    return "\n".join(out) + "\n" + open(f"{HERE}/mkdocs.yml", encoding="utf-8").read()


def title_of(text):
    return re.sub(r"[`\"]", "", re.search(r"^# (.*)", text, re.M)[1])


def pages():
    """All pages of the site, by their paths in it."""
    known = tree_pages()
    found = {home(path): for_mkdocs(moved_links(read(path), path, known)) for path in known}
    found |= {"index.md": read("docs/site/start.txt"), "sql.md": sql_reference(),
              "python-api.md": python_reference(), "javascript-api.md": javascript_reference(), "messages.md": messages_page()}
    return found


def main():
    folder = sys.argv[1]
    src = os.path.join(folder, "src")
    shutil.rmtree(src, ignore_errors=True)
    shutil.copytree(f"{TOP}/docs", src, ignore=shutil.ignore_patterns("*.md", "site"))
    found = pages()
    for path, text in found.items():
        os.makedirs(os.path.dirname(os.path.join(src, path)), exist_ok=True)
        with open(os.path.join(src, path), "w", encoding="utf-8") as file:
            file.write(text)
    with open(f"{src}/demo.svg", "w", encoding="utf-8") as file:
        file.write(demo_plot())
    with open(f"{src}/messages.json", "w", encoding="utf-8") as file:
        json.dump(re.findall(r"^#### (.*)$", re.sub(r"\\(.)", r"\1", found["messages.md"]), re.M), file)
    for name in "site.css", "search.js":
        shutil.copy(f"{HERE}/{name}", src)
    explain = os.path.join(src, "explain", "index.html")
    with open(explain, encoding="utf-8") as file:
        text = file.read()
    with open(explain, "w", encoding="utf-8") as file:
        file.write(re.sub(r'(href="[^":]*)\.md\b', r"\1.html", text))
    titles = {path: title_of(text) for path, text in found.items()}
    with open(os.path.join(folder, "mkdocs.yml"), "w", encoding="utf-8") as file:
        file.write(config(folder, titles | {"readme.md": "Overview"}))


if __name__ == "__main__":
    main()
