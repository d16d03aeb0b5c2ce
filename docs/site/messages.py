"""messages.py - what ribbon says when something is wrong, from the sources"""

import ast
import html
import re

from sources import paths, read

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
    """Messages of the server's sources, with the hint that comes with each."""
    found = set()
    for path in paths("src/pg/**/*.c"):
        for report in re.split(r"\b(?:ereport|ereturn|errsave)\(", read(path))[1:]:
            calls = [(call, joined(literals)) for call, literals in CALL.findall(report[:1500].split(";\n")[0] + ";")]
            hint = next((text for call, text in calls if call == "errhint" and re.search(r"\w", text)), "")
            # a condition may choose between two
            found |= {(text, hint) for call, text in calls if call != "errhint"}
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
    for path in [*paths("lib/src/*.c"), *paths("lib/command/*.c")]:
        text = read(path)
        found += [joined(literals) for literals in re.findall(
            r"\b(?:fail|die|set_error|ribbon_fail|ribbon_error\w*|\w*_fail|usage_error|complain|warn)\([^;\"]*?((?:" + STRING + r"\s*)+)", text)]
    return sorted({text for text in found if len(text) > 6})


def python_messages():
    """What the package of Python raises."""
    found = set()
    for path in paths("clients/python/ribbonfilter/*.py"):
        for node in ast.walk(ast.parse(read(path))):
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
    for path in paths("clients/js/lib/*.js"):
        for quoted in re.findall(r"new RibbonError\(\s*[^,]*,\s*(`[^`]*`|\"[^\"]*\")", read(path)):
            found.add(filled(re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "…", quoted[1:-1])))
    return sorted(text for text in found if re.search(r"\w", text))


def escaped(text):
    return re.sub(r"([|_*\[\]`<])", r"\\\1", html.escape(text, quote=False) if "<" in text else text)


def messages_page():
    out = ["# Messages", "", "What ribbon says when something is wrong, made from its sources; … stands for a name or a number.",
           "[Questions and troubles](cookbook.md#questions-and-troubles) has the frequent ones.", "",
           "## Errors of the server", ""]
    for message, hint in sorted(server_messages(), key=lambda said: (said[0].lower(), said)):
        out += [f"* **{escaped(message)}**" + (f" Hint: {escaped(hint)}" if hint else "")]
    out += ["", "## Why a type cannot be a key", ""] + [f"* {escaped(text)}" for text in refusals()]
    out += ["", "## What is wrong with bytes", "", "A detail of the server's errors; elsewhere the message itself.", ""]
    out += [f"* {escaped(text)}" for text in core_messages()]
    for title, texts in (("The library and the command", command_messages()), ("Python", python_messages()),
                         ("JavaScript", javascript_messages())):
        out += ["", f"## {title}", ""] + [f"* {escaped(text)}" for text in texts]
    return "\n".join(out) + "\n"
