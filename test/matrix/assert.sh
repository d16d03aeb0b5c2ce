#!/bin/bash
#
# assert.sh - the extension on a server with assertions
#
# usage: test/matrix/assert.sh build | test | discard
#
# To be run in an environment by run.sh.  Distributions ship servers
# without assertions.  This compiles the same version from its source package,
# so that it complains where we break its rules, and with traps besides:
#
#	RANDOMIZE_ALLOCATED_MEMORY	nothing new is zero (and, as in every assert
#					build, nothing freed keeps its content)
#	COPY_PARSE_PLAN_TREES	plans are not where the planner has made them
#
# (RELCACHE_FORCE_RELEASE would have every probe of a stored filter read the
# catalog for its TOAST table: minutes for what takes a second.)
#
# "build" makes the server, which is kept in /opt for the next time; "test" runs
# all tests that use a server on it; "discard" some topics again, with all caches
# dropped at every occasion (debug_discard_caches).

. "$(dirname "$0")/../lib/common.sh"

traps='-DRANDOMIZE_ALLOCATED_MEMORY -DCOPY_PARSE_PLAN_TREES'
discarding='array_probe casts key_hash null_and_empty options refused_types refused_citext compare shrink'

version=$(apt-cache depends postgresql | sed -n 's/^ *Depends: postgresql-\([0-9]*\)$/\1/p')
server=/opt/assert-$(apt-cache show "postgresql-$version" | sed -n 's/^Version: //p' | head -n 1)
export PG_CONFIG=$server/bin/pg_config
case $1 in
	build)
		test/lib/build_server.sh "$server" CFLAGS=-O1 CPPFLAGS="$traps"
		"$server/bin/postgres" --version
		;;
	test)
		test/lib/setup.sh build test
		test/run.sh build/compile sql python tap
		;;
	discard)
		CLUSTER_SETTINGS='debug_discard_caches = 1' test/lib/cluster.sh make -s --no-print-directory installcheck \
			REGRESS="$discarding" EXTRA_REGRESS_OPTS=--outputdir=/tmp ||
			{ cat /tmp/regression.diffs; exit 1; }
		;;
	*)
		sed -n 's/^# usage: /usage: /p' "$0" >&2
		exit 2
		;;
esac
