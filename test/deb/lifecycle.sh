#!/bin/bash
#
# lifecycle.sh - packages are installed, used, upgraded, downgraded and purged
#
# usage: test/deb/lifecycle.sh OLD NEW
#
# OLD and NEW are directories with packages of two releases, of which NEW is the
# later one.  To be run as root in an environment, by inside.sh.  A database of an
# ordinary user has filters and maps that OLD built; what becomes of them is looked at
#
#	with the new library and the old catalogue, in sessions that were there before
#		and in new ones;
#	while the catalogue is updated under load;
#	after it;
#	with the old library under the new catalogue, which may have objects that it
#		does not know;
#	without a library, and when it is back.

. "$(dirname "$0")/../lib/common.sh"

old=$(realpath "$1")
new=$(realpath "$2")
version=$(find "$new" -name 'postgresql-[0-9]*-ribbon_*.deb' -printf '%f\n' | sed 's/^postgresql-\([0-9]*\)-.*/\1/')
package=postgresql-$version-ribbon
port=5499
tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
chmod 755 "$tmp"

finish()
{
	pg_dropcluster --stop "$version" ribbon >/dev/null 2>&1 || true
	rm -rf "$tmp"
}
trap finish EXIT

apt_get()
{
	DEBIAN_FRONTEND=noninteractive apt-get -y -q --allow-downgrades "$@" >"$tmp/apt.log" 2>&1 ||
		{ cat "$tmp/apt.log"; return 1; }
}

install_package()
{
	apt_get install "$(echo "$1"/"$package"_*.deb)"
}

# SQL of the user "shop", who owns the database and is no superuser.
shop()
{
	psql -XAtq -v ON_ERROR_STOP=1 -h /var/run/postgresql -p "$port" -U shop -d shop "$@"
}

# is NAME WHAT COMMAND...: ok if the command prints this, whatever its status
is()
{
	local name=$1 expected=$2 got
	shift 2

	got=$("$@" 2>&1) || true
	if [ "$got" = "$expected" ]; then
		ok "$name"
	else
		not_ok "$name: $got instead of $expected"
	fi
}

# The version that CREATE EXTENSION would install, and the one that is installed.
default_version()
{
	shop -c "SELECT default_version FROM pg_available_extensions WHERE name = 'ribbon'"
}

extension_version()
{
	shop -c "SELECT extversion FROM pg_extension WHERE extname = 'ribbon'"
}

# The version of a directory's package.
deb_version()
{
	dpkg-deb -f "$(echo "$1"/"$package"_*.deb)" Version
}

# refused NAME SQLSTATE WORDS STATEMENT: ok if the error has both
refused()
{
	local got

	got=$(shop -v VERBOSITY=verbose -c "$4" 2>&1) || true
	if [[ $got == *"ERROR:  $2: "*"$3"* ]]; then
		ok "$1"
	else
		not_ok "$1: $got"
	fi
}

# Filters as they were built, their keys as an array, and a larger filter.
create_filters()
{
	shop <<-'END'
		CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
		CREATE FUNCTION build(type text, parameters text, keys int) RETURNS ribbonfilter LANGUAGE plpgsql AS $$
		DECLARE f ribbonfilter;
		BEGIN
			EXECUTE format('SELECT ribbon_build((%s)::%s %s) FROM generate_series(1, %s) AS i',
						   key(type), type, parameters, keys) INTO f;
			RETURN f;
		END $$;
		CREATE FUNCTION key(type text) RETURNS text LANGUAGE sql RETURN
			CASE type WHEN 'mood' THEN '(enum_range(NULL::mood))[1 + i % 3]' WHEN 'uuid' THEN 'md5(i::text)'
				WHEN 'date' THEN 'date ''2000-01-01'' + i' WHEN 'int4[]' THEN 'ARRAY[i, NULL, i + 1]'
				WHEN 'int4range' THEN 'int4range(i, i + 9)' WHEN 'jsonb' THEN 'jsonb_build_object(''k'', i)'
				ELSE 'i' END;
		CREATE TABLE sets (type text, parameters text, keys int, f ribbonfilter, digest text);
		INSERT INTO sets (type, parameters, keys, f)
			SELECT type, parameters, keys, build(type, parameters, keys)
			  FROM unnest('{int4, int8, text, bpchar, uuid, numeric, date, float8, mood, int4[], int4range, jsonb}'::text[]) AS type,
				   unnest('{"", ", 0.001", ", 0.01, ''kind=homogeneous''", ", 0.0001, ''width=128''"}'::text[]) AS parameters,
				   unnest('{0, 10, 3000}'::int[]) AS keys;
		INSERT INTO sets (type, parameters, keys, f) SELECT 'int8', '', 300000, build('int8', '', 300000);
		UPDATE sets SET digest = md5(f::bytea);
		CREATE FUNCTION missing(s sets) RETURNS bigint LANGUAGE plpgsql AS $$
		DECLARE n bigint;
		BEGIN
			EXECUTE format('SELECT count(*) FROM generate_series(1, %s) AS i WHERE NOT $1 @> (%s)::%s',
						   s.keys, key(s.type), s.type) INTO n USING s.f;
			RETURN n;
		END $$;
		CREATE TABLE events AS SELECT i::int8 AS id FROM generate_series(1, 1000) AS i;
		SELECT quote_literal(ribbon_build(id)::text) AS even FROM events WHERE id % 2 = 0 \gset
		CREATE INDEX events_even ON events (id) WHERE id <@ :even::ribbonfilter;
		CREATE INDEX ON sets USING hash (f);
		CREATE VIEW even_events AS SELECT id FROM events WHERE id <@ :even::ribbonfilter;
		CREATE TABLE maps AS
			SELECT ribbon_map(i, i % 10) AS numbers, ribbon_map('key ' || i, 'value ' || i % 10) AS texts FROM generate_series(1, 3000) AS i;
	END
}

# What is left of them: filters; those with other bytes, with members missing, and
# that this library builds otherwise; what a view finds; and what the maps know.
state()
{
	shop -F ' ' <<-'END'
		SELECT count(*), count(*) FILTER (WHERE md5(f::bytea) <> digest), sum(missing(s)),
			   count(*) FILTER (WHERE build(type, parameters, keys) <> f),
			   (SELECT count(*) FILTER (WHERE id % 2 = 0) FROM even_events),
			   (SELECT count(*) FROM maps, generate_series(1, 3000) AS i
				 WHERE numbers -> i = i % 10 AND texts ->> ('key ' || i) = 'value ' || i % 10)
		  FROM sets AS s
	END
}
all_there="145 0 0 0 500 3000"

# Sessions that end with an error if a member is missing or a filter is another:
# two that stay, and one that comes anew for each transaction.
cat >"$tmp/load.sql" <<'END'
\set k random(1, 300000)
SELECT 1 / (f @> :k::int8)::int FROM sets WHERE keys = 300000;
SELECT 1 / (count(*) FILTER (WHERE f @> i::int8) = 10)::int FROM sets, generate_series(1, 10) AS i
 WHERE (type, parameters, keys) = ('int8', '', 10);
SELECT 1 / (md5(build(type, parameters, keys)::bytea) = digest)::int FROM sets
 WHERE (type, parameters, keys) = ('text', ', 0.001', 3000);
END

load()
{
	local bench=/usr/lib/postgresql/$version/bin/pgbench

	"$bench" -n -f "$tmp/load.sql" -h /var/run/postgresql -p "$port" -U shop -T "$1" -c 2 shop >"$tmp/load.1" 2>&1 &
	pids=($!)
	"$bench" -n -f "$tmp/load.sql" -h /var/run/postgresql -p "$port" -U shop -T "$1" -C shop >"$tmp/load.2" 2>&1 &
	pids+=($!)
}

# They have ended, well.
loaded()
{
	local status=0 n=0 pid

	for pid in "${pids[@]}"; do
		wait "$pid" || status=$?
	done
	n=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$tmp"/load.? | paste -sd +)
	if [ $status = 0 ] && [ "$((n))" -gt 20 ]; then
		ok "$1: $((n)) transactions without an error"
	else
		cat "$tmp"/load.?
		not_ok "$1: status $status, $n transactions"
	fi
}

# What a package has put somewhere.
find_files()
{
	find /usr/lib/postgresql /usr/share/postgresql /usr/share/doc -name '*ribbon*' ! -path '/usr/share/doc/*.gz' | sort
}

dpkg --purge "$package" >/dev/null 2>&1 || true		# of a run that was killed
rm -rf "/usr/lib/postgresql/$version/lib/bitcode/ribbon"*
before=$(find_files)
install_package "$old"
is "apt installs the package" "install ok installed" dpkg-query -W -f '${Status}' "$package"

pg_dropcluster --stop "$version" ribbon 2>/dev/null || true
pg_createcluster --locale C.UTF-8 -p "$port" "$version" ribbon -- --auth=trust >/dev/null
pg_ctlcluster "$version" ribbon start
as_server psql -Xq -p "$port" -d postgres -c 'CREATE ROLE shop LOGIN' -c 'CREATE DATABASE shop OWNER shop'
shop -c 'CREATE EXTENSION ribbon'
old_catalogue=$(default_version)
is "a database's owner, no superuser, creates the extension" "$old_catalogue off" \
	shop -F ' ' -c "SELECT extversion, current_setting('is_superuser') FROM pg_extension WHERE extname = 'ribbon'"
is "nothing is preloaded" "||" as_server psql -XAtq -p "$port" -d shop -c \
	"SELECT current_setting('shared_preload_libraries'), current_setting('session_preload_libraries'), current_setting('local_preload_libraries')"
create_filters
is "filters: number, other bytes, missing members, built otherwise, in a view; keys of maps" "$all_there" state

load 20
sleep 3
install_package "$new"
is "the later package takes its place" "$(deb_version "$new")" dpkg-query -W -f '${Version}' "$package"
new_catalogue=$(default_version)
is "the catalogue is still the old one" "$old_catalogue" extension_version
is "new library, old catalogue" "$all_there" state
shop -c 'ALTER EXTENSION ribbon UPDATE'
loaded "upgrade of the package and update of the catalogue under load"
is "the owner has updated the catalogue" "$new_catalogue" extension_version
is "new library, new catalogue" "$all_there" state
if [ "$new_catalogue" != "$old_catalogue" ]; then
	refused "the catalogue has no way back" 22023 "has no update path from version \"$new_catalogue\" to version \"$old_catalogue\"" \
		"ALTER EXTENSION ribbon UPDATE TO '$old_catalogue'"
fi
install_package "$old"
is "old library, new catalogue" "$all_there" state
install_package "$new"
is "new library again" "$all_there" state

is "all files are as they were packed" "" dpkg -V "$package"
apt_get purge "$package"
is "purged: no file is left" "$before" find_files
refused "without the package, an error says what is missing" 58P01 'could not access file "' \
	"SELECT count(*) FROM sets WHERE f @> 1"
install_package "$new"
is "installed again: filters" "$all_there" state
shop -c 'DROP EXTENSION ribbon CASCADE' 2>"$tmp/dropped"
is "the owner drops it" "0" shop -c "SELECT count(*) FROM pg_extension WHERE extname = 'ribbon'"
apt_get purge "$package"
[ "$failed" = 0 ]
