#!/usr/bin/python3
"""test_columns.py - whatever has one column of values gives its keys, and what iterates over something else is refused

One table of types and containers, which docs/python.md has, too.  pyarrow and polars are fakes of their protocols
(fake_arrow.py), and those themselves where they are installed.

usage: test/run.sh python-client/test_columns
"""

import array
import collections
import ctypes
import datetime
import decimal
import gc
import importlib.util
import io
import ipaddress
import itertools
import mmap
import types
import uuid
import warnings

from built import all_true, compare, error_of, raises, report
from reports import finish

import numpy

import fake_arrow
from ribbonfilter import ConflictError, Filter, Map

if importlib.util.find_spec("pandas"):
    import pandas
else:
    pandas = None
for category in FutureWarning, DeprecationWarning:      # of pandas, and of arrays of characters
    warnings.simplefilter("ignore", category)

UTC = datetime.timezone.utc
DAYS = [datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), datetime.date(2000, 1, 1)]
MOMENTS = [datetime.datetime(1969, 12, 31, 23, 59, 59), datetime.datetime(2024, 2, 29, 12, 0, 1),
           datetime.datetime(2000, 1, 1)]
SPANS = [datetime.timedelta(days=3, seconds=5), datetime.timedelta(days=-1, seconds=7), datetime.timedelta(0)]
TIMES = [datetime.time(0), datetime.time(12, 0, 1), datetime.time(23, 59, 59)]
NUMERICS = [decimal.Decimal("1.50"), decimal.Decimal("-120"), decimal.Decimal("0.000001")]
UUIDS = [uuid.UUID(int=i << 64) for i in (1, 2, 255)]      # which end with zero bytes
DIGESTS = [bytes([i, 0] * 10) for i in (7, 0, 255)]
WORDS = ["ann", "", "a text of more than twelve bytes", "é", "another one that is longer than that"]

# The keys of each row of the page's table, and the type that must be said in Python.
KEYS = {
    "smallint, integer, bigint": ([3, -5, 1 << 40], None),
    "text, varchar, name": (WORDS, None),
    "bytea": (DIGESTS, None),
    "boolean": ([True, False], None),
    "double precision, real": ([0.5, -1.5, 0.0], None),
    "uuid": (UUIDS, None),
    "date": (DAYS, None),
    "timestamp": (MOMENTS, None),
    "timestamptz": ([moment.replace(tzinfo=UTC) for moment in MOMENTS], None),
    "time, timetz": (TIMES, None),
    "interval": (SPANS, None),
    "numeric": (NUMERICS, None),
    "inet, cidr": ([ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_address("::1")], None),
}


def objects(values):
    made = numpy.empty(len(values), dtype=object)
    made[:] = values
    return made


def rows(values):
    """uint8 of two dimensions."""
    return numpy.array([list(value) for value in values], dtype=numpy.uint8)


def arrow(form, **options):
    """Ways in which a column of Arrow's comes, with and without missing values."""
    return [(f"pyarrow Array of {form}", lambda values: fake_arrow.Array(form, values, **options)),
            (f"pyarrow Array of {form}, a slice", lambda values: fake_arrow.Array(form, values, offset=3, **options)),
            (f"pyarrow ChunkedArray of {form}", lambda values: fake_arrow.ChunkedArray(form, values, **options)),
            (f"polars Series of {form}", lambda values: fake_arrow.Series(form, values, pieces=1, **options)),
            (f"__arrow_array__ of {form}", lambda values: fake_arrow.Extension(form, values))][:None if not options else 4]


def coded(form):
    """With a dictionary."""
    return [(f"dictionary of {form}", lambda values: fake_arrow.Array(
                form, values, dictionary=list(dict.fromkeys(value for value in values if value is not None)))),
            (f"dictionary of {form} and None", lambda values: fake_arrow.Series(
                form, values, dictionary=[None, *dict.fromkeys(value for value in values if value is not None)]))]


def series(dtype):
    return [(f"Series of {dtype}", lambda values: pandas.Series(values, dtype=dtype)),
            (f"Index of {dtype}", lambda values: pandas.Index(pandas.array(values, dtype=dtype), dtype=dtype)),
            (f"array of {dtype}", lambda values: pandas.array(values, dtype=dtype)),
            (f"every second of {dtype}", lambda values: pandas.Series([v for v in values for _ in "12"], dtype=dtype)[::2]),
            (f"category of {dtype}", lambda values: pandas.Series(values, dtype=dtype).astype("category")),
            (f"Categorical of {dtype}", lambda values: pandas.Categorical(pandas.Series(values, dtype=dtype)))]


def arrays(*dtypes):
    made = []
    for dtype in dtypes:
        dtype = numpy.dtype(dtype)
        made += [(f"array of {dtype}", lambda values, dtype=dtype: numpy.array(values, dtype)),
                 (f"array of {dtype}, other byte order", lambda values, dtype=dtype: numpy.array(values, dtype.newbyteorder())),
                 (f"array of {dtype} with gaps", lambda values, dtype=dtype: numpy.array([v for v in values for _ in "123"], dtype)[::3]),
                 (f"array of {dtype}, backwards", lambda values, dtype=dtype: numpy.array(values[::-1], dtype)[::-1])]
    return made


def bytes_of(values):
    return [value if isinstance(value, bytes) else value.bytes for value in values]


# (row, column of the page's table): ways to have such keys; a way's third part is the type that must be said.
WAYS = {
    ("smallint, integer, bigint", "numpy"): arrays("i8"),
    # a kind of dtype that numpy has from 2.0 on
    ("text, varchar, name", "numpy"): arrays("U40") + ([] if not hasattr(getattr(numpy, "dtypes", None), "StringDType") else [
        ("array of StringDType", lambda values: numpy.array(values, numpy.dtypes.StringDType())),
        ("StringDType with None", lambda values: numpy.array(values, numpy.dtypes.StringDType(na_object=None))),
        ("StringDType with NaN", lambda values: numpy.array([float("nan") if value is None else value for value in values],
                                                            numpy.dtypes.StringDType(na_object=float("nan"))))]),
    ("bytea", "numpy"): [("V20", lambda values: numpy.array(values, "V20")), ("uint8", rows), ("uint8 with gaps", lambda values: rows(
        [value for value in values for _ in "12"])[::2]), ("uint8 in columns", lambda values: numpy.asfortranarray(rows(values)))],
    ("boolean", "numpy"): arrays("?"),
    ("double precision, real", "numpy"): arrays("f8", "f4", "f2", numpy.longdouble),
    ("uuid", "numpy"): [("V16", lambda values: numpy.array(bytes_of(values), "V16"), "uuid"),
                        ("uint8", lambda values: rows(bytes_of(values)), "uuid")],
    ("date", "numpy"): arrays("M8[D]"),
    ("timestamp", "numpy"): arrays("M8[us]", "M8[s]", "M8[ns]", "M8[ms]"),
    ("timestamptz", "numpy"): [
        ("M8[us]", lambda values: numpy.array([v.replace(tzinfo=None) for v in values], "M8[us]"), "timestamptz")],
    ("interval", "numpy"): arrays("m8[us]", "m8[s]", "m8[ns]"),
    ("smallint, integer, bigint", "pandas"): [] if pandas is None else series("Int64") + series("object"),
    ("text, varchar, name", "pandas"): [] if pandas is None else series("object") + series("string"),
    ("bytea", "pandas"): [] if pandas is None else series("object"),
    ("boolean", "pandas"): [] if pandas is None else series("boolean") + series("object"),
    ("double precision, real", "pandas"): [] if pandas is None else series("Float64") + series("float64"),
    ("uuid", "pandas"): [] if pandas is None else series("object"),
    ("date", "pandas"): [] if pandas is None else series("object")[:4],
    ("timestamp", "pandas"): [] if pandas is None else series("datetime64[ns]"),
    ("timestamptz", "pandas"): [] if pandas is None else series("datetime64[ns, UTC]") + series("datetime64[ns, Asia/Kathmandu]"),
    ("time, timetz", "pandas"): [] if pandas is None else series("object")[:4],
    ("interval", "pandas"): [] if pandas is None else series("timedelta64[ns]"),
    ("numeric", "pandas"): [] if pandas is None else series("object")[:4],
    ("inet, cidr", "pandas"): [] if pandas is None else series("object")[:1],
    ("smallint, integer, bigint", "pyarrow, polars"): arrow("l") + coded("l"),
    ("text, varchar, name", "pyarrow, polars"): arrow("u") + arrow("U") + arrow("vu") + coded("u"),
    ("bytea", "pyarrow, polars"): arrow("z") + arrow("Z") + arrow("vz") + arrow("w:20") + coded("z"),
    ("boolean", "pyarrow, polars"): arrow("b"),
    ("double precision, real", "pyarrow, polars"): arrow("g") + arrow("f") + arrow("e"),
    ("uuid", "pyarrow, polars"): [(name, lambda values, way=way: way([None if value is None else value.bytes for value in values]), *said)
                                  for name, way, *said in arrow("w:16", extension="arrow.uuid") +
                                  [(*way, "uuid") for way in arrow("w:16")]],
    ("date", "pyarrow, polars"): arrow("tdD") + arrow("tdm"),
    ("timestamp", "pyarrow, polars"): arrow("tss:") + arrow("tsm:") + arrow("tsu:") + arrow("tsn:") + coded("tsu:"),
    ("timestamptz", "pyarrow, polars"): arrow("tsu:UTC") + arrow("tsn:Europe/Berlin") + coded("tsu:UTC"),
    ("time, timetz", "pyarrow, polars"): arrow("tts") + arrow("ttm") + arrow("ttu") + arrow("ttn"),
    ("interval", "pyarrow, polars"): arrow("tDs") + arrow("tDm") + arrow("tDu") + arrow("tDn"),
    ("numeric", "pyarrow, polars"): arrow("d:20,6") + arrow("d:40,6,256"),
}
# of Python itself, for any type
ITERABLES = (
    ("list", list), ("tuple", tuple), ("deque", collections.deque), ("keys of a dict", lambda values: dict.fromkeys(values).keys()),
    ("values of a dict", lambda values: dict(enumerate(values)).values()), ("generator", lambda values: (value for value in values)),
    ("map", lambda values: map(lambda value: value, values)), ("array of objects", objects),
    ("array of objects with gaps", lambda values: objects([value for value in values for _ in "12"])[::2]))


def page_table():
    """Of docs/python.md: what a cell says, by SQL type and column."""
    with open("docs/python.md", encoding="utf-8") as file:
        lines = [line.strip().strip("|").split("|") for line in file if line.startswith("|")]
    cells = [[cell.strip() for cell in line] for line in lines]
    start = next(at for at, row in enumerate(cells) if row[0] == "in SQL")
    found = {}
    for row in cells[start + 2:]:
        if len(row) != len(cells[start]):
            break
        found.update({(row[0], column): cell for column, cell in zip(cells[start][1:], row[1:])})
    return found


def faults_of(way, values, said):
    """What is wrong with a way to have keys."""
    plain = Filter.build(values, 1e-6)
    f = Filter.build(way(values), 1e-6, key_type=said)
    if f != plain:
        yield f"another filter, of {f.key_type}"
    if not f.contains(way(values), said).all():
        yield "members are not in it"
    if Filter.build([way(values[:1]), way(values[1:])], 1e-6, key_type=said) != plain:
        yield "pieces"
    if Filter.build(iter([way(values)]), 1e-6, key_type=said) != plain:
        yield "an iterator of pieces"
    numbers = list(range(len(values)))
    m = Map.build(way(values), numbers, key_type=said)
    if m != Map.build(values, numbers) or m.get_many(way(values), -1, said).tolist() != numbers:
        yield "a map"
    members = [number % 2 == 0 for number in numbers]
    if Filter.build_exact(way(values), members, key_type=said) != Filter.build_exact(values, members):
        yield "an exact set"
    if Filter.build_exact(way(values), [None, *members[1:]], key_type=said) != Filter.build_exact(values[1:],
                                                                                                   members[1:]):
        yield "an exact set, with a member that is not known"


def missing_faults(way, values, said):
    """The same with values that are missing."""
    holes = [None, *values[:1], None, None, *values[1:]]
    try:
        column = way(holes)
    except (TypeError, ValueError, OverflowError, AttributeError):
        return      # it has no missing ones
    there = [value is not None for value in holes]
    f = Filter.build(column, 1e-6, key_type=said)
    if f != Filter.build(values, 1e-6):
        yield "missing ones: another filter"
    if f.contains(way(holes), said).tolist() != there:
        yield "missing ones are in it"
    places = list(range(len(holes)))
    if Map.build(way(holes), places, key_type=said).get_many(way(holes), -1, said).tolist() != [
            place if known else -1 for place, known in zip(places, there)]:
        yield "missing ones in a map"


HAS_NO_MISSING = ("array of", "uint8", "V20", "V16", "M8")


def check_matrix():
    cells = page_table()
    compare("the page's rows", sorted({row for row, _ in cells}), sorted(KEYS))
    columns = ("numpy", "pandas", "pyarrow, polars")
    for name, (values, said) in KEYS.items():
        faults = []
        for label, way in ITERABLES:
            if label == "keys of a dict" and name == "numeric":
                continue
            faults += [f"{label}: {fault}" for fault in faults_of_iterable(way, values, said)]
        all_true(f"{name}: in Python's own ways", faults)
        for column in columns:
            ways = WAYS.get((name, column), [])
            faults = []
            if bool(ways) != (cells[name, column] != "-") and not (column == "pandas" and pandas is None):
                faults.append(f"the page says {cells[name, column]!r}")
            for label, way, *type_ in ways:
                told = (type_ or [said])[0]
                faults += [f"{label}: {fault}" for fault in faults_of(way, values, told)]
                if not label.startswith(HAS_NO_MISSING):
                    faults += [f"{label}: {fault}" for fault in missing_faults(way, values, told)]
            all_true(f"{name}: {column}, {len(ways)} ways", faults)
    gc.collect()
    compare("all that was lent is given back", (len(fake_arrow.ALIVE), len(fake_arrow.IN_CAPSULES)), (0, 0))


def faults_of_iterable(way, values, said):
    plain = Filter.build(list(values), 1e-6)
    if Filter.build(way(values), 1e-6, key_type=said) != plain:
        yield "another filter"
    if not plain.contains(way(values)).all():
        yield "members are not in it"
    if Map.build(way(values), way(range(len(values)))) != Map.build(list(values), list(range(len(values)))):
        yield "a map"


class Sheet:
    """A table that is known by nothing but its columns."""
    columns = ["id"]

    def __iter__(self):
        return iter(self.columns)


class Rows:
    """As sqlite3.Row has it."""
    def keys(self):
        return ["id"]

    def __getitem__(self, name):
        return 1

    def __iter__(self):
        return iter([1])


def labelled():
    """As xarray's arrays are, whose iteration gives arrays of no dimension."""
    kind = type("DataArray", (), {"__array__": lambda self, dtype=None: numpy.arange(3), "ndim": 1,
                                  "dtype": numpy.dtype("i8"), "__module__": "xarray.core.dataarray", "__iter__": lambda self: iter(())})
    return kind()


def refused():
    """What is not many keys: a name, what it is, and what the error says to do."""
    a = numpy.arange(6)
    yield "dict", {"a": 1}, ".keys() or its .values()"
    yield "Counter", collections.Counter("abc"), ".values()"
    yield "ChainMap", collections.ChainMap({"a": 1}), ".values()"
    yield "mapping proxy", types.MappingProxyType({"a": 1}), ".values()"
    yield "row with names", Rows(), ".keys()"
    yield "str", "abc", "put it into a list"
    yield "bytes", b"abc", "put it into a list"
    yield "bytearray", bytearray(b"abc"), "put it into a list"
    yield "memoryview", memoryview(b"abc"), "put it into a list"
    yield "mmap", mmap.mmap(-1, 5), "put it into a list"
    yield "ctypes' bytes", (ctypes.c_char * 3)(), "put it into a list"
    yield "array of characters", array.array("u", "abc"), "put it into a list"
    yield "network, which has addresses", ipaddress.ip_network("10.0.0.0/30"), "put it into a list"
    yield "a text that is a str's kind", type("Name", (str,), {})("abc"), "put it into a list"
    yield "file of text", io.StringIO("ann\nbob\n"), "rstrip"
    yield "file of bytes", io.BytesIO(b"ann\nbob\n"), "rstrip"
    yield "table by its columns", Sheet(), "table['id']"
    yield "pyarrow's table", fake_arrow.Table(id=[1, 2], name=[3, 4]), "table['id']"
    yield "a table of Arrow's alone", fake_arrow.Batch(id=[1, 2]), "table['id']"
    yield "a table whose first column has no name", fake_arrow.Array("+s", [None], names=[None, "n"]), "table['n']"
    yield "Arrow's lists", fake_arrow.Array("+l", [None]), "'+l'"
    yield "Arrow's months", fake_arrow.Array("tiM", []), "'tiM'"
    yield "a column of an old release", Old(), "release"
    yield "numpy's S", numpy.array([b"a", b"b\0"]), "array.view('V2')"
    yield "records", numpy.zeros(3, [("id", "i8"), ("n", "i8")]), "array['id']"
    yield "records of 16 bytes", numpy.zeros(3, [("id", "i8"), ("n", "i8")]).view(numpy.recarray), "array['id']"
    yield "xarray", labelled(), "to_numpy()"
    yield "an array without dimensions", numpy.array(5), "put it into a list"
    yield "a number", 5, "put it into a list"
    yield "nothing", None, ""
    yield "a filter", Filter.build([1]), "it does not have its keys"
    yield "a map", Map.build({1: 2}), "it does not have its keys"
    if pandas is not None:
        frame = pandas.DataFrame({"id": [1, 2], "name": ["a", "b"]})
        yield "DataFrame", frame, "table['id']"
        yield "DataFrame of one column", frame[["id"]], "table['id']"
        yield "DataFrame of numbered columns", pandas.DataFrame(a.reshape(3, 2)), "table[0]"
        yield "MultiIndex", frame.set_index(["id", "name"]).index, "get_level_values"
        yield "Periods", pandas.Series(pandas.period_range("2024-01", periods=2, freq="M")), "to_timestamp"
        yield "PeriodIndex", pandas.period_range("2024-01", periods=2, freq="M"), "to_timestamp"
        yield "Intervals", pandas.IntervalIndex.from_breaks([1, 2, 3]), "left"
    if importlib.util.find_spec("xarray"):
        import xarray
        yield "xarray.DataArray", xarray.DataArray(a), "to_numpy()"
        yield "xarray.Dataset", xarray.Dataset({"id": ("x", a)}), "table['id']"


Old = fake_arrow.Old


def check_refused():
    f, m = Filter.build([1, 2]), Map.build({1: 1})
    for name, value, way in refused():
        calls = {
            "build": lambda: Filter.build(value), "contains": lambda: f.contains(value), "get_many": lambda: m.get_many(value),
            "a map's keys": lambda: Map.build(value, [1, 2]), "its values": lambda: Map.build([1, 2], value),
            "an exact set's keys": lambda: Filter.build_exact(value, [True, False]),
            "its members": lambda: Filter.build_exact([1, 2], value if value is not None else 5),
            "pieces": lambda: Filter.build([value, value]), "an iterator of pieces": lambda: Filter.build(iter([value]))}
        if value is None or isinstance(value, (str, bytes, bytearray, memoryview, int, ipaddress.IPv4Network)):
            del calls["pieces"], calls["an iterator of pieces"]     # keys, then
        if value is None:
            del calls["its values"]
        faults = []
        for call, run in calls.items():
            error = error_of(run)
            said = way if name != "numpy's S" or call not in ("its values", "its members") else "astype(str)"
            if not isinstance(error, TypeError) or said not in str(error) and "piece" not in call:
                faults.append(f"{call}: {error!r}")
        all_true(f"{name} is no column: TypeError, {way}", faults)
    for name, keys in ("dict", {1: 2}), *(() if pandas is None else (("Series", pandas.Series({1: 2})),)):
        compare(f"a map of one {name}", (Map.build(keys)[1], Filter.build_exact({1: True}).contains([1]).tolist()), (2, [True]))
    for name, values in ("a list of pairs", [(1, 2)]), ("numbers", [1]), ("an array", numpy.arange(2)):
        raises(f"a map of {name} alone", TypeError, Map.build, values, says="dict(pairs)")
    for keys in {1, 2}, frozenset({1, 2}):
        raises("a set has no order for values", TypeError, Map.build, keys, [1, 2], says="order")
        raises("nor have values", TypeError, Map.build, [1, 2], keys, says="order")
    if pandas is not None:
        raises("a map of a DataFrame", TypeError, Map.build, pandas.DataFrame({"id": [1], "plan": [2]}), says="table['id']")
    compare("sets are looked up in their own order", f.contains({1, 2, 9}).tolist(), [key in f for key in {1, 2, 9}])
    compare("a range, and numbers of an array", (Filter.build(range(1, 3)), Filter.build(array.array("q", [1, 2]))), (f, f))


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
    gc.collect()
    compare("all is given back", len(fake_arrow.ALIVE), 0)


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


def check_installed():
    """The real ones, where they are."""
    if importlib.util.find_spec("pyarrow"):
        import pyarrow
        for values in (KEYS["bytea"][0], WORDS, [1, 2, 3], KEYS["timestamptz"][0], NUMERICS, TIMES):
            for column in pyarrow.array([*values, None]), pyarrow.chunked_array([values, [None]]):
                compare(f"pyarrow {column.type}", Filter.build(column), Filter.build(values))
    if importlib.util.find_spec("polars"):
        import polars
        for values in (KEYS["bytea"][0], WORDS, [1, 2, 3], KEYS["timestamptz"][0], NUMERICS, TIMES):
            compare(f"polars {values[0]!r}", Filter.build(polars.Series([*values, None])), Filter.build(values))
    report("what is installed")


check_matrix()
check_refused()
check_dimensions()
check_zeros()
check_reused()
check_arrow()
check_shared()
check_rows()
check_installed()
finish()
