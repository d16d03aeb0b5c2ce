#!/usr/bin/python3
"""test_bytes.py - bytes in and out: no copy, files, pickles, damage, and nothing that stays behind

Hostile bytes are tried in a process of their own, with a time limit: whatever they are,
they are refused, or what they give is harmless.

usage: test/run.sh python-client/test_bytes
"""

import array
import copy
import concurrent.futures
import ctypes
import gc
import io
import mmap
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import tracemalloc
import weakref

from built import all_true, compare, raises, report
from reports import finish

import numpy

from ribbonfilter import Filter, FormatError, Key, Map

MUTATIONS = 60000
KEYS = {1: [1, 2, -5, 10**15], 2: ["a", "key 7", ""]}


def address(buffer):
    return numpy.frombuffer(buffer, dtype=numpy.uint8).__array_interface__["data"][0]


def check_buffers():
    f = Filter.build(range(10000))
    data = bytes(f)
    for name, buffer in (("bytes", data), ("a bytearray", bytearray(data)), ("a memoryview", memoryview(data)), ("an array", array.array("B", data)),
                         ("numpy", numpy.frombuffer(data, dtype=numpy.uint8)), ("a slice", memoryview(b"x" + data + b"y")[1:-1]),
                         ("a filter", f)):
        opened = Filter(buffer)
        all_true(f"{name}: opened where it is", [
            address(opened) != address(buffer), opened.buffer is not buffer, opened != f, bytes(opened) != data,
            memoryview(opened).readonly is False, hash(opened) != hash(f)])
    tracemalloc.start()
    hash(Filter(data))
    compare("a hash takes no copy", tracemalloc.get_traced_memory()[1] < len(data), True)
    tracemalloc.stop()
    raises("a text", TypeError, Filter, data.hex())
    raises("a buffer with gaps", BufferError, Filter, memoryview(data * 2)[::2])
    buffer = bytearray(data)
    opened = Filter(buffer)
    raises("a bytearray stays as long as it is open", BufferError, buffer.clear)
    del opened
    buffer.clear()
    report("and no longer")
    compare("an io.BytesIO takes one", io.BytesIO(f).getvalue(), data)
    compare("ctypes' memory", Filter((ctypes.c_char * len(data)).from_buffer_copy(data)), f)


def check_files(directory):
    f, m = Filter.build(["a", "b"]), Map.build({"a": "x"})
    path = os.path.join(directory, "f.ribbon")
    f.save(path)
    opened = Filter.open(path)
    compare("a file", (opened, type(opened.buffer), os.listdir(directory)), (f, mmap.mmap, ["f.ribbon"]))
    m.save(path)        # another file of that name
    compare("another one takes its name", ("a" in opened, Map.open(path)["a"]), (True, "x"))
    raises("a map's file", FormatError, Filter.open, path, says="Map")
    raises("no file", FileNotFoundError, Filter.open, path + "x")
    f.save(os.fsencode(path + "b"))
    compare("a name of bytes", (Filter.open(path + "b"), sorted(os.listdir(directory))), (f, ["f.ribbon", "f.ribbonb"]))
    os.unlink(path + "b")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: m.save(path), range(200)))
    compare("saved by many threads at a time", (Map.open(path), os.listdir(directory)), (m, ["f.ribbon"]))
    raises("no directory to write to", FileNotFoundError, f.save, os.path.join(directory, "x", "y"))
    raises("nor is one made a file", IsADirectoryError, f.save, os.path.join(directory, "x", ""))
    os.mkfifo(os.path.join(directory, "pipe"))
    raises("a pipe that nobody writes to", OSError, Filter.open, os.path.join(directory, "pipe"), says="not a file that can be mapped")
    os.unlink(os.path.join(directory, "pipe"))
    open(path, "wb").close()
    raises("an empty file", FormatError, Filter.open, path)
    opened = Map.build([1], [2])
    opened.save(path)
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        Map.open(path)
    gc.collect()
    compare("files are closed", len(os.listdir("/proc/self/fd")), before)


def check_pickles():
    kept = Filter.build([1])
    cache = weakref.WeakValueDictionary(one=kept)
    is_kept = cache["one"] is kept
    del kept
    compare("a cache may let go of it", (is_kept, len(cache)), (True, 0))
    for name, value in ("a filter", Filter.build(range(1000))), ("a map", Map.build(range(1000), range(1000))):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            compare(f"{name}: pickle protocol {protocol}", pickle.loads(pickle.dumps(value, protocol)), value)
        buffers = []
        data = pickle.dumps(value, 5, buffer_callback=buffers.append)
        again = pickle.loads(data, buffers=[buffer.raw() for buffer in buffers])
        compare(f"{name}: a buffer out of band", (again, address(again) == address(value), len(data) < 100), (value, True, True))
        compare(f"{name}: copies", (copy.copy(value) is value, copy.deepcopy([value]) == [value]), (True, True))

    for key in Key(5), Key("a", "enum"), Key.from_canonical(24, b"\1"):
        for again in pickle.loads(pickle.dumps(key)), copy.copy(key), copy.deepcopy(key):
            compare(f"a copy of a key of type {key.type}", (again, again.shard(1 << 20)), (key, key.shard(1 << 20)))
    keys = [Key(i) for i in range(100)]
    members = [i % 3 == 0 for i in range(100)]
    compare("has both of its hashes", Filter.build_exact(pickle.loads(pickle.dumps(keys)), members), Filter.build_exact(keys, members))

    class Mine(Filter):
        pass

    compare("a class of one's own", (type(Mine.build([1])), type(Mine.build([1]).shrink(0.1))), (Mine, Mine))
    raises("it never changes", AttributeError, setattr, Filter.build([1]), "fpr", 1)
    compare("equality", (Filter.build([1]) == Filter.build([1]), Filter.build([1]) == Filter.build([2]),
                         Filter.build([1]) == b"", len({Filter.build([1]), Filter.build([1])})),
            (True, False, False, 1))


def check_refused():
    for name, value in ("a filter", Filter.build(range(3000))), ("a map", Map.build(range(300), [str(i % 7) for i in range(300)])):
        data = bytes(value)
        kind = type(value)
        all_true(f"{name} cut short", [length for length in range(len(data)) if not refused(kind, data[:length])])
        all_true(f"{name} with more behind it", [more for more in (b"\0", data) if not refused(kind, data + more)])
        raises(f"{name}: of a later version", FormatError, kind, bytes([data[0] & 0xF0 | 2]) + data[1:])
        raises(f"{name} as the other", FormatError, Map if kind is Filter else Filter, data)
    raises("nothing", FormatError, Filter, b"")
    data = bytes(Filter.build(range(5), 1 / 16))
    raises("what check sees", FormatError, Filter(data[:-1] + bytes([data[-1] | 0x80])).check)
    raises("a buffer to write into", TypeError, (ctypes.c_char * len(data)).from_buffer, Filter(data))
    raises("what is no canonical form", TypeError, Key.from_canonical, 1)


def refused(kind, data):
    try:
        kind(data)
    except FormatError:
        return True
    return False


def try_hostile(seed):
    """In a process of its own: change bytes, and ask all there is to ask."""
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    generator = random.Random(seed)
    values = [Filter.build(range(n), fpr, kind=kind) for n in (0, 1, 50, 3000)
              for fpr in (0.3, 0.001) for kind in ("burr", "homogeneous")]
    values += [Map.build(range(n), rows) for n in (1, 300, 3000)
               for rows in (range(n), [str(i % 50) for i in range(n)], [None, *range(n - 1)])]
    values += [Map.build(["a", "b"], [None, "é"]), Filter.build(["key 7"])]
    seen = {"refused": 0, "opened": 0}
    for _ in range(MUTATIONS):
        value = generator.choice(values)
        data = bytearray(bytes(value))
        head = min(len(data), 40)
        for _ in range(generator.choice((1, 1, 2, 5))):
            place = generator.randrange(head if generator.random() < 0.8 else len(data))
            data[place] = generator.choice((generator.randrange(256), data[place] ^ 1 << generator.randrange(8),
                                            0, 255))
        if generator.random() < 0.1:
            data += bytes(generator.randrange(100))
        try:
            opened = type(value)(bytes(data))
        except FormatError:
            seen["refused"] += 1
            continue
        seen["opened"] += 1
        ask_all(opened)
    for value in values:
        change_opened(value, generator)
    print(seen["refused"], seen["opened"], flush=True)


def change_opened(value, generator):
    """Bytes that are changed while they are open, right in front of memory that cannot be read."""
    data = bytes(value)
    end = -(-len(data) // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, end + mmap.PAGESIZE)
    behind = ctypes.addressof(ctypes.c_char.from_buffer(memory)) + end
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(behind), mmap.PAGESIZE, 0)
    view = memoryview(memory)[end - len(data):end]
    view[:] = data
    opened = type(value)(view)
    for _ in range(100):
        place = generator.randrange(generator.choice((len(data), min(len(data), 60))))
        view[place] = generator.choice((0, 255, generator.randrange(256)))
        ask_all(opened)
    view[:] = b"\xff" * len(data)
    ask_all(opened)


def ask_all(opened):
    """Whatever it says, or objects to, is no matter."""
    keys = KEYS.get(opened._key_type_number & 31, [Key.from_canonical(opened._key_type_number, b"12345678")])
    for call in (opened.check, opened.stats, opened.__repr__, lambda: opened.contains(keys),
                 lambda: [key in opened for key in keys],
                 lambda: opened.shrink(0.4), lambda: opened.get_many(keys), lambda: [opened.get(key) for key in keys],
                 lambda: opened.value_type):
        try:
            call()
        except (ValueError, AttributeError, OverflowError, TypeError):      # FormatError is a ValueError
            pass


def check_hostile():
    seed = random.randrange(10**6)
    done = subprocess.run([sys.executable, __file__, str(seed)], encoding="utf-8", capture_output=True, timeout=300)
    numbers = [int(number) for number in done.stdout.split()]
    report(f"{MUTATIONS} hostile values (seed {seed}) do no harm", None if done.returncode == 0 and min(numbers, default=0) > MUTATIONS / 50
           else f"status {done.returncode}, {numbers}: {done.stderr[-300:]}")


def check_leaks():
    """What is done a thousand times leaves nothing behind: no reference, no memory."""
    ids = numpy.arange(1000)
    words = [f"word {i}" for i in range(1000)]
    filter_, map_ = Filter.build(ids), Map.build(words, words)
    data = bytes(filter_)
    strange = object()

    def once():
        Filter.build(ids)
        Filter(data)
        filter_.contains(ids)
        "x" in Filter.build(words)
        filter_.shrink(0.1)
        map_.get_many(words)
        map_.get("word 7")
        Map.build(words, ids)
        memoryview(filter_).tobytes()
        pickle.dumps(filter_, 5)
        Filter.build(progress=lambda share: None, keys=ids)
        for call in (lambda: Filter(b"xyz"), lambda: filter_.contains([strange]), lambda: Filter.build([1, strange]),
                     lambda: Map.build([1], [strange]),
                     lambda: strange in filter_, lambda: filter_.shrink(7)):
            try:
                call()
            except (TypeError, ValueError):
                pass

    def counts():
        gc.collect()
        held = ids, words, words[0], data, filter_, map_, strange, None
        return [sys.getrefcount(value) for value in held], len(gc.get_objects())

    for _ in range(100):
        once()
    references, objects = counts()
    used = resident()
    for _ in range(1000):
        once()
    after, objects_after = counts()
    compare("references", after[:-1], references[:-1])
    report("to None", None if abs(after[-1] - references[-1]) < 500 else f"{after[-1]}, before {references[-1]}")
    report("objects", None if objects_after - objects < 200 else f"{objects_after}, before {objects}")
    grown = resident() - used
    report("memory", None if grown < 8 << 20 else f"{grown} bytes more")


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE


if len(sys.argv) > 1:
    try_hostile(int(sys.argv[1]))
else:
    with tempfile.TemporaryDirectory() as directory:
        check_buffers()
        check_files(directory)
    check_pickles()
    check_refused()
    check_hostile()
    check_leaks()
    finish()
