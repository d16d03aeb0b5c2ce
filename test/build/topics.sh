#!/bin/bash
#
# topics.sh - sql/ and expected/ hold what the Makefile says, and nothing else
#
# usage: test/run.sh build/topics
#
# A topic that REGRESS does not name is never run, and nobody would notice.

. "$(dirname "$0")/../lib/common.sh"
find_postgres

# What a variable of the Makefile holds, a line per word.
value()
{
	make -pnq | sed -n "s/^$1 :\{0,1\}= //p" | tail -n 1 | tr -s ' ' '\n' | sort
}

# same NAME LIST LIST: ok if there is no difference
same()
{
	local difference

	if difference=$(diff "$2" "$3"); then
		ok "$1"
	else
		echo "$difference"
		not_ok "$1"
	fi
}

names()
{
	sed 's|.*/||; s|\.[a-z]*$||' | sort
}

same "each topic is in REGRESS" <(value REGRESS) <(printf '%s\n' sql/*.sql | grep -v -e -- | names)
same "each topic has what is expected" <(value REGRESS) <(printf '%s\n' expected/*.out | names)
same "each script is installed" <(printf '%s\n' sql/*--*.sql | sort) \
	<(make -n install 2>/dev/null | grep -o 'sql/ribbon--[^ ]*\.sql' | sort -u)
same "each source is compiled" <(find src -name '*.c' | sed 's/c$/o/' | sort) \
	<(make -n -B all | grep -o -- '-o src/[^ ]*\.o' | sed 's/^-o //' | sort)
[ "$failed" = 0 ]
