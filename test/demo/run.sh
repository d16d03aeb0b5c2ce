#!/bin/bash
#
# run.sh - show ribbon filters at work on a real list of words
#
# usage: test/demo/run.sh
#
# Installs what is missing, builds and installs the extension, and runs demo.sql
# on a throwaway server.  Nothing of it stays but the packages and the extension.

. "$(dirname "$0")/../lib/common.sh"

bash test/lib/setup.sh server demo
bash test/lib/setup.sh --fetch build
trap 'rm -rf "$unpacked"' EXIT
use_fetched build
find_postgres
shown_make all
install_extension

echo "Loading the words and measuring; this takes a minute."
bash test/lib/cluster.sh psql -X -q -v ON_ERROR_STOP=1 -f test/demo/demo.sql
