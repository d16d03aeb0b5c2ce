"""goals.py - a build, many groups, rows by the page: what has goals (test/bench/goals.py)

A section of measure.py, in one or two minutes beside its tables.
"""

from probing import BASELINE, forms


class Goals:
    """One statement beside another for each goal; the second is what it is compared with."""

    def __init__(self, bench):
        self.bench = bench
        data = bench.data
        keys = data.keys()
        self.pairs = [
            (f"build, {work_mem}", {"work_mem": work_mem}, bench.rows,
             f"SELECT ribbon_build(k) IS NULL FROM {keys}", f"SELECT count(k) FROM {keys}")
            for work_mem in ("4MB", "256MB")
        ]
        groups = bench.rows // 100
        for size in (10, 100):
            table = data.table(
                f"groups_of_{size}",
                f"SELECT (i % {groups})::int AS g, member(i) AS k FROM generate_series(1::bigint, {size * groups}) i",
            )
            sql = f"SELECT count(a) FROM (SELECT {{}}(k) AS a FROM {table} GROUP BY g) s"
            self.pairs.append((f"groups of {size}", {"work_mem": "2GB", "enable_sort": "off"}, groups,
                               sql.format("ribbon_build"), sql.format("array_agg")))
        data.sets["huge"] = bench.huge
        for size in ("large", "huge") if bench.huge else ("large",):
            queries = forms(data.probe(size=size), data.filter(size=size))
            self.pairs.append((f"pages, {size}", {}, bench.rows, queries["scalar subquery"], queries[BASELINE]))

    def measure(self):
        for case, settings, count, *statements in self.pairs:
            with self.bench.session(**settings) as session:
                for what, sql in zip(("ours", "other"), statements):
                    self.bench.time(session, case, what, count, sql)
