#!/bin/bash
#
# run.sh - measure the core, and peers beside it
#
# usage: test/bench/run.sh KEYS...
#
# Prints a comma-separated line per filter, in the form that engine.c explains.
# PEERS="command;command" names programs to measure in the same run: each is
# called with a number of keys as its last argument and prints such lines.

set -euo pipefail

echo "library,config,keys,build_ns,positive_ns,negative_ns,mixed_ns,bits_per_key,fpr"
for keys in "$@"; do
	build/bench/engine "$keys"
	IFS=";" read -ra peers <<< "${PEERS:-}"
	for peer in "${peers[@]}"; do
		$peer "$keys"
	done
done
