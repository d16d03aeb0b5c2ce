#!/bin/bash
#
# run.sh - run the tests: all of them, some suites, or single tests
#
# What the suites are is in suites.sh; how programs run beside each other, in lib/jobs.sh.
#
# usage: test/run.sh [SUITE | SUITE/TEST]...
#
# The suites, in the order in which they run by default, and their tests:
#
#	unit	the core alone, under sanitizers: test/unit/*/test_*.c; that it does
#			without libm; and "fuzz", a fixed sequence of hostile inputs
#	lib		libribbon and the command ribbon: lib/test/*
#	build	what holds of the sources and of their compilation: test/build/*
#	sql		pg_regress: sql/*.sql against expected/*.out
#	python	programs that talk to a server: test/python/test_*.py
#	tap		programs that set up their own servers: test/t/*.pl
#	js		the JavaScript package: clients/js/test/test_*.mjs
#	python-client	the package of Python: clients/python/test/test_*.py
#
# A test is named for its file, without its suffix; a path will do, too, and so
# will a folder of the suite's, for all tests in it:
#
#	test/run.sh unit/test_band unit/solve
#	test/run.sh sql/stats sql/shard
#	test/run.sh python/test_keys
#	test/run.sh tap/006_cancel
#	test/run.sh test/t/006_cancel.pl test/unit/solve/test_band.c
#	make test TEST="unit sql/stats"
#
# What a test needs is installed and compiled before.  Tests run beside each other: as
# many as JOBS says; without it one more than there are cores, but at most five, since
# some wait for servers, and up to two more for as long as a core has nothing to do.
# What they print comes in order.  PG_CONFIG names the pg_config of the server to use.
# RIBBON_CPU=portable, popcnt, avx2, avx512 or neon hides better instruction sets
# from the library, as if this machine had none.  A test that takes longer than
# TEST_LIMIT seconds (900) is ended, and has failed.  The last line is "N passed,
# N failed", after "# N skipped" if what some tests need was not there.  The exit status is 0
# if some test passed and none failed.

. "$(dirname "$0")/lib/common.sh"
. test/lib/jobs.sh
. test/suites.sh

usage()
{
	sed -n '/^# usage/,/^$/s/^# \{0,1\}//p' "$0"
}

# tests_of SUITE [NAME]: the files of a suite's tests, or that of the one of this name, or those of this folder
tests_of()
{
	local file

	for file in ${files[$1]}; do
		if [[ -z ${2:-} || /${file%.*} == */"$2" || $file == */"$2"/* ]]; then
			echo "$file"
		fi
	done
}

# What has been asked for: "SUITE/" or "SUITE/TEST" each.  A path names a suite by the folder
# of its files.
all=$([ $# != 0 ] || echo yes)
wanted=()
for argument in "${@:-${suites[@]}}"; do
	if [ "$argument" = --help ] || [ "$argument" = -h ]; then
		usage
		exit
	fi
	path=${argument#test/}
	for suite in "${suites[@]}"; do
		folder=${files[$suite]##* }
		folder=${folder%/*}
		path=${path/#"${folder#test/}/"/$suite/}
	done
	suite=${path%%/*}
	name=${path#"$suite"}
	name=${name#/}
	name=${name%.*}
	if [[ " ${suites[*]} " != *" $suite "* ]] || [ -z "$(tests_of "$suite" "$name")" ]; then
		echo "run.sh: no test $argument" >&2
		usage >&2
		exit 2
	fi
	wanted+=("$suite/$name")
done

case ${RIBBON_CPU:-} in
	'' | portable | popcnt | avx2 | avx512 | neon)
		;;
	*)
		echo "run.sh: RIBBON_CPU=$RIBBON_CPU is not portable, popcnt, avx2, avx512 or neon" >&2
		exit 2
		;;
esac

for number in JOBS TEST_LIMIT; do
	if ! [[ ${!number:-1} =~ ^[1-9][0-9]*$ ]]; then
		echo "run.sh: $number=${!number} is no number above 0" >&2
		exit 2
	fi
done

tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
export CLUSTER_TEMPLATE=$tmp/cluster		# for cluster.sh

finish()
{
	local status=$?

	trap - EXIT
	trap '' INT TERM HUP
	end_jobs
	rm -rf "$tmp" "$unpacked"
	if [ "$status" != 0 ]; then
		failed=$((failed + 1))
		echo "not ok - the tests ended early (status $status)"
	fi
	echo
	say_counts
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit $?
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Before the first package is looked for: what is about to happen.
announce()
{
	local cores

	if [ "$all" ]; then
		cat <<-END
			# All tests: some ten minutes on two cores, more on older ones, once the packages that they need
			# are there.  They write 800 MB into build/, and up to 2 GB into /tmp, which are gone at the end.
		END
	fi
	cores=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /')
	echo "# On ${cores:-$(nproc) x $(uname -m)}, $jobs at a time${RIBBON_CPU:+, with nothing better than $RIBBON_CPU}"
}

# What is large, or depends on much that no test needs.  Only a browser can be done without.
fetch()
{
	if bash test/lib/setup.sh --fetch "$1"; then
		use_fetched "$1"
	elif [ "$1" = browser ]; then
		echo "# without a browser: the page's tests are skipped"
	else
		return 1
	fi
}

# Install and fetch what the suites that are wanted need.
set_up()
{
	local part parts

	parts=$(parts_of installed)
	# shellcheck disable=SC2086
	bash test/lib/setup.sh $parts
	for part in $(parts_of fetched); do
		fetch "$part"
	done
	[[ $parts != *server* ]] || find_postgres
}

# parts_of TABLE: the parts of setup.sh that it has for these suites, each once
parts_of()
{
	local suite
	local -n table=$1

	for suite in "${wanted[@]%%/*}"; do
		# shellcheck disable=SC2086
		printf '%s\n' ${table[$suite]}
	done | awk '!seen[$0]++'
}

# Another run in this tree would compile what this one runs.  The lock is this shell's: what it starts,
# a server that apt installs for one, does not inherit it ("9>&-" below).
take_turn()
{
	mkdir -p build
	exec 9>build/lock
	flock -n 9 || { echo "# another run in this tree comes first"; flock 9; }
}

announce
take_turn
{
	set_up
	[ ! "$all" ] || compile_together
	for want in "${wanted[@]}"; do
		suite=${want%%/*}
		# shellcheck disable=SC2046
		add_tests "$suite" $(tests_of "$suite" "${want#*/}")
	done
	run_jobs
} 9>&-
