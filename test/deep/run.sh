#!/bin/bash
#
# run.sh - checks that take minutes: sanitizers in the server, valgrind, analysers
#
# usage: test/deep/run.sh [server | sanitized | keys | large | database | valgrind | threads |
#		cppcheck | tidy | analyzer]...
#
#	server		the extension under ASan and UBSan, in a private copy of the
#				server: pg_regress and the test programs of the server
#	sanitized	pg_regress and TAP, or other TESTS of test/run.sh, on a server that itself
#				has assertions and sanitizers (test/deep/sanitized.sh)
#	keys		test_keys.py with a million keys of each kind
#	large		filters of 600 and 850 MB: dumped, restored, copied (8 GB of
#				memory, 10 of disk)
#	database	every column of PostgreSQL's regression database as a key: if
#				PG_SOURCE is the server's source package, unpacked
#	valgrind	the core's unit programs, and fuzzed inputs, built plainly
#	threads		the core's threaded unit programs, and fuzzed builds in threads,
#				under ThreadSanitizer
#	cppcheck, tidy, analyzer
#				cppcheck, clang-tidy, gcc -fanalyzer: no finding but those
#				that test/deep/justified.txt explains, and the one that
#				test/deep/faulty.c is there for
#
# No file takes an analyser longer than LIMIT seconds of CPU, 600 by default: one that
# does has failed.
#
# All of them by default, but for sanitized, which takes an hour or two, and for
# database without a PG_SOURCE.  The last line is "N passed, N failed".

. "$(dirname "$0")/../lib/common.sh"
shopt -s nullglob

top=$PWD
deep=$top/build/deep
logs=$deep
. test/deep/analysers.sh

# The extension with sanitizers, compiled from a copy of the tree.
build_sanitized()
{
	rm -rf "$deep/tree"
	mkdir -p "$deep/tree"
	pack_tree . | tar -xf - --no-same-owner -C "$deep/tree"
	make -s -C "$deep/tree" PG_CONFIG="$PG_CONFIG" all install \
		COPT='-O1 -fsanitize='"$1"' -fno-sanitize-recover=all -fno-omit-frame-pointer'
}

# What to preload into the server for the extension to have ASan.
preload_asan()
{
	gcc -shared -fPIC -Wl,-z,initfirst -o "$1/asan_first.so" test/deep/asan_first.c
	echo "$(gcc -print-file-name=libasan.so):$1/asan_first.so"
}

check_server()
{
	local program
	local -x PG_CONFIG=${PG_CONFIG:-pg_config} SERVER_ENV	# other parts keep the server that they had

	test/lib/setup.sh build test
	server_copy=$(mktemp -d /tmp/ribbon-deep.XXXXXX)	# the server user must get there
	chmod 755 "$server_copy"
	trap 'rm -rf "$server_copy"' EXIT
	PG_CONFIG=$(test/lib/copy_server.sh "$server_copy/pg")
	SERVER_ENV="LD_PRELOAD=$(preload_asan "$server_copy")"
	# Memory that is freed must not count long as held: test_errors.py looks at it.
	SERVER_ENV+=" ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:quarantine_size_mb=8:thread_local_quarantine_size_kb=64"
	SERVER_ENV+=" UBSAN_OPTIONS=print_stacktrace=1"

	try "server: build with sanitizers" build_sanitized address,undefined
	# shellcheck disable=SC2086
	try "server: starts with ASan" env $SERVER_ENV timeout 60 "${PG_CONFIG%/*}/postgres" --version
	mkdir -p "$deep/regress"
	try "server: pg_regress" test/lib/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$deep/regress"
	for program in test/python/test_*.py; do
		try "server: $(basename "$program")" test/lib/cluster.sh "$python" "$program"
	done
}

check_sanitized()
{
	# shellcheck disable=SC2086
	try "sanitized: ${TESTS:-pg_regress and TAP}" test/deep/sanitized.sh ${TESTS:-}
}

check_keys()
{
	try "keys: build" test/run.sh build/compile
	try "keys: a million of each kind" env KEYS=1000000 test/lib/cluster.sh "$python" test/python/test_keys.py
}

check_large()
{
	try "large: build" test/run.sh build/compile
	try "large: filters of 600 and 850 MB" test/lib/cluster.sh "$python" test/deep/large.py
}

check_database()
{
	try "database: build" test/run.sh build/compile
	if [ -z "${PG_SOURCE:-}" ]; then
		not_ok "database: PG_SOURCE must be the server's source package, unpacked"
		return
	fi
	try "database: of the regression tests" test/lib/cluster.sh "$python" test/deep/regression_database.py "$PG_SOURCE"
}

# build_programs KIND FLAGS FILE...: unit programs with other flags, in $deep/KIND
build_programs()
{
	local kind=$1 flags=$2 program source
	shift 2

	rm -rf "${deep:?}/$kind"
	mkdir -p "$deep/$kind"
	for source in src/core/*/*.c; do
		$CC $core_flags -g $flags -c \
			-o "$deep/$kind/$(basename "$source" .c).o" "$source"
	done
	for program; do
		$CC $core_flags -g $flags -Itest/unit/lib \
			-o "$deep/$kind/$(basename "$program" .c)" "$program" "$deep/$kind"/*.o -lm -lpthread
	done
}

# The fuzz driver with other flags: $deep/KIND/fuzz/driver.
build_driver()
{
	make -s -j"$(nproc)" UNIT_DIR="$deep/$1/unit" FUZZ_DIR="$deep/$1/fuzz" \
		UNIT_CFLAGS="$core_flags -g -MMD -MP $2" "$deep/$1/fuzz/driver"
}

# Valgrind knows no AVX-512 and shows none, so the next best kernel is used.
# Programs that only measure many filters, or one of millions of keys, would take
# hours; what they call is called by the others or by a few fuzzed inputs, too.
check_valgrind()
{
	local programs=() program
	local memcheck=(valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite)

	test/lib/setup.sh unit deep
	for program in test/unit/*/test_*.c; do
		case $program in
			*/test_fpr.c | */test_size.c | */test_hostile.c | */test_kernel.c | */test_filter.c | \
				*/test_store.c | */test_map.c | */test_map_store.c)
				;;
			*)
				programs+=("$program")
				;;
		esac
	done
	try "valgrind: build" build_programs valgrind -O2 "${programs[@]}"
	for program in "${programs[@]}"; do
		program=$(basename "$program" .c)
		try "valgrind $program" "${memcheck[@]}" "$deep/valgrind/$program"
	done
	try "valgrind: build the fuzz driver" build_driver valgrind -O2
	for program in test/fuzz/target_*.c; do
		program=$(basename "${program#*/target_}" .c)
		try "valgrind: fuzzed inputs of $program" "${memcheck[@]}" "$deep/valgrind/fuzz/driver" "$program" -n 100 3
	done
}

# What includes trouble.h alone builds large maps and exact sets, which takes more than ten minutes; the store
# target builds small ones.
check_threads()
{
	local programs=() program

	test/lib/setup.sh unit
	mapfile -t programs < <(grep -lE '(pthread|world|sets|base/threads)\.h[">]' test/unit/*/test_*.c)
	if [ ${#programs[@]} = 0 ]; then
		not_ok "threads: no program has any"
		return
	fi
	try "threads: build" build_programs threads '-O1 -fsanitize=thread' "${programs[@]}"
	for program in "${programs[@]}"; do
		program=$(basename "$program" .c)
		try "threads $program" "$deep/threads/$program"
	done
	try "threads: build the fuzz driver" build_driver threads '-O1 -fsanitize=thread'
	try "threads: fuzzed builds" "$deep/threads/fuzz/driver" store -n 300 2
}

CC=${CC:-gcc}
mkdir -p "$deep"
for part in ${*:-cppcheck analyzer tidy threads valgrind keys large ${PG_SOURCE:+database} server}; do
	echo "# $part"
	if ! declare -F "check_$part" >/dev/null; then
		sed -n '/^# usage: /,/^#$/s/^# *//p' "$0" >&2
		exit 2
	fi
	"check_$part"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
