#!/bin/bash
#
# setup.sh - install what is missing to build, test and demonstrate ribbon
#
# usage: test/lib/setup.sh [PART]... | --fetch PART   of these parts
#
#	unit	what the core and its tests need (as do all others)
#	lib		what the tests of libribbon and of the command need
#	build	PostgreSQL, to build and run the extension; the default
#	server	PostgreSQL, to run it: without headers
#	test	what else the tests of the extension need
#	demo	what else the demo needs
#	languages	drivers and compilers for all programs of docs/languages.md
#	fuzz	clang and its libFuzzer
#	deep	valgrind and analysers
#	coverage	clang 19, which counts conditions
#	node	a JavaScript engine
#	js	the same, and what compiles to WebAssembly
#	page	the words of the explaining page
#	browser	what tests of JavaScript can do without: Chromium, a TypeScript compiler
#	site	what makes the site of docs/
#	bundlers	what installs bundlers of JavaScript
#	windows	what compiles libribbon for Windows, and Wine to try it
#	python	what builds and tests the package of Python
#	deb	what makes Debian packages, and looks at them
#	autopkgtest	what tries them as Debian does
#	vector	pgvector, from Debian 13 on
#	proof	CBMC, from Debian 13 on
#	source	what compiles PostgreSQL's own source
#	matrix	debootstrap, for other systems in directories
#
# For Debian and its relatives.  Asks apt only for packages whose files are not
# there yet, so a second run changes nothing and takes a moment.  Says how many
# packages come, how large they are, and what takes them away again.  With
# PG_CONFIG set, that server is taken as it is and no PostgreSQL package is
# installed.
#
# With --fetch PART packages are not installed, but kept packed in build/packages/PART,
# for use_fetched of common.sh; so are those that they depend on, without what no test
# needs: LLVM for the server's headers, a desktop for Chromium.  What the package of Python
# needs takes a quarter of the disk when packed.

set -euo pipefail

fetched=
if [ "${1:-}" = --fetch ]; then
	fetched=build/packages/$2
	shift
fi
kept=.	# of what is fetched: a pattern of its names

# want PACKAGE COMMAND...: PACKAGE is missing if COMMAND fails.
missing=()
want()
{
	local package=$1
	shift
	"$@" >/dev/null 2>&1 || compgen -G "$fetched/${package}_*.deb" >/dev/null || missing+=("$package")
}

# The same for what can be done without: left out if apt does not know it.
optional=()
want_optional()
{
	want "$@"
	optional+=("$1")
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# sudo may not be there, or not let this user; it may ask for a password, once.
can_be_root()
{
	[ "$(id -u)" != 0 ] || return 0
	command -v sudo >/dev/null || return 1
	sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }
}

# The major version to build for: the one whose headers are installed, else the
# newest server installed, else the one this release of the system comes with.
postgres_version()
{
	local headers server

	if headers=$(pg_config --includedir-server 2>/dev/null) && [ -f "$headers/postgres.h" ]; then
		pg_config --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/'
		return
	fi
	server=$(ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | sort -V | tail -n 1)
	if [ -n "$server" ]; then
		echo "$server" | cut -d / -f 5
		return
	fi
	update_lists >&2
	apt-cache depends postgresql | sed -n 's/^ *Depends: postgresql-\([0-9]*\)$/\1/p'
}

update_lists()
{
	as_root timeout 600 apt-get update -q || echo "setup: going on with the old package lists" >&2
}

# The server; and what compiles for it, if that is asked for.
postgres_packages()
{
	local version

	[ -z "${PG_CONFIG:-}" ] || return 0
	version=$(postgres_version)
	if [ -z "$version" ]; then
		echo "setup: cannot tell which PostgreSQL to install; set PG_CONFIG" >&2
		exit 1
	fi
	want "postgresql-$version" test -x "/usr/lib/postgresql/$version/bin/initdb"
	# pgxs.mk comes with the client already
	[ "$1" = server ] || want "postgresql-server-dev-$version" test -f "/usr/include/postgresql/$version/server/postgres.h"
}

# The package with clang's libFuzzer and sanitizers, named for clang's version.
clang_runtime()
{
	local version

	version=$(clang --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
	if [ -z "$version" ]; then
		apt-cache show clang >/dev/null 2>&1 || update_lists >&2
		version=$(apt-cache depends clang | sed -n 's/^ *Depends: clang-\([0-9]*\)$/\1/p')
	fi
	echo "libclang-rt-$version-dev"
}

has_libfuzzer()
{
	echo 'int LLVMFuzzerTestOneInput(void *p, long n) { return p == (void *) n; }' |
		clang -x c -fsanitize=fuzzer,address -o /dev/null -
}

has_python_headers()
{
	/usr/bin/python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'
}

has_browser()
{
	command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null
}

compiler=${CC:-cc}	# which may have options
want gcc command -v "${compiler%% *}"
want libc6-dev test -f /usr/include/stdio.h
want libxxhash-dev test -f /usr/include/xxhash.h
for part in "${@:-build}"; do
	case $part in
		unit)
			;;
		lib)
			want python3 test -x /usr/bin/python3
			want g++ c++ --version
			want pkg-config pkg-config --version
			want abigail-tools abidiff --version
			;;
		build | server)
			kept=^postgresql
			postgres_packages "$part"
			;;
		test)
			want python3 test -x /usr/bin/python3
			want python3-xxhash /usr/bin/python3 -c 'import xxhash'
			want libipc-run-perl perl -MIPC::Run -e 1
			want git git --version
			want_optional python3-psycopg2 /usr/bin/python3 -c 'import psycopg2'
			want_optional python3-psycopg /usr/bin/python3 -c 'import psycopg'
			;;
		demo)
			want wamerican-insane test -f /usr/share/dict/american-english-insane
			want wngerman test -f /usr/share/dict/ngerman
			;;
		languages)
			want python3-psycopg2 /usr/bin/python3 -c 'import psycopg2'
			want python3-psycopg /usr/bin/python3 -c 'import psycopg'
			want python3-sqlalchemy /usr/bin/python3 -c 'import sqlalchemy'
			want python3-django /usr/bin/python3 -c 'import django'
			want default-jdk-headless javac --version
			want libpostgresql-jdbc-java test -f /usr/share/java/postgresql.jar
			want golang-go go version
			want golang-github-jackc-pgx-v4-dev test -d /usr/share/gocode/src/github.com/jackc/pgx/v4
			# Debian's package wants Debian's node
			if command -v npm >/dev/null; then
				test -d build/languages/node_modules/pg ||
					timeout 300 npm install --silent --no-fund --no-audit --prefix build/languages pg
			else
				want node-pg test -d /usr/share/nodejs/pg
			fi
			;;
		fuzz)
			want clang clang --version
			want "$(clang_runtime)" has_libfuzzer
			;;
		deep)
			want valgrind valgrind --version
			want libc6-dbg test -d /usr/lib/debug/.build-id
			want cppcheck cppcheck --version
			want clang-tidy clang-tidy --version
			;;
		coverage)
			want clang-19 clang-19 --version
			want llvm-19 llvm-cov-19 --version
			want libclang-rt-19-dev test -d /usr/lib/llvm-19/lib/clang/19/lib/linux
			;;
		node)
			want nodejs node --version
			;;
		js)
			kept='^(clang|lld|lib(?!clang1|objc))'
			want clang clang --version
			want lld wasm-ld --version
			want nodejs node --version
			;;
		browser)
			# half of what Chromium takes, since it draws no windows
			kept='^(chromium|node|font|lib(?!llvm|gl1))'
			want_optional chromium-headless-shell has_browser
			want_optional node-typescript tsc --version
			;;
		site)
			want python3 test -x /usr/bin/python3
			want mkdocs-material test -d /usr/share/mkdocs/themes/material
			;;
		bundlers)
			want npm npm --version
			;;
		page)
			want wamerican test -f /usr/share/dict/american-english
			;;
		windows)
			want gcc-mingw-w64-x86-64-posix x86_64-w64-mingw32-gcc-posix --version
			want wine64 test -f /usr/lib/wine/wine64
			want wine wine --version
			;;
		python)
			kept='^(?!libjs|libpython[.0-9]*$)'
			want python3-dev has_python_headers
			want cython3 cython3 --version
			want python3-setuptools /usr/bin/python3 -c 'import setuptools'
			want python3-wheel /usr/bin/python3 -c 'import wheel'
			want python3-numpy /usr/bin/python3 -c 'import numpy'
			want_optional python3-pandas test -d /usr/lib/python3/dist-packages/pandas
			want_optional python3-psycopg /usr/bin/python3 -c 'import psycopg'
			want_optional mypy mypy --version
			;;
		deb)
			want build-essential test -d /usr/share/doc/build-essential
			want debhelper dh --version
			want dh-python dh_python3 --version
			want cython3 cython3 --version
			want python3-dev has_python_headers
			want python3-setuptools /usr/bin/python3 -c 'import setuptools'
			want python3-markdown test -d /usr/lib/python3/dist-packages/markdown
			want lintian lintian --version
			want fakeroot fakeroot --version
			want postgresql-all test -d /usr/share/doc/postgresql-all
			want postgresql-server-dev-all test -d /usr/share/doc/postgresql-server-dev-all
			;;
		autopkgtest)
			want autopkgtest autopkgtest --version
			;;
		vector)
			version=$(postgres_version)
			want "postgresql-$version-pgvector" test -f "/usr/share/postgresql/$version/extension/vector.control"
			;;
		proof)
			want cbmc cbmc --version
			;;
		source)
			want bison bison --version
			want flex flex --version
			want pkg-config pkg-config --version
			want libicu-dev test -d /usr/include/unicode
			want zlib1g-dev test -f /usr/include/zlib.h
			want dpkg-dev dpkg-source --version
			want libipc-run-perl perl -MIPC::Run -e 1
			;;
		matrix)
			want debootstrap test -x /usr/sbin/debootstrap
			want debian-archive-keyring test -f /usr/share/keyrings/debian-archive-keyring.gpg
			;;
		*)
			sed -n '/^# usage/,/^$/s/^# \{0,1\}//p' "$0" >&2
			exit 2
			;;
	esac
done

[ ${#missing[@]} -gt 0 ] || exit 0
mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)

look_up_missing()
{
	local package

	# fresh systems have no package lists, old ones have stale ones
	apt-cache show "${missing[@]}" >/dev/null 2>&1 || update_lists
	for package in "${optional[@]}"; do
		apt-cache show "$package" >/dev/null 2>&1 ||
			mapfile -t missing < <(printf '%s\n' "${missing[@]}" | grep -vx "$package")
	done
	[ ${#missing[@]} -gt 0 ] || exit 0
}

# What is missing, and what of $kept it depends on, into $fetched.
fetch()
{
	local packages

	mapfile -t packages < <(apt-get install -s --no-install-recommends "${missing[@]}" |
		sed -n 's/^Inst \([^ ]*\).*/\1/p' | grep -P "$kept")
	rm -rf "$fetched.new"
	mkdir -p "$fetched.new"
	[ ${#packages[@]} -gt 0 ] && (cd "$fetched.new" && apt-get download -qq -o APT::Sandbox::User=root "${packages[@]}")
}

if [ "$fetched" ]; then
	look_up_missing
	fetch || { update_lists && fetch; }
	mkdir -p "$fetched"
	mv "$fetched.new"/* "$fetched"
	rmdir "$fetched.new"
	echo "Fetched ${missing[*]} into $fetched: $(du -sm "$fetched" | cut -f 1) MB, unpacked while tests run"
	exit
fi

echo "Installing ${missing[*]}"
if ! can_be_root; then
	echo "setup: that takes root, or sudo, which does not let you. As root: apt-get install ${missing[*]}" >&2
	exit 1
fi

# A server package creates and starts a cluster of its own unless told not to.
# We start what we need ourselves, so tell it, for as long as this takes.
if [[ " ${missing[*]}" =~ \ postgresql-[0-9] ]]; then
	no_cluster=/etc/postgresql-common/createcluster.d/ribbon-setup.conf
	trap 'as_root rm -f "$no_cluster"' EXIT
	as_root mkdir -p "${no_cluster%/*}"
	echo "create_main_cluster = false" | as_root tee "$no_cluster" >/dev/null
fi

apt_install()
{
	as_root timeout 1800 env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install \
		--no-install-recommends -o APT::Keep-Downloaded-Packages=0 -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 \
		"$@" "${missing[@]}" </dev/null
}

# Ask, answer no, and keep what has been said of numbers and sizes.
say_how_much()
{
	apt_install --assume-no 2>/dev/null | grep -E '^[0-9]+ upgraded|^After this operation' || true
}

look_up_missing
say_how_much
apt_install -y -qq || { update_lists && apt_install -y -qq; }
echo "To take this away again: apt-get purge --autoremove ${missing[*]}"
