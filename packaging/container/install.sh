#!/bin/bash
#
# install.sh - build ribbon for the PostgreSQL of a Debian image, and leave nothing else
#
# usage: packaging/container/install.sh MAJOR TO
#
# Runs as root in an image (or a bare Debian root) whose package sources have
# postgresql-server-dev-MAJOR; the sources are the directory that we are in.  Puts
#
#	TO/lib/ribbon.so
#	TO/share/extension/ribbon.control, ribbon--*.sql
#
# With / as TO, files go where that server looks for them instead.  Packages that are
# installed for the build are purged again.

set -euo pipefail
cd "$(dirname "$0")/../.."
major=$1
to=$2

before=$(dpkg-query -W -f '${binary:Package}\n' | sort)
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	gcc libc6-dev make libxxhash-dev "postgresql-server-dev-$major"
new=$(comm -13 <(echo "$before") <(dpkg-query -W -f '${binary:Package}\n' | sort))

config=/usr/lib/postgresql/$major/bin/pg_config
directories=()
if [ "$to" != / ]; then
	directories=("pkglibdir=$to/lib" "datadir=$to/share")
fi
make -s -j"$(nproc)" PG_CONFIG="$config" all
make -s PG_CONFIG="$config" "${directories[@]}" install
make -s PG_CONFIG="$config" clean

if [ -z "${KEEP_PACKAGES:-}" ]; then
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get purge -y -q $new
	rm -rf /var/lib/apt/lists/*
fi
