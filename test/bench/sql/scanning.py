"""scanning.py - rows that are probed by the page, against probes row by row

Each case is measured with ribbon.batch on and off, and beside a comparison of the
same rows.  A section of measure.py.
"""

from building import WORKERS, nodes
from probing import BASELINE, Forms, Types, forms

BATCH = (("by the page", "on"), ("by the row", "off"))


class Pages:
    """Rows against one stored filter, of a hundredth, a tenth and all as many keys."""

    FORMS = ("scalar subquery", "LATERAL", Forms.JOIN, "parameter, stored")

    def __init__(self, bench):
        self.bench = bench
        data = bench.data
        data.sets["tiny"] = max(bench.rows // 100, 1000)
        self.sizes = ["tiny", "small", "large"]
        if bench.huge > bench.rows:
            data.sets["huge"] = bench.huge
            self.sizes.append("huge")
        for size in self.sizes:
            data.probe(size=size)
            data.filter(size=size)
        bench.admin.do(
            "CREATE OR REPLACE FUNCTION get_stored(text) RETURNS ribbonfilter STABLE LANGUAGE sql"
            " AS 'SELECT members FROM filters WHERE name = $1'"
        )
        for kind in Types.BETWEEN:
            data.probe(kind)
            data.filter(kind)
        data.table("probe_wide", "SELECT user_id, repeat('x', 100) AS filler FROM probe_keys_large")
        data.table("probe_parts", "SELECT user_id, (percent(user_id))::int AS part FROM probe_keys_large")
        for size in ("tiny", "small", "large"):
            data.probe(size=size, members=1)
            data.filter(size=size, fpr=0.005)

    def measure(self):
        for size in self.sizes:
            self.sizes_and_forms(size)
        for kind, constant in Types.BETWEEN.items():
            table = f"probe_{kind}_small"
            self.both(kind, f"SELECT count(*) FROM {table} WHERE user_id > {constant}",
                      forms(table, f"{kind}_small")[Forms.JOIN])
        large = forms("probe_keys_large", "keys_large")["scalar subquery"]
        self.both("rows of 140 bytes", large_from("probe_wide", BASELINE),
                  large.replace("probe_keys_large", "probe_wide"))
        self.both("1 % of rows reach the probe", "SELECT count(*) FROM probe_parts WHERE user_id > 0 AND part = 7",
                  large.replace("probe_keys_large", "probe_parts") + " AND part = 7")
        for size in ("tiny", "small", "large"):
            queries = forms(f"probe_keys_{size}_1", f"keys_{size}_0.005")
            self.both(f"{size}, 1.5 % of rows pass", queries[BASELINE], queries["scalar subquery"])
        for size in ("small", "large"):
            self.processes(size)

    def sizes_and_forms(self, size):
        queries = forms(f"probe_keys_{size}", f"keys_{size}")
        for form in self.FORMS:
            self.both(f"{size}, {form}", queries[BASELINE], queries[form], size)

    def both(self, case, baseline, sql, size=None):
        """A comparison of the rows, and the probe both ways, in turns."""
        with self.bench.session() as session:
            self.bench.time(session, case, BASELINE, self.bench.rows, baseline)
        for what, batch in BATCH:
            with self.bench.session() as session:
                session.do(f"SET ribbon.batch = {batch}")
                if size is not None:
                    session.do("SET plan_cache_mode = force_generic_plan")
                    session.do(
                        "PREPARE parameter(ribbonfilter) AS"
                        f" SELECT count(*) FROM probe_keys_{size} WHERE $1 @> user_id"
                    )
                self.bench.time(session, case, what, self.bench.rows, sql)

    def processes(self, size):
        """A parallel plan for one worker, with the leader's help, against a serial one."""
        queries = forms(f"probe_keys_{size}", f"keys_{size}")
        for workers, what in ((0, "one process"), (1, "two processes")):
            settings = {"max_parallel_workers_per_gather": workers, **WORKERS}
            with self.bench.session(**settings) as session:
                for form in ("scalar subquery", Forms.JOIN):
                    plan, _ = session.explain(queries[form], "COSTS OFF")
                    planned = max(node.get("Workers Planned", 0) for node in nodes(plan or {}))
                    note = "" if planned == workers else "no parallel plan"
                    self.bench.time(session, f"{size}, {form}, processes", what, self.bench.rows, queries[form], note)


def large_from(table, condition):
    return f"SELECT count(*) FROM {table} WHERE {condition}"
