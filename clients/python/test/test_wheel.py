#!/usr/bin/python3
"""test_wheel.py - the wheel has all that is needed, and works where it is unpacked

usage: test/run.sh python-client/test_wheel
"""

import glob
import os
import subprocess
import sys
import tempfile
import zipfile

from built import compare, report
from reports import finish

LIMIT = 300
PROGRAM = """
import ribbonfilter, numpy
f = ribbonfilter.Filter.build(numpy.arange(1000))
print(ribbonfilter.__file__, len(f), bool(f.contains(numpy.arange(1000)).all()), ribbonfilter.__version__)
"""

for old in glob.glob("build/python/*.whl"):
    os.unlink(old)
made = subprocess.run(["make", "-s", "--no-print-directory", "python-wheel"], encoding="utf-8", stdin=subprocess.DEVNULL,
                      capture_output=True, timeout=LIMIT)
wheels = glob.glob("build/python/*.whl")
report("one command makes a wheel", None if len(wheels) == 1 else made.stdout + made.stderr)
with tempfile.TemporaryDirectory() as directory:
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = wheel.namelist()
        wheel.extractall(directory)
    version = os.path.basename(wheels[0]).split("-")[1]
    package = {os.path.basename(name) for name in glob.glob("clients/python/ribbonfilter/*")
               if name.endswith((".py", ".pyi", "py.typed"))}
    inside = {os.path.basename(name) for name in names if name.startswith("ribbonfilter/")}
    compare("all modules and stubs are in it, and no source of the compiled one",
            [sorted(package - inside), [name for name in inside if name.endswith((".pyx", ".c", ".pxd"))]], [[], []])
    compare("and one compiled module", len([name for name in inside if name.endswith(".so")]), 1)
    done = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONPATH": directory}, cwd="/", encoding="utf-8",
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
    compare("it works elsewhere", done.stdout.split() + done.stderr.split(),
            [os.path.join(directory, "ribbonfilter", "__init__.py"), "1000", "True", version])
    library = glob.glob(os.path.join(directory, "ribbonfilter", "_core*.so"))[0]
    needed = subprocess.run(["objdump", "-p", library], encoding="utf-8", capture_output=True, timeout=LIMIT).stdout
    compare("it needs no library but the system's", [line.split()[1] for line in needed.split("\n") if "NEEDED" in line
                                                     and not line.split()[1].startswith(("libc.", "libm.", "ld-"))], [])
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], encoding="utf-8", capture_output=True, timeout=LIMIT).stdout
    compare("and shows nothing but itself", [line.split()[2] for line in symbols.split("\n") if " T " in line], ["PyInit__core"])
    with open(library, "rb") as file:
        compare("nor names the directory that it was built in", os.getcwd().encode() in file.read(), False)
finish()
