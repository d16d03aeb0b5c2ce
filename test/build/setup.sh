#!/bin/bash
#
# setup.sh - who may not install packages is told once what to install; what is fetched, and for how long
#
# usage: test/run.sh build/setup

. "$(dirname "$0")/../lib/common.sh"

make_tmp

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
try "sudo is asked once whether it may be used" diff <(echo "-n true") "$tmp/asked"

# Neither clang nor a linker, and an apt that has them, with more than is needed.
for program in clang wasm-ld; do
	printf '#!/bin/sh\nexit 1\n' >"$tmp/$program"
done
for program in node apt-cache; do
	printf '#!/bin/sh\n' >"$tmp/$program"
done
cat >"$tmp/apt-get" <<'END'
#!/bin/sh
case $1 in
	install)
		echo "$*" >>asked
		printf "Inst %s (1)\n" clang-14 libclang1-14 llvm-14-dev "lld [0]" "postgresql-server-dev-99 [0]"
		echo "Inst clang (1 Debian:12/stable [all])"
		;;
	download)
		for name; do
			case $name in *=1) : >"${name%=1}_1_all.deb" ;; esac
		done
		;;
esac
END
chmod +x "$tmp"/{clang,wasm-ld,node,apt-cache,apt-get}
setup=$PWD/test/lib/setup.sh
mkdir -p "$tmp/build/packages/js"
: >"$tmp/build/packages/js/lld_0_all.deb"
for said in Fetched ""; do
	first=$(cd "$tmp" && PATH=$tmp:$PATH bash "$setup" --fetch js)
	if [ "${first%% *}" = "$said" ] && [ "$(cd "$tmp/build/packages/js" && echo *)" = "clang-14_1_all.deb clang_1_all.deb lld_1_all.deb" ]; then
		ok "of what apt has, what is needed is fetched: ${first:-nothing more}"
	else
		not_ok "fetched: $first $(ls "$tmp/build/packages/js")"
	fi
done

# A server of version 99, of which apt has newer headers, too.
printf '#!/bin/sh\n[ "$1" = --version ] && echo "PostgreSQL 99.1" || echo "%s"\n' "$tmp" >"$tmp/pg_config"
printf '#!/bin/sh\nprintf 99.1-1\n' >"$tmp/dpkg-query"
chmod +x "$tmp"/{pg_config,dpkg-query}
: >"$tmp/postgres.h"
(cd "$tmp" && PATH=$tmp:$PATH PG_CONFIG= bash "$setup" --fetch build >/dev/null)
try "headers are asked for of the version that the server has" \
	grep -qE '^install .* postgresql-server-dev-99=99\.1-1( |$)' "$tmp/asked"

# What a run has unpacked that was killed, beside that of one that runs.
mkdir -p "$tmp/build/unpacked.0" "$tmp/build/unpacked.$$" "$tmp/build/packages/python"
left=$(cd "$tmp" && use_fetched python && cd build && echo unpacked.*)
try "what a run that was killed has unpacked goes" diff <(echo "unpacked.$$") <(echo "$left")
[ "$failed" = 0 ]
