#!/usr/bin/python3
"""report.py - tables and plots of what run.sh measured

usage: report.py RESULTS [DOCS]

Prints the tables of the results in directory RESULTS and puts the plots beside
them.  With DOCS, instead, writes the tables into DOCS/developer/benchmarks.md, each
between its lines <!-- begin: NAME --> and <!-- end: NAME -->, and the plots
into DOCS.
"""

import csv
import re
import statistics
import sys
import textwrap

sys.dont_write_bytecode = True
import plots
from results import Results, least_bits, size_limit

RATES = ((0.5, "0.5"), (0.3, "0.3"), (0.01, "1 %"), (1 / 256, "2^-8"), (0.001, "0.1 %"))


def number(n):
    return f"{n:,.0f}"


def figure(x):
    """Three digits are all that a time is worth."""
    if x is None:
        return ""
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}"


def ratio(x):
    return "" if x is None else f"{x:.2f}"


def several(*texts):
    return " / ".join(texts) if any(texts) else ""


def table(head, rows):
    """Lines of a table; columns but the first are figures."""
    lines = ["| " + " | ".join(head) + " |"]
    lines.append("| --- |" + " ---: |" * (len(head) - 1))
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return lines


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


TABLES = (machine, build, probe, batch, ratios, kernels, widths, small, sizes, rates)


def fill_in(text, name, lines):
    """Put lines between the markers of this name."""
    begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"report.py: no place for the table: {begin} ... {end}")
    return pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)


def publish(tables, docs, page="benchmarks"):
    """Print tables (a list of lines by name), or write them into a page of docs/developer."""
    if not docs:
        for name, lines in tables.items():
            print(f"\n{name}\n", *lines, sep="\n")
        return
    path = f"{docs[0]}/developer/{page}.md"
    with open(path) as f:
        text = f.read()
    for name, lines in tables.items():
        text = fill_in(text, name, lines)
    with open(path, "w") as f:
        f.write(text)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: report.py RESULTS [DOCS]")
    results = Results(sys.argv[1])
    publish({f.__name__: f(results) for f in TABLES}, sys.argv[2:])
    plots.write(results, sys.argv[-1])


if __name__ == "__main__":
    main()
