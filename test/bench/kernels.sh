#!/bin/bash
#
# kernels.sh - measure each kernel, and other libraries compiled for the same CPUs
#
# usage: test/bench/kernels.sh DIRECTORY KEYS...
#
# Writes kernels.csv to DIRECTORY, where the programs are: lines as engine.c
# explains, with the number of the round and a kernel's name in front.  What
# changes it:
#
#	BENCH_ROUNDS	times that all is measured; kernel_report.py takes medians (3)
#	BENCH_KERNELS	names of kernels (all that the CPU has)
#	KERNELS_CSV		the file's name, if it is to have another one
#	KERNEL_OURS		what of ours, as engine.c calls it ("burr 64 8;homogeneous 64 8")
#	KERNEL_PEERS	"kernel:command;kernel:command": programs to measure in turn
#					with ours, each compiled for the instructions of a kernel.
#					They are called, and print lines, as those of run.sh.

set -euo pipefail

dir=$1
shift
rounds=${BENCH_ROUNDS:-3}
IFS=";" read -ra ours <<< "${KERNEL_OURS:-burr 64 8;homogeneous 64 8}"
IFS=";" read -ra peers <<< "${KERNEL_PEERS:-}"
read -ra kernels <<< "${BENCH_KERNELS:-$("$dir/engine" kernels | tr '\n' ' ')}"
mapfile -t sizes < <(printf '%.0f\n' "$@" | sort -nu)

# Lines of a program; one that fails, or says something else, is no reason to stop.
figures()
{
	local lines

	if lines=$("$@" | grep -E '^[^,]+,[^,]+,[0-9]+(,[0-9.e+-]+){6,9}$'); then
		sed "s/^/$round,$kernel,/" <<< "$lines"
	else
		echo "no figures from: $*" >&2
	fi
}

# A command may have arguments.
# shellcheck disable=SC2086
for round in $(seq "$rounds"); do
	for keys in "${sizes[@]}"; do
		for kernel in "${kernels[@]}"; do
			for filter in "${ours[@]}"; do
				figures "$dir/engine" $filter "$kernel" "$keys"
			done
			for peer in "${peers[@]}"; do
				[ "${peer%%:*}" != "$kernel" ] || figures ${peer#*:} "$keys"
			done
		done
	done
done | tee "$dir/${KERNELS_CSV:-kernels.csv}"
