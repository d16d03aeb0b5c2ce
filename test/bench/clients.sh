#!/bin/bash
#
# clients.sh - what packages of other languages take, beside the library itself
#
# usage: test/bench/clients.sh DIRECTORY [CLIENT]...
#
# Prints a table for each client (python, js), and leaves it in DIRECTORY/CLIENT.md.
# CLIENT_KEYS says of how many keys (1e6), CLIENT_ROUNDS how often, in turn (15).

. "$(dirname "$0")/../lib/common.sh"

dir=$1
shift
mkdir -p "$dir"

bench_python()
{
	make -s python-package
	"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Ilib/include -o "$dir/baseline" \
		clients/python/bench/baseline.c build/lib/libribbon.a -lm -pthread
	/usr/bin/python3 clients/python/bench/compare.py "$dir/baseline" "${CLIENT_KEYS:-1e6}" "${CLIENT_ROUNDS:-15}"
}

bench_js()
{
	test/lib/setup.sh js
	make -s js-modules bench-programs
	# shellcheck disable=SC2046,SC2086
	"${CC:-cc}" $core_flags -O3 -o "$dir/js_native" clients/js/bench/native.c \
		$(printf "%s\n" src/core/*/*.c | sed "s|^src|build/lib|; s|c$|o|") -lm -pthread
	node clients/js/bench/compare.mjs "$dir/js_native" "${CLIENT_KEYS:-1e6}" "${CLIENT_ROUNDS:-15}"
}

[ $# -gt 0 ] || set -- python js
for client; do
	"bench_$client" | tee "$dir/$client.md"
done
