"""_arrays.py - many keys, of whatever form, to what the core takes

A column (_columns.py) goes to the core as it is wherever its memory allows;
anything else that can be iterated over goes in pieces of CHUNK values.
"""

import itertools

import numpy

from ribbonfilter import _arrow, _columns, _core, _times
from ribbonfilter._classes import (ANY, BOOL, BYTES, CHAR, DATE, ENUM, FLOAT, INTEGER, INTERVAL, OID, TEXT,
                                   TIME, TIMESTAMP, TIMESTAMPTZ, UUID, XID8)

CHUNK = 16384
MOST = 1 << 20      # keys that go to the core at once: between parts, Python looks whether it is interrupted
END = object()

# By the kind of a dtype: the key classes that its values can be of, first the one that they are of unless told.
CLASSES = {
    "b": (BOOL,),
    "i": (INTEGER, OID, XID8),
    "u": (INTEGER, OID, XID8),
    "f": (FLOAT,),
    "S": (BYTES,),      # of Arrow: numpy's own is refused
    "U": (TEXT, CHAR, ENUM),
    "m": (INTERVAL,),
    "V": (BYTES,),
}
# Those that they can be of one by one, as objects.
ALSO = {kind: set(_core.TYPES_ALSO.get(classes[0], ())).difference(classes) for kind, classes in CLASSES.items()}
# What is certainly one key, in what may have columns among keys.
SCALARS = frozenset((int, str, bytes, float, bool, type(None)))


def class_of(found, wanted):
    """The key class of a column's values, which are no objects."""
    kind = found.kind
    if len(found.values) == 0 and wanted != ANY:
        return wanted       # numpy.array([]) is one of floats
    if kind == "M":
        classes = (DATE if _times.is_date(found.values.dtype) else TIMESTAMPTZ if found.utc else TIMESTAMP,)
    elif found.key_class is not None:
        classes = (found.key_class,)
    elif kind == "V" and found.values.dtype.itemsize == 16:
        classes = (BYTES, UUID)
    else:
        classes = CLASSES.get(kind)
        if classes is None:
            raise TypeError(f"values of dtype {found.values.dtype} cannot be keys")
    if wanted == ANY:
        return classes[0]
    if wanted not in classes:
        raise _core.wrong_type(classes[0], wanted)
    return wanted


def fixed(key_type, values):
    """The Keys of a contiguous array of canonical bytes, or floats."""
    return _core.fixed_keys(key_type, values.reshape(-1).view(numpy.uint8), values.dtype.itemsize)


def integers(values, key_type):
    if key_type == INTEGER:
        if values.dtype == numpy.int32:
            return _core.int32_keys(numpy.ascontiguousarray(values))
        if values.dtype.kind == "u" and values.dtype.itemsize == 8 and len(values) and values.max() >= 1 << 63:
            raise _core.beyond(key_type)
        return _core.int64_keys(numpy.ascontiguousarray(values, dtype=numpy.int64))
    form = numpy.dtype("<u4" if key_type == OID else "<u8")
    if len(values) and (values.min() < 0 or int(values.max()) > numpy.iinfo(form).max):
        raise _core.beyond(key_type)
    return fixed(key_type, numpy.ascontiguousarray(values, dtype=form))


def floats(values):
    """As float64, which must be the same numbers."""
    numbers = numpy.ascontiguousarray(values, dtype=numpy.float64)
    if values.dtype.itemsize > 8 and not numpy.array_equal(numbers, values, equal_nan=True):
        raise ValueError(f"there are numbers of dtype {values.dtype} that a float of 64 bits cannot have: use array.astype(float)")
    return numbers


def array_keys(values, key_type):
    """The Keys of values without objects."""
    if len(values) == 0:
        return _core.object_keys(key_type, [])
    if isinstance(values, _arrow.Spans):
        return _core.span_keys(key_type, values.addresses, values.sizes)
    kind = values.dtype.kind
    if key_type == TIME:
        return fixed(key_type, numpy.ascontiguousarray(values, dtype="<i8"))
    if kind in "iu":
        return integers(values, key_type)
    if kind == "f":
        return fixed(FLOAT, floats(values))
    if kind == "b":
        return fixed(BOOL, values.astype(numpy.uint8))      # a view of bytes has others than 0 and 1
    if kind == "U":
        values = numpy.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
        if values.dtype.itemsize == 0:
            values = values.astype("U1")
        return _core.string_keys(key_type, values.view(numpy.uint32), values.dtype.itemsize // 4)
    if kind == "V" and values.dtype.itemsize == 0:
        return _core.object_keys(key_type, [b""] * len(values))
    if kind == "V":
        return fixed(key_type, numpy.ascontiguousarray(values))
    if key_type == DATE:
        return fixed(key_type, _times.array_days(values))
    if key_type == INTERVAL:
        return fixed(key_type, _times.array_intervals(values))
    return fixed(key_type, _times.array_timestamps(values))


def column_keys(found, wanted):
    """The Keys of a Column's values, in their order."""
    values = found.values
    kind = found.kind
    if kind == "O" or wanted in ALSO.get(kind, ()):
        wanted = wanted or found.key_class or ANY
        for start in range(0, max(len(values), 1), CHUNK):
            piece = values[start:start + CHUNK]
            keys = _core.object_keys(wanted, piece if isinstance(piece, list) else piece.tolist())
            wanted = wanted or keys.key_type
            yield keys
        return
    key_type = class_of(found, wanted)
    # strings are copied, all else is taken as it is
    step = CHUNK if kind in "SU" else MOST
    for start in range(0, max(len(values), 1), step):
        yield array_keys(values[start:start + step], key_type)


def column(values, told, many_dimensions=False):
    """The Column of what has one, or None; its times are in UTC, if the caller has told that keys are of timestamptz."""
    found = _columns.column(values, "keys", many_dimensions)
    if found is not None and told == TIMESTAMPTZ:
        found.utc = True
    return found


def all_keys(values, told):
    """The Keys of all values, wherever they are: of a column, or of an iterable of keys or of columns.

    They are of the class that the caller has told, or if that is ANY of the first key's; where there is no key, of the
    first column's.
    """
    wanted = told
    found = column(values, told)
    if found is not None:
        yield from column_keys(found, wanted)
        return
    _columns.refuse(values, "keys")
    _columns.refuse_one(values, "keys")
    piece, empty = [], []
    for value in itertools.chain(values, [END]):
        is_scalar = type(value) in SCALARS
        is_more = is_scalar or (value is not END and not _columns.is_column(value))
        if is_more:
            piece.append(value if is_scalar else _columns.own(value))
        if piece and (not is_more or len(piece) == CHUNK):
            keys = _core.object_keys(wanted, piece)
            wanted = wanted or keys.key_type
            yield keys
            piece = []
        if not is_more and value is not END:
            for keys in column_keys(column(value, told), wanted):
                if keys.n == 0 and wanted == ANY:
                    empty.append(keys)
                    continue
                wanted = wanted or keys.key_type
                yield keys
    if wanted == ANY:
        yield from empty[:1]
