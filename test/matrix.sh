#!/bin/bash
#
# matrix.sh - every supported server, and other kinds of machine
#
# usage: test/matrix.sh [SUITE | i386 | s390x | arm64 | assert | upgrade]...
#
#	SUITE		a release of Debian, such as bookworm, trixie or testing, with the
#				PostgreSQL it comes with: a build in which a warning is an error,
#				"make test", and the filters of test/matrix/filters.sql
#	i386		the same on bookworm for 32-bit processors
#	s390x, arm64
#				the core's programs for a big-endian processor, and for one
#				with NEON, compiled on this one and run by qemu
#	assert		the regression suite on a server with assertions, compiled from
#				bookworm's source package
#	upgrade		pg_upgrade and pg_dump, from each suite to the ones after it
#
# All of them by default, with the suites bookworm, trixie and testing.  What
# the servers have built is then read by each of the others.
#
# The environments are kept in MATRIX_DIR (by default /var/tmp/ribbon-matrix; 6
# GB), see matrix/env.sh; they take root, and packages from Debian's mirror or
# the one that MATRIX_MIRROR names.  The last line is "N passed, N failed".

. "$(dirname "$0")/lib.sh"

matrix=${MATRIX_DIR:-/var/tmp/ribbon-matrix}
parts=${*:-bookworm trixie testing i386 s390x arm64 assert upgrade}
passed=0
failed=0

. test/matrix/env.sh

ok()
{
	echo "ok - $1"
	passed=$((passed + 1))
}

not_ok()
{
	echo "not ok - $1"
	failed=$((failed + 1))
}

# Run a command quietly; its log is shown if it fails.
check()
{
	local name=$1 status
	shift

	log=$matrix/log/${name//[^a-zA-Z0-9_.]/-}.log
	set +e		# "if" would switch it off in the command, too
	(set -e; "$@") >"$log" 2>&1
	status=$?
	set -e
	if [ "$status" = 0 ]; then
		ok "$name"
	else
		tail -n 40 "$log"
		not_ok "$name: see $log"
		return 1
	fi
}

# The same with a program that reports checks itself, whose lines are ours.
count()
{
	local name=$1 status=0 n
	shift

	log=$matrix/log/${name//[^a-zA-Z0-9_.]/-}.log
	"$@" >"$log" 2>&1 || status=$?
	grep -E '^(not )?ok ' "$log" | sed -E "s/^(not )?ok - /&$name: /" || true
	n=$(grep -c '^ok ' "$log") || true
	passed=$((passed + n))
	n=$(grep -c '^not ok ' "$log") || true
	failed=$((failed + n))
	if ! grep -qE '^(not )?ok ' "$log" || { [ "$status" != 0 ] && [ "$n" = 0 ]; }; then
		tail -n 40 "$log"
		not_ok "$name: status $status, see $log"
	fi
}

is_server()
{
	case $1 in
		s390x | arm64 | assert | upgrade)
			return 1
			;;
	esac
}

# An environment with a fresh copy of the tree in it.
prepare()
{
	check "$1: environment" make_env "$1" || return 1
	copy_tree "$1"
}

# "make test" begins with a build in which a warning is an error, and says how
# many tests have passed in its last line.
server()
{
	local name=$1

	prepare "$name" || return 0
	if check "$name: make test" in_env "$name" make test; then
		echo "#	$(in_env "$name" pg_config --version), $(tail -n 1 "$log")"
	fi
	rm -rf "$matrix/exchange/$name"
	count "$name" in_env "$name" test/cluster.sh test/matrix/filters.py build "/exchange/$name"
}

# What each server has built is read by all the others.
exchange()
{
	local here there others

	for here; do
		others=()
		for there; do
			[ "$here" = "$there" ] || others+=("/exchange/$there")
		done
		[ ${#others[@]} = 0 ] ||
			count "$here reads" in_env "$here" test/cluster.sh test/matrix/filters.py read "${others[@]}"
	done
}

need_root
test/setup.sh matrix
mkdir -p "$matrix/log"

servers=()
for part in $parts; do
	echo "# $part"
	case $part in
		*)
			server "$part"
			servers+=("$part")
			;;
	esac
done
exchange "${servers[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
