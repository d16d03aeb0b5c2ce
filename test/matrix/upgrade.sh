#!/bin/bash
#
# upgrade.sh - stored filters and maps go to a newer server: pg_upgrade and pg_dump
#
# usage: PG_CONFIG=OLD test/lib/cluster.sh test/matrix/upgrade.sh OLD NEW
#
# OLD and NEW are the pg_config of two servers.  The command runs within a cluster
# of the old one, which it fills and dumps, then stops and hands to pg_upgrade.
# In the new server the filters and maps must have the bytes and give the answers
# that they had in the old one, and a check, an index, a view and a column default
# in which they occur must work.

. "$(dirname "$0")/../lib/common.sh"

old=$("$1" --bindir)
new=$("$2" --bindir)
database=ribbon_matrix
export PATH=$new:$PATH		# psql, too, is the new one

# Only the database's owner may run these, and in a directory of its own.
pg()
{
	(cd "$PGHOST" && as_server "$@")
}

sql()
{
	psql -XAtq -v ON_ERROR_STOP=1 -d "$database" "$@"
}

depend()
{
	sql <<-'END'
		SELECT quote_literal(ribbon_build(i)::text) AS odd FROM generate_series(1, 2001, 2) AS i \gset
		CREATE TABLE odd (id int CHECK (ribbon_contains(:odd::ribbonfilter, id)),
						  f ribbonfilter DEFAULT :odd);
		INSERT INTO odd SELECT generate_series(1, 2001, 2);
		CREATE TABLE numbers AS SELECT i AS id FROM generate_series(1, 2000) AS i;
		CREATE INDEX odd_numbers ON numbers (id) WHERE id <@ :odd::ribbonfilter;
		CREATE VIEW odd_numbers_view AS SELECT * FROM numbers WHERE id <@ :odd::ribbonfilter;
		CREATE TABLE in_hash AS SELECT name, f FROM filters;
		CREATE INDEX ON in_hash USING hash (f);
		CREATE MATERIALIZED VIEW sets AS SELECT f, count(*) AS n FROM filters GROUP BY f;
		SELECT quote_literal(ribbon_map(i, int4range(i % 7, 9))::text) AS pairs FROM generate_series(1, 2000) AS i \gset
		CREATE TABLE paired (id int CHECK (:pairs::ribbonmap @> id), m ribbonmap DEFAULT :pairs);
		INSERT INTO paired SELECT generate_series(1, 2000, 2);
		CREATE INDEX paired_text ON paired ((m ->> id));
		CREATE VIEW paired_view AS SELECT id, ribbon_get(m, id, NULL::int4range) AS p, ribbon_get(m, id, NULL::int4range) IS NOT DISTINCT FROM int4range(id % 7, 9) AS same FROM paired;
	END
}

# One number for each thing that "depend" made, all of which are known.
dependents()
{
	sql <<-'END'
		SET enable_seqscan = off;
		INSERT INTO odd (id) SELECT generate_series(1, 21, 2);
		SELECT count(*) FROM odd WHERE f @> id;
		SELECT count(*) >= 1000 AND count(*) < 1100 FROM odd_numbers_view;
		SELECT (SELECT array_agg(id ORDER BY id) FROM odd_numbers_view) =
			   (SELECT array_agg(id ORDER BY id) FROM numbers WHERE (SELECT f FROM odd LIMIT 1) @> id);
		SELECT count(*) FROM in_hash WHERE f = (SELECT f FROM filters WHERE name LIKE '% text 1000' ORDER BY name LIMIT 1);
		SELECT sum(n) = (SELECT count(*) FROM filters) FROM sets;
		INSERT INTO paired (id) SELECT generate_series(2, 20, 2);
		SELECT count(*) FROM paired_view WHERE same;
		SELECT count(*) FROM paired WHERE m ->> id = '[3,9)';
	END
}

# Is what came over in this way what there was?
compare()
{
	local way=$1 found

	"$python" test/matrix/filters.py compare "$PGHOST/filters" | sed "s/ - filters: / - $way: /" || failed=$((failed + 1))
	found=$(dependents 2>&1 | tr '\n' ' ') || true
	if [ "$found" = "1012 t t 1 t 1010 144 " ]; then
		ok "$way: check, indexes, views and a default"
	else
		not_ok "$way: check, indexes, views and a default: $found"
	fi
}

start_new()
{
	local options="-c listen_addresses= -c unix_socket_directories=$PGHOST -c port=$PGPORT"

	pg pg_ctl -D new -l new.log -w -s -o "$options -c jit=off -c fsync=off" start
}

stop_new()
{
	pg pg_ctl -D new -m immediate -s stop
}

restore_into()
{
	psql -Xq -d postgres -c "DROP DATABASE IF EXISTS $database" -c "CREATE DATABASE $database"
	"$@"
}

echo "# from $("$old/postgres" --version) to $("$new/postgres" --version)"
"$python" test/matrix/filters.py build "$PGHOST/filters"
depend
pg_dump -d "$database" -f "$PGHOST/dump.sql"
"$old/pg_dump" -d "$database" -Fc -f "$PGHOST/dump.custom"

# checksums as in the old cluster, whatever either version's default is
options=()
if [ "$(sql -c 'SHOW data_checksums')" = on ]; then
	options=(--data-checksums)
elif [[ "$(initdb --help)" == *--no-data-checksums* ]]; then
	options=(--no-data-checksums)
fi
pg "$old/pg_ctl" -D data -m fast -s stop
pg initdb -D new --username="$PGUSER" --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync "${options[@]}" >"$PGHOST/initdb.log"
if pg pg_upgrade -b "$old" -B "$new" -d data -D new -U "$PGUSER" >"$PGHOST/upgrade.log"; then
	ok "pg_upgrade"
else
	tail -n 40 "$PGHOST/upgrade.log"
	find "$PGHOST" -name '*.log' -path '*pg_upgrade*' -exec tail -n 20 {} +
	not_ok "pg_upgrade"
	exit 1
fi
start_new
trap stop_new EXIT
compare "pg_upgrade"
restore_into sql -o /dev/null -f "$PGHOST/dump.sql"
compare "pg_dump of the new server"
restore_into pg_restore -d "$database" --exit-on-error "$PGHOST/dump.custom"
compare "pg_dump of the old server"
[ "$failed" = 0 ]
