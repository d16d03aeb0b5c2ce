#!/bin/bash
#
# dist.sh - the zip that "pgxn install" takes builds, and the same wherever it lies
#
# usage: test/run.sh build/dist
#
# "make dist" takes what is committed; what is unpacked has no history, and is taken
# as it is.  This tree may have none, or changes that are not in it, so a copy is
# given one.  What is built is not run, so it need not be fast, nor be there for JIT.

. "$(dirname "$0")/../lib/common.sh"
test/lib/setup.sh test		# git is not there on a bare machine
find_postgres

tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
trap 'rm -rf "$tmp"' EXIT

# Make quietly, in a directory that may be another than the Makefile's.
build()
{
	local in=$1
	shift

	make -s -j"$(nproc)" -C "$in" CFLAGS='-O0 -g -fPIC' with_llvm=no "$@"
}

# META.json: what PGXN's specification asks for, and what is true of this tree.
judge_meta()
{
	"$python" - "$1" <<-'END'
		import json, os, re, sys
		meta = json.load(open(f"{sys.argv[1]}/META.json"))
		control = open(f"{sys.argv[1]}/ribbon.control").read()
		version = re.search(r"default_version = '(.*)'", control).group(1)
		ours = meta["provides"]["ribbon"]
		faults = [key for key in ("name", "version", "abstract", "maintainer", "license", "provides", "meta-spec")
		          if not meta.get(key)]
		if not re.fullmatch(r"\d+\.\d+\.\d+", meta["version"]) or not meta["version"].startswith(version + "."):
		    faults.append(f"version {meta['version']}, but {version} in ribbon.control")
		if ours["version"] != meta["version"]:
		    faults.append(f"ribbon is {ours['version']} of {meta['version']}")
		for file, first in (("CHANGELOG.md", r"^## (\S+) \(\d{4}-\d\d-\d\d\)$"),
		                    ("debian/changelog", r"\Aribbon \((.*)-\d+\) ")):
		    found = re.search(first, open(f"{sys.argv[1]}/{file}").read(), re.M)
		    if not found or found.group(1) != meta["version"]:
		        faults.append(f"{file} begins with {found and found.group(1)}")
		faults += [f"{key}: {ours[key]} is not there" for key in ("file", "docfile")
		           if not os.path.isfile(f"{sys.argv[1]}/{ours[key]}")]
		print("; ".join(faults))
	END
}

mkdir "$tmp/tree"
tar -cf - --exclude=./.git --exclude=./build . | tar -xf - --no-same-owner -C "$tmp/tree"
(
	cd "$tmp/tree"
	git init -q
	git add -A
	git -c user.name=nobody -c user.email=nobody@example.org commit -q -m "as it is"
	make -s dist
)
mkdir "$tmp/here"
"$python" -m zipfile -e "$tmp"/tree/build/ribbon-*.zip "$tmp/here"
name=$(ls "$tmp/here")
if [ "$name" = "ribbon-$(sed -n 's/^   "version": "\(.*\)",$/\1/p' META.json)" ]; then
	ok "the zip has one directory, $name"
else
	not_ok "the zip has one directory: it has $name"
fi
top=$tmp/here/$name
fault=$(judge_meta "$top") || fault="does not read"
if [ -z "$fault" ]; then
	ok "META.json is whole and tells the truth"
else
	not_ok "META.json: $fault"
fi

build "$top" all
build "$top" install DESTDIR="$tmp/to"
if [ -f "$tmp/to$("$PG_CONFIG" --pkglibdir)/ribbon.so" ] &&
	cmp "$tmp/to$("$PG_CONFIG" --sharedir)/extension/ribbon.control" ribbon.control; then
	ok "it builds and installs, without the rest of this tree"
else
	not_ok "it builds and installs"
fi

# What is in a zip, but for modes, which not all that unpacks it keeps.
contents()
{
	"$python" -c 'import sys, zipfile
for entry in zipfile.ZipFile(sys.argv[1]).infolist():
    print(f"{entry.filename} {entry.CRC:08x}")' "$1" | sort
}

make -s -C "$top" dist
if cmp <(contents "$tmp/tree/build/$name.zip") <(contents "$top/build/$name.zip"); then
	ok "make dist of it gives the same again, without what has been built"
else
	not_ok "make dist of it gives the same again"
fi

# Elsewhere, where files are named by other paths, too.
mkdir -p "$tmp/some/where/else"
build "$tmp/some/where/else" -f "$top/Makefile" all
if cmp "$top/ribbon.so" "$tmp/some/where/else/ribbon.so"; then
	ok "the same source gives the same library, in the tree and out of it"
else
	not_ok "the same source gives the same library"
fi
if grep -qF "$tmp" "$top/ribbon.so"; then
	not_ok "no name of a directory is in it"
else
	ok "no name of a directory is in it"
fi
[ "$failed" = 0 ]
