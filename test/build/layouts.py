#!/usr/bin/python3
"""layouts.py - structs that C has, and JavaScript as a list of members of eight bytes

What a module of WebAssembly gives or takes as a struct is read or written member by
member.  The same names must stand in the same order, of the same kinds.

usage: test/run.sh build/layouts
"""

import re

from reports import finish, report

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
    script = read("clients/js/lib/build.js")
    listed = re.search(r"members = \{(.*?)\n    \};", script, re.DOTALL)[1]
    return ["fpr", *re.findall(r"^      (\w+)[:,]", listed, re.MULTILINE)]


if __name__ == "__main__":
    members = [(GETTERS[kind], name) for kind, name in c_members(read("clients/js/src/exports.h"), "About")]
    report("About", "; ".join(differences(members, about())) or None)
    taken = c_members(read("clients/js/src/build.c"), "Request")
    report("Request", "; ".join(differences([name for _, name in taken], request())) or None)
    report("of Request, fpr alone is a double",
           None if [name for kind, name in taken if kind == "double"] == ["fpr"] else str(taken))
    report("a member that is missing is seen",
           None if differences(members, [*about()[:3], *about()[4:]]) else "it is not")
    finish()
