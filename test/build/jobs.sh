#!/bin/bash
#
# jobs.sh - of programs that run beside each other all is shown, in order, and each that fails is counted
#
# usage: test/run.sh build/jobs

. "$(dirname "$0")/../lib/common.sh"

make_tmp

# What jobs say, and how many of their checks have passed; each is a function of its name.
run_made_up()
{
	local name

	. test/lib/jobs.sh
	tmp=$(mktemp -d "$tmp/jobs.XXXXXX")
	passed=0
	failed=0
	skipped=0
	longest=(last)
	for name; do
		job "$name" begin "$name"
	done
	run_jobs
	say_counts
}

begin()
{
	echo "$1" >>"$tmp/begun"
	"$1"
}

two()		{ echo "ok - one"; sleep 0.3; echo "ok - two"; }
fails()		{ echo "not ok - three"; return 1; }
silent()	{ echo "# it does nothing"; }
dies()		{ echo "ok - four"; exit 3; }
killed()	{ echo "ok - five"; kill -KILL 0; }
late()		{ echo "ok - six"; sleep 100; }
regress()	{ echo "test seven                        ... ok           12 ms"; echo "     eight     ... FAILED"; }
skips()		{ echo "ok 1 # skip no disk"; echo "ok - skipped: no browser"; }
partly()	{ echo "ok - nothing is skipped"; echo "ok 2 - some # SKIP no disk"; }
full()		{ ln -s /dev/full "$tmp/$i.end"; echo "ok - nine"; }
leaves()	{ (sleep 0.3; : >"$tmp/left") & echo "ok - ten"; }
alone()		{ sleep 0.6; [ ! -e "$tmp/left" ] && echo "ok - eleven"; }
last()		{ cat "$tmp/begun"; echo "ok - twelve"; }

try "what programs say is shown in order, and failures and what is skipped are counted" diff - <(JOBS=1 TEST_LIMIT=1 \
	run_made_up two fails silent dies killed late regress skips partly full leaves alone last fails 2>&1 |
	sed '/^test.*: write error: /d; /^test.* Killed  /d') <<'END'

# two
ok - one
ok - two

# fails
not ok - three

# silent
# it does nothing
not ok - silent: no test in it

# dies
ok - four
not ok - dies: status 3

# killed
ok - five
not ok - killed: status 137

# late
ok - six
not ok - late: ended after 1 s

# regress
test seven                        ... ok           12 ms
     eight     ... FAILED

# skips
ok 1 # skip no disk
ok - skipped: no browser

# partly
ok - nothing is skipped
ok 2 - some # SKIP no disk

# full
ok - nine
not ok - full: status 137

# leaves
ok - ten

# alone
ok - eleven

# last
last
ok - twelve

# fails
not ok - three
# 3 skipped
11 passed, 8 failed
END

meets()	{ : >"$tmp/$1"; until [ -e "$tmp/$2" ]; do sleep 0.1; done; echo "ok - $1 and $2"; }
here()	{ meets here there; }
there()	{ meets there here; }

try "they run beside each other" diff - <(JOBS=2 TEST_LIMIT=20 run_made_up here there) <<'END'

# here
ok - here and there

# there
ok - there and here
2 passed, 0 failed
END

# A job whose child takes half a second to stop, as a server does, and a run of it that is interrupted.
stops()	{ (trap 'sleep 0.5; : >"$tmp/stopped"; exit' TERM; : >"$tmp/begun"; while :; do sleep 0.1; done); }
interrupt()
{
	(trap end_jobs EXIT; trap 'exit 143' TERM; run_made_up stops) >/dev/null &
	until [ -e "$tmp"/*/begun ]; do sleep 0.1; done
	kill "$!"
	wait "$!" || [ -e "$tmp"/*/stopped ]
}

rm -rf "$tmp"/*
try "an interrupt ends jobs with their children, and waits until they have stopped" interrupt
[ "$failed" = 0 ]
