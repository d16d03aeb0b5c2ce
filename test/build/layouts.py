#!/usr/bin/python3
"""layouts.py - what C has, and other languages for themselves

What a module of WebAssembly gives or takes as a struct is read or written member by
member, of eight bytes each.  The same names must stand in the same order, of the same kinds.

Key classes have the numbers and names of docs/canonical.md in the core and in JavaScript,
and the numbers in libribbon's header and in Python.

usage: test/run.sh build/layouts
"""

import re

from reports import finish, report

SERVERS_ALONE = range(23, 30)      # classes of arrays, rows and so on, which libribbon and Python need not name
GETTERS = {"uint64_t": "getBigUint64", "int64_t": "getBigInt64", "double": "getFloat64"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def camel(name):
    return re.sub(r"_(.)", lambda match: match[1].upper(), name)


def c_members(source, name):
    """(type, name) of the members of a struct, named as JavaScript does."""
    body = re.search(rf"typedef struct {name}\n{{(.*?)\n}} {name};", source, re.DOTALL)[1]
    return [(kind, camel(member)) for kind, member in re.findall(r"^\t(\w+) (\w+);", body, re.MULTILINE)]


def differences(theirs, ours):
    return [f"{a} is {b}" for a, b in zip(theirs, ours) if a != b] + (
        [] if len(theirs) == len(ours) else [f"{len(theirs)} members are {len(ours)}"])


def about():
    script = read("clients/js/lib/engine.js")
    listed = re.search(r"ABOUT = \[(.*?)\n\];", script, re.DOTALL)[1]
    return [(getter, name) for name, getter in re.findall(r'\["(\w+)", "(\w+)"\]', listed)]


def request():
    script = read("clients/js/lib/build/builder.js")
    listed = re.search(r"members = \{(.*?)\n    \};", script, re.DOTALL)[1]
    return ["fpr", *re.findall(r"^      (\w+)[:,]", listed, re.MULTILINE)]


def key_classes():
    """By where they are listed: {number: name}, as docs/canonical.md names them."""
    listed = {}
    table = read("docs/canonical.md").split("## Key classes")[1]
    listed["docs"] = {int(number): name for number, name in re.findall(r"^\| (\d+) \| ([\w()]+) \|", table, re.MULTILINE)}
    core = re.findall(r"\tRIBBON_CLASS_(\w+) = (\d+)", read("src/core/keys/classes.h"))
    numbers = {name: int(number) for name, number in core}
    names = re.findall(r'\[RIBBON_CLASS_(\w+)\] = \{"([^"]+)", \d+\}', read("src/core/keys/classes.c"))
    listed["core"] = {int(number): {"CHAR_N": "char(n)", "OTHER_LE": "other", "OTHER_BE": "other"}.get(name, name.lower())
                      for name, number in core if name != "SEVERAL"}
    listed["the core's table"] = {numbers[number]: name for number, name in names}
    library = re.findall(r"\tRIBBON_KEY_(\w+) = (\d+)", read("lib/include/ribbon.h"))
    listed["libribbon"] = {int(number): {"BYTES": "bytea", "CHAR": "char(n)", "LSN": "pg_lsn"}.get(name, name.lower())
                           for name, number in library if name != "ANY"}
    script = re.findall(r'^  "?(\w+)[\w, -]*"?: (\d+),', read("clients/js/lib/classes.js"), re.MULTILINE)
    listed["JavaScript"] = {int(number): {"char": "char(n)"}.get(name, name) for name, number in script if name != "hash"}
    python = re.search(r"\((.*?)\) = range\(1, \d+\)", read("clients/python/ribbonfilter/_classes.py"), re.DOTALL)[1]
    listed["Python"] = {number: {"BYTES": "bytea", "CHAR": "char(n)", "LSN": "pg_lsn"}.get(name, name.lower())
                        for number, name in enumerate(re.findall(r"\w+", python), 1)}
    return listed


if __name__ == "__main__":
    classes = key_classes()
    documented = classes["docs"]
    report(f"docs have {len(documented)} key classes, and leave out no number",
           None if documented and sorted(documented) == list(range(1, max(documented) + 1)) else str(documented))
    for where, have in classes.items():
        wrong = [f"{number}: {name}" for number, name in have.items() if documented.get(number) != name]
        missing = [name for number, name in documented.items()
                   if number not in have and (where not in ("libribbon", "Python") or number not in SERVERS_ALONE)]
        report(f"key classes of {where}", ", ".join(wrong + missing) or None)
    members = [(GETTERS[kind], name) for kind, name in c_members(read("clients/js/src/exports.h"), "About")]
    report("About", "; ".join(differences(members, about())) or None)
    taken = c_members(read("clients/js/src/build.c"), "Request")
    report("Request", "; ".join(differences([name for _, name in taken], request())) or None)
    report("of Request, fpr alone is a double",
           None if [name for kind, name in taken if kind == "double"] == ["fpr"] else str(taken))
    report("a member that is missing is seen",
           None if differences(members, [*about()[:3], *about()[4:]]) else "it is not")
    finish()
