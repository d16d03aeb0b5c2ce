#!/bin/bash
#
# coverage.sh - which lines, branches and conditions of the sources do the tests reach?
#
# usage: test/deep/coverage.sh [core | lib | server]...		all by default
#
#	core	src/core, by the unit tests, golden files included, by the fixed sequence of
#			fuzzed inputs, and by what "make fuzz" has left in build/fuzz
#	lib		lib/src and lib/command, by the tests of libribbon and of the command
#	server	src/pg, by pg_regress, TAP and the test programs of the server
#
# clang 19 counts: lines, branches, and MC/DC conditions, which are those that are
# shown to decide alone (it leaves out conditions below a "!" of several).  Assertions
# are off, and vector instructions those of this machine.  In build/coverage are then
# files.txt, a table per file; missing.txt, each place that no test reaches; and
# index.html, with the sources.  A test that fails is told, and what it reached counts.

. "$(dirname "$0")/../lib/common.sh"
shopt -s nullglob

top=$PWD
dir=$top/build/coverage
version=19
counted="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -DNDEBUG"
plain="$core_flags -O1 -g1 -MMD -MP -w"

# begin PART: forget what has been counted; sources that are newer than "began" are not those counted (mutate.py)
begin()
{
	rm -rf "${dir:?}/$1"
	mkdir -p "$dir/$1"
	: >"$dir/$1/began"
}

# end PART OBJECT...: merge what has been counted, for coverage.py, and show the sources
end()
{
	local part=$1 object others=()
	shift

	"llvm-profdata-$version" merge -sparse -o "$dir/$part/profile" "$dir/$part"/*.profraw
	printf '%s\n' "$@" >"$dir/$part/objects"
	for object in "${@:2}"; do
		others+=(-object "$object")
	done
	"llvm-cov-$version" show -format=html -show-branches=count -show-mcdc -show-instantiations=false \
		-instr-profile="$dir/$part/profile" -output-dir="$dir/$part/html" "$1" "${others[@]}" 2>/dev/null
}

# objects FOLDER...: but those of an earlier run whose source has gone, or has another name
objects()
{
	local object

	find "$@" -name '*.o' ! -path '*/fuzz/construct/*' | while read -r object; do
		[ ! -e "$(tr -s ' \\\n' ' ' <"${object%.o}.d" | cut -d ' ' -f 2)" ] || echo "$object"
	done
}

# make with what counts, in build/coverage
counting_make()
{
	make -s -j"$(nproc)" CC="clang-$version" UNIT_DIR=build/coverage/unit FUZZ_DIR=build/coverage/fuzz \
		UNIT_CFLAGS="$plain $counted" "$@"
}

# count PART NAME COMMAND...: each program by itself, so that mutate.py learns which test reaches a line
count()
{
	local log=$dir/$1/$2
	shift

	echo "# $1"
	LLVM_PROFILE_FILE=$log.%m.profraw "${@:2}" >"$log.log" || echo "not ok - $1: see $log.log"
}

cover_core()
{
	local program corpus objects

	begin core
	counting_make unit-programs fuzz-driver
	for program in test/unit/*/test_*.c; do
		program=${program#test/unit/}
		count core "$(basename "$program" .c)" "build/coverage/unit/${program%.c}"
	done
	count core fuzz build/coverage/fuzz/driver
	for corpus in build/fuzz/corpus-*; do
		program=${corpus#build/fuzz/corpus-}
		count core "fuzz_$program" xargs -0 build/coverage/fuzz/driver "${program/quick/probe}" \
			< <(find "$corpus" -type f -print0)
	done
	mapfile -t objects < <(objects "$dir/unit" "$dir/fuzz" | grep -v /lib/)
	end core "${objects[@]}"
}

# The other parts count in a copy of the tree, whose tests are run as they are.
make_tree()
{
	rm -rf "$dir/tree"
	mkdir -p "$dir/tree"
	pack_tree . | tar -xf - -C "$dir/tree"
}

# run_tree PART SUITE...
run_tree()
{
	local part=$1 profiles
	shift

	profiles=$(mktemp -d /tmp/ribbon-coverage.XXXXXX)	# the server's user gets there
	chmod 777 "$profiles"
	LLVM_PROFILE_FILE=$profiles/%4m.profraw bash "$dir/tree/test/run.sh" "$@" >"$dir/$part/log" ||
		grep '^not ok' "$dir/$part/log" || tail -n 3 "$dir/$part/log"
	mv "$profiles"/*.profraw "$dir/$part"
	rm -rf "$profiles"
}

# What make in the copy takes instead of its own: words of MAKEFLAGS.
with()
{
	local setting

	printf -- '--'
	for setting; do
		printf ' %s' "${setting// /\\ }"
	done
}

cover_lib()
{
	local flags="$plain $counted -fcoverage-prefix-map=$dir/tree=$top" program objects

	begin lib
	counting_make lib-programs
	for program in lib/test/test_*.c; do
		program=$(basename "$program" .c)
		count lib "$program" "build/coverage/unit/lib/test/$program"
	done
	make_tree
	# not LIB_CFLAGS: two programs of the same functions cannot add to one profile
	MAKEFLAGS=$(with "CC=clang-$version" "UNIT_CFLAGS=$flags") run_tree lib lib
	mapfile -t objects < <(objects "$dir/unit/lib")
	end lib "${objects[@]}"
}

cover_server()
{
	local copy

	begin server
	make_tree
	copy=$(mktemp -d /tmp/ribbon-coverage.XXXXXX)
	chmod 755 "$copy"
	PG_CONFIG=$(test/lib/copy_server.sh "$copy") MAKEFLAGS=$(with "CC=clang-$version" "COPT=$counted -O1") \
		run_tree server sql python tap
	rm -rf "$copy"
	end server "$dir/tree/ribbon.so"
}

test/lib/setup.sh unit coverage
for part in "${@:-core lib server}"; do
	for one in $part; do
		"cover_$one"
	done
done
"$python" test/deep/coverage.py "llvm-cov-$version" "$dir"
