"""_build.py - keys go to a builder, with their values if it is of a map, and with their members if of an exact set"""

import collections.abc

import numpy

from ribbonfilter import _arrays, _columns, _core, _scalars
from ribbonfilter._errors import ConflictError
from ribbonfilter._rows import KeyColumn


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


def built_set(builder, keys):
    """The bytes of a filter of all these keys."""
    # which refuses a rate that only maps have, before any key is read
    builder.add(_core.object_keys(builder.told, []))
    for part in _arrays.all_keys(keys, builder.told):
        builder.add(part)
    return builder.finish()


def key_column(builder, keys, values, what):
    """The KeyColumn of as many keys as there are values."""
    column = KeyColumn(keys, builder.told)
    if len(column) != len(values):
        raise ValueError(f"there are {len(column)} keys and {len(values)} {what}")
    return column


def built_map(builder, keys, values):
    """The bytes of a map of these keys with these Numbers or Texts."""
    builder.set_values(values.value_type)
    column = key_column(builder, keys, values, "values")
    return built_pairs(builder, column, values, lambda part, these: these.add(builder, part))


def built_exact(builder, column, members):
    """The bytes of an exact set; members are Numbers, NULL for a key of which nothing is said."""
    if members.nulls is not None:
        column.keep(~members.nulls)
    return built_pairs(builder, column, members,
                       lambda part, these: builder.add_members(part, these.numbers.astype(numpy.uint8)))


def built_pairs(builder, column, values, add):
    """The bytes of these keys and values, a part of which add(keys, values) adds."""
    try:
        for part in column.parts(builder.told):
            add(part.keys, part.of(values))
        return builder.finish()
    except ConflictError as error:
        raise ConflictError(f"{error}{first_conflict(builder, column)}") from None


def first_conflict(builder, column):
    """Which key it is that has two values, as far as it can be found."""
    for part in column.parts(builder.told):
        found = builder.find_conflict(part.keys)
        if found is not None:
            row = part.row(found)
            return f"; the first one is keys[{row}], {_scalars.shown(column.key_at(row))}"
    return ""
