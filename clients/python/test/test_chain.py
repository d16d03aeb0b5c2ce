#!/usr/bin/python3
"""test_chain.py - a chain of exact sets is right about every key, whatever has changed

usage: test/run.sh python-client/test_chain
"""

import pickle

from built import all_true, compare, raises
from reports import finish

import numpy

from ribbonfilter import Chain, ConflictError, Filter, Key, Map

KEYS = 20000
TIMES = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 5)]
JUST_BEFORE, JUST_AFTER = "2026-03-31T23:59:59.999999Z", "2026-04-01T00:00:00.000001Z"
KINDS = {"integers": lambda keys: keys, "texts": lambda keys: [f"key {key}" for key in keys],
         "bytes": lambda keys: keys.astype(">i8").view("V8"), "objects": lambda keys: keys.astype(object)}


def check_universe(name, seed, share, fpr, make):
    """A base, and three deltas: keys change, new ones come, some are no longer members."""
    random = numpy.random.default_rng(seed)
    numbers = random.permutation(2 * KEYS)
    known, is_member = KEYS, random.random(2 * KEYS) < share
    parts = [Filter.build_exact(make(numbers[:known]), is_member[:known], fpr=fpr, as_of=TIMES[0])]
    wrong = []
    for time in TIMES[1:]:
        is_member[random.integers(0, known, 100)] ^= True
        is_member[random.choice(numpy.flatnonzero(is_member[:known]), 50, replace=False)] = False
        known += 500
        before, keys = Chain(parts), make(numbers[:known])
        parts.append(before.delta(keys, is_member[:known], fpr=fpr, as_of=time))
        answers = Chain(parts).contains(keys)
        wrong.append(int((answers != is_member[:known]).sum()))
        compare(f"{name}: the delta is of what was wrong", len(parts[-1]), int((before.contains(keys) != is_member[:known]).sum()))
    compare(f"{name}: wrong answers after each delta", wrong, [0, 0, 0])
    chain, keys = Chain(parts), list(make(numbers[:300]))
    compare(f"{name}: one by one", [key in chain for key in keys], is_member[:300].tolist())
    compare(f"{name}: with a time", [chain.member(key, JUST_BEFORE) for key in keys], is_member[:300].tolist())
    compare(f"{name}: newer keys", {chain.member(key, JUST_AFTER) for key in keys}, {None})
    compare(f"{name}: what the chain says of itself", (chain.as_of, chain.fpr, chain.key_type, chain.parts),
            (parts[3].as_of, min(1, sum(part.fpr for part in parts)), parts[0].key_type, tuple(parts)))
    if fpr is not None:
        others = chain.contains(make(numpy.arange(10**6, 10**6 + 100000))).mean()
        all_true(f"{name}: others pass at about its rate", [not 0.9 * chain.fpr < others < 1.05 * chain.fpr and (others, chain.fpr)])


def check_forms():
    """Keys and members in other forms, missing ones, and sets of nothing."""
    base = Filter.build_exact({1: True, 2: False, 3: True})
    chain = Chain(iter([base]))
    masked = numpy.ma.array([False, False, True, True], mask=[False, False, False, True])
    for name, delta in (("a dict", chain.delta({1: False, 2: False, 3: True})),
                        ("missing keys and members", chain.delta([None, 1, 2, 3, 3], [True, False, False, True, None])),
                        ("arrays", chain.delta(numpy.array([1, 2, 3]), numpy.array([False, False, True]))),
                        ("a masked array", chain.delta([2, 1, 3, 1], masked)),
                        ("generators", chain.delta((key for key in (1, 2, 3)), (key == 3 for key in (1, 2, 3))))):
        compare(f"a delta of {name}", (len(delta), delta.stats().universe, Chain([base, delta]).contains([1, 2, 3]).tolist()),
                (1, 3, [False, False, True]))
    nothing, texts = Filter.build_exact([], []), Filter.build_exact(["a"], [True])
    before, behind = Chain([nothing, texts]), Chain([texts, nothing])
    compare("a set of nothing is of any type", (before.key_type, "a" in before, behind.contains(["a", None]).tolist()),
            ("text", True, [True, False]))
    compare("a delta of nothing", [part.key_type for part in (chain.delta([], []), Chain([nothing]).delta(["a"], [True]))],
            ["integer", "text"])
    copied = pickle.loads(pickle.dumps(chain))
    compare("many dimensions, of a pickled chain", copied.contains(numpy.array([[1], [2]])).tolist(), [[True], [False]])
    moods = Filter.build_exact(["sad"], [True], key_type="enum")
    compare("a delta has the chain's type of keys", Chain([moods]).delta(["sad"], [False]).key_type, "enum")
    arrays = [Key.from_canonical(23 + 32, bytes([i])) for i in range(3)]
    delta = Chain([Filter.build_exact(arrays, [True, False, False])]).delta(arrays, [False, False, True])
    compare("also if that has no name", [key in delta for key in arrays], [True, False, True])


def check_errors():
    exact, texts = Filter.build_exact([1, 2], [True, False]), Filter.build_exact(["a"], [True])
    raises("no part", ValueError, Chain, [], says="at least one part")
    raises("one filter", TypeError, Chain, exact, says="put it into a list")
    raises("a filter that is not exact", ValueError, Chain, [exact, Filter.build([1])], says="parts[1] is of kind burr")
    for part in (Map.build([1], [2]), bytes(exact), None):
        raises(f"a part of type {type(part).__name__}", TypeError, Chain, [exact, part], says="parts[1] must be a Filter, not a")
    raises("keys of another type", TypeError, Chain, [exact, texts], says="parts[1] has keys of type text, where keys are of type integer")
    chain = Chain([exact])
    raises("a key of another type", TypeError, chain.__contains__, "a", says="of type text")
    raises("many of them", TypeError, chain.contains, ["a"], says="of type text")
    raises("a delta of them", TypeError, chain.delta, ["a"], [True], says="of type text")
    raises("a delta of another type", TypeError, chain.delta, [1], [True], key_type="oid", says="of type oid")
    raises("which is told before keys are read", TypeError, chain.delta, (1 / 0 for _ in [1]), [True], key_type="oid", says="of type oid")
    raises("a delta of two minds", ConflictError, chain.delta, [7, 2, 1, 1], [None, True, True, False], says="keys[2], 1")
    raises("fewer members than keys", ValueError, chain.delta, [1, 2], [True], says="2 keys and 1 members")
    raises("without a time", ValueError, chain.member, 1, TIMES[0], says="as_of")


for seed, (kind, make) in enumerate(KINDS.items()):
    for share, fpr in ((0.02, None), (0.5, None), (0.97, None), (0.1, 0.01)):
        check_universe(f"{kind}, {share:.0%} members, fpr {fpr}", seed, share, fpr, make)
check_forms()
check_errors()
finish()
