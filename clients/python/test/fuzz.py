#!/usr/bin/python3
"""fuzz.py - what this package says of bytes that no build made: a line for each, as fuzz.mjs of JavaScript has it

usage: clients/python/test/fuzz.py FILE     of test/fuzz/driver, from the tree's top
"""

import sys

import built  # noqa: F401
from ribbonfilter import Filter, FormatError, Key, Map

KEYS = 40
LAST_SIMPLE = 22    # of the classes of keys: those behind it have parts


def numbers():
    """Classes of keys without parts, by their names."""
    return {Key.from_canonical(number, b"").type: number for number in range(1, LAST_SIMPLE + 1)}


NUMBERS = numbers()


def opened(data):
    """A map, or a filter."""
    try:
        return Map(data)
    except FormatError as error:
        if "these are the bytes of a filter" not in str(error):
            raise
        return Filter(data)


def judge(data):
    """What is said of these bytes."""
    try:
        stored = opened(data)
    except FormatError:
        return "refused"
    number = NUMBERS.get(stored.key_type)
    keys = [Key.from_canonical(number, bytes([i, 1, 2, 3, 4, 5, 6, 7])) for i in range(KEYS)] if number else []
    answers = "".join(str(int(key in stored)) for key in keys)
    try:
        stored.check()
        damaged = "whole"
    except FormatError:
        damaged = "damaged"
    return f"{'map' if isinstance(stored, Map) else 'filter'} {len(stored)} {answers} {damaged}"


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    at = number = 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        print(number, judge(data[at + 4:at + 4 + size]))
        at += 4 + size
        number += 1


if __name__ == "__main__":
    main()
