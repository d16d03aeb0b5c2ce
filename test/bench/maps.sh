#!/bin/bash
#
# maps.sh - measure maps of the core, and other libraries beside them
#
# usage: test/bench/maps.sh DIRECTORY KEYS...
#
# Writes map_sizes.csv and map_times.csv to DIRECTORY, where the programs are;
# maps.c explains them.  What changes it:
#
#	BENCH_ROUNDS	times that all is measured (3)
#	MAP_PEERS		"command;command": programs to measure in turn with ours.
#					Each is called with a number of keys, and prints lines as
#					maps.c does.

set -euo pipefail

dir=$1
shift
rounds=${BENCH_ROUNDS:-3}
IFS=";" read -ra peers <<< "${MAP_PEERS:-}"
mapfile -t sizes < <(printf '%.0f\n' "$@" | sort -nu)

"$dir/maps" sizes "${BENCH_SIZES:-${sizes[-1]}}" > "$dir/map_sizes.csv"

for round in $(seq "$rounds"); do
	for keys in "${sizes[@]}"; do
		for bits in "2 0" "8 0" "8 7" "16 0" "16 7" "32 0"; do
			# shellcheck disable=SC2086
			"$dir/maps" times $bits "$keys"
		done
		# one that fails, or says something else, is no reason to stop
		for peer in "${peers[@]}"; do
			$peer "$keys" | grep -E '^[^,]+,[^,]+,[0-9]+(,[0-9.]*){3,4}$' || echo "no figures from: $peer $keys" >&2
		done
	done | sed "s/^/$round,/"
done | tee "$dir/map_times.csv"
