"""sources.py - the files of the tree, from wherever a script is called"""

import glob
import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def paths(pattern):
    """Files that match, such as docs/**/*.md, named as from the top of the tree."""
    return [os.path.relpath(path, TOP) for path in sorted(glob.glob(f"{TOP}/{pattern}", recursive=True))]
