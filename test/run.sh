#!/bin/bash
#
# run.sh - run the tests: all of them, or the suites named
#
# usage: test/run.sh [build | unit | sql | python | tap]...
#
#	build	the extension compiles without a warning
#	unit	the core alone, under sanitizers: test/unit/test_*.c, that it does
#			without libm, and a fixed sequence of hostile inputs: test/fuzz
#	sql		pg_regress: sql/*.sql against expected/*.out
#	python	programs that talk to a server: test/test_*.py, test/*_test.py
#	tap		programs that set up their own servers: test/t/*.pl
#
# The last line is "N passed, N failed".  The exit status is 0 if some test
# passed and none failed.

. "$(dirname "$0")/lib.sh"
shopt -s nullglob

suites=${*:-build unit sql python tap}

tmp=$(mktemp -d /tmp/ribbon.XXXXXX)

finish()
{
	local status=$?

	trap - EXIT
	rm -rf "$tmp"
	if [ "$status" != 0 ]; then
		failed=$((failed + 1))
		echo "not ok - the tests ended early (status $status)"
	fi
	echo
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit $?
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Run a test program and count what it reports: lines "ok ..." and "not ok ..."
# or, from pg_regress before PostgreSQL 16, "... ok" and "... FAILED".  One that
# fails without saying so, or that says nothing, counts as a failure.
run()
{
	local name=$1 status ok
	shift

	echo
	echo "# $name"
	set +e
	(set -e; "$@") 2>&1 | tee "$tmp/log"
	status=$?
	set -e
	ok=$(grep -cE '^ok |^(test| ) .* \.\.\. ok( |$)' "$tmp/log" || true)
	bad=$(grep -cE '^not ok |^(test| ) .* \.\.\. FAILED( |$)' "$tmp/log" || true)
	if [ "$bad" = 0 ] && [ "$status" != 0 ]; then
		echo "not ok - $name: status $status"
		bad=1
	elif [ "$bad$ok" = 00 ]; then
		echo "not ok - $name: no test in it"
		bad=1
	fi
	passed=$((passed + ok))
	failed=$((failed + bad))
}

# Objects of an earlier make may be older than a header or have other flags, so
# compile everything (-B).  The server's own headers do not pass -Wextra whole.
build()
{
	test/setup.sh build
	find_postgres
	make -s -B -j"$(nproc)" all \
		COPT='-Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare'
	install_extension
	echo "ok - compiles without warnings"
}

build_unit()
{
	test/setup.sh unit
	make -s -j"$(nproc)" unit-programs fuzz-driver
	make -s -j"$(nproc)" bench-programs BENCH_DIR=build/bench-check CC="${CC:-cc} -Werror -Wno-error=unused-parameter"
	echo "ok - compiles without PostgreSQL"

	mkdir "$tmp/old"
	echo '#define XXH_VERSION_NUMBER 704' >"$tmp/old/xxhash.h"
	! "${CC:-cc}" -fsyntax-only -I"$tmp/old" -Isrc/core -include base/ribbon_xxhash.h -x c /dev/null 2>"$tmp/refused"
	grep -q 'needs xxHash 0.8.0' "$tmp/refused"
	echo "ok - refuses an xxHash that hashes otherwise"
}

sql()
{
	local status=0

	test/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$tmp" || status=$?
	cat "$tmp/regression.diffs" 2>/dev/null || true
	return $status
}

if [[ " $suites " == *" unit "* ]]; then
	run "build the core" build_unit
	if [ "$bad" = 0 ]; then
		for program in test/unit/test_*.c; do
			program=$(basename "$program" .c)
			run "unit $program" "build/unit/$program"
		done
		run "unit libm" test/unit/libm.sh build/unit
		run "fuzz" build/fuzz/driver
	fi
fi

if [ "$suites" != unit ]; then
	run "build the extension" build
	[ "$bad" = 0 ] || exit 0	# do not test what was installed before
	test/setup.sh test
	find_postgres
fi

for suite in $suites; do
	case $suite in
		build | unit)
			;;
		sql)
			run "sql" sql
			;;
		python)
			for program in test/test_*.py test/*_test.py; do
				run "python $(basename "$program")" test/cluster.sh "$python" "$program"
			done
			;;
		tap)
			for program in test/t/*.pl; do
				run "tap $(basename "$program")" test/tap.sh "$program"
			done
			;;
		*)
			sed -n 's/^# usage: /usage: /p' "$0" >&2
			exit 2
			;;
	esac
done
