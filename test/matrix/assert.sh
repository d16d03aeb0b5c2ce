#!/bin/bash
#
# assert.sh - the extension on a server with assertions
#
# usage: test/matrix/assert.sh
#
# To be run in an environment by ../matrix.sh.  Distributions ship servers
# without assertions.  This compiles the same version from its source package,
# so that it complains where we break its rules, and with traps besides:
#
#	RANDOMIZE_ALLOCATED_MEMORY	nothing new is zero (and, as in every assert
#					build, nothing freed keeps its content)
#	RELCACHE_FORCE_RELEASE, CATCACHE_FORCE_RELEASE	catalog entries are gone
#					as soon as they are released
#	COPY_PARSE_PLAN_TREES	plans are not where the planner has made them
#
# Then the regression suite and the Python programs run on it, and some topics
# again with debug_discard_caches, which drops all caches at every occasion.
# The server is kept in /opt for the next time.

. "$(dirname "$0")/../lib.sh"

traps='-DRANDOMIZE_ALLOCATED_MEMORY -DRELCACHE_FORCE_RELEASE -DCATCACHE_FORCE_RELEASE -DCOPY_PARSE_PLAN_TREES'
discarding='probe array_probe stored casts key_hash refused_types refused_citext toast'

install()
{
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@"
}

# The source package, from the same place as the packages.
get_source()
{
	local line

	line=$(grep -h '^deb ' /etc/apt/sources.list | head -n 1)
	echo "deb-src ${line#deb }" >/etc/apt/sources.list.d/source.list
	apt-get update -q
	apt-get source -q "postgresql-$1"
}

build_server()
{
	local to=$1 version=$2

	install bison flex libicu-dev pkg-config zlib1g-dev dpkg-dev libipc-run-perl
	rm -rf /opt/source
	mkdir -p /opt/source
	cd /opt/source
	get_source "$version"
	cd "postgresql-$version"*/
	./configure -q --prefix="$to.new" --with-icu --without-readline \
		--enable-tap-tests --enable-debug --enable-cassert CFLAGS=-O1 CPPFLAGS="$traps"
	make -s -j"$(nproc)" all
	make -s install
	make -s -C contrib install
	rm -rf "$to" /opt/source
	mv "$to.new" "$to"	# a server finds its files by where it lies
}

version=$(pg_config --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
full=$(dpkg-query -W -f '${Version}' "postgresql-$version")
server=/opt/assert-$full
[ -x "$server/bin/postgres" ] || (build_server "$server" "$version")
export PG_CONFIG=$server/bin/pg_config
"$server/bin/postgres" --version

# the suite counts itself: its lines are ours
test/run.sh build sql python tap

echo "# with debug_discard_caches"
status=0
CLUSTER_SETTINGS='debug_discard_caches = 1' test/cluster.sh make -s --no-print-directory installcheck \
	REGRESS="extension $discarding" EXTRA_REGRESS_OPTS=--outputdir=/tmp || status=$?
cat /tmp/regression.diffs 2>/dev/null || true
exit $status
