#!/bin/bash
#
# vpath.sh - builds out of the tree, as users of PGXS make them
#
# usage: test/run.sh build/vpath
#
# All is built and installed, bitcode for JIT included if the server has it, and
# the tree stays as it is, though something has been built there, too.

. "$(dirname "$0")/../lib/common.sh"
find_postgres
shopt -s nullglob

top=$PWD
tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"

# What is to be installed, from the root directory on.
expected()
{
	local source library

	library=$("$PG_CONFIG" --pkglibdir)
	echo "$library/ribbon.so"
	for source in ribbon.control sql/ribbon--*.sql; do
		echo "$("$PG_CONFIG" --sharedir)/extension/${source##*/}"
	done
	if grep -q '^with_llvm[[:space:]]*= *yes' "$("$PG_CONFIG" --pgxs | xargs dirname)/../Makefile.global"; then
		echo "$library/bitcode/ribbon.index.bc"
		for source in src/core/*/*.c src/pg/*.c src/pg/*/*.c; do
			echo "$library/bitcode/ribbon/${source%.c}.bc"
		done
	fi
}

# Make in the folder "out".  What it makes is not run, so it need not be fast.
build()
{
	make -s -j"$(nproc)" -C "$tmp/out" CFLAGS='-O0 -fPIC' BITCODE_CFLAGS=-O0 "$@"
}

# passes NAME COMMAND...: ok if the command says nothing
passes()
{
	local name=$1 said
	shift

	if said=$("$@" 2>&1) && [ -z "$said" ]; then
		ok "$name"
	else
		echo "$said"
		not_ok "$name"
	fi
}

make -s -j"$(nproc)" all
install_extension
touch "$tmp/before"
mkdir "$tmp/out"
passes "make -f builds" build -f "$top/Makefile" all
build -f "$top/Makefile" install DESTDIR="$tmp/to"
passes "and installs all" diff <(expected | sort) <(cd "$tmp/to" && find . -type f | sed 's/^\.//' | sort)
passes "make VPATH= -f finds the same" build VPATH="$top" -f "$top/Makefile" -q all
passes "nothing is built in the tree" find . -newer "$tmp/before" \( -name '*.o' -o -name '*.bc' -o -name '*.so' \)

test/lib/cluster.sh make -s --no-print-directory -C "$tmp/out" -f "$top/Makefile" installcheck \
	REGRESS=probe EXTRA_REGRESS_OPTS="--outputdir=$tmp" || not_ok "make -f installcheck"
[ "$failed" = 0 ]
