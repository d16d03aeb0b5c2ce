"""messages.py - what ribbon says when something is wrong, from the sources

A text that a program puts together is listed in the parts that the sources have.
"""

import ast
import re

from sources import paths, read

STRING = r'"(?:[^"\\\n]|\\.)*"'
TOKEN = re.compile(r"/\*.*?\*/|'(?:[^'\\\n]|\\.)+'|" + STRING, re.S)
TEXT = re.compile(r"(?:" + STRING + r"\s*)+")


def filled(text):
    return re.sub("…+", "…", text)


def joined(literals):
    """The text of C's adjacent literals; what is filled in is an ellipsis."""
    text = "".join(literal[1:-1] for literal in re.findall(STRING, literals))
    text = text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
    return filled(re.sub(r"%%", "%", re.sub(r"%(?!%| )[-+0-9.*]*(?:ll|l|z|h)*[a-zA-Z]?", "…", text))).strip()


def is_said(text):
    """Not a word, an expression or a name."""
    return len(re.findall(r"[a-z]{2,}", text)) > 1 and " " in text


def c_source(path):
    """C without comments, characters and directives, where texts stand for macros that are texts."""
    text = TOKEN.sub(lambda found: found[0] if found[0][0] == '"' else " ", read(path))
    text = re.sub(r"\bU?INT64_FORMAT\b|\bPRI[a-z]\d+\b", '"…"', text).replace('%"…"', '"…"').replace('%" "…"', '…"')
    directives = re.findall(r"^#(?:.*\\\n)*.*", text, re.M)
    text = re.sub(r"^#(?:.*\\\n)*.*", "", text, flags=re.M)
    for name, argument, body in [made for line in directives for made in re.findall(
            r"#define (\w+)(?:\((\w+)\))?\s+(.*)", line.replace("\\\n", " "))][::-1]:
        if '"' in body and argument:
            text = re.sub(rf"\b{name}\(((?:{STRING}|[^()\"])*)\)",
                          lambda found: re.sub(rf"\b{argument}\b", lambda _: found[1], body), text)
        elif '"' in body:
            text = re.sub(rf"\b{name}\b", lambda _: body, text)
    return text


def calls(text, names):
    """What is within the parentheses of each call of a function of these names."""
    for call in re.finditer(rf"\b(?:{names})\(", text):
        depth, end = 1, call.end()
        while depth:
            found = re.compile(STRING + r"|[()]").search(text, end)
            depth += {"(": 1, ")": -1}.get(found[0], 0)
            end = found.end()
        yield text[call.end():end - 1]


def first_argument(call):
    """What chooses a format; a plural's second one is left out."""
    depth, inside = 0, re.sub(STRING, lambda found: found[0].replace(",", "\0").replace("(", "\1").replace(")", "\2"), call)
    for i, letter in enumerate(inside):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            return call[:i]
    return call


def texts_of(text, *ignored):
    """All texts of a source, but for those in calls of the ignored functions."""
    inside = calls(text, "|".join(ignored)) if ignored else ()
    known = {joined(found) for one in inside for found in TEXT.findall(one)}
    return [said for said in map(joined, TEXT.findall(text)) if said not in known and is_said(said)]


def said_in(text, names, argument=lambda inside: inside):
    """Texts in calls of these functions: of all that is in parentheses, or of the first argument."""
    return [joined(found) for inside in calls(text, names) for found in TEXT.findall(argument(inside))]


def formats_in(text, names):
    return tuple(said for said in said_in(text, names, first_argument) if re.search(r"\w", said))


def server_reports():
    """Messages, details and hints of each error of the server's; more than one where a condition chooses."""
    for path in paths("src/pg/**/*.c"):
        for report in calls(c_source(path), "ereport|ereturn|errsave"):
            yield tuple(formats_in(report, rf"{name}\w*") for name in ("errmsg", "errdetail", "errhint"))


def server_messages():
    """Messages of the server, each with its details and hints."""
    found = {(message, details, hints) for messages, details, hints in server_reports() for message in messages}
    row = re.compile(rf"\{{RIBBON_\w+, ERRCODE_\w+,\s*({TEXT.pattern}),\s*(NULL|{TEXT.pattern}),\s*(NULL|{TEXT.pattern})\}}")
    for message, hint in re.findall(r"MESSAGE = format\('([^']*)'.*?(?:HINT = '([^']*)')?;", read("sql/ribbon--1.0.sql"), re.S):
        found.add((message.replace("%s", "…"), (), (hint,) if hint else ()))
    return found | {tuple([joined(message), *((joined(text),) if text != "NULL" else () for text in more)])
                    for message, *more in row.findall(c_source("src/pg/server/error.c"))}


def server_parts():
    """Texts of tables and of what puts messages, details and hints together."""
    whole = {text for said in server_messages() for text in (said[0], *said[1], *said[2])}
    found = {text for path in paths("src/pg/**/*.c") for text in texts_of(
        c_source(path), "ereport", "ereturn", "errsave", "elog", r"DefineCustom\w+", "AllocSetContextCreate")}
    found |= {text for messages, *more in server_reports() if not messages for texts in more for text in texts}
    return sorted(text for text in found - whole if len(text.split()) > 2 and not text.startswith(("^", "… …", "…, …", "This is because")))


def server_faults():
    """What is said where the server or ribbon contradicts itself."""
    return sorted({text for path in paths("src/pg/**/*.c") for text in said_in(c_source(path), "elog")})


def core_messages():
    """What the core says of bytes: a detail on the server, a message elsewhere."""
    return texts_of(c_source("src/core/base/status.c"))


def command_messages():
    """What the command and the library say: texts of their errors."""
    found = {f"could not {text} …" for text in said_in(c_source("lib/src/filter/filter.c"), "ribbon_error_file")
             + texts_of(c_source("lib/src/builder/tempfile.c"))}
    for path in [*paths("lib/src/**/*.c"), *paths("lib/command/**/*.c")]:
        text = c_source(path)
        found |= {f"invalid {said}" for said in said_in(text, "check_option", lambda inside: inside if inside[-4:] != "true" else "")}
        found |= {said for said in said_in(text, "die|die_at|die_errno|warn|ribbon_error_set") if is_said(said)}
    found |= {text for name in ("forms", "load") for text in texts_of(c_source(f"lib/command/files/{name}.c"))}
    return sorted(found - {'could not … "…": …'})


def python_texts(tree):
    """Texts of a module, but for its docstrings; what an f-string fills in is an ellipsis."""
    docs = {id(node.body[0].value) for node in ast.walk(tree) if hasattr(node, "body")
            and isinstance(node.body, list) and isinstance(node.body[0], ast.Expr)}

    def visit(node):
        if isinstance(node, ast.JoinedStr):
            yield filled("".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
                yield from visit(child)
    yield from visit(tree)


def python_messages():
    """What the package of Python says: in Cython, which is no Python, in literals of a line."""
    found = {text for path in paths("clients/python/ribbonfilter/*.py") for text in python_texts(ast.parse(read(path)))}
    for path in [*paths("clients/python/ribbonfilter/*.pyx"), *paths("clients/python/ribbonfilter/*.pxi")]:
        code = re.sub(r'(?s:""".*?""")|^ *#.*', "", read(path), flags=re.M)
        found |= {filled(re.sub(r"\{[^{}]*\}", "…", text[1:-1])) for text in re.findall(STRING, code)}
    return sorted(text.strip() for text in found if is_said(text) and not text.startswith(("<", "SELECT ")))


def javascript_messages():
    """What the package of JavaScript says."""
    found = set()
    for path in paths("clients/js/lib/**/*.js"):
        code = re.sub(r"(?s:/\*.*?\*/)|(?m:(?:^|\s)//.*)", "", read(path))
        found |= {filled(re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "…", text[1:-1])) for text in re.findall(r"`[^`]*`|" + STRING, code)}
    return sorted(text.strip() for text in found if is_said(text) and text[0] not in "[{")


def escaped(text):
    return re.sub(r"([|_*\[\]`<>{}\\#])", r"\\\1", text)


def messages_page():
    """Each is a chapter, since the search knows those by their titles."""
    out = ["---", "hide: [toc]", "---", "", "# Messages", "",
           "What ribbon says when something is wrong, made from its sources; … stands for a name or a number.",
           "[Questions and troubles](troubles.md) has the frequent ones.", "",
           "## Errors of the server", ""]
    said = {}
    for message, details, hints in sorted(server_messages(), key=lambda said: (said[0].lower(), said)):
        lines = said.setdefault(message, [])
        lines += [line for line in (*(f"* Detail: {escaped(text)}" for text in details),
                                    *(f"* Hint: {escaped(text)}" for text in hints)) if line not in lines]
    for message, lines in said.items():
        out += [f"#### {escaped(message)}", "", *lines, ""]
    for title, first, texts in (
            ("Reasons and ways out", "Messages, details and hints that are put together, and why a type cannot be a key.", server_parts()),
            ("What is wrong with bytes", "A detail of the server's errors; elsewhere the message itself.", core_messages()),
            ("What should not be seen", "A fault of ribbon, or of the catalog: please [report it](SECURITY.md).", server_faults()),
            ("The library and the command", "", command_messages()), ("Python", "", python_messages()),
            ("JavaScript", "", javascript_messages())):
        out += [f"## {title}", "", *([first, ""] if first else []), *(f"#### {escaped(text)}\n" for text in texts)]
    return "\n".join(out) + "\n"
