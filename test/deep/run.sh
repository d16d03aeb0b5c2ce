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

# Run a command quietly; its output counts if it fails.
check()
{
	local name=$1 log=$deep/${1//[^a-zA-Z0-9_.]/-}.log
	shift

	if "$@" >"$log" 2>&1; then
		ok "$name"
	else
		tail -n 40 "$log"
		not_ok "$name: see $log"
	fi
}

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

server()
{
	local program

	test/lib/setup.sh build test
	server_copy=$(mktemp -d /tmp/ribbon-deep.XXXXXX)	# the server user must get there
	chmod 755 "$server_copy"
	trap 'rm -rf "$server_copy"' EXIT
	PG_CONFIG=$(test/lib/copy_server.sh "$server_copy/pg")
	SERVER_ENV="LD_PRELOAD=$(preload_asan "$server_copy")"
	# Memory that is freed must not count long as held: test_errors.py looks at it.
	SERVER_ENV+=" ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:quarantine_size_mb=8:thread_local_quarantine_size_kb=64"
	SERVER_ENV+=" UBSAN_OPTIONS=print_stacktrace=1"
	export PG_CONFIG SERVER_ENV

	check "server: build with sanitizers" build_sanitized address,undefined
	# shellcheck disable=SC2086
	check "server: starts with ASan" env $SERVER_ENV timeout 60 "${PG_CONFIG%/*}/postgres" --version
	mkdir -p "$deep/regress"
	check "server: pg_regress" test/lib/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$deep/regress"
	for program in test/python/test_*.py; do
		check "server: $(basename "$program")" test/lib/cluster.sh "$python" "$program"
	done
}

sanitized()
{
	# shellcheck disable=SC2086
	check "sanitized: ${TESTS:-pg_regress and TAP}" test/deep/sanitized.sh ${TESTS:-}
}

keys()
{
	check "keys: build" test/run.sh build/compile
	check "keys: a million of each kind" env KEYS=1000000 test/lib/cluster.sh "$python" test/python/test_keys.py
}

large()
{
	check "large: build" test/run.sh build/compile
	check "large: filters of 600 and 850 MB" test/lib/cluster.sh "$python" test/deep/large.py
}

database()
{
	check "database: build" test/run.sh build/compile
	if [ -z "${PG_SOURCE:-}" ]; then
		not_ok "database: PG_SOURCE must be the server's source package, unpacked"
		return
	fi
	check "database: of the regression tests" test/lib/cluster.sh "$python" test/deep/regression_database.py "$PG_SOURCE"
}

# Unit programs with other flags: in $deep/KIND, those that match a pattern.
build_programs()
{
	local kind=$1 flags=$2 program
	shift 2

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
	make -s UNIT_DIR="$deep/$1/unit" FUZZ_DIR="$deep/$1/fuzz" \
		UNIT_CFLAGS="$core_flags -g -MMD -MP $2" "$deep/$1/fuzz/driver"
}

# Valgrind knows no AVX-512 and shows none, so the next best kernel is used.
# Programs that only measure many filters, or one of millions of keys, would take
# hours; what they call is called by the others or by a few fuzzed inputs, too.
valgrind_()
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
	check "valgrind: build" build_programs valgrind -O2 "${programs[@]}"
	for program in "${programs[@]}"; do
		program=$(basename "$program" .c)
		check "valgrind $program" "${memcheck[@]}" "$deep/valgrind/$program"
	done
	check "valgrind: build the fuzz driver" build_driver valgrind -O2
	for program in filter probe map build store keys; do
		check "valgrind: fuzzed inputs of $program" "${memcheck[@]}" "$deep/valgrind/fuzz/driver" "$program" -n 100 3
	done
}

threads()
{
	local programs=() program

	test/lib/setup.sh unit
	mapfile -t programs < <(grep -lE 'pthread\.h|"world\.h"' test/unit/*/test_*.c)
	if [ ${#programs[@]} = 0 ]; then
		not_ok "threads: no program has any"
		return
	fi
	check "threads: build" build_programs threads '-O1 -fsanitize=thread' "${programs[@]}"
	for program in "${programs[@]}"; do
		program=$(basename "$program" .c)
		check "threads $program" "$deep/threads/$program"
	done
	check "threads: build the fuzz driver" build_driver threads '-O1 -fsanitize=thread'
	check "threads: fuzzed builds" "$deep/threads/fuzz/driver" store -n 300 2
}

# What an analyser has printed, as "FILE CHECK" for each "FILE:LINE: ... [CHECK]".
# Findings in the server's and the system's headers are not for us to mend.
findings()
{
	sed -n 's/^\([^ :]*\):[0-9]*:.*\[\([^]]*\)\]$/\1 \2/p' "$deep/$1.out" |
		sed "s|^$top/||" | grep -vE "^(/usr/|$server_include)" | sort -u
}

# The lines of those findings that justified.txt does not list.
unjustified()
{
	local tool=$1

	findings "$tool" | { grep -v "^$faulty " || true; } | while read -r file finding; do
		grep -qE "^$tool +(\*|$file) +$finding( |$)" test/deep/justified.txt ||
			grep -F "$file" "$deep/$tool.out" | grep -F "[$finding]" || true
	done
}

# That an analyser has found nothing counts if it has run: it reports success
# (none of ours fails because of a finding), had no file that it could not read,
# and found what it must.
judge()
{
	local tool=$1 found

	if grep -E '(: fatal|: error|^error|^Error)( |:)' "$deep/$tool.out"; then
		tail -n 40 "$deep/$tool.out" "$deep/$tool.err"
		not_ok "$tool: could not do its work, see $deep/$tool.out and .err"
		return
	fi
	if ! findings "$tool" | grep "^$faulty " >"$deep/$tool.found"; then
		not_ok "$tool: overlooks the fault of $faulty, see $deep/$tool.out and .err"
		return
	fi
	found=$(unjustified "$tool" | sort -u)
	if [ -z "$found" ]; then
		ok "$tool: nothing that is not justified"
	else
		echo "$found"
		not_ok "$tool: see $deep/$tool.out"
	fi
}

# Run an analyser on each file that is named on standard input, {} of its arguments:
# JOBS at a time, none for more than LIMIT seconds of CPU.  Add what each prints, and
# whose status is not zero.
analyse()
{
	local tool=$1 each=$deep/$1.each
	shift

	rm -rf "$each"
	mkdir -p "$each"
	# shellcheck disable=SC2016
	LC_ALL=C xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'out=$0/${1//\//-} file=$1; shift
		(ulimit -t '"$limit"'; exec "$@") >"$out.out" 2>"$out.err" ||
		echo "$file: error: status $? ('"$limit"' seconds of CPU are its limit)" >>"$out.out"' \
		"$each" {} "$@"
	cat "$each"/*.out >>"$deep/$tool.out"
	cat "$each"/*.err >>"$deep/$tool.err"
}

begin_analysis()
{
	: >"$deep/$1.out"
	: >"$deep/$1.err"
}

# The part of src/pg that needs the server's headers is analysed with them.
set_server_flags()
{
	find_postgres
	server_include=$("$PG_CONFIG" --includedir-server)
	server="-std=gnu11 -D_GNU_SOURCE -DRIBBON_VERSION=\"\" -Isrc/core -Isrc/pg -I$server_include"
}

limit=${LIMIT:-600}
faulty=test/deep/faulty.c
server_include=/usr/
include="-Isrc/core -Isrc/pg -Ilib -Itest/unit/lib -DFUZZ_TARGET=fuzz_filter"
plain="-std=c11 -D_POSIX_C_SOURCE=200809L -DRIBBON_VERSION=\"\" $include"
core_sources=(src/core/*/*.c src/pg/key/keysbytes.c lib/src/*.c lib/src/*/*.c lib/command/*.c lib/command/*/*.c)
test_sources=(test/unit/*/*.c test/fuzz/*.c lib/test/*.c)
server_sources=()
for source in src/pg/*.c src/pg/*/*.c; do
	[ "$source" = src/pg/key/keysbytes.c ] || server_sources+=("$source")
done

cppcheck_()
{
	test/lib/setup.sh unit deep
	begin_analysis cppcheck
	# shellcheck disable=SC2086
	LC_ALL=C cppcheck -q --enable=warning,portability,performance --std=c11 --inline-suppr \
		--template='{file}:{line}: {message} [{id}]' $include "$faulty" src/core src/pg lib/src lib/command \
		test/unit test/fuzz >"$deep/cppcheck.err" 2>"$deep/cppcheck.out" ||	# which is where findings are
		echo "cppcheck: error: status $?" >>"$deep/cppcheck.out"
	judge cppcheck
}

tidy()
{
	local command=(clang-tidy --quiet --checks='-*,bugprone-*,clang-analyzer-*,cert-*,portability-*' {} --)

	test/lib/setup.sh build deep
	set_server_flags
	begin_analysis tidy
	# shellcheck disable=SC2086
	printf '%s\n' "$faulty" "${core_sources[@]}" "${test_sources[@]}" | analyse tidy "${command[@]}" $plain
	# shellcheck disable=SC2086
	printf '%s\n' "${server_sources[@]}" | analyse tidy "${command[@]}" $server
	judge tidy
}

# To gcc 12, the bits of a vector's word are as many as its words, and a loop over all
# words of an array may end before the last.  To follow each path to such a finding takes
# it minutes, so in files of vectors it looks for other faults only.
analyzer()
{
	local command=(gcc -O1 -fanalyzer -c -o /dev/null {}) vectors='_(vector|avx2|avx512)\.c$'
	local known=(-Wno-analyzer-shift-count-overflow -Wno-analyzer-use-of-uninitialized-value)

	test/lib/setup.sh build
	set_server_flags
	begin_analysis analyzer
	# shellcheck disable=SC2086
	printf '%s\n' "${core_sources[@]}" | grep -E "$vectors" | analyse analyzer "${command[@]}" $plain "${known[@]}"
	# shellcheck disable=SC2086
	printf '%s\n' "$faulty" "${core_sources[@]}" | grep -Ev "$vectors" | analyse analyzer "${command[@]}" $plain
	# shellcheck disable=SC2086
	printf '%s\n' "${server_sources[@]}" | analyse analyzer "${command[@]}" $server
	cat "$deep/analyzer.err" >>"$deep/analyzer.out"
	judge analyzer
}

CC=${CC:-gcc}
mkdir -p "$deep"
for part in ${*:-cppcheck analyzer tidy threads valgrind keys large ${PG_SOURCE:+database} server}; do
	echo "# $part"
	case $part in
		server | sanitized | keys | large | database | threads | tidy | analyzer)
			$part
			;;
		valgrind | cppcheck)
			"${part}_"
			;;
		*)
			sed -n '/^# usage: /,/^#$/s/^# *//p' "$0" >&2
			exit 2
			;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
