#!/usr/bin/python3
"""test_columns.py - whatever has one column of values gives its keys

One table of types and containers, which docs/python.md has, too.  pyarrow and polars are fakes of their protocols
(fake_arrow.py), and those themselves where they are installed.

usage: test/run.sh python-client/test_columns
"""

import collections
import datetime
import decimal
import gc
import importlib.util
import ipaddress
import uuid
import warnings

from built import all_true, compare, report
from reports import finish

import numpy

import fake_arrow
from ribbonfilter import Filter, Map

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
check_installed()
finish()
