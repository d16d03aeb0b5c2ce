#!/bin/bash
#
# clients.sh - JavaScript and Python on the library target's mutations: they must say the same
#
# usage: test/fuzz/clients.sh [NUMBER [SEED]]	20000 mutations, of sequence 1
#
# Each says of each input whether it is a filter or map, of how many keys, whether
# 40 keys may be in it, and whether its bytes are damaged.  Dictionaries are read by
# JavaScript when a map is opened, by Python when they are asked or checked.

cd "$(dirname "$0")/../.." || exit 1
number=${1:-20000}
bash test/lib/setup.sh unit js python || exit 1
make -s fuzz-driver js-modules python-package || exit 1
rm -f build/fuzz/mutants*
build/fuzz/driver library -m "$number" "${2:-1}" build/fuzz/mutants || exit 1
if timeout 900 node clients/js/test/fuzz.mjs build/fuzz/mutants >build/fuzz/mutants.js &&
		timeout 900 /usr/bin/python3 clients/python/test/fuzz.py build/fuzz/mutants >build/fuzz/mutants.py &&
		[ "$(wc -l <build/fuzz/mutants.js)" = "$number" ] &&
		paste -d '|' build/fuzz/mutants.js build/fuzz/mutants.py |
			awk -F '|' '$1 != $2 && !($1 ~ /refused$/ && $2 ~ / map .* damaged$/)' >build/fuzz/mutants.diff &&
		[ ! -s build/fuzz/mutants.diff ]; then
	echo "ok - clients: $number inputs, $(grep -vc refused build/fuzz/mutants.js) of the right form"
else
	head -n 10 build/fuzz/mutants.diff
	echo "not ok - clients: see build/fuzz/mutants, mutants.js and mutants.py"
	exit 1
fi
