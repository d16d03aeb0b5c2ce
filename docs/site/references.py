"""references.py - of SQL from COMMENTs, of Python from stubs and docstrings, of JavaScript from types"""

import ast
import html
import re

from sources import paths, read


def sql_reference():
    """Every object that has a COMMENT, but for what only types and planners call."""
    script = read("sql/ribbon--1.0.sql")
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


def docstrings(files):
    """Docstrings of classes, methods and functions, by Class.name and name."""
    found = {}
    for path in files:
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
    texts = docstrings(paths(f"{folder}/*.py"))
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
        title = re.search(r"(?:class|interface|type|const|function)\s+(\w+)", name)
        if title:
            text = re.sub(r"^/\*\*\s*|\s*\*/$|^ ?\* ?", "", comment.strip(), flags=re.M)
            out += [f"## {title[1]}", "", *([text, ""] if text else []), "```ts", (name + "\n" + code).rstrip(), "```", ""]
    return "\n".join(out)
