#!/usr/bin/python3
"""test_kit.py - test/golden/kit_1.txt, the kit for writers of readers (test/golden/README.md)

usage: test/run.sh python-client/test_kit
"""

import uuid
from decimal import Decimal

from built import all_true, compare
from reports import finish

from inverse_hash import M64

from ribbonfilter import Filter, Key, Map, _core

BEHIND = 1000       # non-members behind a filter's keys that are asked for

# A key, or a value, as PostgreSQL writes it, in Python; other types are texts here, too
PARSED = {
    **dict.fromkeys(("integer", "oid", "xid8", "smallint", "bigint"), int), "float": float, "numeric": Decimal,
    "boolean": "true".__eq__, "bytea": lambda text: bytes.fromhex(text[2:]), "uuid": uuid.UUID,
}
# whose text Python's own types do not read: dates of BC, infinities
TIMES = ("date", "time", "timestamp", "timestamptz")


def parse(type_, text):
    return PARSED.get(type_, str)(text)


def keys_of(type_, first, n):
    return [parse(type_, str(first + i)) for i in range(n)]


def as_text(value):
    """A value as PostgreSQL writes it."""
    if value is None:
        return "\\N"
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_key(type_, text, canonical, hash_, _):
    keys = [Key.from_canonical(_core.type_number(type_), bytes.fromhex(canonical))]
    if type_ not in TIMES:
        keys.append(Key(parse(type_, text), type_))
    return [key.hash & M64 for key in keys] == [int(hash_, 16)] * len(keys)


def positives_of(f, type_, n):
    """Which of the keys behind the first n pass."""
    return ",".join(map(str, f.contains(keys_of(type_, n + 1, BEHIND)).nonzero()[0] + n + 1))


def check_filter(type_, fpr, kind, width, n, bytes_, positives):
    keys = keys_of(type_, 1, int(n))
    built = Filter.build(keys, float(fpr), key_type=type_, kind=kind, width=int(width) or None)
    f = Filter(bytes.fromhex(bytes_))
    return built == f and f.contains(keys).all() and positives_of(f, type_, int(n)) == positives


def check_map(type_, value_type, fpr, seed, values, bytes_, answers=""):
    m = Map(bytes.fromhex(bytes_))
    texts = values.split(",")
    keys = keys_of(type_, 1, len(texts))
    behind = keys_of(type_, len(texts) + 1, 10 if fpr == "1" else BEHIND)
    if value_type in TIMES:         # the values' own texts are the server's
        return all(key in m for key in keys) and len(m) == len(keys)
    values = [None if text == "\\N" else parse(value_type, text) for text in texts]
    built = Map.build(keys, values, float(fpr), key_type=type_, value_type=value_type, seed=int(seed))
    found = [f"{key}={as_text(m[key])}" for key in behind if key in m]
    return built == m and [m[key] for key in keys] == values and ",".join(found) == answers


def check_exact(type_, n, every, bytes_, fpr=None):
    every = int(every)
    keys = keys_of(type_, 1, int(n))
    members = [(i % every == 0) == (every > 0) for i in range(1, int(n) + 1)]
    f = Filter(bytes.fromhex(bytes_))
    return Filter.build_exact(keys, members, fpr=fpr, key_type=type_) == f and f.contains(keys).tolist() == members


def check_rated(type_, fpr, n, every, bytes_, positives):
    f = Filter(bytes.fromhex(bytes_))
    return check_exact(type_, n, every, bytes_, float(fpr)) and positives_of(f, type_, int(n)) == positives


with open("test/golden/kit_1.txt", encoding="utf-8") as file:
    lines = [line.rstrip("\n").split("\t") for line in file]
CHECKS = {"key": check_key, "filter": check_filter, "map": check_map, "exact": check_exact, "rated": check_rated}
for kind, check in CHECKS.items():
    of_kind = [line[1:] for line in lines if line[0] == kind]
    all_true(f"the kit's lines of kind {kind}", [line[:5] for line in of_kind if not check(*line)])
compare("and that is all", {line[0] for line in lines}, set(CHECKS))
finish()
