"""_filter.py - sets of keys"""

from __future__ import annotations

import datetime
import errno
import math
import mmap
import os
import pickle
import secrets
import stat
from typing import Optional

import numpy

from ribbonfilter import _build, _core, _times, _types, _values
from ribbonfilter._errors import FormatError
from ribbonfilter._options import EXACT, KINDS, choice, exact_builder, moment, new_builder, rate, real
from ribbonfilter._rows import KeyColumn
from ribbonfilter._stats import FilterStats
from ribbonfilter._types import NDArray, Self

COMMON_STATS = ("width", "layers", "slots", "empty_slots", "bumped_keys")     # of filters and maps


def expected_size(keys: int, fpr: float = 0.01) -> int:
    """Estimate how many bytes a filter of this many keys takes.

    >>> expected_size(10_000_000)
    8420975
    """
    if not 0 <= real("keys", keys, "1000000") <= 1 << 48 or keys != int(keys):
        raise ValueError("the number of keys must be whole, between 0 and 2^48")
    size = _core.expected_size(keys, rate(fpr))
    if size == 0:
        raise ValueError("the false-positive rate must be between 2^-32 and 0.5")
    return size


class Stored(_core.Opened):
    """What filters and maps have in common: bytes that have been opened."""

    __slots__ = ()
    _is_map = False

    def __init__(self, buffer: _types.Buffer) -> None:
        if self._has_values != self._is_map:
            raise FormatError(f"these are the bytes of a {'map' if self._has_values else 'filter'}, "
                              f"which ribbonfilter.{'Map' if self._has_values else 'Filter'} opens")

    @classmethod
    def open(cls, path: _types.Path) -> Self:
        """Open a file by mmap. Lookups read only what they need.

        Do not change the file while it is open: to replace it, write a new file and rename it, as save does.
        """
        # to open a pipe would wait for its writer; Windows has none in its file system, nor the flag
        flag = getattr(os, "O_NONBLOCK", 0)
        with open(os.fspath(path), "rb", opener=lambda name, flags: os.open(name, flags | flag)) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, f"not a file that can be mapped ({cls.__name__}(bytes) opens what was read)", path)
            try:
                return cls(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if found.st_size > 0 else b"")
            except FormatError as error:
                raise FormatError(f"{os.fsdecode(path)}: {error}") from None

    def save(self, path: _types.Path) -> None:
        """Write the bytes to a file, as a whole or not at all; or to a device or a pipe."""
        if not os.path.basename(os.fsdecode(path)):     # realpath would make a file of "folder/"
            raise IsADirectoryError(errno.EISDIR, "not the name of a file", path)
        path = os.path.realpath(os.fsdecode(path))
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(self)
            return
        new = os.path.join(os.path.dirname(path), f".ribbon.{os.getpid()}-{secrets.token_hex(8)}")
        with open(new, "xb") as file:
            try:
                if os.path.exists(path):    # who could not read it still cannot
                    os.fchmod(file.fileno(), os.stat(path).st_mode & 0o777)
                file.write(self)
                file.flush()
                os.fsync(file.fileno())
                os.replace(new, path)
            except BaseException:
                os.unlink(new)
                raise

    @property
    def key_type(self) -> str:
        """The class of the keys: "integer", "text", and so on.

        >>> Filter.build(["ann"]).key_type
        'text'
        """
        return _core.type_name(self._key_type_number)

    def contains(self, keys: _types.Keys, key_type: Optional[_types.KeyType] = None) -> NDArray[numpy.bool_]:
        """Look up many keys. Takes an array or a list, returns an array of bool of the same shape.

        The answer for missing keys (None, NaT, pandas.NA) is no. Give key_type if the keys' Python type is
        ambiguous: numpy's datetime64 has no time zone, so key_type="timestamptz" says that times are in UTC.

        >>> Filter.build(["ann", "bob"]).contains(["ann", "eve", None])
        array([ True, False, False])
        """
        return self._contains(KeyColumn(keys, self._told(key_type), many_dimensions=True))

    def _contains(self, column):
        answers = numpy.zeros(len(column), dtype=numpy.uint8)
        column.look_up(self._key_type_number, self._find_keys, answers)
        return answers.view(bool).reshape(column.shape)

    def _told(self, key_type):
        """The number of a class that the caller says, which must be ours; 0 if none is said."""
        if key_type is None:
            return 0
        told = _core.type_number(key_type)
        if told != self._key_type_number and self._key_type_number != 0:
            raise TypeError(f"the keys are of type {key_type}, where keys are of type {self.key_type}")
        return told

    def check(self) -> None:
        """Read all bytes, and raise FormatError if they are damaged, as far as that can be seen without the keys.

        >>> Filter.build([1, 2, 3]).check()
        """
        self._check_bytes()

    def _known_stat(self, name):
        """A statistic, or None if what this is has none."""
        number = self._stat(name)
        return number if number >= 0 else None

    def _sizes(self, least_bits, others=0):
        """Bits per key, and the overhead of all but the dictionary, and a table of codes, over so many bits per key."""
        if len(self) == 0:
            return None, None
        overhead = 8 * (self.nbytes - others) / len(self) / least_bits - 1 if least_bits > 0 else None
        return 8 * self.nbytes / len(self), overhead

    def __reduce_ex__(self, protocol):
        if protocol >= 5:
            return type(self), (pickle.PickleBuffer(self),)
        return type(self), (bytes(self),)

    def __copy__(self):
        return self     # for it never changes

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<{type(self).__name__} of {len(self)} keys of type {self.key_type}, {self.nbytes} bytes, fpr {self.fpr:.3g}>"


class Filter(Stored):
    """A set of keys, in a few bits each: never a wrong no, rarely a wrong yes.

    Filter(buffer) opens the bytes of a filter, from here or from PostgreSQL, without a copy. The buffer may be
    bytes, a memoryview, an mmap, or anything like it. Raises FormatError if the bytes are not a filter.

    >>> f = Filter.build([1, 2, 3])
    >>> 2 in f
    True
    >>> "a" in f
    Traceback (most recent call last):
    TypeError: the key is of type text, where keys are of type integer
    >>> len(f), f.nbytes
    (3, 11)
    >>> f
    <Filter of 3 keys of type integer, 11 bytes, fpr 0.01>
    """

    __slots__ = ()

    @classmethod
    def build(cls, keys: _types.Keys, fpr: float = 0.01, *, key_type: Optional[_types.KeyType] = None,
              kind: _types.Kind = "burr", width: Optional[_types.Width] = None, threads: Optional[int] = None,
              memory: Optional[int] = None, progress: Optional[_types.Progress] = None) -> Self:
        """Build a filter of these keys, at a false-positive rate of 2^-32 to 0.5.

        keys is a numpy array, a pandas column, or an iterable of keys or of such arrays. Missing keys (None, NaT,
        pandas.NA) are ignored; equal keys count once. Give key_type if the keys' Python type is ambiguous ("oid",
        "enum", "char", "timestamptz", ...). kind is "burr", "homogeneous" or "auto", width is 32, 64 or 128, as on
        the server. threads is how many to use, by default one per core. Keys beyond memory bytes, by default 256
        MB, go to temporary files. progress is a function that is called now and then with the share of the work
        that is done: of that which begins when all keys are read, so 0 before.

        >>> Filter.build(numpy.arange(10), fpr=0.001).contains(numpy.array([[3, 4], [5, 100]]))
        array([[ True,  True],
               [ True, False]])
        >>> Filter.build(["sad", "happy"], key_type="enum").key_type
        'enum'
        >>> Filter.build([1, "a"])
        Traceback (most recent call last):
        TypeError: the key is of type text, where keys are of type integer
        """
        builder = new_builder(key_type, fpr, kind=choice("kind", "burr" if kind is None else kind, KINDS[:EXACT]),
                              width=width, threads=threads, memory=memory, progress=progress)
        return cls(_build.built_set(builder, keys))

    @classmethod
    def build_exact(cls, keys: _types.Members, members: Optional[_types.Keys] = None, *, fpr: Optional[float] = None,
                    key_type: Optional[_types.KeyType] = None, as_of: Optional[_types.Moment] = None,
                    width: Optional[_types.Width] = None, threads: Optional[int] = None, memory: Optional[int] = None,
                    progress: Optional[_types.Progress] = None) -> Self:
        """Build an exact set of the keys whose member is true: no wrong answer for any of these keys, its universe.

        Other keys often get a wrong answer, or with fpr pass at that rate, 2^-32 to 0.5. keys and members are arrays,
        columns or iterables of the same length; or keys is a dict from key to member. Pairs with a missing key or
        member are ignored. A key that is both member and non-member raises ConflictError. as_of is the time up to which
        the universe is complete: a datetime with a zone, or a text in ISO 8601 with its offset from UTC. Other
        parameters are those of build; docs/exact.md has sizes.

        >>> f = Filter.build_exact(numpy.arange(70000), numpy.arange(70000) % 70 == 0)
        >>> bool((f.contains(numpy.arange(70000)) == (numpy.arange(70000) % 70 == 0)).all())
        True
        >>> len(f), f.stats().universe, f.nbytes
        (1000, 70000, 1035)
        """
        builder = exact_builder(key_type, fpr, as_of, width=width, threads=threads, memory=memory, progress=progress)
        keys, members = _build.pairs(keys, members)
        members = _values.members(members)
        return cls(_build.built_exact(builder, _build.key_column(builder, keys, members, "members"), members))

    def _least_bits_of_members(self):
        """Bits per member that say of each key of an exact set's universe whether it is one."""
        if self._stat("rated") == 1:
            return -math.log2(self.fpr) if self.fpr > 0 else 0
        members, universe = len(self), self._stat("universe")
        others = universe - members
        if members == 0 or others == 0:
            return 0
        return math.log2(universe / members) + others / members * math.log2(universe / others)

    @property
    def as_of(self) -> Optional[datetime.datetime]:
        """The time up to which an exact set's universe is complete, in UTC, or None.

        A time beyond Python's range, such as infinity, is the first or last time within it.
        """
        number = self._as_of_number
        if number is None:
            return None
        first, last = (moment(end.replace(tzinfo=datetime.timezone.utc)) for end in
                       (datetime.datetime.min, datetime.datetime.max))
        return _times.MOMENT_UTC + datetime.timedelta(microseconds=min(max(number, first), last))

    def member(self, key: _types.OneKey, key_time: _types.Moment) -> Optional[bool]:
        """Is the key in this exact set? None if the key is newer than the set's as_of.

        >>> UTC = datetime.timezone.utc
        >>> f = Filter.build_exact([1, 2], [True, False], as_of=datetime.datetime(2026, 1, 1, tzinfo=UTC))
        >>> [f.member(key, datetime.datetime(2025, 12, 31, tzinfo=UTC)) for key in (1, 2)]
        [True, False]
        >>> f.member(3, datetime.datetime(2026, 1, 2, tzinfo=UTC))
        """
        answer = self._member_at(key, moment(key_time))
        return None if answer == _core.FOUND_NULL else bool(answer)

    def shrink(self, fpr: float) -> Self:
        """Make a smaller filter of the same keys at a higher rate. It does not need the keys.

        >>> f = Filter.build(range(1000), fpr=0.001)
        >>> f.nbytes, f.shrink(0.01).nbytes
        (1257, 861)
        """
        return type(self)(self._shrink_bytes(rate(fpr)))

    def stats(self) -> FilterStats:
        """Return the filter's statistics.

        >>> Filter.build(range(1000)).stats().bits_per_key < 6.9
        True
        """
        kind = self._kind_number
        bits, overhead = self._sizes(self._least_bits_of_members() if kind == EXACT else
                                     -math.log2(self.fpr) if self.fpr > 0 else 0)
        return FilterStats(KINDS[kind], self.key_type, len(self), self.fpr, bits, overhead,
                           *map(self._stat, COMMON_STATS), self.nbytes, self._stat("format_version"),
                           self._known_stat("universe"), self.as_of, self._known_stat("seed"))

