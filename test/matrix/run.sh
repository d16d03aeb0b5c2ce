#!/bin/bash
#
# run.sh - every supported server, and other kinds of machine
#
# usage: test/matrix/run.sh [SUITE | noble | experimental | avx2 | portable | i386 | s390x | arm64 |
#		assert | upgrade]...
#
#	SUITE		a release of Debian, such as bookworm, trixie or testing, with the
#				PostgreSQL it comes with: builds in which a warning is an error, also
#				with -flto, "make test", and the filters of test/matrix/filters.sql
#	noble		the same on Ubuntu 24.04, for PostgreSQL 16
#	experimental
#				the same with the next PostgreSQL, which has no suite yet
#	avx2, portable
#				the same on bookworm, as if the processor had no AVX-512, or
#				nothing that all others of its kind have not
#	i386		the same on bookworm for 32-bit processors
#	s390x, arm64
#				the core's programs for a big-endian processor, and for one
#				with NEON, compiled on this one and run by qemu
#	assert		all tests that use a server on one with assertions, compiled from
#				bookworm's source package
#	upgrade		pg_upgrade and pg_dump, from bookworm to trixie, from either to testing,
#				from bookworm and testing to experimental
#
# All of them by default but noble, with the suites bookworm, trixie and testing.
# What the servers have built is then read by each of the others.
#
# The environments are kept in MATRIX_DIR (by default /var/tmp/ribbon-matrix; 13
# GB), see env.sh; they take root, and packages from Debian's mirror or
# the one that MATRIX_MIRROR names (Ubuntu's: MATRIX_UBUNTU_MIRROR).  The last line is "N passed, N failed".

. "$(dirname "$0")/../lib/common.sh"

matrix=${MATRIX_DIR:-/var/tmp/ribbon-matrix}
logs=$matrix/log
parts=${*:-bookworm trixie testing experimental avx2 portable i386 s390x arm64 assert upgrade}

. test/lib/env.sh

# As try, with a program that reports checks itself, whose lines are ours.
count()
{
	local name=$1 log status=0
	shift

	log=$logs/${name// /-}.log
	"$@" >"$log" 2>&1 || status=$?
	sed -nE "s/^(not )?ok - /&$name: /p" "$log"
	judge "$name" "$log" "$status" || tail -n 40 "$log" | sed 's/^/# /'
}

# The environment of a part, and how to run a command in it with the part's CPU.
env_of()
{
	case $1 in
		avx2 | portable)
			echo bookworm
			;;
		*)
			echo "$1"
			;;
	esac
}

in_part()
{
	local part=$1 cpu=
	shift

	[ "$(env_of "$part")" = "$part" ] || cpu=$part
	in_env "$(env_of "$part")" env RIBBON_CPU="$cpu" "$@"
}

# prepare NAME: an environment with a fresh copy of the tree in it; $status says whether it is there
prepare()
{
	try "$1: environment" make_env "$1"
	[ "$status" != 0 ] || copy_tree "$1"
}

# The extension installed in an environment, if it has not been built in this run: in $built then.
declare -A built
build()
{
	[ -z "${built[$1]:-}" ] || return 0
	prepare "$1"
	[ "$status" = 0 ] || return 0
	try "$1: build" in_env "$1" test/run.sh build/compile
	[ "$status" != 0 ] || built[$1]=yes
}

# "make test" begins with a build in which a warning is an error, and says how
# many tests have passed in its last line.
server()
{
	local name=$1 env

	env=$(env_of "$name")
	prepare "$env"
	[ "$status" = 0 ] || return 0
	try "$name: make test" in_part "$name" make test
	[ "$status" != 0 ] || built[$env]=yes
	sed -n 's/^# On /#	/p' "$log"
	echo "#	$(in_part "$name" pg_config --version), $(grep -E '^[0-9]+ passed, ' "$log" || echo "no result")"
	# shellcheck disable=SC2016
	[ "$env" != "$name" ] || try "$name: build with -flto" in_env "$env" bash -c 'test/lib/setup.sh build && mkdir /tmp/lto && cd /tmp/lto &&
		make -j"$(nproc)" -f /ribbon/Makefile all COPT="-flto=auto -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare"'
	rm -rf "$matrix/exchange/$name"
	count "$name" in_part "$name" test/lib/cluster.sh test/matrix/filters.py build "/exchange/$name"
}

# All servers have built the same, and each can read what the others have built.
exchange()
{
	local first=$1 here there others what

	for here; do
		for what in filters maps; do
			[ "$here" = "$first" ] ||
				try "$first and $here: of the same keys, the same bytes of $what" \
					cmp "$matrix/exchange/"{"$first","$here"}"/$what.copy"
		done
		others=()
		for there; do
			[ "$here" = "$there" ] || others+=("/exchange/$there")
		done
		[ ${#others[@]} = 0 ] ||
			count "$here reads" in_part "$here" \
				test/lib/cluster.sh test/matrix/filters.py read "${others[@]}"
	done
}

# The core for another processor.
cross()
{
	prepare cross
	[ "$status" = 0 ] || return 0
	count "$1" in_env cross test/matrix/cross.sh "$1"
}

assertions()
{
	prepare assert
	[ "$status" = 0 ] || return 0
	try "assert: build a server" in_env assert test/matrix/assert.sh build
	[ "$status" = 0 ] || return 0
	try "assert: the tests of the extension" in_env assert test/matrix/assert.sh test
	echo "#	$(tail -n 1 "$log")"
	try "assert: debug_discard_caches" in_env assert test/matrix/assert.sh discard
}

# What the server in /opt/old wants and does not find.  (Not all of these files
# are programs, so ldd fails, which means nothing.)
missing_libraries()
{
	(in_env "$1" env LD_LIBRARY_PATH=/opt/old/missing find /opt/old -type f \
		\( -perm -100 -o -name '*.so*' \) -exec ldd {} + || true) 2>/dev/null |
		sed -n 's/^[[:space:]]*\(lib[^ ]*\) => not found$/\1/p' | sort -u
}

# Put an environment's server and extension into a directory in a newer one, with
# the libraries that are missing there.
bring()
{
	local root=$matrix/env/$1 newer=$2 to=$matrix/env/$2/opt/old config dir library libraries

	rm -rf "$to"
	config=$(in_env "$1" sh -c '"$(pg_config --bindir)/pg_config"')
	for dir in $(sed -n 's/^\(BINDIR\|PKGLIBDIR\|SHAREDIR\) = //p' <<<"$config"); do
		mkdir -p "$to$dir"
		cp -r "$root$dir/." "$to$dir"
	done
	find "$to" -name 'llvmjit*' -delete
	mkdir -p "$to/missing"
	while libraries=$(missing_libraries "$newer") && [ -n "$libraries" ]; do
		for library in $libraries; do
			cp -L "$root/usr/lib/$(uname -m)-linux-gnu/$library" "$to/missing"
		done
	done
}

upgrade()
{
	local old=$1 new=$2 config

	build "$old"
	build "$new"
	[ "${built[$old]:-}${built[$new]:-}" = yesyes ] || return 0
	try "$old to $new: bring the old server" bring "$old" "$new"
	[ "$status" = 0 ] || return 0
	config=$(cd "$matrix/env/$new" && echo opt/old/usr/lib/postgresql/*/bin/pg_config)
	count "$old to $new" in_env "$new" env LD_LIBRARY_PATH=/opt/old/missing PG_CONFIG="/$config" \
		test/lib/cluster.sh test/matrix/upgrade.sh "/$config" /usr/bin/pg_config
}

# (A function, so that the script may be edited while it runs.)
main()
{
	local servers=() part

	need_root
	test/lib/setup.sh matrix
	mkdir -p "$logs"
	for part in $parts; do
		echo "# $part"
		case $part in
			s390x | arm64)
				cross "$part"
				;;
			assert)
				assertions
				;;
			upgrade)
				upgrade bookworm trixie
				upgrade bookworm testing
				upgrade trixie testing
				upgrade bookworm experimental
				upgrade testing experimental
				;;
			*)
				server "$part"
				servers+=("$part")
				;;
		esac
	done
	[ ${#servers[@]} = 0 ] || exchange "${servers[@]}"
	say_counts
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}

main
