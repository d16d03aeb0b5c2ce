#!/usr/bin/python3
"""test_wheel.py - the wheel has all that is needed, and works where it is unpacked

usage: test/run.sh python-client/test_wheel
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
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

SOURCES = [name for pattern in ("src/core/**/*.[ch]", "lib/src/**/*.[ch]", "lib/include/*.h", "core.mk")
           for name in glob.glob(pattern, recursive=True)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def licence_of(directory):
    return next(map(read, glob.glob(os.path.join(directory, "*.dist-info", "**", "LICENSE"), recursive=True)), None)


def wheel_tags(directory):
    return re.findall(r"^Tag: (.*)$", read(glob.glob(os.path.join(directory, "*.dist-info", "WHEEL"))[0]), re.M)


def check_tag():
    """A wheel that needs another library, or no glibc, keeps its name."""
    sys.path.insert(0, "clients/python")
    from manylinux import manylinux
    with tempfile.TemporaryDirectory() as directory:
        made = {}
        for name, more in ("plain", []), ("other", ["-lxxhash", "-Wl,--no-as-needed"]):
            made[name] = os.path.join(directory, f"{name}.so")
            link = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", made[name], *reversed(more)]
            subprocess.run(link, input="#include <stdlib.h>\nvoid *f(void) { return malloc(1); }\n", text=True, check=True)
        compare("a module that needs glibc alone is for many Linuxes, one that needs more is not",
                [manylinux("linux_x", made["plain"]), manylinux("linux_x", made["other"]), manylinux("linux_x", __file__),
                 manylinux("win_amd64", made["plain"])], ["manylinux_2_17_x", "linux_x", "linux_x", "win_amd64"])


def check_clone():
    """pip install ./clients/python builds what it needs in a tree where nothing has been made, and leaves it clean."""
    with tempfile.TemporaryDirectory() as tree:
        for name in SOURCES + ["META.json", "LICENSE", ".gitignore"]:
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            shutil.copy(name, os.path.join(tree, name))
        shutil.copytree("clients/python", os.path.join(tree, "clients", "python"),
                        ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        # quickly, as in dist.sh: not as fast as it may be
        env = {**{name: value for name, value in os.environ.items() if name not in ("LIBRIBBON", "BUILD", "MAKEFLAGS")},
               "CFLAGS": "-O0 -g0 -Dalways_inline=unused"}
        wheels = os.path.join(tree, "build")
        pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, stdin=subprocess.DEVNULL)
        where = os.path.join(tree, "clients", "python")
        command = ["-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, "."]
        if pip.returncode != 0:
            command = ["setup.py", "--quiet", "bdist_wheel", "--dist-dir", wheels]
        git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-C", tree]
        for arguments in ["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "all"]:
            subprocess.run(git + arguments, check=True, stdin=subprocess.DEVNULL, capture_output=True)
        made = subprocess.run([sys.executable, *command], cwd=where, env=env, encoding="utf-8", stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT)
        found = glob.glob(os.path.join(wheels, "*.whl"))
        report("a fresh clone makes a wheel by itself", None if len(found) == 1 else made.stdout + made.stderr)
        compare("and leaves nothing that git does not ignore", subprocess.run(
            git + ["status", "--porcelain"], encoding="utf-8", stdin=subprocess.DEVNULL, capture_output=True).stdout, "")
        with tempfile.TemporaryDirectory() as directory:
            with zipfile.ZipFile(found[0]) as wheel:
                wheel.extractall(directory)
            done = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONPATH": directory}, cwd="/", encoding="utf-8",
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
            compare("which works", done.stdout.split()[1:3] + done.stderr.split(), ["1000", "True"])
            compare("and has the licence", licence_of(directory), read("LICENSE"))
            library = glob.glob(os.path.join(directory, "ribbonfilter", "_core*.so"))[0]
            symbols = subprocess.run(["nm", "-D", "--defined-only", library], encoding="utf-8", capture_output=True,
                                     timeout=LIMIT).stdout
            compare("and shows nothing but itself", [line.split()[2] for line in symbols.split("\n") if line], ["PyInit__core"])


def check_source():
    """A source distribution has all that is compiled."""
    subprocess.run(["make", "-s", "--no-print-directory", "python-sdist"], stdin=subprocess.DEVNULL, capture_output=True,
                   timeout=LIMIT)
    with tarfile.open(glob.glob("build/python/*.tar.gz")[0]) as archive, tempfile.TemporaryDirectory() as directory:
        archive.extractall(directory)
        root = os.path.join(directory, os.listdir(directory)[0])
        needed = [f"ribbon/{name}" for name in SOURCES] + ["LICENSE", "setup.py", "README.md"] + [
            f"ribbonfilter/{os.path.basename(name)}" for name in glob.glob("clients/python/ribbonfilter/*.p*")]
        compare("a source distribution lacks nothing", [name for name in needed if not os.path.exists(os.path.join(root, name))], [])
        said = subprocess.run([sys.executable, "setup.py", "--version"], cwd=root, encoding="utf-8", stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT)
        compare("and knows its version", said.stdout.strip().split("\n")[-1], os.path.basename(root).split("-")[1])
        os.rename(os.path.join(root, "ribbon"), os.path.join(root, "moved"))
        said = subprocess.run([sys.executable, "setup.py", "--version"], cwd=root, encoding="utf-8", stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT)
        compare("alone, it says what to do", "make sdist" in said.stderr and "Traceback" not in said.stderr, True)


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
    asked = subprocess.run(["objdump", "-T", library], encoding="utf-8", capture_output=True, timeout=LIMIT).stdout
    newest = max([int(minor) for minor in re.findall(r"\(GLIBC_2\.(\d+)", asked)], default=0)
    compare("its name says from which glibc on it works, as PyPI wants it",
            [f"manylinux_2_{newest}_" in wheels[0] or newest == 0, wheel_tags(directory)],
            [True, [os.path.basename(wheels[0]).split("-", 2)[2][:-4]]])
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], encoding="utf-8", capture_output=True, timeout=LIMIT).stdout
    compare("and shows nothing but itself", [line.split()[2] for line in symbols.split("\n") if " T " in line], ["PyInit__core"])
    with open(library, "rb") as file:
        compare("nor names the directory that it was built in", (os.getcwd() + "/").encode() in file.read(), False)
    compare("it has the licence", [licence_of(directory)], [read("LICENSE")])
check_tag()
check_clone()
check_source()
finish()
