#!/usr/bin/python3
"""test_threads.py - how many threads can an ordinary user have a build use?

As many as the server has cores, whatever ribbon.build_threads asks for, and no
more than its start allowed it processes: max_worker_processes and one.  What is
counted are the tasks of the backend while it builds.

usage: test/run.sh python/test_threads

For the second part this starts another server.
"""

import os
import subprocess
import sys
import time

from reports import check, finish


def most_tasks(nkeys=4000000):
    """The most tasks that a backend was seen to have while it built a filter."""
    session = subprocess.Popen(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               encoding="utf-8")
    session.stdin.write("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS ribbon; SET ribbon.build_threads = 64;"
                        "SET work_mem = '1GB'; SET max_parallel_workers_per_gather = 0; SELECT pg_backend_pid();\n")
    session.stdin.flush()
    pid = session.stdout.readline().strip()
    session.stdin.write(f"SELECT ribbon_cardinality(ribbon_build(i)) FROM generate_series(1, {nkeys}) AS i;\n")
    session.stdin.close()
    most = 0
    while session.poll() is None:
        try:
            most = max(most, len(os.listdir(f"/proc/{pid}/task")))
        except FileNotFoundError:
            pass
        time.sleep(0.002)
    return most if session.stdout.read().strip() == str(nkeys) else None


status = 0
cores = os.cpu_count()
if "RIBBON_NO_WORKERS" not in os.environ:
    found = most_tasks()
    check(f"64 threads asked for: not more than cores ({cores}) or the 9 processes allowed, but several",
          found is not None and min(cores, 2) <= found <= min(cores, 9), found)
    environment = dict(os.environ, RIBBON_NO_WORKERS="yes", CLUSTER_SETTINGS="max_worker_processes = 0")
    status = subprocess.call(["test/lib/cluster.sh", sys.executable, __file__], env=environment)
else:
    found = most_tasks()
    check("64 threads asked for where the server may start no process: the backend's own", found == 1, found)
finish(status)
