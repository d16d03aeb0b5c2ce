#!/bin/bash
#
# prove.sh - run the proofs, and print a table
#
# usage: test/proof/prove.sh [PROOF]...
#
# The files of this folder say how to: in front of each function prove_NAME a comment has
#
#	PROVE	what of: functions of src/core
#	FOR		for which inputs
#	UNWIND	how often loops are followed; that they end by then is proved, too
#	REPLACE	functions by others, FROM:TO, which contracts.h has
#	FLAGS	others of CBMC's
#
# PROOFs are such NAMEs.  For run.sh, which sees to it that there is CBMC.  The last
# line is "N passed, N failed".
#
# A proof whose assumptions contradict each other proves anything.  So with REACHED=1
# each assertion of the proofs is made false, and so is one at each end.  CBMC must then
# find inputs for each end, and for each assertion in one of the proofs that have it.

. "$(dirname "$0")/../lib/common.sh"

build=build/proof
mkdir -p "$build"
checks=(--no-standard-checks)
if [ -n "${REACHED:=}" ]; then
	: >"$build/assertions"
	checks+=(--no-unwinding-assertions)
else
	checks+=(--bounds-check --pointer-check --pointer-overflow-check --undefined-shift-check
		--signed-overflow-check --div-by-zero-check --unwinding-assertions --stop-on-fail --trace)
fi

# What comments say, a line for each proof: file, name, and the fields.
list_proofs()
{
	awk -F '\t+' -v OFS='|' '
		FNR == 1 { file = FILENAME }
		/^ \* (PROVE|FOR|UNWIND|REPLACE|FLAGS)\t/ { split($1, word, " "); key = word[2]; said[key] = $2; next }
		/^ \*\t\t+/ && key != "" { said[key] = said[key] " " $2; next }
		/^ \*\// { key = "" }
		/^prove_.*\(void\)$/ {
			name = $0; sub(/^prove_/, "", name); sub(/\(.*/, "", name)
			print file, name, said["PROVE"], said["FOR"], said["UNWIND"], said["REPLACE"], said["FLAGS"]
			split("", said)
		}' test/proof/*.c
}

prove()
{
	local file=$1 name=$2 unwind=$3 replace=$4 flags=$5 program=$build/$2

	goto-cc -std=gnu11 -Isrc/core -Itest/proof ${REACHED:+-DREACHED} "$file" --function "prove_$name" \
		-o "$program.gb" >"$program.log" 2>&1
	# shellcheck disable=SC2086
	goto-instrument ${replace:+$(printf -- '--replace-calls %s ' $replace)} \
		${REACHED:+--insert-final-assert-false "prove_$name"} \
		"$program.gb" "$program.replaced.gb" >>"$program.log" 2>&1
	# shellcheck disable=SC2086
	timeout "${PROOF_LIMIT:-1200}" cbmc "$program.replaced.gb" --unwind "$unwind" "${checks[@]}" \
		--drop-unused-functions --object-bits 10 --slice-formula --verbosity 9 $flags >>"$program.log" 2>&1
}

# With REACHED=1: which assertions of ours are there, and which have failed?  True if the
# proof's end is among these.
note_reached()
{
	sed -n 's/^\[\([a-z0-9_]*\)\.assertion\.[0-9]*\] line [0-9]* \(.*\): \(SUCCESS\|FAILURE\)$/\3 \1: \2/p' "$1" |
		grep -v ' malloc: ' >>"$build/assertions"
	grep -q "^\[prove_$2\.assertion.* insert-final-assert-false.*: FAILURE" "$1"
}

printf '%-26s %6s %5s  %s\n' proof checks s 'of, and for what'
while IFS='|' read -r file name functions inputs unwind replace flags; do
	[ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
	log=$build/$name.log
	(
		set +e
		prove "$file" "$name" "$unwind" "$replace" "$flags"
		status=$?
		[ -z "$REACHED" ] || { note_reached "$log" "$name"; status=$?; }
		times >"$build/$name.times"
		exit $status
	) && result=ok || result="not ok"
	checked=$(sed -n 's/^Generated \([0-9]*\) VCC.*/\1/p' "$log")
	printf '%-26s %6s %5s  %s\n' "$name" "${checked:--}" "$(cpu_seconds <"$build/$name.times")" "$functions"
	printf '%-26s %6s %5s  %s\n' '' '' '' "for $inputs"
	if [ "$result" = ok ]; then
		passed=$((passed + 1))
	else
		{ grep -E -A 3 'Violated property|error|Reason' "$log" || true; } | head -n 20
		tail -n 3 "$log"
		not_ok "$name: see $log"
	fi
done < <(list_proofs)
if [ -n "$REACHED" ]; then
	while read -r assertion; do
		not_ok "not reached: $assertion"
	done < <(sed -n 's/^SUCCESS //p' "$build/assertions" | sort -u |
		grep -vxF -f <(sed -n 's/^FAILURE //p' "$build/assertions"))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
