"""manylinux.py - the tag of a wheel that other systems may have, and PyPI takes

A wheel for "linux_x86_64" is for the machine that made it.  PEP 600's "manylinux_2_N"
says that it runs wherever glibc is 2.N or later: if the module needs no library but
glibc's, N is the newest version of glibc that a symbol of it asks for; or 17, the least
that installers know on every machine.
"""

import re
import subprocess

GLIBC = re.compile(r"lib(c|m|pthread|dl|rt)\.so\.\d+|ld-linux[\w.-]*\.so\.\d+|ld64\.so\.\d+")
OLDEST = (2, 17)


def manylinux(platform, module):
    """The tag for a platform, which stays as it is where that cannot be promised."""
    if not platform.startswith("linux_"):
        return platform
    try:
        said = subprocess.run(["readelf", "-dVW", module], capture_output=True, text=True, check=True,
                              env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
    except (OSError, subprocess.CalledProcessError):
        return platform
    needed = re.findall(r"\(NEEDED\) .*\[(.*)\]", said)
    versions = re.findall(r"Name: GLIBC_(\S+)", said)
    known = all(re.fullmatch(r"\d+(\.\d+)+", version) for version in versions)     # not PRIVATE, not ABI_...
    if not versions or not known or not all(map(GLIBC.fullmatch, needed)):
        return platform
    newest = max([OLDEST] + [tuple(map(int, version.split(".")[:2])) for version in versions])
    return platform.replace("linux_", "manylinux_{}_{}_".format(*newest), 1)
