#!/usr/bin/python3
"""test_mistakes.py - what is easily done wrong is an error that says what, or the answer that was meant

usage: test/run.sh python-client/test_mistakes
"""

import array
import ctypes
import datetime
import enum
import ipaddress
import math
import mmap
import os
import subprocess
import sys
import tempfile
import uuid
from decimal import Decimal
from fractions import Fraction

from built import all_true, compare, error_of, raises
from reports import finish

import numpy

from ribbonfilter import Chain, ConflictError, Filter, FormatError, Key, Map, _core, expected_size

DAY = numpy.array(["2020-01-01"], "M8[D]")
numbers = Filter.build(numpy.arange(100))
exact = Filter.build_exact([1], [True])
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
    for name, first in (("without values", numpy.array([])), ("of NaT", numpy.array(["NaT"], "M8[s]")),
                        ("of masked floats", numpy.ma.masked_all(3))):
        compare(f"a column {name} before others", Filter.build(iter([first, numpy.arange(100)])), numbers)
        compare(f"a column {name} alone", Filter.build([first]), Filter.build(first))
    odd = type("Odd", (list,), {"typecode": 5})([5, 100])
    compare("keys in what has a typecode of its own", numbers.contains(odd).tolist(), [True, False])
    compare("nothing but missing numbers", numbers.contains(numpy.ma.array([1.5], mask=[True])).tolist(), [False])


def check_times():
    dates = Filter.build(DAY)
    compare("NaT is missing, wherever", (numpy.datetime64("NaT") in dates, len(Filter.build([DAY[0], numpy.datetime64("NaT")])),
                                         dates.contains([numpy.timedelta64("NaT")]).tolist()), (False, 1, [False]))
    for dtype in ("M8[s]", "M8[D]", "m8[h]"):
        raises(f"beyond what keys of {dtype} have", ValueError, Filter.build, numpy.array([1 << 62], dtype), says="beyond")
    for least in (1, 946684800 * 10**6):      # 2000-01-01, before which -infinity would be
        raises("before what timestamps have", ValueError, Filter.build, numpy.array([-(1 << 63) + least], "M8[us]"), says="beyond")
    for dtype in ("m8[Y]", "m8[M]", "m8"):
        raises(f"a span of dtype {dtype}", TypeError, Filter.build, numpy.array([2], dtype), says="no length")
        raises(f"a single span of dtype {dtype}", TypeError, Filter.build, [numpy.array([2], dtype)[0]], says="no length")
    for late in (numpy.datetime64(10**6, "Y"), numpy.datetime64("20000-01-01T00:00:00", "us")):
        raises(f"{late.dtype} beyond datetime, by itself", OverflowError, Filter.build, [late], says="beyond")
    raises("values beyond", ValueError, Map.build, [1], numpy.array([1 << 62], "M8[D]"), says="beyond")


class Color(str, enum.Enum):
    RED = "red"

    def __str__(self):
        return "Color.RED"


class Level(enum.IntEnum):
    HIGH = 3

    def __str__(self):
        return "Level.HIGH"


class Plain(enum.Enum):
    ONE = "one"


def check_kinds():
    """Values that are nearly those of a type."""
    compare("an enum of texts is its text", (Color.RED in Filter.build(["red"]), Filter.build([Color.RED]) == Filter.build(["red"])), (True, True))
    compare("one of numbers its number", [Filter.build([Level.HIGH], key_type=type_) == Filter.build([3], key_type=type_)
                                          for type_ in (None, "oid", "numeric")], [True] * 3)
    raises("any other", TypeError, Filter.build, [Plain.ONE], says=".name or its .value")
    raises("a row", TypeError, Filter.build, [(1, "a")], says="row[0] for row in rows")
    raises("a row with names", TypeError, Filter.build, [{"id": 1}], says="row['id'] for row in rows")
    raises("many keys where one is due", TypeError, numbers.__contains__, numpy.arange(2), says="contains and get_many")
    for value, says in (1j, "no such type"), (numpy.complex64(1j), "no such type"), (Fraction(1, 2), "Decimal"):
        raises(f"{value!r}", TypeError, Filter.build, [value], says=says)
    raises("NaN in a list of texts", TypeError, Filter.build, ["a", float("nan")], says="column of pandas")
    raises("an array of complex numbers", TypeError, Filter.build, numpy.array([1j]), says="complex128")
    compare("what is masked is missing", (numpy.ma.masked in numbers, len(Filter.build(list(numpy.ma.array([1, 2], mask=[0, 1]))))),
            (False, 1))
    third = numpy.longdouble(1) / 3
    if float(third) != third:
        raises("a number of more than 64 bits", ValueError, Filter.build, [third], says="float(key)")
        raises("an array of them", ValueError, Filter.build, numpy.array([third]), says="array.astype(float)")
    compare("such a number of few bits", numpy.longdouble(0.5) in Filter.build([0.5]), True)
    for text in "1e131072", "-1e200000", "1e-16384", "1e999999999":
        raises(f"{text} is no numeric", OverflowError, Filter.build, [Decimal(text)], says="range of numeric")
    compare("but these are", len(Filter.build([Decimal("1e131071"), Decimal("1e-16383")])), 2)
    raises("an address with a scope", ValueError, Filter.build, [ipaddress.ip_address("fe80::1%eth0")], says="scope")
    raises("a time in a zone whose offset depends on the date", TypeError, Filter.build, [datetime.time(12, tzinfo=Changing())],
           says="without a date")
    odd = datetime.timezone(datetime.timedelta(seconds=1, microseconds=5))
    raises("an offset of parts of seconds", ValueError, Filter.build, [datetime.time(12, tzinfo=odd)], says="whole number of seconds")
    big = numpy.array([1, (1 << 64) - 1], "u8")
    raises("integers beyond 64 bits", OverflowError, Filter.build, big, says="key_type='numeric'")
    compare("as numeric", Filter.build(big, key_type="numeric"), Filter.build([Decimal(1), Decimal((1 << 64) - 1)]))
    compare("texts of an array as addresses", Filter.build(numpy.array(["08:00:2b:01:02:03"]), key_type="macaddr"),
            Filter.build(["08:00:2b:01:02:03"], key_type="macaddr"))
    raises("floats of a column with missing ones", TypeError, numbers.contains, numpy.array([1.0]), says="Int64")
    raises("digits among bytes", TypeError, Filter.build([b"\1\2"]).__contains__, "0102", says="bytes.fromhex")


class Odd:
    """What a subclass may show instead of what it is, as those of pendulum do."""

    def __str__(self):
        return "9"

    def __bytes__(self):
        return b"9"

    def __int__(self):
        return 9

    def __float__(self):
        return 9.0

    def __sub__(self, other):
        return datetime.timedelta(days=9)

    def is_nan(self):
        return True

    __index__ = __int__
    days = seconds = microseconds = hour = minute = second = microsecond = 9
    bytes = b"9" * 16


def check_subclasses():
    for kind, *arguments in (
            (int, 5), (float, 1.5), (str, "a"), (bytes, b"ab"), (bytearray, b"ab"), (Decimal, "1.5"),
            (datetime.date, 2020, 2, 3), (datetime.datetime, 2020, 2, 3, 4), (datetime.timedelta, -1, 7, 5),
            (datetime.datetime, 2020, 2, 3, 4, 5, 6, 7, datetime.timezone.utc), (datetime.time, 1, 2, 3, 4),
            (datetime.time, 1, 2, 3, 4, datetime.timezone.utc), (uuid.UUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")):
        odd, value = type(kind.__name__, (Odd, kind), {})(*arguments), kind(*arguments)
        compare(f"a subclass of {kind.__name__} is what it is", Filter.build([odd]), Filter.build([value]))
        if isinstance(value, (int, str, datetime.date)):
            compare(f"a value of a subclass of {kind.__name__}", Map.build([1], [odd]), Map.build([1], [value]))
    compare("a UUID that has nothing but an int of its own, as asyncpg's",
            Filter.build([type("UUID", (uuid.UUID,), {"__init__": lambda self: None, "int": 5})()]), Filter.build([uuid.UUID(int=5)]))
    compare("an int as numeric", Filter.build([type("int", (Odd, int), {})(5)], key_type="numeric"), Filter.build([Decimal(5)]))
    compare("an int of more digits than Python writes", Filter.build([10**5000, -10**5000], key_type="numeric"),
            Filter.build([Decimal("1e5000"), Decimal("-1e5000")]))


def check_long():
    """What is long is cut in messages."""
    for value, key_type in (10**140000, "numeric"), (f"{'a' * 140000}\0", "text"), ("2" * 140000, "bit"):
        try:
            Key(value, key_type)
        except (OverflowError, ValueError) as error:
            compare(f"a long {key_type} is cut in the message", len(str(error)) < 250, True)
    try:
        Map.build(["a" * 140000] * 2, [1, 2])
    except ConflictError as error:
        compare("a long key in conflict, too", "keys[0], 'aaaa" in str(error) and len(str(error)) < 400, True)
    raises("a number is no canonical bytes", TypeError, Key.from_canonical, 3, 5)


class Changing(datetime.tzinfo):
    """As zoneinfo's zones: without a date, they have no offset."""

    def utcoffset(self, moment):
        return None


def check_conflicts():
    """Which key has two values is said: its number, and itself."""
    many = [f"key {i}" for i in range(40000)]
    for name, keys, at in (
            ("a list", ["a", "b", "c", "b"], "keys[1], 'b'"), ("with missing ones", [None, "a", None, "b", "b"], "keys[3], 'b'"),
            ("an array", numpy.array([5, 6, 5]), "keys[0], 5"), ("a masked one", numpy.ma.array([1, 5, 6, 5], mask=[1, 0, 0, 0]), "keys[1], 5"),
            ("texts", numpy.array(["a", "b", "b"]), "keys[1], 'b'"), ("many", [*many, "key 30000"], "keys[30000], 'key 30000'"),
            ("dates", numpy.array(["2024-01-01"] * 2, "M8[D]"), "datetime.date(2024, 1, 1)")):
        raises(f"two values, {name}", ConflictError, Map.build, keys, range(len(keys)), says=at)
        raises(f"two texts, {name}", ConflictError, Map.build, keys, [str(i) for i in range(len(keys))], says=at)
        members = [i == len(keys) - 1 for i in range(len(keys))]
        raises(f"a member and not, {name}", ConflictError, Filter.build_exact, keys, members, says=at)
    raises("behind keys of unknown members", ConflictError, Filter.build_exact, [1, 1, 2, 2], [None, True, False, True], says="keys[2], 2")
    raises("also of an array", ConflictError, Filter.build_exact, numpy.array([1, 1, 2, 2]), [None, True, False, True], says="keys[2], 2")


def check_as_of():
    """Only what is the same time everywhere."""
    when = datetime.datetime(2026, 3, 1, 12, 30, tzinfo=datetime.timezone.utc)
    built = Filter.build_exact([1, 2], [True, False], as_of=when)
    for text in ("2026-03-01T12:30:00Z", "2026-03-01 12:30:00+00", "2026-03-01 14:30+02:00", "2026-03-01T07:30:00.000000-0500",
                 "2026-03-01 12:30:00+00:00:00"):
        compare(f"as_of={text!r}", Filter.build_exact([1, 2], [True, False], as_of=text), built)
        compare(f"a key's time {text!r}", built.member(1, text), True)
    for text in ("2026-03-01 12:30:00", "03/01/2026 12:30:00 UTC", "2026-03-01", "1 Mar 2026 12:30 CST", "now", "", "2026-13-01T00:00Z",
                 "2026-03-01T12:30:00.1234567Z", "2026-03-01 12:30:00 Asia/Shanghai", "2026-03-01T12:30:00+99"):
        raises(f"as_of={text!r}", ValueError, Filter.build_exact, [1], [True], as_of=text, says="2026-03-01T12:00:00Z")
    for other in (when.replace(tzinfo=None), when.date(), 5, numpy.datetime64("2026-03-01")):
        raises(f"as_of={other!r}", TypeError, Filter.build_exact, [1], [True], as_of=other, says="with a zone")
        raises(f"a key's time {other!r}", TypeError, built.member, 1, other, says="with a zone")


def check_parameters():
    for name, value, error, says in (
            ("threads", -1, ValueError, "0 (one per core) to 64, not -1"), ("threads", 65, ValueError, "at most 64, not 65"),
            ("threads", 1 << 32, ValueError, "0 (one per core) to 64, not 4294967296"),
            ("threads", "2", TypeError, "0 (one per core) to 64, not '2'"),
            ("threads", "", TypeError, "not ''"), ("memory", 5, ValueError, "at least 16 MB"), ("memory", -5, ValueError, "not -5"),
            ("memory", "1G", TypeError, "of bytes, at least 16 MB, not '1G'"), ("width", 65, ValueError, "32, 64 or 128, not 65"),
            ("width", 0, ValueError, "not 0"), ("width", "64", TypeError, "32, 64 or 128, not '64'"),
            ("fpr", 0.6, ValueError, "0.5, not 0.6"), ("fpr", "0.01", TypeError, "0.01, not '0.01'"), ("key_type", "x", ValueError, "'x'"),
            ("progress", 5, TypeError, "a function")):
        keys, members, values = iter([1]), iter([True]), iter([1])
        raises(f"{name}={value!r}", error, Filter.build, keys, says=says, **{name: value})
        raises(f"{name}={value!r} of an exact set", error, Filter.build_exact, keys, members, says=says, **{name: value})
        raises(f"{name}={value!r} of a chain's delta", error, Chain([exact]).delta, keys, members, says=says, **{name: value})
        raises(f"{name}={value!r} of a map", error, Map.build, keys, values, says=says, **{name: value})
        compare(f"{name}={value!r} is refused before any key is read", [*keys, *members, *values], [1, True, 1])
    keys = iter([1])
    raises("the rate of a map", ValueError, Filter.build, keys, 1, says="0.5, not 1")
    raises("no kind", ValueError, Filter.build, keys, kind=["burr"], says="burr, homogeneous, auto")
    for value, error in ((-1, ValueError), (1 << 32, ValueError), ("a", TypeError)):
        raises(f"seed={value!r}", error, Map.build, keys, [1], seed=value, says="seed must be a whole number, 0 to 4294967295")
    raises("no code", ValueError, Map.build, keys, [1], code="x", says="plain, entropy, auto")
    raises("no value type", ValueError, Map.build, keys, [1], value_type="x", says="bigint")
    compare("nor is a key read before these", list(keys), [1])
    for value in 1, b"text", None:
        raises(f"{value!r} is no name of a type", TypeError, _core.type_number, value, says="a name, such as 'text'")
    raises("nor is one that goes on behind a zero", ValueError, Filter.build, [1], key_type="text\0", says="'text\\x00'")
    raises("no number of keys", TypeError, expected_size, "x", says="keys must be a number, such as 1000000, not 'x'")
    for value in (-1, 2**48 + 1, 1000000.7, math.nan, math.inf):
        raises(f"nor is {value} one", ValueError, expected_size, value, says="must be whole, between 0 and 2^48")
    for missing in (None, numpy.datetime64("NaT"), numpy.ma.masked):
        raises(f"a Key of {missing!r}", TypeError, Key, missing, says="no key")
        raises(f"a member {missing!r}", TypeError, exact.member, missing, "2026-03-01T12:00:00Z", says="no key")
    for shards in (0, -1, 1 << 31):
        raises(f"{shards} shards", ValueError, Key(1).shard, shards, says=f"1 to 2147483647, not {shards}")
    raises("half a shard", TypeError, Key(1).shard, 1.5)
    raises("the number of a class is whole", TypeError, Key.from_canonical, 2.5, b"a")
    for one in (mmap.mmap(-1, 2), (ctypes.c_char * 2)(b"a"), array.array("u", "ab")):
        raises(f"a key of type {type(one).__name__}", TypeError, Filter.build, [one], says="use bytes(key)")
    for default in ("x", 1.5, 1 << 70, float("nan"), [1, 2]):
        raises(f"default={default!r} is no bigint", ValueError, m.get_many, [1, 9], default, says="default")
    raises("default=-1 is no boolean", ValueError, Map.build([1], [True]).get_many, [1, 9], -1, says="default")
    raises("nor is masked one", ValueError, m.get_many, [1, 9], numpy.ma.masked, says="default")
    check_times_as_defaults()
    for default in [], (), (1, 2), {}, ["x"]:
        compare(f"default={default!r} of texts", Map.build(["a"], ["x"]).get_many(["a", "b", None, "c"], default).tolist(),
                ["x", default, default, default])
    for members in ([1, 0], ["t", "f"], [1.0, 0.0], numpy.array([1, 0])):
        raises(f"members {members!r}", TypeError, Filter.build_exact, [1, 2], members, says="bools")
    raises("a map has no keys to go through", TypeError, list, m, says="not iterable")


def check_times_as_defaults():
    day, noon = datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 12)
    zoned = noon.replace(tzinfo=datetime.timezone.utc)
    nat, minute = numpy.datetime64("NaT"), numpy.datetime64("2020-01-01T12:00")
    for value, taken, others in ((day, (day, "2020-01-01", nat, numpy.datetime64("2020-01-01")), (noon, zoned, 5, minute, "noon", True)),
                                 (noon, (noon, day, minute, "2020-01-01 12:00", nat), (zoned, 5, 1.5, numpy.int64(5))),
                                 (zoned, (zoned, noon, minute, nat), (5, b"2020-01-01"))):
        map_ = Map.build([1], [value])
        compare(f"defaults of type {map_.value_type}", [len(map_.get_many([1, 9], default)) for default in taken], [2] * len(taken))
        for default in others:
            raises(f"default={default!r} is no {map_.value_type}", ValueError, map_.get_many, [1, 9], default, says="default")
    east = zoned.astimezone(datetime.timezone(datetime.timedelta(hours=2)))
    compare("a zone is taken into account", Map.build([1], [zoned]).get_many([9], east).tolist(), [noon])


def check_files(directory):
    name = os.path.join(directory, "f")
    with open(name, "w", encoding="ascii") as file:
        file.write("hello")
    raises("a file that is no filter", FormatError, Filter.open, name, says=name)
    raises("a directory", IsADirectoryError, Filter.open, directory)
    for kind in Filter, Map:
        raises(f"a device as a {kind.__name__}", OSError, kind.open, "/dev/null", says=f"mapped ({kind.__name__}(bytes) opens what was read)")
    with open(name, encoding="ascii") as file:
        raises("the number of an open file", TypeError, Filter.open, file.fileno())
        compare("which stays open", file.read(), "hello")
    raises("a directory to save to", IsADirectoryError, numbers.save, directory)
    raises("a full disk", OSError, numbers.save, "/dev/full", says="No space")
    raises("no such directory", FileNotFoundError, numbers.save, os.path.join(directory, "no", "f"))
    os.chmod(name, 0o640)
    link = os.path.join(directory, "link")
    os.symlink(name, link)
    numbers.save(link)
    compare("a link's file is written, devices stay", (os.path.islink(link), Filter.open(name) == numbers, os.path.isfile("/dev/full"),
                                                       sorted(os.listdir(directory))), (True, True, False, ["f", "link"]))
    compare("and so do modes", os.stat(name).st_mode & 0o777, 0o640)
    long = os.path.join(directory, "n" * 255)
    numbers.save(long)
    numbers.save(long)
    compare("a name as long as names can be", (Filter.open(long) == numbers, len(os.listdir(directory))), (True, 3))


def check_sources():
    """Who stands in the folder with the sources is told so; not, where it is numpy that is not there."""
    for more, says in ([], "ribbonfilter is not compiled in this folder"), (["sys.modules['numpy'] = None"], "numpy"):
        program = "\n".join(["import sys", *more, "import ribbonfilter"])
        done = subprocess.run([sys.executable, "-c", program], cwd="clients/python" if not more else "build/python/lib",
                              env={**os.environ, "PYTHONPATH": ""}, encoding="utf-8", capture_output=True)
        last = done.stderr.strip().split("\n")[-1]
        compare(f"not compiled, or without numpy: {says}", (last.split(":")[0] in ("ImportError", "ModuleNotFoundError"), says in last),
                (True, True))


def check_sizes():
    """What is in a message is of a message's size, and can be shown."""
    huge, many = 10**5000, list(range(10**5))
    for name, call, error in (
            ("a list as the rate", lambda: Filter.build([1], many), TypeError), ("as the kind", lambda: Filter.build([1], kind=many), ValueError),
            ("as the width", lambda: Filter.build([1], width=many), TypeError),
            ("a long name of a type", lambda: Filter.build([1], key_type="x" * 10**5), ValueError),
            ("a list as default", lambda: m.get_many([1], many), ValueError), ("a huge default", lambda: m.get_many([1], huge), ValueError),
            ("huge memory", lambda: Filter.build([1], memory=huge), ValueError), ("huge shards", lambda: Key(1).shard(huge), ValueError),
            ("a conflict of huge keys", lambda: Map.build([huge] * 2, [1, 2], key_type="numeric"), ConflictError)):
        found = error_of(call)
        compare(name, (type(found), len(str(found)) < 400, "digits" in str(found)), (error, True, False))



check_keys()
check_sources()
check_times()
check_kinds()
check_subclasses()
check_long()
check_conflicts()
check_as_of()
check_parameters()
check_sizes()
with tempfile.TemporaryDirectory(prefix="ribbon.") as folder:
    check_files(folder)
all_true("an index of an array of objects", [] if Filter.build(numpy.array([1, None], object)).contains([1]).all() else ["1"])
finish()
