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
#	lib		libribbon and the command ribbon: lib/test/*
#	build	what holds of the sources and of their compilation: test/build/*
#	sql		pg_regress: sql/*.sql against expected/*.out
#	python	programs that talk to a server: test/python/test_*.py
#	tap		programs that set up their own servers: test/t/*.pl
#	js		the JavaScript package: clients/js/test/test_*.mjs
#	python-client	the package of Python: clients/python/test/test_*.py
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
# What a test needs is installed and compiled before.  Tests run beside each other: as
# many as JOBS says; without it one more than there are cores, but at most five, since
# some wait for servers, and up to two more for as long as a core has nothing to do.
# What they print comes in order.  PG_CONFIG names the pg_config of the server to use.
# RIBBON_CPU=portable, popcnt, avx2, avx512 or neon hides better instruction sets
# from the library, as if this machine had none.  A test that takes longer than
# TEST_LIMIT seconds (900) is ended, and has failed.  The last line is "N passed,
# N failed".  The exit status is 0 if some test passed and none failed.

. "$(dirname "$0")/lib/common.sh"
shopt -s nullglob

jobs=${JOBS:-$(($(nproc) < 4 ? $(nproc) + 1 : 5))}
most_jobs=${JOBS:-$((jobs + 2))}
limit=${TEST_LIMIT:-900}
all_suites=(unit lib build sql python tap js python-client)

# The tests of a suite.
tests_of()
{
	local file

	case $1 in
		unit)
			set -- fuzz test/unit/test_*.c test/unit/libm.sh
			;;
		lib)
			set -- lib/test/test_*.c lib/test/*.sh lib/test/test_*.py
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
		js)
			set -- clients/js/test/test_*.mjs
			;;
		python-client)
			set -- clients/python/test/test_*.py
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

# What has been asked for: all, or "SUITE " or "SUITE TEST" each.
all=$([ $# != 0 ] || echo yes)
wanted=()
for argument in "${@:-${all_suites[@]}}"; do
	if [ "$argument" = --help ] || [ "$argument" = -h ]; then
		usage
		exit
	fi
	path=${argument#test/}
	path=${path/#t\//tap/}
	path=${path/#lib\/test\//lib/}
	path=${path/#clients\/js\/test\//js/}
	path=${path/#clients\/python\/test\//python-client/}
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

case ${RIBBON_CPU:-} in
	'' | portable | popcnt | avx2 | avx512 | neon)
		;;
	*)
		echo "run.sh: RIBBON_CPU=$RIBBON_CPU is not portable, popcnt, avx2, avx512 or neon" >&2
		exit 2
		;;
esac

tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
export CLUSTER_TEMPLATE=$tmp/cluster		# for cluster.sh

finish()
{
	local status=$?

	trap - EXIT
	end_jobs
	rm -rf "$tmp" "$unpacked"
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

# Count what a test program has reported in a log: lines "ok ..." and "not ok ..."
# or, from pg_regress before PostgreSQL 16, "... ok" and "... FAILED".  One that
# fails without saying so, or that says nothing, counts as a failure.
judge()
{
	local name=$1 log=$2 status=$3 ok

	ok=$(grep -cE '^ok |^(test| ) .* \.\.\. ok( |$)' "$log" || true)
	bad=$(grep -cE '^not ok |^(test| ) .* \.\.\. FAILED( |$)' "$log" || true)
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

# Run a test program by itself: what compiles or installs, and may ask for a password.
run()
{
	local name=$1 status
	shift

	run_jobs
	echo
	echo "# $name"
	set +e
	(set -e; "$@") 2>&1 | tee "$tmp/log"
	status=$?
	set -e
	judge "$name" "$tmp/log" "$status"
}

# Test programs that may run beside each other: names and commands of all, in the
# order in which they are shown; when and as which processes they began; those that
# wait and those that run; and how many have been shown.  In $tmp job I has I.log
# and, at its end, I.end: status, seconds, and seconds of CPU but for a server's.
names=()
commands=()
processes=()
begins=()
waiting=()
running=()
shown=0

# The jobs that take longest, from about half a minute down.  They begin first, so
# that no core waits for one of them at the end.
longest=("unit test_map_store" "build dist" "sql" "unit test_set" "python test_errors" "unit fuzz"
	"unit test_exact_store" "tap 001_crash" "python test_spill" "python test_settings" "unit test_store"
	"python test_docs" "tap 002_standby" "unit test_kernel" "tap 004_dump" "unit test_map_get" "tap 006_cancel"
	"python-client test_wheel")

# job NAME COMMAND...: run it as soon as there is room, or when run_jobs waits for it
job()
{
	names+=("$1")
	shift
	commands+=("$*")
}

# Its process group is its own, so that end_jobs ends all of it.
start_job()
{
	local i=$1 began=$SECONDS status

	begins[i]=$began
	: >"$tmp/$i.log"
	set -m
	{
		set +e
		# shellcheck disable=SC2086
		(set -e; ${commands[i]})
		status=$?
		times >"$tmp/$i.times"
		echo "$status $((SECONDS - began)) $(cpu_seconds <"$tmp/$i.times")" >"$tmp/$i.end"
	} >>"$tmp/$i.log" 2>&1 </dev/null &
	set +m
	processes[i]=$!
	running+=("$i")
}

# What the children of a shell have taken, those that it has waited for, by the second
# line of what it says of its times.
cpu_seconds()
{
	awk 'NR == 2 { split($0, at, /[ms ]+/); printf "%.0f\n", 60 * (at[1] + at[3]) + at[2] + at[4] }'
}

has_ended()
{
	[ -s "$tmp/$1.end" ]
}

# The jobs that have not begun, in the order in which they are to.
order_jobs()
{
	local i name
	local -A known=()

	waiting=()
	for ((i = shown; i < ${#names[@]}; i++)); do
		known[${names[i]}]=$i
	done
	for name in "${longest[@]}"; do
		[ -z "${known[$name]:-}" ] || waiting+=("${known[$name]}")
		unset "known[$name]"
	done
	for ((i = shown; i < ${#names[@]}; i++)); do
		[ -z "${known[${names[i]}]:-}" ] || waiting+=("$i")
	done
}

start_jobs()
{
	local i left=()

	for i in "${running[@]}"; do
		has_ended "$i" || left+=("$i")
	done
	running=("${left[@]}")
	while [ ${#waiting[@]} -gt 0 ] && is_room; do
		start_job "${waiting[0]}"
		waiting=("${waiting[@]:1}")
	done
}

is_room()
{
	[ ${#running[@]} -lt "$jobs" ] || { [ ${#running[@]} -lt "$most_jobs" ] && core_idles; }
}

# Has a core had nothing to do for most of a second?  As Linux tells, in hundredths of
# one; elsewhere none has.
looked_at=0
idle_then=0
core_idles()
{
	local idle now=${EPOCHREALTIME/[^0-9]/} span result=1

	span=$((now - looked_at))
	[ "$span" -ge 1000000 ] && read -r _ _ _ _ idle _ </proc/stat || return 1
	[ "$span" -ge 2000000 ] || [ $(((idle - idle_then) * 10000)) -lt $((span / 2)) ] || result=0
	looked_at=$now
	idle_then=$idle
	return $result
}

# End jobs that have run for too long.  What they have said is kept.
end_late_jobs()
{
	local i

	for i in "${running[@]}"; do
		if ! has_ended "$i" && ((SECONDS - begins[i] > limit)); then
			kill -TERM -- "-${processes[i]}" 2>/dev/null || true
			sleep 10		# it may stop its server
			kill -KILL -- "-${processes[i]}" 2>/dev/null || true
			has_ended "$i" && continue
			echo "not ok - ${names[i]}: ended after $limit s" >>"$tmp/$i.log"
			echo "124 $limit 0" >"$tmp/$i.end"
		fi
	done
}

# A job that was killed with its shell has not said how it ended.
judge_killed()
{
	local i

	for i in "${running[@]}"; do
		kill -0 "${processes[i]}" 2>/dev/null || has_ended "$i" || echo "137 0 0" >"$tmp/$i.end"
	done
}

# Run all jobs there are, and show in their order what they print, when they do.
run_jobs()
{
	local log status seconds cpu

	order_jobs
	while [ "$shown" -lt ${#names[@]} ]; do
		start_jobs
		echo
		echo "# ${names[shown]}"
		until [ -e "$tmp/$shown.log" ]; do
			wait_for_jobs
		done
		exec {log}<"$tmp/$shown.log"
		until has_ended "$shown"; do
			cat <&"$log"
			wait_for_jobs
		done
		cat <&"$log"
		exec {log}<&-
		read -r status seconds cpu <"$tmp/$shown.end"
		judge "${names[shown]}" "$tmp/$shown.log" "$status"
		[ "$seconds" -lt 10 ] || echo "# $seconds s, $cpu s of CPU"
		shown=$((shown + 1))
	done
}

wait_for_jobs()
{
	judge_killed
	sleep 0.1
	end_late_jobs
	start_jobs
}

end_jobs()
{
	local i

	for i in "${running[@]}"; do
		has_ended "$i" || kill -- "-${processes[i]}" 2>/dev/null || true
		wait "${processes[i]}" 2>/dev/null || true
	done
}

# What is compiled comes before all jobs, and so does what is installed: make puts
# it into the tree and the server, where others must not find half of it.

compile_core()
{
	shown_make "$@"
	echo "ok - compiles without PostgreSQL"
}

core_compiled=
prepare_unit()
{
	if [ $# -gt 1 ]; then
		set -- unit-programs fuzz-driver
	else
		case $1 in
			fuzz)
				set -- fuzz-driver
				;;
			libm)
				set -- build/unit/test_power
				;;
			*)
				set -- "build/unit/$1"
				;;
		esac
	fi
	run "build the core" compile_core "$@"
	[ "$bad" != 0 ] || core_compiled=yes
}

compile_lib()
{
	shown_make LIB_WARNINGS='-Wall -Wextra -Werror' lib command lib-programs
	echo "ok - compiles without PostgreSQL"
}

lib_compiled=
prepare_lib()
{
	run "build libribbon" compile_lib
	[ "$bad" != 0 ] || lib_compiled=yes
	case " $* " in
		*\ test_exchange\ * | *\ test_answers\ *)
			install_once
			;;
	esac
}

compile_extension()
{
	shown_make all
	install_extension
	echo "ok - the extension is installed"
}

# Once, before the first test that wants a server, or objects.  If build/compile is
# wanted, it is what compiles all; what it has not, for a warning, is compiled still.
extension_installed=
install_once()
{
	[ -z "$extension_installed" ] || return 0
	compile_once
	run "build the extension" compile_extension
	[ "$bad" = 0 ] || exit 0	# do not test what was installed before
	extension_installed=yes
}

compiled=
compile_once()
{
	local want

	[ -z "$compiled" ] || return 0
	compiled=yes
	for want in "${wanted[@]}"; do
		case $want in
			build\ | build\ compile)
				run "build compile" bash test/build/compile.sh
				return
				;;
		esac
	done
}

prepare_build()
{
	compile_once
	case " $* " in
		*\ bench\ * | *\ dist\ *)
			install_once
			;;
	esac
}

prepare_sql()
{
	install_once
}

prepare_python()
{
	install_once
}

prepare_tap()
{
	install_once
}

compile_js()
{
	shown_make js-modules
	echo "ok - the core is compiled to WebAssembly"
}

js_compiled=
prepare_js()
{
	[ -z "$js_compiled" ] || return 0
	run "build js" compile_js
	[ "$bad" != 0 ] || js_compiled=yes
}

compile_python()
{
	shown_make python-package
	echo "ok - the package of Python is built"
}

python_compiled=
prepare_python-client()
{
	case " $* " in
		*\ test_server\ *)
			install_once
			;;
	esac
	[ -z "$python_compiled" ] || return 0
	run "build the package of Python" compile_python
	[ "$bad" != 0 ] || python_compiled=yes
}

run_unit()
{
	local name

	[ "$core_compiled" ] || return 0
	for name; do
		case $name in
			fuzz)
				job "unit fuzz" build/fuzz/driver
				;;
			libm)
				job "unit libm" bash test/unit/libm.sh build/unit
				;;
			*)
				job "unit $name" "build/unit/$name"
				;;
		esac
	done
}

run_lib()
{
	local name

	[ "$lib_compiled" ] || return 0
	for name; do
		if [ -f "lib/test/$name.c" ]; then
			job "lib $name" timeout 600 "build/unit/lib/test/$name"
		elif [ "$name" = test_exchange ] || [ "$name" = test_answers ]; then
			job "lib $name" bash test/lib/cluster.sh timeout 600 "$python" "lib/test/$name.py"
		elif [ -f "lib/test/$name.py" ]; then
			job "lib $name" timeout 600 "$python" "lib/test/$name.py"
		else
			job "lib $name" timeout 600 bash "lib/test/$name.sh"
		fi
	done
}

run_build()
{
	local name

	for name; do
		case $(echo test/build/"$name".*) in
			*/compile.sh)
				;;
			*.py)
				job "build $name" "$python" "test/build/$name.py"
				;;
			*)
				job "build $name" bash "test/build/$name.sh"
				;;
		esac
	done
}

# All topics that the Makefile lists, or those named.  Their results are in a
# directory of $tmp.
regress()
{
	local status=0 dir

	dir=$(mktemp -d "$tmp/regress.XXXXXX")
	bash test/lib/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$dir" "$@" || status=$?
	cat "$dir/regression.diffs" 2>/dev/null || true
	return $status
}

run_sql()
{
	if [ $# = 1 ]; then
		job "sql $1" regress REGRESS="$1"
	else
		job "sql" regress
	fi
}

run_python()
{
	local name

	for name; do
		job "python $name" bash test/lib/cluster.sh "$python" "test/python/$name.py"
	done
}

run_tap()
{
	local name

	for name; do
		job "tap $name" bash test/lib/tap.sh "$name"
	done
}

run_js()
{
	local name

	[ "$js_compiled" ] || return 0
	for name; do
		job "js $name" timeout -k 5 150 node "clients/js/test/$name.mjs"
	done
}

run_python-client()
{
	local name server

	[ "$python_compiled" ] || return 0
	for name; do
		server=
		[ "$name" != test_server ] || server="bash test/lib/cluster.sh"
		job "python-client $name" timeout -k 5 600 $server "$python" "clients/python/test/$name.py"
	done
}

# Before the first package is looked for: what is about to happen.
announce()
{
	if [ "$all" ]; then
		cat <<-END
			# All tests: some ten minutes on two cores, more on older ones, once the packages that they need
			# are there.  They write 800 MB into build/, and up to 2 GB into /tmp, which are gone at the end.
		END
	fi
	echo "# On $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /'), $jobs at a time${RIBBON_CPU:+, with nothing better than $RIBBON_CPU}"
}

# What is large, or depends on much that no test needs.
fetch()
{
	bash test/lib/setup.sh --fetch "$1" && use_fetched "$1"
}

set_up()
{
	case " ${wanted[*]}" in
		*\ sql\ * | *\ python\ * | *\ tap\ * | *\ build\ * | *\ lib\ * | *\ python-client\ *)
			bash test/lib/setup.sh server test
			fetch build
			find_postgres
			;;
		*)
			bash test/lib/setup.sh unit
			;;
	esac
	case " ${wanted[*]}" in
		*\ lib\ *)
			bash test/lib/setup.sh lib
			;;
	esac
	case " ${wanted[*]}" in
		*\ js\ *)
			bash test/lib/setup.sh node
			fetch js
			fetch browser || echo "# without a browser: the page's tests are skipped"
			;;
	esac
	case " ${wanted[*]}" in
		*\ python-client\ *)
			fetch python
			;;
	esac
}

# All that needs no server is compiled at once, so that no core waits for the last file
# of a suite; the suite's own step then says whether that went well.
compile_together()
{
	echo
	echo "# compile what needs no server"
	shown_make -k lib python-package js-modules lib-programs command unit-programs fuzz-driver || true
}

announce
set_up
[ ! "$all" ] || compile_together
for step in prepare run; do
	for want in "${wanted[@]}"; do
		read -r suite name <<<"$want"
		tests=$name
		[ "$name" ] || tests=$(tests_of "$suite")
		# shellcheck disable=SC2086
		"${step}_$suite" $tests
	done
done
run_jobs
