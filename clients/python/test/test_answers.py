#!/usr/bin/python3
"""test_answers.py - test/golden/answers_1.txt: the answers that are the same in every language (test/golden/README.md)

usage: test/run.sh python-client/test_answers
"""

import datetime

from built import all_true, compare
from reports import finish

from ribbonfilter import Filter, Key, Map, _core

ENDS = {"infinity": 2**63 - 1, "-infinity": -2**63}     # which Python's times do not have
NAMES = {True: "true", False: "false", None: "null"}


def key_of(type_, canonical):
    return Key.from_canonical(_core.type_number(type_), bytes.fromhex(canonical))


def contains(set_, key, _):
    one, many = key in set_, set_.contains([key]).tolist()
    return NAMES[one] if many == [one] else f"{one}, and {many} of many"


def get(map_, key, _):
    """A value, which must be the same by each way to it."""
    missing = object()
    value = map_.get(key, missing)
    if value is missing:
        return "no"
    if map_[key] != value:
        return f"{value!r}, and {map_[key]!r}"
    return "null" if value is None else "=" + (NAMES[value] if isinstance(value, bool) else str(value))


def member(set_, key, time):
    if time in ENDS:
        answer = set_._member_at(key, ENDS[time])
        return "null" if answer == 2 else NAMES[bool(answer)]
    return NAMES[set_.member(key, datetime.datetime.fromisoformat(time + ":00"))]


def answer(set_, what, key, time):
    try:
        return {"contains": contains, "get": get, "member": member}[what](set_, key, time)
    except TypeError as error:
        return "!KEY_TYPE" if "keys are of type" in str(error) else repr(error)
    except ValueError as error:
        return "!NOT_EXACT" if "as_of" in str(error) else repr(error)


with open("test/golden/answers_1.txt", encoding="utf-8") as file:
    lines = [line.rstrip("\n").split("\t") for line in file]
sets = {name: (Map if kind == "map" else Filter)(bytes.fromhex(bytes_))
        for what, name, kind, bytes_ in (line for line in lines if line[0] == "set")}
asked = [line[1:] for line in lines if line[0] == "ask"]
TIMES = ("map of dates", "map of times")        # whose values are not texts in Python
for what in ("contains", "get", "member"):
    of_one = [line for line in asked if line[1] == what and line[5] != "\\N" and not (what == "get" and line[0] in TIMES)]
    got = [answer(sets[name], what, key_of(type_, canonical), time) for name, _, type_, _, canonical, time, _ in of_one]
    all_true(f"answers in Python: {what}", [f"{line} not {one}" for line, one in zip(of_one, got) if line[-1] != one])
    compare(f"that many: {what}", len(got) > 20, True)
finish()
