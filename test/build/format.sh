#!/bin/bash
#
# format.sh - "make format" formats every C file of the tree
#
# usage: test/run.sh build/format

. "$(dirname "$0")/../lib/common.sh"
make_tmp

formatted=$(make -s -f Makefile -f - formatted <<<'formatted: ; @printf "%s\n" $(FORMATTED)')

try "all C is formatted" diff <(find -- * -name '*.[ch]' ! -path 'build/*' | sort) <(sort <<<"$formatted")
[ "$failed" = 0 ]
