#!/bin/bash
#
# run.sh - Debian packages: made, looked at, and tried, on several releases
#
# usage: make test-deb, or test/deb/run.sh [SUITE]...
#
# For each SUITE, by default bookworm, trixie and testing, in an environment of its
# own (deb-SUITE, see test/matrix/env.sh), where nothing is installed by hand:
#
#	packages of this tree are made, as by "make deb", and of release 1.0;
#	lintian finds no error; made again elsewhere, they are the same bytes;
#	they are installed, used, upgraded, downgraded and purged (lifecycle.sh);
#	with pgvector, where it is packaged, a recipe is measured (pgvector.sh);
#	autopkgtest runs the regression tests on what is installed.
#
# Release 1.0 is taken from the history: its tag, or the commit, one of which must
# be there.  It takes ten minutes for each suite, and root.  The packages are left
# in MATRIX_DIR/env/deb-SUITE/ribbon/build/deb.  The last line is "N passed, N
# failed".

. "$(dirname "$0")/../lib/common.sh"

matrix=${MATRIX_DIR:-/var/tmp/ribbon-matrix}
. test/matrix/env.sh

need_root
test/lib/setup.sh matrix
mkdir -p "$matrix/log" "$matrix/exchange"

# What was released as 1.0.0: the commit that has the tag, which a copy of the
# history without tags has, too.
release=
for name in refs/tags/v1.0.0 dcdc189990bfa52b07cd594c6054d2330f7e7dd7; do
	if git rev-parse -q --verify "$name^{commit}" >/dev/null 2>&1; then
		release=$name
		break
	fi
done
if [ -z "$release" ]; then
	echo "test-deb: release 1.0.0 is not in this tree's history: git fetch --unshallow --tags" >&2
	exit 2
fi
rm -rf "$matrix/exchange/release-1.0"
mkdir "$matrix/exchange/release-1.0"
git archive "$release" | tar -xf - -C "$matrix/exchange/release-1.0"

suites=${*:-bookworm trixie testing}
for suite in $suites; do
	echo "# $suite"
	log=$matrix/log/deb-$suite.log
	make_env "deb-$suite" >"$log" 2>&1
	copy_tree "deb-$suite"
	status=0
	in_env "deb-$suite" test/deb/inside.sh /exchange/release-1.0 2>&1 | tee "$log" || status=$?
	passed=$((passed + $(grep -c '^ok ' "$log" || true)))
	bad=$(grep -c '^not ok ' "$log" || true)
	if [ "$status" != 0 ] && [ "$bad" = 0 ]; then
		not_ok "$suite: status $status, see $log"
	fi
	failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
