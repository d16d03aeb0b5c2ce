# shellcheck shell=bash disable=SC2154
#
# analysers.sh - cppcheck, clang-tidy and gcc -fanalyzer, and what they may find; run.sh sources it
#
# Each writes what it finds to $deep/TOOL.out.  A finding counts unless justified.txt has it: a line
# "TOOL FILE CHECK REASON", where * is any file.

# What an analyser has printed, as "FILE CHECK" for each "FILE:LINE: ... [CHECK]".
# Findings in the server's and the system's headers are not for us to mend.
findings()
{
	sed -n 's/^\([^ :]*\):[0-9]*:.*\[\([^]]*\)\]$/\1 \2/p' "$deep/$1.out" |
		sed "s|^$top/||" | grep -vE "^(/usr/|$server_include)" | sort -u
}

# The lines of those findings that justified.txt does not list.
unjustified()
{
	local tool=$1

	findings "$tool" | { grep -v "^$faulty " || true; } | while read -r file finding; do
		grep -qE "^$tool +(\*|$file) +$finding( |$)" test/deep/justified.txt ||
			grep -F "$file" "$deep/$tool.out" | grep -F "[$finding]" || true
	done
}

# The lines of justified.txt that no finding needs, in comments: of another version of the tool, or of code that
# is no longer there.
unused()
{
	local tool=$1 file finding reason

	grep "^$tool " test/deep/justified.txt | while read -r _ file finding reason; do
		[ "$file" != '*' ] || file='.*'
		grep -qE "^$file $finding\$" <<<"$(findings "$tool")" || echo "# not found: $tool ${file/.\*/*} $finding $reason"
	done
}

# That an analyser has found nothing counts if it has run: it reports success
# (none of ours fails because of a finding), had no file that it could not read,
# and found what it must.
judge_findings()
{
	local tool=$1 found

	if grep -E '(: fatal|: error|^error|^Error)( |:)' "$deep/$tool.out"; then
		tail -n 40 "$deep/$tool.out" "$deep/$tool.err"
		not_ok "$tool: could not do its work, see $deep/$tool.out and .err"
		return
	fi
	if ! findings "$tool" | grep "^$faulty " >"$deep/$tool.found"; then
		not_ok "$tool: overlooks the fault of $faulty, see $deep/$tool.out and .err"
		return
	fi
	unused "$tool"
	found=$(unjustified "$tool" | sort -u)
	if [ -z "$found" ]; then
		ok "$tool: nothing that is not justified"
	else
		echo "$found"
		not_ok "$tool: see $deep/$tool.out"
	fi
}

# Run an analyser on each file that is named on standard input, {} of its arguments:
# JOBS at a time, none for more than LIMIT seconds of CPU.  Add what each prints, and
# whose status is not zero.
analyse()
{
	local tool=$1 each=$deep/$1.each
	shift

	rm -rf "$each"
	mkdir -p "$each"
	# shellcheck disable=SC2016
	LC_ALL=C xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'out=$0/${1//\//-} file=$1; shift
		(ulimit -t '"$limit"'; exec "$@") >"$out.out" 2>"$out.err" ||
		echo "$file: error: status $? ('"$limit"' seconds of CPU are its limit)" >>"$out.out"' \
		"$each" {} "$@"
	cat "$each"/*.out >>"$deep/$tool.out"
	cat "$each"/*.err >>"$deep/$tool.err"
}

begin_analysis()
{
	: >"$deep/$1.out"
	: >"$deep/$1.err"
}

# src/pg is analysed with the server's headers.
set_server_flags()
{
	find_postgres
	server_include=$("$PG_CONFIG" --includedir-server)
	server=(-std=gnu11 -D_GNU_SOURCE '-DRIBBON_VERSION=""' -Isrc/core -Isrc/pg "-I$server_include")
}

limit=${LIMIT:-600}
faulty=test/deep/faulty.c
server_include=/usr/
include=(-Isrc/core -Isrc/pg -Ilib -Itest/unit/lib -DFUZZ_TARGET=fuzz_filter)
plain=(-std=c11 -D_POSIX_C_SOURCE=200809L '-DRIBBON_VERSION=""' "${include[@]}")
core_sources=(src/core/*/*.c lib/src/*.c lib/src/*/*.c lib/command/*.c lib/command/*/*.c)
test_sources=(test/unit/*/*.c test/fuzz/*.c lib/test/*.c)
server_sources=(src/pg/*.c src/pg/*/*.c)

check_cppcheck()
{
	test/lib/setup.sh unit deep
	begin_analysis cppcheck
	LC_ALL=C cppcheck -q --enable=warning,portability,performance --std=c11 --inline-suppr \
		--template='{file}:{line}: {message} [{id}]' "${include[@]}" "$faulty" src/core src/pg lib/src lib/command \
		test/unit test/fuzz >"$deep/cppcheck.err" 2>"$deep/cppcheck.out" ||	# which is where findings are
		echo "cppcheck: error: status $?" >>"$deep/cppcheck.out"
	judge_findings cppcheck
}

check_tidy()
{
	local command=(clang-tidy --quiet --checks='-*,bugprone-*,clang-analyzer-*,cert-*,portability-*' {} --)

	test/lib/setup.sh build deep
	set_server_flags
	begin_analysis tidy
	printf '%s\n' "$faulty" "${core_sources[@]}" "${test_sources[@]}" | analyse tidy "${command[@]}" "${plain[@]}"
	printf '%s\n' "${server_sources[@]}" | analyse tidy "${command[@]}" "${server[@]}"
	judge_findings tidy
}

# To gcc 12, the bits of a vector's word are as many as its words, and a loop over all
# words of an array may end before the last.  To follow each path to such a finding takes
# it minutes, so in files of vectors it looks for other faults only.
check_analyzer()
{
	local command=(gcc -O1 -fanalyzer -c -o /dev/null {}) vectors='_(vector|avx2|avx512)\.c$'
	local known=(-Wno-analyzer-shift-count-overflow -Wno-analyzer-use-of-uninitialized-value)

	test/lib/setup.sh build
	set_server_flags
	begin_analysis analyzer
	printf '%s\n' "${core_sources[@]}" | grep -E "$vectors" | analyse analyzer "${command[@]}" "${plain[@]}" "${known[@]}"
	printf '%s\n' "$faulty" "${core_sources[@]}" | grep -Ev "$vectors" | analyse analyzer "${command[@]}" "${plain[@]}"
	printf '%s\n' "${server_sources[@]}" | analyse analyzer "${command[@]}" "${server[@]}"
	cat "$deep/analyzer.err" >>"$deep/analyzer.out"
	judge_findings analyzer
}
