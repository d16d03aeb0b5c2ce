#!/bin/bash
#
# run.sh - let clang's libFuzzer look for inputs that break a target
#
# usage: test/fuzz/run.sh SECONDS TARGET...
#
# The target "quick" is "probe" without sanitizers, several times as fast.
#
# Starts from the seeds, and from what earlier runs have kept in
# build/fuzz/corpus-TARGET.  Prints "ok" and the number of inputs tried for each
# target; if one breaks, the file that holds the input, which belongs into
# test/fuzz/found.

cd "$(dirname "$0")/../.." || exit 1
seconds=$1
shift

bash test/lib/setup.sh unit fuzz || exit 1
make -s fuzz-programs || exit 1

status=0
for target; do
	corpus=build/fuzz/corpus-$target
	log=build/fuzz/$target.log
	driver=(build/fuzz/driver "${target/quick/probe}")
	if [ ! -d "$corpus" ]; then
		rm -rf "$corpus.new"
		mkdir -p "$corpus.new" && "${driver[@]}" -s "$corpus.new" && mv "$corpus.new" "$corpus" || exit 1
	fi
	longest=$("${driver[@]}" -l) || exit 1
	if "build/fuzz/libfuzzer-$target" -max_total_time="$seconds" -max_len="$longest" \
			-len_control=0 -timeout=60 -rss_limit_mb=4096 -reload=0 \
			-print_final_stats=1 -artifact_prefix="build/fuzz/$target-" \
			"$corpus" >"$log" 2>&1; then
		echo "ok - $target: $(sed -n 's/^stat::number_of_executed_units: //p' "$log") inputs"
	else
		tail -n 40 "$log"
		echo "not ok - $target: see $log"
		status=1
	fi
done
exit $status
