#!/usr/bin/python3
"""pages.py - what mkdocs makes the site of: the pages of the tree, and references made from the sources

usage: docs/site/pages.py FOLDER

FOLDER gets mkdocs.yml and the folder src.  Pages are found there as they are here, README.md as readme.md; a link to
a file that is no page becomes plain text.  Of the sources are made: sql.md from COMMENTs, python-api.md from stubs and
docstrings, javascript-api.md from types, messages.md from what the sources say in errors, and demo.svg from the table of
the README.
"""

import ast
import glob
import html
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
NAV = [
    ("Start", "index.md"),
    ("Use", ["readme.md", "cookbook.md", "recipes.md", "maps.md", "exact.md", "keys.md", "parameters.md", "operations.md",
             "scaling.md", "performance.md", "building.md", "probing.md", "security.md", "messages.md"]),
    ("Languages", ["languages.md", "command.md", "python.md", "javascript.md", "bundlers.md", "examples/passwords/README.md"]),
    ("Reference", ["sql.md", "libribbon.md", "python-api.md", "javascript-api.md", "glossary.md", "CHANGELOG.md"]),
    ("Inside", ["algorithm.md", ("Watch one being solved", "explain/index.html"), "engine.md", "format.md",
                "format_examples.md", "canonical.md", "testing.md", "CONTRIBUTING.md", "SECURITY.md",
                "developer/benchmarks.md", "developer/decisions.md", "developer/releasing.md"]),
]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


# --- pages of the tree ---

def home(path):
    """Where a page of the tree lies in the site: docs is its root."""
    return "readme.md" if path == "README.md" else path[5:] if path.startswith("docs/") else path


def tree_pages():
    return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/passwords/README.md",
            *(os.path.relpath(path, TOP) for path in sorted(glob.glob(f"{TOP}/docs/**/*.md", recursive=True))
              if not path.startswith(HERE))]


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


# --- references ---

def sql_reference(script):
    """Every object that has a COMMENT, but for what only types and planners call."""
    kinds = {}
    for kind, name, text in re.findall(r"^COMMENT ON ([A-Z]+(?: CLASS| FAMILY)?) (.*?) IS\s+'((?:[^']|'')*)';", script, re.M | re.S):
        if text != "I/O" and not re.match(r"aggregate \w+ function|planner support", text):
            kinds.setdefault(kind, []).append((" ".join(name.split()), text.replace("''", "'")))
    titles = {"TYPE": "Types", "AGGREGATE": "Aggregates", "FUNCTION": "Functions", "OPERATOR": "Operators", "CAST": "Casts",
              "VIEW": "Views"}
    out = ["# SQL objects", "", "What `\\dx+ ribbon` lists, with its comments. [The README](readme.md#the-api) has the same by use.", ""]
    for kind, title in [*titles.items(), *((kind, kind.capitalize()) for kind in kinds if kind not in titles)]:
        if kind in kinds:
            out += [f"## {title}", "", "| | |", "| --- | --- |"]
            out += [f"| `{name}` | {html.escape(text, quote=False)} |".replace("||", "\\|\\|") for name, text in kinds[kind]] + [""]
    return "\n".join(out)


def docstrings(paths):
    """Docstrings of classes, methods and functions, by Class.name and name."""
    found = {}
    for path in paths:
        for node in ast.parse(read(path)).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
                found[node.name] = ast.get_docstring(node)
            for child in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
                if isinstance(child, ast.FunctionDef) and ast.get_docstring(child):
                    found[f"{node.name}.{child.name}"] = ast.get_docstring(child)
    return found


def python_reference():
    folder = "clients/python/ribbonfilter"
    stub = read(f"{folder}/__init__.pyi")
    texts = docstrings(sorted(os.path.relpath(path, TOP) for path in glob.glob(f"{TOP}/{folder}/*.py")))
    out = ["# Python, name by name", "", "Signatures as type checkers see them, and what each does. [Python](python.md) says how to begin.", ""]
    for node in ast.parse(stub).body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name == "_Column":
            continue
        own = node.name.lstrip("_")
        out += [f"## {own if own != 'Stored' else 'Filter and Map alike'}", ""]
        if own in texts:
            out += [docstring(texts[own]), ""]
        for child in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(child, ast.FunctionDef):
                name = own if child is node else f"{own}.{child.name}"
                out += ["```python", ast.unparse(child).replace(":\n    ...", ""), "```", ""]
                if name in texts and child is not node:
                    out += [docstring(texts[name]), ""]
            elif isinstance(child, ast.AnnAssign):
                out += ["```python", ast.unparse(child), "```", ""]
    return "\n".join(out).replace("```\n\n```python\n", "")


def docstring(text):
    """A docstring: its examples are code."""
    return re.sub(r"((?:^ *>>> .*\n?(?:^(?! *>>>).+\n?)*)+)", r"\n```pycon\n\1\n```\n", text, flags=re.M)


def javascript_reference():
    types = read("clients/js/lib/index.d.ts")
    out = ["# JavaScript, name by name", "", "What the package exports, as TypeScript sees it. [JavaScript](javascript.md) says how to begin.", ""]
    for comment, name, code in re.findall(
            r"^((?:/\*\*(?:(?!\*/).)*\*/\n)?)((?=export |declare |(?:abstract )?class )[^\n]*)\n?((?:[ }|].*\n|\n(?=  ))*)", types, re.M | re.S):
        title = re.sub(r"^(export|declare|abstract|readonly|default)\s+", "", name)
        title = re.search(r"(?:class|interface|type|const|function)\s+(\w+)", name)
        if title:
            text = re.sub(r"^/\*\*\s*|\s*\*/$|^ ?\* ?", "", comment.strip(), flags=re.M)
            out += [f"## {title[1]}", "", *([text, ""] if text else []), "```ts", (name + "\n" + code).rstrip(), "```", ""]
    return "\n".join(out)


# --- messages ---

STRING = r'"(?:[^"\\]|\\.)*"'
CALL = re.compile(r"\b(errmsg|errhint|errmsg_plural)\(\s*((?:" + STRING + r"|PRI\w+|UINT64_FORMAT|INT64_FORMAT|\s)+)")


def joined(literals):
    """The text of C's adjacent literals; what is filled in is an ellipsis."""
    text = "".join(literal[1:-1] for literal in re.findall(STRING, re.sub(r"PRI\w+|\w+_FORMAT", '""', literals)))
    text = text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
    return filled(re.sub(r"%%", "%", re.sub(r"%(?!%)[-+0-9.*]*(?:ll|l|z|h)*[a-zA-Z]?", "…", text)))


def filled(text):
    return re.sub("…+", "…", text)


def server_messages():
    """Messages of the server's sources with the hint that comes with each, and the file."""
    found = {}
    for path in sorted(glob.glob(f"{TOP}/src/pg/**/*.c", recursive=True)):
        for report in re.split(r"\b(?:ereport|ereturn|errsave)\(", open(path, encoding="utf-8").read())[1:]:
            said = {}
            for call, literals in CALL.findall(report[:1500].split(";\n")[0] + ";"):
                said.setdefault(call, joined(literals))
            message = said.get("errmsg") or said.get("errmsg_plural")
            if message:
                hint = said.get("errhint", "")
                found.setdefault((message, hint if re.search(r"\w", hint) else ""), os.path.relpath(path, f"{TOP}/src/pg"))
    return found


def core_messages():
    """What the core says of bytes: a detail on the server, a message elsewhere."""
    return [joined(literals) for literals in re.findall(r"\[RIBBON_\w+\] =\s*(" + STRING + ")", read("src/core/base/status.c"))]


def refusals():
    """Why a type cannot be a key, and the way out: texts of a table."""
    return [joined(literals) for literals in re.findall(r"^\s*((?:" + STRING + r"\s*)+),?", read("src/pg/key/keyrefuse.c"), re.M)
            if " " in literals]


def command_messages():
    """What the command and the library say: texts of their errors."""
    found = []
    for path in sorted(glob.glob(f"{TOP}/lib/src/*.c") + glob.glob(f"{TOP}/lib/command/*.c")):
        text = open(path, encoding="utf-8").read()
        found += [joined(literals) for literals in re.findall(
            r"\b(?:fail|die|set_error|ribbon_fail|ribbon_error\w*|\w*_fail|usage_error|complain|warn)\([^;\"]*?((?:" + STRING + r"\s*)+)", text)]
    return sorted({text for text in found if len(text) > 6})


def python_messages():
    """What the package of Python raises."""
    found = set()
    for path in glob.glob(f"{TOP}/clients/python/ribbonfilter/*.py"):
        for node in ast.walk(ast.parse(open(path, encoding="utf-8").read())):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                said = node.exc.args[0]
                parts = said.values if isinstance(said, ast.JoinedStr) else [said]
                text = "".join(part.value if isinstance(part, ast.Constant) else "…" for part in parts
                               if not isinstance(part, ast.Constant) or isinstance(part.value, str))
                found.add(filled(text))
    return sorted(text for text in found if re.search(r"\w", text))


def javascript_messages():
    """What the package of JavaScript throws."""
    found = set()
    for path in glob.glob(f"{TOP}/clients/js/lib/*.js"):
        for quoted in re.findall(r"new RibbonError\(\s*[^,]*,\s*(`[^`]*`|\"[^\"]*\")", open(path, encoding="utf-8").read()):
            found.add(filled(re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "…", quoted[1:-1])))
    return sorted(text for text in found if re.search(r"\w", text))


def escaped(text):
    return re.sub(r"([|_*\[\]`<])", r"\\\1", html.escape(text, quote=False) if "<" in text else text)


def messages_page():
    out = ["# Messages", "", "What ribbon says when something is wrong, made from its sources; … stands for a name or a number.",
           "[Questions and troubles](cookbook.md#questions-and-troubles) has the frequent ones.", "",
           "## Errors of the server", ""]
    for (message, hint), path in sorted(server_messages().items(), key=lambda item: item[0][0].lower()):
        out += [f"* **{escaped(message)}**" + (f" Hint: {escaped(hint)}" if hint else "")]
    out += ["", "## Why a type cannot be a key", ""] + [f"* {escaped(text)}" for text in refusals()]
    out += ["", "## What is wrong with bytes", "", "A detail of the server's errors; elsewhere the message itself.", ""]
    out += [f"* {escaped(text)}" for text in core_messages()]
    for title, texts in (("The library and the command", command_messages()), ("Python", python_messages()),
                         ("JavaScript", javascript_messages())):
        out += ["", f"## {title}", ""] + [f"* {escaped(text)}" for text in texts]
    return "\n".join(out) + "\n"


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
           "use_directory_urls: false", "strict: true", "extra_css: [site.css]", "nav:"]
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
    found |= {"index.md": read("docs/site/start.txt"), "sql.md": sql_reference(read("sql/ribbon--1.0.sql")),
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
    shutil.copy(f"{HERE}/site.css", src)
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
