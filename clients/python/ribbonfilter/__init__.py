"""Compact static sets and maps: is this key in the set, and which value does it have?

A Filter answers "is this key in the set?" from seven bits per key.  It never says
no to a member, and says yes to other keys at the rate that you choose.  A Map
returns the value of each of its keys.  Neither stores the keys.

>>> import numpy
>>> from ribbonfilter import Filter, Map
>>> ids = 7 * numpy.arange(1_000_000)
>>> f = Filter.build(ids, fpr=0.01)
>>> 42 in f, 43 in f
(True, False)
>>> f.contains(numpy.array([42, 43, 49]))
array([ True, False,  True])
>>> f.nbytes / len(f) < 0.85
True
>>> Filter(bytes(f)) == f
True
>>> m = Map.build(["ann", "bob"], ["gold", "silver"])
>>> m["bob"], m.get("eve")
('silver', None)

The bytes are those of the types ribbonfilter and ribbonmap of the PostgreSQL
extension ribbon: the same set gives the same bytes here and there.
ribbonfilter.psycopg lets psycopg 3 send and receive them.
"""

#   _filter.py    Filter, and what a map has in common with it; _map.py: Map; _chain.py: Chain, of exact sets
#   _stats.py     what their headers say
#
#   _build.py     keys, with their values or members, to a builder; _options.py reads its options
#   _rows.py      many keys by their rows; _arrays.py: a part at a time to what the core takes
#   _values.py    a map's values
#   _columns.py   what has one column, of numpy, pandas or Arrow (_arrow.py), or a refusal that names the way out
#   _scalars.py   one key or value; _times.py: dates and times; _classes.py: the numbers of key classes
#
#   _core.pyx     libribbon (libribbon.pxd): a builder, and what has been opened; _core.pyi: its types
#                 key.pxi: one key; keys.pxi: many; arrow.pxi: arrays of Arrow
#
#   psycopg.py    filters and maps as values of psycopg 3
#   _types.py     what arguments are; _errors.py: what goes wrong

try:
    from ribbonfilter import _core
except ImportError as error:
    if error.name != __name__:      # numpy, which it needs, or a part of the system's
        raise
    raise ImportError("ribbonfilter is not compiled in this folder: leave the folder with its sources, or make it "
                      "by \"make python\" or \"pip install ./clients/python\"", name=__name__, path=__file__) from None

from ribbonfilter._chain import Chain
from ribbonfilter._core import Key
from ribbonfilter._errors import ConflictError, FormatError
from ribbonfilter._filter import Filter, expected_size
from ribbonfilter._map import Map
from ribbonfilter._stats import FilterStats, MapStats

for _public in (Chain, ConflictError, Filter, FilterStats, FormatError, Map, MapStats):
    _public.__module__ = __name__       # as their users name them, and pickles do

__version__ = "1.0.0"
__all__ = ["Chain", "ConflictError", "Filter", "FilterStats", "FormatError", "Key", "Map", "MapStats", "expected_size"]
