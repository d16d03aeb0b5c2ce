"""_values.py - keys with their values, of a map or an exact set that is to be built"""

import collections.abc
import datetime

import numpy

from ribbonfilter import _arrays, _columns, _core, _scalars
from ribbonfilter._errors import ConflictError

# Numbers of value types, which the format has.
TEXT, BOOL, INT16, INT32, INT64, DATE, TIMESTAMP, TIMESTAMPTZ = range(8)
VALUE_TYPES = {"text": TEXT, "boolean": BOOL, "smallint": INT16, "integer": INT32, "bigint": INT64, "date": DATE,
               "timestamp": TIMESTAMP, "timestamptz": TIMESTAMPTZ}
INTEGERS = {INT16: 16, INT32: 32, INT64: 64}
QUICK = {bool, int, str, type(None)}


def pairs(keys, values):
    """Keys and values, which a dict, or a Series, has both."""
    if values is not None:
        for given in keys, values:
            if isinstance(given, collections.abc.Set) and not isinstance(given, collections.abc.KeysView):
                raise TypeError("a set has no order in which keys could have values: use a list, or a dict from key to value")
        return keys, values
    if hasattr(keys, "isna") and getattr(keys, "ndim", 0) == 1 and hasattr(keys, "index"):
        return keys.index, keys
    if callable(getattr(keys, "keys", None)) and callable(getattr(keys, "values", None)) and not hasattr(keys, "data_vars"):
        return list(keys.keys()), list(keys.values())
    _columns.refuse(keys, "keys")
    raise TypeError("values are missing: give keys and values, a dict, or a Series, whose index has the keys")


class Values:
    """The values of a map to be built: numbers with a bool for each NULL, or a list of texts."""

    what = "values"

    def __init__(self, values, value_type):
        values = _columns.buffered(values)
        if _columns.is_column(values):
            found = _columns.column(values, self.what)
            self._set_column(found, value_type)
            if found.present is not None:
                self._spread(found.present)
        else:
            self._set_list(_columns.listed(values, self.what), value_type)

    def __len__(self):
        return len(self.texts) if self.value_type == TEXT else len(self.numbers)

    def _refusal(self, text):
        return TypeError(text)

    def _set_column(self, found, value_type):
        values, kind = found.values, found.kind
        self.nulls = None
        if kind in "OU":
            self._set_list(values.tolist(), value_type)
            return
        if found.key_class is not None or kind not in "Mbiu":
            raise self._refusal(f"values of {f'dtype {values.dtype}' if hasattr(values, 'dtype') else 'bytes'} cannot be values of a map")
        if kind == "M":
            natural = DATE if _scalars.is_date(values.dtype) else TIMESTAMPTZ if found.utc else TIMESTAMP
            values = _arrays.days(values) if natural == DATE else _scalars.since_2000(values)
        else:
            size = values.dtype.itemsize + (kind == "u")
            if kind == "u" and size > 8 and len(values) and values.max() >= 1 << 63:
                raise OverflowError("a value is beyond 64 bits with a sign")
            natural = BOOL if kind == "b" else INT16 if size <= 2 else INT32 if size <= 4 else INT64
        self.numbers = numpy.ascontiguousarray(values, dtype=numpy.int64)
        self._set_type(natural, value_type)

    def _set_list(self, values, value_type):
        """Of values one by one; quickly, if they are of a type that numpy knows, or None."""
        types = set(map(type, values))
        self.nulls = None
        if types <= QUICK:
            is_null, present = [value is None for value in values], values
            if type(None) in types:
                present = [value for value in values if value is not None]
        else:
            is_null = [_scalars.is_missing(value) for value in values]
            present = [value for value, is_missing in zip(values, is_null) if not is_missing]
        if len(present) < len(values):
            self.nulls = numpy.array(is_null, dtype=bool)
        first = present[0] if present else ""
        if isinstance(first, str):
            natural = value_type if not present and value_type is not None else TEXT
            self.texts = values
            if natural == TEXT:
                self._set_type(TEXT, value_type)
                return
        else:
            natural = self._natural_type(first)
        self.numbers = numpy.zeros(len(values), dtype=numpy.int64)
        self.numbers[slice(None) if self.nulls is None else ~self.nulls] = self._number_list(present, natural)
        self._set_type(natural, value_type)

    def _natural_type(self, value):
        """The value type of a value that is no text."""
        value = _scalars.plain(value)
        if isinstance(value, bool):
            return BOOL
        if isinstance(value, int):
            return INT64
        if isinstance(value, datetime.datetime):
            return TIMESTAMP if value.utcoffset() is None else TIMESTAMPTZ
        if isinstance(value, datetime.date):
            return DATE
        raise self._refusal(f"a value of type {_columns.name_of(value)} cannot be a value of a map")

    def _number_list(self, values, value_type):
        """Values of a type as numbers."""
        if value_type in (BOOL, INT64) and len(set(map(type, values))) == 1 and type(values[0]) in QUICK:
            try:
                return numpy.array(values, dtype=numpy.int64)
            except OverflowError:
                raise OverflowError("a value is beyond 64 bits with a sign") from None
        numbers = []
        for value in values:
            if self._natural_type(value) != value_type:
                raise self._refusal(f"a value of type {_columns.name_of(value)} among values of another type")
            value = _scalars.plain(value)
            if value_type == DATE:
                value = _scalars.days(value)
            elif value_type in (TIMESTAMP, TIMESTAMPTZ):
                value = _scalars.timestamp(value)
            numbers.append(int.__int__(value))
        return numbers

    def _set_type(self, natural, value_type):
        """Take the type that is wanted, if the values can be of it."""
        self.value_type = natural if value_type is None else value_type
        if self.value_type != natural:
            both = {natural, self.value_type}
            if not both <= set(INTEGERS) and both != {TIMESTAMP, TIMESTAMPTZ}:
                raise self._refusal("the values are not of the type that value_type says")
            limit = 1 << INTEGERS.get(self.value_type, 64) - 1
            if len(self.numbers) and (self.numbers.min() < -limit or self.numbers.max() >= limit):
                raise OverflowError("a value is beyond the range of the type that value_type says")

    def _spread(self, present):
        """Put NULLs where values are missing."""
        nulls = ~present
        if self.value_type == TEXT:
            texts = numpy.full(len(present), None, dtype=object)
            texts[present] = self.texts
            self.texts = texts.tolist()
            return
        if self.nulls is not None:
            nulls[present] = self.nulls
        self.nulls = nulls
        numbers = numpy.zeros(len(present), dtype=numpy.int64)
        numbers[present] = self.numbers
        self.numbers = numbers

    def build(self, keys, builder):
        """The bytes of what a builder builds of these keys with these values."""
        told = builder.told
        held = _arrays.held(keys)
        if len(held) != len(self):
            raise ValueError(f"there are {len(held)} keys and {len(self)} {self.what}")
        held, places = self._kept(held)
        present, _, parts = _arrays.positional(held, told, told)
        if present is not None:
            self.take(present)
            places = numpy.flatnonzero(present) if places is None else places[present]
        try:
            for start, stop, part in parts:
                self.add(builder, start, stop, part)
            return builder.finish()
        except ConflictError as error:
            raise ConflictError(f"{error}{self._first(builder, held, told, places)}") from None

    def _kept(self, held):
        """The keys that have a value, and their places among all (None: all have one)."""
        return held, None

    @staticmethod
    def _first(builder, held, told, places):
        """Which key it is that has two values, as far as it can be found."""
        for start, _, part in _arrays.positional(held, told, told)[2]:
            at = builder.find_conflict(part)
            if at is None:
                continue
            if part.present is not None:
                at = numpy.flatnonzero(numpy.frombuffer(part.present, dtype=bool))[at]
            at += start
            value = held.values[at:at + 1].tolist()[0] if isinstance(held, _columns.Column) else held[at]
            return f"; the first one is keys[{at if places is None else places[at]}], {_scalars.cut(repr(value))}"
        return ""

    def take(self, places):
        """Those at these places."""
        if self.value_type == TEXT:
            self.texts = numpy.array([*self.texts, None], dtype=object)[:-1][places].tolist()
            return
        self.numbers = numpy.ascontiguousarray(self.numbers[places])
        if self.nulls is not None:
            self.nulls = self.nulls[places]

    def add(self, builder, start, stop, keys):
        """Add the keys of values start to stop, with these."""
        present = slice(None) if keys.present is None else numpy.frombuffer(keys.present, dtype=bool)
        if self.value_type == TEXT:
            texts = self.texts[start:stop]
            if keys.present is not None:
                texts = [text for text, there in zip(texts, present) if there]
            builder.add_texts(keys, texts)
            return
        nulls = self.nulls
        if nulls is not None:
            nulls = numpy.ascontiguousarray(nulls[start:stop][present]).view(numpy.uint8)
        builder.add_numbers(keys, numpy.ascontiguousarray(self.numbers[start:stop][present]), nulls)


class Members(Values):
    """Whether keys are members of an exact set: true, false, or missing, which says nothing of the key."""

    what = "members"

    def __init__(self, members):
        super().__init__(members, BOOL)

    def _refusal(self, text):
        return TypeError("members must be an array or an iterable of bools, some of which may be missing")

    def _kept(self, held):
        if self.nulls is None:
            return held, None
        there = ~self.nulls
        self.take(there)
        self.nulls = None
        if isinstance(held, _columns.Column):
            held = held.keep(there)
        else:
            held = [key for key, is_there in zip(held, there) if is_there]
        return held, numpy.flatnonzero(there)

    def add(self, builder, start, stop, keys):
        members = self.numbers[start:stop]
        if keys.present is not None:
            members = members[numpy.frombuffer(keys.present, dtype=bool)]
        builder.add_members(keys, members.astype(numpy.uint8))
