#!/bin/bash
#
# next.sh - make up the release after this tree's
#
# usage: test/deb/next.sh DIRECTORY
#
# DIRECTORY gets a copy of this tree whose default version is 9.9: an update script
# adds a function, ribbon_news().  It stands for a later release, as long as there
# is no earlier one from which this tree could be the update.

. "$(dirname "$0")/../lib/common.sh"

mkdir -p "$1"
pack_tree . | tar -xf - --no-same-owner -C "$1"
today=$(sed -n "s/^default_version *= *'\(.*\)'$/\1/p" ribbon.control)
sed -i "s/^default_version.*/default_version = '9.9'/" "$1/ribbon.control"
cat >"$1/sql/ribbon--$today--9.9.sql" <<'END'
CREATE FUNCTION ribbon_news(ribbonfilter) RETURNS bigint
	AS 'MODULE_PATHNAME', 'ribbon_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
END
