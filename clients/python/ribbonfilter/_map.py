"""_map.py - values for keys"""

from __future__ import annotations

import functools
import math
from typing import Any, Mapping, Optional, Union

import numpy

from ribbonfilter import _build, _core, _types
from ribbonfilter._filter import COMMON_STATS, Stored
from ribbonfilter._options import CODES, choice, new_builder, whole
from ribbonfilter._rows import KeyColumn
from ribbonfilter._stats import MapStats
from ribbonfilter._types import NDArray, Self
from ribbonfilter._values import TEXT, VALUE_TYPES, default_of, map_values, value_of, values_of


class Map(Stored):
    """A value for each key, without the keys. Other keys are rejected, but for the rate that you choose.

    Values are integers, bools, dates, datetimes, or at most 65,536 different strings; None is a value, too.
    Map(buffer) opens the bytes of a map, from here or from PostgreSQL, without a copy.

    >>> m = Map.build({"ann": 3, "bob": 5})
    >>> m["ann"]
    3
    >>> m["eve"]
    Traceback (most recent call last):
    KeyError: 'eve'
    >>> m.get("eve", 0), "ann" in m, len(m)
    (0, True, 2)
    """

    __slots__ = ()
    _is_map = True

    @classmethod
    def build(cls, keys: Union[_types.Keys, Mapping[Any, Any]], values: Optional[_types.Keys] = None,
              fpr: float = 0.01, *, key_type: Optional[_types.KeyType] = None,
              value_type: Optional[_types.ValueType] = None, code: _types.Code = "auto",
              width: Optional[_types.Width] = None, seed: int = 0, threads: Optional[int] = None,
              memory: Optional[int] = None, progress: Optional[_types.Progress] = None) -> Self:
        """Build a map from these keys to these values; or from a dict or a Series, which has both.

        Both are numpy arrays, pandas columns, or iterables, of the same length. fpr is 2^-32 to 0.5; or 1, which
        makes the smallest map, but gives every other key some value. Pairs with a missing key are ignored; a
        missing value is None. A key with two values raises ConflictError. value_type is "text", "boolean",
        "smallint", "integer", "bigint" (the default for int), "date", "timestamp" or "timestamptz". code says how
        values are stored: "plain" (the same bits for each), "entropy" (fewer bits for frequent values), or "auto"
        (whichever takes fewer bytes). Other parameters are those of Filter.build.

        >>> m = Map.build(numpy.arange(1000), numpy.arange(1000) % 4)
        >>> m[7], m.stats().value_type, m.stats().value_bits
        (3, 'bigint', 2)
        >>> Map.build([1, 1], ["a", "b"])   # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        ribbonfilter.ConflictError: a key has two values
        """
        value_type = None if value_type is None else choice("value_type", value_type, VALUE_TYPES)
        builder = new_builder(key_type, fpr, code=choice("code", code, CODES), width=width,
                              seed=whole("seed", seed, "0 to 4294967295", 32), threads=threads, memory=memory,
                              progress=progress)
        keys, values = _build.pairs(keys, values)
        return cls(_build.built_map(builder, keys, map_values(values, value_type)))

    @property
    def value_type(self) -> str:
        """The name of the values' type on the server: "bigint", "text", "public.mood"."""
        return self._value_type_name

    def get(self, key: Optional[_types.OneKey], default: Any = None) -> Any:
        """Return the value of a key, or default if it is not in the map.

        A date or timestamp that Python's datetime does not have, such as infinity, is an OverflowError, which names
        it; as m[key], too. It may be the value that a key gets by chance, which is not in the map.
        """
        return self._get(key, value_of, default)

    __iter__ = None         # it does not have its keys

    def __getitem__(self, key: _types.OneKey) -> Any:
        value = self._get(key, value_of, self)    # which is nobody's value
        if value is self:
            raise KeyError(key)
        return value

    def get_many(self, keys: _types.Keys, default: Any = None,
                 key_type: Optional[_types.KeyType] = None) -> NDArray[Any]:
        """Look up many keys. Returns an array of the same shape.

        For strings it is an array of objects, with default for keys that are not in the map, and None for NULL. For
        numbers, bools and times it is a masked array, which masks both; or a plain array, with default in their
        places, if that is given.

        >>> m = Map.build([1, 2, 3], [10, 20, 30])
        >>> m.get_many(numpy.array([1, 3, 7]))
        masked_array(data=[10, 30, --],
                     mask=[False, False,  True],
               fill_value=999999)
        >>> m.get_many(numpy.array([1, 3, 7]), default=-1)
        array([10, 30, -1])
        >>> Map.build(["ann"], ["gold"]).get_many(["ann", "eve"])
        array(['gold', None], dtype=object)
        """
        column = KeyColumn(keys, self._told(key_type), many_dimensions=True)
        get = self._text_array if self._value_type_number == TEXT else self._number_array
        return get(column, default).reshape(column.shape)

    def _text_array(self, column, default):
        values = numpy.empty(len(column), dtype=object)
        values.fill(default)
        column.look_up(self._key_type_number, functools.partial(self._get_texts, default), values)
        return values

    def _number_array(self, column, default):
        """Numbers, or what they stand for; masked, if there is no default."""
        found, numbers = numpy.zeros(len(column), dtype=numpy.uint8), numpy.zeros(len(column), dtype=numpy.int64)
        column.look_up(self._key_type_number, self._get_numbers, found, numbers)
        missing = found != _core.FOUND_VALUE
        values = values_of(numbers, self._value_type_number)
        if default is None:
            return numpy.ma.masked_array(values, mask=missing)
        return numpy.where(missing, default_of(default, self._value_type_number), values)

    def stats(self) -> MapStats:
        """Return the map's statistics.

        >>> Map.build(range(1000), ["a", "b"] * 500).stats().distinct_values
        2
        """
        least = self._stat("code_bits") / max(len(self), 1) - math.log2(self.fpr) if self.fpr > 0 else 0
        sizes = self._sizes(least, max(self._stat("dictionary"), 0) + self._stat("table"))
        return MapStats("map", self.key_type, len(self), self.fpr, self.value_type,
                        self._stat("value_bits"), self._known_stat("distinct_values"), CODES[self._stat("code")], *sizes,
                        *map(self._stat, COMMON_STATS), self.nbytes, self._stat("format_version"), self._stat("seed"))
