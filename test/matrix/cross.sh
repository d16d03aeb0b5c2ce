#!/bin/bash
#
# cross.sh - the core for another processor, run by qemu: on big-endian, on NEON
#
# usage: test/matrix/cross.sh s390x | arm64
#
# To be run in an environment by run.sh.  The unit programs are compiled
# with UBSan (ASan's memory is more than qemu bears).  They read the same golden
# files as on every other machine.  The seeds of the fuzz targets come too, where all
# that the library says of filters is compared with a slow reader.

. "$(dirname "$0")/../lib/common.sh"

case ${1:-} in
	s390x)
		triplet=s390x-linux-gnu
		qemu=qemu-s390x-static
		;;
	arm64)
		triplet=aarch64-linux-gnu
		qemu=qemu-aarch64-static
		;;
	*)
		echo "usage: $0 s390x | arm64" >&2
		exit 2
		;;
esac

DEBIAN_FRONTEND=noninteractive apt-get install -y -q gcc-$triplet "libc6-dev-$1-cross" \
	qemu-user-static libxxhash-dev file

# xxhash.h is the same for all processors, but not in a cross compiler's way
dir=build/$1
mkdir -p "$dir/include"
ln -sf /usr/include/xxh*.h "$dir/include"

make -s -j"$(nproc)" unit-programs "$dir/fuzz/driver" CC=$triplet-gcc UNIT_DIR="$dir" FUZZ_DIR="$dir/fuzz" \
	UNIT_CFLAGS="$core_flags -O2 -g -MMD -MP -Wall -Wextra -Werror \
		-idirafter $dir/include -fsanitize=undefined -fno-sanitize-recover=all"
file "$dir/whole/test_golden"

status=0
run()
{
	echo "# $*"
	$qemu -L /usr/$triplet "$@" || status=1
}

# Those left out only measure many filters, which takes hours in qemu; what
# they call is called by the others.
for program in test/unit/*/test_*.c; do
	program=${program#test/unit/}
	case $program in
		*/test_fpr.c | */test_size.c | */test_hostile.c)
			;;
		*)
			run "$dir/${program%.c}"
			;;
	esac
done
mkdir -p build/fuzz
for target in filter build map exact; do
	run "$dir/fuzz/driver" $target -n 200
done
exit $status
