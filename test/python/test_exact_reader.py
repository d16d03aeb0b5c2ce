#!/usr/bin/python3
"""test_exact_reader.py - do the library and docs/format.md say the same of exact sets?

Builds exact sets of many shapes with SQL, reads their bytes with format_reader.py,
which knows nothing but the document, and compares the answers for all keys of the
universe, and for others.  Then both read bytes that no builder writes, and must
agree on which of them are filters, and on their answers.

usage: test/run.sh python/test_exact_reader

The server is found through PGHOST and its kin; the extension must be installed.
"""

import random

from made_up import altered, compare_bytes, folded, random_bytes, read, varint
from psql_script import UTF8, hex_bytes, new_database, rows_and_errors
from reports import finish, report

DATABASE = "ribbon_exact_reader"

# Keys of the universe, and one in how many is a member (0: none); below 0, is none.
UNIVERSES = ((0, 1), (1, 1), (1, 0), (5, 0), (5, 1), (7, 3), (60, 2), (60, 20), (500, 1), (700, 3), (3000, 2),
             (3000, 100), (20000, 2), (20000, 70), (60000, 9), (60000, 500), (200000, 3),
             (60, -20), (3000, -100), (20000, -3), (60000, -500))
OUTSIDE = 40

# Numbers of keys, one in how many is a member, and the rate for others.
RATED = ((0, 1, 0.1), (9, 0, 0.1), (1, 1, 0.5), (5, 1, 0.3), (7, 3, 0.5), (60, 2, 0.4), (60, -20, 0.01), (700, 3, 0.26),
         (3000, 100, 2**-32), (3000, 2, 0.5), (20000, 2, 0.01), (60000, 9, 2**-8), (60000, -500, 0.3), (200000, 3, 0.4))


def is_member(key, part):
    return part != 0 and (key % part == 0) == (part > 0)


def shapes():
    """Exact sets of all sizes, with widths and times in turn."""
    rng = random.Random(30)
    for n, part, rate in [(n, part, None) for n, part in UNIVERSES] + list(RATED):
        options = f"width={rng.choice((32, 64, 128))}" + rng.choice(("", ", as_of=1999-12-31 23:59+00", " as_of=2026-01-01Z"))
        keys = sorted({1 + i * n // 300 for i in range(300)} if n else set()) + list(range(n + 1, n + 1 + OUTSIDE))
        rows, errors = rows_and_errors(f"""
            SET TimeZone = 'UTC';
            CREATE TEMP TABLE made AS
            SELECT ribbon_build_exact(i::bigint, {f"(i % {part} = 0) = ({part} > 0)" if part else "false"}{f", {rate!r}" if rate else ""}, '{options}') AS f
              FROM generate_series(1, {n}) AS i;
            SELECT f::bytea, ribbon_cardinality(f), (ribbon_stats(f)).universe,
                   extract(epoch FROM (ribbon_stats(f)).as_of - timestamptz '2000-01-01')::bigint FROM made;
            SELECT f @> i::bigint FROM made, unnest('{{{",".join(map(str, keys))}}}'::int[]) AS i;""")
        name = f"{n} keys, 1 in {part}, {options}{f', rate {rate}' if rate else ''}"
        if len(rows) != 1 + len(keys):
            report(name, errors)
            continue
        data, shown = hex_bytes(rows[0][0]), [row[0] == "t" for row in rows[1:]]
        reader = read(data)
        if reader is None:
            report(name, f"the reader refuses {data[:60].hex()}...")
            continue
        members = sum(is_member(key, part) for key in range(1, n + 1))
        as_of = "" if reader.as_of is None else str(reader.as_of // 10**6)
        said = [reader.cardinality, reader.universe, as_of, reader.is_exact]
        if said != [members, n, rows[0][3], True] or rows[0][1:3] != [str(members), str(n)]:
            report(name, f"{said}, and the library says {rows[0][1:]}")
            continue
        ours = [reader.contains(key) for key in keys]
        wrong = [key for key, is_there in zip(keys, ours) if key <= n and is_there != is_member(key, part)]
        differ = [key for key, a, b in zip(keys, ours, shown) if a != b]
        report(name, f"wrong of {wrong[:3]}, not the same of {differ[:3]}" if wrong or differ else None)
        yield reader, data


def seen(made):
    """Have the builders made use of all that the document describes?"""
    readers = [reader for reader, _ in made]
    for what, found in (
            ("two planes", any(len(r.planes) == 2 for r in readers)),
            ("two planes of those that are no members", any(r.inverted and len(r.planes) == 2 for r in readers)),
            ("a column alone", any(r.planes[0].value_bits == 1 for r in readers)),
            ("a filter alone", any(r.columns > 0 and r.passed == 0 and not r.planes[0].is_bare for r in readers)),
            ("no members", any(r.cardinality == 0 and r.universe > 0 for r in readers)),
            ("nothing but members", any(r.cardinality == r.universe > 0 for r in readers)),
            ("a filter alone, with a rate", any(r.rated and r.planes[0].columns > 0 and len(r.planes) == 1 for r in readers)),
            ("a filter, then masked bits", any(r.rated and len(r.planes) == 2 for r in readers)),
            ("masked bits alone", any(r.rated and r.planes[0].value_bits == 1 for r in readers)),
            ("less than a check bit", any(r.planes[0].columns == 0 and r.planes[0].wide > 0 for r in readers)),
            ("bumped layers", any(p.layers for r in readers for p in r.planes)),
            ("as_of before 2000", any(r.as_of is not None and r.as_of < 0 for r in readers))):
        report(f"seen: {what}", None if found else "in no set")


def made_up(rng):
    """A set that keeps most rules, of few keys, and random slots."""
    keys, others = rng.choice((0, 1, 3, 40)), rng.choice((0, 1, 5, 100))
    unchecked, extra, rated = rng.random() < 0.4, rng.random() < 0.2, rng.random() < 0.4
    wide = rng.choice((0, 0, 1, 2047, 2048)) if rated and rng.random() < 0.9 else 0
    a = 0 if unchecked else rng.choice((1, 2, 8, 32)) if keys else 1
    byte = rng.choice((0, 0, 1, 2, 3, 4))
    column = rated and byte & 4
    data = bytes([0x11, 0x81, (wide > 0) | 0x10 | unchecked << 3 | extra << 5 | rated << 7])
    data += varint(keys) + varint(others)
    data += bytes([byte | (0 if unchecked else a - 1) << 3]) + wide.to_bytes(2, "little") * (wide > 0)
    data += random_bytes(rng, 4) * (byte & 1) + random_bytes(rng, 8) * (byte >> 1 & 1)
    passed = rng.choice((0, others, rng.randrange(others + 2)))
    if not unchecked and keys and (column or not rated):
        data += varint(folded(passed - ((keys if byte & 4 and not rated else others) >> a)))
    if extra:
        data += bytes([rng.choice((0, 2, 254, 1)), 3]) + random_bytes(rng, 3)
    planes = []
    if keys and (others or rated):
        behind = column if rated else passed > 0
        planes = [(keys + others, 1)] if unchecked else [(keys, a)] + [(keys + passed, 1)] * behind
    for n, columns in planes:
        slots = n + rng.randrange(3)
        data += bytes([2 | rng.randrange(16) << 4]) + varint(slots - n)
        data += random_bytes(rng, (slots * columns + 7) // 8)
    return data


def answers(data):
    """What the reader says of these bytes, for compare_bytes()."""
    reader = read(data)
    if reader is not None and reader.key_class != 1:
        return None                                         # which classes there are is section 6's
    return "none" if reader is None else ",".join(str(int(reader.contains(i))) for i in range(OUTSIDE))


def main():
    _, errors = rows_and_errors("CREATE EXTENSION IF NOT EXISTS ribbon")
    if errors:
        report("set up", errors)
        return
    made = list(shapes())
    seen(made)
    rng = random.Random(31)
    small = [data for _, data in made if len(data) < 3000]
    for name, blobs in (("altered sets", [altered(rng, rng.choice(small)) for _ in range(3000)]),
                        ("sets made up", [made_up(rng) for _ in range(3000)])):
        compare_bytes(DATABASE, name, blobs, "ribbonfilter", "(x @> i::bigint)::int::text", OUTSIDE, answers)


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
