#!/bin/bash
#
# abi.sh - what programs see of libribbon: symbols, the header, its ABI
#
# usage: test/run.sh lib/abi, or lib/test/abi.sh --write
#
# lib/ribbon.abi has the ABI as libabigail describes it.  What would break programs
# is a failure, and so is what is not in that file yet: --write renews it.

. "$(dirname "$0")/../../test/lib/common.sh"

make_tmp

# The names that the header declares, and those of a list.
declared()
{
	tr '\n' ' ' <lib/include/ribbon.h | sed 's|/\*|\n/*|g; s|\*/|*/\n|g' | grep -v '^/\*' | tr '\n' ' ' |
		grep -oE 'extern [^;"]*;' | grep -oE 'ribbon_[a-z0-9_]+\(' | tr -d '(' | sort -u
}

# same NAME LIST1 LIST2
same()
{
	if diff "$2" "$3" >"$tmp/diff"; then
		ok "$1"
	else
		sed 's/^/# /' "$tmp/diff"
		not_ok "$1"
	fi
}

# A library whose types debuggers know; its core need not be fast.
mkdir "$tmp/objects"
for source in lib/src/*.c lib/src/*/*.c; do
	# shellcheck disable=SC2086
	"${CC:-cc}" $core_flags -O1 -g -fPIC -fvisibility=hidden -Ilib -c \
		-o "$tmp/objects/$(basename "$source" .c).o" "$source"
done
# shellcheck disable=SC2046
"${CC:-cc}" -shared -Wl,-soname,libribbon.so.1 -Wl,--version-script=lib/ribbon.map -Wl,-z,defs -o "$tmp/libribbon.so.1" \
	"$tmp"/objects/*.o $(printf '%s\n' src/core/*/*.c | sed 's|^src|build/lib|; s|c$|o|') -lm -pthread

if [ "${1:-}" = --write ]; then
	abidw --headers-dir lib/include --drop-private-types --exported-interfaces-only --no-elf-needed \
		--no-show-locs --no-corpus-path --no-comp-dir-path \
		--out-file lib/ribbon.abi "$tmp/libribbon.so.1"
	exit
fi

declared >"$tmp/declared"
nm -D --defined-only build/lib/libribbon.so.1 | sed -n 's/.* T \(.*\)@@LIBRIBBON_1.0$/\1/p' | sort >"$tmp/shown"
nm -D --defined-only build/lib/libribbon.so.1 | grep -cv ' [TA] .*LIBRIBBON_1.0' >"$tmp/others" || true
nm -g --defined-only build/lib/libribbon.a | sed -n 's/^[0-9a-f]* [A-Z] //p' | sort >"$tmp/static"
echo 0 >"$tmp/none"
same "the shared library shows what the header declares" "$tmp/declared" "$tmp/shown"
same "and nothing else" "$tmp/none" "$tmp/others"
same "nor does the static one" "$tmp/declared" "$tmp/static"
if [ "$(wc -l <"$tmp/declared")" -gt 70 ]; then
	ok "that is more than 70 functions"
else
	not_ok "that is more than 70 functions"
fi

# A program in C++ and one in C, with every warning, linked with either library.
cat >"$tmp/program.cc" <<'END'
#include <ribbon.h>

int
main()
{
	ribbon_builder *builder = nullptr;
	ribbon_filter *filter = nullptr;
	void *bytes = nullptr;
	size_t size = 0;
	bool good = ribbon_builder_new(&builder, RIBBON_KEY_TEXT, 0.01) == RIBBON_SUCCESS &&
		ribbon_builder_add(builder, ribbon_key_text("a", 1)) == RIBBON_SUCCESS &&
		ribbon_builder_finish(builder, &bytes, &size) == RIBBON_SUCCESS &&
		ribbon_filter_open_bytes(&filter, bytes, size) == RIBBON_SUCCESS &&
		ribbon_filter_contains_text(filter, "a", 1) == 1 && sizeof(ribbon_key) == 24;

	ribbon_filter_close(filter);
	ribbon_bytes_free(bytes);
	ribbon_builder_free(builder);
	return good ? 0 : 1;
}
END
sed 's/nullptr/NULL/; s/main()/main(void)/' "$tmp/program.cc" >"$tmp/program.c"
flock build/lib make -s install-libribbon DESTDIR="$tmp/root" PREFIX=/usr >/dev/null	# beside install.sh
for how in "${CXX:-c++} -std=c++11 -pedantic" "${CXX:-c++} -std=c++17" "${CC:-cc} -std=c11 -pedantic" "${CC:-cc} -std=c99"; do
	suffix=c
	[[ $how != *c++* ]] || suffix=cc
	flags=$(PKG_CONFIG_SYSROOT_DIR=$tmp/root PKG_CONFIG_PATH=$tmp/root/usr/lib/pkgconfig \
		pkg-config --define-variable=prefix="$tmp/root/usr" --define-variable=libdir="$tmp/root/usr/lib" --cflags --libs ribbon |
		sed "s|$tmp/root$tmp/root|$tmp/root|g")
	# shellcheck disable=SC2086
	if $how -Wall -Wextra -Wconversion -Werror -o "$tmp/program" "$tmp/program.$suffix" $flags &&
		LD_LIBRARY_PATH=$tmp/root/usr/lib timeout 60 "$tmp/program" &&
		$how -I"$tmp/root/usr/include" -o "$tmp/static_program" "$tmp/program.$suffix" "$tmp/root/usr/lib/libribbon.a" \
			-lm -pthread && timeout 60 "$tmp/static_program"; then
		ok "a program of ${how##*/} builds and runs with pkg-config's flags, and with the static library"
	else
		not_ok "a program of ${how##*/} builds and runs"
	fi
done

# Bits of its status: 1 error, 2 usage, 4 a change, 8 one that breaks programs.
status=0
timeout 300 abidiff --headers-dir2 lib/include --drop-private-types lib/ribbon.abi "$tmp/libribbon.so.1" >"$tmp/changes" 2>&1 || status=$?
if [ "$status" = 0 ]; then
	ok "the ABI is that of lib/ribbon.abi"
elif [ "$(getconf LONG_BIT)" != 64 ]; then
	ok "the ABI # skip lib/ribbon.abi is of 64 bits"
elif [ "$status" = 1 ] && grep -q "incompatible format version" "$tmp/changes"; then
	ok "the ABI # skip this libabigail does not read lib/ribbon.abi: $(head -n 1 "$tmp/changes")"
else
	sed 's/^/# /' "$tmp/changes"
	not_ok "the ABI is that of lib/ribbon.abi"
fi
[ "$failed" = 0 ]
