#!/bin/bash
#
# run.sh - show ribbon filters at work on a real list of words
#
# usage: test/demo/run.sh
#
# Installs what is missing, builds and installs the extension, and runs demo.sql
# on a throwaway server.  Nothing of it stays but the packages and the extension.

. "$(dirname "$0")/../lib/common.sh"

# The directory of the server's headers.  Their package depends on LLVM and a compiler, 0.5 GB,
# for what we do not make; so unless it is installed, the headers are taken out of it.
find_headers()
{
	local headers package

	headers=$("$PG_CONFIG" --includedir-server)
	if [ -f "$headers/postgres.h" ]; then
		echo "$headers"
		return
	fi
	package=postgresql-server-dev-$("$PG_CONFIG" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
	if [ ! -f "build/headers$headers/postgres.h" ]; then
		mkdir -p build/headers
		(cd build/headers && apt-get download -q "$package" && dpkg-deb -x "$package"_*.deb . && rm "$package"_*.deb) >/dev/null 2>&1
	fi
	[ -f "build/headers$headers/postgres.h" ] && echo "$PWD/build/headers$headers"
}

bash test/lib/setup.sh server demo
find_postgres
headers=$(find_headers) || {
	bash test/lib/setup.sh build
	headers=$("$PG_CONFIG" --includedir-server)
}
headers=includedir_server=$headers
shown_make "$headers" all
install_extension "$headers"

echo "Loading the words and measuring; this takes a minute."
exec bash test/lib/cluster.sh psql -X -q -v ON_ERROR_STOP=1 -f test/demo/demo.sql
