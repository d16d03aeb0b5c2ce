#!/bin/bash
#
# run.sh - measure the extension, as a user of SQL sees it
#
# usage: test/bench/sql/run.sh DIRECTORY
#
# Installs what is missing, builds and installs the extension, and measures it
# on a throwaway server.  Writes DIRECTORY/sql.csv, as measure.py explains, and
# DIRECTORY/sql_machine.csv.  What changes it:
#
#	BENCH_SQL_ROWS		rows of the tables (1e6)
#	BENCH_SQL_ROUNDS	times that all is measured; tables hold medians (3)
#	BENCH_SQL_ONLY		names of what to measure, as measure.py lists them (all);
#						figures of the others stay as they are, if they were
#						measured with as many rows and rounds
#	BENCH_SQL_HUGE		keys of a build far larger than memory (none)
#	BENCH_SQL_TIMEOUT	when to give up on a statement (20s, and 100s at 1e7 rows)

. "$(dirname "$0")/../../lib/common.sh"

rows=$(printf '%.0f' "${BENCH_SQL_ROWS:-1e6}")
dir=$1
mkdir -p "$dir"

test/lib/setup.sh build
find_postgres
make -s all
install_extension

# Every table is to stay in memory: a quarter of it is the most that one may
# take before the server reads it through a small ring of buffers.
buffers=$((600 * rows / 1000000))
[ $buffers -gt 512 ] || buffers=512
export CLUSTER_SETTINGS="
shared_buffers = ${buffers}MB
max_parallel_workers_per_gather = 0
max_parallel_workers = 2
synchronize_seqscans = off
jit = off
"
exec test/lib/cluster.sh "$python" test/bench/sql/measure.py "$dir" "$rows"
