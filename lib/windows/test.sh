#!/bin/bash
#
# test.sh - the core's unit programs and those of keys, for Windows, under wine
#
# usage: lib/windows/test.sh [PROGRAM]...	test_band, test_lib_keys, ...
#
# Prints a line for each program.  Those that fork are left out.

cd "$(dirname "$0")/../.." || exit 1
host=x86_64-w64-mingw32
dir=build/$host
make -s lib HOST=$host || exit 1

export WINEDEBUG=-all WINEPREFIX=$PWD/$dir/wine WINEDLLOVERRIDES='mscoree,mshtml='
objects=("$dir"/core/*/*.o "$dir"/src/*.o "$dir"/windows/*.o)
flags=(-std=c11 -O1 -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -Wa,-muse-unaligned-vector-move -ffp-contract=off
	-Ilib/windows -include lib/windows/posix.h -isystem "$dir/include" -Isrc/core -Ilib -Itest/unit)
status=0

# "ok" if its last line is no failure and its status is 0
run()
{
	local program=$1 source
	source=$(echo test/unit/"$program".c lib/test/"$program".c | tr ' ' '\n' | xargs ls 2>/dev/null)
	if ! $host-gcc-posix "${flags[@]}" -static -o "$dir/$program.exe" "$source" "${objects[@]}" >"$dir/$program.log" 2>&1; then
		echo "not ok - $program: does not compile, see $dir/$program.log"
		return 1
	fi
	if ! timeout -k 5 900 wine "$dir/$program.exe" </dev/null >"$dir/$program.log" 2>&1 ||
			grep -q '^not ok' "$dir/$program.log"; then
		grep -a '^not ok' "$dir/$program.log" | head -n 3
		echo "not ok - $program: see $dir/$program.log"
		return 1
	fi
	echo "ok - $program: $(grep -c '^ok' "$dir/$program.log") tests"
}

if [ $# -eq 0 ]; then
	for source in test/unit/test_*.c lib/test/test_lib_keys.c; do
		grep -q 'sys/wait' "$source" || set -- "$@" "$(basename "$source" .c)"
	done
fi
for program; do
	run "$program" || status=1
done
exit $status
