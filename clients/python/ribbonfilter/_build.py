"""_build.py - keys go to a builder, with their values if it is of a map, and with their members if of an exact set"""

import collections.abc

import numpy

from ribbonfilter import _arrays, _columns, _core, _scalars
from ribbonfilter._errors import ConflictError


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


def built_map(builder, keys, values):
    """The bytes of a map of these keys with these Numbers or Texts."""
    builder.set_values(values.value_type)
    held = paired(keys, values, "values", builder.told)
    return built_pairs(builder, held, values, None, lambda part, these: these.add(builder, part))


def built_exact(builder, keys, members):
    """The bytes of an exact set; members are Numbers, NULL for a key of which nothing is said."""
    held = paired(keys, members, "members", builder.told)
    places = None
    if members.nulls is not None:
        is_said = ~members.nulls
        if isinstance(held, _columns.Column):
            held = held.keep(is_said)
        else:
            held = [key for key, there in zip(held, is_said) if there]
        members, places = members[is_said], numpy.flatnonzero(is_said)
    return built_pairs(builder, held, members, places,
                       lambda part, these: builder.add_members(part, these.numbers.astype(numpy.uint8)))


def paired(keys, values, what, told):
    """A Column, or a list, of as many keys as there are values."""
    held = _arrays.held(keys, told)
    if len(held) != len(values):
        raise ValueError(f"there are {len(held)} keys and {len(values)} {what}")
    return held


def built_pairs(builder, held, values, places, add):
    """Of a Column or a list, whose keys are at these places of those that a caller has given (None: at all of them).

    add is called with Keys, and the values of these.
    """
    present, _, parts = _arrays.positional(held, builder.told)
    if present is not None:
        values = values[present]
        places = numpy.flatnonzero(present) if places is None else places[present]
    try:
        for start, stop, part in parts:
            add(part, _arrays.of_keys(values[start:stop], part))
        return builder.finish()
    except ConflictError as error:
        raise ConflictError(f"{error}{first_conflict(builder, held, places)}") from None


def first_conflict(builder, held, places):
    """Which key it is that has two values, as far as it can be found."""
    for start, stop, part in _arrays.positional(held, builder.told)[2]:
        found = builder.find_conflict(part)
        if found is None:
            continue
        at = _arrays.of_keys(numpy.arange(start, stop), part)[found]
        value = held.values[at:at + 1].tolist()[0] if isinstance(held, _columns.Column) else held[at]
        return f"; the first one is keys[{at if places is None else places[at]}], {_scalars.cut(repr(value))}"
    return ""
