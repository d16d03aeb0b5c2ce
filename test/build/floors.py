#!/usr/bin/python3
"""floors.py - arrows of #include and of calls point down: the order of folders, and no cycles

A module is a header and the .c of its name, a folder is a floor.  Held for src/
and, as OUTSIDE says, for lib/ and clients/; a module of JavaScript is a file, and
includes what it imports:

* a file includes files of its own folder and of those that FLOORS allows, and
  nothing else of ours;
* headers that PRIVATE names are for their own folder;
* a file calls functions of these folders only, also where another header declares them,
  as ribbon_core.h does (read from the objects, which the runner has made of these sources;
  called by itself, this makes them if some are missing, but takes old ones as they are);
* no module includes itself by way of others;
* a room of libribbon includes its own header and, as far as it needs them, the core's base, keys,
  values and set, its command that header alone;
* no files call one another in a circle;
* the drawings of docs/developer/files.md have each room of src, above those that it includes;
* each #include "..." of ours names a file from its root (src/core, src/pg), no two
  modules have one name, and each file lies in a folder that has a floor.

The same is then tried with trees made up to break each rule.

usage: test/run.sh build/floors
needs: extension
"""

import glob
import os
import re
import subprocess
import tempfile

from reports import finish, report

# The floors, lowest first: "folder: folders that it may include".  The folder ""
# of a root has the headers that all may include.
FLOORS = {
    "src/core": {
        "": "",
        "base": "",
        "keys": "base",
        "values": "base",
        "set": "base",
        "format": "base keys values",
        "solve": "base format",
        "probe": "base format",
        "inspect": "base format solve probe",
        "construct": "base keys format solve set",
        "compose": "base keys values format solve set probe construct",
    },
    "src/pg": {
        "": "",
        "server": "",
        "key": "server",
        "value": "server",
        "type": "server key value",
        "spill": "server",
        "aggregate": "server key value type spill",
        "probing": "server key value type",
        "planner": "server key value type probing",
        "scan": "server key value type probing planner",
    },
}

# Headers for their own folder only, though others may include that folder.
PRIVATE = {"src/core/set/blocks.h", "src/pg/key/keysink.h", "src/pg/probing/probesite.h",
           "src/pg/probing/slice.h", "src/pg/probing/stored.h", "src/pg/scan/heappage.h",
           "src/pg/spill/sharedfile.h"}

# Of the core, src/pg includes these folders.
CORE_FOR_PG = {"", "base", "keys", "values", "set"}

# These know all of their floors.
ROOF = {"src/pg/module.c", *(f"clients/js/lib/{name}.js" for name in ("index", "filter", "chain"))}

# Folders outside of src, and those that each includes besides itself.
OUTSIDE = {
    "lib/include": "",
    "lib/src": "lib/include src/core",
    "lib/src/key": "lib/src src/core/base src/core/keys",
    "lib/src/read": "lib/src src/core/base src/core/keys src/core/values",
    "lib/src/builder": "lib/src lib/src/key src/core/base src/core/keys src/core/values src/core/set",
    "lib/src/filter": "lib/src lib/src/key src/core/keys src/core/values",
    "lib/command/base": "lib/include",
    "lib/command/options": "lib/command/base",
    "lib/command/files": "lib/command/base lib/command/options",
    "lib/command": "lib/command/files lib/command/options",
    "lib/windows": "",
    "lib/test": "lib/include lib/src lib/src/key lib/src/read lib/src/builder src/core src/core/base src/core/keys "
                "src/core/values src/core/set test/unit/lib",
    "clients/js/src": "src/core src/core/base src/core/keys src/core/set src/core/format src/core/probe",
    "clients/js/lib": "clients/js/lib/source",
    "clients/js/lib/source": "clients/js/lib",
    "clients/js/lib/remote": "clients/js/lib clients/js/lib/source",
    "clients/js/lib/build": "clients/js/lib",
}

# What base/widths_template.h includes for another file, too.
INCLUDE = re.compile(r'^[ \t]*#[ \t]*(?:include|define[ \t]+RIBBON_TEMPLATE)[ \t]*"([^"]+)"', re.MULTILINE)
IMPORT = re.compile(r'\b(?:from|import)[ (]*"(\.[^"]+)"')


def folder_of(path):
    """The root and the folder of a source file."""
    for root in FLOORS:
        if path.startswith(root + "/"):
            return root, os.path.dirname(path[len(root) + 1:])
    return None, os.path.dirname(path)


def module_of(path):
    """A header and the .c of its name are one module; a header of pieces is its own."""
    return os.path.splitext(path)[0]


def named(tree, path):
    """What a file includes or imports, as it says."""
    with open(os.path.join(tree, path), encoding="utf-8") as file:
        return list(dict.fromkeys((IMPORT if path.endswith(".js") else INCLUDE).findall(file.read())))


def included(tree, path):
    """Those of our files that a file includes, from the tree's top."""
    root, _ = folder_of(path)
    for name in named(tree, path):
        for place in dict.fromkeys([root, *reversed(FLOORS)]):
            if place and os.path.exists(os.path.join(tree, place, name)):
                yield f"{place}/{name}"
                break
        else:
            yield name


def allowed(path, target):
    """May this file include that one?"""
    root, folder = folder_of(path)
    target_root, target_folder = folder_of(target)
    if target in PRIVATE and (root, folder) != (target_root, target_folder):
        return False
    if root != target_root:
        return root == "src/pg" and target_root == "src/core" and target_folder in CORE_FOR_PG
    return target_folder in ("", folder, *FLOORS[root].get(folder, "").split()) or path in ROOF


def foreign(root, name):
    """Is it the server's or the system's header?  Ours lie in folders of ours."""
    return root == "src/pg" and name.split("/")[0] not in {*FLOORS["src/core"], *FLOORS["src/pg"]}


def outside_faults(tree, arrows):
    """What libribbon, its command and clients include, and may not; all that they include goes to arrows."""
    paths = [path for pattern in ("lib/*/*.[ch]", "lib/src/*/*.[ch]", "lib/command/*/*.[ch]", "clients/*/src/*.[ch]",
                                  "clients/*/lib/**/*.js")
             for path in glob.glob(os.path.join(tree, pattern), recursive=True)]
    for path in sorted(os.path.relpath(path, tree) for path in paths):
        folder = os.path.dirname(path)
        floors = OUTSIDE.get(folder)
        if floors is None:
            yield f"{path}: no floor for its folder"
            continue
        for name in named(tree, path):
            places = [os.path.normpath(f"{place}/{name}") for place in (folder, "lib", "src/core", "test/unit/lib")]
            target = next((place for place in places if os.path.exists(os.path.join(tree, place))), name)
            if os.path.dirname(target) not in (folder, *floors.split()) and path not in ROOF:
                yield f"{path} -> {target}"
            if module_of(path) != module_of(target):
                arrows.setdefault(module_of(path), set()).add(module_of(target))


def symbols():
    """Of the objects of src: where each function is defined, and (file, function) that are called."""
    def objects():  # but those of an earlier make whose source has gone
        return [path for path in glob.glob("src/**/*.o", recursive=True) if os.path.exists(path[:-1] + "c")]

    if len(objects()) < len(glob.glob("src/**/*.c", recursive=True)):
        subprocess.run(["make", "-s", "all"], check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.run(["nm", "-A", "-P", *objects()], check=True, capture_output=True, text=True).stdout
    defined, called = {}, []
    for line in listed.splitlines():
        path, name, kind = line.split(" ")[:3]
        path = path.rstrip(":")[:-1] + "c"
        if kind == "U":
            called.append((path, name))
        elif kind in "TDBR":
            defined.setdefault(name, path)
    return defined, called


def call_faults(defined, called, public):
    """Calls that point up; public: the names that ribbon_core.h declares."""
    for path, name in called:
        target = defined.get(name)
        if target is None or path in ROOF:
            continue
        root, folder = folder_of(path)
        target_root, target_folder = folder_of(target)
        if root != target_root:
            fine = root == "src/pg" and (target_folder in CORE_FOR_PG or name in public)
        else:
            fine = target_folder in ("", folder, *FLOORS[root].get(folder, "").split())
        if not fine:
            yield f"{path} -> {target}: {name}"


def call_circles(defined, called):
    arrows = {}
    for path, name in called:
        if defined.get(name, path) != path:
            arrows.setdefault(path, set()).add(defined[name])
    return cycles(arrows)


def check_calls():
    with open("src/core/ribbon_core.h", encoding="utf-8") as file:
        public = set(re.findall(r"\b(ribbon_\w+)\(", file.read()))
    defined, called = symbols()
    found = sorted(set(call_faults(defined, called, public)))
    for line in found:
        print(f"# {line}")
    report("files call floors below them only", f"{len(found)} faults" if found else None)
    found = call_circles(defined, called)
    for group in found:
        print(f"# {' <-> '.join(group)}")
    report("no files call one another in a circle", f"{len(found)} circles" if found else None)
    report("objects have been read", None if len(called) > 500 and "ribbon_open" in defined else str(len(called)))
    defined = {"up": "src/core/probe/a.c", "ribbon_open": "src/core/probe/b.c", "down": "src/core/base/c.c"}
    for name, path, callee, faults in (
            ("a call upwards is seen", "src/core/format/a.c", "up", 1),
            ("a call of ribbon_core.h within the core, too", "src/core/values/a.c", "ribbon_open", 1),
            ("one downwards passes", "src/core/format/a.c", "down", 0),
            ("one of the server to ribbon_core.h passes", "src/pg/type/a.c", "ribbon_open", 0),
            ("one to the core's insides is seen", "src/pg/type/a.c", "up", 1)):
        found = list(call_faults(defined, [(path, callee)], {"ribbon_open"}))
        report(name, None if len(found) == faults else str(found))
    found = call_circles(defined, [("src/core/base/c.c", "up"), ("src/core/probe/a.c", "ribbon_open"),
                                   ("src/core/probe/b.c", "down")])
    report("a circle of calls is seen", None if [len(group) for group in found] == [3] else str(found))


def cycles(arrows):
    """The groups of modules that include one another."""
    reached = {}
    for start in arrows:
        seen, waiting = set(), [start]
        while waiting:
            for module in arrows.get(waiting.pop(), ()):
                if module not in seen:
                    seen.add(module)
                    waiting.append(module)
        reached[start] = seen
    groups = {frozenset(m for m in reached[start] if start in reached.get(m, ()))
              for start in arrows if start in reached[start]}
    return sorted(sorted(group) for group in groups)


def faults(tree="."):
    """What breaks a rule in this tree: lists of lines, by rule."""
    found = {"folders": [], "names": [], "floors": [], "cycles": []}
    sources = sorted(os.path.relpath(path, tree) for path in
                     glob.glob(os.path.join(tree, "src/**/*.[ch]"), recursive=True))
    arrows = {}
    for path in sources:
        root, folder = folder_of(path)
        if root is None or folder not in FLOORS[root]:
            found["folders"].append(f"{path}: no floor for its folder")
            continue
        for target in included(tree, path):
            if folder_of(target)[0] is None:
                if not foreign(root, target):
                    found["names"].append(f"{path}: there is no {target}")
                continue
            if not allowed(path, target):
                found["floors"].append(f"{path} -> {target}")
            if module_of(path) != module_of(target):
                arrows.setdefault(module_of(path), set()).add(module_of(target))
    found["floors"] += outside_faults(tree, arrows)
    for root, floors in FLOORS.items():
        for folder in floors:
            if not any(folder_of(path) == (root, folder) for path in sources):
                found["folders"].append(f"{root}/{folder}: nothing is in it")
    names = [path[len(root) + 1:] for path in sources for root in FLOORS
             if path.startswith(root + "/") and path.endswith(".h")]
    found["names"] += [f"{name}: in both roots" for name in sorted({n for n in names if names.count(n) > 1})]
    modules = [os.path.basename(module) for module in sorted({module_of(path) for path in sources})]
    found["names"] += [f"{name}: two modules" for name in sorted({n for n in modules if modules.count(n) > 1})]
    found["cycles"] = [" <-> ".join(group) for group in cycles(arrows)]
    return found


def check_list():
    """The list of floors has no arrow upwards itself."""
    upwards = [f"{root}/{folder} -> {below}" for root, floors in FLOORS.items()
               for number, folder in enumerate(floors)
               for below in floors[folder].split() if below not in list(floors)[:number]]
    report("the floors are listed from the lowest on", ", ".join(upwards) or None)
    shared = sorted(set(FLOORS["src/core"]) & set(FLOORS["src/pg"]) - {""})
    report("no folder's name stands for two", ", ".join(shared) or None)


def drawing_faults(page, floors):
    """What drawings of a page have against a root's floors.  A room is drawn as "name/", two spaces, and what it is."""
    drawn = {}
    for number, line in enumerate(page.splitlines()):
        for folder in re.findall(r"\b(\w+)/  ", line):
            drawn.setdefault(folder, number)
    for folder, below in floors.items():
        if folder and folder not in drawn:
            yield f"{folder} is not drawn"
        for other in below.split():
            if folder in drawn and drawn[folder] >= drawn.get(other, len(page)):
                yield f"{folder} is not above {other}"


def check_drawings():
    with open("docs/developer/files.md", encoding="utf-8") as file:
        page = file.read()
    for root, floors in FLOORS.items():
        report(f"docs/developer/files.md draws the rooms of {root}", "; ".join(drawing_faults(page, floors)) or None)
    found = list(drawing_faults("base/  bits   set/  sorted\n", {"": "", "base": "", "set": "base", "keys": "base"}))
    report("a room that is not drawn, or beside one that it includes, is seen",
           None if found == ["set is not above base", "keys is not drawn"] else str(found))


def check_tree():
    missing = sorted(header for header in PRIVATE if not os.path.exists(header))
    report("headers for their own folder are there", ", ".join(missing) or None)
    found = faults()
    for rule, name in (("folders", "each folder has a floor, and each floor a folder"),
                       ("names", "headers of ours are named from src/core or src/pg"),
                       ("floors", "files include floors below them only"),
                       ("cycles", "no module includes itself by way of others")):
        for line in found[rule]:
            print(f"# {line}")
        report(name, f"{len(found[rule])} faults" if found[rule] else None)


# --- can it fail? ---

def made_up(files):
    """The faults of a tree with a file in each folder, and these: path, included."""
    plain = {os.path.join(root, folder, f"{root[4:]}_{folder}.h"): ()
             for root, floors in FLOORS.items() for folder in floors}
    with tempfile.TemporaryDirectory(prefix="ribbon.") as tree:
        for path, names in {**plain, **files}.items():
            os.makedirs(os.path.join(tree, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
                file.writelines(f'import {{ a }} from "{name}";\n' if path.endswith(".js") else f'#include "{name}"\n'
                                for name in names)
        return {rule: lines for rule, lines in faults(tree).items() if lines}


def check_made_up():
    for name, files, expected in (
            ("what is allowed passes", {
                "src/core/construct/a.c": ["construct/a.h", "solve/b.h", "base/core_base.h"],
                "src/core/construct/a.h": ["core_.h"],
                "src/core/solve/b.h": ["format/core_format.h"],
                "src/pg/module.c": ["postgres.h", "utils/guc.h", "planner/pg_planner.h", "base/core_base.h"]},
             set()),
            ("an arrow upwards is seen", {"src/core/format/a.c": ["construct/core_construct.h"]}, {"floors"}),
            ("a folder's own header in another is seen", {"src/pg/scan/a.c": ["probing/slice.h"],
                                                          "src/pg/probing/slice.h": []}, {"floors"}),
            ("but not in itself", {"src/pg/probing/a.c": ["probing/slice.h"], "src/pg/probing/slice.h": []}, set()),
            ("a build of planes may ask", {"src/core/compose/a.c": ["probe/core_probe.h"]}, set()),
            ("that of a plane may not", {"src/core/construct/a.c": ["probe/core_probe.h"]}, {"floors"}),
            ("a probe that builds is seen", {"src/core/probe/a.c": ["construct/core_construct.h"]}, {"floors"}),
            ("the core's insides in src/pg are seen", {"src/pg/type/a.c": ["format/core_format.h"]}, {"floors"}),
            ("src/pg in the core is seen", {"src/core/base/a.c": ["server/pg_server.h"]}, {"floors"}),
            ("libribbon may include the core's ground floor", {"lib/src/key/a.c": ["base/core_base.h", "src/b.h"],
                                                               "lib/src/b.h": ["include/c.h"],
                                                               "lib/include/c.h": []}, set()),
            ("its readers may not include its builder", {"lib/src/read/a.c": ["src/builder/b.h"],
                                                         "lib/src/builder/b.h": []}, {"floors"}),
            ("its command may not", {"lib/command/a.c": ["base/core_base.h"]}, {"floors"}),
            ("a client's, too", {"clients/js/src/a.c": ["construct/core_construct.h"]}, {"floors"}),
            ("libribbon may not go into the core's other folders", {"lib/src/filter/a.c": ["probe/core_probe.h"]}, {"floors"}),
            ("a module of JavaScript may import from below", {
                "clients/js/lib/filter.js": ["./build/a.js", "./source/c.js"], "clients/js/lib/build/a.js": ["../b.js"],
                "clients/js/lib/b.js": ["./source/c.js"], "clients/js/lib/source/c.js": ["../d.js"], "clients/js/lib/d.js": []},
             set()),
            ("an import of another room is seen", {"clients/js/lib/build/a.js": ["../remote/b.js"],
                                                   "clients/js/lib/remote/b.js": []}, {"floors"}),
            ("one from above, too", {"clients/js/lib/a.js": ["./build/b.js"], "clients/js/lib/build/b.js": []}, {"floors"}),
            ("and a circle", {"clients/js/lib/filter.js": ["./build/a.js"], "clients/js/lib/build/a.js": ["../filter.js"]},
             {"cycles"}),
            ("a cycle in libribbon is seen", {"lib/src/key/a.h": ["src/key/b.h"], "lib/src/key/b.h": ["src/key/a.h"]},
             {"cycles"}),
            ("a cycle within a folder is seen", {
                "src/core/construct/a.h": ["construct/b.h"], "src/core/construct/b.c": ["construct/c.h"],
                "src/core/construct/b.h": [], "src/core/construct/c.h": ["construct/a.h"]}, {"cycles"}),
            ("a misspelt header is seen", {"src/core/base/a.c": ["base/missing.h"]}, {"names"}),
            ("a name for two headers is seen", {"src/pg/a.h": [], "src/core/a.h": []}, {"names"}),
            ("a name for two modules is seen", {"src/pg/type/a.c": [], "src/core/base/a.h": []}, {"names"}),
            ("one named without its folder is seen", {"src/core/base/a.c": ["core_base.h"]}, {"names"}),
            ("a folder without a floor is seen", {"src/core/cellar/a.h": []}, {"folders"})):
        found = made_up(files)
        report(name, None if set(found) == expected else str(found))


if __name__ == "__main__":
    check_list()
    check_drawings()
    check_tree()
    check_calls()
    check_made_up()
    finish()
