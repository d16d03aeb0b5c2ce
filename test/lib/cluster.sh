#!/bin/bash
#
# cluster.sh - run a command with a throwaway PostgreSQL server
#
# usage: test/lib/cluster.sh COMMAND [ARGUMENT]...
#
# The server listens on a Unix socket in a private directory only, is empty,
# and is gone when the command ends, however it ends.  The command finds it
# through PGHOST, PGPORT, PGUSER and PGDATABASE, and runs in the top directory
# of the source tree.  What is under test must have been installed before.
# CLUSTER_SETTINGS holds lines of postgresql.conf that come after ours.
# SERVER_ENV may hold variables for the server alone, as NAME=VALUE words.
# CLUSTER_TEMPLATE may name a directory, of the same server: what initdb makes is kept
# there for whoever comes next, who then copies it in a tenth of the time.

. "$(dirname "$0")/common.sh"
find_postgres

if [ $# = 0 ]; then
	echo "usage: $0 COMMAND [ARGUMENT]..." >&2
	exit 2
fi

# Run a program of the server's in its directory; ours may be closed to it.
pg()
{
	(cd "$dir" && as_server "$@")
}

stop()
{
	if [ -f "$dir/data/postmaster.pid" ]; then
		pg pg_ctl -D data -m immediate -s stop || true
	fi
	rm -rf "$dir"
}

dir=$(make_server_dir)
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

unset PGHOSTADDR PGOPTIONS PGPASSFILE PGSERVICE PGSERVICEFILE PGSSLMODE PGDATA
export PGHOST=$dir PGPORT=5432 PGUSER=postgres PGDATABASE=postgres

# Segments of WAL have 1 MB, not 16, since a copy of the template has one, too.  Two runs that find no template
# may both make it; that of the later one is dropped.
template=${CLUSTER_TEMPLATE:-}
if [ -d "$template" ]; then
	cp -a "$template" "$dir/data"
else
	pg initdb -D data --username="$PGUSER" --auth=trust --encoding=UTF8 \
		--locale=C.UTF-8 --no-sync --wal-segsize=1 >"$dir/initdb.log" ||
		{ cat "$dir/initdb.log" >&2; exit 1; }
	[ -z "$template" ] || { cp -a "$dir/data" "$template.$$" && { mv -nT "$template.$$" "$template" || true; }; }
fi

# Nothing here needs to survive a crash.
cat >>"$dir/data/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$dir'
port = $PGPORT
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
wal_init_zero = off
max_wal_senders = 0
max_wal_size = 4GB
checkpoint_timeout = 1h
shared_buffers = 256MB
autovacuum = off
jit = off
${CLUSTER_SETTINGS:-}
END

# shellcheck disable=SC2086
pg env ${SERVER_ENV:-} pg_ctl -D data -l server.log -w -s start || { cat "$dir/server.log" >&2; exit 1; }

status=0
"$@" || status=$?

# A crash is worth more than the lost connection that the command has seen.
grep -E 'terminated by signal|TRAP|PANIC|Sanitizer|runtime error' "$dir/server.log" >&2 &&
	status=1
exit $status
