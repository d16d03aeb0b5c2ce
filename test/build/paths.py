#!/usr/bin/python3
"""paths.py - pages and comments name files, chapters and functions that there are, where they are

Of a page: each `file.c`, or `.py` and so on, with as much of its path as the page gives; each link to another page, and
to a chapter; each `ribbon_name`.  Of pages for developers also `any_name` and `room/file`; and what a row of a table
places in a file is there, a function or a word (PLACED).

Of comments, also those of scripts and SQL: each file.c, .py and so on, and in "name (file.c)" that the file has the
name.  And files.md names each file of the core.  Names that stand for many, such as format_N.txt, are not
looked for, nor those of other projects (OTHERS).

usage: test/run.sh build/paths
"""

import fnmatch
import glob
import os
import re

from reports import finish, report

PAGES = [*sorted(glob.glob("*.md")), *sorted(glob.glob("docs/**/*.md", recursive=True))]
MENTIONED = re.compile(r"`([\w./-]+\.(?:[ch]|sh|py|pl|pm|mk|sql|out|md|txt))`")
CALLED = re.compile(r"`(ribbon_\w+)`")
DEVELOPERS = re.compile(r"CONTRIBUTING|docs/(developer/|algorithm)")
CALLED_BY_DEVELOPERS = re.compile(r"`((?!pg_)[a-z]\w*_\w+|Ribbon\w+|[a-z]+/[a-z]\w*)`")
PLACED = {"function": "file", "word": "where"}     # columns of a row: what is in which files
COMMENT = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))// [^\n]*(?:\n\s*//[^\n]*)*", re.S | re.M)
SCRIPT_COMMENT = re.compile(r'^\s*""".*?"""|(?:^|(?<=\s))(?:#|--) [^\n]*(?:\n\s*(?:#|--)[^\n]*)*', re.S | re.M)
IN_COMMENT = re.compile(r"(?:\b(\w+_\w+|Ribbon\w+) \()?(?<![\w*$)}/])([\w/-]*\w\.(?:[ch]|sh|py|p[lm]|mk|mjs|p[yx][xid]))\b")
LINKED = re.compile(r"\]\(([\w./-]*)(?:#([\w-]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
STANDS_FOR_MANY = re.compile(r"_N\.|--X--")
OTHERS = {"xxhash.h", "math.h", "pgxs.mk", "src/include/pg_version_compat.h", "verify_heapam", "read_intermediate_result", "run_command_on_shards"}
CODE = ("src/**/*.[ch]", "lib/**/*.[ch]", "clients/**/*.[ch]", "test/**/*.[ch]")
SOURCES = (*CODE, "sql/*.sql", "clients/**/*.py", "clients/**/*.p[yx][xi]", "clients/**/*.js", "test/lib/*.*", "test/bench/*")
MADE = re.compile("build/|clients/js/(dist|node_modules)/")
SCRIPTS = ("**/*.sh", "**/*.py", "**/*.p[lm]", "**/*.m[jt]s", "**/*.mk", "Makefile", "docs/**/*.js", "clients/**/*.ts")


def names():
    """All files, by their paths and the ends of these, also without what follows a dot; and folders that are made."""
    found = {"build/packages", "build/coverage", "build/deb", "build/python"}
    for path in glob.glob("**", recursive=True):
        parts = path.split("/")
        if parts[0] != "build":
            found |= {"/".join(parts[begin:]) for begin in range(len(parts))}
    return found | {re.sub(r"\.\w+$", "", name) for name in found}


def chapters(text):
    """What links call the chapters of a page."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def read_all(patterns):
    """The sources, by their paths; not what is made of others."""
    found = {}
    for path in (path for pattern in patterns for path in glob.glob(pattern, recursive=True)
                 if os.path.isfile(path) and not MADE.match(path)):
        with open(path, encoding="utf-8", errors="replace") as file:
            found[path] = file.read()
    return found


def is_placed(name, files, sources):
    """Is a name, or one of a list of words, in one of these files?  Of files that are no sources, that is not known."""
    texts = [text for path, text in sources.items() for file in files if f"/{path}".endswith(f"/{file}")]
    return not texts or any(re.search(rf"\b{re.escape(word)}", text, re.I) for word in re.split("[,;] ", name) for text in texts)


def misplaced(text, sources):
    """Functions and words that a page's tables place in files that do not have them."""
    columns = []
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.split("|")]
        columns = (columns or cells) if line.startswith("|") else []
        row = dict(zip(columns, cells))
        for what, where in PLACED.items():
            files = re.findall(r"`([\w./]+\.[ch])`", row.get(where, ""))
            found = re.findall(r"`(\w+)`", row.get(what, "")) if what == "function" else [row.get(what, "")]
            yield from (f"{name} in {', '.join(files)}" for name in found if not is_placed(name, files, sources))


def faults_of_comments(sources, known):
    """Files that comments name, and there are not, but for the server's, in src/pg; and names that are not in theirs."""
    for path, text in sources.items():
        for comment in (COMMENT if path.endswith((".c", ".h", "js", "ts")) else SCRIPT_COMMENT).findall(text):
            for name, file in IN_COMMENT.findall(re.sub(r"\s*\n\s*(?:\*|#|//|--)?\s*", " ", comment)):
                if (file not in known and not path.startswith("src/pg/")) or not is_placed(name, [file], sources):
                    yield f"{path}: {name} {file}"


def faults(page, text, known, texts):
    """What a page mentions, and there is not; texts are those of all pages, by their paths."""
    mentioned = {name for name in MENTIONED.findall(text) if not STANDS_FOR_MANY.search(name)}
    mentioned |= set(CALLED.findall(text)) | set(CALLED_BY_DEVELOPERS.findall(text) if DEVELOPERS.match(page) else ())
    for name, chapter in LINKED.findall(text):
        path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
        mentioned.add(path if not chapter or path not in texts or chapter in chapters(texts[path]) else f"{path}#{chapter}")
    return sorted(mentioned - known - set(texts))


def left_out(page, sources):
    """Files of the core that a page names neither by themselves, nor as `kernel_*.c`, nor by how their names begin."""
    named = [f"*/{name}*" for name in re.findall(r"`([\w/*]+)(?:\.[ch])?`", page)]
    core = [path for path in sources if path.startswith("src/core/")]
    return sorted(path for path in core if not any(fnmatch.fnmatch(path, name) for name in named))


def main():
    sources = read_all(SOURCES)
    known = names() | {word for text in sources.values() for word in re.findall(r"\w+", text)} | OTHERS
    texts = {}
    for page in PAGES:
        with open(page, encoding="utf-8") as file:
            texts[page] = file.read()
    for page in PAGES:
        missing = [*faults(page, texts[page], known, texts), *misplaced(texts[page], sources)]
        report(f"{page} names files and functions that there are", ", ".join(missing) or None)
    missing = [*faults_of_comments({**sources, **read_all(SCRIPTS)}, known)]
    report("comments do, too", ", ".join(missing) or None)
    missing = left_out(texts["docs/developer/files.md"], sources)
    report("files.md names each file of the core", ", ".join(missing) or None)
    made_up = ("`kept.c` `no.c` `ribbon_open` `ribbon_no` [here](nowhere.md#x) [there](testing.md) `src/pg/none.c` `docs/testing.md`"
               " [a](testing.md#what-ribbon_check-is) [b](testing.md#no) [c](#made) [d](#up)\n## Up\n")
    found = faults("docs/made_up.md", made_up, {"kept.c", "ribbon_open", "docs/testing.md"},
                   {"docs/testing.md": "# How\n## What `ribbon_check` is\n", "docs/made_up.md": made_up})
    sources = {"a/kept.c": "any_name", "b.c": "/* any_name (kept.c), no_name\n * (kept.c), no.c */",
               "b.sh": "# any_name\n\t# (kept.c), no.py\necho no.sh"}
    found += [*misplaced("| word | where |\n| x, any | `kept.c` |\n| seam | `a/kept.c` |\n", sources), *faults_of_comments(sources, {"kept.c"}),
              *left_out("`a/kern_*.c` `d/e`", ["src/core/a/kern_x.c", "src/core/a/b.c", "src/core/d/e_part.h"])]
    report("one that is missing is seen",
           None if found == ["docs/made_up.md#made", "docs/nowhere.md", "docs/testing.md#no", "no.c", "ribbon_no", "src/pg/none.c",
                             "seam in a/kept.c", "b.c: no_name kept.c", "b.c:  no.c", "b.sh:  no.py", "src/core/a/b.c"] else str(found))


if __name__ == "__main__":
    main()
    finish()
