#!/bin/bash
#
# parameters.sh - measure ids that a client sends: an array, or a filter of them
#
# usage: test/bench/sql/parameters.sh [ROWS | nearest] [IDS]...
#
# Installs what is missing, builds extension and Python package, and prints
# tables in Markdown: parameters.py explains them.  By default 1e7 rows, 1e6 and 1e7 ids.
# "nearest" measures searches by pgvector, which Debian 13 and later have.

. "$(dirname "$0")/../../lib/common.sh"

rows=${1:-1e7}
shift || true
test/lib/setup.sh build python
[ "$rows" != nearest ] || test/lib/setup.sh vector
find_postgres
make -s all python-package
install_extension

[ "$rows" = nearest ] || rows=$(printf '%.0f' "$rows")
export CLUSTER_SETTINGS="
shared_buffers = $((256 + 100 * ${rows/nearest/3000000} / 1000000))MB
work_mem = 64MB
"
exec test/lib/cluster.sh env PYTHONPATH="$PYTHONPATH:$PWD/build/python/lib" "$python" test/bench/sql/parameters.py "$rows" "${@:-1e6 1e7}"
