#!/usr/bin/python3
"""Break the sources in small ways, one at a time, and see whether the tests notice.

usage: mutate.py [--count N] [--seconds N] [--each N] [--quick N] [--seed N] [--again LOG] [--all] [--plain]
                 [FILE | FOLDER]...

A mutant is one change of a line of C: a comparison that takes in its bound or
leaves it out, a condition turned round, another operator or constant, a statement
left out.  Mutants are drawn at random, as many as --count, for --seconds of computing
at most, from the files (default: src/core and lib/src).

Which tests reach a line is known from "make coverage COVERAGE='core lib'".  Of a file that
was not counted, or has changed since, all tests are tried, first those that are named like
it or include its header.  Of others only those that reach the line are run, and those that
have changed themselves, until one fails, which it does at its first wrong result, or takes
four times as long as it does otherwise.  First come those that are quick and have noticed
much in this file; of tests that take long, a quarter of a second is tried as if it were a
test.  What survives them is tried again with sanitizers, as "make unit" has them, but not
with --plain.  A mutant of which the compiler makes the same code, or none, does not count.

What survives costs minutes.  With --each N tests of a mutant end after N seconds of
computing (of a header once more, with all that use it); with --quick N, of tests that take
longer than N seconds only that quarter of one is tried.  A mutant that was not noticed then,
but might have been, is not judged.

Prints a line per mutant, and at the end the survivors.  Each is a missing test, code
that nothing needs, or an equivalent change, which belongs into equivalent.txt with its
reason; --all tries those of that list, too.  --again tries those that an earlier run, of
which LOG is the output, has not judged or noticed, in place of others.

Works on a copy of the sources in build/mutants.
"""

import argparse
import collections
import contextlib
import glob
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

PLACE = "build/mutants"
PROFILES = ("build/coverage/core", "build/coverage/lib")
LLVM = "19"
with open("core.mk", encoding="utf-8") as flags:
    MEANING = re.search("^CORE_MEANING = (.*)", flags.read(), re.MULTILINE)[1]
COMPILE = (f"cc -std=c11 -D_POSIX_C_SOURCE=200809L -DCHECK_ENDS=1 -g0 -w -fPIC {MEANING} "
           "-Isrc/core -Ilib -Itest/unit/lib").split()
MODES = {"plain": ["-O1"], "sanitized": ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]}
SOURCES = ("src/core/*/*.c", "lib/src/*.c", "lib/src/*/*.c")
DEFAULT = ("src/core", "lib/src")
MEMORY = 6 << 30
PART = 0.25  # seconds of a test that are tried by themselves

# Tests may take the place of these functions, which the library finds by --wrap.
WRAPPED = {"malloc": ("void *", "size_t"), "calloc": ("void *", "size_t", "size_t"),
           "realloc": ("void *", "void *", "size_t"),
           "pthread_create": ("int", "void *", "void *", "void *", "void *"),
           "pread64": ("long", "int", "void *", "size_t", "long"),
           "pwrite64": ("long", "int", "const void *", "size_t", "long")}
WRAP = "-Wl" + "".join(",--wrap=" + name for name in WRAPPED)
TESTS = {}  # sources by name
TARGETS = sorted(path.split("target_")[1][:-2] for path in glob.glob("test/fuzz/target_*.c"))

# What becomes what.  Signs stand between blanks: the sources are formatted.
OPERATORS = {" < ": (" <= ", " > "), " <= ": (" < ",), " > ": (" >= ", " < "), " >= ": (" > ",),
             " == ": (" != ",), " != ": (" == ",), " && ": (" || ",), " || ": (" && ",),
             " + ": (" - ",), " - ": (" + ",), " * ": (" + ",), " / ": (" * ",), " % ": (" / ",),
             " << ": (" >> ",), " >> ": (" << ",), " & ": (" | ",), " | ": (" & ",), " ^ ": (" | ",),
             " += ": (" -= ", " = "), " -= ": (" += ",), " |= ": (" &= ", " = "), " ^= ": (" |= ",),
             "++": ("--",), "true": ("false",), "false": ("true",)}
OPERATOR = re.compile("|".join(re.escape(sign) if not sign.isalpha() else r"\b%s\b" % sign
                               for sign in sorted(OPERATORS, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
CONDITION = re.compile(r"^(\s*(?:\} )?(?:else )?(?:if|while) \()(.+)(\))$")
STATEMENT = re.compile(r"^(\s+)(?!return\b|goto\b|break\b|case\b)[\w*(][^=]*(?:\(.*\)| [-+|&^]?= .*|\+\+|--);$")


def code_lines(lines):
    """The numbers of lines inside of functions, without comments, directives and assertions."""
    comment = directive = False
    for number, line in enumerate(lines):
        code = line.strip()
        inside = comment or code.startswith("/*")
        if "/*" in code or "*/" in code:  # a comment may begin behind code
            comment = code.rfind("/*") > code.rfind("*/")
        if inside:
            continue
        if directive or code.startswith("#"):
            directive = code.endswith("\\")
        elif line.startswith("\t") and code not in "{};" and "assert" not in code and '"' not in code:
            yield number


def changes_of(line):
    """Of a line: (what changes, the line changed)."""
    code = re.sub(r"/\*.*?(\*/|$)", lambda found: " " * len(found.group()), line)
    seen = collections.Counter()

    def changed(found, other):
        number = seen[found.group()]
        return ("" if number == 1 else "no. %d: " % number) + "%s becomes %s" % (found.group().strip(), other.strip()), \
            line[:found.start()] + other + line[found.end():]

    for found in OPERATOR.finditer(code):
        seen[found.group()] += 1
        for other in OPERATORS[found.group()]:
            yield changed(found, other)
    for found in NUMBER.finditer(code):
        seen[found.group()] += 1
        yield changed(found, str(int(found.group()) + 1))
    found = CONDITION.match(code.rstrip())
    if found and found.group(2).count("(") == found.group(2).count(")"):
        yield "turned round", "%s!(%s)%s" % found.groups()
    found = STATEMENT.match(code.rstrip())
    if found:
        yield "left out", found.group(1) + ";"


Mutant = collections.namedtuple("Mutant", "path number old what new")


def mutants_of(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number in code_lines(lines):
        for what, new in changes_of(lines[number]):
            yield Mutant(path, number, lines[number], what, new)


@contextlib.contextmanager
def broken(mutant):
    """The sources with a mutant in them."""
    with open(mutant.path, encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")
    lines[mutant.number] = mutant.new
    try:
        with open(mutant.path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        yield
    finally:
        with open(mutant.path, "w", encoding="utf-8") as file:
            file.write(text)


def limit(seconds, memory):
    """End a program after so many seconds of computing."""
    signal.setitimer(signal.ITIMER_PROF, seconds)  # not those of its children, if it has any
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    os.setpgid(0, 0)


def run(command, seconds=600, memory=0, **more):
    """Its status; None if it took too long."""
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=lambda: limit(seconds, memory), **more)
    try:
        return program.wait(timeout=20 * seconds + 60)
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        return None


def used():
    """Seconds of computing, of all programs that were run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def write_wrapped():
    """What is called by --wrap unless a test has its own."""
    with open("wrapped.c", "w", encoding="utf-8") as file:
        print("#include <stddef.h>", file=file)
        for name, (result, *types) in WRAPPED.items():
            typed = ", ".join("%s a%d" % (of, i) for i, of in enumerate(types))
            given = ", ".join("a%d" % i for i in range(len(types)))
            print("%s __real_%s(%s);" % (result, name, typed), file=file)
            print("__attribute__((weak)) %s __wrap_%s(%s)" % (result, name, typed), file=file)
            print("{ return __real_%s(%s); }" % (name, given), file=file)


class Build:
    """The sources' objects as a shared library, and tests that are linked with it when they are wanted."""

    def __init__(self, mode):
        self.flags = COMPILE + MODES[mode]
        self.memory = MEMORY if mode == "plain" else 0
        self.place = os.path.abspath(mode)
        self.kept = os.path.join("..", "mutants-" + mode + ".json")  # what earlier runs have learned:
        self.seconds, self.tried, self.noticed = {}, {}, {}  # by test; the last two also by file
        if os.path.exists(self.kept):
            with open(self.kept, encoding="utf-8") as file:
                self.seconds, self.tried, self.noticed = json.load(file)
        os.makedirs(os.path.join(mode, "intact"))
        self.objects = {path: self.object(path) for pattern in SOURCES for path in sorted(glob.glob(pattern))}
        self.objects["wrapped.c"] = self.object("wrapped.c")
        # tests, too, as long as no header is broken
        for path in [*self.objects, *(path for paths in TESTS.values() for path in paths)]:
            self.compile(path)
        if not self.link() or not self.link("intact"):
            sys.exit("the sources cannot be compiled")

    def object(self, path):
        return os.path.join(self.place, path.replace("/", "_") + ".o")

    def compile(self, path):
        return run(self.flags + ["-MMD", "-c", "-o", self.object(path), path]) == 0

    def library(self, place=""):
        return os.path.join(self.place, place, "libsources.so")

    def link(self, place=""):
        return run(self.flags + ["-shared", WRAP, "-Wl,-soname,libsources.so", "-o", self.library(place),
                                 *self.objects.values(), "-lm"]) == 0

    def command(self, test, ending=""):
        """What runs a test, with the intact sources; it is linked if it is not there."""
        name, *target = test.split(" ")
        program = os.path.join(self.place, name + ending)
        if not os.path.exists(program) or ending:
            found_there = "-Wl,--enable-new-dtags,-rpath," + os.path.dirname(self.library("intact"))
            objects = [self.object(path) for path in TESTS[name]]
            if run(self.flags + [WRAP, "-o", program, *objects, self.library("intact"), found_there,
                                 "-lm", "-pthread"]) != 0:
                sys.exit("%s cannot be linked" % name)
        return [program] + [argument for one in target for argument in (one, "-n", "400", "7")]

    def takes(self, test, most=600):
        """How many seconds a test computes, with intact sources; infinitely many, if it is more than most."""
        if test not in self.seconds:
            command = self.command(test)
            began = used()
            failed = run(command, most) != 0
            self.seconds[test] = used() - began
            if failed and self.seconds[test] < most - 1:
                sys.exit("%s fails without a mutant" % test)
            if failed:
                self.seconds[test] = float("inf")
            self.keep()
        return self.seconds[test]

    def keep(self):
        with open(self.kept, "w", encoding="utf-8") as file:
            json.dump((self.seconds, self.tried, self.noticed), file)

    @staticmethod
    def keys(attempt, path):
        """Under what is remembered how often an attempt has noticed something: anywhere, and in a file."""
        name = attempt[0] + (" in part" if attempt[1] else "")
        return name, name + " " + path

    def costs(self, attempt, path):
        """Seconds until an attempt, a test or a part of it, notices a change of a file, as far as is known."""
        test, part = attempt

        chance = 0.5
        for key in self.keys(attempt, path):
            chance = (self.noticed.get(key, 0) + 2 * chance) / (self.tried.get(key, 0) + 2)
        return (0.02 + (PART if part else self.seconds[test])) / chance

    def learn(self, attempt, path, noticed):
        for key in self.keys(attempt, path):
            self.tried[key] = self.tried.get(key, 0) + 1
            self.noticed[key] = self.noticed.get(key, 0) + noticed

    def notices(self, attempt, ending=""):
        """Does a test fail, with the sources as they are, or take much longer than with intact ones?"""
        test, part = attempt
        status = run(self.command(test, ending), PART if part else 4 * self.takes(test) + 1, self.memory,
                     env={**os.environ, "LD_LIBRARY_PATH": self.place})
        return status not in (0, -signal.SIGPROF if part else 0)

    def depends(self, source, path):
        with open(self.object(source)[:-1] + "d", encoding="utf-8") as depends:
            return path in depends.read().replace("\\\n", "").split()

    def users(self, path):
        """Sources whose objects depend on a file."""
        folder = os.path.dirname(path)
        return sorted((source for source in self.objects if self.depends(source, path)),
                      key=lambda source: (os.path.dirname(source) != folder, os.path.getsize(source)))

    def notices_itself(self, attempt, path):
        """The same of a test that uses a header, and so has been broken with it."""
        users = [source for source in TESTS[attempt[0].split(" ")[0]] if self.depends(source, path)]
        try:
            return bool(self.changed(users)) and self.notices(attempt, ".broken")
        finally:
            self.restore(users)

    def changed(self, sources):
        """Compile them: True if code is another, False if it is the same, None if it is none."""
        same = True
        for source in sources:
            os.rename(self.object(source), self.object(source) + ".kept")
            if not self.compile(source):
                return None
            with open(self.object(source), "rb") as new, open(self.object(source) + ".kept", "rb") as old:
                same = same and new.read() == old.read()
        return not same

    def restore(self, sources):
        for source in sources:
            if os.path.exists(self.object(source) + ".kept"):
                os.replace(self.object(source) + ".kept", self.object(source))


def lines_of(profile, objects):
    """(file, line) of each line that was reached."""
    subprocess.run(["llvm-profdata-" + LLVM, "merge", "-sparse", "-o", "profile", profile], check=True)
    more = [argument for path in objects[1:] for argument in ("-object", path)]
    lines = subprocess.run(["llvm-cov-" + LLVM, "export", "-format=lcov", "-instr-profile=profile", objects[0], *more],
                           check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    path = None
    for line in lines.stdout.decode().splitlines():
        if line.startswith("SF:"):
            path = line[3:]
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            if int(count) > 0:
                yield path, int(number)


def reach(top, programs):
    """By file and line the tests that reach it; and the tests of which that is not known.

    What is newer than a count is left out of it.  What is found of a profile is kept beside it.
    """
    tests = collections.defaultdict(lambda: collections.defaultdict(set))
    known = set()

    def is_older(path, than):
        path = os.path.join(top, path)
        return os.path.exists(path) and os.path.getmtime(path) < os.path.getmtime(than)

    for folder in PROFILES:
        folder = os.path.join(top, folder)
        began = os.path.join(folder, "began")
        if not os.path.exists(os.path.join(folder, "objects")):  # it has not run to its end
            continue
        with open(os.path.join(folder, "objects"), encoding="utf-8") as names:
            objects = [os.path.join(top, name) for name in names.read().splitlines()]
        for raw in sorted(glob.glob(os.path.join(folder, "*.profraw"))):
            program = os.path.basename(raw).split(".")[0]
            names = [name for name in programs if name.split(" ")[0] == program]
            if not names or not all(is_older(source, began) for source in TESTS[program]):
                continue
            known.update(names)
            kept = raw[:-len("profraw")] + "lines"
            if not os.path.exists(kept):
                with open(kept, "w", encoding="utf-8") as file:
                    json.dump([(os.path.relpath(path, top), line) for path, line in lines_of(raw, objects)], file)
            with open(kept, encoding="utf-8") as file:
                lines = json.load(file)
            counted = {path for path in {path for path, _ in lines} if is_older(path, began)}
            for path, line in lines:
                if path in counted:
                    tests[path][line].update(names)
    return tests, set(programs) - known


def likely(path, names):
    """Tests that are named like a file, or include its header, which may be all that is known of who reaches it."""
    folder, stem = os.path.split(os.path.splitext(path)[0])
    header = '#include "%s/%s.h"' % (os.path.basename(folder), stem)

    def includes(name):
        return any(header in open(source, encoding="utf-8").read() for source in TESTS[name.split(" ")[0]])

    return {name for name in names if stem in name or stem.split("_")[0] in name or includes(name)}


def equivalents(top):
    """Of equivalent.txt: (file, line of code, change)."""
    with open(os.path.join(top, "test/deep/equivalent.txt"), encoding="utf-8") as file:
        for line in file:
            fields = line.split("\t")
            if len(fields) >= 4 and not line.startswith("#"):
                yield tuple(field.strip() for field in fields[:3])


def again(log, pool):
    """Of the mutants: those that LOG says were not judged, or survived; of lines that are alike, the nearest."""
    alike = collections.defaultdict(list)
    for mutant in pool:
        alike[mutant.path, "%s: %s" % (mutant.old.strip(), mutant.what)].append(mutant)
    with open(log, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"(?:not judged|SURVIVED [^:]*): ([^:]+):(\d+): (.*)", line)
            if found and alike[found.group(1, 3)]:
                yield min(alike[found.group(1, 3)], key=lambda mutant: abs(mutant.number + 1 - int(found.group(2))))
            elif found:
                print("there is no such change any more: " + line.strip())


class NotJudged(Exception):
    """A mutant has taken too long."""


def first_to_notice(build, path, users, tests, options):
    """The first test that notices what is broken; None if none does, False if there is nothing to notice."""
    different = left_out = False
    spent = 0
    attempts = [(test, part) for test in tests for part in (True, False)
                if not part or build.takes(test, options.quick) > 2 * PART]
    attempts.sort(key=lambda attempt: build.costs(attempt, path))  # of equal ones, those stay first that are so

    def notices(how, attempt, *more):
        nonlocal left_out, spent
        if spent > options.each:
            raise NotJudged
        if build.takes(attempt[0], options.quick) > options.quick and not attempt[1]:
            left_out = True
            return False
        began = used()
        answer = how(attempt, *more)
        spent += used() - began
        build.learn(attempt, path, answer)
        return answer

    try:
        left = users
        while left:  # of a header: one user whose code is another is enough, mostly
            part, left = (left, []) if different else (left[:1], left[1:])
            changed = build.changed(part)
            if changed is None:
                return False
            if not changed:
                continue
            different = True
            spent = 0
            if not build.link():
                return "the linker"
            for attempt in attempts:
                if notices(build.notices, attempt):
                    return attempt[0]
        if path.endswith(".h"):
            for attempt in attempts:
                if not attempt[1] and notices(build.notices_itself, attempt, path):
                    return attempt[0]
        if different and left_out:
            raise NotJudged
        return None if different else False
    finally:
        build.restore(users)
        build.keep()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=10 ** 9)
    parser.add_argument("--each", type=int, default=10 ** 9)
    parser.add_argument("--quick", type=int, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--again")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("where", nargs="*", default=DEFAULT)
    options = parser.parse_args()

    top = os.getcwd()
    shutil.rmtree(PLACE, ignore_errors=True)
    for folder in ("src", "lib", "test"):
        shutil.copytree(folder, os.path.join(PLACE, folder), ignore=shutil.ignore_patterns("*.o", "*.bc"))
    os.chdir(PLACE)
    os.makedirs("build/fuzz")
    paths = [path for where in options.where for path in
             ([where] if os.path.isfile(where) else sorted(glob.glob(where + "/**/*.[ch]", recursive=True)))]
    known = set() if options.all else set(equivalents(top))
    pool = {mutant: (mutant.path, mutant.old.strip(), mutant.what)
            for path in paths if "neon" not in path for mutant in mutants_of(path)}
    for entry in sorted(known.difference(pool.values())):
        if entry[0] in paths or not os.path.exists(entry[0]):
            print("equivalent.txt: there is no such change: %s" % ": ".join(entry))
    pool = [mutant for mutant, entry in pool.items() if entry not in known]
    if options.again:
        pool = list(dict.fromkeys(again(os.path.join(top, options.again), pool)))
    random.Random(options.seed).shuffle(pool)
    TESTS.update({os.path.basename(path)[:-2]: [path] for path in
                  glob.glob("test/unit/*/test_*.c") + glob.glob("lib/test/test_*.c")})
    TESTS["fuzz"] = [path for path in glob.glob("test/fuzz/*.c") if not path.endswith("libfuzzer.c")]
    names = [name for name in TESTS if name != "fuzz"] + ["fuzz " + target for target in TARGETS]
    tests_of, unknown = reach(top, names)
    write_wrapped()
    plain, sanitized = Build("plain"), None
    print("seed %d, %d mutants to choose from" % (options.seed, len(pool)), flush=True)

    noticed = 0
    survivors = []
    for mutant in pool:
        if noticed + len(survivors) >= options.count or used() > options.seconds:
            break
        users = plain.users(mutant.path)
        # of a line of a table, which is not counted, all tests that reach the file
        tests = tests_of[mutant.path][mutant.number + 1] or set().union(*tests_of[mutant.path].values())
        first = set() if tests else likely(mutant.path, names)
        tests = sorted(tests | unknown if tests else names, key=lambda test: test not in first)
        line = "%s:%d: %s: %s" % (mutant.path, mutant.number + 1, mutant.old.strip(), mutant.what)
        try:
            with broken(mutant):
                by = first_to_notice(plain, mutant.path, users, tests, options)
                if by is None and not options.plain:
                    sanitized = sanitized or Build("sanitized")
                    by = first_to_notice(sanitized, mutant.path, users, tests, options)
                    by = by and by + ", sanitized"
        except NotJudged:
            print("not judged: %s" % line, flush=True)
            continue
        if by is False:
            continue
        print("noticed by %s: %s" % (by, line) if by else "SURVIVED %s: %s" %
              ("%d tests" % len(tests), line), flush=True)
        noticed += bool(by)
        if not by:
            survivors.append(line)
    total = noticed + len(survivors)
    print("\n%d of %d mutants noticed (%.1f %%), seed %d; survivors:" %
          (noticed, total, 100 * noticed / max(1, total), options.seed), *survivors, sep="\n")


if __name__ == "__main__":
    main()
