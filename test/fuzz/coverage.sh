#!/bin/bash
#
# coverage.sh - which lines of the core do the fuzz targets get to?
#
# usage: test/fuzz/coverage.sh
#
# Runs the inputs of "make test", and the corpora that "make fuzz" has left in
# build/fuzz, with programs built for gcov.  coverage.py prints the shares.

. "$(dirname "$0")/../lib/common.sh"
dir=build/coverage

bash test/lib/setup.sh unit
make -s -j"$(nproc)" UNIT_DIR=$dir/unit FUZZ_DIR=$dir/fuzz \
	UNIT_CFLAGS='-std=c11 -D_POSIX_C_SOURCE=200809L -O0 -g -MMD -MP -Isrc/core --coverage' $dir/fuzz/driver
find $dir -name '*.gcda' -delete
$dir/fuzz/driver
for corpus in build/fuzz/corpus-*; do
	[ -d "$corpus" ] || continue
	target=${corpus#build/fuzz/corpus-}
	find "$corpus" -type f -print0 | xargs -0 -n 1000 $dir/fuzz/driver "${target/quick/probe}"
	echo "ok - $corpus: $(find "$corpus" -type f | wc -l) inputs"
done
"$python" test/fuzz/coverage.py $dir
