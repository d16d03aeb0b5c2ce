"""probing.py - what it costs to probe filters: many rows, or many filters

Each class is a section of measure.py: made once, it sets up its tables; measure()
is one round.
"""

import statistics

from building import WORKERS, planned_workers
from data import series

MB = 1 << 20


def stored(name):
    return f"SELECT members FROM filters WHERE name = '{name}'"


class Forms:
    """Rows against a stored filter that reaches the operator in many ways."""

    # The way we compare others with where one has to do.
    JOIN = "one-row join"

    def __init__(self, bench):
        self.bench = bench
        self.forms = {}
        for size in ("small", "large"):
            table = bench.data.probe(size=size)
            self.forms[size] = forms(table, bench.data.filter(size=size))
        for size in self.forms:
            make_functions(bench.admin, size, f"probe_keys_{size}", f"keys_{size}")

    def measure(self):
        for size in self.forms:
            for jit in ("off", "on"):
                with self.bench.session(jit=jit, jit_above_cost=0) as session:
                    prepare(session, size)
                    case = f"{size}, JIT {jit}"
                    for form, sql in self.forms[size].items():
                        self.probe(session, case, form, sql)
            self.workers(size)

    def workers(self, size):
        """Forms for which there is a parallel plan."""
        settings = {"max_parallel_workers_per_gather": 2, **WORKERS}
        with self.bench.session(**settings) as session:
            prepare(session, size)
            case = f"{size}, 2 workers"
            for form, sql in self.forms[size].items():
                if planned_workers(session, sql) > 0:
                    self.probe(session, case, form, sql)
                else:
                    note = "no parallel plan"
                    self.bench.record(case, form, self.bench.rows, "ms", None, note)

    def probe(self, session, case, form, sql):
        """Time a form.  It must find all members, and few others."""
        result = self.bench.time(session, case, form, self.bench.rows, sql)
        if result.error:
            return
        found = int(result.value)
        if form == BASELINE:
            self.members = found
        most = self.members + 0.012 * (self.bench.rows - self.members)
        if not self.members <= found <= most:
            note = f"found {found} rows, with {self.members} members"
            self.bench.record(case, form, self.bench.rows, "", None, note)


BASELINE = "user_id > 0"


def forms(table, name):
    """Queries by the way that the filter takes."""
    size = name.rsplit("_", 1)[-1]
    return {
        BASELINE: f"SELECT count(*) FROM {table} WHERE user_id > 0",
        "literal": "EXECUTE literal",
        "scalar subquery": f"SELECT count(*) FROM {table} WHERE ({stored(name)}) @> user_id",
        "MATERIALIZED CTE": f"WITH f AS MATERIALIZED ({stored(name)})"
        f" SELECT count(*) FROM {table}, f WHERE members @> user_id",
        Forms.JOIN: f"SELECT count(*) FROM {table}, filters"
        f" WHERE name = '{name}' AND members @> user_id",
        "LATERAL": f"SELECT n FROM filters, LATERAL (SELECT count(*) AS n FROM {table}"
        f" WHERE members @> user_id OFFSET 0) s WHERE name = '{name}'",
        "parameter, stored": f"EXECUTE parameter(get_stored('{name}'))",
        "parameter, sent": f"EXECUTE parameter(get_flat('{name}'))",
        "plpgsql variable": f"SELECT by_variable_{size}('{name}')",
        "SQL function": f"SELECT by_function_{size}(members) FROM filters WHERE name = '{name}'",
    }


def make_functions(session, size, table, name):
    if size == "small":
        session.do(
            "CREATE OR REPLACE FUNCTION get_stored(text) RETURNS ribbonfilter STABLE LANGUAGE sql"
            " AS 'SELECT members FROM filters WHERE name = $1'"
        )
        # A value as a client sends it, in memory whole.
        session.do(
            "CREATE FUNCTION get_flat(text) RETURNS ribbonfilter STABLE LANGUAGE sql"
            " AS $$SELECT (members::bytea || '')::ribbonfilter FROM filters WHERE name = $1$$"
        )
    session.do(
        f"CREATE FUNCTION by_variable_{size}(text) RETURNS bigint STABLE LANGUAGE plpgsql"
        " AS $$DECLARE f ribbonfilter; BEGIN"
        " SELECT members INTO f FROM filters WHERE name = $1;"
        f" RETURN (SELECT count(*) FROM {table} WHERE f @> user_id); END$$"
    )
    session.do(
        f"CREATE FUNCTION by_function_{size}(f ribbonfilter) RETURNS bigint STABLE LANGUAGE sql"
        f" AS 'SELECT count(*) FROM {table} WHERE f @> user_id'"
    )


def prepare(session, size):
    """Statements with a literal, read already, and with a parameter that stays one."""
    session.do("SET plan_cache_mode = force_generic_plan")
    session.do(
        "DO $$BEGIN EXECUTE format('PREPARE literal AS SELECT count(*)"
        f" FROM probe_keys_{size} WHERE %L::ribbonfilter @> user_id',"
        f" (SELECT members FROM filters WHERE name = 'keys_{size}')); END$$"
    )
    session.do(
        "PREPARE parameter(ribbonfilter) AS SELECT count(*)"
        f" FROM probe_keys_{size} WHERE $1 @> user_id"
    )


class Shares:
    """Rows of which no, some, or all are members, in no order.

    How well the CPU foretells what becomes of a row weighs as much as the probe.
    """

    PERCENT = (0, 10, 50, 100)

    def __init__(self, bench):
        self.bench = bench

    def measure(self):
        for size in ("small", "large"):
            name = self.bench.data.filter(size=size)
            for percent in self.PERCENT:
                table = self.bench.data.probe(size=size, members=percent)
                with self.bench.session() as session:
                    for what in (BASELINE, "scalar subquery"):
                        case = f"{size}, {percent} %"
                        self.bench.time(session, case, what, self.bench.rows, forms(table, name)[what])


class Types:
    """Texts and uuids, against a comparison of the column with a constant."""

    BETWEEN = {
        "text": "'8' COLLATE \"C\"",
        "uuid": "'80000000-0000-0000-0000-000000000000'",
    }

    def __init__(self, bench):
        self.bench = bench
        for kind in self.BETWEEN:
            bench.data.probe(kind)
            bench.data.filter(kind)

    def measure(self):
        for kind, constant in self.BETWEEN.items():
            table = f"probe_{kind}_small"
            with self.bench.session() as session:
                for what, sql in (
                    ("comparison", f"SELECT count(*) FROM {table} WHERE user_id > {constant}"),
                    ("filter", forms(table, f"{kind}_small")[Forms.JOIN]),
                ):
                    self.bench.time(session, kind, what, self.bench.rows, sql)


class SemiJoin:
    """WHERE user_id IN (SELECT ...) of the same keys, by a hash of them."""

    def __init__(self, bench):
        self.bench = bench
        for size in ("small", "large"):
            bench.data.probe(size=size)
            bench.data.keys(size=size)
            bench.data.filter(size=size)

    def measure(self):
        for size in ("small", "large"):
            table = f"probe_keys_{size}"
            semi = f"SELECT count(*) FROM {table} WHERE user_id IN (SELECT k FROM keys_{size})"
            with self.bench.session() as session:
                for what, sql in (
                    ("count(*)", f"SELECT count(*) FROM {table}"),
                    (BASELINE, f"SELECT count(*) FROM {table} WHERE user_id > 0"),
                    ("filter", forms(table, f"keys_{size}")[Forms.JOIN]),
                ):
                    self.bench.time(session, size, what, self.bench.rows, sql)
                for work_mem in ("4MB", "64MB", "2GB"):
                    session.do(f"SET work_mem = '{work_mem}'")
                    what = f"semi-join, {work_mem}"
                    plan, _ = session.explain(semi, "COSTS OFF")
                    note = "" if "'Hash Join'" in str(plan) else "not a hash join"
                    self.bench.time(session, size, what, self.bench.rows, semi, note)


class Several:
    """A nested loop of rows, each against one stored filter or eight.

    An outer join makes rows the outer side, so that filters take turns.
    """

    def __init__(self, bench):
        self.bench = bench
        self.table = bench.data.probe()
        n = bench.data.sets["small"]
        bench.admin.do(
            "CREATE TABLE eight AS SELECT f AS id, 0::bigint AS zero,"
            " (SELECT ribbon_build(member(k)) FROM generate_series("
            f"(f - 1)::bigint * {n} + 1, f::bigint * {n}) k) AS members"
            " FROM generate_series(1, 8) f"
        )
        bench.data.settle("eight")
        bench.data.made.add("eight")

    def measure(self):
        settings = {"work_mem": "64MB", "enable_hashjoin": "off", "enable_mergejoin": "off"}
        with self.bench.session(**settings) as session:
            for filters in (1, 8):
                source = f"(SELECT * FROM eight WHERE id <= {filters}) f"
                for what, clause in (
                    ("comparison", "zero < user_id"),
                    ("filter", "members @> user_id"),
                ):
                    sql = f"SELECT count(id) FROM {self.table} LEFT JOIN {source} ON {clause}"
                    probes = filters * self.bench.rows
                    self.bench.time(session, f"{filters}", what, probes, sql)


class Many:
    """One key against many stored filters of all sizes."""

    TABLE, AGGREGATE = "many", "ribbon_build(k)"
    PROBE = "SELECT count(*) FROM many WHERE members @> 42::bigint"

    def __init__(self, bench):
        self.bench = bench
        self.filters = bench.rows // 1000
        bench.admin.do("SELECT setseed(0.5)")
        bench.admin.do(
            f"CREATE TABLE {self.TABLE} AS SELECT i AS id, (SELECT {self.AGGREGATE} FROM"
            " (SELECT hashint8extended(generate_series(1::bigint, n), i) AS k) s) AS members"
            " FROM (SELECT i, (1000 * 100 ^ random())::bigint AS n"
            f" FROM generate_series(1, {self.filters}) i OFFSET 0) s"
        )
        bench.data.settle(self.TABLE)
        bench.data.made.add(self.TABLE)
        self.ways = (
            ("no probe", f"SELECT count(*) FROM {self.TABLE} WHERE id <> 42"),
            ("probe", self.PROBE),
        )
        size = f"SELECT avg(octet_length(members::bytea)) / 1024 FROM {self.TABLE}"
        self.size = float(bench.admin.do(size).value)

    def measure(self):
        self.bench.record("", "filter", self.filters, "kB", self.size)
        with self.bench.session() as session:
            # Counting blocks comes first, and brings them into memory.
            for what, sql in self.ways:
                plan, error = session.explain(sql)
                self.bench.record("", what, self.filters, "blocks", blocks(plan), error or "")
            for what, sql in self.ways:
                self.bench.time(session, "", what, self.filters, sql)


def blocks(plan):
    """Blocks that a query has touched."""
    if plan is None:
        return None
    return plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]


class Big:
    """One probe of a filter of 100 MB (at ten million rows): executing it alone."""

    TIMES = 25

    def __init__(self, bench):
        self.bench = bench
        self.keys = 12 * bench.rows
        bench.admin.do(
            "CREATE TABLE big AS SELECT 1 AS id, ribbon_build(k) AS members"
            f" FROM {series(self.keys)}"
        )
        bench.data.settle("big")
        bench.data.made.add("big")
        size = "SELECT octet_length(members::bytea) FROM big"
        self.size = int(bench.admin.do(size).value) / MB

    def measure(self):
        self.bench.record("", "filter", self.keys, "MB", self.size)
        with self.bench.session() as session:
            for what, clause in (("no probe", "id > {}"), ("probe", "members @> {}::bigint")):
                plans = []
                for i in range(self.TIMES):
                    key = 12345 * (i + 1) * (-1) ** i  # members and non-members
                    plan, error = session.explain(
                        f"SELECT count(*) FROM big WHERE {clause.format(key)}"
                    )
                    plans += [] if error else [plan]
                for unit, figures in (
                    ("ms", [plan["Execution Time"] for plan in plans]),
                    ("blocks", [blocks(plan) for plan in plans]),
                ):
                    figure = statistics.median(figures) if figures else None
                    self.bench.record("", what, self.keys, unit, figure, error or "")


class Arrays:
    """Arrays of a thousand keys, against a call for each of them.

    Every element has to be looked at: all are members for ribbon_contains_all,
    and none for ribbon_contains_any, whose filter has no false positives to
    speak of.
    """

    ELEMENTS = 1000
    FPR = 1e-9

    def __init__(self, bench):
        self.bench = bench
        n = bench.data.sets["small"]
        self.cases = []
        for way, key, fpr in (
            ("ribbon_contains_all", f"member(1 + chance(i, {n}))", 0.01),
            ("ribbon_contains_any", "nonmember(i)", self.FPR),
        ):
            elements = bench.data.table(
                f"elements_{way}",
                f"SELECT i, {key} AS user_id FROM generate_series(1::bigint, {bench.rows}) i",
            )
            arrays = f"arrays_{way}"
            bench.admin.do(f"CREATE UNLOGGED TABLE {arrays} (a bigint[])")
            bench.admin.do(f"ALTER TABLE {arrays} ALTER a SET STORAGE PLAIN")
            bench.admin.do(
                f"INSERT INTO {arrays} SELECT array_agg(user_id) FROM {elements}"
                f" GROUP BY i / {self.ELEMENTS}"
            )
            bench.data.settle(arrays)
            bench.data.made.add(arrays)
            self.cases.append((way, elements, arrays, bench.data.filter(fpr=fpr)))

    def measure(self):
        for way, elements, arrays, name in self.cases:
            source = f"filters WHERE name = '{name}' AND"
            with self.bench.session() as session:
                for what, sql in (
                    ("elements", f"{elements} WHERE user_id > 0"),
                    ("single calls", f"{elements}, {source} members @> user_id"),
                    ("arrays", f"{arrays} WHERE array_length(a, 1) > 0"),
                    ("array calls", f"{arrays}, {source} {way}(members, a)"),
                ):
                    sql = f"SELECT count(*) FROM {sql}"
                    self.bench.time(session, way, what, self.bench.rows, sql)


class FilterArrays:
    """One key against an array of a hundred filters of a hundred keys each.

    Keys are non-members to all of them, so each is probed; how many there are in
    an array matters to what can be remembered of them.
    """

    FILTERS = 100
    FPR = 1e-9
    KINDS = ("bigint", "text", "numeric", "uuid")

    def __init__(self, bench):
        self.bench = bench
        self.rows = bench.rows // 100
        bench.data.table(
            "few_rows",
            "SELECT k, k::text AS t, k::numeric AS n, md5(k::text)::uuid AS u"
            f" FROM generate_series(1::bigint, {self.rows}) i, nonmember(i) k",
        )

    def measure(self):
        count = self.rows * self.FILTERS
        with self.bench.session() as session:
            for kind, column in zip(self.KINDS, "ktnu"):
                key = "md5(member(i)::text)::uuid" if kind == "uuid" else f"member(i)::{kind}"
                filters = (
                    f"SELECT ribbon_build({key}, {self.FPR}) FROM generate_series(1::bigint, 10000) i"
                    f" GROUP BY i % {self.FILTERS}"
                )
                source = f"SELECT count(*) FROM few_rows WHERE {column}"
                for what, sql in (
                    ("no probe", f"{source} IS NOT NULL"),
                    ("probes", f"{source} <@ ANY (ARRAY({filters}))"),
                ):
                    self.bench.time(session, kind, what, count, sql)
