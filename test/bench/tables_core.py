"""tables_core.py - of the core: what run.sh and hostile.c have measured, read back, and its tables"""

import csv
import math
import re
import statistics
import textwrap

import plots
from figures import Rounds, figure, least_bits, number, overhead, ratio, several, size_limit, table

TIMES = ("build", "members", "nonmembers", "mixed", "batch16", "batch1024")
RATES = ((0.5, "0.5"), (0.3, "0.3"), (0.01, "1 %"), (1 / 256, "2^-8"), (0.001, "0.1 %"))


class Filter:
    """A filter that was timed: one of ours or of a peer, all sizes and rounds."""

    def __init__(self, library, config, kernel=None):
        self.library = library
        self.config = config
        self.ours = library == "ribbon"
        self.figures = Rounds()  # of (keys, column)

        width = re.search(r"w(\d+)", config)
        bits = re.search(r"r(\d+)", config)
        self.homogeneous = "homog" in config
        self.width = int(width.group(1)) if width else 64
        self.bits = int(bits.group(1)) if bits else 8
        self.kernel = kernel or (config.split("-", 3)[3] if self.ours else None)

    @property
    def name(self):
        """As tables call it.  A peer that says whose it is need not say it twice."""
        if not self.ours and not self.config.startswith(self.library):
            return f"{self.library} {self.config}"
        if not self.ours:
            return self.config
        kind = "homogeneous" if self.homogeneous else "BuRR"
        return f"ribbon, {kind} w {self.width}"

    def get(self, keys, column):
        return self.figures.median((keys, column))

    def keys(self):
        return sorted({keys for keys, _ in self.figures.rounds})

    def ratio(self, other, keys, column, other_column=None):
        return self.figures.ratio((keys, column), (keys, other_column or column), other.figures)

    def query_and_build(self, keys):
        """Build, and one probe each of a member, a non-member and either."""
        parts = [self.get(keys, c) for c in TIMES[:4]]
        return None if None in parts else sum(parts)

    def overhead(self, keys):
        """Bits per key over log2(1/FPR), minus one."""
        return overhead(self.get(keys, "bits"), self.get(keys, "fpr"))


class Results:
    def __init__(self, directory):
        self.directory = directory
        with open(f"{directory}/machine.csv") as f:
            self.machine = dict(line.rstrip("\n").split(",", 1) for line in f)
        self.kernels = self.machine["kernels"].split()
        self.one_size = int(self.machine["one_size"])
        self.filters = []  # in the order measured
        self.keys = []
        self._read_times(f"{directory}/results.csv")
        with open(f"{directory}/sizes.csv", newline="") as f:
            self.sizes = [
                {c: v if c == "kind" else float(v) for c, v in row.items()}
                for row in csv.DictReader(f)
            ]

    def _read_times(self, path):
        filters = {}
        with open(path, newline="") as f:
            for row in csv.DictReader(f):
                key = row["library"], row["config"]
                if key not in filters:
                    filters[key] = Filter(*key)
                    self.filters.append(filters[key])
                keys = int(row["keys"])
                for column in TIMES + ("bits", "fpr", "memory"):
                    if row[column]:
                        filters[key].figures.add((keys, column), row["round"], row[column])
        self.keys = sorted({k for f in self.filters for k in f.keys()})

    def ours(self, **wanted):
        """Our filters, at 8 bits and with the best kernel if not said otherwise."""
        wanted = {"bits": 8, "kernel": self.kernels[0], **wanted}
        return [
            f
            for f in self.filters
            if f.ours and all(getattr(f, k) == v for k, v in wanted.items())
        ]

    def peers(self):
        return [f for f in self.filters if not f.ours]

    def like(self, peer):
        """Our filter to compare a peer with: its kind and width, else w 64."""
        same = self.ours(
            homogeneous=peer.homogeneous, width=peer.width, bits=peer.bits
        )
        return (same or self.ours(homogeneous=False, width=64))[0]

    def size_rows(self, kind, width, fpr):
        """Rows of sizes.csv by number of keys."""
        return {
            int(row["keys"]): row
            for row in self.sizes
            if (row["kind"], row["width"]) == (kind, width)
            and math.isclose(row["fpr"], fpr, rel_tol=1e-6)
        }


def machine(results):
    m = results.machine
    cache = int(m["cache"]) >> 20
    return textwrap.wrap(
        f"{m['cpu']}, {m['cpus']} CPUs" + (f", {cache} MB L3 cache" if cache else "") + "; "
        f"{m['compiler']}; kernels {', '.join(results.kernels)}. Medians of "
        f"{m['rounds']} round{'' if m['rounds'] == '1' else 's'}; "
        f"the run took {max(1, round(int(m['seconds']) / 60))} min.",
        120,
    )


def build(results):
    head = ["build, ns/key", "bits/key", "FPR %", "memory B/key"]
    rows = []
    for f in results.ours() + results.peers():
        keys = f.keys()[-1]
        memory = f.get(keys, "memory")
        rows.append(
            [
                f.name,
                f"{f.get(keys, 'bits'):.3f}",
                f"{100 * f.get(keys, 'fpr'):.3f}",
                figure(memory),
            ]
            + [figure(f.get(k, "build")) for k in results.keys]
        )
    return table(head + [number(k) for k in results.keys], rows)


def probe_cells(f, keys):
    return [
        several(*(figure(f.get(k, c)) for c in ("members", "nonmembers", "mixed")))
        for k in keys
    ]


def probe(results):
    return table(
        ["probe, ns: members / non-members / mixed"] + [number(k) for k in results.keys],
        [
            [f.name] + probe_cells(f, results.keys)
            for f in results.ours() + results.peers()
        ],
    )


def batch_cells(f, keys):
    return [
        several(*(figure(f.get(k, c)) for c in ("mixed", "batch16", "batch1024")))
        for k in keys
    ]


def batch(results):
    return table(
        ["mixed probes, ns: single / batches of 16 / of 1024"]
        + [number(k) for k in results.keys],
        [[f.name] + batch_cells(f, results.keys) for f in results.ours()],
    )


def ratios(results):
    """Ours to each peer, size by size."""
    rows = []
    for peer in results.peers():
        ours = results.like(peer)
        for keys in results.keys:
            if ours.get(keys, "build") is None or peer.get(keys, "build") is None:
                continue
            columns = ("build", "members", "nonmembers", "mixed")
            cells = [ratio(ours.ratio(peer, keys, c)) for c in columns]
            cells += [
                ratio(ours.ratio(peer, keys, c, "mixed"))
                for c in ("batch16", "batch1024")
            ]
            cells.append(f"{ours.ratio(peer, keys, 'bits'):.3f}")
            rows.append([f"{ours.name} : {peer.name}", number(keys)] + cells)
    if not rows:
        return ["No other library was measured."]
    head = ["ours : theirs", "keys", "build", "members", "non-members", "mixed"]
    return table(head + ["batch 16 : mixed", "batch 1024 : mixed", "bits"], rows)


def kernels(results):
    """Each width with each kernel."""
    rows = []
    for width in (64, 32, 128):
        for name in results.kernels:
            for f in results.ours(kernel=name, width=width, homogeneous=False):
                rows.append(
                    [f"w {width}, {name}", figure(f.get(results.one_size, "build"))]
                    + batch_cells(f, [results.one_size])
                )
    head = [
        f"{number(results.one_size)} keys",
        "build, ns/key",
        "mixed probes, ns: single / batches of 16 / of 1024",
    ]
    return table(head, rows)


def widths(results):
    """Result bits and widths, with the best kernel."""
    keys = results.one_size
    all_bits = sorted({f.bits for f in results.filters if f.ours})
    rows = []
    for bits in all_bits:
        row = [str(bits)]
        for width in (32, 64, 128):
            for f in results.ours(bits=bits, width=width, homogeneous=False):
                row += [figure(f.get(keys, "build"))] + batch_cells(f, [keys])
        rows.append(row)
    head = ["result bits"]
    for width in (32, 64, 128):
        head += [f"w {width}: build", "single / 16 / 1024"]
    return table(head, rows)


def powers_of_ten(results):
    keys = results.size_rows("burr", 0, 1 / 256)
    return [k for k in keys if str(k).strip("0") == "1"]


def sizes(results):
    """Bytes, and their ratio to the least; bold if over the limit."""
    rows = []
    for keys in powers_of_ten(results):
        row = [number(keys)]
        for fpr, _ in RATES:
            r = results.size_rows("burr", 0, fpr)[keys]
            ratio = r["bytes"] / (keys * least_bits(fpr) / 8)
            cell = f"{number(r['bytes'])} ({ratio:.{4 if ratio < 1.1 else 2}f})"
            over = r["most_bytes"] > size_limit(keys, fpr)
            row.append(f"**{cell}**" if over else cell)
        rows.append(row)
    lines = table(["keys"] + [f"FPR {name}" for _, name in RATES], rows)

    measured = 0
    over = []
    for fpr, name in RATES:
        series = results.size_rows("burr", 0, fpr)
        excess = {k: r["most_bytes"] / size_limit(k, fpr) for k, r in series.items()}
        sizes_over = [f"{number(k)} ({x:.4f})" for k, x in excess.items() if x > 1]
        measured += len(series)
        if sizes_over:
            over.append((len(sizes_over), f"* FPR {name}: {', '.join(sizes_over)}"))
    within = measured - sum(n for n, _ in over)
    lines += ["", f"Of {measured} sizes measured, {within} keep within the limit in every set."]
    if over:
        lines += ["Over it, with the ratio of the largest to the limit:", ""]
        lines += [text for _, text in over]
    return lines


def rates(results):
    """FPR expected and measured, over the one asked for."""
    series = [("burr", 0, fpr, f"BuRR {name}") for fpr, name in RATES]
    series += [
        ("homogeneous", 64, 0.01, "homogeneous 1 %"),
        ("homogeneous", 64, 1 / 256, "homogeneous 2^-8"),
    ]
    rows = []
    for keys in powers_of_ten(results):
        row = [number(keys)]
        for kind, width, fpr, _ in series:
            r = results.size_rows(kind, width, fpr)[keys]
            error = (fpr * (1 - fpr) / r["nonmembers"]) ** 0.5 / fpr
            row.append(
                f"{r['expected_fpr'] / fpr:.3f} / {r['measured_fpr'] / fpr:.3f} ± {error:.3f}"
            )
        rows.append(row)
    return table(["keys"] + [name for *_, name in series], rows)


def small(results):
    """Small sets beside a large one of their own: medians of the rounds, and of the ratios within each."""
    rounds = {}
    with open(f"{results.directory}/small.csv", newline="") as f:
        for r, what, keys, build, probe, _ in csv.reader(f):
            rounds.setdefault((what, int(keys)), {})[r] = (float(build), float(probe))
    large = max(keys for _, keys in rounds)
    rows = []
    for (what, keys), figures in rounds.items():
        cells = []
        for i, most in ((0, 1.5), (1, 1.1)):
            beside = statistics.median(x[i] / rounds[what, large][r][i] for r, x in figures.items())
            cell = figure(statistics.median(x[i] for x in figures.values()))
            if keys < large:
                cell += f" (**{ratio(beside)}**)" if beside > most else f" ({ratio(beside)})"
            cells.append(cell)
        rows.append([what, number(keys)] + cells)
    return table(["set", "keys", "build, ns/key (at most 1.5)", "probe of a member, ns (at most 1.1)"], rows)


# ---- each kernel, beside others and beside other libraries ----


def read_kernels(path):
    """Filters as they are timed with a kernel, or compiled for it, in the order measured."""
    filters = {}
    with open(path, newline="") as f:
        for rnd, kernel, library, config, keys, build, _, _, mixed, *_ in csv.reader(f):
            said = Filter(library, config, kernel)
            said = filters.setdefault((kernel, said.name, said.homogeneous, said.ours), said)
            for column, text in (("build", build), ("mixed", mixed)):
                said.figures.add((int(keys), column), rnd, text)
    return list(filters.values())


def kernel_times(filters, keys):
    rows = [
        [f"{f.name}, {f.kernel if f.ours else 'for ' + f.kernel}"]
        + [several(*(figure(f.get(k, c)) for c in ("build", "mixed"))) for k in keys]
        for f in sorted(filters, key=lambda f: (not f.ours, f.name))
    ]
    return table(["build / mixed probe, ns"] + [number(k) for k in keys], rows)


def kernel_ratios(filters, keys):
    """A kernel to the portable one, and to each peer of its kind that was compiled for it."""
    rows = []
    for mine in filters:
        for theirs in filters:
            slower = theirs.ours and mine.name == theirs.name and theirs.kernel == "portable" != mine.kernel
            peer = not theirs.ours and theirs.kernel == mine.kernel and mine.homogeneous == theirs.homogeneous
            if mine.ours and (slower or peer):
                rows.append([f"{mine.name}, {mine.kernel} : {theirs.kernel if slower else theirs.name}"]
                            + [several(*(ratio(mine.ratio(theirs, k, c)) for c in ("build", "mixed"))) for k in keys])
    return table(["build / mixed probe"] + [number(k) for k in keys], rows)


# ---- hostile keys ----


def worst(rows, column):
    row = max(rows, key=lambda r: float(r[column]))
    return f"{float(row[column]):.2f}" + (f" ({row['family']})" if column == "ratio" else "")


def hostile(directory):
    """Of all families and rates, the one that takes longest, and the largest."""
    with open(f"{directory}/hostile.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    filters = list(dict.fromkeys((r["kind"], r["width"]) for r in rows))
    sizes = list(dict.fromkeys(int(r["keys"]) for r in rows))
    lines = []
    for kind, width in filters:
        line = [f"{'BuRR' if kind == 'burr' else kind} w {width}"]
        for keys in sizes:
            these = [r for r in rows if (r["kind"], r["width"], int(r["keys"])) == (kind, width, keys)]
            line.append(f"{worst(these, 'ratio')}, {worst(these, 'larger')}")
        lines.append(line)
    return table(["time, size / those of random keys"] + [f"{number(k)} keys" for k in sizes], lines)


# ---- the parts of report.py ----

TABLES = (machine, build, probe, batch, ratios, kernels, widths, small, sizes, rates)


def core_tables(directory, plots_into):
    results = Results(directory)
    plots.write(results, plots_into)
    return {f.__name__: f(results) for f in TABLES}


def kernel_tables(directory, _):
    filters = read_kernels(f"{directory}/kernels.csv")
    keys = sorted({k for f in filters for k in f.keys()})
    return {"by-kernel": kernel_times(filters, keys), "kernel-ratios": kernel_ratios(filters, keys)}


def hostile_tables(directory, _):
    return {"hostile": hostile(directory)}
