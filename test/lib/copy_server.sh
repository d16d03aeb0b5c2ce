#!/bin/bash
#
# copy_server.sh - a server of one's own, to install another extension in
#
# usage: test/lib/copy_server.sh ROOT
#
# A server finds its files by where its own program lies.  So a copy of its
# directories, in the same places below ROOT, is a server of its own.  Prints the
# path of its pg_config.

. "$(dirname "$0")/common.sh"
find_postgres

root=$1
bindir=$("$PG_CONFIG" --bindir)
mkdir -p "$root$bindir"
for program in "$bindir"/{postgres,initdb,psql,pg_*,createdb,vacuumdb}; do	# others may live there, too
	cp "$program" "$root$bindir"
done
for dir in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)"; do
	mkdir -p "$root$dir"
	cp -r "$dir/." "$root$dir"
done
include=$("$PG_CONFIG" --includedir)
place=$("$bindir/pg_config" --includedir)	# in the server itself, wherever ours says that they are
place=$root${place%/include*}
mkdir -p "$place"
ln -s "${include%/include*}/include" "$place"
chmod -R a+rX "$root"
echo "$root$bindir/pg_config"
