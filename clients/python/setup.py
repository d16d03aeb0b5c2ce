"""setup.py - the package ribbonfilter; run by pip, make python, make wheel, make sdist and debian/rules

The core and libribbon become part of the extension module, so that a wheel needs nothing but numpy: as libribbon.a,
where LIBRIBBON says that one has been made (make lib), else compiled from their sources.  Those are beside this
directory in the tree, and in ribbon/ of a source distribution.  BUILD says where what is made goes.
"""

import concurrent.futures
import glob
import os
import platform
import re
import shutil
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        bdist_wheel = None

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from manylinux import manylinux  # noqa: E402
TOP = os.path.join(HERE, "ribbon") if os.path.isdir(os.path.join(HERE, "ribbon")) else os.path.dirname(os.path.dirname(HERE))
SOURCES = ("src/core/**/*.[ch]", "lib/src/**/*.[ch]", "lib/include/*.h", "core.mk", "META.json", "LICENSE")
BUILD = os.environ.get("BUILD", os.path.join(TOP, "build", "python"))
LIBRARY = os.environ.get("LIBRIBBON")
NEEDED = "a compiler of C (gcc or clang) and xxhash.h; on Debian: apt install gcc python3-dev libxxhash-dev"

if not os.path.exists(os.path.join(TOP, "lib", "include", "ribbon.h")):
    raise SystemExit("the sources of ribbon are not two directories above setup.py: use pip 21.3 or later, "
                     "or a wheel (make wheel), or a source distribution (make sdist)")
with open(os.path.join(TOP, "META.json"), encoding="utf-8") as file:
    version = re.search(r'"version": "(.*)"', file.read()).group(1)


def sources(patterns):
    """Files of the tree, by names within it."""
    found = (path for pattern in patterns for path in glob.glob(os.path.join(TOP, pattern), recursive=True))
    return sorted(os.path.relpath(path, TOP) for path in found)


class Build(build_ext):
    """Compiles on all cores, and says what is needed, if something is missing."""

    def build_extensions(self):
        one_by_one = self.compiler.compile

        def compile_all(names, *arguments, **options):
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                return sum(pool.map(lambda name: one_by_one([name], *arguments, **options), names), [])

        self.compiler.compile = compile_all
        super().build_extensions()

    def build_extension(self, ext):
        try:
            super().build_extension(ext)
        except Exception as error:
            if LIBRARY:
                raise
            raise SystemExit(f"{error}\nTo build ribbonfilter takes {NEEDED}") from None


class Source(sdist):
    """With all that is compiled."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for name in sources(SOURCES):
            path = os.path.join(base_dir, "ribbon", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copyfile(os.path.join(TOP, name), path)
        shutil.copyfile(os.path.join(TOP, "LICENSE"), os.path.join(base_dir, "LICENSE"))


commands = {"build_ext": Build, "sdist": Source}
if bdist_wheel is not None:
    class Wheel(bdist_wheel):
        """With the licence, which is at the tree's top, and for all systems on which it works."""

        def get_tag(self):
            python, abi, platform = super().get_tag()
            modules = glob.glob(os.path.join(self.get_finalized_command("build").build_lib, "ribbonfilter", "_core*.so"))
            return python, abi, manylinux(platform, modules[0]) if modules else platform

        def egg2dist(self, egginfo_path, distinfo_path):
            super().egg2dist(egginfo_path, distinfo_path)
            if not glob.glob(os.path.join(distinfo_path, "**", "LICENSE"), recursive=True):
                shutil.copyfile(os.path.join(TOP, "LICENSE"), os.path.join(distinfo_path, "LICENSE"))

    commands["bdist_wheel"] = Wheel

compiled = [] if LIBRARY else [os.path.join(TOP, name) for name in sources(("src/core/**/*.c", "lib/src/**/*.c"))]
# what is asked for by CFLAGS is not overruled
with open(os.path.join(TOP, "core.mk"), encoding="utf-8") as file:
    flags = {name: words.split() for name, words in re.findall("^([A-Z_]+) = (.+)", file.read(), re.MULTILINE)}
level = ["-O2"] if LIBRARY else ["-O3", "-g0", *flags["CORE_ALIGNMENT"]]
if "CFLAGS" in os.environ:
    level = []
# what is in the library is nobody else's
os.makedirs(os.path.join(BUILD, "c"), exist_ok=True)
names_shown = os.path.join(BUILD, "c", "names")
with open(names_shown, "w", encoding="ascii") as file:
    file.write("{ global: PyInit__core; local: *; };\n")
core = Extension(
    "ribbonfilter._core", ["ribbonfilter/_core.pyx", *compiled],
    depends=["ribbonfilter/key.pxi", "ribbonfilter/keys.pxi", "ribbonfilter/arrow.pxi", "ribbonfilter/libribbon.pxd",
             os.path.join(TOP, "lib", "include", "ribbon.h"), *([LIBRARY] if LIBRARY else [])],
    include_dirs=[os.path.join(TOP, name) for name in ("src/core", "lib")],
    extra_objects=[LIBRARY] if LIBRARY else [], libraries=["m", "pthread"],
    # the same source gives the same module, wherever it lies, and the same numbers
    extra_compile_args=[*level, "-std=gnu11", "-Wno-unused-function", "-fvisibility=hidden",
                        *flags["CORE_MEANING"],
                        f"-ffile-prefix-map={TOP}=.",
                        *(["-msse2", "-mfpmath=sse"] if re.fullmatch("i[3-6]86", platform.machine()) else [])],
    extra_link_args=[f"-Wl,--version-script={names_shown}"])

os.chdir(HERE)
setup(version=version, ext_modules=cythonize([core], build_dir=os.path.join(BUILD, "c"), quiet=True), cmdclass=commands)
