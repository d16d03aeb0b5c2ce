#!/bin/bash
#
# run.sh - prove that bytes of any origin are harmless, by CBMC
#
# usage: test/proof/run.sh [PROOF]...
#
# docs/developer/testing.md says what is proved, and of what inputs.  CBMC comes with Debian 13
# and later; on others, as root, in a small Debian 13 that test/lib/env.sh makes in
# MATRIX_DIR (by default /var/tmp/ribbon-matrix), where it is kept.  The last line is
# "N passed, N failed".

. "$(dirname "$0")/../lib/common.sh"

matrix=${MATRIX_DIR:-/var/tmp/ribbon-matrix}
. test/lib/env.sh

if apt-cache show cbmc >/dev/null 2>&1; then
	test/lib/setup.sh proof
fi
if command -v cbmc >/dev/null; then
	exec test/proof/prove.sh "$@"
fi
test/lib/setup.sh matrix
need_root
make_env proof
copy_tree proof
in_env proof sh -c '{ command -v cbmc && test -f /usr/include/stdint.h; } ||
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q cbmc libc6-dev' >/dev/null
in_env proof env PROOF_LIMIT="${PROOF_LIMIT:-}" REACHED="${REACHED:-}" test/proof/prove.sh "$@"
