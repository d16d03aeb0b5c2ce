#!/bin/bash
#
# build.sh - packages for Debian, for the servers whose headers are installed
#
# usage: make deb, or test/deb/build.sh [OUT [TREE VERSION]]
#
# What dpkg-buildpackage makes of a copy of this tree is left in OUT (build/deb):
# postgresql-NN-ribbon_*.deb, their symbols, and the source package.  With TREE,
# the source of another release, it is packaged as VERSION, by this tree's
# debian/.
#
# The regression tests are part of a build (DEB_BUILD_OPTIONS=nocheck leaves them
# out), and want a user that a server runs as, so root lends it another.

. "$(dirname "$0")/../lib/common.sh"

bash test/lib/setup.sh deb
mkdir -p "${1:-build/deb}"
out=$(realpath "${1:-build/deb}")
tree=${2:-.}
version=${3:-$(dpkg-parsechangelog -S Version)}

dir=$(make_server_dir)
trap 'rm -rf "$dir"' EXIT
copy=$dir/ribbon-${version%-*}
mkdir "$copy"

# Neither what has been built nor what is kept for history.
pack_tree "$tree" --exclude=./debian | tar -xf - --no-same-owner -C "$copy"
tar -C "$dir" -czf "$dir/ribbon_${version%-*}.orig.tar.gz" "${copy##*/}"
cp -r debian "$copy"
if [ "$tree" != . ]; then
	sed -i "1s/(.*)/($version)/" "$copy/debian/changelog"
fi
[ "$(id -un)" = "$server_user" ] || chown -R "$server_user" "$dir"

cd "$copy"
export PG_SUPPORTED_VERSIONS=installed PG_UPDATECONTROL=yes
as_server pg_buildext updatecontrol
as_server dpkg-buildpackage -us -uc -j"$(nproc)"
find "$out" -maxdepth 1 -name '*ribbon*' -type f -delete
find "$dir" -maxdepth 1 -type f -exec cp -t "$out" {} +
ls -l "$out"
