#!/bin/bash
#
# setup.sh - who may not install packages is told once what to install
#
# usage: test/run.sh build/setup

. "$(dirname "$0")/../lib/common.sh"

tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
trap 'rm -rf "$tmp"' EXIT

# A user whom sudo does not let, and no pkg-config.
printf '#!/bin/sh\necho 1000\n' >"$tmp/id"
printf '#!/bin/sh\nexit 1\n' >"$tmp/pkg-config"
printf '#!/bin/sh\necho "$*" >>%s/asked; echo "sudo: no" >&2; exit 1\n' "$tmp" >"$tmp/sudo"
chmod +x "$tmp"/{id,pkg-config,sudo}
status=0
PATH=$tmp:$PATH bash test/lib/setup.sh lib >"$tmp/said" 2>&1 </dev/null || status=$?
if [ "$status" = 1 ] && [ "$(wc -l <"$tmp/said")" = 2 ] &&
	tail -n 1 "$tmp/said" | grep -q "As root: apt-get install .*pkg-config"; then
	ok "what to install is said once, at the end"
else
	sed 's/^/# /' "$tmp/said"
	not_ok "what to install is said once, at the end (status $status)"
fi
if [ "$(cat "$tmp/asked")" = "-n true" ]; then
	ok "sudo is asked once whether it may be used"
else
	not_ok "sudo is asked: $(cat "$tmp/asked")"
fi
[ "$failed" = 0 ]
