"""references.py - of SQL from COMMENTs, of Python from annotations and docstrings, of JavaScript from types"""

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


def python_reference():
    """Of what has annotations, in the sources or in the stub of what is compiled."""
    folder = "clients/python/ribbonfilter"
    nodes = {node.name: node for path in [f"{folder}/_core.pyi", *paths(f"{folder}/*.py")] for node in ast.parse(read(path)).body
             if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    out = ["# Python, name by name", "", "Signatures as type checkers see them, and what each does. [Python](python.md) says how to begin.", ""]
    for title, *names in (["FormatError"], ["ConflictError"], ["Key"], ["Filter and Map alike", "Opened", "Stored"], ["FilterStats"], ["Filter"],
                          ["Chain"], ["MapStats"], ["Map"], ["expected_size"]):
        out += [f"## {title}", ""]
        for node in map(nodes.get, names or [title]):
            if isinstance(node, ast.ClassDef) and ast.get_docstring(node):
                out += [docstring(ast.get_docstring(node)), ""]
            for child in node.body if isinstance(node, ast.ClassDef) else [node]:
                text = ast.get_docstring(child) if isinstance(child, ast.FunctionDef) else None
                if isinstance(child, ast.FunctionDef) and child.returns:
                    child.body = [ast.Expr(ast.Constant(...))]
                elif not isinstance(child, ast.AnnAssign):
                    continue
                out += ["```python", ast.unparse(child).replace(":\n    ...", "").replace("_types.", ""), "```", ""]
                if text:
                    out += [docstring(text), ""]
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
