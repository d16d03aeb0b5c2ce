#!/bin/bash
#
# run.sh - Debian packages: made, looked at, and tried, on several releases
#
# usage: make test-deb, or test/deb/run.sh [SUITE]...
#
# For each SUITE, by default bookworm, trixie and testing, in an environment of its
# own (deb-SUITE, see test/lib/env.sh), where nothing is installed by hand:
#
#	packages of what "make dist" makes of this tree are made, as by "make deb", and of another
#		release;
#	lintian finds no error and warns of nothing; made again elsewhere, they are the same bytes;
#	they are installed, used, upgraded, downgraded and purged (lifecycle.sh); those of
#		library, command and Python by themselves in another environment (bare.sh);
#	with pgvector, where it is packaged, a recipe is measured (pgvector.sh);
#	autopkgtest runs the regression tests on what is installed.
#
# The other release is the one before: the last tag vX.Y.Z in the history that is
# not this tree's version.  As long as there is none, it is a later one that is made
# up (next.sh), and this tree's is the one before.  It takes ten minutes for each
# suite, and root; on a busy machine DEB_LIMIT gives each step more than 1800 seconds.
# The packages are left in MATRIX_DIR/env/deb-SUITE/ribbon/build/deb.
# The last line is "N passed, N failed".

. "$(dirname "$0")/../lib/common.sh"

matrix=${MATRIX_DIR:-/var/tmp/ribbon-matrix}
limit=${DEB_LIMIT:-1800}
. test/lib/env.sh

need_root
test/lib/setup.sh matrix
mkdir -p "$matrix/log" "$matrix/exchange"

# What was released before this, without its "v"; nothing if nothing was.
here=$(dpkg-parsechangelog -S Version)
here=${here%-*}
before=
while read -r tag; do
	if [[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]] && [ "$tag" != "v$here" ]; then
		before=${tag#v}
		break
	fi
done < <(git tag --merged HEAD --sort=-version:refname 2>/dev/null)
rm -rf "$matrix/exchange/release"
if [ "$before" ]; then
	mkdir "$matrix/exchange/release"
	git archive "v$before" | tar -xf - -C "$matrix/exchange/release"
else
	echo "# nothing was released before $here: the update is to a release that is made up"
fi

suites=${*:-bookworm trixie testing}
for suite in $suites; do
	echo "# $suite"
	log=$matrix/log/deb-$suite.log
	make_env "deb-$suite" >"$log" 2>&1
	copy_dist "deb-$suite"
	status=0
	in_env "deb-$suite" env DEB_LIMIT="$limit" test/deb/inside.sh ${before:+/exchange/release "$before"} 2>&1 |
		tee "$log" || status=$?
	made=$matrix/env/deb-$suite/ribbon/build/deb
	if compgen -G "$made/*.deb" >/dev/null; then
		make_env "bare-$suite" >>"$log" 2>&1
		copy_dist "bare-$suite"
		rm -rf "$matrix/exchange/deb"
		cp -r "$made" "$matrix/exchange"
		in_env "bare-$suite" timeout -k 60 "$limit" test/deb/bare.sh /exchange/deb 2>&1 | tee -a "$log" || status=$?
	fi
	judge "$suite" "$log" "$status" || echo "# see $log"
done
say_counts
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
