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
		printf "Inst %s (1)\n" clang clang-14 libclang1-14 lld llvm-14-dev
		;;
	download)
		for name; do
			case $name in clang* | l*) : >"${name}_1_all.deb" ;; esac
		done
		;;
esac
END
chmod +x "$tmp"/{clang,wasm-ld,node,apt-cache,apt-get}
setup=$PWD/test/lib/setup.sh
for said in Fetched ""; do
	first=$(cd "$tmp" && PATH=$tmp:$PATH bash "$setup" --fetch js)
	if [ "${first%% *}" = "$said" ] && [ "$(cd "$tmp/build/packages/js" && echo *)" = "clang-14_1_all.deb clang_1_all.deb lld_1_all.deb" ]; then
		ok "of what apt has, what is needed is fetched: ${first:-nothing more}"
	else
		not_ok "fetched: $first $(ls "$tmp/build/packages/js")"
	fi
done

# What a run has unpacked that was killed, beside that of one that runs.
mkdir -p "$tmp/build/unpacked.0" "$tmp/build/unpacked.$$" "$tmp/build/packages/python"
left=$(cd "$tmp" && use_fetched python && cd build && echo unpacked.*)
try "what a run that was killed has unpacked goes" diff <(echo "unpacked.$$") <(echo "$left")
[ "$failed" = 0 ]
