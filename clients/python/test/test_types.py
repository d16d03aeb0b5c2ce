#!/usr/bin/python3
"""test_types.py - what is public has types, and mypy takes and refuses what it should

Where mypy is installed, of whatever version.

usage: test/run.sh python-client/test_types
"""

import importlib.metadata
import importlib.util
import inspect
import os
import re
import subprocess
import sys
import tempfile
import typing

from built import compare, report
from ribbonfilter import Chain, Filter, FilterStats, Key, Map, MapStats, _core, _options, _types, _values
from reports import finish

LIMIT = 300
PACKAGE = os.path.abspath("build/python/lib")

# Programs that are right, and lines that are not.
PROGRAM = '''
import numpy
from datetime import datetime
from typing import List, Optional
from ribbonfilter import Chain, Filter, FilterStats, Key, Map, expected_size

f = Filter.build(numpy.arange(3), fpr=0.1, kind="homogeneous", width=64, progress=print)
f = Filter.build([1, 2], key_type="oid")
f = Filter.build(str(i) for i in range(3)).shrink(0.5)
yes: bool = 1 in f
answers: List[bool] = [bool(answer) for answer in f.contains([1, 2])]
stats: FilterStats = Filter(memoryview(bytes(f))).stats()
bits: Optional[float] = stats.bits_per_key
f = Filter.open("f.ribbon")
size: int = len(f) + f.nbytes + expected_size(10) + Key("a").hash + Key(1, "oid").shard(4)
e: Optional[bool] = Filter.build_exact([1, 2], [True, False]).member(1, datetime.now())
chain = Chain([f, Chain([f]).delta(numpy.arange(3), [True, False, None], fpr=0.1, as_of="2026-03-01T12:00:00Z")])
yes = 1 in chain and bool(chain.contains([1])[0]) and len(chain.parts) > 1 and chain.fpr < 1
e = chain.member(1, datetime.now())
m = Map.build({"a": 1})
m = Map.build(["a"], [1], 1, value_type="smallint", seed=3)
value = m["a"] or m.get("b", 5)
m.get_many(numpy.array(["a"]), -1)
'''
# mypy knows buffers by their method from 1.4 on.
if importlib.util.find_spec("mypy") and tuple(map(int, importlib.metadata.version("mypy").split(".")[:2])) >= (1, 4):
    PROGRAM += "view = memoryview(f)\n"
WRONG = ('Filter.build([1], kind="bloom")', 'Filter.build(5)', 'Filter.build([1], fpr="x")', 'Filter.build([1], key_type="complex")', 'Filter(5)',
         'Filter.build([1]).shrink()', 'Map.build([1], [1], value_type="point")', 'Filter.build([1]).nbytes + "x"', 'Key(1).shard("a")',
         'Filter.build([1]).fpr = 1', 'Map.build([1], [2])[None]', 'Chain([5])', 'Chain([f]).delta(5, [True])')


def mypy(*arguments, directory):
    return subprocess.run([sys.executable, "-m", *arguments], env={**os.environ, "PYTHONPATH": PACKAGE}, cwd=directory,
                          encoding="utf-8", stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)


def check(directory):
    path = os.path.join(directory, "program.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM + "".join(f"{line}\n" for line in WRONG))
    first = PROGRAM.count("\n") + 1
    said = mypy("mypy", "--strict", "--warn-unused-ignores", path, directory=directory).stdout
    refused = {int(number) for number in re.findall(r"^\S*program\.py:(\d+): error", said, re.M)}
    compare("what is right is taken, what is wrong is refused", [said.split("\n")[0]] if min(refused, default=0) < first else refused,
            set(range(first, first + len(WRONG))))
    done = mypy("mypy.stubtest", "--ignore-missing-stub", "--concise", "ribbonfilter._core", directory=directory)
    compare("the stub of what is compiled says what is there", [line for line in (done.stdout + done.stderr).split("\n")
                                                                if line and "__buffer__" not in line], [])


with open(f"{PACKAGE}/ribbonfilter/_core.pyi", encoding="utf-8") as stub:
    COMPILED = set(re.findall(r"^    def (\w+)\(", stub.read(), re.M))


def function_of(kind, name):
    """That of a method or property."""
    found = inspect.getattr_static(kind, name)
    return getattr(found, "fget", None) or getattr(found, "__func__", found)


def unknown_hints(kind):
    """Names in annotations that are defined nowhere."""
    for name in dir(kind):
        try:
            if inspect.isfunction(function_of(kind, name)):
                typing.get_type_hints(function_of(kind, name))
        except NameError as error:
            yield f"{kind.__name__}.{name}: {error}"


def has_types(kind, name):
    """Is it in the stub, or are its parameters, and what it returns, annotated?"""
    function = function_of(kind, name)
    if not inspect.isfunction(function):
        return name in COMPILED
    return set(inspect.signature(function).parameters) - {"self", "cls"} <= set(function.__annotations__) - {"return"} and (
        "return" in function.__annotations__)


compare("names of types, kinds and codes are those that there are",
        [set(typing.get_args(names)) for names in (_types.KeyType, _types.ValueType, _types.Kind, _types.Code)],
        [set(map(_core.type_name, range(1, 23))), set(_values.VALUE_TYPES), set(_options.KINDS) - {"exact"},
         set(_options.CODES)])
compare("statistics have types for programs, too",
        [typing.get_type_hints(stats)["bits_per_key"] for stats in (FilterStats, MapStats)], 2 * [typing.Optional[float]])
compare("what has a public name has types",
        [(kind.__name__, name) for kind in (Chain, Filter, Key, Map) for name in dir(kind)
         if not name.startswith("_") and not has_types(kind, name)], [])
compare("programs may ask for them, too", [unknown for kind in (Chain, Filter, Map) for unknown in unknown_hints(kind)], [])
if importlib.util.find_spec("mypy") is None:
    report("mypy is not installed # SKIP")
else:
    with tempfile.TemporaryDirectory() as directory:
        check(directory)
finish()
