#!/bin/bash
#
# run.sh - the recipes of docs/scaling.md on a Citus coordinator and two workers
#
# usage: make test-citus CITUS=DIRECTORY
#        make test-citus CITUS_PG_CONFIG=PATH
#
# DIRECTORY is a checkout of Citus (13.x for PostgreSQL 15 to 17, 14.x for 16 to
# 18), which is built into a copy of the server of PG_CONFIG; nothing of it is
# kept.  PATH is the pg_config of a server that has Citus.  With neither, this
# says that it skips.  BUILD_FLAGS are for Citus' configure.
# Its build needs the headers of lz4, zstd and Kerberos (liblz4-dev, libzstd-dev,
# libkrb5-dev).  13.2.2 defines have_createdb_privilege, in src/include/pg_version_compat.h,
# which the headers of PostgreSQL 15.18 declare: take it out there.
#
# The page's statements in blocks "sql citus" are run from top to bottom; then
# what they claim is checked.

. "$(dirname "$0")/../lib/common.sh"

if [ -z "${CITUS:-}${CITUS_PG_CONFIG:-}" ]; then
	echo "ok - no Citus: name a checkout, CITUS=DIRECTORY, or a server, CITUS_PG_CONFIG=PATH # SKIP"
	exit
fi

dir=$(make_server_dir)
nodes=(0 1 2)
base=$((20000 + RANDOM % 20000))

stop()
{
	for node in "${nodes[@]}"; do
		if [ -f "$dir/$node/postmaster.pid" ]; then
			(cd "$dir" && as_server timeout 60 pg_ctl -D "$node" -m immediate -s stop) || true
		fi
	done
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ -n "${CITUS_PG_CONFIG:-}" ]; then
	export PG_CONFIG=$CITUS_PG_CONFIG
else
	PG_CONFIG=$(test/lib/copy_server.sh "$dir/server" | tail -n 1)
	export PG_CONFIG
	# Citus calls libcurl if the server does, as from 18 on, whatever its own configure is told
	curl=--without-libcurl
	if grep -q 'define HAVE_LIBCURL 1' "$("$PG_CONFIG" --includedir-server)/pg_config.h"; then
		curl=--with-libcurl
	fi
	cp -r "$CITUS" "$dir/citus"
	(
		cd "$dir/citus"
		touch configure
		# shellcheck disable=SC2086
		timeout 600 ./configure $curl ${BUILD_FLAGS:-} PG_CONFIG="$PG_CONFIG"
		touch config.status Makefile.global src/include/citus_config.h src/include/citus_version.h
		timeout 3600 make -s -j"$(nproc)" install
	) >"$dir/citus.log" 2>&1 || { tail -n 20 "$dir/citus.log"; not_ok "Citus is built"; exit 1; }
	chmod -R a+rX "$dir/server"
fi
find_postgres
install_extension
ok "the extension is installed"

sql()
{
	timeout 300 psql -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$((base + $1))" -U postgres "${@:2}" postgres
}

for node in "${nodes[@]}"; do
	(cd "$dir" && as_server timeout 120 initdb -D "$node" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync) >/dev/null
	cat >>"$dir/$node/postgresql.conf" <<END
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = $((base + node))
wal_level = logical
max_prepared_transactions = 100
fsync = off
jit = off
citus.enable_statistics_collection = off
END
	(cd "$dir" && as_server timeout 120 pg_ctl -D "$node" -l "$node.log" -w -s start) </dev/null >/dev/null 2>&1 ||
		{ tail -n 20 "$dir/$node.log"; not_ok "node $node starts"; exit 1; }
	sql "$node" -c "CREATE EXTENSION citus"
done
sql 0 -c "SELECT citus_set_coordinator_host('127.0.0.1', $base)" \
	-c "SELECT citus_add_node('127.0.0.1', $((base + 1)))" -c "SELECT citus_add_node('127.0.0.1', $((base + 2)))" \
	-c "CREATE EXTENSION ribbon" >/dev/null
ok "a coordinator and two workers, $(sql 0 -c "SELECT split_part(citus_version(), ' on ', 1)")"

# same NAME QUERY: is it true?
same()
{
	local answer

	answer=$(sql 0 -c "$2") || true
	if [ "$answer" = t ]; then
		ok "$1"
	else
		echo "# $answer"
		not_ok "$1"
	fi
}

sed -n '/^```sql citus$/,/^```$/{/^```/!p}' docs/scaling.md >"$dir/page.sql"
if sql 0 -f "$dir/page.sql" >"$dir/page.out" 2>&1; then
	ok "the page, from top to bottom"
else
	cat "$dir/page.out"
	not_ok "the page, from top to bottom"
fi

same "one filter of a distributed table is that of its rows" \
	"SELECT ribbon_build(ribbon_key(user_id), 0.001) = ribbon_build(user_id, 0.001) FROM visits"
same "one set of a distributed table is that of its rows" \
	"SELECT a.keys = b.keys FROM (SELECT ribbon_keys(ribbon_key(user_id)) AS keys FROM visits) AS a,
		(SELECT ribbon_keys(i) AS keys FROM generate_series(0, 49999) AS i) AS b"
for call in "ribbon_build(ribbon_key(user_id), 0.001, 'width=64')" "ribbon_keys(ribbon_key(user_id))"; do
	plan=$(sql 0 -c "EXPLAIN (VERBOSE, COSTS OFF) SELECT $call FROM visits")
	if grep -q "worker_[a-z_]*partial_agg.*${call%%(*}" <<<"$plan"; then
		ok "$call is pushed down"
	else
		echo "$plan"
		not_ok "$call is pushed down"
	fi
done
same "at most ten bytes a key come from small shards" \
	"SELECT sum(result::bigint) <= 10 * (SELECT sum(n) FROM (
			SELECT tenant, count(DISTINCT user_id) AS n FROM visits GROUP BY tenant) AS s)
	   FROM run_command_on_shards('visits', 'SELECT length(public.ribbon_keys(user_id)::text) FROM %s')"
same "each tenant has its own filter" "SELECT count(*) = 100 FROM audiences"
same "they hold all their rows" \
	"SELECT count(*) = 200000 FROM visits JOIN audiences USING (tenant) WHERE members @> user_id"
plan=$(sql 0 -c "EXPLAIN (VERBOSE, COSTS OFF) SELECT count(*) FROM visits
	WHERE (SELECT members FROM filters WHERE name = 'few') @> user_id")
if grep -q "RibbonScan" <<<"$plan"; then
	ok "workers scan by the page"
else
	echo "$plan"
	not_ok "workers scan by the page"
fi
same "one filter in two steps is that of its rows" \
	"SELECT ribbon_build_keys(result::ribbonkeys, 0.001) = (SELECT ribbon_build(user_id, 0.001) FROM visits)
	   FROM run_command_on_shards('visits', 'SELECT public.ribbon_keys(user_id) FROM %s')"
same "the join has all its rows, and few others were moved" \
	"SELECT count(customers) = 2000 AND count(*) < 3000 FROM few LEFT JOIN customers USING (customer_id)"
plan=$(sql 0 -c "EXPLAIN (VERBOSE, COSTS OFF) INSERT INTO few SELECT * FROM orders
	WHERE (SELECT members FROM filters WHERE name = 'customers') @> customer_id")
if grep -q "repartition" <<<"$plan" && grep -q "RibbonScan" <<<"$plan"; then
	ok "its rows go from worker to worker, and are scanned by the page"
else
	echo "$plan"
	not_ok "its rows go from worker to worker, and are scanned by the page"
fi
same "shards of keys hold all rows" \
	"SELECT count(*) = 200000 FROM visits JOIN breached ON shard = ribbon_shard(user_id, 4) WHERE members @> user_id"

echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
