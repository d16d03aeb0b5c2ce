#!/usr/bin/python3
"""compare.py - what Python takes, in turn with the library alone (baseline.c)

usage: clients/python/bench/compare.py BASELINE KEYS ROUNDS

Prints a table of processor time, the least of all rounds, and their ratio: that of the
least, and the median of the rounds' ratios, of which a busy machine says more.
"""

import statistics
import subprocess
import sys
import time

sys.path.insert(0, "build/python/lib")
import numpy

from ribbonfilter import Filter, Map

baseline, nkeys, rounds = sys.argv[1], int(float(sys.argv[2])), int(sys.argv[3])


def keys_of_baseline():
    """The same keys: xorshift64 of the same seed."""
    state, keys, mask = 88172645463325252, numpy.empty(nkeys, numpy.uint64), 2**64 - 1
    for i in range(nkeys):
        state ^= state << 13 & mask
        state ^= state >> 7
        state ^= state << 17 & mask
        keys[i] = state
    return keys.view(numpy.int64)


keys = keys_of_baseline()
asked = numpy.where(numpy.arange(nkeys) % 2 == 0, keys, ~keys)
words = [str(key) for key in keys]
numbers = numpy.arange(nkeys)
f, m = Filter.build(keys), Map.build(keys, numbers % 1024)
coded = Map.build(keys, numpy.where(numbers % 16 == 0, numbers % 1024, 7))
of_words = Filter.build(words)
WORK = {
    "b": ("build", lambda: Filter.build(keys, threads=1)),
    "c": ("contains", lambda: f.contains(asked)),
    "m": ("map, get_many", lambda: m.get_many(asked)),
    "e": ("map with codes by frequency, get_many", lambda: coded.get_many(asked)),
}
ALONE = {
    "build, a list of str": lambda: Filter.build(words, threads=1),
    "contains, a list of str": lambda: of_words.contains(words),
    "key in f, one by one": lambda: [key in of_words for key in words],
}


def seconds(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


with subprocess.Popen([baseline, str(nkeys), "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
    times = {name: [] for name in WORK}
    for _ in range(rounds):
        for letter, (_, work) in WORK.items():
            process.stdin.write(letter)
            process.stdin.flush()
            theirs = float(process.stdout.readline())
            times[letter].append((theirs, seconds(work)))
    process.stdin.close()
print(f"| Python, {nkeys:,} int64 keys | C, ns/key | Python, ns/key | ratio | median of ratios |")
print("| --- | ---: | ---: | ---: | ---: |")
for letter, (name, _) in WORK.items():
    theirs, ours = (min(column) for column in zip(*times[letter]))
    median = statistics.median(ours / theirs for theirs, ours in times[letter])
    print(f"| {name} | {1e9 * theirs / nkeys:.1f} | {1e9 * ours / nkeys:.1f} | {ours / theirs:.2f} | {median:.2f} |")
for name, work in ALONE.items():
    print(f"| {name} | | {1e9 * min(seconds(work) for _ in range(3)) / nkeys:.0f} | | |")
