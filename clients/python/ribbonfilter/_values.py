"""_values.py - keys with their values, of a map or an exact set that is to be built"""

import collections.abc
import datetime

import numpy

from ribbonfilter import _arrays, _columns, _core, _scalars
from ribbonfilter._errors import ConflictError

# Numbers of value types, which the format has.
TEXT, BOOL, INT16, INT32, INT64, DATE, TIMESTAMP, TIMESTAMPTZ = range(8)
VALUE_TYPES = ("text", "boolean", "smallint", "integer", "bigint", "date", "timestamp", "timestamptz")
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
    raise TypeError("values are missing: give keys and values, a dict, as dict(pairs) is, or a Series, whose index has the keys")


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
        if isinstance(places, slice):
            return Texts(self.texts[places])
        return Texts(numpy.array([*self.texts, None], dtype=object)[:-1][places].tolist())

    def spread(self, present):
        texts = numpy.full(len(present), None, dtype=object)
        texts[present] = self.texts
        return Texts(texts.tolist())

    def add(self, builder, keys):
        builder.add_texts(keys, self.texts)


class Values:
    """What a map is built of: values are Numbers or Texts."""

    what = "values"

    def __init__(self, values, value_type):
        found = _columns.column(values, self.what)
        if found is None:
            self.values = self._of_list(_columns.listed(values, self.what), value_type)
            return
        self.values = self._of_column(found, value_type)
        if found.present is not None:
            self.values = self.values.spread(found.present)

    def _refusal(self, text):
        return TypeError(text)

    def _of_column(self, found, value_type):
        values, kind = found.values, found.kind
        if kind in "OU":
            return self._of_list(values.tolist(), value_type)
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
        return self._of_type(Numbers(natural, numpy.ascontiguousarray(values, dtype=numpy.int64)), value_type)

    def _of_list(self, values, value_type):
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
            natural = TEXT if isinstance(present[0], str) else self._natural_type(present[0])
        else:
            natural = TEXT if value_type is None else value_type
        if natural == TEXT:
            return self._of_type(Texts(values), value_type)
        numbers = numpy.zeros(len(values), dtype=numpy.int64)
        numbers[slice(None) if nulls is None else ~nulls] = self._number_list(present, natural)
        return self._of_type(Numbers(natural, numbers, nulls), value_type)

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

    def _of_type(self, found, value_type):
        """These as values of the type that is wanted, if they can be of it."""
        if value_type in (None, found.value_type):
            return found
        both = {found.value_type, value_type}
        if not both <= set(INTEGERS) and both != {TIMESTAMP, TIMESTAMPTZ}:
            raise self._refusal("the values are not of the type that value_type says")
        limit = 1 << INTEGERS.get(value_type, 64) - 1
        if len(found) and (found.numbers.min() < -limit or found.numbers.max() >= limit):
            raise OverflowError("a value is beyond the range of the type that value_type says")
        return Numbers(value_type, found.numbers, found.nulls)

    def build(self, keys, builder):
        """The bytes of what a builder builds of these keys with these values."""
        told = builder.told
        held = _arrays.held(keys)
        if len(held) != len(self.values):
            raise ValueError(f"there are {len(held)} keys and {len(self.values)} {self.what}")
        held, values, places = self._kept(held)
        present, _, parts = _arrays.positional(held, told, told)
        if present is not None:
            values = values[present]
            places = numpy.flatnonzero(present) if places is None else places[present]
        try:
            for start, stop, part in parts:
                these = values[start:stop]
                if part.present is not None:
                    these = these[numpy.frombuffer(part.present, dtype=bool)]
                self._add(builder, part, these)
            return builder.finish()
        except ConflictError as error:
            raise ConflictError(f"{error}{self._first(builder, held, told, places)}") from None

    def _kept(self, held):
        """The keys that have a value, their values, and their places among all (None: all have one)."""
        return held, self.values, None

    def _add(self, builder, keys, values):
        values.add(builder, keys)

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


class Members(Values):
    """Whether keys are members of an exact set: true, false, or missing, which says nothing of the key."""

    what = "members"

    def __init__(self, members):
        super().__init__(members, BOOL)

    def _refusal(self, text):
        return TypeError("members must be an array or an iterable of bools, some of which may be missing")

    def _kept(self, held):
        members, nulls = self.values.numbers, self.values.nulls
        if nulls is None:
            return held, self.values, None
        there = ~nulls
        if isinstance(held, _columns.Column):
            held = held.keep(there)
        else:
            held = [key for key, is_there in zip(held, there) if is_there]
        return held, Numbers(BOOL, members[there]), numpy.flatnonzero(there)

    def _add(self, builder, keys, values):
        builder.add_members(keys, values.numbers.astype(numpy.uint8))
