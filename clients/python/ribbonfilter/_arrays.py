"""_arrays.py - many keys, of whatever form, to what the core takes

An array of numpy, or a column of pandas, goes to the core as it is wherever its
memory allows; anything else that can be iterated over goes in pieces of CHUNK
values.  A part is (start, stop, Keys): the keys of values start to stop.
"""

import itertools

import numpy

from ribbonfilter import _canonical, _core

CHUNK = 16384
END = object()

# Numbers of key classes; ANY stands for none.
ANY, INTEGER, TEXT, BYTES, BOOL, OID, FLOAT, ENUM, CHAR, XID8 = 0, 1, 2, 3, 5, 10, 11, 17, 18, 20

# By the kind of a dtype: the key classes that its values can be of, first the one that they are of unless told.
CLASSES = {
    "b": (BOOL,),
    "i": (INTEGER, OID, XID8),
    "u": (INTEGER, OID, XID8),
    "f": (FLOAT,),
    "S": (BYTES,),
    "U": (TEXT, CHAR, ENUM),
    "m": (_canonical.INTERVAL,),
    "V": (_canonical.UUID,),
}
EPOCH = numpy.datetime64("2000-01-01")


class Column:
    """Values side by side: an array, which of them are present (None: all), and whether times are in UTC."""

    def __init__(self, values, present=None, utc=False):
        self.values = values
        self.present = present
        self.utc = utc

    def __len__(self):
        return len(self.values) if self.present is None else len(self.present)


def is_array(values):
    """Does it have its values side by side: an array of numpy, or a column of pandas or the like?"""
    return hasattr(values, "dtype") and hasattr(values, "__array__") and getattr(values, "ndim", 1) > 0


def column(values):
    """The Column of what is_array."""
    if isinstance(values, numpy.ndarray):
        mask = getattr(values, "mask", None)        # of numpy.ma
        values = numpy.asarray(values).reshape(-1)
        if mask is None or not numpy.any(mask):
            return without_nat(Column(values))
        present = ~numpy.broadcast_to(mask, values.shape).reshape(-1)
        return Column(values[present], present)
    utc = getattr(values.dtype, "tz", None) is not None
    if utc:
        values = (values.dt if hasattr(values, "dt") else values).tz_convert("UTC")
        values = (values.dt if hasattr(values, "dt") else values).tz_localize(None)
    if not hasattr(values, "isna"):
        return without_nat(Column(numpy.asarray(values).reshape(-1), None, utc))
    present = ~numpy.asarray(values.isna(), dtype=bool)
    if present.all():
        present = None
    else:
        values = values[present]
    # pandas has arrays with a mask beside them, which are of this type without it
    plain = getattr(values.dtype, "numpy_dtype", None)
    return Column(values.to_numpy() if plain is None else values.to_numpy(dtype=plain), present, utc)


def without_nat(found):
    """Without times that are missing."""
    if found.values.dtype.kind in "mM":
        missing = numpy.isnat(found.values)
        if missing.any():
            return Column(found.values[~missing], ~missing, found.utc)
    return found


def class_of(found, wanted, told):
    """The key class of a column's values, which are no objects."""
    kind = found.values.dtype.kind
    if len(found.values) == 0 and wanted != ANY:
        return wanted       # numpy.array([]) is one of floats
    if kind == "M":
        utc = found.utc or told == _canonical.TIMESTAMPTZ
        if _canonical.is_date(found.values.dtype):
            classes = (_canonical.DATE,)
        else:
            classes = (_canonical.TIMESTAMPTZ if utc else _canonical.TIMESTAMP,)
    else:
        classes = CLASSES.get(kind)
        if classes is None or kind == "V" and found.values.dtype.itemsize != 16:
            raise TypeError(f"values of dtype {found.values.dtype} cannot be keys")
    if wanted == ANY:
        return classes[0]
    if wanted not in classes:
        raise TypeError(f"the keys are of type {_core.type_name(classes[0])}, where keys are of type "
                        f"{_core.type_name(wanted)}")
    return wanted


def microseconds(values):
    """Of times and spans of time, as int64."""
    numbers = _canonical.in_microseconds(values).astype("<i8")
    if values.dtype.kind == "M":
        epoch = EPOCH.astype("M8[us]").astype("<i8")
        if len(numbers) and numbers.min() < numpy.iinfo("<i8").min + epoch:
            raise ValueError("there are times beyond 64 bits of microseconds")
        return numbers - epoch
    return numbers


def days(values):
    """Days since 2000 of dates, as int32."""
    dates = values.astype("M8[D]")
    numbers = dates.astype("<i8") - EPOCH.astype("<i8")
    if len(numbers) and ((dates.astype(values.dtype) != values).any() or
                         numbers.min() <= -1 << 31 or numbers.max() >= (1 << 31) - 1):
        raise ValueError("there are dates beyond 32 bits of days")
    return numbers.astype("<i4")


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


def array_keys(values, key_type):
    """The Keys of an array without objects."""
    kind = values.dtype.kind
    if len(values) == 0:
        return _core.object_keys(key_type, [])
    if kind in "iu":
        return integers(values, key_type)
    if kind == "f":
        return fixed(FLOAT, numpy.ascontiguousarray(values, dtype=numpy.float64))
    if kind == "b":
        return fixed(BOOL, numpy.ascontiguousarray(values).view(numpy.uint8))
    if kind == "S":
        values = numpy.ascontiguousarray(values)
        if values.dtype.itemsize == 0:
            values = values.astype("S1")
        return _core.byte_string_keys(key_type, values.view(numpy.uint8), values.dtype.itemsize)
    if kind == "U":
        values = numpy.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
        if values.dtype.itemsize == 0:
            values = values.astype("U1")
        return _core.string_keys(key_type, values.view(numpy.uint32), values.dtype.itemsize // 4)
    if kind == "V":
        return fixed(key_type, numpy.ascontiguousarray(values).view("V16"))
    if key_type == _canonical.DATE:
        return fixed(key_type, days(values))
    if key_type == _canonical.INTERVAL:
        spans = microseconds(values)
        parts = numpy.empty((len(spans), 2), dtype="<i8")
        numpy.divmod(spans, 86400 * 10**6, out=(parts[:, 0], parts[:, 1]))
        return fixed(key_type, parts.view("V16"))
    return fixed(key_type, microseconds(values))


def column_parts(found, wanted, told):
    """The parts of a column's values that are present."""
    values = found.values
    if values.dtype.kind == "O":
        for start in range(0, len(values), CHUNK):
            piece = values[start:start + CHUNK].tolist()
            keys = _core.object_keys(wanted, piece)
            wanted = wanted or keys.key_type
            yield start, start + len(piece), keys
        return
    key_type = class_of(found, wanted, told)
    # strings are copied, all else is taken as it is
    step = CHUNK if values.dtype.kind in "SU" else max(len(values), 1)
    for start in range(0, max(len(values), 1), step):
        piece = values[start:start + step]
        yield start, start + len(piece), array_keys(piece, key_type)


def list_parts(values, wanted):
    """The parts of a list."""
    for start in range(0, len(values), CHUNK):
        piece = values[start:start + CHUNK]
        keys = _core.object_keys(wanted, piece)
        wanted = wanted or keys.key_type
        yield start, start + len(piece), keys


def all_keys(values, told):
    """The Keys of all values, wherever they are: of an array, or of an iterable of keys or of arrays.

    They are of the class that the caller has told, if it is not ANY.
    """
    wanted = told
    if is_array(values):
        yield from (keys for _, _, keys in column_parts(column(values), wanted, told))
        return
    refuse_one(values)
    piece = []
    for value in itertools.chain(values, [END]):
        is_more = value is not END and not is_array(value)
        if is_more:
            piece.append(value)
        if piece and (not is_more or len(piece) == CHUNK):
            keys = _core.object_keys(wanted, piece)
            wanted = wanted or keys.key_type
            yield keys
            piece = []
        if not is_more and value is not END:
            for _, _, keys in column_parts(column(value), wanted, told):
                wanted = wanted or keys.key_type
                yield keys


def refuse_one(values):
    """What can be iterated over may be a key by itself."""
    try:
        if not isinstance(values, (str, bytes, bytearray, memoryview)):
            iter(values)
            return
    except TypeError:
        pass
    raise TypeError(f"keys must be an array or an iterable of keys, not one {type(values).__name__}")


def to_list(values):
    """A list, which nobody else changes, of the values of something that is no array."""
    refuse_one(values)
    return list(values)


def positional(values, wanted, told):
    """Which of the values are present (None: all, or the parts say so), how many there are, their shape, and their parts."""
    if is_array(values):
        shape = values.shape if isinstance(values, numpy.ndarray) else (len(values),)
        found = column(values)
        return found.present, len(found), shape, column_parts(found, wanted, told)
    values = to_list(values)
    return None, len(values), (len(values),), list_parts(values, wanted)
