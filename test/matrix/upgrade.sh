#!/bin/bash
#
# upgrade.sh - stored filters go to a new major version: pg_upgrade, pg_dump
#
# usage: test/matrix/upgrade.sh OLD
#
# To be run in the newer server's environment by ../matrix.sh.  OLD is a
# directory with an older server in it, whose files lie in it as they do below /
# where it comes from, and in OLD/missing the libraries that there are not here.
# In the new server, the filters must have the bytes and give the answers that
# they had in the old one.

. "$(dirname "$0")/../lib.sh"
find_postgres

# Within a cluster of the old server (called again by the last line): fill
# it, dump it, stop it, and start the new server on what pg_upgrade makes of it.
within()
{
	local new=$1 dir=$PGHOST data=$PGHOST/data bin=$new/bin

	:
}
