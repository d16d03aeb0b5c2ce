"""_values.py - keys with their values, of a map or an exact set that is to be built"""

import datetime

import numpy

from ribbonfilter import _arrays, _canonical, _core

# Numbers of value types, which the format has.
TEXT, BOOL, INT16, INT32, INT64, DATE, TIMESTAMP, TIMESTAMPTZ = range(8)
VALUE_TYPES = {"text": TEXT, "boolean": BOOL, "smallint": INT16, "integer": INT32, "bigint": INT64, "date": DATE,
               "timestamp": TIMESTAMP, "timestamptz": TIMESTAMPTZ}
INTEGERS = {INT16: 16, INT32: 32, INT64: 64}


def pairs(keys, values):
    """Keys and values, which a dict, or a Series, has both."""
    if values is not None:
        return keys, values
    if not hasattr(keys, "keys"):
        raise TypeError("values are missing")
    return keys.keys(), keys if _arrays.is_array(keys) else list(keys.values())


class Values:
    """The values of a map to be built: numbers with a bool for each NULL, or a list of texts."""

    def __init__(self, values, value_type):
        if _arrays.is_array(values):
            found = _arrays.column(values)
            self._set_array(found, value_type)
            if found.present is not None:
                self._spread(found.present)
        else:
            self._set_list(_arrays.to_list(values), value_type)

    def __len__(self):
        return len(self.texts) if self.value_type == TEXT else len(self.numbers)

    def _set_array(self, found, value_type):
        values = found.values
        kind = values.dtype.kind
        self.nulls = None
        if kind in "OU":
            self._set_list(values.tolist(), value_type)
            return
        if kind == "M":
            natural = DATE if _canonical.is_date(values.dtype) else TIMESTAMPTZ if found.utc else TIMESTAMP
            numbers = _arrays.days(values) if natural == DATE else _arrays.microseconds(values)
            self.numbers = numpy.ascontiguousarray(numbers, dtype=numpy.int64)
        elif kind in "biu":
            size = values.dtype.itemsize + (kind == "u")
            if kind == "u" and size > 8 and len(values) and values.max() >= 1 << 63:
                raise OverflowError("a value is beyond 64 bits with a sign")
            natural = BOOL if kind == "b" else INT16 if size <= 2 else INT32 if size <= 4 else INT64
            self.numbers = numpy.ascontiguousarray(values, dtype=numpy.int64)
        else:
            raise TypeError(f"values of dtype {values.dtype} cannot be values of a map")
        self._set_type(natural, value_type)

    def _set_list(self, values, value_type):
        present = [value for value in values if not _canonical.is_missing(value)]
        self.nulls = None
        if len(present) < len(values):
            self.nulls = numpy.array([_canonical.is_missing(value) for value in values], dtype=bool)
        first = present[0] if present else ""
        if isinstance(first, str):
            natural = value_type if not present and value_type is not None else TEXT
            self.texts = values
            if natural == TEXT:
                self._set_type(TEXT, value_type)
                return
        else:
            natural = natural_type(_canonical.plain(first))
        numbers = number_list(present, natural)
        self.numbers = numpy.zeros(len(values), dtype=numpy.int64)
        self.numbers[slice(None) if self.nulls is None else ~self.nulls] = numbers
        self._set_type(natural, value_type)

    def _set_type(self, natural, value_type):
        """Take the type that is wanted, if the values can be of it."""
        self.value_type = natural if value_type is None else value_type
        if self.value_type != natural:
            both = {natural, self.value_type}
            if not both <= set(INTEGERS) and both != {TIMESTAMP, TIMESTAMPTZ}:
                raise TypeError("the values are not of the type that value_type says")
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

    def build(self, keys, key_type, fpr, options):
        """The bytes of what is built of these keys, with a builder that has these options."""
        told = 0 if key_type is None else _core.type_number(key_type)
        present, n, _, parts = _arrays.positional(keys, told, told)
        if n != len(self):
            raise ValueError(f"there are {n} keys and {len(self)} values")
        if present is not None:
            self.take(present)
        builder = None
        for start, stop, part in parts:
            if builder is None:
                if part.key_type == 0:
                    continue    # nothing but missing keys
                builder = _core.Builder(part.key_type, fpr, **options)
            self.add(builder, start, stop, part)
        if builder is None:
            builder = _core.Builder(told, fpr, **options)
        return builder.finish()

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

    def __init__(self, members):
        try:
            super().__init__(members, BOOL)
        except TypeError:
            raise TypeError("members must be an array or an iterable of bools, some of which may be missing") from None

    def build(self, keys, key_type, fpr, options):
        if self.nulls is not None:
            there = ~self.nulls
            if _arrays.is_array(keys):
                keys = keys[there]
            else:
                keys = [key for key, is_there in zip(_arrays.to_list(keys), there) if is_there]
            self.take(there)
            self.nulls = None
        return super().build(keys, key_type, fpr, options)

    def add(self, builder, start, stop, keys):
        members = self.numbers[start:stop]
        if keys.present is not None:
            members = members[numpy.frombuffer(keys.present, dtype=bool)]
        builder.add_members(keys, members.astype(numpy.uint8))


def natural_type(value):
    """The value type of a value that is no text."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT64
    if isinstance(value, datetime.datetime):
        return TIMESTAMP if value.utcoffset() is None else TIMESTAMPTZ
    if isinstance(value, datetime.date):
        return DATE
    raise TypeError(f"a value of type {type(value).__name__} cannot be a value of a map")


def number_list(values, value_type):
    """Values of a type as numbers."""
    numbers = []
    for value in values:
        value = _canonical.plain(value)
        if natural_type(value) != value_type:
            raise TypeError(f"a value of type {type(value).__name__} among values of another type")
        if value_type == DATE:
            value = (value - _canonical.DAY).days
        elif value_type in (TIMESTAMP, TIMESTAMPTZ):
            value = _canonical.timestamp(value)
        numbers.append(int(value))
    return numbers
