# shellcheck shell=bash disable=SC2034,SC2154
#
# env.sh - small Debian systems in directories, to build and test in; source it after common.sh
#
# An environment is what debootstrap makes of a suite, with gcc and make: what
# a bare machine has.  It is kept in $matrix/env/NAME with whatever the tests
# have installed in it, so that the next run starts at once; remove the
# directory to start anew.  Commands run in it with namespaces of their own for
# mounts, processes and shared memory: what they start or mount is gone when
# they end, however they end, and they see no other server's processes.

mirror=${MATRIX_MIRROR:-http://deb.debian.org/debian}
ubuntu_mirror=${MATRIX_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}

# What the environment NAME is made from: a suite's name says it itself.
suite_of()
{
	case $1 in
		i386 | cross | assert)
			echo bookworm
			;;
		proof)
			echo trixie	# the first with CBMC (test/proof)
			;;
		experimental)
			echo sid	# its packages are made for this one
			;;
		deb-* | bare-* | image-*)
			suite_of "${1#*-}"	# for packages (test/deb): made in the one, tried alone in the other; for packaging
			;;
		*)
			echo "$1"
			;;
	esac
}

arch_of()
{
	if [ "$1" = i386 ]; then
		echo i386
	else
		dpkg --print-architecture
	fi
}

need_root()
{
	if [ "$(id -u)" != 0 ]; then
		echo "test-matrix: debootstrap and chroot need root: sudo make test-matrix" >&2
		exit 2
	fi
	if ! unshare --mount --pid --ipc --fork true; then
		echo "test-matrix: this machine lets root have no namespaces (a container without CAP_SYS_ADMIN?)" >&2
		exit 2
	fi
}

# The release of PostgreSQL that no suite has as its own yet: its packages, and
# nothing else, come from experimental (or from sid, as soon as that is newer).
# test/lib/setup.sh takes the server whose headers are there.
next_postgres=19
add_experimental()
{
	local root=$1

	echo "deb $mirror experimental main" >"$root/etc/apt/sources.list.d/experimental.list"
	cat >"$root/etc/apt/preferences.d/experimental" <<-END
		Package: src:postgresql-$next_postgres
		Pin: release a=experimental
		Pin-Priority: 500
	END
	run_in "$root" apt-get update -q
	run_in "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "postgresql-server-dev-$next_postgres"
}

# Ubuntu 24.04, for the server that no release of Debian has.  Its packages are
# signed by keys which Debian has in a package, from trixie on.
bootstrap_noble()
{
	local root=$1 keys=$matrix/exchange/ubuntu
	shift

	make_env trixie
	rm -rf "$keys"
	# shellcheck disable=SC2016
	run_in "$matrix/env/trixie" sh -c 'cd /tmp && apt-get download -q ubuntu-keyring && dpkg-deb -x ubuntu-keyring_*.deb /exchange/ubuntu'
	debootstrap "$@" --components=main,universe \
		--keyring="$keys/usr/share/keyrings/ubuntu-archive-keyring.gpg" noble "$root" "$ubuntu_mirror" gutsy
	echo "deb $ubuntu_mirror noble-updates main universe" >>"$root/etc/apt/sources.list"
}

# debootstrap's own work, and what makes a minimal system able to compile.
# What is interrupted leaves no directory that looks ready; what has been interrupted
# in one that is there, while it installed packages, is done to its end.
make_env()
{
	local name=$1 root=$matrix/env/$1 cache options

	if [ -d "$root" ]; then
		run_in "$root" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a
		return
	fi
	cache=$matrix/packages/$(arch_of "$name")
	mkdir -p "$matrix/env" "$cache"
	rm -rf "$root.new"
	options=(--variant=minbase --arch="$(arch_of "$name")" --cache-dir="$cache")
	if [ "$name" = noble ]; then
		bootstrap_noble "$root.new" "${options[@]}"
	else
		debootstrap "${options[@]}" "$(suite_of "$name")" "$root.new" "$mirror"
	fi
	# a mirror may be a snapshot, and none of the indexes' dates is a finding
	cat >"$root.new/etc/apt/apt.conf.d/90matrix" <<-END
		Acquire::Check-Valid-Until "false";
		APT::Install-Recommends "false";
	END
	printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"	# start no services
	chmod +x "$root.new/usr/sbin/policy-rc.d"
	run_in "$root.new" apt-get update -q
	run_in "$root.new" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q gcc make
	if [ "$name" = experimental ]; then
		add_experimental "$root.new"
	fi
	mv "$root.new" "$root"
}

# Run a command in a root directory, as root there, in the copy of the tree.
# /exchange is the same directory in all of them.  Once we are dead, so is all
# that runs there: the first process of a namespace ends it, but hears no signal.
run_in()
{
	local root=$1
	shift

	mkdir -p "$matrix/exchange" "$root/exchange" "$root/ribbon"
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --kill-child -- \
		test/lib/enter.sh "$root" "$matrix/exchange" "$@"
}

# The same in an environment.
in_env()
{
	local name=$1
	shift

	run_in "$matrix/env/$name" "$@"
}

# Give an environment this tree, without what has been built in it.
copy_tree()
{
	local to=$matrix/env/$1/ribbon

	rm -rf "$to"
	mkdir -p "$to"
	pack_tree . | tar -xf - --no-same-owner -C "$to"
}

# Give it what make dist makes of this tree, committed or not.
copy_dist()
{
	local to=$matrix/env/$1/ribbon

	make -s dist DIST=tree >/dev/null
	rm -rf "$to"
	mkdir -p "$to"
	tar -xzf "$(ls -t build/ribbon-*.tar.gz | head -n 1)" --no-same-owner --strip-components=1 -C "$to"
}
