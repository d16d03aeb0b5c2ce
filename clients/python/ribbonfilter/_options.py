"""_options.py - what a build is told, which is refused before any key is read"""

import datetime
import math
import operator

from ribbonfilter import _core, _scalars, _times

# In the order of their numbers.
KINDS = ("burr", "homogeneous", "auto", "exact")
CODES = ("plain", "entropy", "auto")
EXACT = KINDS.index("exact")


def choice(name, value, choices):
    """The number of one of these names."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {_scalars.shown(value)}")
    return choices.index(value)


def whole(name, value, expected, bits, least=0):
    """A parameter that is a whole number of so many bits; libribbon refuses others that are not expected."""
    try:
        number = operator.index(value)
        if least <= number < 1 << bits:
            return number
        kind = ValueError
    except TypeError:
        kind = TypeError
    raise kind(f"{name} must be a whole number, {expected}, not {_scalars.shown(value)}")


def real(name, value, example):
    """A parameter that is a number."""
    try:
        math.isnan(value)
    except TypeError:
        raise TypeError(f"{name} must be a number, such as {example}, not {_scalars.shown(value)}") from None
    return value


def rate(fpr):
    return real("fpr", fpr, "0.01")


def new_builder(key_type, fpr, *, width=None, threads=None, memory=None, progress=None, **others):
    """A builder, which refuses options before any key is read."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function of the share that is done, not {_scalars.shown(progress)}")
    told = 0 if key_type is None else _core.type_number(key_type)
    width = 0 if width is None else whole("width", width, "32, 64 or 128", 31, least=1)
    threads = 0 if threads is None else whole("threads", threads, "0 (one per core) to 64", 32)
    memory = None if memory is None else whole("memory", memory, "of bytes, at least 16 MB", 64)
    return _core.Builder(told, rate(fpr), width=width, threads=threads, memory=memory, progress=progress, **others)


def moment(time):
    """Microseconds since 2000 of a datetime with a zone, or of a text in ISO 8601 with its offset."""
    if isinstance(time, str):
        try:
            return _core.timestamptz_of(str.__str__(time))
        except (OverflowError, ValueError):
            raise ValueError(f"{_scalars.cut(time)!r} is no time with its offset from UTC, as in '2026-03-01T12:00:00Z' or "
                             "'2026-03-01 12:00:00+01:00'") from None
    if _scalars.is_missing(time) or not isinstance(time, datetime.datetime) or time.utcoffset() is None:
        raise TypeError("a time must be a datetime with a zone, or a text as '2026-03-01T12:00:00Z'")
    return _times.timestamp(time)


def exact_builder(key_type, fpr, as_of, **options):
    """That of an exact set."""
    return new_builder(key_type, 1, kind=EXACT, exact_fpr=None if fpr is None else rate(fpr),
                       as_of=None if as_of is None else moment(as_of), **options)
