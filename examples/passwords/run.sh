#!/bin/bash
#
# run.sh - a made-up list of leaked passwords into a filter and a map, and questions
#
# usage: examples/passwords/run.sh [NUMBER [FOLDER]]
#
# Of a million passwords, unless NUMBER says how many, in FOLDER (build/passwords).

set -euo pipefail
cd "$(dirname "$0")/../.."
number=${1:-1e6}
folder=${2:-build/passwords}

make -s command
mkdir -p "$folder"
"${CC:-cc}" -O2 -o "$folder/generate" examples/passwords/generate.c
ribbon=build/lib/ribbon

# step WHAT COMMAND...: how long it takes, and how much memory
step()
{
	local what=$1
	shift
	echo "# $what"
	if [ -x /usr/bin/time ]; then
		/usr/bin/time -f "%e s, %U s of CPU, %M kB of memory at most" "$@"
	else
		time "$@"
	fi
}

step "one in 128 is told to be leaked and is not" bash -c \
	"'$folder/generate' $number | $ribbon build --format sha1 -f 1/128 -o '$folder/leaked.ribbon'"
step "and how often it was seen: 0 for 1 to 9 times, 1 for 10 to 99 ..." bash -c \
	"'$folder/generate' $number | $ribbon map --format sha1 -v decade -f 1/128 -o '$folder/decades.ribbon'"
ls -l "$folder"/*.ribbon
$ribbon stats "$folder/leaked.ribbon"

step "a thousand of the list, of which none may be missing" bash -c \
	"'$folder/generate' $number 1000 2000 | $ribbon test --count --format sha1 '$folder/leaked.ribbon'"
step "a hundred thousand others" bash -c \
	"'$folder/generate' 99999 | $ribbon test --count --format sha1 '$folder/leaked.ribbon'"
step "one password" bash -c \
	"printf %s 'correct horse' | sha1sum | cut -c -40 | $ribbon test --format sha1 '$folder/leaked.ribbon' || echo 'surely not leaked'"
echo "# how often five of the list were seen"
"$folder/generate" "$number" 1000 1005 >"$folder/five"
$ribbon get --values --format sha1 "$folder/decades.ribbon" <"$folder/five" | paste -d ' ' "$folder/five" - | tr -d '\r'
