#!/bin/bash
#
# run.sh - measure the core, and other libraries beside it
#
# usage: test/bench/run.sh DIRECTORY KEYS...
#
# Writes to DIRECTORY, where the programs are, too:
#
#	sizes.csv	bytes and false positives, as sizes.c explains
#	results.csv	times, as engine.c explains, with the number of the round
#	small.csv	times of small sets, as small.c explains
#	machine.csv	what it ran on, and for how long
#
# and what it measures to standard output while it runs.  What changes it:
#
#	BENCH_ROUNDS	times that all is measured; report.py takes medians (3)
#	BENCH_SIZES		the largest set whose size is measured (the largest KEYS,
#					but at most 1e7)
#	PEERS			"command;command": programs to measure in turn with ours.
#					Each is called with a number of keys as its last argument,
#					and prints lines as engine.c does, up to the FPR.  Ours are
#					BuRR w 64, 32, 128 and homogeneous, in this order: peers in
#					the same order run right after what they compare with.

set -euo pipefail

dir=$1
shift
rounds=${BENCH_ROUNDS:-3}
IFS=";" read -ra peers <<< "${PEERS:-}"
rm -f "$dir"/{sizes,results,small,machine}.csv
mapfile -t kernels < <("$dir/engine" kernels)

# Sizes in digits alone, in increasing order.
mapfile -t sizes < <(printf '%.0f\n' "$@" | sort -nu)
largest=${sizes[-1]}
most=$((largest < 10000000 ? largest : 10000000))

# Where parameters other than the usual ones are measured: the largest up to 1e6.
one_size=${sizes[0]}
for keys in "${sizes[@]}"; do
	[ "$keys" -gt 1000000 ] || one_size=$keys
done

engine()
{
	"$dir/engine" "$@" | sed "s/^/$round,/" | tee -a "$dir/results.csv"
}

# A peer that fails, or says something else, is no reason to stop.  (A command may
# have arguments.)
# shellcheck disable=SC2086
peer()
{
	local lines

	if lines=$($1 "$2" | grep -E '^[^,]+,[^,]+,[0-9]+(,[0-9.e+-]+){6}$'); then
		sed "s/^/$round,/" <<< "$lines" | tee -a "$dir/results.csv"
	else
		echo "no figures from: $1 $2" >&2
	fi
}

"$dir/sizes" "${BENCH_SIZES:-$most}" > "$dir/sizes.csv"

echo "round,library,config,keys,build,members,nonmembers,mixed,bits,fpr,batch16,batch1024,memory" |
	tee "$dir/results.csv"
ours=("burr 64" "burr 32" "burr 128" "homogeneous 64")
for round in $(seq "$rounds"); do
	for keys in "${sizes[@]}"; do
		for ((i = 0; i < ${#ours[@]} || i < ${#peers[@]}; i++)); do
			# shellcheck disable=SC2086
			[ -z "${ours[i]:-}" ] || engine ${ours[i]} 8 best "$keys"
			[ -z "${peers[i]:-}" ] || peer "${peers[i]}" "$keys"
		done
	done
	for width in 32 64 128; do
		for bits in 9 12 16 24 32; do
			engine burr $width $bits best "$one_size"
		done
		for kernel in "${kernels[@]:1}"; do
			engine burr $width 8 "$kernel" "$one_size"
		done
	done
done

"$dir/small" "$rounds" | tee "$dir/small.csv"

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -1)
cache=$(getconf LEVEL3_CACHE_SIZE 2>/dev/null || true)
cat > "$dir/machine.csv" <<END
cpu,${cpu:-$(uname -m)}
cpus,$(nproc)
cache,${cache:-0}
compiler,$(${CC:-cc} --version | head -1)
kernels,${kernels[*]}
rounds,$rounds
one_size,$one_size
seconds,$SECONDS
END
