#!/bin/bash
#
# bench.sh - the programs that measure compile without a warning
#
# usage: test/run.sh build/bench
# needs: extension
#
# They are linked with what the extension has of the core.

. "$(dirname "$0")/../lib/common.sh"

make -s -j"$(nproc)" bench-programs BENCH_DIR=build/bench-check BENCH_CORE='$(addprefix src/core/,$(CORE))' \
	CC="${CC:-cc} -Werror -Wno-error=unused-parameter"
ok "what measures compiles"
