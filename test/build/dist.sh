#!/bin/bash
#
# dist.sh - what "make dist" makes is whole, and builds, in its own tree and out of it
#
# usage: test/run.sh build/dist
# needs: server
#
# "make dist" takes what is committed, unless it is told DIST=tree; what is unpacked has no
# history, and is taken as it is.  This tree may have none, or changes that are not in it,
# so a copy is given one.  It is built in its own tree, and then out of it, as users of PGXS do.
# What is built is not run, so it need not be fast: functions that are always inlined,
# once for each width, are not, which takes half of the time away.  Debug information
# names directories, which is looked at; variables are left out.

. "$(dirname "$0")/../lib/common.sh"
bash test/lib/setup.sh test		# git is not there on a bare machine
find_postgres
shopt -s nullglob

make_tmp
chmod 755 "$tmp"

plain="-O0 -Dalways_inline=unused"

# Make quietly, in a directory that may be another than the Makefile's.
build()
{
	local in=$1
	shift

	make -s -j"$(nproc)" -C "$in" CFLAGS="$plain -g1 -fPIC" OPTIMIZED=-O0 "$@"
}

in_directory()
{
	(cd "$1" && shift && "$@")
}

# judge_bill BILL TREE: says what an SPDX bill of materials gets wrong about a tree
judge_bill()
{
	"$python" - "$@" <<-'END'
		import hashlib, json, pathlib, sys
		bill, tree = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2])
		faults = []
		if bill["spdxVersion"] != "SPDX-2.3" or bill["SPDXID"] != "SPDXRef-DOCUMENT":
		    faults.append("it is no SPDX 2.3")
		said = {file["fileName"]: {sum["algorithm"]: sum["checksumValue"] for sum in file["checksums"]}["SHA256"]
		        for file in bill["files"]}
		true = {f"./{path.relative_to(tree)}": hashlib.sha256(path.read_bytes()).hexdigest()
		        for path in tree.rglob("*") if path.is_file()}
		faults += [f"{name}: {said.get(name)}, not {true.get(name)}" for name in sorted(said.keys() | true.keys())
		           if said.get(name) != true.get(name)]
		known = {item["SPDXID"] for item in [bill, *bill["packages"], *bill["files"]]}
		faults += [f"{line[side]} is nowhere" for line in bill["relationships"]
		           for side in ("spdxElementId", "relatedSpdxElement") if line[side] not in known]
		sys.exit("\n".join(faults) or 0)
	END
}

# What is to be installed, from the root directory on.
expected()
{
	local source library

	library=$("$PG_CONFIG" --pkglibdir)
	echo "$library/ribbon.so"
	for source in "$top"/ribbon.control "$top"/sql/ribbon--*.sql; do
		echo "$("$PG_CONFIG" --sharedir)/extension/${source##*/}"
	done
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
		faults += [f"{key}: {ours[key]} is not there" for key in ("file", "docfile")
		           if not os.path.isfile(f"{sys.argv[1]}/{ours[key]}")]
		sys.exit("\n".join(faults) or 0)
	END
}

mkdir "$tmp/tree"
tar -cf - --exclude=./.git --exclude=./build . | tar -xf - --no-same-owner -C "$tmp/tree"
(
	cd "$tmp/tree"
	git init -q
	git add -A
	git -c user.name=nobody -c user.email=nobody@example.org commit -q -m "as it is"
)

# dist_of WHICH: what "make dist" says, and how many files of its tarball have a last line "changed"
dist_of()
{
	make -s -C "$tmp/tree" dist DIST="$1" 2>&1
	tar -xzOf "$tmp"/tree/build/ribbon-*.tar.gz --wildcards '*/LICENSE' '*/new.txt' 2>/dev/null | grep -cx changed || true
}

echo changed | tee -a "$tmp/tree/LICENSE" >"$tmp/tree/new.txt"
try "make dist DIST=tree takes the tree as it is" diff - <(dist_of tree) <<<2
try "make dist takes what is committed, and says what is not" diff - <(dist_of HEAD) <<-END
	make dist: what is not committed is not in it; DIST=tree takes the tree as it is
	0
END
git -C "$tmp/tree" reset -q --hard
rm "$tmp/tree/new.txt"

# As the scripts that need a copy of a tree pack it.
packed()
{
	pack_tree "$1" | tar -tf - | sed -n 's|^\./\(.*[^/]\)$|\1|p' | sort
}

mkdir -p "$tmp"/tree/{clients/js/dist,test/lib/__pycache__}
touch "$tmp"/tree/{clients/js/dist/a.wasm,docs/explain/core.js,test/lib/__pycache__/a.pyc,src/core/base/a.o}
try "a tree is packed without what has been made in it" \
	diff <(packed "$tmp/tree") <(git -C "$tmp/tree" ls-files | sort)

mkdir "$tmp/here" "$tmp/zipped"
tar -xzf "$tmp"/tree/build/ribbon-*.tar.gz --no-same-owner -C "$tmp/here"
name=$(ls "$tmp/here")
if [ "$name" = "ribbon-$(sed -n 's/^   "version": "\(.*\)",$/\1/p' META.json)" ]; then
	ok "the tarball has one directory, $name"
else
	not_ok "the tarball has one directory: it has $name"
fi
"$python" -m zipfile -e "$tmp/tree/build/$name.zip" "$tmp/zipped"
try "the zip has the same files" diff -r "$tmp/here" "$tmp/zipped"
try "checksums are right" in_directory "$tmp/tree/build" sha256sum --quiet -c "$name.sha256"
try "the bill of materials is whole" judge_bill "$tmp/tree/build/$name.spdx.json" "$tmp/here/$name"
top=$tmp/here/$name
try "META.json is whole and tells the truth" judge_meta "$top"

build "$top" all
build "$top" install DESTDIR="$tmp/to"
if [ -f "$tmp/to$("$PG_CONFIG" --pkglibdir)/ribbon.so" ] &&
	cmp "$tmp/to$("$PG_CONFIG" --sharedir)/extension/ribbon.control" ribbon.control; then
	ok "it builds and installs, without the rest of this tree"
else
	not_ok "it builds and installs"
fi

# The zip has been unpacked without the modes of its files: scripts are no programs.
zipped=$tmp/zipped/$name
try "no recipe takes a script for a program" diff /dev/null \
	<(cd "$zipped" && grep -rnE $'^\t@?[a-z-]+/[^ ]*\\.(sh|py)' --include=Makefile --include='*.mk' .)
if ! test -x "$zipped/test/run.sh" && make -s -C "$zipped" lib LIB_CFLAGS="$plain" OPTIMIZED=-O0 >/dev/null &&
	test -f "$zipped/build/lib/libribbon.a" && make -s -C "$zipped" test TEST=build/topics >/dev/null; then
	ok "its scripts run, though they have no execution bits"
else
	not_ok "its scripts run, though they have no execution bits"
fi

make -s -C "$top" dist
for file in "$tmp/tree/build/$name".*; do
	try "make dist of it gives the same ${file##*/}, without what has been built" cmp "$file" "$top/build/${file##*/}"
done

# Elsewhere, where files are named by other paths, too.
out=$tmp/some/where/else
mkdir -p "$out"
touch "$tmp/before"
try "make -f builds out of the tree, and says nothing" diff <(build "$out" -f "$top/Makefile" all 2>&1; echo $?) - <<<0
build "$out" -f "$top/Makefile" install DESTDIR="$tmp/from"
try "and installs all" diff <(expected | sort) <(cd "$tmp/from" && find . -type f | sed 's/^\.//' | sort)
try "make VPATH= -f finds the same" build "$out" VPATH="$top" -f "$top/Makefile" -q all
try "nothing is built in the tree" diff /dev/null \
	<(find "$top" -newer "$tmp/before" \( -name '*.o' -o -name '*.bc' -o -name '*.so' \))
try "the same source gives the same library, in the tree and out of it" cmp "$top/ribbon.so" "$out/ribbon.so"
if grep -qF "$tmp" "$top/ribbon.so"; then
	not_ok "no name of a directory is in it"
else
	ok "no name of a directory is in it"
fi

# What this tests is the extension of this tree, which is installed.
make -s --no-print-directory -C "$out" -f "$top/Makefile" installcheck \
	REGRESS=probe EXTRA_REGRESS_OPTS="--outputdir=$tmp" || not_ok "make -f installcheck"
[ "$failed" = 0 ]
