#!/bin/bash
#
# tap.sh - run programs that set up their own servers: test/t/*.pl
#
# usage: test/lib/tap.sh NAME...
#
# They are TAP programs in Perl, with the server's own PostgreSQL::Test modules,
# which come with its development files.  What is under test must have been
# installed before.  CRASHES says how many crashes 001_crash.pl tries.
#
# "make prove_installcheck" runs them, too, as PGXS does.  Here they may also be
# root's, they get a file system that is full soon, and their servers are
# stopped if they are killed.

. "$(dirname "$0")/common.sh"
find_postgres

dir=$(make_server_dir)
small=

# Programs stop their servers, unless they were killed.
finish()
{
	local pid

	for pid in $(head -qn 1 "$dir"/tmp_check/*/pgdata/postmaster.pid 2>/dev/null); do
		kill -QUIT "$pid" || true
	done
	[ -z "$small" ] || as_root umount -l "$small"
	rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

# Root's servers are run by a user who need not be able to read this tree, so
# give them a copy, and one of the headers for what they compile.
cp -r test/t test/modules "$dir"
cp -r "$("$PG_CONFIG" --includedir-server)" "$dir/headers"

# A file system that is full soon.  Where we may not mount, its test says so.
mkdir "$dir/small"
[ "$(id -un)" = "$server_user" ] || chown -R "$server_user" "$dir"
if as_root mount -t tmpfs -o "size=64m,mode=700,uid=$(id -u "$server_user")" tmpfs "$dir/small" 2>/dev/null; then
	small=$dir/small
	as_server mkdir "$small/space"
fi

pgxs=$("$PG_CONFIG" --pgxs)
pgxs=${pgxs%/makefiles/pgxs.mk}
cd "$dir"
programs=("${@/#/t/}")
as_server env PG_REGRESS="$pgxs/test/regress/pg_regress" PGPORT=65432 \
	TESTDIR="$PWD" TESTDATADIR="$PWD/data" TESTLOGDIR="$PWD/log" SERVER_HEADERS="$PWD/headers" \
	SMALL_FILE_SYSTEM="$small" LC_ALL=C \
	prove -v -I "$pgxs/test/perl" "${programs[@]/%/.pl}" ||
	{
		status=$?
		tail -n 30 tmp_check/log/* >&2
		exit $status
	}
