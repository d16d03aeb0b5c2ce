#!/bin/bash
#
# run.sh - try what packagers are given, as far as a Debian machine can
#
# usage: make test-packaging, or packaging/run.sh [PART]...
#
#	dist		make dist: checksums, and that it builds and passes make installcheck
#				without a history
#	pgxn		its client builds and installs the zip, and runs make installcheck of it
#	rpm			rpm/ribbon.spec, built for Debian's server by Debian's rpm; the files of its
#				packages, and what they need, are those of make install and of debian/control
#	relocated	make install with DESTDIR, pkglibdir=, datadir=, prefix=: each file where they
#				say, and none elsewhere
#	image		container/install.sh in a bare Debian root (as root; a minute or two): the
#				extension in a folder of its own, loaded from there by PostgreSQL 18 or later;
#				nothing of it, and no package, is left in the system's folders
#	npm			the package of JavaScript as npm packs it, installed by npm into an empty
#				folder without network, and tried
#	python		the source distribution and the wheel of Python are made; pip installs each
#				into an environment that has the system's packages, without network; it works
#	homebrew	the formula installs into a folder of its own, and its own test passes; what
#				Homebrew does for it, homebrew/try.rb does
#	syntax		the rest is read by its own language: YAML, CSV, Dockerfile; the expression for
#				Nix is evaluated, with what nixpkgs gives it in name only
#
# Installs what it needs.  The last line is "N passed, N failed".

. "$(dirname "$0")/../test/lib/common.sh"

matrix=${MATRIX_DIR:-/var/tmp/ribbon-matrix}
. test/lib/env.sh

test/lib/setup.sh build test
find_postgres
version=$(sed -n 's/^   "version": "\(.*\)",$/\1/p' META.json)
make_tmp
chmod 755 "$tmp"

# The files below a directory, by their names from there on.
files_of()
{
	(cd "$1" && find . \( -type f -o -type l \) | sed 's/^\.//' | sort)
}

# The tarball of this tree, committed or not, unpacked, for parts that need it; once.
unpack_dist()
{
	[ -z "$source" ] || return 0
	make -s dist DIST=tree
	tar -xzf "build/ribbon-$version.tar.gz" --no-same-owner -C "$tmp"
	source=$tmp/ribbon-$version
}

build_source()
{
	make -s -j"$(nproc)" -C "$source" OPTIMIZED=-O0 all
}

part_dist()
{
	unpack_dist
	try "checksums are right" bash -c "cd build && sha256sum -c ribbon-$version.sha256"
	try "it builds" build_source
	try "it installs" make -s -C "$source" install
	try "make installcheck passes" test/lib/cluster.sh make -s -C "$source" installcheck
}

part_pgxn()
{
	local zip=build/ribbon-$version.zip

	unpack_dist
	command -v pgxn >/dev/null || apt_get pgxnclient
	export MAKEFLAGS="-j$(nproc) OPTIMIZED=-O0"
	try "pgxn installs the zip" offline pgxn install --pg_config="$PG_CONFIG" --make=make --sudo=env --testing --yes "./$zip"
	try "pgxn check passes" test/lib/cluster.sh pgxn check --pg_config="$PG_CONFIG" --make=make --testing "./$zip"
	unset MAKEFLAGS
}

# What of a server's folders has to do with ribbon.
installed_names()
{
	sed -n 's|^.*/\(extension/ribbon.*\)$|\1|p; s|^.*/\(ribbon\.so\)$|\1|p' | sort
}

# The repository's own macros ask for debug information; Debian's rpm has to be told.
build_rpm()
{
	sed '/^%prep/i %debug_package\n' packaging/rpm/ribbon.spec >"$tmp/rpm/ribbon.spec"
	rpmbuild -bb --nodeps --define "_topdir $tmp/rpm" --define "pgmajorversion $1" --define "pgbindir $("$PG_CONFIG" --bindir)" \
		--define "pglibdir $("$PG_CONFIG" --pkglibdir)" --define "pgsharedir $("$PG_CONFIG" --sharedir)" \
		--define "_smp_mflags -j$(nproc) OPTIMIZED=-O0" "$tmp/rpm/ribbon.spec"
}

# rpm_files PACKAGE: names of the files that an extension has, of a package that was built
rpm_files()
{
	rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$@" | sed -n 's/^[-l][^ ]* //p' | installed_names
}

part_rpm()
{
	local major package

	unpack_dist
	command -v rpmbuild >/dev/null && command -v eu-strip >/dev/null || apt_get rpm debugedit elfutils
	major=$("$PG_CONFIG" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
	mkdir -p "$tmp/rpm/SOURCES"
	cp "build/ribbon-$version.tar.gz" "$tmp/rpm/SOURCES"
	try "rpmbuild makes packages" build_rpm "$major"
	package=$(compgen -G "$tmp/rpm/RPMS/*/ribbon_$major-$version-*.rpm")
	build_source
	make -s -C "$source" DESTDIR="$tmp/installed" install
	try "they have the files that make install installs" \
		diff <(files_of "$tmp/installed" | installed_names) <(rpm_files "$package")
	try "there is debug information" compgen -G "$tmp/rpm/RPMS/*/ribbon_$major-debuginfo-*.rpm"
	try "it needs the server, the C library, and nothing else of ribbon's" \
		diff <(printf '%s\n' libc libm "postgresql$major-server") \
			<(rpm -qp --requires "$package" | sed -n 's/^\(lib[a-z]*\)\.so.*/\1/p; s/^\(postgresql[^ ]*\).*/\1/p' | sort -u)
}

apt_get()
{
	apt-get update -q >/dev/null
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
		-o DPkg::Lock::Timeout=120 "$@" >/dev/null
}

# relocate NAME FILES OPTION...: each file of an installation lies where it should
relocate()
{
	local name=$1 expected=$2
	shift 2

	rm -rf "$tmp/to"
	make -s -C "$source" DESTDIR="$tmp/to" "$@" install >/dev/null
	try "$name" diff <(printf '%s\n' "$expected") <(files_of "$tmp/to")
}

part_relocated()
{
	local names library=$tmp/else/lib data=$tmp/else/share

	unpack_dist
	build_source
	make -s -C "$source" DESTDIR="$tmp/there" install
	names=$(files_of "$tmp/there")
	relocate "DESTDIR= puts all below it" "$names"
	relocate "pkglibdir= and datadir= say where" \
		"$(sed "s|^$("$PG_CONFIG" --pkglibdir)|$library|; s|^$("$PG_CONFIG" --sharedir)|$data|" <<<"$names" | sort)" \
		pkglibdir="$library" datadir="$data"
	if "$PG_CONFIG" --version | grep -qE ' (1[89]|[2-9][0-9])'; then
		relocate "prefix= says where" \
			"$(sed -e "s|^$("$PG_CONFIG" --pkglibdir)|$tmp/else/lib/postgresql|" \
				-e "s|^$("$PG_CONFIG" --sharedir)|$tmp/else/share/postgresql|" <<<"$names" | sort)" \
			prefix="$tmp/else"
	fi
	make -s -C "$source" lib command OPTIMIZED=-O0 >/dev/null
	rm -rf "$tmp/to"
	make -s -C "$source" install-libribbon install-command DESTDIR="$tmp/to" PREFIX=/opt/ribbon OPTIMIZED=-O0 >/dev/null
	try "PREFIX= says where libribbon and the command go" test -z "$(files_of "$tmp/to" | grep -v '^/opt/ribbon/')"
	try "and ribbon.pc says so" grep -qx 'prefix=/opt/ribbon' "$tmp/to/opt/ribbon/lib/pkgconfig/ribbon.pc"
}

# The extension is built in an environment, and tried in one with the server alone.
part_image()
{
	need_root
	test/lib/setup.sh matrix
	make_env image-testing >"$tmp/log" 2>&1
	copy_dist image-testing
	in_env image-testing packaging/container/try.sh 2>&1 | tee "$tmp/image.log" || true
	passed=$((passed + $(grep -c '^ok ' "$tmp/image.log" || true)))
	failed=$((failed + $(grep -c '^not ok ' "$tmp/image.log" || true)))
	grep -qx 'all tried' "$tmp/image.log" || not_ok "the image was tried to its end"
}

# As root, a command sees no network but its own; npm and pip are told besides.
offline()
{
	if [ "$(id -u)" = 0 ]; then
		unshare --net "$@"
	else
		"$@"
	fi
}

try_npm()
{
	(cd "$tmp/npm" && offline node --input-type=module -e '
		import { Filter, RibbonMap } from "ribbonfilter";
		const members = await Filter.build([42n, 7n], { fpr: 0.001 });
		const again = await Filter.open(members.toBytes());
		const plans = await RibbonMap.build([["ann", "pro"]]);
		if (!again.has(42n) || plans.get("ann") !== "pro") process.exit(1);')
}

part_npm()
{
	test/lib/setup.sh js bundlers
	make -s js
	mkdir -p "$tmp/npm"
	try "npm packs it" npm pack --silent --pack-destination "$tmp" ./clients/js
	try "with its modules, types and licence" \
		diff <(printf 'package/%s\n' LICENSE README.md dist/ribbon-build.wasm dist/ribbon.wasm lib/index.d.ts package.json) \
			<(tar -tzf "$tmp/ribbonfilter-$version.tgz" | grep -E '/(LICENSE|README.md|package.json|index.d.ts)$|wasm$' | sort)
	try "npm installs it, and nothing else" bash -c "cd '$tmp/npm' && npm init --yes --silent >/dev/null && $(declare -f offline)
		offline npm install --offline --silent --no-audit --no-fund '$tmp/ribbonfilter-$version.tgz' && [ \"\$(ls node_modules)\" = ribbonfilter ]"
	try "it builds, opens and asks" try_npm
}

# try_python FILE: pip installs a distribution, in an environment of its own, and it works
try_python()
{
	local place=$tmp/venv

	rm -rf "$place"
	"$python" -m venv --system-site-packages "$place" &&
		offline env -u PYTHONPATH "$place/bin/pip" install --quiet --no-index --no-build-isolation --disable-pip-version-check "$1" &&
		(cd "$place" && offline env -u PYTHONPATH bin/python -c '
import sys, ribbonfilter
from ribbonfilter import Filter, Map
assert ribbonfilter.__file__.startswith(sys.prefix), ribbonfilter.__file__
f = Filter(bytes(Filter.build([42, 7], fpr=0.001)))
assert 42 in f and Map.build(["ann"], ["gold"])["ann"] == "gold"')
}

part_python()
{
	test/lib/setup.sh python
	"$python" -c 'import ensurepip, pip' 2>/dev/null || apt_get python3-venv python3-pip
	rm -f build/python/*.whl build/python/*.tar.gz
	try "the source distribution and the wheel are made" make -s sdist wheel
	try "pip installs the wheel, and it works" try_python build/python/ribbonfilter-*.whl
	try "pip builds the source distribution, and it works" try_python build/python/ribbonfilter-*.tar.gz
}

# The formula's folder of a server is linked into that server's own.
link_formula()
{
	local server

	for server in "$tmp"/brew/lib/postgresql@*; do
		cp "$server/ribbon.so" "$("$PG_CONFIG" --pkglibdir)" &&
			cp "$tmp/brew/share/${server##*/}"/extension/* "$("$PG_CONFIG" --sharedir)/extension" || return 1
	done
}

part_homebrew()
{
	command -v ruby >/dev/null || apt_get ruby
	unpack_dist
	mkdir "$tmp/brew" "$tmp/formula"
	cp packaging/homebrew/*.rb "$tmp/formula"
	cp -r "$source" "$tmp/brew-source"
	rm -rf "$tmp/brew-source/build"
	chown -R "$server_user" "$tmp/brew" "$tmp/brew-source"
	try "the formula installs" in_directory "$tmp/brew-source" as_server env MAKEFLAGS="-j$(nproc) OPTIMIZED=-O0" \
		ruby "$tmp/formula/try.rb" install "$tmp/brew" "$("$PG_CONFIG" --bindir)"
	try "a file for each that it says, for two servers" diff <(printf '%s\n' /bin/ribbon /lib/libribbon.a ribbon.control ribbon.control) \
		<(files_of "$tmp/brew" | sed -n 's|.*/extension/\(ribbon.control\)|\1|p; /^.bin.ribbon$/p; /libribbon.a$/p')
	try "what it installs can be linked" link_formula
	try "its own test passes" in_directory "$tmp" as_server ruby "$tmp/formula/try.rb" test "$tmp/brew" "$("$PG_CONFIG" --bindir)"
}

# Evaluated for a server that is there in name; the derivation is what is handed to nixpkgs.
judge_nix()
{
	nix-instantiate --eval --strict --json -E "
		let made = import $PWD/packaging/nix/default.nix {
		  fetchurl = what: what.url; xxHash = \"xxHash\";
		  lib = { fakeHash = \"\"; licenses.postgresql = \"PostgreSQL\"; versionOlder = a: b: a < b; };
		  postgresql = { version = \"17.6\"; meta.platforms = [ ]; };
		  postgresqlBuildExtension = f: let final = f final; in final;
		}; in [ made.pname made.version made.src made.buildInputs made.meta.broken made.meta.license ]" |
		grep -qxF "[\"ribbon\",\"$version\",\"https://example.org/ribbon/releases/ribbon-$version.tar.gz\",[\"xxHash\"],false,\"PostgreSQL\"]"
}

in_directory()
{
	(cd "$1" && shift && "$@")
}

# A Dockerfile copies what there is, and each stage comes before it is used.
judge_dockerfile()
{
	"$python" - "$1" <<-'END'
		import re, sys
		stages, faults = set(), []
		text = re.sub(r"\\\n", " ", open(sys.argv[1]).read())
		for line in text.splitlines():
		    word = line.split("#")[0].split()
		    if not word:
		        continue
		    if word[0] not in ("ARG", "FROM", "COPY", "RUN", "USER"):
		        faults.append(f"{word[0]}?")
		    if word[0] == "FROM" and word[2:3] == ["AS"]:
		        stages.add(word[3])
		    for stage in re.findall(r"--from=(\S+)", line):
		        if stage not in stages:
		            faults.append(f"no stage {stage}")
		sys.exit("; ".join(faults) or None)
	END
}

# A workflow's own steps exist: each "make TARGET" is one of this tree.
judge_workflow()
{
	"$python" - "$1" <<-'END'
		import re, subprocess, sys, yaml
		jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
		steps = [step for job in jobs.values() for step in job["steps"]]
		if any("uses" not in step and "run" not in step for step in steps):
		    sys.exit("a step does nothing")
		text = "\n".join(step.get("run", "") for step in steps)
		for target in sorted(set(re.findall(r"make ([a-z-]+(?: [a-z-]+)*)(?: PACKAGING=.*)?$", text, re.M))):
		    for name in target.split():
		        if subprocess.run(["make", "-n", name], capture_output=True).returncode not in (0, 1):
		            sys.exit(f"no target {name}")
	END
}

part_syntax()
{
	local file

	command -v nix-instantiate >/dev/null || apt_get nix-bin
	"$python" -c 'import yaml' 2>/dev/null || apt_get python3-yaml
	try "the expression for Nix gives what nixpkgs asks for" judge_nix
	for file in packaging/container/*Dockerfile; do
		try "$file is whole" judge_dockerfile "$file"
	done
	try "container/cluster.yaml is YAML" "$python" -c 'import sys, yaml; list(yaml.safe_load_all(open(sys.argv[1])))' packaging/container/cluster.yaml
	try "the workflow is whole" judge_workflow .github/workflows/ci.yml
	try "the row of catalogues has a field for each column" "$python" -c '
import csv, sys
[row] = csv.DictReader(open(sys.argv[1]))
sys.exit(None in row or None in row.values())' packaging/catalogue.csv
}

source=
parts=${*:-syntax dist pgxn relocated homebrew npm python rpm image}
for part in $parts; do
	echo "# $part"
	"part_$part"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
