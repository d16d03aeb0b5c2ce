#!/bin/bash
#
# reference.sh - docs/libribbon.md is what the header's comments say
#
# usage: test/run.sh lib/reference

. "$(dirname "$0")/../../test/lib/common.sh"

"$python" lib/reference.py --check
