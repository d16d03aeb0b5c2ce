#!/usr/bin/python3
"""test_hostile_keys.py - what if users choose their keys so that filters suffer?

The key hash is public, and for 8 bytes a bijection: int8 keys with any hashes
can be computed.  Text keys take some search: of the 8-byte strings whose hashes
agree in their top 40 bits, one in 2,700 is printable, and they are found by
undoing the hash.  bytea keys of 32 bytes can agree in all 64 bits.

Of such keys a filter must hold every one, be about as large as one of as many
random keys, and say yes to non-members as rarely.  An exact set finds a seed
that tells its keys apart, or says that there is none.

usage: test/run.sh python/test_hostile_keys

The server is found through PGHOST and its kin; the extension must be installed.
"""

import hashlib
import itertools
import random
import struct

import xxhash
from inverse_hash import at_seed, eight_bytes, int8_key, mix, unmix
from psql_script import UTF8, new_database, rows_and_errors
from reports import finish, report

DATABASE = "ribbon_hostile_keys"
M64 = 2**64 - 1
PRINTABLE = set(range(33, 127)) - set(b"'\\")
COUNT = 3000                    # int8 keys in a filter
TEXTS = 300                     # text keys
NONMEMBERS = 30000

LARGER = 1.05                   # than with random keys
EXCESS = 1.3


def families(rng):
    """Names and hashes: each family aims at something."""
    def low(bits):
        return rng.getrandbits(bits)
    yield "random", [low(64) for _ in range(COUNT)]
    yield "equal top 8 bits", [0xA5 << 56 | low(56) for _ in range(COUNT)]
    yield "equal top 16 bits", [0xA5A5 << 48 | low(48) for _ in range(COUNT)]
    yield "equal top 40 bits, one start", [0x123456789A << 24 | low(24) for _ in range(COUNT)]
    yield "equal high halves", [0xDEADBEEF << 32 | low(32) for _ in range(COUNT)]
    yield "equal low halves", [low(32) << 32 | 0xDEADBEEF for _ in range(COUNT)]
    yield "an arithmetic sequence", [i * (M64 // COUNT) for i in range(COUNT)]
    yield "0, 1, 2, ...", list(range(COUNT))
    yield "one place in layer 1", [unmix(low(64) >> 12) - 0x9E3779B97F4A7C15 & M64 for _ in range(COUNT)]
    yield "one place for every seed", [at_seed(low(24), i % 16) for i in range(COUNT)]


def text_keys(rng):
    """Printable strings whose hashes agree in their top 40 bits."""
    found = set()
    while len(found) < TEXTS:
        key = eight_bytes(0x123456789A << 24 | rng.getrandbits(24))
        if PRINTABLE.issuperset(key):
            found.add(key.decode())
    return sorted(found)


def bytea_keys():
    """32 bytes each, all with one hash: the first half-product is with 0, whatever its other factor."""
    secret = bytes.fromhex("b8fe6c3923a44bbe")
    tail = bytes(16)
    return [secret + struct.pack("<Q", i) + tail for i in range(1000)]


def check(name, kind, row, usual_bytes):
    count, missing, nbytes, rate, positives = (float(field) for field in row)
    limit = LARGER * usual_bytes + 12 if usual_bytes else nbytes
    bound = EXCESS * rate * NONMEMBERS
    why = None
    if missing or not abs(rate / 0.01 - 1) < 0.005:
        why = f"{missing} of {count} keys missing, rate {rate}"
    elif nbytes > limit:
        why = f"{nbytes} bytes, more than {limit}"
    elif positives > bound:
        why = f"{positives} positives among {NONMEMBERS} non-members, more than {bound}"
    report(f"{name}, {kind}", why)
    return nbytes


def compare(title, column, sets):
    """Build of each set, the first being random keys, with every kind and width."""
    script = "".join(f"DROP TABLE IF EXISTS set_{i};\nCREATE TABLE set_{i} (k {column});\nCOPY set_{i} FROM STDIN;\n" +
                     "".join(f"{key}\n" for key in keys) + "\\.\n" for i, (_, keys) in enumerate(sets))
    nonmembers = {"bigint": "hashint8extended(i, 7)", "text": "md5(i::text)"}[column]
    cases = list(itertools.product(("burr", "homogeneous"), (32, 64, 128), range(len(sets))))
    for kind, width, i in cases:
        script += f"""
            WITH built AS MATERIALIZED (SELECT ribbon_build(k, 0.01, 'kind={kind}, width={width}') AS f FROM set_{i})
            SELECT (SELECT count(*) FROM set_{i}), (SELECT count(*) FROM set_{i} WHERE NOT f @> k),
                   length(f::bytea), ribbon_fpr(f),
                   (SELECT count(*) FROM generate_series(1, {NONMEMBERS}) AS i WHERE f @> ({nonmembers}))
              FROM built;"""
    rows, errors = rows_and_errors(script, DATABASE)
    if errors or len(rows) != len(cases):
        report(title, f"{len(rows)} answers for {len(cases)} {errors}")
        return
    usual = None
    for (kind, width, i), row in zip(cases, rows):
        nbytes = check(f"{title}: {sets[i][0]}, width {width}", kind, row, usual if i else None)
        if i == 0:
            usual = nbytes


def check_hashes(int8s, texts):
    """Has the server the hashes that the keys were made for?"""
    rows, errors = rows_and_errors(f"""
        SELECT ribbon_hash(k) FROM unnest(ARRAY[{",".join(f"'{key}'" for key in int8s)}]::bigint[]) k;
        SELECT count(*), min(ribbon_hash(k) >> 24), max(ribbon_hash(k) >> 24)
          FROM unnest(ARRAY[{",".join(f"'{key}'" for key in texts)}]) k""", DATABASE)
    wanted = [[str(h - 2**64 if h >> 63 else h)] for h in range(2**64 - 3, 2**64)]
    same = [str(TEXTS), str(0x123456789A), str(0x123456789A)]
    report("keys have the hashes they were made for", None if rows == wanted + [same] else f"{rows} {errors}")


def equal_hashes():
    """Keys that cannot be told apart are one key."""
    keys = bytea_keys()
    values = ",".join(f"'\\x{key.hex()}'::bytea" for key in keys)
    hashes = {xxhash.xxh3_64_intdigest(key) for key in keys}
    rows, errors = rows_and_errors(f"""
        SELECT ribbon_cardinality(f), (SELECT count(*) FROM unnest(ARRAY[{values}]) k WHERE f @> k)
          FROM (SELECT ribbon_build(k) f FROM unnest(ARRAY[{values}]) k) s""", DATABASE)
    report(f"{len(keys)} bytea keys with {len(hashes)} hash",
           None if rows == [["1", str(len(keys))]] and len(hashes) == 1 else f"{len(hashes)} {rows} {errors}")


def next_seed(*hashes):
    """The seed after one, or that of a set of these hashes."""
    return int.from_bytes(hashlib.blake2b(struct.pack(f"<{len(hashes)}Q", *hashes), digest_size=8).digest()[:4], "little")


def second_hash(key, other, seed):
    """That of the other, which has this first hash, if the two hashes of a key give the same under a seed."""
    move = seed * 0x9E3779B97F4A7C15
    return (unmix(key[0] ^ other ^ mix((key[1] >> 1) + move & M64)) - move) * 2


def equal_under_seeds(nseeds):
    """Two keys have one hash, and two others under each of the seeds that would be next."""
    keys = [(i, i) for i in range(100)]
    seed = next_seed(*range(100))
    for i in range(0, 2 * nseeds, 2):
        while second_hash(keys[i], i + 1, seed) % 2**65 > M64:     # it has a bit too many
            keys[i] = i, keys[i][1] + 2
        keys[i + 1] = i + 1, second_hash(keys[i], i + 1, seed) & M64
        seed = next_seed(seed)
    values = ",".join(f"('\\x00000001{first:016x}{second:016x}'::ribbonkey, {first % 3 == 0})"
                      for first, second in [*keys, (0, 9)])
    rows, errors = rows_and_errors(f"""
        WITH keys(k, member) AS MATERIALIZED (VALUES {values})
        SELECT (SELECT count(*) FROM keys WHERE (f @> k) <> member)
          FROM (SELECT ribbon_build_exact(k, member) AS f FROM keys) s""", DATABASE)
    why = "same hash under each seed that was tried"
    report(f"an exact set with keys of one hash under {nseeds} seeds",
           None if (why in errors if nseeds == 8 else rows == [["0"]]) else f"{rows} {errors}")


def main():
    _, errors = rows_and_errors("CREATE EXTENSION ribbon", DATABASE)
    if errors:
        report("set up", errors)
        return
    rng = random.Random(1)
    texts = text_keys(rng)
    check_hashes([int8_key(h) for h in range(2**64 - 3, 2**64)], texts)
    compare("int8 keys", "bigint", [(name, [int8_key(h) for h in hashes]) for name, hashes in families(rng)])
    compare("text keys", "text", [("random", [f"word {i}" for i in range(TEXTS)]),
                                  ("equal top 40 bits, one start", texts)])
    equal_hashes()
    for nseeds in (0, 7, 8):
        equal_under_seeds(nseeds)


if __name__ == "__main__":
    with new_database(DATABASE, UTF8):
        main()
    finish()
