"""canonical_forms.py - the canonical bytes of keys, and their hashes

Written from docs/canonical.md, and section 2 of docs/format.md, alone: it shares
no code with the library.  format_reader.py asks filters with it.
"""

import datetime
import decimal
import math
import struct

import xxhash

M64 = 2**64 - 1
EPOCH = datetime.datetime(2000, 1, 1)
MICROSECOND = datetime.timedelta(microseconds=1)


def days(date):
    """Of a datetime.date since 2000; infinity has no other form than the integer."""
    return struct.pack("<i", date if isinstance(date, int) else (date - EPOCH.date()).days)


def microseconds(t):
    """Of a time since midnight, of a datetime (an aware one in UTC) since 2000.

    What Python has not, 24:00 and infinity, is given as the integer.
    """
    if isinstance(t, int):
        return struct.pack("<q", t)
    if isinstance(t, datetime.time):
        t = datetime.datetime.combine(EPOCH, t)
    elif t.tzinfo is not None:
        t = t.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return struct.pack("<q", (t - EPOCH) // MICROSECOND)


def float_bytes(value):
    return struct.pack("<d", math.nan if math.isnan(value) else value + 0.0)


def numeric_text(value):
    """Of a decimal.Decimal."""
    if not value.is_finite():
        return ("NaN" if value.is_nan() else str(value)).encode()
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return ("0" if value == 0 else text).encode()


def interval_bytes(value):
    """Of a datetime.timedelta, which is in days and parts of a day already."""
    return struct.pack("<qq", value.days, value.seconds * 10**6 + value.microseconds)


def inet_bytes(value):
    """Of an interface of the ipaddress module."""
    return bytes([value.version, value.network.prefixlen]) + value.packed


def bit_bytes(text):
    """Of a bit string such as "101"."""
    size = (len(text) + 7) // 8
    bits = int(text.ljust(8 * size, "0") or "0", 2).to_bytes(size, "big")
    return struct.pack("<I", len(text)) + bits


def timetz_bytes(value):
    """Of a datetime.time that knows its zone."""
    zone = -int(value.utcoffset().total_seconds())
    return microseconds(value.replace(tzinfo=None)) + struct.pack("<i", zone)


def counted(data):
    return struct.pack("<I", len(data)) + data


def item(key_class, value):
    data = CANONICAL[key_class][1](value)
    return counted(data) if key_class in (2, 3, 14, 16, 17, 18, 22) else data


def nullable(key_class, value):
    return b"\0" if value is None else b"\1" + item(key_class, value)


def typed(key_class, value):
    return bytes([key_class]) + item(key_class, value)


def array_bytes(value):
    """Of (lengths and lower bounds of dimensions, class of elements, elements)."""
    dimensions, key_class, elements = value
    return (bytes([len(dimensions)]) + b"".join(struct.pack("<ii", *d) for d in dimensions) + bytes([key_class])
            + b"".join(nullable(key_class, e) for e in elements))


def range_bytes(value):
    """Of None if empty, else (class, lower bound, upper bound): None, or (value, whether inclusive)."""
    if value is None:
        return b"\1"
    key_class, lower, upper = value
    flags = 2 * (lower is not None) + 4 * (upper is not None)
    flags += 8 * (lower is not None and lower[1]) + 16 * (upper is not None and upper[1])
    return bytes([flags]) + b"".join(typed(key_class, bound[0]) for bound in (lower, upper) if bound is not None)


def multirange_bytes(ranges):
    return struct.pack("<I", len(ranges)) + b"".join(map(range_bytes, ranges))


def row_bytes(columns):
    """Of a list of None or (class, value)."""
    while columns and columns[-1] is None:
        columns = columns[:-1]
    return struct.pack("<I", len(columns)) + b"".join(b"\0" if c is None else b"\1" + typed(*c) for c in columns)


def json_bytes(value):
    """Of what json.loads makes, with decimal.Decimal for numbers."""
    if value is None or isinstance(value, bool):
        return bytes([0 if value is None else 1 + value])
    if isinstance(value, decimal.Decimal):
        return b"\3" + counted(numeric_text(value))
    if isinstance(value, str):
        return b"\4" + counted(value.encode())
    if isinstance(value, list):
        return b"\5" + struct.pack("<I", len(value)) + b"".join(map(json_bytes, value))
    members = sorted(((name.encode(), v) for name, v in value.items()), key=lambda member: (len(member[0]), member[0]))
    return b"\6" + struct.pack("<I", len(members)) + b"".join(counted(name) + json_bytes(v) for name, v in members)


def packed(layout):
    return lambda value: struct.pack(layout, value)


# class -> name, canonical bytes of a Python value
CANONICAL = {
    1: ("integer", packed("<q")),
    2: ("text", str.encode),
    3: ("bytea", bytes),
    4: ("uuid", lambda value: value.bytes),
    5: ("bool", packed("<?")),
    6: ("date", days),
    7: ("time", microseconds),
    8: ("timestamp", microseconds),
    9: ("timestamptz", microseconds),
    10: ("oid", packed("<I")),
    11: ("float", float_bytes),
    12: ("macaddr", bytes),
    13: ("macaddr8", bytes),
    14: ("numeric", numeric_text),
    15: ("interval", interval_bytes),
    16: ("inet", inet_bytes),
    17: ("enum", str.encode),
    18: ("char(n)", lambda text: text.rstrip(" ").encode()),
    19: ("timetz", timetz_bytes),
    20: ("xid8", packed("<Q")),
    21: ("pg_lsn", packed("<Q")),
    22: ("bit", bit_bytes),
    23: ("array", array_bytes),
    24: ("range", range_bytes),
    25: ("multirange", multirange_bytes),
    26: ("row", row_bytes),
    27: ("jsonb", json_bytes),
    28: ("other", packed("<Q")),        # the result of a type's own hash function
    29: ("other", packed("<Q")),
}


def mix(z):
    z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD & M64
    z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 & M64
    return z ^ z >> 33


def hash_bytes(data, seed=0):
    """The 64-bit hash of canonical bytes (section 2)."""
    first = xxhash.xxh3_64_intdigest(data)
    if seed == 0:
        return first
    return mix(first ^ mix(((xxhash.xxh64_intdigest(data) >> 1) + seed * 0x9E3779B97F4A7C15) & M64))


def hash_key(key_class, key, seed=0):
    """The 64-bit hash of a key (sections 2 and 6)."""
    if key_class not in CANONICAL:
        raise ValueError(f"no canonical bytes for key class {key_class}")
    return hash_bytes(CANONICAL[key_class][1](key), seed)
