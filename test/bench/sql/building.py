"""building.py - what ribbon_build costs: time, memory, workers, groups, cancels

Each class is a section of measure.py: made once, it sets up its tables; measure()
is one round.
"""

from data import series
from server import PeakMemory, cancel_delay, nodes

MB = 1 << 20
FPR_BIG = 2.0**-32  # four bytes per key: a big filter of few keys


class Build:
    """One group of all rows, in one process, beside other aggregates."""

    WAYS = ("count(k)", "transition(k)", "ribbon_build(k)", "array_agg(k)")

    def __init__(self, bench):
        self.bench = bench
        self.tables = {
            "bigint": bench.data.keys("keys"),
            "text": bench.data.keys("text"),
            "uuid": bench.data.keys("uuid"),
        }
        make_transition_aggregate(bench.admin)

    def measure(self):
        for kind, table in self.tables.items():
            for work_mem in ("4MB", "256MB"):
                with self.bench.session(work_mem=work_mem) as session:
                    for way in self.WAYS:
                        sql = f"SELECT {way} IS NULL FROM {table}"
                        self.bench.time(
                            session, f"{kind}, {work_mem}", way, self.bench.rows, sql
                        )


def make_transition_aggregate(session):
    """transition(k) does what ribbon_build(k) does up to the last row.

    What follows, the solving, is left out: the final function is one of the
    server's own that does not look at its argument.
    """
    sql = "SELECT aggtransfn FROM pg_aggregate WHERE aggfnoid = '{}'::regprocedure"
    transition = session.do(sql.format("ribbon_build(anycompatible)")).value
    session.do(
        "CREATE FUNCTION no_result(internal) RETURNS int LANGUAGE internal AS 'pg_backend_pid'"
    )
    session.do(
        "CREATE AGGREGATE transition(anycompatible)"
        f" (SFUNC = {transition}, STYPE = internal, FINALFUNC = no_result)"
    )


class Memory:
    """The most private memory of a backend while it builds, beyond what it began with."""

    def __init__(self, bench):
        self.bench = bench
        self.table = bench.data.keys()

    def measure(self):
        for n in (self.bench.rows // 10, self.bench.rows):
            for work_mem in (4, 64):
                with self.bench.session(work_mem=f"{work_mem}MB") as session:
                    self.build(session, n, work_mem)

    def build(self, session, n, work_mem):
        source = f"(SELECT k FROM {self.table} LIMIT {n}) s"
        session.do(f"SELECT count(k) FROM {source}")
        temp_bytes = session.temp_bytes()
        with PeakMemory(session.pid) as memory:
            result = session.run(built(source))
        temp_bytes = session.temp_bytes() - temp_bytes
        case = f"work_mem {work_mem} MB"
        record_build(self.bench, case, n, result, memory, temp_bytes)


def built(source):
    """Build of column k, showing bytes and keys of the filter."""
    return (
        "SELECT octet_length(f::bytea), ribbon_cardinality(f)"
        f" FROM (SELECT ribbon_build(k) AS f FROM {source}) b"
    )


def record_build(bench, case, n, result, memory, temp_bytes):
    """Memory, temporary files and the filter's size, in MB."""
    error = result.error or ""
    size = int(result.value) / MB if not error else None
    grown = None if error or memory.grown is None else memory.grown / MB
    bench.record(case, "peak", n, "MB", grown, error)
    bench.record(case, "filter", n, "MB", size, error)
    bench.record(case, "temporary files", n, "MB", temp_bytes / MB, error)


class Parallel:
    """Twice as many rows, by a leader and a worker and by a leader alone."""

    WAYS = ("count(*)", "count(k)", "ribbon_build(k)")

    def __init__(self, bench):
        self.bench = bench
        self.rows = 2 * bench.rows
        self.table = bench.data.keys(factor=2)

    def measure(self):
        for work_mem in ("4MB", "256MB"):
            with self.bench.session(work_mem=work_mem, **WORKERS) as session:
                for way in self.WAYS:
                    for workers in (0, 1):
                        self.one(session, work_mem, way, workers)

    def one(self, session, work_mem, way, workers):
        session.do(f"SET max_parallel_workers_per_gather = {workers}")
        sql = f"SELECT {way} IS NULL FROM {self.table}"
        what = f"{way}, {'1 worker' if workers else 'serial'}"
        note = "" if planned_workers(session, sql) == workers else "no parallel plan"
        self.bench.time(session, work_mem, what, self.rows, sql, note)


# Parallel plans of small tables, too.
WORKERS = {"parallel_setup_cost": 0, "min_parallel_table_scan_size": 0}


def planned_workers(session, sql):
    """Workers that aggregate, too; 0 if it is not to be seen in the plan."""
    plan, _ = session.explain(sql, "COSTS OFF")
    plan_nodes = list(nodes(plan or {}))
    if not any(node.get("Partial Mode") == "Finalize" for node in plan_nodes):
        return 0
    return max(node.get("Workers Planned", 0) for node in plan_nodes)


class Groups:
    """Many groups of ten or a hundred keys in a hash aggregate."""

    WAYS = ("count(k)", "array_agg(k)", "ribbon_build(k)")

    def __init__(self, bench):
        self.bench = bench
        self.cases = []
        few, many = bench.rows // 100, bench.rows // 10
        for groups, size, work_mem in ((few, 10, "2GB"), (few, 100, "2GB"), (many, 10, "64MB")):
            table = bench.data.table(
                f"groups_{groups}_{size}",
                f"SELECT (i % {groups})::int AS g, member(i) AS k"
                f" FROM generate_series(1::bigint, {size * groups}) i",
            )
            self.cases.append((groups, size, work_mem, table))

    def measure(self):
        for groups, size, work_mem, table in self.cases:
            settings = {"work_mem": work_mem, "enable_sort": "off"}
            with self.bench.session(**settings) as session:
                for way in self.WAYS:
                    self.group(session, f"of {size}, work_mem {work_mem}", groups, way, table)

    def group(self, session, case, groups, way, table):
        sql = f"SELECT count(a) FROM (SELECT {way} AS a FROM {table} GROUP BY g) s"
        result = self.bench.time(session, case, way, groups, sql)
        if result.error:
            return
        if int(result.value) != groups:
            raise RuntimeError(f"{result.value} groups instead of {groups}: {sql}")
        plan, error = session.explain(sql)
        hashed = [n for n in nodes(plan) if n.get("Strategy") == "Hashed"] if plan else []
        if not hashed:
            self.bench.record(case, way, groups, "kB", None, error or "not hashed")
            return
        batches = hashed[0]["HashAgg Batches"]
        note = "" if batches <= 1 else f"{batches} batches"
        self.bench.record(case, way, groups, "kB", hashed[0]["Peak Memory Usage"], note)
        self.bench.record(case, way, groups, "kB on disk", hashed[0]["Disk Usage"], note)


class Huge:
    """A set far larger than memory, beside a small one of the same source; measured once."""

    def __init__(self, bench):
        self.bench = bench

    def measure(self):
        if not self.bench.huge or self.bench.round > 1:
            return
        for n in (self.bench.rows, self.bench.huge):
            with self.bench.session(timeout="0", work_mem="256MB") as session:
                source = series(n)
                sql = f"SELECT count(k) FROM {source}"
                self.bench.time(session, "work_mem 256 MB", "count(k)", n, sql)
                temp_bytes = session.temp_bytes()
                with PeakMemory(session.pid) as memory:
                    result = self.bench.time(
                        session, "work_mem 256 MB", "ribbon_build(k)", n, built(source)
                    )
                temp_bytes = session.temp_bytes() - temp_bytes
                record_build(self.bench, "work_mem 256 MB", n, result, memory, temp_bytes)


class Cancel:
    """From the cancel to the end of the statement, at many moments of it.

    The big value is of 500 MB at ten million rows.  Sleeping shows what the way
    of measuring itself takes.
    """

    MOMENTS = 20

    def __init__(self, bench):
        self.bench = bench
        self.keys = bench.rows * 5 // 4 * 10
        bench.admin.do(
            "CREATE UNLOGGED TABLE big_value AS SELECT f, f::bytea AS b FROM"
            f" (SELECT ribbon_build(k, {FPR_BIG}) AS f FROM {series(self.keys)}) s"
        )
        bench.data.made.add("big_value")
        table = bench.data.keys()
        self.ways = (
            ("pg_sleep", 1, "SELECT pg_sleep(0.1)"),
            ("ribbon_build", bench.rows, f"SELECT ribbon_build(k) IS NULL FROM {table}"),
            (
                "ribbon_shrink",
                self.keys,
                "SELECT ribbon_cardinality(ribbon_shrink(f, 0.01)) FROM big_value",
            ),
            (
                "cast from bytea",
                self.keys,
                "SELECT ribbon_cardinality(b::ribbonfilter) FROM big_value",
            ),
        )

    def measure(self):
        with self.bench.session() as session, self.bench.session() as canceller:
            for what, count, sql in self.ways:
                self.cancel(session, canceller, what, count, sql)

    def cancel(self, session, canceller, what, count, sql):
        whole = min((session.run(sql) for _ in range(2)), key=lambda r: r.ms or 0)
        self.bench.record("whole", what, count, "ms", whole.ms, whole.error or "")
        if whole.error:
            return
        shift = (self.bench.round - 0.5) / self.bench.rounds
        delays = []
        for i in range(self.MOMENTS):
            moment = whole.ms / 1000 * (i + shift) / self.MOMENTS
            delay = cancel_delay(session, canceller, sql, moment)
            if delay is not None:
                delays.append(delay)
        note = f"{len(delays)} cancels"
        longest = max(delays, default=None)
        self.bench.record("cancelled", what, count, "ms", longest, note)
