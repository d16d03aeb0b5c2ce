#!/usr/bin/python3
"""test_map_reader.py - do the library and docs/format.md say the same of maps?

Builds maps of many shapes with SQL, reads their bytes with format_reader.py, which
knows nothing but the document, and compares the values of members and what is said
of non-members.  Then both read bytes that no builder writes, and must agree on
which of them are maps, and on their values.

usage: test/run.sh python/test_map_reader

The server is found through PGHOST and its kin; the extension must be installed.
"""

import random

from canonical_forms import CANONICAL, hash_key
from format_reader import ABSENT, Map
from made_up import altered, compare_bytes, random_bytes, varint
from psql_script import UTF8, hex_bytes, new_database, rows_and_errors
from reports import finish, report

DATABASE = "ribbon_map_reader"

# What SQL makes of i, and how many value bits there are then (None: it depends).
VALUES = {
    "smallint": "(i % 300 - 20)::smallint",
    "integer": "i % 7 * 1000",
    "one integer": "42",
    "bigint": "hashint8extended(i, 0)",
    "bigint of 57 bits": "hashint8extended(i, 0) >> 7",
    "bigint, a few NULL": "CASE WHEN i % 5 > 0 THEN i % 64 END::bigint",
    "boolean": "i % 3 = 0",
    "text": "'é' || i % 300",
    "text, a few NULL": "CASE WHEN i % 3 > 0 THEN repeat('x', i % 64) END",
    "enum": "(ARRAY['apple', 'plum', 'äpfel'])[1 + i % 3]::fruit",
    "mostly one text": "CASE WHEN i % 13 = 0 THEN 'rare ' || i % 5 ELSE 'usual' END",
    "rarer and rarer": "length(substring((i * 2654435761 % 4294967296)::bit(32)::text, '^0*')) * 1000000",
    "array": "ARRAY['plum'::fruit, (ARRAY['apple', 'äpfel'])[1 + i % 2]::fruit, NULL]",
}
RATES = ("1", "0.5", "0.01", "0.0039", "1e-9", "2::float8 ^ -32")
KEYS = (0, 1, 5, 64, 300, 2000, 20000)


def read(data):
    """A reader, or None."""
    try:
        return Map(data)
    except ValueError:
        return None


def text_of(reader, value):
    """A value as ->> shows it, or "" for NULL and no value."""
    if value is None or value == ABSENT:
        return ""
    return str(bool(value)).lower() if reader.value_class == 1 else str(value)


def compare(name, data, shown, keys):
    """Is what SQL has shown what the reader sees?"""
    reader = read(data)
    if reader is None:
        report(name, f"the reader refuses {data[:60].hex()}...")
        return None
    ours = [text_of(reader, reader.get(key)) for key in keys]
    wrong = [(key, a, b) for key, a, b in zip(keys, ours, shown) if a != b]
    report(name, f"{len(wrong)} differ, such as {wrong[:2]} (key, reader, library)" if wrong else None)
    return reader


def shapes():
    """Maps of all kinds of values, and of all sizes, with rates and widths in turn."""
    rng = random.Random(16)
    for name, expression in VALUES.items():
        for n in KEYS:
            rate, width = rng.choice(RATES), rng.choice((32, 64, 128))
            if name.startswith("mostly") and n > 300:
                rate = "1"
            options = f"'width={width}{rng.choice(('', ', seed=4000000000'))}'"
            keys = sorted({1 + i * n // 60 for i in range(60)} if n else set()) + list(range(n + 1, n + 61))
            rows, errors = rows_and_errors(f"""
                CREATE TEMP TABLE made AS SELECT ribbon_map(i::bigint, {expression}, {rate}, {options}) AS map
                  FROM generate_series(1, {n}) AS i;
                SELECT map::bytea, ribbon_cardinality(map) FROM made;
                SELECT map ->> i::bigint FROM made, unnest('{{{",".join(map(str, keys))}}}'::int[]) AS i;""")
            name_of_case = f"{name}, {n} keys, rate {rate}, {options}"
            if len(rows) != 1 + len(keys):
                report(name_of_case, errors)
                continue
            data = hex_bytes(rows[0][0])
            shown = [row[0] if row else "" for row in rows[1:]]
            reader = compare(name_of_case, data, shown, keys)
            if reader is not None:
                if reader.cardinality != n or rows[0][1] != str(n):
                    report(name_of_case, f"{reader.cardinality} keys, {rows[0][1]}")
                yield reader, data


def seen(made):
    """Have the builders made use of all that the document describes?"""
    readers = [reader for reader, _ in made]
    planes = [plane for reader in readers for plane in reader.planes]
    for what, found in (
            ("two planes", any(len(r.planes) == 2 and not r.codes for r in readers)),
            ("codes", any(r.codes and not r.codes.front and r.columns == 0 for r in readers)),
            ("codes behind a filter", any(r.codes and r.codes.front for r in readers)),
            ("codes and check bits", any(r.codes and r.columns > 0 for r in readers)),
            ("a plane in front of a filter that has no bits", any(r.codes and r.is_bare for r in readers)),
            ("a plane without columns", any(p.is_bare and p.cardinality > 0 for p in planes)),
            ("an empty map", any(r.cardinality == 0 for r in readers)),
            ("unchecked", any(r.columns == 0 for r in readers)),
            ("wide blocks and zones", any(p.wide > 0 and p.layers for p in planes)),
            ("bumped layers", any(p.layers for p in planes)),
            ("a dictionary with NULL", any(r.texts and r.has_null for r in readers)),
            ("a seed", any(r.seed for r in readers)),
            ("a base below 0", any(r.base < 0 for r in readers))):
        report(f"seen: {what}", None if found else "in no map")


def made_up(rng):
    """A map that keeps most rules, of few keys, and random slots."""
    value_bits, keys = rng.choice((0, 1, 3, 8, 20, 60, 64, 65)), rng.choice((0, 1, 3, 40))
    checked, extra = rng.random() < 0.5, rng.random() < 0.2
    a = rng.choice((1, 2, 8, 30)) if checked and keys else int(checked)
    data = bytes([0x11, 0x81, 4 | (not checked) << 3 | extra << 5])
    if checked:
        data += ((a - 1) << 11).to_bytes(2, "little")
    data += varint(keys) + bytes([rng.choice((1, 2, 3, 4, 4, 4, 8)), value_bits | rng.randrange(4) // 3 << 7])
    data += varint(rng.getrandbits(rng.choice((3, 20, 64))))
    if extra:
        data += bytes([rng.choice((0, 2, 254, 1)), 3]) + random_bytes(rng, 3)
    left, at = value_bits, 0
    while keys > 0 and left + a > 0 and at < 2:
        here = min(left, 56 - a)
        slots = keys + rng.randrange(3)
        bits = slots * (a + here)
        seed = rng.randrange(16)
        data += varint(slots - keys) + bytes([seed]) if at == 0 else bytes([2 | seed << 4]) + varint(slots - keys)
        data += random_bytes(rng, (bits + 7) // 8)
        left, a, at = left - here, 0, at + 1
    return data


def answers(data):
    """What the reader says of these bytes, for compare_bytes()."""
    reader = read(data)
    if reader is None:
        return "none"
    if reader.key_class not in CANONICAL:                   # SQL knows no others, but 0 is that of no keys
        return None if reader.key_class == 0 and reader.cardinality == 0 else "none"
    if reader.key_class != 1:
        return "other keys"
    if reader.value_class >= 5:
        return None                                         # times, which SQL shows as such
    hashes = [hash_key(1, i, reader.seed) for i in range(30)]
    return ",".join(text_of(reader, reader.value(reader.get_hash(h))) for h in hashes)


def worked_example():
    """The page of examples."""
    rows, errors = rows_and_errors("SELECT ribbon_map(k, k * 10 + 5, 1)::bytea FROM generate_series(1::bigint, 5) k")
    with open("docs/format_examples.md", encoding="utf-8") as file:
        documented = file.read().split("## A map")[1].split("```")[1].strip()
    if not rows or rows[0][0] != "\\x" + documented.replace(" ", ""):
        report("worked example", f"{rows} {errors}")
        return
    reader = Map(hex_bytes(rows[0][0]))
    report("worked example", None if [reader.get(k) for k in range(1, 6)] == [15, 25, 35, 45, 55] else "values")


def main():
    _, errors = rows_and_errors("""
        CREATE EXTENSION IF NOT EXISTS ribbon;
        CREATE TYPE fruit AS ENUM ('apple', 'plum', 'äpfel')""")
    if errors:
        report("set up", errors)
        return

    worked_example()
    made = list(shapes())
    seen(made)

    rng = random.Random(1)
    small = [data for _, data in made if len(data) < 4000]
    for name, blobs in (("altered", [altered(rng, rng.choice(small)) for _ in range(6000)]),
                        ("made up", [made_up(rng) for _ in range(1500)]),
                        ("cut short, longer or whole", [data[:rng.randrange(len(data))] for data in small]
                         + [data + b"\0" for data in small] + small)):
        compare_bytes(DATABASE, name, blobs, "ribbonmap", "coalesce(x ->> i::bigint, '')", 30, answers)


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
