#!/usr/bin/python3
"""test_threads.py - other threads go on; many ask the same filter; builds can be interrupted

No time is measured, but every wait has a limit.

usage: test/run.sh python-client/test_threads
"""

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading

from built import compare, raises, report
from reports import finish

import numpy

from ribbonfilter import Filter, Map

LIMIT = 120
MANY = 3_000_000


def check_asking():
    ids = numpy.random.default_rng(2).integers(0, 1 << 60, 100_000)
    words = [str(i) for i in ids]
    filters = [Filter.build(ids), Filter.build(words, 0.001)]
    maps = [Map.build(ids, ids % 7), Map.build(words, [w[-1] for w in words])]

    def ask(number):
        part = slice(number * 5000, number * 5000 + 5000)
        values = [w[-1] for w in words[part]]
        return (filters[0].contains(ids[part]).all() and filters[1].contains(words[part]).all() and
                (maps[0].get_many(ids[part]) == ids[part] % 7).all() and
                maps[1].get_many(words[part]).tolist() == values and
                all(int(i) in filters[0] for i in ids[part][:500]))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, list(range(20)) * 3, timeout=LIMIT))
    compare("eight threads ask the same filters and maps", all(answers), True)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        built = set(pool.map(lambda _: Filter.build(ids), range(8), timeout=LIMIT))
    compare("four threads build", built, {filters[0]})


def goes_on(name, work):
    """While a thread works in the library, another one of Python runs."""
    begun, ended = threading.Event(), threading.Event()
    counted = []

    def run():
        begun.set()
        work()
        ended.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    begun.wait(LIMIT)
    # a thread that has the lock hands it over every 5 ms, but not out of C
    while not ended.is_set():
        counted.append(len(counted))
    thread.join(LIMIT)
    report(name, None if len(counted) > 1000 else f"only {len(counted)} steps")


def check_lock():
    numbers = numpy.random.default_rng(3).integers(0, 1 << 60, MANY)
    f = Filter.build(numbers)
    goes_on("a build lets others run", lambda: Filter.build(numbers))
    goes_on("many questions let others run", lambda: f.contains(numbers))
    goes_on("a map lets others run", lambda: Map.build(numbers, numbers).get_many(numbers))


def check_progress():
    numbers = numpy.random.default_rng(4).integers(0, 1 << 60, MANY)
    shares = []
    f = Filter.build(numbers, progress=shares.append)
    compare("progress comes in order, from 0 to 1",
            (len(shares) > 1, sorted(shares) == shares, all(0 <= share <= 1 for share in shares)), (True,) * 3)

    def stop(share):
        raise LookupError(f"stopped at {share}")

    raises("what progress raises ends the build", LookupError, Filter.build, numbers, progress=stop, says="stopped at")
    raises("also that of a map", LookupError, Map.build, numbers, numbers, progress=stop)
    compare("the next one is built", Filter.build(numbers), f)


INTERRUPTED = """
import sys
sys.path[:0] = ["build/python/lib"]
import numpy
from ribbonfilter import Filter
numbers = numpy.random.default_rng(5).integers(0, 1 << 60, 3_000_000)
try:
    print("ready", flush=True)
    while True:
        Filter.build(numbers)
except KeyboardInterrupt:
    print("interrupted", len(Filter.build([1])), flush=True)
"""


def check_interrupt():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               encoding="utf-8")
    timer = threading.Timer(LIMIT, process.kill)
    timer.start()
    try:
        line = process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)
        said = process.stdout.read()
        compare("Ctrl-C ends a build", (line, said, process.wait(LIMIT)), ("ready\n", "interrupted 1\n", 0))
    finally:
        timer.cancel()
        process.kill()


class Counting(Filter):
    """Keeps how many keys each call into the library has."""

    def _find_keys(self, keys, answers):
        CALLS.append(len(answers))
        super()._find_keys(keys, answers)


CALLS = []


def check_pieces():
    """No call keeps Python from looking for Ctrl-C, however many keys are asked."""
    many = numpy.broadcast_to(numpy.int64(5), 5 * MANY)
    found = Counting(bytes(Filter.build([5]))).contains(many)
    compare("many questions go in pieces", (bool(found.all()), sum(CALLS), max(CALLS) <= 1 << 20), (True, 5 * MANY, True))
    signal.signal(signal.SIGINT, signal.default_int_handler)

    class Interrupting(Filter):
        def _find_keys(self, keys, answers):
            asked.append(len(answers))
            signal.raise_signal(signal.SIGINT)
            super()._find_keys(keys, answers)

    asked = []
    try:
        Interrupting(bytes(Filter.build([5]))).contains(many)
        report("Ctrl-C ends many questions", "it did not")
    except KeyboardInterrupt:
        compare("Ctrl-C ends many questions", len(asked), 1)


check_asking()
check_pieces()
check_lock()
check_progress()
check_interrupt()
finish()
