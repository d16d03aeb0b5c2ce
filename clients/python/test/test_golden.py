#!/usr/bin/python3
"""test_golden.py - the golden filters and maps are read, and are what is built from their keys

test/golden/format_1.txt, whose keys are int8 keys with the hashes that it says
(test/python/test_golden.py), and the digests of maps in expected/map_golden.out.

usage: test/run.sh python-client/test_golden
"""

import datetime
import hashlib
import re

from built import all_true, compare
from reports import finish

import numpy
from inverse_hash import int8_key, mix

from ribbonfilter import Filter, Map

UTC = datetime.timezone.utc
I = numpy.arange(1, 1001)
HOURS = numpy.datetime64("1999-01-01T00:00") + I * numpy.timedelta64(1, "h")

# By the type of sql/map_golden.sql: its values, for i from 1 to 1000.  Its maps have
# plain codes; these are of types to which codes by frequency give nothing.
VALUES = {
    "int2": numpy.asarray([i % 300 - 20 for i in I.tolist()], "i2"), "int4": I.astype("i4"), "int8": I * 10**10,
    "date": numpy.datetime64("2000-01-01") + I, "timestamp": HOURS,
    "timestamptz": numpy.array([moment.replace(tzinfo=UTC) for moment in HOURS.tolist()], object),
    "text": numpy.array([f"key {i % 100}" for i in I]),
}


def check_filters():
    faults = []
    with open("test/golden/format_1.txt", encoding="ascii") as file:
        lines = [line.split() for line in file]
    for kind, width, fpr, nkeys, shift, shrunk_to, data in lines:
        keys = numpy.array([int8_key(mix(i + 0x60DE) >> int(shift)) for i in range(int(nkeys))], numpy.int64)
        data = bytes.fromhex(data)
        f = Filter(data)
        f.check()
        built = Filter.build(keys, float(fpr), kind=kind, width=int(width))
        if float(shrunk_to):
            built = built.shrink(float(shrunk_to))
        found = f.contains(keys).all() and all(key in f for key in keys[:50].tolist())
        if len(f) != int(nkeys) or not found or built != f:
            faults.append((kind, width, fpr, nkeys, shift, shrunk_to))
    all_true(f"{len(lines)} golden filters", faults + ([] if len(lines) > 10 else ["too few"]))


def digest(built):
    return f"{built.nbytes} {hashlib.md5(built, usedforsecurity=False).hexdigest()}"


def check_maps():
    with open("expected/map_golden.out", encoding="utf-8") as file:
        expected = file.read()
    of_type = dict(re.findall(r"^ (\S+) +\| +(\d+ \| \w{32}) \| +0$", expected, re.M))
    for name, values in VALUES.items():
        there = I % 17 > 0
        m = Map.build(I.astype("i4"), numpy.ma.array(values, mask=~there))
        compare(f"a map of {name}", digest(m), of_type.get(name, "not there").replace(" |", ""))
        compare(f"a map of {name}: its values", m.get_many(I)[there].tolist(), numpy.array(m.get_many(I))[there].tolist()
                if name == "timestamptz" else values[there].tolist())
    # of no rows the server knows no rate
    rows = [row for row in re.findall(r"^ +([\d.]+) \| +(\d+) \| +(\d+) \| (\d+ \w{32})$", expected, re.M) if row[0] != "1" or row[2] != "0"]
    faults = []
    for fpr, width, n, wanted in rows:
        keys = numpy.arange(1, int(n) + 1, dtype="i4")
        m = Map.build(keys, keys * 7919 % 1000, float(fpr), width=int(width), seed=int(n))
        if digest(m) != wanted or (m.get_many(keys) != keys * 7919 % 1000).any():
            faults.append((fpr, width, n, digest(m)))
    all_true(f"{len(rows)} maps of all rates, widths and seeds", faults + ([] if len(rows) > 50 else ["too few"]))


check_filters()
check_maps()
finish()
