#!/bin/bash
#
# run.sh - run the tests: all of them, some suites, or single tests
#
# usage: test/run.sh [SUITE | SUITE/TEST]...
#
# The suites, in the order in which they run by default, and their tests:
#
#	unit	the core alone, under sanitizers: test/unit/test_*.c; that it does
#			without libm; and "fuzz", a fixed sequence of hostile inputs
#	build	what holds of the sources and of their compilation: test/build/*
#	sql		pg_regress: sql/*.sql against expected/*.out
#	python	programs that talk to a server: test/python/test_*.py
#	tap		programs that set up their own servers: test/t/*.pl
#
# A test is named for its file, without its suffix; a path will do, too:
#
#	test/run.sh unit/test_band
#	test/run.sh sql/stats sql/shard
#	test/run.sh python/test_keys
#	test/run.sh tap/006_cancel
#	test/run.sh test/t/006_cancel.pl test/unit/test_band.c
#	make test TEST="unit sql/stats"
#
# What a test needs is compiled and installed before.  PG_CONFIG names the
# pg_config of the server to use.  The last line is "N passed, N failed".  The
# exit status is 0 if some test passed and none failed.

. "$(dirname "$0")/lib/common.sh"
shopt -s nullglob

all_suites=(unit build sql python tap)

# The tests of a suite.
tests_of()
{
	local file

	case $1 in
		unit)
			set -- test/unit/test_*.c test/unit/libm.sh fuzz
			;;
		build)
			set -- test/build/*
			;;
		sql)
			set -- sql/*.sql
			;;
		python)
			set -- test/python/test_*.py
			;;
		tap)
			set -- test/t/*.pl
			;;
		*)
			return 1
			;;
	esac
	for file; do
		[[ $file != sql/*--*.sql ]] || continue		# those install
		file=${file##*/}
		echo "${file%.*}"
	done
}

usage()
{
	sed -n '/^# usage/,/^$/s/^# \{0,1\}//p' "$0"
}

# What has been asked for: "SUITE " or "SUITE TEST" each.
wanted=()
for argument in "${@:-${all_suites[@]}}"; do
	if [ "$argument" = --help ] || [ "$argument" = -h ]; then
		usage
		exit
	fi
	path=${argument#test/}
	path=${path/#t\//tap/}
	suite=${path%%/*}
	name=${path#"$suite"}
	name=${name#/}
	name=${name%.*}
	if ! tests=$(tests_of "$suite") || { [ "$name" ] && ! grep -qxF -e "$name" <<<"$tests"; }; then
		echo "run.sh: no test $argument" >&2
		usage >&2
		exit 2
	fi
	wanted+=("$suite $name")
done

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

compile_core()
{
	test/lib/setup.sh unit
	make -s -j"$(nproc)" "$@"
	echo "ok - compiles without PostgreSQL"
}

run_unit()
{
	local name

	if [ $# -gt 1 ]; then
		run "build the core" compile_core unit-programs fuzz-driver
	elif [ "$1" = fuzz ]; then
		run "build the core" compile_core fuzz-driver
	elif [ "$1" = libm ]; then
		run "build the core" compile_core build/unit/test_power
	else
		run "build the core" compile_core "build/unit/$1"
	fi
	[ "$bad" = 0 ] || return 0
	for name; do
		case $name in
			fuzz)
				run "unit fuzz" build/fuzz/driver
				;;
			libm)
				run "unit libm" test/unit/libm.sh build/unit
				;;
			*)
				run "unit $name" "build/unit/$name"
				;;
		esac
	done
}

run_build()
{
	local name

	test/lib/setup.sh build
	find_postgres
	for name; do
		case $(echo test/build/"$name".*) in
			*.py)
				run "build $name" "$python" "test/build/$name.py"
				;;
			*)
				run "build $name" "test/build/$name.sh"
				;;
		esac
	done
}

compile_extension()
{
	make -s -j"$(nproc)" all
	install_extension
	echo "ok - the extension is installed"
}

# Once, before the first test that wants a server.
extension_installed=
install_once()
{
	[ -z "$extension_installed" ] || return 0
	test/lib/setup.sh build test
	find_postgres
	run "build the extension" compile_extension
	[ "$bad" = 0 ] || exit 0	# do not test what was installed before
	extension_installed=yes
}

# All topics that the Makefile lists, or those named.
regress()
{
	local status=0

	test/lib/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$tmp" "$@" || status=$?
	cat "$tmp/regression.diffs" 2>/dev/null || true
	return $status
}

run_sql()
{
	if [ $# = 1 ]; then
		run "sql $1" regress REGRESS="$1"
	else
		run "sql" regress
	fi
}

run_python()
{
	local name

	for name; do
		run "python $name" test/lib/cluster.sh "$python" "test/python/$name.py"
	done
}

run_tap()
{
	local name

	for name; do
		run "tap $name" test/lib/tap.sh "$name"
	done
}

for want in "${wanted[@]}"; do
	read -r suite name <<<"$want"
	names=$name
	[ "$name" ] || names=$(tests_of "$suite")
	case $suite in
		sql | python | tap)
			install_once
			;;
	esac
	# shellcheck disable=SC2086
	"run_$suite" $names
done
