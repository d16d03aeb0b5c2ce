#!/usr/bin/python3
"""dist.py - the files of a release, of a tree that git archive gives

usage: git archive --format=tar TREE | packaging/dist.py DIRECTORY

Writes into DIRECTORY, for the version that META.json says:

    ribbon-VERSION.tar.gz       the sources, for packagers
    ribbon-VERSION.zip          the same, as PGXN takes them
    ribbon-VERSION.spdx.json    a bill of materials (SPDX 2.3): each file, its checksum,
                                its licence, and what it is built with
    ribbon-VERSION.sha256       checksums of these three: sha256sum -c takes them

The same tree gives the same bytes, whenever and wherever: entries are sorted, belong
to nobody, and have the date that the tree says (release.py).
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile
import zipfile
from pathlib import Path

from release import Tree

LICENCE = "PostgreSQL"


def tree_of(stream):
    """{name: (is it executable, bytes)} of a tar archive, sorted by name"""
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        files = {entry.name: (bool(entry.mode & 0o100), archive.extractfile(entry).read())
                 for entry in archive if entry.isfile()}
    return dict(sorted(files.items()))


class Packed(Tree):
    """A tree as tree_of has it."""

    def __init__(self, files):
        self.files = files
        super().__init__(".")

    def text(self, name):
        return self.files[name][1].decode()


def mode_of(executable):
    return 0o755 if executable else 0o644


def as_tar(files, top, date):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (executable, content) in files.items():
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode_of(executable), int(date.timestamp())
            archive.addfile(entry, io.BytesIO(content))
    # without a name or a time of its own
    return gzip.compress(packed.getvalue(), compresslevel=9, mtime=0)


def as_zip(files, top, date):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (executable, content) in files.items():
            entry = zipfile.ZipInfo(f"{top}/{name}", date.timetuple()[:6])
            entry.create_system = 3     # Unix: the mode counts
            entry.external_attr = (0o100000 | mode_of(executable)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return packed.getvalue()


def bill_of_materials(files, top, version, date):
    """SPDX 2.3.  No file is somebody else's; xxHash's header is compiled in."""

    def checksums(content, *names):
        return [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, content).hexdigest()} for name in names]

    def package(identity, name, licence, **more):
        return {"SPDXID": f"SPDXRef-{identity}", "name": name, "downloadLocation": "NOASSERTION",
                "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}

    listed = [{"SPDXID": f"SPDXRef-File-{number}", "fileName": f"./{name}",
               "checksums": checksums(content, "sha1", "sha256"), "licenseConcluded": LICENCE,
               "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION"}
              for number, (name, (_, content)) in enumerate(files.items())]
    sums = sorted(file["checksums"][0]["checksumValue"] for file in listed)
    ours = package("ribbon", "ribbon", LICENCE, versionInfo=version, filesAnalyzed=True,
                   packageVerificationCode={"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()},
                   licenseInfoFromFiles=[LICENCE], supplier="Organization: the ribbon authors",
                   hasFiles=[file["SPDXID"] for file in listed])
    others = [package("xxHash", "xxHash", "BSD-2-Clause", versionInfo=">= 0.8.0", filesAnalyzed=False),
              package("PostgreSQL", "PostgreSQL", "PostgreSQL", versionInfo=">= 15", filesAnalyzed=False)]
    relations = [("DOCUMENT", "DESCRIBES", "ribbon"), ("ribbon", "STATIC_LINK", "xxHash"),
                 ("PostgreSQL", "RUNTIME_DEPENDENCY_OF", "ribbon")]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": top,
        "documentNamespace": f"https://spdx.org/spdxdocs/{top}-{hashlib.sha256(''.join(sums).encode()).hexdigest()}",
        "creationInfo": {"created": date.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: ribbon-dist"]},
        "packages": [ours, *others], "files": listed,
        "relationships": [{"spdxElementId": f"SPDXRef-{first}", "relationshipType": kind,
                           "relatedSpdxElement": f"SPDXRef-{second}"} for first, kind, second in relations]}
    return (json.dumps(document, indent=1) + "\n").encode()


def main():
    files = tree_of(sys.stdin.buffer)
    tree = Packed(files)
    version, date = tree.version, tree.date()
    top = f"ribbon-{version}"
    made = {f"{top}.tar.gz": as_tar(files, top, date), f"{top}.zip": as_zip(files, top, date),
            f"{top}.spdx.json": bill_of_materials(files, top, version, date)}
    made[f"{top}.sha256"] = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n"
                                    for name, content in made.items()).encode()
    for name, content in made.items():
        Path(sys.argv[1], name).write_bytes(content)


if __name__ == "__main__":
    main()
