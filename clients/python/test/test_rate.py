#!/usr/bin/python3
"""test_rate.py - exact sets with a rate: right about each listed key, others pass at the rate

usage: test/run.sh python-client/test_rate
"""

import math

from built import compare
from reports import finish

import numpy

from ribbonfilter import Filter

UNKNOWN = 200000
KINDS = {"integers": lambda keys: keys, "texts": lambda keys: [f"key {key}" for key in keys]}
SETS = ((2000, 0, 0.01), (2000, 2000, 0.01), (2000, 32000, 1 / 256), (300, 30000, 0.3), (50000, 50000, 0.0123))


def check_set(name, make, members, others, fpr):
    """Listed keys are right; of the unknown ones, so many pass as ribbon_fpr says, within 4 standard errors."""
    listed = numpy.arange(members + others)
    built = Filter.build_exact(make(listed), listed < members, fpr=fpr)
    compare(f"{name}: at most the rate that was asked for", built.fpr <= 1.005 * fpr, True)
    compare(f"{name}: wrong answers", int((built.contains(make(listed)) != (listed < members)).sum()), 0)
    passed = int(built.contains(make(numpy.arange(10**6, 10**6 + UNKNOWN))).sum())
    errors = abs(passed - UNKNOWN * built.fpr) / math.sqrt(UNKNOWN * built.fpr * (1 - built.fpr))
    compare(f"{name}: {passed} of {UNKNOWN} unknown keys pass, at {built.fpr}", errors <= 4, True)
    compare(f"{name}: the same from its bytes", Filter(bytes(built)).fpr, built.fpr)


for kind, make_keys in KINDS.items():
    for case in SETS:
        check_set(f"{kind}, {case}", make_keys, *case)
finish()
