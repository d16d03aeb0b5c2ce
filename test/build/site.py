#!/usr/bin/python3
"""site.py - the pages of which the site is made: their links, and all messages of the sources

Nothing of mkdocs is needed: make test-site looks at what it makes.

usage: test/run.sh build/site
"""

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, "docs/site")
import messages
import pages
import slugs
from reports import compare, finish, report

HEADING = re.compile(r"^#+ (.*)$", re.M)


def chapters(text):
    return {slugs.github(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading), "-") for heading in HEADING.findall(text)}


def missing_links(site):
    """Links that lead nowhere, of a site's pages by their paths."""
    for path, text in site.items():
        for _, _, target in pages.LINK.findall(re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
            name, _, chapter = target.partition("#")
            if re.match(r"[a-z]+:", name):
                continue
            there = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            known = there in site or os.path.exists(os.path.join("docs", there)) or there == "demo.svg"
            if not known or chapter and there in site and chapter not in chapters(site[there]):
                yield f"{path}: {target}"


def said_in_c(folder):
    """The first words of each message in C, found another way than messages.py does: by the line."""
    for path in glob.glob(f"{folder}/**/*.c", recursive=True):
        for line in open(path, encoding="utf-8"):
            found = re.search(r'\b(?:err(?:msg|detail|hint)\w*|elog\(ERROR, |die\w*|warn|fail|ribbon_error_set)\(?"((?:[^"\\%]|\\.)*)', line)
            if found and len(found[1].strip()) > 2:
                yield found[1].replace('\\"', '"').replace("\\\\", "\\").strip()


site = pages.pages()
report("links of all pages lead somewhere", "; ".join(missing_links(site)) or None)
compare("a link that does not is seen", list(missing_links({"a.md": "# A\n[b](b.md) [c](a.md#no) [d](#a)"})), ["a.md: b.md", "a.md: a.md#no"])

plot = subprocess.run([sys.executable, "test/bench/parameters_plot.py", "--check"], capture_output=True, text=True)
report("the picture of parameters.md is of the table in benchmarks_sql.md", plot.stderr or None)

page = re.sub(r"\\(.)", r"\1", site["messages.md"])
for folder, least in ("src/pg", 70), ("lib", 30):
    said = sorted(set(said_in_c(folder)))
    report(f"the page of messages has the {len(said)} of {folder}",
           ", ".join(text for text in said if text not in page) or None if len(said) > least else str(len(said)))
for what, texts, sample in (("the core", messages.core_messages(), "thresholds do not bump the keys that the header counts"),
                            ("tables", messages.server_parts(), 'Under the nondeterministic collation "…", equal strings can differ in their bytes.'),
                            ("macros", messages.server_parts(), "Convert the key with the time zone that is meant, as in key AT TIME ZONE 'UTC'."),
                            ("SQL", [said[0] for said in messages.server_messages()], '"…" is not a table or materialized view'),
                            ("the command", messages.command_messages(), "columns are counted from 1 on"),
                            ("the library", messages.command_messages(), "could not write a temporary file in …"),
                            ("Python", messages.python_messages(), "a chain has at least one part"),
                            ("Cython", messages.python_messages(), "the text … has a zero character, which PostgreSQL's text cannot have"),
                            ("JavaScript", messages.javascript_messages(), "it has been closed")):
    report(f"and those of {what}", None if sample in texts else f"{sample} is not among {len(texts)}")

listed = [page for _, chapter in pages.NAV for page in ([chapter] if isinstance(chapter, str) else chapter)]
compare("each page is in the site's menu", sorted(page for page in listed if isinstance(page, str)), sorted(site))
for name, thing in (("sql.md", "`ribbon_build(anycompatible, float8)`"), ("python-api.md", "def build("),
                    ("javascript-api.md", "export class Filter"), ("libribbon.md", "ribbon_builder_new")):
    report(f"{name} has {thing}", None if thing in site[name] else "it has not")
compare("the demo's plot has each row of its table", pages.demo_plot().count('class="bits"'), len(list(pages.demo_rows())))
finish()
