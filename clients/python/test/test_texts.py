#!/usr/bin/python3
"""test_texts.py - test/golden/texts_1.txt: which texts are keys, and of which bytes (test/golden/README.md)

Python reads texts of types for which it has none of its own, and times of exact
sets.

usage: test/run.sh python-client/test_texts
"""

from built import all_true
from reports import finish

from ribbonfilter import Key, _core, _options

NUMBERS = {name: _core.type_number(name) for name in ("bit", "macaddr", "macaddr8", "pg_lsn")}


def is_read(type_, text, canonical):
    """Is it the key, or the time, of these bytes?"""
    if type_ == "timestamptz":
        return _options.moment(text) == int.from_bytes(canonical, "little", signed=True)
    return Key(text, type_) == Key.from_canonical(NUMBERS[type_], canonical)


def fault(type_, text, readers, canonical):
    """What is wrong with a line of the table."""
    if "python" in readers:
        return None if is_read(type_, text, bytes.fromhex(canonical)) else f"{text!r} is not {canonical}"
    try:
        is_read(type_, text, b"")
    except ValueError:
        return None
    return f"{text!r} is taken"


with open("test/golden/texts_1.txt", encoding="utf-8") as file:
    lines = [line.rstrip("\n").split("\t") for line in file]
for name in (*NUMBERS, "timestamptz"):
    faults = [fault(*line) for line in lines if line[0] == name]
    all_true(f"texts of type {name}, {len(faults)} of them", faults)
finish()
