#!/bin/bash
#
# demo.sh - show ribbon filters at work on a real list of words
#
# usage: test/demo.sh
#
# Installs what is missing, builds and installs the extension, and runs demo.sql
# on a throwaway server.  Nothing of it stays but the packages and the extension.

. "$(dirname "$0")/lib.sh"

test/setup.sh build demo
find_postgres
make -s -j"$(nproc)" all
install_extension

echo "Loading the words and measuring; this takes some ten seconds."
exec test/cluster.sh psql -X -q -v ON_ERROR_STOP=1 -f test/demo.sql
