#!/bin/bash
#
# inside.sh - make packages in an environment, and try them there
#
# usage: test/deb/inside.sh [RELEASE VERSION]
#
# To be run as root by run.sh.  RELEASE is the source of the release before, whose
# VERSION is X.Y.Z; without it, a release after this one is made up.  Reports lines
# "ok ..." and "not ok ...".

. "$(dirname "$0")/../lib/common.sh"

# try_in_time NAME COMMAND...: ok if it succeeds within DEB_LIMIT seconds (1800); else what it
# has said last, and what was running when it was ended
try_in_time()
{
	local name=$1 log=build/deb-$((++steps)).log status=0
	shift

	# shellcheck disable=SC2016
	timeout -k 60 $((limit + 60)) bash -c '(sleep "$1"; ps axfo pid,etime,stat,args) & shift; "$@"; s=$?; kill %1; exit $s' \
		- "$limit" "$@" >"$log" 2>&1 </dev/null || status=$?
	if [ "$status" = 0 ]; then
		ok "$name"
		return
	fi
	tail -n 60 "$log"
	[ "$status" != 124 ] || name+=": it has not ended after $limit s"
	not_ok "$name"
}

# That this version is not released yet (packaging/release.py) is no fault of packages.
lint()
{
	lintian --allow-root --fail-on error,warning --suppress-tags unreleased-changes,unreleased-changelog-distribution \
		"$1"/*.changes
}

# Are these the same packages, byte by byte?
same_packages()
{
	local file

	for file in "$1"/*.deb; do
		cmp "$file" "$2/${file##*/}" || return 1
	done
}

# In the log of a build: does every line that compiles end with the level -O0?
is_unoptimized()
{
	[ "$(sed -nE '/gcc .* -c /s/.* (-O[0-9gs])( .*)?$/\1/p' "$1" | sort -u)" = -O0 ]
}

export -f is_unoptimized lint same_packages
limit=${DEB_LIMIT:-1800}
steps=0
mkdir -p build
export DEBIAN_FRONTEND=noninteractive
try_in_time "make deb, regression tests included" make deb
[ "$failed" = 0 ] || exit 1		# there is nothing to try
find build/deb -name 'postgresql-*.deb' ! -name '*dbgsym*' -printf '# %f, %s bytes\n'
try_in_time "lintian has no errors and no warnings" lint build/deb
sed '/^N:/d; s/^/# /' "build/deb-$steps.log"
try_in_time "links in the packages' pages lead somewhere" test/deb/links.py build/deb
try_in_time "the packages are made once more, in another directory" \
	env DEB_BUILD_OPTIONS=nocheck test/deb/build.sh build/deb-again
try_in_time "and are the same, byte by byte" same_packages build/deb build/deb-again
if [ "${1:-}" ]; then
	try_in_time "packages of release $2" env DEB_BUILD_OPTIONS=nocheck test/deb/build.sh build/deb-before "$1" "$2-1"
	way=(build/deb-before build/deb)
else
	rm -rf build/next
	test/deb/next.sh build/next
	try_in_time "packages of a release to come, with noopt" \
		env DEB_BUILD_OPTIONS="nocheck noopt" test/deb/build.sh build/deb-next build/next 9.9.0-1
	try_in_time "nothing in them was optimized" is_unoptimized "build/deb-$steps.log"
	way=(build/deb build/deb-next)
fi
timeout -k 60 "$limit" test/deb/lifecycle.sh "${way[@]}" || failed=$((failed + 1))

# What Debian 13 and later have a package of.
vector=$(apt-cache search --names-only '^postgresql-[0-9]+-pgvector$' | cut -d ' ' -f 1)
if [ -n "$vector" ]; then
	apt-get install -y -q "$vector" "$(echo "$PWD"/build/deb/postgresql-*-ribbon_*.deb)" >build/deb-vector.log 2>&1
	test/lib/cluster.sh test/deb/pgvector.sh | sed 's/^[^on]/# &/' || failed=$((failed + 1))
	apt-get purge -y -q 'postgresql-*-ribbon' >>build/deb-vector.log 2>&1
fi
try_in_time "autopkgtest has what it needs" test/lib/setup.sh autopkgtest
try_in_time "autopkgtest: the regression tests, of what is installed" \
	autopkgtest build/deb/*.deb build/deb/*.dsc -- null
[ "$failed" = 0 ]
