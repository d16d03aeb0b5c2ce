"""_values.py - values of a map, or members of an exact set, to what the core takes; and back"""

import datetime
import itertools

import numpy

from ribbonfilter import _columns, _scalars, _times
from ribbonfilter._times import INFINITE_DAYS, INFINITE_MOMENTS

# Numbers of value types, which the format has.
TEXT, BOOL, INT16, INT32, INT64, DATE, TIMESTAMP, TIMESTAMPTZ = range(8)
VALUE_TYPES = ("text", "boolean", "smallint", "integer", "bigint", "date", "timestamp", "timestamptz")
INTEGERS = {INT16: 16, INT32: 32, INT64: 64}
# By value type, what arrays are of; and what 0 stands for.
DTYPES = ("O", "bool", "int16", "int32", "int64", "M8[D]", "M8[us]", "M8[us]")
EPOCHS = {DATE: _times.DAY, TIMESTAMP: _times.MOMENT, TIMESTAMPTZ: _times.MOMENT_UTC}
LAST_MOMENT = INFINITE_MOMENTS[1] - _times.EPOCH    # of numpy, in 294247; the server's are in 294276
QUICK = {bool, int, str, type(None)}


class Numbers:
    """Values of a type that are numbers, and a bool for each that says whether it is NULL (None: none is)."""

    def __init__(self, value_type, numbers, nulls=None):
        self.value_type = value_type
        self.numbers = numbers
        self.nulls = nulls

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, places):
        return Numbers(self.value_type, numpy.ascontiguousarray(self.numbers[places]),
                       None if self.nulls is None else numpy.ascontiguousarray(self.nulls[places]))

    def spread(self, present):
        """These where they are present, and NULL elsewhere."""
        nulls = ~present
        if self.nulls is not None:
            nulls[present] = self.nulls
        numbers = numpy.zeros(len(present), dtype=numpy.int64)
        numbers[present] = self.numbers
        return Numbers(self.value_type, numbers, nulls)

    def add(self, builder, keys):
        builder.add_numbers(keys, self.numbers, None if self.nulls is None else self.nulls.view(numpy.uint8))


class Texts:
    """Values that are texts, a list of them; what stands for a missing value is NULL."""

    value_type = TEXT

    def __init__(self, texts):
        self.texts = texts

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, places):
        """Of a slice, or those where there is a true."""
        if isinstance(places, slice):
            return Texts(self.texts[places])
        return Texts(list(itertools.compress(self.texts, places)))

    def add(self, builder, keys):
        builder.add_texts(keys, self.texts)


def map_values(values, value_type):
    """Values of a map as Numbers or Texts: of the type that is wanted, or of that which they are of (None)."""
    return converted(values, value_type, "values")


def members(values):
    """Members of an exact set as Numbers: true, false, or NULL, which says nothing of the key."""
    return converted(values, BOOL, "members")


def refusal(what, text):
    """The error of what cannot be values, or members."""
    return TypeError("members must be an array or an iterable of bools, some of which may be missing" if what == "members" else text)


def converted(values, value_type, what):
    found = _columns.column(values, what)
    if found is None or found.kind in "OU":
        return of_list(_columns.listed(values, what) if found is None else found.tolist(), value_type, what)
    made = of_column(found, value_type, what)
    return made if found.present is None else made.spread(found.present)


def of_column(found, value_type, what):
    """Of those of a column's values that are present, and are no objects or texts."""
    values, kind = found.values, found.kind
    if found.key_class is not None or kind not in "Mbiu":
        raise refusal(what, f"values of {f'dtype {values.dtype}' if hasattr(values, 'dtype') else 'bytes'} cannot be values of a map")
    if kind == "M":
        natural = DATE if _times.is_date(values.dtype) else TIMESTAMPTZ if found.utc else TIMESTAMP
        values = _times.array_days(values) if natural == DATE else _times.array_timestamps(values)
    else:
        size = values.dtype.itemsize + (kind == "u")
        if kind == "u" and size > 8 and len(values) and values.max() >= 1 << 63:
            raise OverflowError("a value is beyond 64 bits with a sign")
        natural = BOOL if kind == "b" else INT16 if size <= 2 else INT32 if size <= 4 else INT64
    return of_type(Numbers(natural, numpy.ascontiguousarray(values, dtype=numpy.int64)), value_type, what)


def of_list(values, value_type, what):
    """Of values one by one; quickly, if they are of a type that numpy knows, or None."""
    types = set(map(type, values))
    nulls = None
    if types <= QUICK:
        is_null, present = [value is None for value in values], values
        if type(None) in types:
            present = [value for value in values if value is not None]
    else:
        is_null = [_scalars.is_missing(value) for value in values]
        present = [value for value, is_missing in zip(values, is_null) if not is_missing]
    if len(present) < len(values):
        nulls = numpy.array(is_null, dtype=bool)
    if present:
        natural = TEXT if isinstance(present[0], str) else natural_value_type(present[0], what)
    else:
        natural = TEXT if value_type is None else value_type
    if natural == TEXT:
        return of_type(Texts(values), value_type, what)
    numbers = numpy.zeros(len(values), dtype=numpy.int64)
    numbers[slice(None) if nulls is None else ~nulls] = number_list(present, natural, what)
    return of_type(Numbers(natural, numbers, nulls), value_type, what)


def natural_value_type(value, what):
    """The type of a value by its Python type, which is not str."""
    value = _scalars.plain(value)
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT64
    if isinstance(value, datetime.datetime):
        return TIMESTAMP if value.utcoffset() is None else TIMESTAMPTZ
    if isinstance(value, datetime.date):
        return DATE
    raise refusal(what, f"a value of type {_columns.name_of(value)} cannot be a value of a map")


def number_list(values, value_type, what):
    """Values of a type as numbers."""
    if value_type in (BOOL, INT64) and len(set(map(type, values))) == 1 and type(values[0]) in QUICK:
        try:
            return numpy.array(values, dtype=numpy.int64)
        except OverflowError:
            raise OverflowError("a value is beyond 64 bits with a sign") from None
    numbers = []
    for value in values:
        if natural_value_type(value, what) != value_type:
            raise refusal(what, f"a value of type {_columns.name_of(value)} among values of another type")
        value = _scalars.plain(value)
        if value_type == DATE:
            value = _times.days(value)
        elif value_type in (TIMESTAMP, TIMESTAMPTZ):
            value = _times.timestamp(value)
        numbers.append(int.__int__(value))
    return numbers


def of_type(found, value_type, what):
    """These as values of the type that is wanted, if they can be of it."""
    if value_type in (None, found.value_type):
        return found
    both = {found.value_type, value_type}
    if not both <= set(INTEGERS) and both != {TIMESTAMP, TIMESTAMPTZ}:
        raise refusal(what, "the values are not of the type that value_type says")
    limit = 1 << INTEGERS.get(value_type, 64) - 1
    if len(found) and (found.numbers.min() < -limit or found.numbers.max() >= limit):
        raise OverflowError("a value is beyond the range of the type that value_type says")
    return Numbers(value_type, found.numbers, found.nulls)


# ---- Back ----

def values_of(numbers, value_type):
    """What an array of numbers stands for; NaT, where numpy has no such time."""
    if value_type not in EPOCHS:
        return numbers.astype(DTYPES[value_type], copy=False)
    lacking = numpy.isin(numbers, INFINITE_DAYS if value_type == DATE else INFINITE_MOMENTS)
    lacking |= numbers > LAST_MOMENT
    values = _times.DAY64.astype(DTYPES[value_type]) + numpy.where(lacking, 0, numbers)
    values[lacking] = numpy.datetime64("NaT")
    return values


def value_of(number, value_type):
    """What one number stands for."""
    if value_type == BOOL:
        return bool(number)
    if value_type not in EPOCHS:
        return number
    try:
        return EPOCHS[value_type] + datetime.timedelta(**{"days" if value_type == DATE else "microseconds": number})
    except OverflowError:
        infinite = INFINITE_DAYS if value_type == DATE else INFINITE_MOMENTS
        name = (("-infinity", "infinity")[infinite.index(number)] if number in infinite else
                "of a year after 294246" if number > LAST_MOMENT else values_of(numpy.array([number]), value_type)[0])
        raise OverflowError(f"the value is the {VALUE_TYPES[value_type]} {name}, which Python's datetime does not have: "
                            "get_many gives arrays of numpy, which may (if the map has no such value, the key is "
                            "not in it)") from None


def default_of(default, value_type):
    """What stands for keys that are not in a map, as one of its values, which are not texts."""
    try:
        value = numpy.asarray(default, dtype=DTYPES[value_type])
        fits = value.ndim == 0 and default is not numpy.ma.masked and (
            is_time(default, value, value_type) if value_type in EPOCHS else value.item() == default)
    except (ValueError, TypeError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"default must be one value of type {VALUE_TYPES[value_type]}, not {_scalars.shown(default)}")
    return value


def is_time(default, value, value_type):
    """Does it say the time, or date, that numpy makes of it?"""
    if isinstance(default, (str, numpy.datetime64)):
        return numpy.isnat(value) or value == numpy.datetime64(default)
    is_zoned = isinstance(default, datetime.datetime) and default.utcoffset() is not None
    return (isinstance(default, datetime.date) and (value_type == TIMESTAMPTZ or not is_zoned) and
            (isinstance(value.item(), datetime.datetime) or not isinstance(default, datetime.datetime)))
