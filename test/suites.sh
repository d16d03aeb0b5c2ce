# shellcheck shell=bash disable=SC2034,SC2154
#
# suites.sh - the suites of test/run.sh: which files their tests are, and how they run; source it
#
# add_tests SUITE FILE... compiles what these tests need, and makes each a job (jobs.sh).  No job
# runs before all is compiled: make puts it into the tree and the server, where others must not find
# half of it.  So a new test is a new file, which says "needs: extension" in its head if that is to
# be installed, or "needs: server" if one is to run, too.  A new suite is a line "suite" and, if
# something is compiled for it, a function compile_SUITE FILE...

shopt -s nullglob extglob

# suite NAME NEEDS INSTALLED FETCHED FILE...: its tests, named for their files; what all of them
# need; and parts of setup.sh: what is installed for them, and unpacked for as long as they run
suites=()
declare -A needs installed fetched files
suite()
{
	local name=$1

	suites+=("$name")
	needs[$name]=$2
	installed[$name]=$3
	fetched[$name]=$4
	shift 4
	files[$name]=$*
}

suite unit "" "unit" "" fuzz test/unit/*/test_*.c test/unit/libm.sh
suite lib "" "server test lib" "build" lib/test/test_*.c lib/test/*.sh lib/test/test_*.py
suite build "" "server test" "build" test/build/*
suite sql extension "server test" "build" sql/!(*--*).sql		# those with -- install
suite python server "server test" "build" test/python/test_*.py
suite tap extension "server test" "build" test/t/*.pl
suite js "" "unit node" "js browser" clients/js/test/test_*.mjs
suite python-client "" "server test" "build python" clients/python/test/test_*.py

# What takes longest, from about half a minute down: for jobs.sh.  Of what "make test" has printed,
#	awk '/^# (unit|lib|build|sql|python|tap|js|python-client)( |$)/ { name = $0 } / s of CPU$/ { print $2, name }' | sort -rn
# says it anew.
longest=("unit test_map_store" "build dist" "sql all" "unit test_set" "python test_errors" "unit fuzz"
	"unit test_exact_store" "tap 001_crash" "python test_spill" "python test_settings" "unit test_store"
	"python test_docs" "tap 002_standby" "unit test_kernel" "tap 004_dump" "unit test_map_get" "tap 006_cancel"
	"python-client test_wheel")

# --- What is compiled, and installed ---

declare -A added		# tests that run, or have run

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
	[ -z "${added[test/build/compile.sh]:-}" ] || return 0
	added[test/build/compile.sh]=yes
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

compile_unit()
{
	local file targets=()

	for file; do
		case $file in
			fuzz)
				targets+=(fuzz-driver)
				;;
			*/libm.sh)
				targets+=(build/unit/base/test_power)	# of which it looks at the objects
				;;
			*)
				targets+=("$(command_of "$file")")
				;;
		esac
	done
	compile "build the core" "compiles without PostgreSQL" "${targets[@]}"
}

compile_lib()
{
	compile "build libribbon" "compiles without PostgreSQL" LIB_WARNINGS='-Wall -Wextra -Werror' lib command lib-programs
}

compile_build()
{
	compile_strictly
}

compile_js()
{
	compile "build js" "the core is compiled to WebAssembly" js-modules
}

compile_python-client()
{
	compile "build the package of Python" "the package of Python is built" python-package
}

# --- Jobs ---

# command_of FILE: how a test is run
command_of()
{
	local name=${1##*/}

	name=${name%.*}
	case $1 in
		fuzz)
			echo build/fuzz/driver
			;;
		all)
			echo regress
			;;
		*.sql)
			echo "regress REGRESS=$name"
			;;
		*.c)
			set -- "${1#test/unit/}"
			echo "build/unit/${1%.c}"
			;;
		*.py)
			echo "$python $1"
			;;
		*.mjs)
			echo "node $1"
			;;
		*.pl)
			echo "bash test/lib/tap.sh $name"
			;;
		*)
			echo "bash $1"
			;;
	esac
}

# pg_regress; its results are in a directory of $tmp.
regress()
{
	local status=0 dir

	dir=$(mktemp -d "$tmp/regress.XXXXXX")
	bash test/lib/cluster.sh make -s --no-print-directory installcheck \
		EXTRA_REGRESS_OPTS="--outputdir=$dir" "$@" || status=$?
	cat "$dir/regression.diffs" 2>/dev/null || true
	return $status
}

# What a test says that it needs.
needs_of()
{
	[ ! -f "$1" ] || sed -nE 's/.*\<needs: (extension|server)$/\1/p' "$1"
}

# All topics of SQL are one job, which the Makefile lists.
add_tests()
{
	local suite=$1 file name server
	shift

	! declare -F "compile_$suite" >/dev/null || "compile_$suite" "$@" || return 0
	if [ "$suite" = sql ] && [ $# -gt 1 ]; then
		set -- all
	fi
	for file; do
		name=${file##*/}
		server=
		case ${needs[$suite]:-$(needs_of "$file")} in
			extension)
				need_extension
				;;
			server)
				need_extension
				server="bash test/lib/cluster.sh"
				;;
		esac
		[ -n "${added[$file]:-}" ] || job "$suite ${name%.*}" "$server" "$(command_of "$file")"
		added[$file]=yes
	done
}
