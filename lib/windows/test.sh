#!/bin/bash
#
# test.sh - the core's unit programs and the library's, for Windows, under wine
#
# usage: lib/windows/test.sh [PROGRAM]...	test_band, test_lib_maps, ...
#
# Installs the compiler and Wine if they are missing.  Prints a line for each program.
# Those that fork, or take the place of malloc, are left out.  The library's call the
# DLL, which exports the names of lib/ribbon.map and no others.

. "$(dirname "$0")/../../test/lib/common.sh"
host=x86_64-w64-mingw32
dir=build/$host
test/lib/setup.sh windows || exit 1
make -s lib HOST=$host || exit 1

export WINEDEBUG=-all WINEPREFIX=$PWD/$dir/wine WINEDLLOVERRIDES='mscoree,mshtml='
objects=("$dir"/core/*/*.o "$dir"/src/*.o "$dir"/src/*/*.o "$dir"/windows/*.o)
rm -f "$dir/inside.a"		# for what tests ask that the DLL does not export
$host-ar rcs "$dir/inside.a" "${objects[@]}"
# shellcheck disable=SC2206
flags=($core_flags -O1 -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -Wa,-muse-unaligned-vector-move
	-Ilib/windows -include lib/windows/posix.h -isystem "$dir/include" -Ilib -Itest/unit/lib)
status=0

# "ok" if its last line is no failure and its status is 0
run()
{
	local program=$1 source with=("${objects[@]}")

	source=$(echo test/unit/*/"$1.c")
	if [[ $program == test_lib_* ]]; then
		source=lib/test/$program.c
		with=(-L"$dir" -Wl,-Bdynamic -lribbon -Wl,-Bstatic,--allow-multiple-definition "$dir/inside.a")
	fi
	if ! $host-gcc-posix "${flags[@]}" -static -o "$dir/$program.exe" "$source" "${with[@]}" >"$dir/$program.log" 2>&1; then
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

names()
{
	sed -n 's/^[[:space:]]*\(ribbon_[a-z0-9_]*\);$/\1/p' lib/ribbon.map | sort
}

exports()
{
	$host-objdump -p "$dir/libribbon-1.dll" | sed -n '/^\[Ordinal/,/^$/s/^[[:space:]].*\] //p' | sort
}

if [ $# -eq 0 ]; then
	if diff <(names) <(exports); then
		echo "ok - the DLL exports $(names | wc -l) functions"
	else
		echo "not ok - the DLL's exports are not those of lib/ribbon.map"
		status=1
	fi
	for source in test/unit/*/test_*.c lib/test/test_lib_*.c; do
		grep -Eq 'sys/wait|__wrap_' "$source" || set -- "$@" "$(basename "$source" .c)"
	done
fi
for program; do
	run "$program" || status=1
done
exit $status
