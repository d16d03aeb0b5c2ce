#!/bin/bash
#
# sanitized.sh - the extension on a server with assertions, ASan and UBSan
#
# usage: test/deep/sanitized.sh [TEST]...
#
# TESTs are those of test/run.sh, by default sql and tap.  test/lib/build_server.sh
# compiles the server, and says from which source; it is kept in SERVER_DIR (by default
# /var/tmp/ribbon-server).  A report of a sanitizer ends its process, and with it the
# test.  The last line is "N passed, N failed".

. "$(dirname "$0")/../lib/common.sh"

server=${SERVER_DIR:-/var/tmp/ribbon-server}/sanitized
copy=$PWD/build/deep/sanitized

# The server gives nothing back when it ends, so leaks are none; frames of ASan's own
# would be beyond max_stack_depth.  What is freed must not count long as held:
# test_errors.py looks at it.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=0
export ASAN_OPTIONS+=:quarantine_size_mb=8:thread_local_quarantine_size_kb=64
export UBSAN_OPTIONS=print_stacktrace=1
test/lib/build_server.sh "$server" \
	CFLAGS='-O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
export PG_CONFIG=$server/bin/pg_config TEST_LIMIT=${TEST_LIMIT:-3600}
test/lib/setup.sh build test

# What is compiled for this server must not be taken for what is compiled for others.
rm -rf "$copy"
mkdir -p "$copy"
pack_tree . | tar -xf - --no-same-owner -C "$copy"
cd "$copy"
[ $# -gt 0 ] || set -- sql tap
exec test/run.sh build/compile "$@"
