#!/bin/bash
#
# try.sh - what install.sh makes is loaded by a server from a folder of its own
#
# usage: packaging/container/try.sh, in a bare root of a Debian whose PostgreSQL is 18 or later
#
# Prints "ok" and "not ok" lines, and "all tried" at the end.

. "$(dirname "$0")/../../test/lib/common.sh"

apt-get update -q >/dev/null
major=$(apt-cache depends postgresql | sed -n 's/^ *Depends: postgresql-\([0-9]*\)$/\1/p')
mkdir -p /etc/postgresql-common/createcluster.d
echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/none.conf
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "postgresql-$major" >/dev/null
server_user=postgres

rm -rf /extensions
packages=$(dpkg-query -W -f '${binary:Package}\n' | sort)
bash packaging/container/install.sh "$major" /extensions/ribbon >/tmp/install.log 2>&1 ||
	{ tail -n 30 /tmp/install.log; not_ok "it installs"; }

if diff <(cd /extensions/ribbon && find . -type f | sort) \
	<(printf '%s\n' ./lib/ribbon.so ./share/extension/ribbon--1.0.sql ./share/extension/ribbon.control); then
	ok "lib and share/extension, and nothing else"
else
	not_ok "lib and share/extension, and nothing else"
fi
if diff <(echo "$packages") <(dpkg-query -W -f '${binary:Package}\n' | sort); then
	ok "no package is left that was not there"
else
	not_ok "no package is left that was not there"
fi
if [ -z "$(find /usr/lib/postgresql /usr/share/postgresql -name '*ribbon*')" ]; then
	ok "nothing is in the system's folders"
else
	not_ok "nothing is in the system's folders"
fi

export PG_CONFIG=/bin/false
PATH=/usr/lib/postgresql/$major/bin:$PATH
dir=$(make_server_dir)
cd "$dir"
as_server initdb -D data --auth=trust --no-sync >log 2>&1
cat >>data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$dir'
extension_control_path = '/extensions/ribbon/share:\$system'
dynamic_library_path = '/extensions/ribbon/lib:\$libdir'
END
as_server pg_ctl -D data -l data/log -w -s start || cat data/log
trap 'cd /; as_server pg_ctl -D "$dir/data" -m immediate -s stop; rm -rf "$dir"' EXIT

# asked QUERY ANSWER WHAT
asked()
{
	local answer

	answer=$(as_server psql -h "$dir" -XAtq -c "$1" postgres 2>&1) || true
	if [ "$answer" = "$2" ]; then
		ok "$3"
	else
		echo "$answer"
		not_ok "$3"
	fi
}
asked "CREATE EXTENSION ribbon" "" "PostgreSQL $major creates it from a folder of its own"
asked "SELECT ribbon_build(i) @> 42 FROM generate_series(1, 1000) i" t "a filter is built and probed"
asked "SELECT extversion FROM pg_extension WHERE extname = 'ribbon'" 1.0 "it has its version"
asked "SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0; CREATE TABLE t AS SELECT i FROM generate_series(1, 100000) i; ANALYZE t;
SELECT count(*) FROM t WHERE (SELECT ribbon_build(i) FROM t) @> i" 100000 "workers find it, too"
echo "all tried"
