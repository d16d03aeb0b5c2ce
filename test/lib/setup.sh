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

# Of what is fetched, what is kept: a pattern of its names.
declare -A kept=(
	[build]='^postgresql'
	[js]='^(clang|lld|lib(?!clang1|objc))'
	[browser]='^(chromium|node|font|lib(?!llvm|gl1))'	# half of what Chromium takes, since it draws no windows
	[python]='^(?!libjs|libpython[.0-9]*=)'
)

# want PACKAGE[=VERSION] COMMAND...: PACKAGE is missing if COMMAND fails.
missing=()
want()
{
	local package=$1
	shift
	"$@" >/dev/null 2>&1 || compgen -G "$fetched/${package/=/_}_*.deb" >/dev/null || missing+=("$package")
}

# The same for a row of what parts need (below).  What can be done without is left out if apt
# does not know it.
optional=()
want_row()
{
	local package=${1#\?} check=$2

	[ "$package" = "$1" ] || optional+=("$package")
	# shellcheck disable=SC2086
	want "$package" ${check/#\//test -e /}
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
	[ "$1" = server ] || want "$(headers_of "$version")" test -f "/usr/include/postgresql/$version/server/postgres.h"
}

# The headers of the server that is installed, as long as apt has them: newer ones may call what it lacks.
headers_of()
{
	local package=postgresql-server-dev-$1 installed

	installed=$(dpkg-query -W -f '${Version}' "postgresql-$1" 2>/dev/null || true)
	if [ -n "$installed" ] && apt-cache show "$package=$installed" >/dev/null 2>&1; then
		package+="=$installed"
	fi
	echo "$package"
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

has_module()
{
	/usr/bin/python3 -c "import $1"
}

has_browser()
{
	command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null
}

# What node programs talk to a server by.  Debian's package wants Debian's node.
node_driver()
{
	if ! command -v npm >/dev/null; then
		want node-pg test -d /usr/share/nodejs/pg
	elif [ ! -d build/languages/node_modules/pg ]; then
		timeout 300 npm install --silent --no-fund --no-audit --prefix build/languages pg
	fi
}

# PART PACKAGE CHECK...: the part needs the package if CHECK fails, a command, or a path that
# is not there.  One with a question mark can be done without.
needs='
lib			python3		/usr/bin/python3
lib			g++			c++ --version
lib			pkg-config	pkg-config --version
lib			abigail-tools	abidiff --version
test		python3		/usr/bin/python3
test		python3-xxhash	has_module xxhash
test		libipc-run-perl	perl -MIPC::Run -e 1
test		git			git --version
test		?python3-psycopg2	has_module psycopg2
test		?python3-psycopg	has_module psycopg
demo		wamerican-insane	/usr/share/dict/american-english-insane
demo		wngerman	/usr/share/dict/ngerman
languages	python3-psycopg2	has_module psycopg2
languages	python3-psycopg	has_module psycopg
languages	python3-sqlalchemy	has_module sqlalchemy
languages	python3-django	has_module django
languages	default-jdk-headless	javac --version
languages	libpostgresql-jdbc-java	/usr/share/java/postgresql.jar
languages	golang-go	go version
languages	golang-github-jackc-pgx-v4-dev	/usr/share/gocode/src/github.com/jackc/pgx/v4
fuzz		clang		clang --version
deep		valgrind	valgrind --version
deep		libc6-dbg	/usr/lib/debug/.build-id
deep		cppcheck	cppcheck --version
deep		clang-tidy	clang-tidy --version
coverage	clang-19	clang-19 --version
coverage	llvm-19		llvm-cov-19 --version
coverage	libclang-rt-19-dev	/usr/lib/llvm-19/lib/clang/19/lib/linux
node		nodejs		node --version
js			clang		clang --version
js			lld			wasm-ld --version
js			nodejs		node --version
browser		?chromium-headless-shell	has_browser
browser		?node-typescript	tsc --version
site		python3		/usr/bin/python3
site		mkdocs-material	/usr/share/mkdocs/themes/material
bundlers	npm			npm --version
page		wamerican	/usr/share/dict/american-english
windows		gcc-mingw-w64-x86-64-posix	x86_64-w64-mingw32-gcc-posix --version
windows		wine64		/usr/lib/wine/wine64
windows		wine		wine --version
python		python3-dev	has_python_headers
python		cython3		cython3 --version
python		python3-setuptools	has_module setuptools
python		python3-wheel	has_module wheel
python		python3-numpy	has_module numpy
python		?python3-pandas	/usr/lib/python3/dist-packages/pandas
python		?python3-psycopg	has_module psycopg
python		?mypy		mypy --version
deb			build-essential	/usr/share/doc/build-essential
deb			debhelper	dh --version
deb			dh-python	dh_python3 --version
deb			cython3		cython3 --version
deb			python3-dev	has_python_headers
deb			python3-setuptools	has_module setuptools
deb			python3-markdown	/usr/lib/python3/dist-packages/markdown
deb			lintian		lintian --version
deb			fakeroot	fakeroot --version
deb			postgresql-all	/usr/share/doc/postgresql-all
deb			postgresql-server-dev-all	/usr/share/doc/postgresql-server-dev-all
autopkgtest	autopkgtest	autopkgtest --version
proof		cbmc		cbmc --version
source		bison		bison --version
source		flex		flex --version
source		pkg-config	pkg-config --version
source		libicu-dev	/usr/include/unicode
source		zlib1g-dev	/usr/include/zlib.h
source		dpkg-dev	dpkg-source --version
source		libipc-run-perl	perl -MIPC::Run -e 1
matrix		debootstrap	/usr/sbin/debootstrap
matrix		debian-archive-keyring	/usr/share/keyrings/debian-archive-keyring.gpg
'

compiler=${CC:-cc}	# which may have options
want gcc command -v "${compiler%% *}"
want libc6-dev test -f /usr/include/stdio.h
want libxxhash-dev test -f /usr/include/xxhash.h
for part in "${@:-build}"; do
	rows=$(grep -P "^$part\t" <<<"$needs" | cut -f 2- || true)
	case $part in
		unit)
			;;
		build | server)
			postgres_packages "$part"
			;;
		fuzz)
			want "$(clang_runtime)" has_libfuzzer
			;;
		languages)
			node_driver
			;;
		vector)
			version=$(postgres_version)
			want "postgresql-$version-pgvector" test -f "/usr/share/postgresql/$version/extension/vector.control"
			;;
		*)
			if [ -z "$rows" ]; then
				sed -n '/^# usage/,/^$/s/^# \{0,1\}//p' "$0" >&2
				exit 2
			fi
			;;
	esac
	while read -r package check; do
		[ -z "$package" ] || want_row "$package" "$check"
	done <<<"$rows"
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

# What is missing, and what it depends on and is kept, into $fetched.
fetch()
{
	local packages

	mapfile -t packages < <(apt-get install -s --no-install-recommends "${missing[@]}" |
		sed -En 's/^Inst ([^ ]*)( \[[^]]*\])? \(([^ )]*).*/\1=\3/p' | grep -P "${kept[${fetched##*/}]:-.}")
	rm -rf "$fetched.new"
	mkdir -p "$fetched.new"
	[ ${#packages[@]} -gt 0 ] && (cd "$fetched.new" && apt-get download -qq -o APT::Sandbox::User=root "${packages[@]}")
}

if [ "$fetched" ]; then
	look_up_missing
	fetch || { update_lists && fetch; }
	mkdir -p "$fetched"
	for deb in "$fetched.new"/*; do	# in place of another version
		deb=${deb##*/}
		rm -f "$fetched/${deb%%_*}"_*
	done
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
