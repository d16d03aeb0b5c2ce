#!/usr/bin/python3
"""test_hostile_maps.py - does the server survive maps that no builder wrote?

Takes maps of many shapes, changes their headers, dictionaries, planes and
lengths, and sends them in by every way there is: a cast, text input, binary
COPY, and, past validation, as the stored bytes of a damaged table.  The ways
must agree on what is a map and refuse the rest with the right SQLSTATE; and
every function must cope with what got in.

usage: test/run.sh python/test_hostile_maps

The server is found through PGHOST and its kin; the extension must be installed.
That no process of it crashed is seen by test/lib/cluster.sh, too, in its log.
"""

import random

from hostile_values import HostileValues
from made_up import random_bytes
from psql_script import UTF8, hex_bytes, new_database
from reports import finish, report

DATABASE = "ribbon_hostile_maps"
MAPS = HostileValues("ribbonmap", DATABASE)
WANTED = 3000

# Maps to start from: keys, values, and the numbers of keys to make them of.
STARTS = [(keys, values, options, n)
          for keys, values in (
              ("i", "i % 100"), ("i", "CASE WHEN i % 3 > 0 THEN i * 1000 END"), ("i", "i % 2 = 0"),
              ("i", "(ARRAY['free', 'pro', 'max'])[1 + i % 3]::plan"), ("i::text", "'value ' || i % 300"),
              ("i", "CASE WHEN i % 3 > 0 THEN repeat('x', i % 50) END"), ("i", "date '2026-01-01' + i"), ("i", "ribbon_hash(i)"),
              ("md5(i::text)::uuid", "i::int2"), ("i", "7"), ("i", "NULL::plan"), ("i", "ARRAY[i % 5, NULL]"),
              ("i", "timestamptz '2026-01-01' + i * interval '1s'"))
          for options in ("0.01", "0.3, 'seed=77'", "1, 'width=128'", "0.0000001, 'width=32'")
          for n in (0, 3, 60, 1000)] + [("i", "'value ' || i", "0.01", 6000), ("i", "i % 7", "0.5", 16000)]

# Everything that can be done with a map.
USES = (
    "SELECT count($1 ->> k) FROM generate_series(-50, 50) k",
    "SELECT count($1 ->> k::text) FROM generate_series(1, 50) k",
    "SELECT count($1 ->> md5(k::text)::uuid) FROM generate_series(1, 50) k",
    "SELECT sum($1 -> k) FROM generate_series(1, 50) k",
    "SELECT count(*) FROM generate_series(1, 50) k WHERE $1 @> k OR k <@ $1",
    "SELECT count(ribbon_get($1, k, 0)) FROM generate_series(1, 50) k",
    "SELECT count(ribbon_get($1, k, NULL::plan)) FROM generate_series(1, 50) k",
    "SELECT count(ribbon_get($1, k::text, '')) FROM generate_series(1, 50) k",
    "SELECT count(ribbon_get($1, k, NULL::date)) FROM generate_series(1, 50) k",
    "SELECT count(ribbon_get($1, k, now())) FROM generate_series(1, 50) k",
    "SELECT ribbon_cardinality($1), ribbon_fpr($1)",
    "SELECT ribbon_stats($1)",
    "SELECT ribbon_check($1)",
    "SELECT $1 = $1, $1 < $1",
    "SELECT count(*) FROM (SELECT DISTINCT m FROM (VALUES ($1), ($1)) v (m)) s",
    "SELECT $1::text, $1::bytea",
    "SELECT ($1::text)::ribbonmap, ($1::bytea)::ribbonmap",
)


def varint(data, at):
    """The varint there, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def header_end(data):
    """About where a map's slots begin: behind its dictionary and a plane's header."""
    end = 3 if data[2] & 8 else 5                           # unchecked, or two bytes of check bits
    _, end = varint(data, end)                              # keys
    values, end = data[end], end + 2
    if values & 0x40:
        end += 4
    if values & 0x80:
        size, end = varint(data, end)
        end += size
    return min(end + 30, len(data))


def mutations(rng, data):
    """The bytes of a map with something changed, mostly in its headers and its dictionary."""
    end = header_end(data)
    for _ in range(40):
        at = rng.randrange(end)
        kind = rng.randrange(6)
        if kind <= 2:
            yield data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
        elif kind == 3:
            yield data[:at] + bytes([rng.choice((0, 1, 127, 128, 255))]) + data[at + 1:]
        elif kind == 4:
            yield data[:at] + rng.choice((b"\x80\x00", b"\xff\xff\xff\xff\x0f", b"\xff" * 10, b"")) + data[at + 1:]
        else:
            yield data[:at] + random_bytes(rng, rng.randrange(1, 9)) + data[at:]
    yield data[:end] + random_bytes(rng, len(data) - end)
    yield data[:end] + b"\xff" * (len(data) - end)
    yield data[:rng.randrange(len(data))]
    yield data + random_bytes(rng, rng.randrange(1, 20))


def blobs_of(rng, made):
    altered = [blob for data in made for blob in mutations(rng, data)]
    altered = rng.sample(altered, min(WANTED, len(altered)))
    # the beginning of one map with the end of another
    for _ in range(200):
        left, right = rng.choice(made), rng.choice(made)
        altered.append(left[:rng.randrange(header_end(left))] + right[rng.randrange(header_end(right)):])
    for _ in range(300):
        head = bytes([2 | rng.randrange(16) << 4, rng.randrange(9), rng.randrange(70)])
        altered.append(head + random_bytes(rng, rng.randrange(60)))
    altered += [random_bytes(rng, rng.randrange(60)) for _ in range(50)]
    return altered + made


def main():
    errors = MAPS.set_up("CREATE TYPE plan AS ENUM ('free', 'pro', 'max');", USES)
    if errors:
        report("set up", errors)
        return
    rows, errors = MAPS.psql("".join(f"SELECT ribbon_map({keys}, {values}, {options})::bytea FROM generate_series(1, {n}) i;\n"
                                for keys, values, options, n in STARTS))
    made = [hex_bytes(row[0]) for row in rows]
    if errors or len(made) != len(STARTS):
        report("maps to start from", errors)
        return

    rng = random.Random(1)
    blobs = blobs_of(rng, made)
    originals = set(made)
    good = MAPS.cast_and_text(blobs, lambda blob, state: state == "ok" or state == "22P03" and blob not in originals)
    report("some altered ones get in", None if len(good) > len(made) else len(good))
    maps = set(good)
    MAPS.binary_copy(rng.sample(blobs, 600), lambda blob, state: state == ("ok" if blob in maps else "22P03"))
    MAPS.constants(rng.sample(good, 300),
                   lambda constant: f"SELECT {constant} ->> i FROM numbers WHERE {constant} @> i")

    # a key or an answer of another class, and a label that the type does not have;
    # bytes that were never looked at may be found out, or have text that is not in the encoding
    MAPS.use_all(good, blobs, {"ok", "42804", "22P02"}, {"XX001", "22P03", "22021"})


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
