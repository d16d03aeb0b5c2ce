#!/bin/bash
#
# enter.sh - run a command with another directory as its root
#
# usage: unshare --mount --pid --ipc --fork --kill-child test/lib/enter.sh ROOT EXCHANGE COMMAND [ARGUMENT]...
#
# For env.sh, which says what it is for.  All mounts are made in the new
# namespace, so no other process sees them and they need not be undone.

set -euo pipefail
root=$1
exchange=$2
shift 2

mount --make-rprivate /
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --bind /dev "$root/dev"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$exchange" "$root/exchange"

# shellcheck disable=SC2016
exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 \
	PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	bash -c 'cd /ribbon; exec "$@"' bash "$@"
