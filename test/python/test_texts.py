#!/usr/bin/python3
"""test_texts.py - test/golden/texts_1.txt: which texts are keys, and of which bytes

The clients read what PostgreSQL writes, and some of what else it reads.  A text
that one of them takes is the key that it is to the server; one that the server
refuses is none.  Here the server is asked; test_lib_texts_golden.c, and tests of
the packages named as this one, ask the clients.  test/golden/README.md explains
the lines.  A new one needs no bytes: --write asks the server for those of all.

usage: test/run.sh python/test_texts, or with a server test/python/test_texts.py --write
"""

import struct
import sys

from canonical_forms import hash_bytes
from psql_script import UTF8, new_database, psql
from reports import compare, finish

TABLE = "test/golden/texts_1.txt"
DATABASE = "ribbon_texts"
DAY = 86400 * 1000000


def reverse(data):
    return data[::-1]


def inet(data):
    return bytes((4 if data[0] == 2 else 6, data[1])) + data[4:]


def interval(data):
    """What = compares: whole days, and microseconds within one."""
    time, days, months = struct.unpack(">qii", data)
    return struct.pack("<qq", 30 * months + days + time // DAY, time % DAY)


def number(data):
    """Every NaN is alike, and -0 is 0."""
    value = struct.unpack(">d", data)[0]
    return struct.pack("<d", float("nan") if value != value else value + 0.0)


# type -> its name in SQL, how bytes are had there, and what makes them canonical
TYPES = {
    "bit": ("varbit", "varbit_send(v)", lambda data: reverse(data[:4]) + data[4:]),
    "bool": ("bool", "boolsend(v)", bytes),
    "bytea": ("bytea", "v", bytes),
    "date": ("date", "date_send(v)", reverse),
    "float": ("float8", "float8send(v)", number),
    "inet": ("inet", "inet_send(v)", inet),
    "integer": ("int8", "int8send(v)", reverse),
    "interval": ("interval", "interval_send(v)", interval),
    "macaddr": ("macaddr", "macaddr_send(v)", bytes),
    "macaddr8": ("macaddr8", "macaddr8_send(v)", bytes),
    "numeric": ("numeric", "convert_to(trim_scale(v)::text, 'UTF8')", bytes),
    "oid": ("oid", "oidsend(v)", reverse),
    "pg_lsn": ("pg_lsn", "pg_lsn_send(v)", reverse),
    "time": ("time", "time_send(v)", reverse),
    "timestamp": ("timestamp", "timestamp_send(v)", reverse),
    "timestamptz": ("timestamptz", "timestamptz_send(v)", reverse),
    "timetz": ("timetz", "timetz_send(v)", lambda data: reverse(data[:8]) + reverse(data[8:])),
    "uuid": ("uuid", "uuid_send(v)", bytes),
    "xid8": ("xid8", "xid8send(v)", reverse),
}

# Bytes and hash of a text; what is no inet may be a cidr.
ASK = """
SET TimeZone = 'UTC';
SET IntervalStyle = 'postgres';
CREATE FUNCTION key_of(key text, type text, form text) RETURNS text LANGUAGE plpgsql AS $f$
DECLARE
    found text;
BEGIN
    EXECUTE format('SELECT encode(%s, ''hex'') || '' '' || ribbon_hash(v) FROM (SELECT %L::%s AS v) AS s', form, key, type)
        INTO found;
    RETURN found;
EXCEPTION WHEN OTHERS THEN
    RETURN CASE type WHEN 'inet' THEN key_of(key, 'cidr', 'cidr_send(v)') ELSE 'refused' END;
END $f$;
"""


def asked(lines):
    """What the server says of each line's text: canonical bytes as hexadecimal digits, or that it refuses it."""
    rows = ",\n".join(f"({i}, $t${text}$t$, '{TYPES[type_][0]}', $t${TYPES[type_][1]}$t$)" for i, (type_, text, *_) in enumerate(lines))
    answers = psql(f"{ASK}SELECT key_of(key, type, form) FROM (VALUES {rows}) AS v(i, key, type, form) ORDER BY i;").split("\n")
    for (type_, text, *_), answer in zip(lines, answers):
        if answer == "refused":
            yield answer
            continue
        sent, hash_ = answer.rsplit(" ", 1)
        canonical = TYPES[type_][2](bytes.fromhex(sent))
        if hash_bytes(canonical) != int(hash_) % 2**64:
            raise SystemExit(f"not ok - {type_} {text!r} is hashed otherwise than {canonical.hex()}")
        yield canonical.hex()


def main():
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    with new_database(DATABASE, UTF8):
        psql("CREATE EXTENSION ribbon;")
        answers = list(asked(lines))
    # what servers answer that differ: this one must be among them
    known = [line[3] if answer in "".join(line[3:]).split("|") else answer for line, answer in zip(lines, answers)]
    if sys.argv[1:] == ["--write"]:
        with open(TABLE, "w", encoding="utf-8") as file:
            file.writelines("\t".join((*line[:3], said)) + "\n" for line, said in zip(lines, known))
        return
    for type_ in TYPES:
        compare(f"texts of type {type_}", [(line[1], said) for line, said in zip(lines, known) if line[0] == type_],
                [(line[1], line[3]) for line in lines if line[0] == type_])
    compare("what a server refuses, or reads otherwise than another, no client takes",
            [line for line in lines if line[2] != "-" and ("refused" in line[3] or "|" in line[3])], [])
    finish()


if __name__ == "__main__":
    main()
