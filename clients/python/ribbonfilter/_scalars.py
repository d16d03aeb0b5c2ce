"""_scalars.py - one value: is it missing, of which key class is it, and what does the library take for it?"""

import datetime
import enum
import fractions
import ipaddress
import mmap
import struct
import uuid
from decimal import Decimal

import numpy

from ribbonfilter import _times
from ribbonfilter._classes import DATE, INET, INTERVAL, NUMERIC, TIME, TIMESTAMP, TIMESTAMPTZ, TIMETZ, UUID

MOST_DIGITS, MOST_FRACTION = 131072, 16383     # of numeric, before and behind the point
NETWORKS = (ipaddress.IPv4Network, ipaddress.IPv6Network)
ADDRESSES = (ipaddress.IPv4Interface, ipaddress.IPv6Interface, ipaddress.IPv4Address, ipaddress.IPv6Address, *NETWORKS)


def is_missing(value):
    """Is it what stands for NULL in Python, in pandas, or in numpy?"""
    return value is None or value is numpy.ma.masked or type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, (numpy.datetime64, numpy.timedelta64)) and bool(numpy.isnat(value)))


def is_one(value):
    """Can what may be iterated over be a key by itself?"""
    return isinstance(value, (str, bytes, bytearray, memoryview, mmap.mmap, *NETWORKS)) or (
        getattr(value, "typecode", None) in ("u", "w")) or (    # array.array of characters
        hasattr(value, "raw") and isinstance(value.raw, bytes))         # ctypes' own bytes


def plain(value):
    """The value that a scalar of numpy stands for."""
    if not isinstance(value, numpy.generic):
        return value
    if isinstance(value, numpy.bytes_):
        raise TypeError("numpy drops zero bytes at the end of dtype S: use bytes(key) if the key had none, or array.view('V20') for keys "
                        "of 20 bytes, say")
    if value.dtype.kind not in "mM":
        found = value.item()
        if isinstance(found, numpy.longdouble):
            if numpy.longdouble(float(found)) != found and found == found:
                raise ValueError(f"{found} is a number that a float of 64 bits cannot have: use float(key)")
            return float(found)
        return found
    found = (value.astype("M8[D]") if _times.is_date(value.dtype) else _times.in_microseconds(value)).item()
    if isinstance(found, int):
        raise OverflowError(f"{value} is beyond what Python's datetime has (an array of numpy may have it)")
    return found


def natural_class(value):
    """The key class of a value by its Python type, if that is none of those that key.pxi knows."""
    if isinstance(value, uuid.UUID):
        return UUID
    if isinstance(value, datetime.datetime):
        return TIMESTAMP if value.utcoffset() is None else TIMESTAMPTZ
    if isinstance(value, datetime.date):
        return DATE
    if isinstance(value, datetime.time):
        if value.tzinfo is not None and value.utcoffset() is None:
            raise TypeError(f"the offset of {value.tzinfo} is not known without a date: use a time with a fixed offset, or "
                            ".replace(tzinfo=None)")
        return TIME if value.utcoffset() is None else TIMETZ
    if isinstance(value, datetime.timedelta):
        return INTERVAL
    if isinstance(value, Decimal):
        return NUMERIC
    if isinstance(value, ADDRESSES):
        return INET
    raise TypeError(f"a value of type {type(value).__name__} cannot be a key{way_out(value)}")


def way_out(value):
    """What to do with a value that cannot be a key."""
    if isinstance(value, enum.Enum):
        return ": use its .name or its .value"
    if isinstance(value, (tuple, list)) or hasattr(value, "_fields"):
        return ": use one of its values, as (row[0] for row in rows)"
    if isinstance(value, dict):
        return ": use one of its values, as (row['id'] for row in rows)"
    if hasattr(value, "__array__") or hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__"):
        return " (contains and get_many take many keys)"
    if type(value).__name__ == "Period":
        return ": use .to_timestamp()"
    if is_one(value):
        return ": use bytes(key), or .tounicode() of an array"
    if isinstance(value, fractions.Fraction):
        return ": use decimal.Decimal or float"
    if isinstance(value, complex):
        return ": PostgreSQL has no such type"
    if type(value).__name__ == "Interval":
        return ": use its left or its right end"
    return ""


def cut(text):
    """So much of a text as a message has room for."""
    return text if len(text) <= 100 else f"{text[:100]}..."


def shown(value):
    """A value in a message: so much of it as that has room for."""
    try:
        return cut(repr(value))
    except Exception:       # as of an int of more digits than Python writes
        return f"a value of type {type(value).__name__}"


def numeric(value):
    """The text of a number."""
    value = Decimal(value)      # str(int) is for so many digits only, and a subclass may say of itself what it likes
    if value.is_nan():
        return "NaN"
    if value == 0:
        return "0"
    if value.is_finite() and (value.adjusted() >= MOST_DIGITS or value.as_tuple().exponent < -MOST_FRACTION):
        raise OverflowError(f"{cut(str(value))} is beyond the range of numeric")
    return str(value)


def inet(value):
    """The text of an address or network."""
    if getattr(value, "scope_id", None) is not None:
        raise ValueError(f"{value} has a scope, which PostgreSQL's inet cannot have")
    kind = next(kind for kind in ADDRESSES if isinstance(value, kind))
    return kind.__str__(value)      # a subclass may show itself otherwise


def form(value, key_type):
    """What the library takes for a value as a key of this class: a text that it reads, or canonical bytes."""
    if key_type == NUMERIC:
        return numeric(value)
    if key_type == INET:
        return inet(value)
    if key_type == UUID:
        return value.int.to_bytes(16, "big")    # as UUID.bytes has them: a subclass may show itself otherwise
    if key_type in (TIMESTAMP, TIMESTAMPTZ):
        return struct.pack("<q", _times.timestamp(value))
    if key_type == DATE:
        return struct.pack("<i", _times.days(value))
    if key_type == TIME:
        return struct.pack("<q", _times.time_of_day(value))
    if key_type == INTERVAL:
        return struct.pack("<qq", *_times.interval(value))
    offset = value.utcoffset()
    if offset.microseconds:
        raise ValueError(f"the offset of {value} is no whole number of seconds")
    return struct.pack("<qi", _times.time_of_day(value), -offset // datetime.timedelta(seconds=1))
