#!/bin/bash
#
# topics.sh - sql/ and expected/ hold what the Makefile says, and nothing else
#
# usage: test/run.sh build/topics
#
# A topic that REGRESS does not name is never run, and no test would notice.

. "$(dirname "$0")/../lib/common.sh"
find_postgres
make_tmp

# What a variable of the Makefile holds, a line per word.
value()
{
	make -pnq | sed -n "s/^$1 :\{0,1\}= //p" | tail -n 1 | tr -s ' ' '\n' | sort
}

names()
{
	sed 's|.*/||; s|\.[a-z]*$||' | sort
}

try "each topic is in REGRESS" diff <(value REGRESS) <(printf '%s\n' sql/*.sql | grep -v -e -- | names)
try "each topic has what is expected" diff <(value REGRESS) <(printf '%s\n' expected/*.out | names)
try "each script is installed" diff <(printf '%s\n' sql/*--*.sql | sort) \
	<(make -n install 2>/dev/null | grep -o 'sql/ribbon--[^ ]*\.sql' | sort -u)
try "each source is compiled" diff <(find src -name '*.c' | sed 's/c$/o/' | sort) \
	<(make -n -B all | grep -o -- '-o src/[^ ]*\.o' | sed 's/^-o //' | sort)
[ "$failed" = 0 ]
