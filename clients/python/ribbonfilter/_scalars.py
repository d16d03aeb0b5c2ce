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

from ribbonfilter._classes import DATE, INET, INTERVAL, NUMERIC, TIME, TIMESTAMP, TIMESTAMPTZ, TIMETZ, UUID

DAY = datetime.date(2000, 1, 1)
MOMENT = datetime.datetime(2000, 1, 1)
MOMENT_UTC = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
DAY64 = numpy.datetime64(DAY)
DAY_US = 86400 * 1000000        # microseconds of a day
EPOCH = 10957 * DAY_US          # from 1970 to 2000
# -infinity and infinity, as days and as microseconds
INFINITE_DAYS = (-1 << 31, (1 << 31) - 1)
INFINITE_MOMENTS = (-1 << 63, (1 << 63) - 1)
MOST_DIGITS, MOST_FRACTION = 131072, 16383     # of numeric, before and behind the point
NANOSECONDS = {numpy.dtype(f"M8[{unit}]"): 10**(9 - digits) for unit, digits in (("s", 0), ("ms", 3), ("us", 6), ("ns", 9))}
TIME_PARTS = (datetime.time.hour, datetime.time.minute, datetime.time.second, datetime.time.microsecond)
NETWORKS = (ipaddress.IPv4Network, ipaddress.IPv6Network)
ADDRESSES = (ipaddress.IPv4Interface, ipaddress.IPv6Interface, ipaddress.IPv4Address, ipaddress.IPv6Address, *NETWORKS)


def is_missing(value):
    """Is it what stands for NULL in Python, in pandas, or in numpy?"""
    return value is None or value is numpy.ma.masked or type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, (numpy.datetime64, numpy.timedelta64)) and bool(numpy.isnat(value)))


def is_one(value):
    """Can what may be iterated over be a key by itself?"""
    return isinstance(value, (str, bytes, bytearray, memoryview, mmap.mmap, *NETWORKS)) or (
        hasattr(value, "typecode") and value.typecode in "uw") or (     # array.array of characters
        hasattr(value, "raw") and isinstance(value.raw, bytes))         # ctypes' own bytes


def is_date(dtype):
    """Is it numpy's datetime64 of whole days?"""
    return dtype.kind == "M" and numpy.datetime_data(dtype)[0] in ("D", "W", "M", "Y")


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
    found = (value.astype("M8[D]") if is_date(value.dtype) else in_microseconds(value)).item()
    if isinstance(found, int):
        raise OverflowError(f"{value} is beyond what Python's datetime has (an array of numpy may have it)")
    return found


def in_microseconds(times):
    """Times, or spans of time, of numpy."""
    if times.dtype.str[1:] in ("M8[us]", "m8[us]"):
        return times
    if times.dtype.kind == "m" and numpy.datetime_data(times.dtype)[0] in ("Y", "M", "generic"):
        raise TypeError(f"spans of dtype {times.dtype} have no length in time")
    fine = times.astype(f"{times.dtype.kind}8[us]")
    if (fine.astype(times.dtype) != times).any():      # which tells of overflow, too
        raise ValueError("there are times finer than microseconds, or beyond 64 bits of them")
    return fine


def since_2000(times):
    """Microseconds of an array of times, as int64."""
    numbers = in_microseconds(times).astype("<i8")
    if len(numbers) and numbers.min() <= INFINITE_MOMENTS[0] + EPOCH:
        raise ValueError("there are times beyond 64 bits of microseconds")
    return numbers - EPOCH


def natural_type(value):
    """The key class of a value by its Python type."""
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


def is_pandas(value):
    """Is it of pandas?  As a datetime or timedelta it is empty beyond year 9999, and where it counts other units."""
    return hasattr(value, "to_numpy")


def days_and_rest(span):
    """Days of a timedelta, and microseconds; those of its own that a subclass may have are not asked."""
    kind = type(span) if is_pandas(span) else datetime.timedelta
    return kind.days.__get__(span), kind.seconds.__get__(span) * 1000000 + kind.microseconds.__get__(span)


def microseconds(span):
    """Of a timedelta."""
    days, rest = days_and_rest(span)
    return days * DAY_US + rest


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


def time_of_day(value):
    """Of a time; those of its own that a subclass may have are not asked."""
    hour, minute, second, rest = (part.__get__(value) for part in TIME_PARTS)
    return ((hour * 60 + minute) * 60 + second) * 1000000 + rest


def timestamp(value):
    if getattr(value, "nanosecond", 0):     # pandas has them
        raise ValueError(f"{value} is finer than microseconds")
    if is_pandas(value):    # whose differences end after 292 years
        time = value.to_numpy()
        number = int(time.astype("i8")) * NANOSECONDS[time.dtype] // 1000 - EPOCH
        if not INFINITE_MOMENTS[0] < number <= INFINITE_MOMENTS[1]:
            raise ValueError(f"{value!r} is beyond 64 bits of microseconds")
        return number
    return microseconds(datetime.datetime.__sub__(value, MOMENT if value.utcoffset() is None else MOMENT_UTC))


def days(value):
    """Of a date, since 2000; as of a timestamp, a subclass may have a difference of its own."""
    return datetime.date.__sub__(value, DAY).days


def interval(value):
    if getattr(value, "nanoseconds", 0):
        raise ValueError(f"{value} is finer than microseconds")
    return struct.pack("<qq", *days_and_rest(value))


def form(value, key_type):
    """What the library takes for a value as a key of this class: a text that it reads, or canonical bytes."""
    if key_type == NUMERIC:
        return numeric(value)
    if key_type == INET:
        return inet(value)
    if key_type == UUID:
        return value.int.to_bytes(16, "big")    # as UUID.bytes has them: a subclass may show itself otherwise
    if key_type in (TIMESTAMP, TIMESTAMPTZ):
        return struct.pack("<q", timestamp(value))
    if key_type == DATE:
        return struct.pack("<i", days(value))
    if key_type == TIME:
        return struct.pack("<q", time_of_day(value))
    if key_type == INTERVAL:
        return interval(value)
    offset = value.utcoffset()
    if offset.microseconds:
        raise ValueError(f"the offset of {value} is no whole number of seconds")
    return struct.pack("<qi", time_of_day(value), -offset // datetime.timedelta(seconds=1))
