#!/bin/bash
#
# xxhash.sh - an xxHash that hashes otherwise is refused
#
# usage: test/run.sh build/xxhash

. "$(dirname "$0")/../lib/common.sh"

make_tmp

echo '#define XXH_VERSION_NUMBER 704' >"$tmp/xxhash.h"
if "${CC:-cc}" -fsyntax-only -I"$tmp" -Isrc/core -include keys/ribbon_xxhash.h \
	-x c /dev/null 2>"$tmp/refused"; then
	not_ok "refuses xxHash 0.7.4: it compiles"
elif ! grep -q 'needs xxHash 0.8.0' "$tmp/refused"; then
	not_ok "refuses xxHash 0.7.4: $(head -n 1 "$tmp/refused")"
else
	ok "refuses xxHash 0.7.4"
fi
[ "$failed" = 0 ]
