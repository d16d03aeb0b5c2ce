# shellcheck shell=bash disable=SC2034,SC2154
#
# suites.sh - the suites of test/run.sh: which files their tests are, and how they run; source it
#
# add_SUITE TEST... compiles what these tests need, and makes each a job (jobs.sh).  No job runs
# before all is compiled: make puts it into the tree and the server, where others must not find
# half of it.  So a new test is a new file; a new suite, a line "suite" and a function.

shopt -s nullglob extglob

# suite NAME INSTALLED FETCHED FILE...: its tests, named for their files, and parts of setup.sh:
# what is installed for them, and what is unpacked for as long as they run
suites=()
declare -A installed fetched files
suite()
{
	local name=$1

	suites+=("$name")
	installed[$name]=$2
	fetched[$name]=$3
	shift 3
	files[$name]=$*
}

suite unit "unit" "" fuzz test/unit/*/test_*.c test/unit/libm.sh
suite lib "server test lib" "build" lib/test/test_*.c lib/test/*.sh lib/test/test_*.py
suite build "server test" "build" test/build/*
suite sql "server test" "build" sql/!(*--*).sql		# those with -- install
suite python "server test" "build" test/python/test_*.py
suite tap "server test" "build" test/t/*.pl
suite js "unit node" "js browser" clients/js/test/test_*.mjs
suite python-client "server test" "build python" clients/python/test/test_*.py

# What takes longest, from about half a minute down: for jobs.sh.  Of what "make test" has printed,
#	awk '/^# (unit|lib|build|sql|python|tap|js|python-client)( |$)/ { name = $0 } / s of CPU$/ { print $2, name }' | sort -rn
# says it anew.
longest=("unit test_map_store" "build dist" "sql" "unit test_set" "python test_errors" "unit fuzz"
	"unit test_exact_store" "tap 001_crash" "python test_spill" "python test_settings" "unit test_store"
	"python test_docs" "tap 002_standby" "unit test_kernel" "tap 004_dump" "unit test_map_get" "tap 006_cancel"
	"python-client test_wheel")

# --- What is compiled, and installed ---

# compile NAME CLAIM TARGET...: make these, as a test that says CLAIM; not again what has been made
declare -A compiled
compile()
{
	local name=$1 claim=$2
	shift 2

	[ -z "${compiled[$*]:-}" ] || return "${compiled[$*]}"
	compiled[$*]=0
	run "$name" make_and_say "$claim" "$@" || compiled[$*]=1
	return "${compiled[$*]}"
}

make_and_say()
{
	local claim=$1
	shift

	shown_make "$@" && { [ "$1" != all ] || install_extension; } && echo "ok - $claim"
}

# If build/compile is wanted, it comes before all that wants objects, or a server, and compiles
# them; what it has not, for a warning, is compiled still.
compile_strictly()
{
	[ -z "${compiled[strictly]:-}" ] || return 0
	compiled[strictly]=0
	if [[ " ${wanted[*]} " =~ " build/"(compile)?" " ]]; then
		run "build compile" bash test/build/compile.sh || true
	fi
}

# Before the first test that wants a server, or objects.  What was installed before is not tested.
need_extension()
{
	compile_strictly
	compile "build the extension" "the extension is installed" all || exit 0
}

# Everything that needs no server is compiled at once, so that no core waits for the last file
# of a suite; the suite's own step then says whether that went well.
compile_together()
{
	echo
	echo "# compile what needs no server"
	shown_make -k lib python-package js-modules lib-programs command unit-programs fuzz-driver || true
}

# --- The suites ---

add_unit()
{
	local name targets=()

	for name; do
		case $name in
			fuzz)
				targets+=(fuzz-driver)
				;;
			libm)
				targets+=(build/unit/base/test_power)	# of which it looks at the objects
				;;
			*)
				targets+=("$(program test/unit/*/"$name.c")")
				;;
		esac
	done
	compile "build the core" "compiles without PostgreSQL" "${targets[@]}" || return 0
	for name; do
		case $name in
			fuzz)
				job "unit fuzz" build/fuzz/driver
				;;
			libm)
				job "unit libm" bash test/unit/libm.sh build/unit
				;;
			*)
				job "unit $name" "$(program test/unit/*/"$name.c")"
				;;
		esac
	done
}

add_lib()
{
	local name server

	compile "build libribbon" "compiles without PostgreSQL" LIB_WARNINGS='-Wall -Wextra -Werror' \
		lib command lib-programs || return 0
	for name; do
		server=
		case $name in
			test_answers | test_exchange)
				need_extension
				server="bash test/lib/cluster.sh"
				;;
		esac
		job "lib $name" "$server" "$(program lib/test/"$name".*)"
	done
}

add_build()
{
	local name

	compile_strictly
	for name; do
		case $name in
			compile)
				continue
				;;
			bench | dist)
				need_extension
				;;
		esac
		job "build $name" "$(program test/build/"$name".*)"
	done
}

# All topics that the Makefile lists, or the one named.
add_sql()
{
	need_extension
	if [ $# = 1 ]; then
		job "sql $1" regress REGRESS="$1"
	else
		job "sql" regress
	fi
}

# Their results are in a directory of $tmp.
regress()
{
	local status=0 dir

	dir=$(mktemp -d "$tmp/regress.XXXXXX")
	bash test/lib/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$dir" "$@" || status=$?
	cat "$dir/regression.diffs" 2>/dev/null || true
	return $status
}

add_python()
{
	local name

	need_extension
	for name; do
		job "python $name" bash test/lib/cluster.sh "$python" "test/python/$name.py"
	done
}

add_tap()
{
	local name

	need_extension
	for name; do
		job "tap $name" bash test/lib/tap.sh "$name"
	done
}

add_js()
{
	local name

	compile "build js" "the core is compiled to WebAssembly" js-modules || return 0
	for name; do
		job "js $name" node "clients/js/test/$name.mjs"
	done
}

add_python-client()
{
	local name server

	[[ " $* " != *" test_server "* ]] || need_extension
	compile "build the package of Python" "the package of Python is built" python-package || return 0
	for name; do
		server=
		[ "$name" != test_server ] || server="bash test/lib/cluster.sh"
		job "python-client $name" "$server" "$python" "clients/python/test/$name.py"
	done
}

# program FILE: the command of a test, by its suffix
program()
{
	case $1 in
		*.c)
			set -- "${1#test/unit/}"
			echo "build/unit/${1%.c}"
			;;
		*.py)
			echo "$python $1"
			;;
		*)
			echo "bash $1"
			;;
	esac
}
