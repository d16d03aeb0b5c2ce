#!/usr/bin/python3
"""test_refused.py - what iterates over something else than keys is refused, with the way out

usage: test/run.sh python-client/test_refused
"""

import array
import collections
import ctypes
import importlib.util
import io
import ipaddress
import mmap
import types

from built import all_true, compare, error_of, raises
from reports import finish

import numpy

import fake_arrow
from ribbonfilter import Filter, Map

if importlib.util.find_spec("pandas"):
    import pandas
else:
    pandas = None


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
    yield "a column of an old release", fake_arrow.Old(), "release"
    yield "numpy's S", numpy.array([b"a", b"b\0"]), "array.view('V2')"
    yield "records", numpy.zeros(3, [("id", "i8"), ("n", "i8")]), "array['id']"
    yield "records of nothing", numpy.zeros(3, []), "array['name']"
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


check_refused()
finish()
