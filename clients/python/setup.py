"""setup.py - the package ribbonfilter; run by make python, make wheel and debian/rules

libribbon.a, which make lib makes, becomes part of the extension module, so that a
wheel needs nothing but numpy.  LIBRIBBON says where it is, and BUILD where what is
made goes; both are named from here.
"""

import os
import re

from Cython.Build import cythonize
from setuptools import Extension, setup

TOP = "../.."
BUILD = os.environ.get("BUILD", f"{TOP}/build/python")
LIBRARY = os.environ.get("LIBRIBBON", f"{TOP}/build/lib/libribbon.a")

with open(f"{TOP}/META.json", encoding="utf-8") as file:
    version = re.search(r'"version": "(.*)"', file.read()).group(1)

core = Extension(
    "ribbonfilter._core", ["ribbonfilter/_core.pyx"],
    depends=["ribbonfilter/keys.pxi", "ribbonfilter/arrow.pxi", "ribbonfilter/libribbon.pxd", f"{TOP}/lib/include/ribbon.h", LIBRARY],
    include_dirs=[f"{TOP}/lib/include"], extra_objects=[LIBRARY], libraries=["m", "pthread"],
    # the same source gives the same module, wherever it lies
    extra_compile_args=["-O2", "-Wno-unused-function", f"-ffile-prefix-map={os.path.abspath(TOP)}=."],
    extra_link_args=["-Wl,--exclude-libs,ALL"])     # what is in the library is nobody else's

setup(version=version, ext_modules=cythonize([core], build_dir=f"{BUILD}/c", quiet=True))
