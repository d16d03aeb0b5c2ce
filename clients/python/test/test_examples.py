#!/usr/bin/python3
"""test_examples.py - the examples of docstrings, of docs/python.md and of the package's README.md give what they say

With the files that examples/passwords makes.

usage: test/run.sh python-client/test_examples
"""

import datetime
import doctest
import os
import subprocess
import tempfile

from built import compare, report
from reports import finish

import numpy

import ribbonfilter
from ribbonfilter import _filter

PAGES = ("docs/python.md", "clients/python/README.md")
names = {**vars(ribbonfilter), "numpy": numpy, "datetime": datetime}
finder = doctest.DocTestFinder(exclude_empty=True)
parse = doctest.DocTestParser().get_doctest
found = [(parse(ribbonfilter.__doc__, dict(names), "ribbonfilter", None, 0), "ribbonfilter")]
objects = {**{name: getattr(ribbonfilter, name) for name in ribbonfilter.__all__}, "Stored": _filter.Stored}
found += [(test, test.name) for name, value in objects.items()
          for test in finder.find(value, name, module=False, globs=names)]
for page in PAGES:
    with open(page, encoding="utf-8") as file:
        found.append((parse(file.read(), {}, page, os.path.abspath(page), 0), page))

LINES = 5000        # of the list of passwords


def make_passwords(folder):
    """The files of examples/passwords, and the list that they are of."""
    done = subprocess.run(["examples/passwords/run.sh", str(LINES), folder], encoding="utf-8", stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300)
    report("examples/passwords makes its files", None if done.returncode == 0 else done.stdout + done.stderr)
    lines = subprocess.run([os.path.join(folder, "generate"), str(LINES)], encoding="ascii", stdin=subprocess.DEVNULL,
                           capture_output=True, check=True, timeout=300).stdout.split()
    return [bytes.fromhex(line.split(":")[0]) for line in lines], [int(line.split(":")[1]) for line in lines]


def check_passwords(digests, counts):
    """Python reads the files as examples/passwords/README.md says."""
    leaked, decades = ribbonfilter.Filter.open("leaked.ribbon"), ribbonfilter.Map.open("decades.ribbon")
    compare("all are in the filter", (leaked.key_type, len(leaked), all(digest in leaked for digest in digests)),
            ("bytea", LINES, True))
    compare("and have their decades in the map", decades.get_many(digests).tolist(), [len(str(count)) - 1 for count in counts])
    rows = numpy.frombuffer(b"".join(digests), numpy.uint8).reshape(-1, 20)
    compare("in one array", bool(leaked.contains(rows).all()), True)


with tempfile.TemporaryDirectory() as directory:
    passwords = make_passwords(directory)
    os.chdir(directory)     # where examples may write files
    for test, name in found:
        if not test.examples:
            continue
        said = []
        result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        report(f"{name}: {result.attempted} examples", "".join(said) if result.failed else None)
    check_passwords(*passwords)
    os.chdir("/")
examples = sum(len(test.examples) for test, _ in found)
report("there are many", None if examples > 70 else str(examples))
finish()
