#!/usr/bin/python3
"""test_examples.py - the examples of docstrings and of docs/python.md give what they say

usage: test/run.sh python-client/test_examples
"""

import datetime
import doctest
import os
import tempfile

from built import report
from reports import finish

import numpy

import ribbonfilter
from ribbonfilter import _filter

PAGE = os.path.abspath("docs/python.md")
names = {**vars(ribbonfilter), "numpy": numpy, "datetime": datetime}
finder = doctest.DocTestFinder(exclude_empty=True)
parse = doctest.DocTestParser().get_doctest
found = [(parse(ribbonfilter.__doc__, dict(names), "ribbonfilter", None, 0), "ribbonfilter")]
objects = {**{name: getattr(ribbonfilter, name) for name in ribbonfilter.__all__}, "Stored": _filter.Stored}
found += [(test, test.name) for name, value in objects.items()
          for test in finder.find(value, name, module=False, globs=names)]
with open(PAGE, encoding="utf-8") as file:
    found.append((parse(file.read(), {}, "docs/python.md", PAGE, 0), "docs/python.md"))

with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)     # where examples may write files
    for test, name in found:
        if not test.examples:
            continue
        said = []
        result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        report(f"{name}: {result.attempted} examples", "".join(said) if result.failed else None)
    os.chdir("/")
examples = sum(len(test.examples) for test, _ in found)
report("there are many", None if examples > 70 else str(examples))
finish()
