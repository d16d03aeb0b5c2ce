#!/usr/bin/python3
"""test_examples.py - the examples of docstrings and of docs/python.md give what they say

usage: test/run.sh python-client/test_examples
"""

import doctest
import os
import tempfile

from built import report
from reports import finish

import ribbonfilter
from ribbonfilter import _core, _filter, _map

PAGE = os.path.abspath("docs/python.md")
names = vars(ribbonfilter)
found = [(test, test.name) for module in (ribbonfilter, _core, _filter, _map)
         for test in doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs={**names, "numpy": _filter.numpy})]
with open(PAGE, encoding="utf-8") as file:
    found.append((doctest.DocTestParser().get_doctest(file.read(), {}, "docs/python.md", PAGE, 0), "docs/python.md"))

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
report("there are many", None if examples > 50 else str(examples))
finish()
