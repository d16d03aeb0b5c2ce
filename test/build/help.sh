#!/bin/bash
#
# help.sh - make help names what there is to make
#
# usage: test/run.sh build/help

. "$(dirname "$0")/../lib/common.sh"
make_tmp

# Targets that makefiles declare, but for those that others call: parts of one.
parts='-(programs|driver|modules|package|setup)$|^(bench|clean|format|python)-'
parts+='|^(sdist|wheel|FORCE|all|help|prove_installcheck|install|installcheck|clean)$'
declared=$(sed -n 's/^[[:space:]]*\.PHONY: //p' Makefile commands.mk test/*/*.mk lib/library.mk clients/*/*.mk |
	tr -s ' ' '\n' | grep -vE -- "$parts" | sort -u)
named=$(cut -c 1-19 test/help.txt | tr -d ' ' | grep . | sort -u)

try "make help names every target" diff /dev/null <(comm -23 <(echo "$declared") <(echo "$named"))

known=$(make -pnq 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' | sort -u || true)
try "make help names no target that there is not" diff /dev/null <(comm -23 <(echo "$named") <(echo "$known"))

if nothing=$(make PG_CONFIG=/nonexistent all 2>&1); then
	not_ok "without PostgreSQL make fails"
elif [[ $nothing == *"make setup"*"PG_CONFIG="* ]]; then
	ok "without PostgreSQL make says what to do"
else
	echo "$nothing" | sed 's/^/# /'
	not_ok "without PostgreSQL make says what to do"
fi
[ "$failed" = 0 ]
