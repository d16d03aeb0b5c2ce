#!/usr/bin/python3
"""test_pandas.py - columns of pandas, where it is installed

usage: test/run.sh python-client/test_pandas
"""

import datetime
import sys

from built import compare, raises, report
from reports import finish

import numpy

from ribbonfilter import Filter, Map

try:
    import pandas
except ImportError:
    report("pandas is not installed # SKIP")
    sys.exit()

UTC = datetime.timezone.utc
NUMBERS = [1, 2, 3]
WORDS = ["ann", "bob", "é"]
MOMENTS = [datetime.datetime(2024, 2, day, 12) for day in (1, 2, 29)]


def same(name, column, keys, key_type):
    f = Filter.build(column)
    compare(f"{name}: the same filter", (bytes(f), f.key_type), (bytes(Filter.build(keys)), key_type))
    compare(f"{name}: its keys are in it, and what is missing is not", f.contains(column).tolist(), (~column.isna()).tolist())
    compare(f"{name}: as keys of a map", Map.build(column, range(len(column))).get_many(column, -1).tolist(),
            [place if there else -1 for place, there in enumerate(~column.isna())])


same("int64", pandas.Series(NUMBERS), NUMBERS, "integer")
same("an index", pandas.Index(NUMBERS), NUMBERS, "integer")
same("every second", pandas.Series([1, 0, 2, 0, 3, 0])[::2], NUMBERS, "integer")
same("Int64 with a missing one", pandas.Series([1, None, 2, 3], dtype="Int64"), NUMBERS, "integer")
same("UInt8", pandas.Series(NUMBERS, dtype="UInt8"), NUMBERS, "integer")
same("objects", pandas.Series([1, None, 2, 3], dtype=object), NUMBERS, "integer")
same("texts", pandas.Series(WORDS), WORDS, "text")
same("texts, one missing", pandas.Series(["ann", None, "bob", float("nan"), "é"]), WORDS, "text")
same("strings", pandas.Series(["ann", None, "bob", "é"], dtype="string"), WORDS, "text")
same("categories", pandas.Series(["ann", "bob", "é", None], dtype="category"), WORDS, "text")
same("boolean", pandas.Series([True, None, False], dtype="boolean"), [True, False], "boolean")
same("bool", pandas.Series([True, False]), [True, False], "boolean")
same("float64, NaN is missing", pandas.Series([0.5, float("nan"), 1.5]), [0.5, 1.5], "float")
same("Float64", pandas.Series([0.5, None, 1.5], dtype="Float64"), [0.5, 1.5], "float")
same("moments", pandas.Series([*MOMENTS, None]), MOMENTS, "timestamp")
same("moments with a zone", pandas.Series([*MOMENTS, None]).dt.tz_localize("Europe/Berlin"),
     [moment.replace(hour=11, tzinfo=UTC) for moment in MOMENTS], "timestamptz")
same("an index of them", pandas.DatetimeIndex(MOMENTS, tz="UTC"), [moment.replace(tzinfo=UTC) for moment in MOMENTS], "timestamptz")
same("objects that are moments", pandas.Series([pandas.Timestamp(moment) for moment in MOMENTS], dtype=object), MOMENTS, "timestamp")
same("spans of time", pandas.Series([datetime.timedelta(days=1, seconds=2), None]), [datetime.timedelta(days=1, seconds=2)], "interval")
raises("finer than microseconds", ValueError, Filter.build, pandas.Series(MOMENTS) + pandas.Timedelta(1, "ns"))
raises("a single one", ValueError, Filter.build, [pandas.Timestamp(MOMENTS[0]) + pandas.Timedelta(1, "ns")])

SPAN = pandas.Timedelta(5, "s")
for unit in "s", "ms", "us", "ns":
    span = SPAN.as_unit(unit) if hasattr(SPAN, "as_unit") else SPAN._as_unit(unit)
    compare(f"a duration in {unit}", bytes(Filter.build([span])), bytes(Filter.build([datetime.timedelta(seconds=5)])))
for zone in None, "UTC", "Europe/Berlin":
    for text in "1677-09-22 12:34:56.789012", "1700-01-01", "1999-12-31 23:59:59.999999", "2262-04-11":
        stamp = pandas.Timestamp(text, tz=zone)
        compare(f"{stamp}", bytes(Filter.build([stamp])), bytes(Filter.build([stamp.to_pydatetime()])))
if hasattr(pandas.Timestamp, "as_unit"):
    LATE = numpy.array(["20000-01-01", "294246-12-31"], "M8[s]")
    compare("years beyond 9999", bytes(Filter.build([pandas.Timestamp(late) for late in LATE])), bytes(Filter.build(LATE)))
    for seconds in -9223372036854, 1 << 60:
        raises(f"{seconds} s since 1970", ValueError, Filter.build, [pandas.Timestamp(numpy.datetime64(seconds, "s"))])
raises("moments with a zone, asked without", TypeError, Filter.build(pandas.Series(MOMENTS)).contains, pandas.Series(MOMENTS).dt.tz_localize("UTC"))
compare("NA is no key", (pandas.NA in Filter.build([1]), pandas.NaT in Filter.build(MOMENTS)), (False, False))

table = pandas.DataFrame({"id": [1, 2, 3, 4], "name": ["x", "y", None, "x"], "size": pandas.array([10, None, 30, 40], dtype="Int64")})
names, sizes = Map.build(table["id"], table["name"]), Map.build(table["id"], table["size"])
compare("columns as values", (names.value_type, names.get_many(table["id"]).tolist(),
                              sizes.value_type, sizes.get_many(table["id"]).tolist()),
        ("text", ["x", "y", None, "x"], "bigint", [10, None, 30, 40]))
compare("they choose rows", table[Filter.build([2, 4]).contains(table["id"])]["id"].tolist(), [2, 4])
compare("a map from its own index", Map.build(table.set_index("id")["name"].dropna()).get_many(numpy.array([1, 4])).tolist(), ["x", "x"])
finish()
