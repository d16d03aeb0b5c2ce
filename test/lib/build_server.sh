#!/bin/bash
#
# build_server.sh - a server with assertions, compiled from source
#
# usage: test/lib/build_server.sh TO [CONFIGURE_ARGUMENT]...
#
# Distributions ship servers without assertions.  This compiles one with them, with
# ICU, TAP modules and contrib, and installs it in the directory TO, unless the same
# is there from the time before.  It is the version of the server that is installed, or
# of the one that this release of Debian has, from Debian's source package; or what
# PG_SOURCE names: a checkout or an unpacked source package, in which nothing has been
# configured.  CONFIGURE_ARGUMENTs are such as CFLAGS=-O1.  As root, what is missing to
# compile it is installed.

. "$(dirname "$0")/common.sh"

to=$1
shift

# Without a "pgsql" in that path, Debian's source would install into the system's server.
arguments=(--prefix="$to" --libdir="$to/lib/pgsql" --with-icu --without-readline --enable-tap-tests
	--enable-debug --enable-cassert "$@")

# The source package of a version, below a directory: from the same place as packages,
# or from Debian.  The index is our own, since that of the system may have no sources.
get_source()
{
	local version=$1 dir=$2 place release options

	place=$(sed -n 's/^deb //p' /etc/apt/sources.list 2>/dev/null | head -n 1 || true)
	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	mkdir -p "$dir"/{lists,cache}/partial
	echo "deb-src ${place:-http://deb.debian.org/debian ${release:-sid} main}" >"$dir/sources.list"
	options=(-q -o Dir::Etc::SourceList="$dir/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root)
	apt-get "${options[@]}" update
	(cd "$dir" && apt-get "${options[@]}" source "postgresql-$version")
}

if [ "$(cat "$to/complete" 2>/dev/null)" = "${PG_SOURCE:-} ${arguments[*]}" ]; then
	exit 0
fi
test/lib/setup.sh source
rm -rf "$to"
mkdir -p "$to/build"
source=${PG_SOURCE:-}
if [ -z "$source" ]; then
	version=$(pg_config --version 2>/dev/null | sed 's/^[^0-9]*\([0-9]*\).*/\1/' || true)
	get_source "${version:-$(apt-cache depends postgresql | sed -n 's/^ *Depends: postgresql-\([0-9]*\)$/\1/p')}" "$to/build"
	source=$(echo "$to"/build/postgresql-*/)
fi
mkdir -p "$to/build/objects"
cd "$to/build/objects"
export ASAN_OPTIONS=detect_leaks=0	# programs that are run to make it, such as zic
"$source/configure" -q "${arguments[@]}"
libraries=$(printf 'top_builddir = .\ninclude src/Makefile.global\nshow:\n\t@echo $(pkglibdir)\n' | make -s -f - show)
if [ "$libraries" != "$to/lib/pgsql" ]; then
	echo "build_server.sh: $source would install libraries in $libraries, not in $to" >&2
	exit 1
fi
make -s -j"${JOBS:-$(nproc)}" all
make -s install
make -s -C contrib -j"${JOBS:-$(nproc)}" install
cd /
rm -rf "$to/build"
echo "${PG_SOURCE:-} ${arguments[*]}" >"$to/complete"
