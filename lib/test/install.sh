#!/bin/bash
#
# install.sh - what make installs of libribbon says where it is, each time, and can be taken away
#
# usage: test/run.sh lib/install

. "$(dirname "$0")/../../test/lib/common.sh"

make_tmp

exec 9<build/lib	# ribbon.pc is made there, for one prefix at a time
flock 9
for prefix in /one /two; do
	make -s install-libribbon DESTDIR="$tmp" PREFIX="$prefix" >/dev/null
	if grep -qx "prefix=$prefix" "$tmp$prefix/lib/pkgconfig/ribbon.pc" &&
		grep -qx "libdir=$prefix/lib" "$tmp$prefix/lib/pkgconfig/ribbon.pc"; then
		ok "installed below $prefix, ribbon.pc says so"
	else
		not_ok "installed below $prefix, ribbon.pc says $(head -n 1 "$tmp$prefix/lib/pkgconfig/ribbon.pc")"
	fi
done
make -s install-command DESTDIR="$tmp" PREFIX=/one >/dev/null
make -s uninstall-libribbon uninstall-command DESTDIR="$tmp" PREFIX=/one >/dev/null
make -s uninstall-libribbon DESTDIR="$tmp" PREFIX=/two >/dev/null
try "uninstalled, no file is left" diff /dev/null <(find "$tmp/one" "$tmp/two" ! -type d)
before=$(stat -c %Y.%i build/lib/ribbon.pc)
make -s lib PREFIX=/two >/dev/null
if [ "$before" = "$(stat -c %Y.%i build/lib/ribbon.pc)" ]; then
	ok "what is the same is not made again"
else
	not_ok "what is the same is not made again"
fi
[ "$failed" = 0 ]
