"""_rows.py - keys that stand in rows, as values, members and answers beside them do

Two things leave a row without a key: the mask of a column, whose values are then fewer than its rows, and an object
that stands for a missing value, which the core leaves out.  Here they become one: which rows of a Part have a key.
"""

from typing import NamedTuple, Optional

import numpy

from ribbonfilter import _arrays, _columns, _core
from ribbonfilter._classes import ANY


class Part(NamedTuple):
    """Keys of a KeyColumn that stand in consecutive rows."""
    keys: _core.Keys
    rows: slice
    present: Optional[numpy.ndarray]    # which of the rows have a key (None: all)

    def of(self, values):
        """Of a value for each row of the column, those of the keys."""
        values = values[self.rows]
        return values if self.present is None else values[self.present]

    def row(self, n):
        """The row of the n-th key."""
        return self.rows.start + int(n if self.present is None else numpy.flatnonzero(self.present)[n])


class KeyColumn:
    """Keys by their rows, some of which may have none: to be added, or asked for, as often as wanted."""

    def __init__(self, keys, told=ANY, many_dimensions=False):
        found = _arrays.column(keys, told, many_dimensions)
        self._column = _columns.Column(_columns.listed(keys, "keys")) if found is None else found
        self.shape = self._column.shape     # of the rows, as answers have it

    def __len__(self):
        """How many rows there are."""
        return len(self._column)

    def keep(self, there):
        """Leave all rows but these without a key."""
        self._column = self._column.keep(there)

    def key_at(self, row):
        """The key of a row that has one."""
        return self._column.value_at(row)

    def parts(self, wanted):
        """Yield the keys as Parts, all of the class that is wanted, or if that is ANY of the first one's."""
        there, total = self._column.present, len(self._column.values)
        done = row = 0
        places = None       # the rows of all values, if there are several parts
        for keys in _arrays.column_keys(self._column, wanted):
            start, done = done, done + len(keys)
            if there is None:
                yield Part(keys, slice(start, done), keys.present)
                continue
            if done < total and places is None:
                places = numpy.flatnonzero(there)
            rows = slice(row, places[done] if done < total else len(there))
            row = rows.stop
            present = there[rows]
            if keys.present is not None:
                present = present.copy()
                present[present] = keys.present
            yield Part(keys, rows, present)

    def look_up(self, wanted, find, *answers):
        """Let find(keys, *arrays) write what it finds into arrays that have a place for each row.

        The places of rows without a key stay as they are.
        """
        for keys, rows, present in self.parts(wanted):
            pieces = [array[rows] for array in answers]
            if present is None:
                find(keys, *pieces)
                continue
            found = [numpy.empty(keys.n, array.dtype) for array in answers]
            find(keys, *found)
            for piece, values in zip(pieces, found):
                piece[present] = values
