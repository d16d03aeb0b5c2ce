#!/usr/bin/python3
"""test_rows.py - answers come to the rows of their keys: of many dimensions, with zeros and missing ones, in memory that changes

usage: test/run.sh python-client/test_rows
"""

import datetime
import gc
import itertools

from built import compare, raises
from reports import finish

import numpy

import fake_arrow
from ribbonfilter import ConflictError, Filter, Map

UTC = datetime.timezone.utc
DAYS = [datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)]
MOMENTS = [datetime.datetime(1969, 12, 31, 23, 59, 59)]
DIGESTS = [bytes([i, 0] * 10) for i in (7, 0, 255)]


def objects(values):
    made = numpy.empty(len(values), dtype=object)
    made[:] = values
    return made


def rows(values):
    """uint8 of two dimensions."""
    return numpy.array([list(value) for value in values], dtype=numpy.uint8)


def check_dimensions():
    ids = numpy.arange(6).reshape(2, 3)
    f = Filter.build(range(5))
    for name, call in (("build", Filter.build), ("a map's keys", lambda keys: Map.build(keys, range(6))),
                       ("its values", lambda values: Map.build(range(6), values)),
                       ("a matrix", lambda keys: Filter.build(numpy.matrix(keys))), ("a piece", lambda keys: Filter.build([keys])),
                       ("an exact set's", lambda keys: Filter.build_exact(keys, [True] * 6))):
        raises(f"two dimensions: {name}", TypeError, call, ids, says="reshape(-1)")
    compare("answers have the shape of what is asked", (f.contains(ids).tolist(), f.contains(ids[:0]).shape),
            ([[True] * 3, [True, True, False]], (0, 3)))
    compare("also masked", f.contains(numpy.ma.array(ids, mask=ids % 2)).tolist(), [[True, False, True], [False, True, False]])
    digests = Filter.build(DIGESTS, 1e-6)
    both = numpy.array([[list(digest) for digest in DIGESTS]] * 2, "u1")
    compare("bytes in more dimensions", (digests.contains(both).tolist(), digests.contains(both ^ 1).any()), ([[True] * 3] * 2, False))
    compare("rows without bytes", (len(Filter.build(numpy.zeros((5, 0), "u1"))), len(Filter.build(numpy.zeros((0, 20), "u1")))), (1, 0))
    masked = numpy.ma.array(rows(DIGESTS), mask=[[0] * 20, [0] * 19 + [1], [0] * 20])
    compare("rows in which a byte is missing", len(Filter.build(masked)), 2)
    raises("bytes among integers", TypeError, f.contains, both, says="astype(int)")


def check_zeros():
    """No byte at the end of a digest is lost."""
    random = numpy.random.default_rng(7)
    digests = random.integers(0, 256, (3000, 20), numpy.uint8)
    listed = [digest.tobytes() for digest in digests]
    f = Filter.build(listed, 1e-6)
    compare("of 3000, some end with zero", sum(digest.endswith(b"\0") for digest in listed) > 5, True)
    for name, column in (("V20", digests.view("V20").reshape(-1)), ("uint8", digests),
                         ("scalars of V20", list(digests.view("V20").reshape(-1))), ("objects", objects(listed)),
                         ("fixed_size_binary", fake_arrow.ChunkedArray("w:20", listed)),
                         ("binary", fake_arrow.Array("z", listed))):
        compare(f"digests as {name}", (Filter.build(column, 1e-6) == f, bool(f.contains(column).all())), (True, True))
    strings = digests.view("S20").reshape(-1)
    for name, call in (("an array", lambda: f.contains(strings)), ("its values", lambda: f.contains(list(strings))),
                       ("one", lambda: strings[0] in f), ("built", lambda: Filter.build(strings)),
                       ("with a type", lambda: Filter.build(strings, key_type="bytea"))):
        raises(f"numpy's S has lost them: {name}", TypeError, call, says="V20")
    compare("the way out that it names", f.contains(strings.view("V20")).all(), True)
    for name, call in (("built", lambda: Filter.build(["a\0"])), ("asked", lambda: "a\0" in Filter.build(["a"])),
                       ("many", lambda: Filter.build(["a"]).contains(["a\0b"])),
                       ("numpy", lambda: Filter.build(numpy.array(["a\0b"]))),
                       ("Arrow", lambda: Filter.build(fake_arrow.Array("u", ["a", "a\0b"]))),
                       ("a value", lambda: Map.build([1], ["a\0"]))):
        raises(f"PostgreSQL's text has no zero character: {name}", ValueError, call, says="zero character")
    compare("numpy's U has none at the end", Filter.build(numpy.array(["a", "bcd"])), Filter.build(["a", "bcd"]))


def check_reused():
    """What gives the same memory again and again, as it reads."""
    def keys(form):
        memory = bytearray(1)
        for byte in range(5):
            memory[0] = byte
            yield form(memory)
    five = [bytes([byte]) for byte in range(5)]
    for form in (lambda memory: memory), memoryview:
        compare("memory that is used again", Filter.build(keys(form)), Filter.build(five))
        compare("as keys that are asked for", Filter.build(five).contains(keys(form)).tolist(), [True] * 5)
        compare("as keys of a map", Map.build(keys(form), range(5)), Map.build(five, range(5)))
    compare("behind one that is missing", Map.build(itertools.chain([None], keys(memoryview)), range(-1, 5)), Map.build(five, range(5)))
    behind = itertools.chain([b"x"], keys(lambda memory: memory))
    compare("behind bytes", Filter.build(five).contains(behind)[1:].tolist(), [True] * 5)
    exact = Filter.build_exact(five, [byte % 2 == 0 for byte in range(5)])
    compare("as keys of a universe", Filter.build_exact(keys(memoryview), [byte % 2 == 0 for byte in range(5)]), exact)
    masks = numpy.array([0, 1, 2, 255], "u1").view(bool)
    compare("bools of other bytes than 0 and 1", Filter.build(masks), Filter.build([False, True]))
    compare("bytes of dtype V0", Filter.build(numpy.zeros(3, "V0")), Filter.build([b""]))


def check_arrow():
    compare("no values, of a type",
            [Filter.build(fake_arrow.ChunkedArray(form, [])).key_type for form in ("l", "u", "tsu:UTC", "w:20", "ttu", "b", "d:5,2")],
            ["integer", "text", "timestamptz", "bytea", "time", "boolean", "numeric"])
    compare("nothing but missing ones", (len(Filter.build(fake_arrow.Array("n", [None, None]))), Filter.build([1]).contains(
        fake_arrow.Array("l", [None, 1])).tolist()), (0, [False, True]))
    m = Map.build([1, 2, 3], fake_arrow.Series("u", ["x", None, "y"]))
    compare("as values", m.get_many([1, 2, 3]).tolist(), ["x", None, "y"])
    compare("as dates", Map.build([1, 2], fake_arrow.Array("tdD", DAYS[:2]))[2], DAYS[1])
    compare("as members", Filter.build_exact([1, 2, 3], fake_arrow.Series("b", [True, None, False])).stats().universe, 2)
    for kind in fake_arrow.TakenArray, fake_arrow.TakenStream:
        raises(f"what has been taken: {kind.__name__}", ValueError, Filter.build, kind("l", [1, 2]), says="another reader")
    raises("a stream that fails", OSError, Filter.build, fake_arrow.ChunkedArray("l", [1, 2], fails=True), says="the disk is gone")
    for name, form, values in (("times", "ttn", [datetime.time(0, 0, 1)]), ("moments", "tsn:", MOMENTS[:1])):
        column = fake_arrow.Array(form, values)
        compare(f"{name} of nanoseconds", len(Filter.build(column)), 1)
    for said in ("", "t", "td", "tdx", "tt", "ttx", "ts", "tsu", "tsx:", "tD", "tDx", "w:", "w:x", "w:-1", "d:", "d:5", "d:5,", "d:a,b",
                 "d:5,2,7", "d:5,2,", "v", "vx", "q", "ll", "l\n", "\udcff"):
        for column in fake_arrow.Array("l", [1, 2], said=said), fake_arrow.ChunkedArray("l", [1, 2], said=said):
            raises(f"a type that is none: {said!r}", TypeError, Filter.build, column, says="cannot be keys or values")
    raises("places in a dictionary that are no integers", TypeError, Filter.build, fake_arrow.Array("l", [1, 2], dictionary=[1, 2], said="g"))
    for place in -1, 2, 1 << 30:
        column = fake_arrow.Array("u", ["a", "b"], dictionary=["a", "b"])
        column.made.stored = [0, place]
        raises(f"place {place} of 2", ValueError, Filter.build, column, says="not in it")
    raises("no dictionary", ValueError, Filter.build, LacksDictionary("u", ["a"], dictionary=["a"]), says="lacks its dictionary")
    raises("fewer buffers than it should have", ValueError, Filter.build, fake_arrow.Array("l", [1], said="u"), says="fewer buffers")
    gc.collect()
    compare("all is given back", len(fake_arrow.ALIVE), 0)


class LacksDictionary(fake_arrow.Array):
    """Only its type says that it has one."""

    def __arrow_c_array__(self, requested_schema=None):
        schema, _ = super().__arrow_c_array__()
        self.made.dictionary = None
        return schema, fake_arrow.capsule(self.made.array(fake_arrow.ArrowArray()))


def check_shared():
    """An array that is read as times in UTC stays as it is for who shares it."""
    times = numpy.array(["2026-03-01T12:00", "NaT"], "M8[us]")
    filters = Filter.build(times, key_type="timestamptz"), Filter.build(times)
    compare("in UTC, and as it was", [f.key_type for f in filters], ["timestamptz", "timestamp"])
    compare("and when it is asked for", [f.contains(times, key_type=f.key_type).tolist() for f in (*filters, filters[0])],
            3 * [[True, False]])


def check_rows():
    """Answers come to the rows of their keys, however many parts there are, and whatever is missing of either kind."""
    n = 50000
    objects = [None if i % 7 == 0 else str(i) for i in range(n)]
    texts = numpy.ma.array(objects, dtype=object, mask=numpy.arange(n) % 5 == 0)
    expected = [i % 7 != 0 and i % 5 != 0 for i in range(n)]
    compare("a set", Filter.build(texts).contains(texts).tolist(), expected)
    values = [str(i % 100) for i in range(n)]
    compare("texts of a map", Map.build(texts, values).get_many(texts, default=[]).tolist(),
            [value if there else [] for value, there in zip(values, expected)])
    numbers = numpy.ma.array(numpy.arange(n), mask=numpy.arange(n) % 3 == 1)
    found = Map.build(texts, numbers).get_many(texts)
    compare("numbers of a map", found.tolist(), [i if there and i % 3 != 1 else None for i, there in enumerate(expected)])
    exact = Filter.build_exact(texts, numpy.ma.array(numpy.arange(n) % 4 == 0, mask=numpy.arange(n) % 3 == 1))
    said = [there and i % 3 != 1 for i, there in enumerate(expected)]
    compare("an exact set", [bool(answer) for answer, there in zip(exact.contains(texts), said) if there],
            [i % 4 == 0 for i in range(n) if said[i]])
    compare("its universe", exact.stats().universe, sum(said))
    for place in 2, 17001, 46003:
        others = texts.copy()
        others[place] = others[49999] = "twice"
        raises(f"a conflict in row {place}", ConflictError, Map.build, others, numbers.data, says=f"keys[{place}], 'twice'")


check_dimensions()
check_zeros()
check_reused()
check_arrow()
check_shared()
check_rows()
finish()
