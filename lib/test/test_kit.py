#!/usr/bin/python3
"""test_kit.py - test/golden/kit_1.txt: keys, hashes, filters, maps and answers, for writers of readers

test/golden/README.md explains its lines.  Canonical bytes are made here, by the
words of docs/canonical.md, and hashed by another library of xxHash; filters and
maps are what the command builds.  All must be what the file says.

usage: test/run.sh lib/test_kit, or lib/test/test_kit.py --write
"""

import math
import os
import struct
import subprocess
import sys
import tempfile
import uuid

import xxhash

sys.path.insert(0, "test/lib")
from reports import compare, finish

RIBBON = os.path.abspath("build/lib/ribbon")
KIT = "test/golden/kit_1.txt"
LIMIT = 120
ASKED = 1000    # non-members behind the keys that are asked for

# type, text, canonical bytes
KEYS = (
    *(("integer", str(i), struct.pack("<q", i)) for i in (0, 1, -1, 42, 2**31, -2**63, 2**63 - 1)),
    *(("text", text, text.encode()) for text in ("", "a", "key 1", "ünïcödé", " blanks ")),
    *(("text", "x" * n, b"x" * n) for n in (16, 17, 128, 129, 240, 241, 1025)),     # where XXH3 changes its ways
    *(("char", text, text.rstrip(" ").encode()) for text in ("a", "a  ", "")),
    *(("bytea", "\\x" + bytes_.hex(), bytes_) for bytes_ in (b"", b"\0", bytes(range(20)))),
    *(("uuid", text, uuid.UUID(text).bytes) for text in ("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", str(uuid.UUID(int=0)))),
    ("boolean", "true", b"\1"), ("boolean", "false", b"\0"),
    *(("date", text, struct.pack("<i", days)) for text, days in (
        ("2000-01-01", 0), ("1970-01-01", -10957), ("2024-02-29", 8825), ("4714-11-24 BC", -2451545),
        ("infinity", 2**31 - 1), ("-infinity", -2**31))),
    *(("time", text, struct.pack("<q", us)) for text, us in (
        ("00:00:00", 0), ("12:34:56.789", 45296789000), ("24:00:00", 86400000000))),
    *(("timestamp", text, struct.pack("<q", us)) for text, us in (
        ("2000-01-01 00:00:00", 0), ("1999-12-31 23:59:59.999999", -1), ("infinity", 2**63 - 1), ("-infinity", -2**63))),
    *(("timestamptz", text, struct.pack("<q", us)) for text, us in (
        ("2000-01-01 00:00:00+00", 0), ("2000-01-01 02:00:00+02", 0), ("1999-12-31 18:30:00-05:30", 0),
        ("infinity", 2**63 - 1))),
    *(("oid", str(i), struct.pack("<I", i)) for i in (0, 1, 2**32 - 1)),
    *(("float", text, struct.pack("<d", number)) for text, number in (
        ("0", 0.0), ("-0", 0.0), ("1.5", 1.5), ("-1e300", -1e300), ("5e-324", 5e-324), ("Infinity", math.inf))),
    ("float", "NaN", struct.pack("<Q", 0x7FF8000000000000)),
    ("macaddr", "08:00:2b:01:02:03", bytes.fromhex("08002b010203")),
    ("macaddr8", "08:00:2b:01:02:03:04:05", bytes.fromhex("08002b0102030405")),
    *(("numeric", text, shortest.encode()) for text, shortest in (
        ("1.0", "1"), ("1.50", "1.5"), ("-0.00", "0"), ("100", "100"), ("1e2", "100"), ("0.0010", "0.001"),
        ("-12.34", "-12.34"),
        ("NaN", "NaN"), ("Infinity", "Infinity"), ("-Infinity", "-Infinity"))),
    ("enum", "happy", b"happy"),
    ("xid8", "18446744073709551615", struct.pack("<Q", 2**64 - 1)), ("pg_lsn", "16/B374D848", struct.pack("<Q", 0x16B374D848)),
)

# type of keys, rate, kind, width, number of keys
FILTERS = (
    ("integer", "0.01", "burr", 0, 0), ("integer", "0.01", "burr", 0, 1), ("integer", "0.0625", "burr", 64, 5),
    ("text", "0.01", "burr", 0, 100), ("integer", "0.001", "homogeneous", 0, 100), ("integer", "0.3", "burr", 32, 500),
    ("integer", "0.01", "burr", 128, 500), ("integer", "0.01", "auto", 0, 300), ("text", "0.00000001", "burr", 0, 100),
    ("numeric", "0.05", "homogeneous", 128, 200), ("integer", "0.5", "burr", 0, 3000),
    ("integer", "0.0078125", "burr", 0, 1000),
)

# type of keys, type of values, rate, seed, values of the keys 1, 2, ...
MAPS = (
    ("integer", "bigint", "1", 0, ["15", "25", "35", "45", "55"]),
    ("integer", "bigint", "0.01", 7, [str(i * i - 50) for i in range(1, 101)]),
    ("integer", "bigint", "0.01", 0, ["-9223372036854775808", "9223372036854775807", "0"]),
    ("text", "integer", "0.01", 4294967295, [str(i % 7) if i % 5 else "\\N" for i in range(1, 61)]),
    ("integer", "smallint", "0.001", 0, [str(i % 3 - 1) for i in range(1, 201)]),
    ("integer", "boolean", "1", 0, ["true" if i % 3 else "false" for i in range(1, 301)]),
    ("integer", "date", "0.01", 0, ["2024-02-29", "1999-12-31", "\\N"]),
    ("integer", "timestamp", "0.01", 0, ["2024-02-29 12:34:56.5", "2000-01-01 00:00:00"]),
    ("integer", "timestamptz", "0.01", 0, ["2024-02-29 12:34:56+00", "infinity"]),
    ("text", "text", "0.01", 0, [("red", "green", "", "blå", "\\N")[i % 5] for i in range(1, 101)]),
    ("integer", "text", "1", 3, ["only"] * 20),
    # codes by frequency: with a filter in front, and of many lengths
    ("integer", "smallint", "1", 0, [str(i if i % 20 == 0 else 7) for i in range(1, 1001)]),
    ("integer", "text", "0.01", 0, [f"v{(i & -i).bit_length()}" for i in range(1, 601)]),
)

# type of keys, number of keys, every how many is a member; below 0, which ones are not
EXACT = (("integer", 0, 1), ("integer", 50, 1), ("integer", 1000, 2), ("integer", 2000, 70), ("text", 300, 10),
         ("integer", 50, -1), ("integer", 1000, -3), ("integer", 2000, -70), ("text", 300, -10))
# a column alone, a filter alone, both; rates that are no powers of two, above 0.25, and lower than was asked for
RATED = (("integer", "0.1", 0, 1), ("integer", "0.01", 50, 1), ("integer", "0.5", 300, 2), ("text", "0.01", 300, 10),
         ("integer", "0.3", 300, 2), ("integer", "0.4", 50, 1), ("integer", "0.00390625", 1000, -3),
         ("text", "0.0000152587890625", 100, 2), ("integer", "0.25", 2000, 70))


def ribbon(*arguments, stdin=b""):
    done = subprocess.run([RIBBON, *arguments], input=stdin, capture_output=True, timeout=LIMIT, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())
    return done.stdout


def lines(numbers):
    return "".join(f"{number}\n" for number in numbers).encode()


def key_lines():
    for type_, text, canonical in KEYS:
        yield "\t".join(("key", type_, text, canonical.hex(), f"{xxhash.xxh3_64_intdigest(canonical):016x}",
                         f"{xxhash.xxh64_intdigest(canonical):016x}"))


def filter_lines(name):
    for type_, fpr, kind, width, n in FILTERS:
        ribbon("build", "-k", type_, "-f", fpr, "--kind", kind, "--width", str(width), "-o", name,
               stdin=lines(range(1, n + 1)))
        positives = ribbon("test", name, stdin=lines(range(n + 1, n + 1 + ASKED))).decode().split()
        with open(name, "rb") as file:
            yield "\t".join(("filter", type_, fpr, kind, str(width), str(n), file.read().hex(), ",".join(positives)))


def map_lines(name):
    for type_, value_type, fpr, seed, values in MAPS:
        n = len(values)
        ribbon("map", "-k", type_, "-v", value_type, "-f", fpr, "--seed", str(seed), "--null", "\\N", "-o", name,
               stdin="".join(f"{i}\t{value}\n" for i, value in enumerate(values, 1)).encode())
        asked = range(n + 1, n + 1 + (ASKED if fpr != "1" else 10))
        answers = ribbon("get", "-d", "=", name, stdin=lines(asked)).decode().split("\n")
        with open(name, "rb") as file:
            yield "\t".join(("map", type_, value_type, fpr, str(seed), ",".join(values), file.read().hex(),
                             ",".join(answers[:-1])))


def build_exact(name, type_, n, every, *options):
    """A set in a file of that name; its bytes, in hexadecimal digits."""
    members = [i for i in range(1, n + 1) if (i % every == 0) == (every > 0)]
    ribbon("exact", "-k", type_, *options, "-o", name,
           stdin="".join(f"{i}\t{'t' if i in members else 'f'}\n" for i in range(1, n + 1)).encode())
    compare(f"an exact set of {n} keys makes no mistake", ribbon("test", name, stdin=lines(range(1, n + 1))),
            lines(members))
    with open(name, "rb") as file:
        return file.read().hex()


def exact_lines(name):
    for type_, n, every in EXACT:
        yield "\t".join(("exact", type_, str(n), str(every), build_exact(name, type_, n, every)))
    for type_, fpr, n, every in RATED:
        bytes_ = build_exact(name, type_, n, every, "--fpr", fpr)
        positives = ribbon("test", name, stdin=lines(range(n + 1, n + 1 + ASKED))).decode().split()
        yield "\t".join(("rated", type_, fpr, str(n), str(every), bytes_, ",".join(positives)))


def main():
    with tempfile.TemporaryDirectory(prefix="ribbon.") as directory:
        name = os.path.join(directory, "f")
        made = [*key_lines(), *filter_lines(name), *map_lines(name), *exact_lines(name)]
    if sys.argv[1:] == ["--write"]:
        with open(KIT, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in made)
        return
    with open(KIT, encoding="utf-8") as file:
        there = file.read().split("\n")[:-1]
    for kind in ("key", "filter", "map", "exact", "rated"):
        compare(f"the kit's lines of kind {kind}", [line for line in made if line.startswith(kind + "\t")],
                [line for line in there if line.startswith(kind + "\t")])
    compare("that is all", len(there), len(made))
    finish()


if __name__ == "__main__":
    main()
