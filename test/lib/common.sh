# shellcheck shell=bash disable=SC2034
#
# common.sh - what the scripts of test/ share; source it
#
# Puts us in the top directory of the source tree.  PG_CONFIG names the
# pg_config of the server to use.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Test programs of the system's own Python; the first in PATH may be another.
# They find the modules that they share.
python=/usr/bin/python3
export PYTHONPATH=$PWD/test/lib PYTHONDONTWRITEBYTECODE=1

# How the core is compiled, but for the level.
core_flags="-std=c11 -D_POSIX_C_SOURCE=200809L -Isrc/core $(sed -n 's/^CORE_MEANING = //p' core.mk)"

# To be called once setup.sh is through.
find_postgres()
{
	export PG_CONFIG=${PG_CONFIG:-pg_config}
	PATH=$("$PG_CONFIG" --bindir):$PATH
	find_headers
}

# Where the server's headers are not installed, PG_CONFIG becomes one that says where they are unpacked.
find_headers()
{
	local headers

	headers=$("$PG_CONFIG" --includedir-server)
	if [ ! -f "$headers/postgres.h" ] && [ -f "$unpacked$headers/postgres.h" ]; then
		printf '#!/bin/sh\ncase $1 in *include*) printf "%%s" "%s";; esac\nexec "%s" "$@"\n' \
			"$unpacked" "$(command -v "$PG_CONFIG")" >"$unpacked/pg_config"
		chmod +x "$unpacked/pg_config"
		PG_CONFIG=$unpacked/pg_config
	fi
}

# What setup.sh --fetch PART has fetched is unpacked in $unpacked, whose user removes it, and
# found by all that runs from here on: programs, libraries, modules and headers of Python.
# What a run has left that was killed goes.
unpacked=$PWD/build/unpacked.$$
use_fetched()
{
	local deb headers left modules

	for left in build/unpacked.*; do
		[ -d "/proc/${left##*.}" ] || rm -rf "$left"
	done
	for deb in "build/packages/$1"/*.deb; do
		[ ! -f "$deb" ] || dpkg-deb -x "$deb" "$unpacked"
	done
	[ -d "$unpacked" ] || return 0
	[[ $PATH == *:$unpacked/* ]] || PATH=$PATH:$unpacked/usr/lib/chromium:$unpacked/usr/bin
	LD_LIBRARY_PATH=$(find "$unpacked" -name '*.so*' ! -path '*/python3/*' -printf '%h\n' | sort -u | paste -sd :)
	export LD_LIBRARY_PATH
	if [ -d "$unpacked/usr/lib/python3" ]; then
		export PYTHONUSERBASE=$unpacked/python
		modules=$("$python" -c 'import site; print(site.getusersitepackages())')
		mkdir -p "${modules%/*}"
		ln -sfn "$unpacked/usr/lib/python3/dist-packages" "$modules"
	fi
	if headers=$(compgen -G "$unpacked/usr/include/python3*"); then
		export C_INCLUDE_PATH=$headers:$unpacked/usr/include
	fi
	[ ! -d "$unpacked/etc/fonts" ] || export FONTCONFIG_PATH=$unpacked/etc/fonts XDG_DATA_HOME=$unpacked/usr/share
}

# PostgreSQL refuses to run as root: lend it another user.
if [ "$(id -u)" != 0 ]; then
	server_user=$(id -un)
elif id postgres >/dev/null 2>&1; then
	server_user=postgres
else
	server_user=nobody
fi

# For scripts that count checks, and end with "N passed, N failed".
passed=0
failed=0
skipped=0

ok()
{
	echo "ok - $1"
	passed=$((passed + 1))
}

not_ok()
{
	echo "not ok - $1"
	failed=$((failed + 1))
}

# A directory for what the script writes, which is gone at its end.
make_tmp()
{
	tmp=$(mktemp -d /tmp/ribbon.XXXXXX)
	trap 'rm -rf "$tmp"' EXIT
}

# try NAME COMMAND...: ok if it succeeds; else what it has said last.  All of it is in $log, in the
# directory $logs, by default $tmp.  Its status is in $status: where "try ... ||" or "if try" asked
# for it, bash would let the command's functions go on after an error.
try()
{
	local name=$1
	shift

	log=${logs:-$tmp}/${name//[^a-zA-Z0-9_.]/-}.log
	set +e
	(set -e; "$@") >"$log" 2>&1
	status=$?
	set -e
	if [ "$status" = 0 ]; then
		ok "$name"
	else
		tail -n 40 "$log" | sed 's/^/# /'
		not_ok "$name${logs:+: see $log}"
	fi
}

# judge NAME LOG STATUS: count what a program has reported in a log: lines "ok ..." and "not ok ..."
# or, from pg_regress before PostgreSQL 16, "... ok" and "... FAILED"; "ok ... # skip ..." and
# "ok - skipped: ..." are what it has left out.  One that fails without saying so, or that says
# nothing, counts as a failure.  Did it pass?
judge()
{
	local name=$1 log=$2 status=$3 ok bad left_out

	left_out=$(grep -ciE '^ok (.*# skip|- skipped: )' "$log" || true)
	ok=$(grep -cE '^ok |^(test| ) .* \.\.\. ok( |$)' "$log" || true)
	bad=$(grep -cE '^not ok |^(test| ) .* \.\.\. FAILED( |$)' "$log" || true)
	if [ "$bad" = 0 ] && [ "$status" != 0 ]; then
		echo "not ok - $name: status $status"
		bad=1
	elif [ "$bad$ok" = 00 ]; then
		echo "not ok - $name: no test in it"
		bad=1
	fi
	passed=$((passed + ok - left_out))
	skipped=$((skipped + left_out))
	failed=$((failed + bad))
	[ "$bad" = 0 ]
}

# The last lines of a script that judges.
say_counts()
{
	[ "$skipped" = 0 ] || echo "# $skipped skipped"
	echo "$passed passed, $failed failed"
}

# Seconds of CPU that a shell's children have taken, those that it has waited for: of what "times" prints.
cpu_seconds()
{
	awk 'NR == 2 { split($0, at, /[ms ]+/); printf "%.0f\n", 60 * (at[1] + at[3]) + at[2] + at[4] }'
}

as_server()
{
	if [ "$(id -un)" = "$server_user" ]; then
		"$@"
	else
		runuser -u "$server_user" -- "$@"
	fi
}

# Make a directory, short enough for a socket in it, that the server may use.
make_server_dir()
{
	local dir

	dir=$(mktemp -d /tmp/ribbon.XXXXXX)
	chown "$server_user" "$dir"
	echo "$dir"
}

# pack_tree DIRECTORY [OPTION]...: the tree there as a tar archive on standard output, but for
# its history and for what .gitignore says is made in it; OPTIONs are tar's
pack_tree()
{
	local tree=$1
	shift

	tar -C "$tree" -cf - --exclude=./.git -X <(sed 's|/$||; s|^/|./|' "$tree/.gitignore") "$@" .
}

# make, on all cores, that names each file it makes instead of how it does
shown_make()
{
	make --no-print-directory -j"$(nproc)" "$@" | sed -uE '/: Nothing to be done for /d; s/^[^ ]*(cc|clang)[^ ]* .* -o ([^ ]+).*/  \2/'
}

# install_extension [SETTING]...: install what make with these has built; only where we may not
# write is it sudo's job.
install_extension()
{
	local to

	for to in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)/extension"; do
		if [ ! -w "$to" ]; then
			sudo make -s PG_CONFIG="$(command -v "$PG_CONFIG")" "$@" install
			return
		fi
	done
	make -s "$@" install
}
