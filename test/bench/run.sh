#!/bin/bash
#
# run.sh - measure the core, and other libraries beside it
#
# usage: test/bench/run.sh core | kernels | maps DIRECTORY KEYS...
#
# Writes to DIRECTORY, where the programs are, too; and what it measures to standard
# output while it runs.
#
# core: each kind and width, with the best kernel and with others
#	sizes.csv	bytes and false positives, as sizes.c explains
#	results.csv	times, as engine.c explains, with the number of the round
#	small.csv	times of small sets, as small.c explains
#	machine.csv	what it ran on, and for how long
#
# kernels: each kernel beside libraries that are compiled for the same CPUs
#	kernels.csv	lines as engine.c explains, with the number of the round and a
#				kernel's name in front
#
# maps: maps beside filters
#	map_sizes.csv, map_times.csv	as maps.c explains, the latter with the number
#				of the round in front
#
# What changes it:
#
#	BENCH_ROUNDS	times that all is measured; report.py takes medians (3)
#	BENCH_SIZES		the largest set whose size is measured (the largest KEYS,
#					but of filters at most 1e7)
#	PEERS			"command;command": programs to measure in turn with ours.
#					Each is called with a number of keys as its last argument,
#					and prints lines as engine.c does, up to the FPR.  Ours are
#					BuRR w 64, 32, 128 and homogeneous, in this order: peers in
#					the same order run right after what they compare with.
#	KERNEL_PEERS	"kernel:command;kernel:command": the same, each compiled for
#					the instructions of a kernel
#	MAP_PEERS		"command;command": the same, but lines are as maps.c prints them
#	BENCH_KERNELS	names of kernels (all that the CPU has)
#	KERNELS_CSV		the name of kernels.csv, if it is to have another one
#	KERNEL_OURS		what of ours, as engine.c calls it ("burr 64 8;homogeneous 64 8")

set -euo pipefail

part=$1
dir=$2
shift 2
rounds=${BENCH_ROUNDS:-3}
mapfile -t sizes < <(printf '%.0f\n' "$@" | sort -nu)	# in digits alone, in increasing order
largest=${sizes[-1]}
mapfile -t kernels < <("$dir/engine" kernels)

# figures FRONT NUMBERS COMMAND...: lines of a program, which have so many numbers behind their keys, with
# FRONT before each.  One that fails, or says something else, is no reason to stop.
figures()
{
	local front=$1 pattern="^[^,]+,[^,]+,[0-9]+(,[0-9.e+-]*){$2}\$" lines
	shift 2

	if lines=$("$@" | grep -E "$pattern"); then
		sed "s/^/$front,/" <<< "$lines"
	else
		echo "no figures from: $*" >&2
	fi
}

bench_core()
{
	local ours=("burr 64" "burr 32" "burr 128" "homogeneous 64") one_size=${sizes[0]} peers round keys i width bits kernel

	# Where parameters other than the usual ones are measured: the largest up to 1e6.
	for keys in "${sizes[@]}"; do
		[ "$keys" -gt 1000000 ] || one_size=$keys
	done
	IFS=";" read -ra peers <<< "${PEERS:-}"
	rm -f "$dir"/{sizes,results,small,machine}.csv
	"$dir/sizes" "${BENCH_SIZES:-$((largest < 10000000 ? largest : 10000000))}" > "$dir/sizes.csv"
	{
		echo "round,library,config,keys,build,members,nonmembers,mixed,bits,fpr,batch16,batch1024,memory"
		# A command may have arguments.
		# shellcheck disable=SC2086
		for round in $(seq "$rounds"); do
			for keys in "${sizes[@]}"; do
				for ((i = 0; i < ${#ours[@]} || i < ${#peers[@]}; i++)); do
					[ -z "${ours[i]:-}" ] || figures "$round" 9 "$dir/engine" ${ours[i]} 8 best "$keys"
					[ -z "${peers[i]:-}" ] || figures "$round" 6 ${peers[i]} "$keys"
				done
			done
			for width in 32 64 128; do
				for bits in 9 12 16 24 32; do
					figures "$round" 9 "$dir/engine" burr $width $bits best "$one_size"
				done
				for kernel in "${kernels[@]:1}"; do
					figures "$round" 9 "$dir/engine" burr $width 8 "$kernel" "$one_size"
				done
			done
		done
	} | tee "$dir/results.csv"
	"$dir/small" "$rounds" | tee "$dir/small.csv"
	machine >"$dir/machine.csv"
}

machine()
{
	local cpu cache

	cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -1)
	cache=$(getconf LEVEL3_CACHE_SIZE 2>/dev/null || true)
	cat <<-END
		cpu,${cpu:-$(uname -m)}
		cpus,$(nproc)
		cache,${cache:-0}
		compiler,$(${CC:-cc} --version | head -1)
		kernels,${kernels[*]}
		rounds,$rounds
		one_size,$one_size
		seconds,$SECONDS
	END
}

bench_kernels()
{
	local ours peers round keys kernel filter peer

	IFS=";" read -ra ours <<< "${KERNEL_OURS:-burr 64 8;homogeneous 64 8}"
	IFS=";" read -ra peers <<< "${KERNEL_PEERS:-}"
	read -ra kernels <<< "${BENCH_KERNELS:-${kernels[*]}}"
	# shellcheck disable=SC2086
	for round in $(seq "$rounds"); do
		for keys in "${sizes[@]}"; do
			for kernel in "${kernels[@]}"; do
				for filter in "${ours[@]}"; do
					figures "$round,$kernel" 9 "$dir/engine" $filter "$kernel" "$keys"
				done
				for peer in "${peers[@]}"; do
					[ "${peer%%:*}" != "$kernel" ] || figures "$round,$kernel" 6 ${peer#*:} "$keys"
				done
			done
		done
	done | tee "$dir/${KERNELS_CSV:-kernels.csv}"
}

bench_maps()
{
	local peers round keys bits peer

	IFS=";" read -ra peers <<< "${MAP_PEERS:-}"
	"$dir/maps" sizes "${BENCH_SIZES:-$largest}" > "$dir/map_sizes.csv"
	# shellcheck disable=SC2086
	for round in $(seq "$rounds"); do
		for keys in "${sizes[@]}"; do
			for bits in "2 0" "8 0" "8 7" "16 0" "16 7" "32 0"; do
				figures "$round" 3,4 "$dir/maps" times $bits "$keys"
			done
			for peer in "${peers[@]}"; do
				figures "$round" 3,4 $peer "$keys"
			done
		done
	done | tee "$dir/map_times.csv"
}

"bench_$part"
