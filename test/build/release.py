#!/usr/bin/python3
"""release.py - files agree on the version, and on whether and when it was released

packaging/release.py says it of this tree, and, of copies of the files that it reads, what
becomes of them by a release, and that it sees each that says something else.

usage: test/run.sh build/release
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from reports import check, compare, finish

sys.path.insert(0, "packaging")
import release  # noqa: E402

DAY = "2030-02-01"
OTHERS = ("META.json", "README.md")


def run(*arguments):
    """Its status, and what it says."""
    done = subprocess.run([sys.executable, "packaging/release.py", *arguments], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def copy(directory, change=lambda name, text: text):
    for name in (*release.VERSIONS, *OTHERS):
        to = Path(directory, name)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(change(name, Path(name).read_text(encoding="utf-8")), encoding="utf-8")


def as_unreleased(name, text):
    """The file of a version that is to come, whatever this one is."""
    if name == "CHANGELOG.md":
        return re.sub(r"^(## \S+) \(.*\)$", r"\1 (unreleased)", text, flags=re.M)
    if name == "debian/changelog":
        return re.sub(r"\A(\S+ \S+) \S+;", r"\1 UNRELEASED;", text)
    if name == "META.json":
        return text.replace('"stable"', '"testing"')
    if name == "packaging/rpm/ribbon.spec":
        return re.sub(r"^(%changelog\n)(.|\n)*", r"\1", text, flags=re.M)
    return text if name != "README.md" or release.NOT_YET in text else f"{text}{release.NOT_YET}\n"


def main():
    status, said = run()
    compare("all files say the same of version and release", (status, said.count("\n")), (0, 0))
    print(f"# {said}")
    version, day = release.Tree(".").version, release.Tree(".").day()
    tagged = subprocess.run(["git", "tag", "--list", f"v{version}"], capture_output=True, text=True).stdout.strip()
    check("what is tagged is released", day or not tagged, tagged)

    with tempfile.TemporaryDirectory() as directory:
        copy(directory, as_unreleased)
        compare("a version may be unreleased", run(directory), (0, f"{version}, unreleased"))
        status, said = run(directory, DAY)
        compare("a release writes its day, and names what a person must change",
                (status, said.splitlines()[0], "README.md says" in said, said.count("\n")), (1, f"{version}, {DAY}", True, 1))
        readme = Path(directory, "README.md")
        readme.write_text(readme.read_text(encoding="utf-8").replace(release.NOT_YET, "It is at example.org"), encoding="utf-8")
        compare("all files say that day then", run(directory), (0, f"{version}, {DAY}"))
        compare("and so do the files of make dist", release.Tree(directory).date().isoformat(), f"{DAY}T00:00:00+00:00")
        compare("it is released once", run(directory, DAY), (1, f"release: {version} was released on {DAY}"))
        for name in (*release.VERSIONS, "README.md"):
            kept = shutil.copy(Path(directory, name), Path(directory, "kept"))
            text = Path(directory, name).read_text(encoding="utf-8")
            Path(directory, name).write_text(f"{text}{release.NOT_YET}" if name == "README.md" else text.replace(version, "7.6.5"), encoding="utf-8")
            status, said = run(directory)
            check(f"{name} is seen if it says something else", status == 1 and name in said, said)
            shutil.copy(kept, Path(directory, name))
    finish()


main()
