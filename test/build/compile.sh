#!/bin/bash
#
# compile.sh - the extension compiles without a warning, and is installed
#
# usage: test/run.sh build/compile
#
# Objects of an earlier make may be older than a header or have other flags, so
# everything is compiled (-B).  The server's own headers do not pass -Wextra whole.

. "$(dirname "$0")/../lib/common.sh"
find_postgres

shown_make -B all \
	COPT='-Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare'
install_extension
ok "compiles without warnings"
