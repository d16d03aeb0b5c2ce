"""made_up.py - bytes that no builder writes: headers made up or altered

Whether they are a filter is for format_reader.py to say, and for the library:
compare_bytes() holds them against one another.
"""

from format_reader import BUCKETS, Filter, WrongSize
from psql_script import rows_and_errors
from reports import report


def random_bytes(rng, size):
    return rng.getrandbits(8 * size + 1).to_bytes(size + 1, "little")[:size]


def varint(value):
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def folded(difference):
    return 2 * difference if difference >= 0 else -2 * difference - 1


def made_up_header(rng):
    """A header that keeps the rules of section 1, as far as it is easy to."""
    homogeneous = rng.random() < 0.2
    width = rng.randrange(3)
    layers = 0 if homogeneous else rng.choice((0, 1, 2, 3, 7))
    a, wide = rng.choice((1, 1, 1, 2, 5)), rng.choice((0, 1, 700, 2047))
    keys = rng.choice((1, 2, 70, 500, 3000, 9000, 60000))
    shrunk, salted = not homogeneous and rng.random() < 0.5, rng.random() < 0.3
    flags = shrunk | salted << 1 | (rng.random() < 0.2) << 5
    head = bytes([1 | width << 4 | homogeneous << 6 | (layers > 0) << 7, 1 | (flags > 0) << 7])
    if flags:
        head += bytes([flags])
    head += ((a - 1) << 11 | wide).to_bytes(2, "little") + varint(keys)
    if flags & 32:                                          # something extra, which may be skipped
        size = rng.choice((0, 1, 700))
        head += bytes([2 * rng.randrange(128)]) + varint(size) + random_bytes(rng, size)
    split = wide
    if shrunk:
        split = rng.choice((0, 1, 300, 1500, 2047))
        head += split.to_bytes(2, "little")
    if salted:
        head += random_bytes(rng, 8)
    extra = rng.choice((0, 1, 5, 40, 1000))
    if homogeneous:
        return head + varint(extra) + bytes([7, rng.randrange(16)])
    if layers:
        head += bytes([rng.choice([s for w, s in BUCKETS if w == 32 << width]) | layers << 5])
    for _ in range(layers):
        bumped = rng.randrange(keys // 2, keys + 1)
        slots = (32 << width) + rng.choice((0, 1, 31, 500, 3000))
        head += varint(bumped) + varint(folded(slots - (keys - bumped)))
        keys = bumped
    head += varint(16 * extra + rng.randrange(16) if split else extra)
    zones = sum(min(16, 1 + keys * share // 2048 // 1536) for share in (2048 - split, split) if share)
    for _ in range(zones - 1):
        head += varint(rng.randrange(8))
    seeds = random_bytes(rng, (zones + 1) // 2)
    return head + (seeds[:-1] + bytes([seeds[-1] & 15]) if zones % 2 else seeds)


def mutations(rng, filter_bytes, header_size):
    """The bytes of a filter with something in the header changed."""
    for at in range(header_size):
        bits = range(5, 8) if at == 1 else range(8)     # which classes there are is section 6's
        for bit in bits:
            head = bytearray(filter_bytes)
            head[at] ^= 1 << bit
            yield bytes(head)
        if at >= 4:
            yield filter_bytes[:at] + bytes([rng.randrange(256)]) + filter_bytes[at:]
            yield filter_bytes[:at] + b"\x80\x00" + filter_bytes[at + 1:]
            yield filter_bytes[:at] + filter_bytes[at + 1:]


def altered(rng, data):
    """A filter or map with a few changes, mostly in the first bytes."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(min(len(data), rng.choice((4, 12, 40, 400))))
        what = rng.randrange(4)
        if what == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            data[at] = rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif what == 2:
            del data[at:at + rng.choice((1, 1, 3))]
        else:
            data[at:at] = random_bytes(rng, 1)
        if not data:
            break
    return bytes(data)


def read(data):
    """A reader, or None."""
    try:
        return Filter(data)
    except ValueError:
        return None


def refit(rng, data):
    """Give a good header as many bytes as it calls for, random ones.  None: too many."""
    try:
        Filter(data)
    except WrongSize as why:
        if why.size > 30000:
            return None
        return data[:why.size] + random_bytes(rng, max(0, why.size - len(data)))
    except ValueError:
        pass
    return data


def compare_bytes(database, name, blobs, kind, answer, nkeys, answers_by_reader):
    """Do the library and the reader say the same of each string of bytes?

    It says "none" if they are none of this kind, or what the keys 0 .. nkeys - 1 are answered, with commas between:
    SQL's answer is an expression of the value x and the key i.  If the reader's is None, they are not compared.
    Some must be.
    """
    script = f"""
        CREATE FUNCTION pg_temp.answers(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            x {kind};
        BEGIN
            x := bytes::{kind};
            RETURN (SELECT string_agg({answer}, ',' ORDER BY i) FROM generate_series(0, {nkeys - 1}) AS i);
        EXCEPTION
            WHEN invalid_binary_representation THEN
                RETURN 'none';
            WHEN datatype_mismatch THEN
                RETURN 'other keys';
        END $$;
        CREATE TEMP TABLE blobs (i int, bytes bytea);
        COPY blobs FROM STDIN;\n"""
    script += "".join(f"{i}\t\\\\x{blob.hex()}\n" for i, blob in enumerate(blobs))
    script += "\\.\nSELECT pg_temp.answers(bytes) FROM blobs ORDER BY i;"
    rows, errors = rows_and_errors(script, database)
    if len(rows) != len(blobs) or not blobs:
        report(name, f"{len(rows)} answers for {len(blobs)} strings of bytes {errors}")
        return
    ours = [answers_by_reader(blob) for blob in blobs]
    accepted = sum(said not in (None, "none") for said in ours)
    wrong = [f"{blob[:60].hex()}: the library says {theirs}, the reader {said}"
             for blob, (theirs,), said in zip(blobs, rows, ours) if said not in (None, theirs)]
    report(f"{name}: {accepted} of {len(blobs)} are a {kind}", "; ".join(wrong[:3]) if wrong or not accepted else None)
