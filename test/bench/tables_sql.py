"""tables_sql.py - of the extension: what sql/run.sh has measured, read back, and its tables"""

import csv
import statistics
import textwrap

from figures import Rounds, number, table

WORK_MEMS = ("4MB", "256MB")
SIZES = ("small", "large")


class Figures:
    """sql.csv, read back: figures of (section, case, what, unit, count)."""

    def __init__(self, directory):
        with open(f"{directory}/sql_machine.csv") as f:
            self.machine = dict(line.rstrip("\n").split(",", 1) for line in f)
        self.figures = Rounds()
        self.notes = {}  # the same -> its last note
        with open(f"{directory}/sql.csv", newline="") as f:
            for row in csv.DictReader(f):
                key = tuple(row[c] for c in ("section", "case", "what", "unit"))
                key += (int(row["count"]),)
                self.notes[key] = row["note"]
                self.figures.add(key, row["round"], row["figure"])

    def keys(self, section, unit="ms"):
        """(case, what, count) of a section, in the order measured."""
        return [(k[1], k[2], k[4]) for k in self.figures.rounds if k[0] == section and k[3] == unit]

    def has(self, section):
        return any(k[0] == section for k in self.figures.rounds)

    def counts(self, section):
        return sorted({k[4] for k in self.figures.rounds if k[0] == section and k[3]})

    def _key(self, section, case, what, unit, count):
        if count is None:
            count = next((k[4] for k in self.figures.rounds if k[:4] == (section, case, what, unit)), 0)
        return section, case, what, unit, count

    def of(self, section, case, what, unit="ms", count=None):
        """Figures by round."""
        return self.figures.of(self._key(section, case, what, unit, count))

    def note(self, section, case, what, unit="ms", count=None):
        return self.notes.get(self._key(section, case, what, unit, count), "")

    def median(self, section, case, what, unit="ms", count=None):
        return self.figures.median(self._key(section, case, what, unit, count))

    def most(self, *key, **more):
        return max(self.of(*key, **more).values(), default=None)

    def each(self, section, case, what, **more):
        """Nanoseconds for each key, row or probe."""
        ms = self.median(section, case, what, **more)
        count = self._key(section, case, what, "ms", more.get("count"))[4]
        return None if ms is None else 1e6 * ms / count

    def ratio(self, section, case, what, base, base_case=None, per=1):
        mine, theirs = (self._key(section, c, w, "ms", None) for c, w in ((case, what), (base_case or case, base)))
        return self.figures.ratio(mine, theirs, per=per)


def digits(x, n=3):
    if x is None:
        return ""
    return f"{x:,.0f}" if abs(x) >= 10 ** (n - 1) else f"{x:.{n}g}"


def times(x):
    return "" if x is None else f"{x:.2f}"


def machine(f):
    m = f.machine
    return textwrap.wrap(
        f"{m['cpu']}, {m['cpus']} CPUs; PostgreSQL {m['server_version']},"
        f" shared_buffers {m['shared_buffers']}; {number(int(m['rows']))} rows. Medians of"
        f" {m['rounds']} round{'' if m['rounds'] == '1' else 's'}; the run took"
        f" {max(1, round(int(m['seconds']) / 60))} min.", 120)


# ---- what is aimed at ----


def build_targets(f):
    for kind in ("bigint", "text", "uuid"):
        for work_mem in WORK_MEMS:
            case = f"{kind}, {work_mem}"
            for way, target in (("ribbon_build(k)", 3), ("transition(k)", 1.6)):
                ratio = f.ratio("build", case, way, "count(k)")
                yield f"{way} : count(k), {kind}, work_mem {work_mem}", ratio, "x", target


def memory_targets(f):
    for n in f.counts("memory"):
        for mem in (4, 64):
            case = f"work_mem {mem} MB"
            peak = f.most("memory", case, "peak", unit="MB", count=n)
            size = f.median("memory", case, "filter", unit="MB", count=n) or 0
            yield f"peak memory, {number(n)} keys, {case}", peak, "MB", mem + size + 32


def huge_targets(f):
    counts = f.counts("huge")
    if len(counts) < 2:
        return
    case = "work_mem 256 MB"
    each = [f.each("huge", case, "ribbon_build(k)", count=n) for n in counts]
    ratio = each[1] / each[0] if None not in each else None
    small, huge = map(number, counts)
    yield f"time per key, {huge} keys : {small} keys, {case}", ratio, "x", 1.6
    peak = f.most("huge", case, "peak", unit="MB", count=counts[1])
    size = f.median("huge", case, "filter", unit="MB", count=counts[1]) or 0
    yield f"peak memory, {huge} keys, {case}", peak, "MB", 256 + size + 32


def parallel_targets(f):
    for work_mem in WORK_MEMS:
        for what in ("count(k)", "ribbon_build(k)"):
            ratio = f.ratio("parallel", work_mem, f"{what}, 1 worker", f"{what}, serial")
            target = None if what == "count(k)" else 1 / 1.5
            yield f"{what}: leader and worker : leader alone, work_mem {work_mem}", ratio, "x", target


def groups_targets(f):
    for case, what, n in f.keys("groups"):
        if what != "ribbon_build(k)":
            continue
        label = f"{number(n)} groups {case}"
        memory = f.most("groups", case, what, unit="kB")
        memory = None if memory is None else 1024 * memory / n
        ratio = f.ratio("groups", case, what, "array_agg(k)")
        first = case == "of 10, work_mem 2GB"
        yield f"{label}: memory of a group", memory, "bytes", 600 if first else None
        yield f"{label}: ribbon_build : array_agg", ratio, "x", 1.5 if first else None


def cancel_targets(f):
    for case, what, n in f.keys("cancel"):
        if case == "cancelled":
            target = 100 if what != "pg_sleep" else None
            label = what if what == "pg_sleep" else f"{what}, {number(n)} keys"
            yield f"longest cancel: {label}", f.most("cancel", case, what), "ms", target


def forms_targets(f):
    base, join = "user_id > 0", "one-row join"
    for size, target in (("small", 1.45), ("large", 2.0)):
        n = keys_of(f, size)
        ratio = f.ratio("forms", f"{size}, JIT off", join, base)
        yield f"rows against a stored filter of {n} keys : `{base}`", ratio, "x", target
    for case in dict.fromkeys(case for case, *_ in f.keys("forms")):
        ways = {w: f.median("forms", case, w) for c, w, _ in f.keys("forms") if c == case}
        ways = {w: t for w, t in ways.items() if t is not None and w != base}
        if ways:
            worst, best = max(ways, key=ways.get), min(ways, key=ways.get)
            size, rest = case.split(", ")
            label = f"slowest form : fastest, {keys_of(f, size)} keys, {rest} ({worst} : {best})"
            yield label, ways[worst] / ways[best], "x", 1.15


def keys_of(f, size):
    rows = int(f.machine["rows"])
    return number(rows if size == "large" else max(rows // 10, 1000))


def types_targets(f):
    for kind in ("text", "uuid"):
        ratio = f.ratio("types", kind, "filter", "comparison")
        yield f"{kind} rows against a stored filter : a comparison", ratio, "x", 1.6


def semijoin_targets(f):
    for size, target in (("small", 1 / 2.5), ("large", 1 / 4)):
        for mem in ("4MB", "64MB", "2GB"):
            ratio = f.ratio("semijoin", size, "filter", f"semi-join, {mem}")
            label = f"stored filter : hash semi-join, {keys_of(f, size)} keys, work_mem {mem}"
            yield label, ratio, "x", target


def several_targets(f):
    ratio = f.ratio("several", "8", "filter", "filter", "1", per=8)
    yield "one probe, nested loop over 8 stored filters : over 1", ratio, "x", None


def net(f, section, case, what, base, unit="ms"):
    """Median of what is left of a figure without a base's, by round."""
    mine, bases = f.of(section, case, what, unit=unit), f.of(section, case, base, unit=unit)
    rest = [mine[r] - bases[r] for r in mine if r in bases]
    return statistics.median(rest) if rest else None


def many_targets(f):
    n = f.counts("many")[0]
    for unit, scale, name, target in (("ms", 1000, "us", 3.0), ("blocks", 1, "buffers", 3)):
        figure = net(f, "many", "", "probe", "no probe", unit)
        figure = None if figure is None else scale * figure / n
        yield f"one key against {number(n)} stored filters, each", figure, name, target


def big_targets(f):
    size = f.median("big", "", "filter", unit="MB") or 0
    label = f"one probe of a stored filter of {size:.0f} MB"
    yield label, net(f, "big", "", "probe", "no probe", "blocks"), "buffers", 14
    yield label, f.median("big", "", "probe"), "ms", 0.15


def arrays_targets(f):
    for case in dict.fromkeys(case for case, *_ in f.keys("arrays")):
        single = net(f, "arrays", case, "single calls", "elements")
        array = net(f, "arrays", case, "array calls", "arrays")
        ratio = array / single if array is not None and single is not None and single > 0 else None
        yield f"{case} of 1,000 keys : single calls, net", ratio, "x", 0.5


def filter_arrays_targets(f):
    for case in dict.fromkeys(case for case, *_ in f.keys("filter-arrays")):
        n = f.counts("filter-arrays")[0]
        figure = net(f, "filter-arrays", case, "probes", "no probe")
        figure = None if figure is None else 1e6 * figure / n
        yield f"one {case} key against an array of 100 filters, each", figure, "ns", None


def map_build_targets(f):
    for work_mem in WORK_MEMS:
        for way, target in (("ribbon_map(k, v)", 3.8), ("ribbon_build(k)", None)):
            yield f"{way} : count(k), work_mem {work_mem}", f.ratio("map-build", work_mem, way, "count(k)"), "x", target


def map_rows_targets(f):
    n = keys_of(f, "small")
    for way in ("sum(map -> k)", "sum(map -> k), no check bits", "sum(map -> k), one-row join"):
        ratio = f.ratio("map-rows", "64MB", way, "sum(k)")
        yield f"{way} : sum(k), a stored map of {n} keys", ratio, "x", 1.7
    for mem in ("4MB", "64MB"):
        for way in ("sum(map -> k)", "sum(map -> k), no check bits"):
            ratio = f.ratio("map-rows", mem, way, "join")
            yield f"{way} : hash join with the table of {n} rows, work_mem {mem}", ratio, "x", 1 / 4


def map_many_targets(f):
    n = f.counts("map-many")[0]
    for unit, scale, name, target in (("ms", 1000, "us", 4.0), ("blocks", 1, "buffers", 5)):
        figure = net(f, "map-many", "", "probe", "no probe", unit)
        figure = None if figure is None else scale * figure / n
        yield f"one key against {number(n)} stored maps, each", figure, name, target


TARGETS = {
    "build": build_targets,
    "memory": memory_targets,
    "huge": huge_targets,
    "parallel": parallel_targets,
    "groups": groups_targets,
    "cancel": cancel_targets,
    "forms": forms_targets,
    "types": types_targets,
    "semijoin": semijoin_targets,
    "several": several_targets,
    "many": many_targets,
    "big": big_targets,
    "arrays": arrays_targets,
    "filter-arrays": filter_arrays_targets,
    "map-build": map_build_targets,
    "map-rows": map_rows_targets,
    "map-many": map_many_targets,
}


def targets(f, sections):
    """Each figure beside its target, bold if it misses it."""
    rows = []
    for section in sections:
        if not f.has(section):
            continue
        for label, figure, unit, target in TARGETS[section](f):
            unit = "" if unit == "x" else f" {unit}"
            shown = "none" if figure is None else f"{digits(figure)}{unit}"
            if target is not None and (figure is None or figure > target):
                shown = f"**{shown}**"
            rows.append([label, shown, "" if target is None else f"{digits(target)}{unit}"])
    return table(["what", "figure", "at most"], rows)


# ---- the figures behind ----


def grid(f, section, head, base):
    """Ways down, cases across: nanoseconds each, and times the base's."""
    cases = list(dict.fromkeys(case for case, *_ in f.keys(section)))
    rows = []
    for what in dict.fromkeys(what for _, what, _ in f.keys(section)):
        cells = []
        for case in cases:
            each = f.each(section, case, what)
            if each is None:
                cells.append(f.note(section, case, what) or "")
            elif what == base:
                cells.append(digits(each))
            else:
                cells.append(f"{digits(each)} ({times(f.ratio(section, case, what, base))})")
        rows.append([what] + cells)
    return table([head] + cases, rows)


def map_rows(f):
    return grid(f, "map-rows", "ns/row (times sum(k))", "sum(k)")


def build(f):
    return grid(f, "build", "ns/row (times count)", "count(k)")


def parallel(f):
    return grid(f, "parallel", "ns/row (times serial count(k))", "count(k), serial")


def forms(f):
    return grid(f, "forms", "ns/row (times the baseline)", "user_id > 0")


def shares(f):
    return grid(f, "shares", "ns/row (times the baseline)", "user_id > 0")


def semijoin(f):
    return grid(f, "semijoin", "ns/row (times the filter)", "filter")


def memory(f):
    rows = []
    for section in ("memory", "huge"):
        for case, what, n in f.keys(section, "MB"):
            if what == "peak":
                cells = [
                    digits(f.most(section, case, w, unit="MB", count=n))
                    for w in ("peak", "filter", "temporary files")
                ]
                rows.append([f"{number(n)} keys, {case}"] + cells)
    return table(["MB", "peak, private", "filter", "temporary files"], rows)


def groups(f):
    rows = []
    for case, what, n in f.keys("groups"):
        memory, disk = (
            f.most("groups", case, what, unit=unit) for unit in ("kB", "kB on disk")
        )
        note = f.note("groups", case, what, unit="kB")
        rows.append(
            [f"{number(n)} groups {case}: {what}"]
            + [digits(f.median("groups", case, what))]
            + ["" if x is None else digits(x / 1024) for x in (memory, disk)]
            + [note]
        )
    return table(["", "ms", "memory, MB", "disk, MB", ""], rows)


def pages(f):
    """Rows by the page beside the comparison, with what is aimed at, and beside the same row by row."""
    base, page, row = "user_id > 0", "by the page", "by the row"
    goals = {"tiny": 1.10, "small": 1.25, "large": 1.5, "huge": 2.2, "text": 1.4, "uuid": 1.4, "rows of 140 bytes": 1.6}
    rows = []
    for case in dict.fromkeys(case for case, *_ in f.keys("pages")):
        label = case
        goal = 0.7 if case.endswith("1.5 % of rows pass") else goals.get(case.split(", ")[0])
        beside = f.ratio("pages", case, page, base)
        if case.endswith(", processes"):
            goal = 1 / 1.7 if not f.note("pages", case, "two processes") else None
            beside = f.ratio("pages", case, "two processes", "one process")
            label += ": two beside one"
        by_row = f.ratio("pages", case, page, row)
        shown = [f"**{times(x)}**" if x and most and x > most else times(x) for x, most in ((beside, goal), (by_row, 1))]
        rows.append([label, shown[0], times(goal), shown[1]])
    return table(["by the page", f"beside `{base}`", "at most", "beside the same row by row"], rows)


def failures(f, sections):
    """Notes of what has no figure."""
    rows = [
        [", ".join(filter(None, key[:3])), f.notes[key]]
        for key, figures in f.figures.rounds.items()
        if key[0] in sections and not figures and f.notes[key] != "no parallel plan"
    ]
    return ["", *table(["not measured", "why"], rows)] if rows else []


# The parts of the page, which may have been measured at different times, and the
# sections that each is of.
PARTS = {
    "building": ("build", "memory", "huge", "parallel", "groups", "cancel"),
    "probing": ("forms", "types", "semijoin", "several", "many", "big", "arrays", "filter-arrays"),
    "maps": ("map-build", "map-rows", "map-many"),
}
TABLES = {
    "build": build,
    "parallel": parallel,
    "memory": memory,
    "groups": groups,
    "forms": forms,
    "shares": shares,
    "pages": pages,
    "semijoin": semijoin,
    "map-rows": map_rows,
}


def sql_tables(directory, _):
    f = Figures(directory)
    tables = {}
    for part, sections in PARTS.items():
        if any(map(f.has, sections)):
            tables[f"sql-{part}"] = [*machine(f), "", *targets(f, sections), *failures(f, sections)]
    return tables | {f"sql-{section}": function(f) for section, function in TABLES.items() if f.has(section)}
