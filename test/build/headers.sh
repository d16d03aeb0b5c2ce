#!/bin/bash
#
# headers.sh - every header compiles alone, and an object's name is its own
#
# usage: test/run.sh build/headers
#
# Headers of the core compile without the server's.  A *_template.h or *_part.h
# is a part of the file that includes it, and kernel_*.h are parts of a kernel.
# "make proof" needs CBMC, but whether its harnesses are of these headers is seen
# here.

. "$(dirname "$0")/../lib/common.sh"
find_postgres
make_tmp

core=(-std=c11 -D_POSIX_C_SOURCE=200809L -Isrc/core)
server=(-std=gnu11 -D_GNU_SOURCE -Isrc/core -Isrc/pg -I"$("$PG_CONFIG" --includedir-server)")

# compiles_alone HEADER FLAG...: says so, or why it does not
compiles_alone()
{
	local header=$1 why
	shift

	case $header in
		*_template.h | *_part.h | */kernel_*.h)
			;;
		*)
			why=$("${CC:-cc}" "$@" -Wall -Werror -fsyntax-only -include "$header" -x c /dev/null 2>&1) ||
				faults+=("$header: $(head -n 3 <<<"$why")")
			;;
	esac
}

# no_faults WHAT: ok if there is none
faults=()
no_faults()
{
	try "$1" diff /dev/null <(printf '%s' "${faults[@]/%/$'\n'}")
	faults=()
}

for header in src/core/*.h src/core/*/*.h; do
	compiles_alone "$header" "${core[@]}"
done
no_faults "headers of the core compile alone, without the server's"

for header in src/pg/*.h src/pg/*/*.h; do
	[ ! -e "$header" ] || compiles_alone "$header" "${server[@]}" -include postgres.h
done
no_faults "headers of src/pg compile after postgres.h"

cprover=('-D__CPROVER_assume(x)=(void) (x)' '-D__CPROVER_assert(x, what)=(void) (x)'
	'-D__CPROVER_r_ok(at, n)=((at) != 0)' '-D__CPROVER_w_ok(at, n)=((at) != 0)'
	'-D__CPROVER_same_object(a, b)=((const void *) (a) == (b))' '-D__CPROVER_havoc_object(at)=(void) (at)')
for harness in test/proof/*.c; do
	why=$("${CC:-cc}" -std=gnu11 -Isrc/core -Itest/proof "${cprover[@]}" -Werror -fsyntax-only "$harness" 2>&1) ||
		faults+=("$harness: $(head -n 3 <<<"$why")")
done
no_faults "proofs compile"

echo 'void f(RibbonFilter *filter);' >"$tmp/wrong.h"
compiles_alone "$tmp/wrong.h" "${core[@]}"
if [ ${#faults[@]} = 1 ]; then
	faults=()
else
	faults=("a header that includes nothing passes")
fi
no_faults "one that does not is seen"

# Programs of test/ put objects of the core into one folder, and cppcheck, gdb
# and gcov name a file without its folder.
mapfile -t faults < <(printf '%s\n' src/core/*/*.c | sed 's|.*/||' | sort | uniq -d)
no_faults "files of the core have names of their own"
[ "$failed" = 0 ]
