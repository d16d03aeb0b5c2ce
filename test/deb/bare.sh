#!/bin/bash
#
# bare.sh - the packages of library, command and Python on a system that has no other
#
# usage: test/deb/bare.sh DIRECTORY
#
# DIRECTORY has the packages.  To be run as root in an environment where no package was
# made (bare-SUITE, by run.sh), so that what they depend on is seen: each is installed
# and used, all answer alike about the same file, and are purged, twice.

. "$(dirname "$0")/../lib/common.sh"

debs=$(realpath "$1")
names=(libribbon1 libribbon-dev ribbon-tools python3-ribbonfilter ribbon-doc)
make_tmp
export DEBIAN_FRONTEND=noninteractive

install_packages()
{
	local files=() name

	for name in "$@"; do
		files+=("$(echo "$debs/$name"_[0-9]*.deb)")
	done
	apt-get install -y -q "${files[@]}"
}

purge_packages()
{
	apt-get purge -y -q "${names[@]}" && apt-get autoremove --purge -y -q
}

# What the packages have put somewhere, or left.
find_files()
{
	find /usr /etc /var/lib /opt -iname '*ribbon*' ! -path '/usr/src/*' ! -path '/var/lib/dpkg/info/*' | sort
}

program()
{
	# shellcheck disable=SC2046
	cc -o "$tmp/program" debian/tests/library.c $(pkg-config --cflags --libs ribbon) && "$tmp/program" &&
		ldd "$tmp/program" | grep -q libribbon.so.1 &&
		cc -o "$tmp/static" debian/tests/library.c -l:libribbon.a -lm -pthread && "$tmp/static"
}

command_asks()
{
	seq 1000 | ribbon build -k integer -o "$tmp/command" &&
		[ "$(seq 1000 | ribbon test --count "$tmp/command")" = 1000 ] && test -s /usr/share/man/man1/ribbon.1.gz
}

python_asks()
{
	/usr/bin/python3 - "$tmp/command" <<-'END'
		import sys
		import numpy
		from ribbonfilter import Filter
		ids = numpy.arange(1, 1001)
		f = Filter.build(ids, fpr=0.01)
		assert f.contains(ids).all() and bytes(f) == open(sys.argv[1], "rb").read()
	END
}

purge_packages >/dev/null 2>&1 || true		# of a run that was killed
apt-get update -q >/dev/null
before=$(find_files)
for round in first second; do
	try "$round: apt installs libribbon-dev" install_packages libribbon1 libribbon-dev
	try "$round: and what compiles" apt-get install -y -q gcc libc6-dev pkg-config
	try "$round: a program is compiled, linked either way, and runs" program
	try "$round: apt installs ribbon-tools" install_packages libribbon1 ribbon-tools
	try "$round: the command builds and asks, and has a manual" command_asks
	try "$round: apt installs python3-ribbonfilter" install_packages python3-ribbonfilter
	try "$round: Python makes the bytes that the command makes" python_asks
	try "$round: apt installs ribbon-doc" install_packages ribbon-doc
	try "$round: its pages are there" test -s /usr/share/doc/ribbon-doc/html/recipes.html
	try "$round: all files are as they were packed" dpkg -V "${names[@]}"
	try "$round: apt purges them" purge_packages
	if [ "$(find_files)" = "$before" ]; then
		ok "$round: no file is left"
	else
		diff <(echo "$before") <(find_files) || true
		not_ok "$round: no file is left"
	fi
done
[ "$failed" = 0 ]
