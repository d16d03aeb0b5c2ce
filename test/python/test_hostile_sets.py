#!/usr/bin/python3
"""test_hostile_sets.py - bytes that are no ribbonkeys, and ribbonkeys that no key has

Sets of hashes are changed, cut and made up, and sent in by a cast, as text and
as binary COPY.  A reader written from docs/canonical.md says what is a set; the
ways in must agree with it.  Then they are the stored bytes of a damaged table,
which every function must cope with.  Ribbonkeys likewise, by their two ways in.

usage: test/run.sh python/test_hostile_sets
"""

import base64
import os
import random
import struct
import tempfile

from hostile_values import copy_file, copy_rows
from psql_script import error_of, new_database, psql, rows_and_errors
from reports import check, compare, finish

DATABASE = "ribbon_hostile_sets"
SEED = 20260101
rng = random.Random(SEED)
WITH_PARTS = (23, 24, 25, 26)
CLASSES = set(range(1, 30))         # those that keys can have

SET_UP = """
SET client_min_messages = warning;
CREATE EXTENSION ribbon;
CREATE FUNCTION state(statement text, bytes bytea, OUT result text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement INTO result USING bytes;
EXCEPTION WHEN OTHERS THEN
	result := SQLSTATE;
END $$;
CREATE FUNCTION state_of_set(statement text, s ribbonkeys, OUT result text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement INTO result USING s;
	result := 'ok';
EXCEPTION WHEN OTHERS THEN
	result := SQLSTATE;
END $$;
"""
USES = ["ribbon_cardinality($1)", "ribbon_check($1)", "$1::text", "$1::bytea", "ribbonkeys_send($1)", "($1::bytea)::ribbonkeys",
        "ribbon_build_keys($1)", "ribbon_build_keys($1, 0.1, 'kind=auto')", "ribbon_build_keys_finalfn($1)"]


def is_class(number):
    """Is it a key class with classes of its parts?"""
    if number < 0 or number >> 20 or number % 32 not in CLASSES:
        return False
    while number >= 32:
        if number % 32 == 26:
            return True
        if number % 32 not in WITH_PARTS:
            return False
        number >>= 5
    return True


def read(data):
    """The number of hashes of a set; None if these bytes are none."""
    if len(data) < 16 or data[0] != 0xA1 or data[1] > 1:
        return None
    key_class, n = struct.unpack_from("<IQ", data, 4)
    header = 24 if data[1] else 16
    if len(data) < header or n > 2**16 or (key_class == 0 and n > 0) or (key_class != 0 and not is_class(key_class)):
        return None
    if data[1]:
        rate, = struct.unpack_from("<d", data, 16)
        if data[2] > 2 or data[3] not in (0, 32, 64, 128) or not 2**-32 <= rate <= 0.5:
            return None
    elif data[2] or data[3]:
        return None
    k = n.bit_length() - 1 if n else 0
    nhigh, nlow = (n + 2**k if n else 0), n * (64 - k)
    middle = header + (nhigh + 7) // 8
    if len(data) != middle + (nlow + 7) // 8:
        return None
    high, low = int.from_bytes(data[header:middle], "little"), int.from_bytes(data[middle:], "little")
    if high >> nhigh or low >> nlow or bin(high).count("1") != n:
        return None
    last, cell, i = -1, 0, 0
    for at in range(nhigh):
        if not high >> at & 1:
            cell += 1
            continue
        value = cell << (64 - k) | low >> i * (64 - k) & 2**(64 - k) - 1
        if cell >> k or value <= last:
            return None
        last, i = value, i + 1
    return n


def changed(data):
    """These bytes, with something else about them."""
    data = bytearray(data)
    what = rng.randrange(8)
    if what == 0:
        return bytes(data[:rng.randrange(len(data) + 1)])
    if what == 1:
        return bytes(data) + rng.randbytes(rng.randrange(1, 9))
    if what == 2:
        n = rng.choice((0, 1, 2, 2**16, 2**31, 2**48, 2**63, 2**64 - 1, rng.getrandbits(64)))
        data[8:16] = struct.pack("<Q", n)
    elif what == 3:
        data[rng.randrange(min(24, len(data)))] ^= 1 << rng.randrange(8)
    elif what == 4:
        data[4:8] = struct.pack("<I", rng.choice((0, 1, 2, 30, 31, 32, 23 + 32, 26 + 31 * 32, 2**20, 2**31, 2**32 - 1)))
    else:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def binary_copy(table, column_type, blobs):
    """The SQLSTATE of a binary COPY of each."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        script = f"CREATE TEMP TABLE {table} (v {column_type});\n\\set VERBOSITY terse\n"
        for i, blob in enumerate(blobs):
            with open(f"{directory}/{i}", "wb") as file:
                file.write(copy_file([(len(blob), blob)]))
            script += f"COPY {table} FROM '{directory}/{i}' WITH (FORMAT binary);\n\\echo :SQLSTATE\n"
        rows, _ = rows_and_errors(script)
        return [row[0] for row in rows if len(row[0]) == 5]


def try_sets():
    starts = [bytes.fromhex(line[2:]) for line in psql(
        "SELECT ribbon_keys(i)::bytea FROM unnest('{1,2,3,5,8,64,100}'::int[]) AS n, generate_series(1, n) AS i GROUP BY n"
        " UNION ALL SELECT ribbon_keys(i::text)::bytea FROM generate_series(1, 1000) AS i"
        " UNION ALL SELECT ribbon_keys(NULL::int)::bytea UNION ALL SELECT ribbon_keys(ARRAY[i])::bytea FROM generate_series(1, 9) AS i"
    ).split("\n")]
    starts.append(bytes.fromhex("a1010040") + starts[3][4:16] + struct.pack("<d", 0.01) + starts[3][16:])
    blobs = starts + [changed(rng.choice(starts)) for _ in range(3000)]
    blobs += [rng.randbytes(rng.randrange(40)) for _ in range(100)]
    expected = ["22P03" if read(blob) is None else str(read(blob)) for blob in blobs]
    check("there are sets and others", 100 < sum(e != "22P03" for e in expected) < 2900, expected.count("22P03"))
    psql("CREATE TABLE blobs (i int, b bytea);" + copy_rows("blobs", blobs))
    cast = psql("SELECT state('SELECT ribbon_cardinality($1::ribbonkeys)', b) FROM blobs ORDER BY i").split("\n")
    wrong = [(blobs[i].hex(), cast[i], expected[i]) for i in range(len(blobs)) if cast[i] != expected[i]]
    check(f"casts: {len(blobs)} strings of bytes, as the reader has it", not wrong, wrong[:3])
    text = psql("SELECT state('SELECT ribbon_cardinality(replace(encode($1, ''base64''), chr(10), '''')::ribbonkeys)', b)"
                " FROM blobs ORDER BY i").split("\n")
    compare("text: the same", text, cast)
    some = list(range(0, len(blobs), 15))
    copied = binary_copy("copied", "ribbonkeys", [blobs[i] for i in some])
    compare("binary: the same", copied, ["22P03" if expected[i] == "22P03" else "00000" for i in some])
    again = psql("SELECT count(*) FROM blobs WHERE state('SELECT $1::ribbonkeys::text::ribbonkeys::bytea', b) NOT IN (b::text, '22P03')")
    compare("what is a set comes back as it was", again, "0")
    check("base64 that is none", all(error_of(f"SELECT '{bad}'::ribbonkeys") for bad in (
        "=", "====", "oQ", "oQA", "oQ==\n", "é", base64.b64encode(starts[0]).decode().rstrip("="), "A" * 5000)), "taken")

    for storage in ("external", "plain"):
        table = f"damaged_{storage}"
        psql(f"CREATE TABLE {table} (i int, s bytea); ALTER TABLE {table} ALTER s SET STORAGE {storage};"
             f"{copy_rows(table, blobs)}"
             f"UPDATE pg_attribute SET atttypid = 'ribbonkeys'::regtype WHERE attrelid = '{table}'::regclass AND attname = 's';")
        for use in USES:
            found = psql(f"SELECT DISTINCT state_of_set($q$SELECT {use}$q$, s) FROM {table} ORDER BY 1").split("\n")
            check(f"damaged, {storage}: {use}", set(found) <= {"ok", "XX001", "22P03"}, found)


def try_keys():
    start = bytes.fromhex(psql("SELECT ribbonkey_send(ribbon_key(42))")[2:])
    blobs = [start, start[:-1], start + b"\0", b""]
    numbers = (0, 1, 22, 30, 31, 23, 23 + 32, 23 + 32 * 23, 1 + 32, 2**20, 2**31)
    blobs += [struct.pack(">I", rng.choice(numbers + (rng.getrandbits(20),))) + rng.randbytes(16) for _ in range(60)]
    expected = ["00000" if len(b) == 20 and is_class(int.from_bytes(b[:4], "big")) else "22P03" for b in blobs]
    compare("ribbonkeys in binary", binary_copy("keys", "ribbonkey", blobs), expected)
    whole = [b for b in blobs if len(b) == 20]
    psql("CREATE TABLE key_blobs (i int, b bytea);" + copy_rows("key_blobs", whole))
    text = psql("SELECT left(state('SELECT ribbonkey_send($1::text::ribbonkey)', b), 5) FROM key_blobs ORDER BY i").split("\n")
    compare("ribbonkeys as text", [t if t == "22P03" else "00000" for t in text],
            ["00000" if is_class(int.from_bytes(b[:4], "big")) else "22P03" for b in whole])
    found = psql("SELECT DISTINCT coalesce(state('SELECT (ribbon_stats(ribbon_build($1::text::ribbonkey))).keys::text', b), 'null') FROM key_blobs")
    compare("any of them can be built from", sorted(found.split("\n")), ["1", "22P03"])


print(f"# seed {SEED}")
with new_database(DATABASE):
    psql(SET_UP)
    try_sets()
    try_keys()
finish()
