# shellcheck shell=bash disable=SC2034,SC2154
#
# jobs.sh - run test programs, many beside each other, and count what passes; source it
#
#	run NAME COMMAND...	at once, by itself: what compiles or installs, and may ask for a password
#	job NAME COMMAND...	later, beside others; COMMAND is split into words again
#	run_jobs			run all jobs, and show in their order what they print, when they do
#	end_jobs			end those that run, which have ten seconds to stop their servers
#
# What a program reports is counted in passed and failed of common.sh; run fails if it does.
# Files are in $tmp: job I has I.log and, at its end, I.end: status, seconds, and seconds of CPU
# but for a server's.  A job without an end, because it was killed or the disk is full, has failed.

jobs=${JOBS:-$(($(nproc) < 4 ? $(nproc) + 1 : 5))}
most_jobs=${JOBS:-$((jobs + 2))}	# for as long as a core has nothing to do
limit=${TEST_LIMIT:-900}			# seconds of a job
longest=()		# names of jobs that begin first, so that no core waits for one of them at the end

# Names and commands of all jobs, in the order in which they are shown; when and as which
# processes they began, and how they ended; those that wait and those that run; and how many
# have been shown.
names=()
commands=()
processes=()
begins=()
ends=()
waiting=()
running=()
shown=0

run()
{
	local name=$1 status=0
	shift

	echo
	echo "# $name"
	"$@" 2>&1 | tee "$tmp/log" || status=$?
	judge "$name" "$tmp/log" "$status"
}

job()
{
	names+=("$1")
	shift
	commands+=("$*")
}

# Its process group is its own, so that end_group ends all of it: a COMMAND must not have another
# made, as timeout does.
start_job()
{
	local i=$1 began=$SECONDS status

	begins[i]=$began
	: >"$tmp/$i.log"
	set -m
	{
		set +e
		# shellcheck disable=SC2086
		(set -e; ${commands[i]})
		status=$?
		times >"$tmp/$i.times"
		echo "$status $((SECONDS - began)) $(cpu_seconds <"$tmp/$i.times")" >"$tmp/$i.end"
	} >>"$tmp/$i.log" 2>&1 </dev/null &
	set +m
	processes[i]=$!
	running+=("$i")
}

has_ended()
{
	[ -n "${ends[$1]:-}" ] || { [ -s "$tmp/$1.end" ] && read -r "ends[$1]" <"$tmp/$1.end"; }
}

# The jobs that have not begun, in the order in which they are to.
order_jobs()
{
	local i name

	waiting=()
	for name in "${longest[@]}"; do
		for ((i = shown; i < ${#names[@]}; i++)); do
			[ "${names[i]}" != "$name" ] || waiting+=("$i")
		done
	done
	for ((i = shown; i < ${#names[@]}; i++)); do
		[[ " ${waiting[*]} " == *" $i "* ]] || waiting+=("$i")
	done
}

# Once a job's shell is gone, too, what the job has left running is killed.
start_jobs()
{
	local i left=()

	for i in "${running[@]}"; do
		if has_ended "$i" && ! kill -0 "${processes[i]}" 2>/dev/null; then
			kill -KILL -- "-${processes[i]}" 2>/dev/null || true
		else
			left+=("$i")
		fi
	done
	running=("${left[@]}")
	while [ ${#waiting[@]} -gt 0 ] && is_room; do
		start_job "${waiting[0]}"
		waiting=("${waiting[@]:1}")
	done
}

is_room()
{
	[ ${#running[@]} -lt "$jobs" ] || { [ ${#running[@]} -lt "$most_jobs" ] && core_idles; }
}

# Has a core had nothing to do for most of a second?  As Linux tells, in hundredths of
# one; elsewhere none has.
looked_at=0
idle_then=0
core_idles()
{
	local idle now=${EPOCHREALTIME/[^0-9]/} span result=1

	span=$((now - looked_at))
	[ "$span" -ge 1000000 ] && read -r _ _ _ _ idle _ </proc/stat || return 1
	[ "$span" -ge 2000000 ] || [ $(((idle - idle_then) * 10000)) -lt $((span / 2)) ] || result=0
	looked_at=$now
	idle_then=$idle
	return $result
}

# A group of processes has ten seconds to stop its server.
end_group()
{
	local tries

	kill -TERM -- "-$1" 2>/dev/null || return 0
	for ((tries = 0; tries < 100; tries++)); do
		kill -0 -- "-$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL -- "-$1" 2>/dev/null || true
}

run_jobs()
{
	local log status seconds cpu

	order_jobs
	while [ "$shown" -lt ${#names[@]} ]; do
		start_jobs
		echo
		echo "# ${names[shown]}"
		until [ -e "$tmp/$shown.log" ]; do
			wait_for_jobs
		done
		exec {log}<"$tmp/$shown.log"
		until has_ended "$shown"; do
			cat <&"$log"
			wait_for_jobs
		done
		cat <&"$log"
		exec {log}<&-
		read -r status seconds cpu <<<"${ends[shown]}"
		judge "${names[shown]}" "$tmp/$shown.log" "$status" || true
		[ "$seconds" -lt 10 ] || echo "# $seconds s, $cpu s of CPU"
		shown=$((shown + 1))
	done
	until [ ${#running[@]} = 0 ]; do
		wait_for_jobs
	done
}

# A moment later: those that were killed with their shell have ended, and so have those that have
# run for too long.  What they have said is kept.
wait_for_jobs()
{
	local i

	sleep 0.1
	for i in "${running[@]}"; do
		if ! kill -0 "${processes[i]}" 2>/dev/null; then
			has_ended "$i" || ends[i]="137 0 0"
		elif ! has_ended "$i" && ((SECONDS - begins[i] > limit)); then
			end_group "${processes[i]}"
			has_ended "$i" && continue
			echo "not ok - ${names[i]}: ended after $limit s" >>"$tmp/$i.log" || true
			ends[i]="124 $limit 0"
		fi
	done
	start_jobs
}

# The shell knows those that it has started just now, too.
end_jobs()
{
	local group

	for group in $(jobs -p); do
		end_group "$group" &
	done
	wait
}
