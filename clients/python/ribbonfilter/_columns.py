"""_columns.py - many keys or values, of whatever form, to one column; or a refusal that names the way out

What has one column of values is taken: an array of numpy, a Series, an Index, a column that speaks Arrow.  Other
iterables are taken value by value.  What iterates over something else than its values (tables, dicts, texts, files) is
a TypeError.
"""

import array
import collections.abc
import functools
import itertools

import numpy

from ribbonfilter import _arrow, _core, _scalars

# What a type has whose values lie side by side, or that is a table of such columns.
PROTOCOLS = ("__arrow_c_array__", "__arrow_c_stream__", "__arrow_array__", "__dataframe__", "__array__", "__array_interface__")


class Column:
    """Values by their rows: an array of one dimension, Spans, or a list.

    Only rows that are present have one (None: all have); shape is that of the rows.  An object, or what is in a list,
    may itself stand for a missing value.  utc: times are in UTC.  key_class is that of the values as keys, where their
    dtype does not say it.
    """

    def __init__(self, values, shape=None, present=None, utc=False, key_class=None):
        self.values = values
        self.present = present
        self.shape = shape or (len(values if present is None else present),)
        self.utc = utc
        self.key_class = key_class

    def __len__(self):
        return len(self.values if self.present is None else self.present)

    @property
    def kind(self):
        """The kind of the values' dtype."""
        if isinstance(self.values, list):
            return "O"
        return ("U" if self.values.is_text else "S") if isinstance(self.values, _arrow.Spans) else self.values.dtype.kind

    def keep(self, there):
        """The same rows, of which others than these are not present."""
        kept = there if self.present is None else there[self.present]
        values = list(itertools.compress(self.values, kept)) if isinstance(self.values, list) else self.values[kept]
        present = there if self.present is None else there & self.present
        return Column(values, self.shape, present, self.utc, self.key_class)

    def tolist(self):
        """The values of all rows, None of those that are not present."""
        values = self.values.tolist()
        if self.present is None:
            return values
        rest = iter(values)
        return [next(rest) if there else None for there in self.present.tolist()]

    def value_at(self, row):
        """The value of a row that is present."""
        at = row if self.present is None else numpy.count_nonzero(self.present[:row])
        return self.values[at] if isinstance(self.values, list) else self.values[at:at + 1].tolist()[0]


def name_of(values):
    """A type's name, as its users know it."""
    kind = type(values)
    module = kind.__module__.split(".")[0]
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def refusal(what, values, way):
    return TypeError(f"{what} must be one array or column, or an iterable of {what}, not one {name_of(values)}: {way}")


@functools.lru_cache(maxsize=256)
def is_side_by_side(kind):
    return any(hasattr(kind, name) for name in PROTOCOLS)


def is_column(values):
    """Has it many values side by side, or is it a table?"""
    return is_side_by_side(type(values)) and getattr(values, "ndim", 1) != 0


def refuse(values, what):
    """Refuse what iterates over something else than its values."""
    if isinstance(values, _core.Opened):
        raise refusal(what, values, "it does not have its keys")
    if _scalars.is_one(values):
        raise refusal(what, values, "put it into a list")
    is_mapping = callable(getattr(values, "keys", None)) and hasattr(values, "__getitem__") and not hasattr(values, "dtype")
    if is_mapping or isinstance(values, collections.abc.Mapping):
        if hasattr(values, "data_vars") or hasattr(values, "columns"):
            refuse_table(values, what)
        raise refusal(what, values, "use its .keys() or its .values()")
    if hasattr(values, "__dataframe__") or hasattr(values, "column_names") or hasattr(values, "columns") and not hasattr(values, "dtype"):
        refuse_table(values, what)
    if hasattr(values, "levels") and hasattr(values, "get_level_values"):
        raise refusal(what, values, "choose one of its levels, as index.get_level_values(0)")
    if type(values).__module__.split(".")[0] == "xarray":
        raise refusal(what, values, "it has labels and dimensions; use array.to_numpy(), where NaN is not missing, but a value")
    if hasattr(values, "__dask_graph__"):
        raise refusal(what, values, "it has not been computed: use .compute()")
    if hasattr(values, "readline"):
        raise refusal(what, values, "its lines end with newlines: use (line.rstrip('\\n') for line in file)")


def refuse_table(values, what):
    columns = next((found for found in (getattr(values, name, None) for name in ("column_names", "columns", "data_vars"))
                    if found is not None), ())
    first = next((name for name in columns if isinstance(name, (str, int))), "name") if not callable(columns) else "name"
    raise refusal(what, values, f"choose one of its columns, as table[{first!r}]")


def refuse_one(values, what):
    """Refuse what cannot be iterated over."""
    try:
        iter(values)
    except TypeError:
        raise refusal(what, values, "put it into a list") from None


def own(value):
    """A value that stays, where what gives it may give the same memory again, with other bytes."""
    return bytes(memoryview(value)) if isinstance(value, (bytearray, memoryview)) else value


def listed(values, what):
    """A list, which nobody else changes, of the values of something that is no column."""
    if type(values) in (list, tuple):       # a third of the time of a call with ten keys
        return list(values)
    refuse(values, what)
    refuse_one(values, what)
    if isinstance(values, collections.abc.Collection):
        return list(values)
    rest = iter(values)
    found = []
    for value in rest:
        found.append(own(value))
        if isinstance(value, (str, int, float)):
            found.extend(rest)      # none of which are bytes
        elif type(value) is bytes:
            found.extend([value if type(value) is bytes else own(value) for value in rest])
    return found


def column(values, what, many_dimensions=False):
    """The Column of what has one, of many dimensions only if these are allowed; None for anything else."""
    if isinstance(values, array.array) and values.typecode not in "uw":     # which are characters
        values = numpy.asarray(values)
    if not is_column(values):
        return None
    if isinstance(values, numpy.ndarray):
        return array_column(values, what, many_dimensions)
    refuse(values, what)
    dimensions = getattr(values, "ndim", 1)
    if dimensions != 1:
        raise refusal(what, values, f"it has {dimensions} dimensions; use .to_numpy().reshape(-1)")
    if hasattr(values, "isna") and hasattr(values, "dtype"):
        return pandas_column(values, what)
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return arrow_column(values, what)
    if hasattr(values, "__arrow_array__"):
        return column(values.__arrow_array__(), what)
    if getattr(values, "null_count", 0) or type(values).__module__.split(".")[0] in ("pyarrow", "polars"):
        raise refusal(what, values, "its release lacks Arrow's C interface, without which nulls and time zones get lost: take a later one")
    return array_column(numpy.asarray(values), what, many_dimensions)


def array_column(values, what, many_dimensions):
    """Of an array of numpy."""
    mask = getattr(values, "mask", None)        # of numpy.ma
    values = numpy.asarray(values)
    if values.dtype.names is not None:
        first = (values.dtype.names or ("name",))[0]
        raise TypeError(f"{what} must be one array or column, not records of several: choose a field, as array[{first!r}]")
    if values.dtype.kind == "S":
        raise lacks_zeros(values.dtype, what)
    if values.ndim != 1 and values.dtype == numpy.uint8:
        values, mask = byte_rows(values, mask)
    if values.ndim != 1 and not many_dimensions:
        raise TypeError(f"{what} must be an array of one dimension, not of {values.ndim}: use array.reshape(-1) for all its values, "
                        "or array[:, 0] for those of a column")
    shape = values.shape
    present = None
    if mask is not None and numpy.any(mask):
        present = ~numpy.broadcast_to(mask, shape).reshape(-1)
    values = values.reshape(-1)
    if values.dtype.kind == "T":
        values = string_objects(values)
    return without_nat(Column(values if present is None else values[present], shape, present))


def string_objects(values):
    """Of numpy's StringDType: objects, None for what is missing."""
    found = values.astype(object)
    if hasattr(values.dtype, "na_object"):
        found[[not isinstance(value, str) for value in found]] = None
    return found


def byte_rows(values, mask):
    """uint8 of several dimensions: bytes are along the last one."""
    if values.ndim == 0:
        raise TypeError("an array without dimensions is one value, not many")
    size = values.shape[-1]
    if mask is not None and numpy.any(mask):
        mask = numpy.broadcast_to(mask, values.shape).any(axis=-1)
    else:
        mask = None
    if size == 0:
        empty = numpy.empty(values.shape[:-1], dtype=object)
        empty.fill(b"")
        return empty, mask
    return numpy.ascontiguousarray(values).view(f"V{size}").reshape(values.shape[:-1]), mask


def pandas_column(values, what):
    """Of a Series, an Index, or an array of pandas."""
    dtype = values.dtype
    if hasattr(dtype, "pyarrow_dtype"):
        return column(getattr(values, "array", values).__arrow_array__(), what)
    for name, way in (("freq", ".to_timestamp(), or .dt.to_timestamp() of a Series"), ("closed", "the column of its left or right ends")):
        if hasattr(dtype, name):
            raise TypeError(f"values of dtype {dtype} cannot be {what}: use {way}")
    utc = getattr(dtype, "tz", None) is not None
    if utc:
        values = (values.dt if hasattr(values, "dt") else values).tz_convert("UTC")
        values = (values.dt if hasattr(values, "dt") else values).tz_localize(None)
    present = ~numpy.asarray(values.isna(), dtype=bool)
    if present.all():
        present = None
    else:
        values = values[present]
    # pandas has arrays with a mask beside them, which are of this type without it
    plain = getattr(values.dtype, "numpy_dtype", None)
    values = values.to_numpy() if plain is None else values.to_numpy(dtype=plain)
    if values.dtype.kind == "S":
        raise lacks_zeros(values.dtype, what)
    return Column(values, None, present, utc)


def arrow_column(values, what):
    """Of what speaks Arrow."""
    reader, found, present = _arrow.read(values)
    if found is None:
        raise refusal(what, values, f"choose one of its columns, as table[{(reader or ['name'])[0]!r}]")
    return without_nat(Column(found, None, present, reader.utc, reader.key_class))


def lacks_zeros(dtype, what):
    """The error of numpy's dtype S."""
    if what != "keys":
        return TypeError(f"values of dtype {dtype} cannot be {what}: use array.astype(str) if they are texts")
    size = dtype.itemsize
    return TypeError(f"numpy drops zero bytes at the end of dtype S: use array.view('V{size}') if each key has {size} bytes, "
                     "or array.tolist() if none ends with a zero byte")


def without_nat(found):
    """Without times that are missing."""
    if found.kind not in "mM":
        return found
    missing = numpy.isnat(found.values)
    if not missing.any():
        return found
    present = ~missing
    if found.present is not None:
        present = found.present.copy()
        present[found.present] = ~missing
    return Column(found.values[~missing], found.shape, present, found.utc, found.key_class)
