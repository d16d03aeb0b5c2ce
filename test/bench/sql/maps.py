"""maps.py - what maps cost: to build, for each row beside a join, and many stored ones

Each class is a section of measure.py: made once, it sets up its tables; measure()
is one round.
"""

from probing import Many


class MapBuild:
    """One group of all rows: keys of bigint, values of 0 .. 255."""

    WAYS = ("count(k)", "ribbon_map(k, v)", "ribbon_build(k)")

    def __init__(self, bench):
        self.bench = bench
        self.table = bench.data.table(
            "pairs", f"SELECT k, (k & 255)::smallint AS v FROM {bench.data.keys()}"
        )

    def measure(self):
        for work_mem in ("4MB", "256MB"):
            with self.bench.session(work_mem=work_mem) as session:
                for way in self.WAYS:
                    sql = f"SELECT {way} IS NULL FROM {self.table}"
                    self.bench.time(session, work_mem, way, self.bench.rows, sql)


class MapRows:
    """Rows of members, each with the value of its key: by a map, and by a join."""

    def __init__(self, bench):
        self.bench = bench
        data = bench.data
        self.rows = data.probe(size="small", members=100)
        self.dimension = data.table(
            "dimension", f"SELECT k, (k & 255)::smallint AS v FROM {data.keys(size='small')}"
        )
        data.table("maps", f"SELECT ribbon_map(k, v) AS map FROM {self.dimension}")
        data.table("bare_maps", f"SELECT ribbon_map(k, v, 1) AS map FROM {self.dimension}")

    def measure(self):
        ways = {
            "sum(k)": f"SELECT sum(user_id & 255) FROM {self.rows}",
            "sum(map -> k)": f"SELECT sum((SELECT map FROM maps) -> user_id) FROM {self.rows}",
            "sum(map -> k), no check bits": "SELECT sum((SELECT map FROM bare_maps) -> user_id)"
            f" FROM {self.rows}",
            "sum(map -> k), one-row join": f"SELECT sum(map -> user_id) FROM {self.rows}, maps",
        }
        join = f"SELECT sum(v) FROM {self.rows} JOIN {self.dimension} ON user_id = k"
        answers = set()
        for work_mem in ("4MB", "64MB"):
            with self.bench.session(work_mem=work_mem) as session:
                for what, sql in {**ways, "join": join}.items():
                    result = self.bench.time(session, work_mem, what, self.bench.rows, sql)
                    answers.add(result.value)
        if len(answers) > 1:
            self.bench.record("", "answers differ", self.bench.rows, "", None, str(answers))


class ManyMaps(Many):
    """One key against many stored maps of all sizes."""

    TABLE, AGGREGATE = "many_maps", "ribbon_map(k, (k & 255)::smallint)"
    PROBE = "SELECT count(members -> 42::bigint) FROM many_maps"
