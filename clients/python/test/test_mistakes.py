#!/usr/bin/python3
"""test_mistakes.py - what is easily done wrong is an error that says what, or the answer that was meant

usage: test/run.sh python-client/test_mistakes
"""

import os
import tempfile

from built import all_true, compare, raises
from reports import finish

import numpy

from ribbonfilter import Filter, FormatError, Map

DAY = numpy.array(["2020-01-01"], "M8[D]")
numbers = Filter.build(numpy.arange(100))
m = Map.build([1, 2, 3], [10, 20, 30])


def check_keys():
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">i8"):
        found = numbers.contains(numpy.arange(90, 110).astype(dtype))
        compare(f"integers of dtype {dtype}", (found[:10].all(), numbers == Filter.build(numpy.arange(100).astype(dtype))), (True, True))
    for name, keys in (("uint64", numpy.array([1 << 63], "u8")), ("list", [1 << 63]), ("negative", [-(1 << 63) - 1])):
        raises(f"an integer beyond 64 bits, {name}", OverflowError, Filter.build, keys, says="beyond 64 bits")
    raises("no oid", OverflowError, Filter.build, [-1], key_type="oid", says="the range of oid")
    for one in (5, "ab", b"ab", bytearray(b"ab"), memoryview(b"ab"), numpy.int64(5), numpy.array(5), None):
        for call in (Filter.build, numbers.contains):
            raises(f"one key of type {type(one).__name__} where many are due", TypeError, call, one, says="not one")
    for key in (5.0, True, "5", b"5", numpy.float64(5), (1, 2)):
        raises(f"{key!r} is no integer", TypeError, numbers.__contains__, key)
    compare("an array without values, which has floats", numbers.contains(numpy.array([])).tolist(), [])
    compare("nothing but missing numbers", numbers.contains(numpy.ma.array([1.5], mask=[True])).tolist(), [False])


def check_times():
    dates = Filter.build(DAY)
    compare("NaT is missing, wherever", (numpy.datetime64("NaT") in dates, len(Filter.build([DAY[0], numpy.datetime64("NaT")])),
                                         dates.contains([numpy.timedelta64("NaT")]).tolist()), (False, 1, [False]))
    for dtype in ("M8[s]", "M8[D]", "m8[h]"):
        raises(f"beyond what keys of {dtype} have", ValueError, Filter.build, numpy.array([1 << 62], dtype), says="beyond")
    raises("before what timestamps have", ValueError, Filter.build, numpy.array([-(1 << 63) + 1], "M8[us]"), says="beyond")
    for dtype in ("m8[Y]", "m8[M]", "m8"):
        raises(f"a span of dtype {dtype}", TypeError, Filter.build, numpy.array([2], dtype), says="no length")
        raises(f"a single span of dtype {dtype}", TypeError, Filter.build, [numpy.array([2], dtype)[0]], says="no length")
    for late in (numpy.datetime64(10**6, "Y"), numpy.datetime64("20000-01-01T00:00:00", "us")):
        raises(f"{late.dtype} beyond datetime, by itself", OverflowError, Filter.build, [late], says="beyond")
    raises("values beyond", ValueError, Map.build, [1], numpy.array([1 << 62], "M8[D]"), says="beyond")


def check_parameters():
    for name, value, error in (("threads", -1, ValueError), ("threads", "2", TypeError), ("memory", 5, ValueError), ("memory", "1G", TypeError)):
        raises(f"{name}={value!r}", error, Filter.build, [1], says=name, **{name: value})
    for value, error in ((-1, ValueError), (1 << 32, ValueError), ("a", TypeError)):
        raises(f"seed={value!r}", error, Map.build, [1], [1], seed=value, says="seed")
    for default in ("x", 1.5, 1 << 70, float("nan"), [1, 2]):
        raises(f"default={default!r} is no bigint", ValueError, m.get_many, [1, 9], default, says="default")
    raises("default=-1 is no boolean", ValueError, Map.build([1], [True]).get_many, [1, 9], -1, says="default")
    for members in ([1, 0], ["t", "f"], [1.0, 0.0], numpy.array([1, 0])):
        raises(f"members {members!r}", TypeError, Filter.build_exact, [1, 2], members, says="bools")
    raises("a map has no keys to go through", TypeError, list, m, says="not iterable")


def check_files(directory):
    name = os.path.join(directory, "f")
    with open(name, "w", encoding="ascii") as file:
        file.write("hello")
    raises("a file that is no filter", FormatError, Filter.open, name, says=name)
    raises("a directory", IsADirectoryError, Filter.open, directory)
    raises("a device", OSError, Filter.open, "/dev/null", says="mapped")
    raises("a directory to save to", IsADirectoryError, numbers.save, directory)
    raises("a full disk", OSError, numbers.save, "/dev/full", says="No space")
    raises("no such directory", FileNotFoundError, numbers.save, os.path.join(directory, "no", "f"))
    link = os.path.join(directory, "link")
    os.symlink(name, link)
    numbers.save(link)
    compare("a link's file is written, devices stay", (os.path.islink(link), Filter.open(name) == numbers, os.path.isfile("/dev/full"),
                                                       sorted(os.listdir(directory))), (True, True, False, ["f", "link"]))


check_keys()
check_times()
check_parameters()
with tempfile.TemporaryDirectory(prefix="ribbon.") as folder:
    check_files(folder)
all_true("an index of an array of objects", [] if Filter.build(numpy.array([1, None], object)).contains([1]).all() else ["1"])
finish()
