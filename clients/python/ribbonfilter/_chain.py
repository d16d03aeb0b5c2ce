"""_chain.py - an exact set, and the later ones that correct it"""

from __future__ import annotations

import datetime
from typing import Iterable, Optional, Tuple

import numpy

from ribbonfilter import _build, _columns, _types, _values
from ribbonfilter._classes import ANY
from ribbonfilter._filter import Filter
from ribbonfilter._options import EXACT, exact_builder
from ribbonfilter._rows import KeyColumn
from ribbonfilter._types import NDArray

PARTS_BEGIN = 32        # of a key class's number: what is above has the classes of parts, which its name does not say


class Chain:
    """An exact set that later ones correct: a key is a member if an odd number of the parts contain it.

    Chain([base, delta, ...]) is of Filters that build_exact has made, here or on the server. delta makes the next
    one; whoever has the chain needs that one alone. docs/exact.md#only-what-changed has more.

    >>> base = Filter.build_exact({"ann": True, "bob": False, "eve": True})
    >>> delta = Chain([base]).delta({"ann": True, "bob": True, "eve": False, "zoe": True})
    >>> chain = Chain([base, delta])
    >>> [name for name in ("ann", "bob", "eve", "zoe") if name in chain]
    ['ann', 'bob', 'zoe']
    >>> Chain([Filter.build(["ann"])])
    Traceback (most recent call last):
    ValueError: parts[0] is of kind burr, and a chain is of exact sets: build it by Filter.build_exact
    """

    def __init__(self, parts: Iterable[Filter]) -> None:
        if isinstance(parts, Filter):
            raise TypeError("a chain is of a list of Filters, not of one: put it into a list")
        self._parts = tuple(parts)
        if not self._parts:
            raise ValueError("a chain has at least one part")
        for i, part in enumerate(self._parts):
            if not isinstance(part, Filter):
                raise TypeError(f"parts[{i}] must be a Filter, not a {_columns.name_of(part)}")
            if part._kind_number != EXACT:
                raise ValueError(f"parts[{i}] is of kind {part.stats().kind}, and a chain is of exact sets: "
                                 "build it by Filter.build_exact")
        # a set of nothing may be of no type
        self._first = next((part for part in self._parts if part._key_type_number != ANY), self._parts[0])
        for i, part in enumerate(self._parts):
            if part._key_type_number not in (self._first._key_type_number, ANY):
                raise TypeError(f"parts[{i}] has keys of type {part.key_type}, where keys are of type {self.key_type}")

    @property
    def parts(self) -> Tuple[Filter, ...]:
        """The parts, as a tuple: the base first."""
        return self._parts

    @property
    def key_type(self) -> str:
        """The class of the keys, as Filter.key_type."""
        return self._first.key_type

    @property
    def fpr(self) -> float:
        """The sum of the parts' rates, at most 1: a key that none of them was built from passes at about this rate.

        >>> parts = [Filter.build_exact({i: i < 50 for i in range(100)}, fpr=fpr) for fpr in (0.125, 0.25)]
        >>> round(Chain(parts).fpr, 3)
        0.375
        """
        return min(1.0, sum(part.fpr for part in self._parts))

    @property
    def as_of(self) -> Optional[datetime.datetime]:
        """The time up to which the last part's universe is complete, in UTC, or None."""
        return self._parts[-1].as_of

    def __contains__(self, key: object) -> bool:
        return sum(key in part for part in self._parts) % 2 == 1

    def contains(self, keys: _types.Keys, key_type: Optional[_types.KeyType] = None) -> NDArray[numpy.bool_]:
        """Look up many keys, as Filter.contains does.

        >>> Chain([Filter.build_exact([1, 2, 3], [True, False, True])]).contains(numpy.array([[1, 2], [2, 3]]))
        array([[ True, False],
               [False,  True]])
        """
        return self._contains(KeyColumn(keys, self._first._told(key_type), many_dimensions=True))

    def _contains(self, column):
        answers = self._parts[0]._contains(column)
        for part in self._parts[1:]:
            answers ^= part._contains(column)
        return answers

    def member(self, key: _types.OneKey, key_time: _types.Moment) -> Optional[bool]:
        """Is the key a member? None if it is newer than the last part's as_of.

        >>> chain = Chain([Filter.build_exact([1, 2], [True, False], as_of="2026-01-01T00:00:00Z")])
        >>> chain.member(1, "2025-12-31T00:00:00Z"), chain.member(1, "2026-01-02T00:00:00Z")
        (True, None)
        """
        last = self._parts[-1].member(key, key_time)
        return None if last is None else (sum(key in part for part in self._parts[:-1]) + last) % 2 == 1

    def delta(self, keys: _types.Members, members: Optional[_types.Keys] = None, *, fpr: Optional[float] = None,
              key_type: Optional[_types.KeyType] = None, as_of: Optional[_types.Moment] = None,
              width: Optional[_types.Width] = None, threads: Optional[int] = None, memory: Optional[int] = None,
              progress: Optional[_types.Progress] = None) -> Filter:
        """Build the next part: the exact set of the keys about which this chain is wrong now. The chain stays as it is.

        Parameters are those of Filter.build_exact. Give all keys about which the longer chain is to be right, not only
        those that are new or have changed: of others, the delta contains some by chance.

        >>> chain = Chain([Filter.build_exact(numpy.arange(1000), numpy.arange(1000) % 10 == 0)])
        >>> delta = chain.delta(numpy.arange(1100), numpy.arange(1100) % 10 == 1)
        >>> Chain([*chain.parts, delta]).contains([0, 1, 1091]).tolist()
        [False, True, True]
        """
        self._first._told(key_type)
        if key_type is None and ANY < self._first._key_type_number < PARTS_BEGIN:
            key_type = self.key_type
        builder = exact_builder(key_type, fpr, as_of, width=width, threads=threads, memory=memory, progress=progress)
        keys, members = _build.pairs(keys, members)
        now = _values.members(members)
        column = _build.key_column(builder, keys, now, "members")
        wrong = _values.Numbers(_values.BOOL, now.numbers != self._contains(column), now.nulls)
        return Filter(_build.built_exact(builder, column, wrong))

    def __repr__(self):
        return f"<Chain of {len(self._parts)} exact sets of keys of type {self.key_type}, fpr {self.fpr:.3g}>"
