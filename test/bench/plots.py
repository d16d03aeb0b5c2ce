"""plots.py - the two pictures of docs/developer/benchmarks.md, as SVG

	size.svg	how much more than the least a filter takes, by number of keys
	plane.svg	time against overhead, as in figure 4 of the BuRR paper

A picture brings its own background and a second set of colours, so that it can
be read on light and dark pages.
"""

import csv
import math
import os
from html import escape

from figures import overhead, size_limit

FONT = 12
STYLE = """
text { font: 12px sans-serif; fill: #222 }
text.title { font-weight: bold; font-size: 13px }
text.soft { fill: #666 }
.page { fill: #fff }
.grid { stroke: #ddd; fill: none }
.frame { stroke: #888; fill: none }
.line { fill: none; stroke-width: 2 }
.thin { stroke-width: 1 }
.dash { stroke-dasharray: 5 4 }
.a { stroke: #1d4ed8 } .dot.a { fill: #1d4ed8 } text.a { fill: #1d4ed8 }
.b { stroke: #b45309 } .dot.b { fill: #b45309 } text.b { fill: #b45309 }
.c { stroke: #15803d } .dot.c { fill: #15803d } text.c { fill: #15803d }
.peer { stroke: #444 } .dot.peer { fill: #444 }
.other { stroke: #888; fill: none }
text.a, text.b, text.c { stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #ddd }
text.soft { fill: #999 }
.page { fill: #15181d }
.grid { stroke: #333 }
.frame { stroke: #777 }
.a { stroke: #7aa7ff } .dot.a { fill: #7aa7ff } text.a { fill: #7aa7ff }
.b { stroke: #f0a04b } .dot.b { fill: #f0a04b } text.b { fill: #f0a04b }
.c { stroke: #5fce85 } .dot.c { fill: #5fce85 } text.c { fill: #5fce85 }
.peer { stroke: #ccc } .dot.peer { fill: #ccc }
.other { stroke: #888; fill: none }
}
"""


class Picture:
    def __init__(self, width, height):
        self.size = width, height
        self.parts = []
        self.taken = []  # boxes of labels and points

    def add(self, tag, text=None, **attributes):
        """An element; class_ for class, stroke_width for stroke-width."""
        given = "".join(
            f' {k.rstrip("_").replace("_", "-")}="{round(v, 1) if isinstance(v, float) else v}"'
            for k, v in attributes.items()
        )
        body = "/>" if text is None else f">{escape(text)}</{tag}>"
        self.parts.append(f"<{tag}{given}{body}")

    def text(self, x, y, text, anchor="start", class_=""):
        self.add("text", text, x=x, y=y, text_anchor=anchor, class_=class_)

    def line(self, points, class_):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add("polyline", points=path, class_=f"line {class_}")

    def dot(self, x, y, class_, radius=4):
        self.add("circle", cx=x, cy=y, r=radius, class_=class_)
        self.taken.append((x - 5, y - 5, x + 5, y + 5))

    def label(self, x, y, text, class_, area):
        """Text beside a point, where it covers least, inside the area."""
        width = 0.56 * FONT * len(text)
        places = [(8, dy, "start") for dy in (4, -1, 9)]
        places += [(-8, dy, "end") for dy in (4, -1, 9)]
        for dy in (16, 26, 38, 50):
            for sign in (-1, 1):
                places += [(0, 4 + sign * dy, a) for a in ("middle", "start", "end")]
        best = None
        for dx, dy, anchor in places:
            left = x + dx - {"start": 0, "middle": width / 2, "end": width}[anchor]
            box = (left, y + dy - 9, left + width, y + dy + 2)
            if box[0] < area[0] or box[2] > area[2] or box[1] < area[1] or box[3] > area[3]:
                continue
            covers = sum(overlap(box, other) for other in self.taken)
            if best is None or covers < best[0]:
                best = covers, box, (x + dx, y + dy, text, anchor, class_)
        if best is not None:
            self.taken.append(best[1])
            self.text(*best[2])

    def write(self, path):
        width, height = self.size
        with open(path, "w") as f:
            f.write(
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                f'width="{width}" height="{height}">\n<style>{STYLE}</style>\n'
                '<rect width="100%" height="100%" class="page"/>\n'
            )
            f.write("\n".join(self.parts) + "\n</svg>\n")


def overlap(a, b):
    """The area that two boxes share."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return max(width, 0) * max(height, 0)


class Axes:
    """A frame in a picture with a logarithmic scale on both sides."""

    def __init__(self, picture, box, x_range, y_range):
        self.picture = picture
        self.box = box  # left, top, right, bottom
        self.x_range = x_range
        self.y_range = y_range

    def at(self, x, y):
        left, top, right, bottom = self.box
        return (
            left + (right - left) * place(x, self.x_range),
            bottom - (bottom - top) * place(y, self.y_range),
        )

    def draw(self, title, x_ticks, y_ticks, x_name, y_name):
        """Ticks are pairs of a figure and how it is written."""
        left, top, right, bottom = self.box
        p = self.picture
        for x, name in x_ticks:
            at = self.at(x, self.y_range[0])[0]
            p.line([(at, top), (at, bottom)], "thin grid")
            p.text(at, bottom + 16, name, "middle", "soft")
        for y, name in y_ticks:
            at = self.at(self.x_range[0], y)[1]
            p.line([(left, at), (right, at)], "thin grid")
            p.text(left - 6, at + 4, name, "end", "soft")
        p.add("rect", x=left, y=top, width=right - left, height=bottom - top, class_="frame")
        p.text(left, top - 26, title, class_="title")
        p.text(left, top - 9, y_name, class_="soft")
        p.text((left + right) / 2, bottom + 34, x_name, "middle", "soft")


def place(value, limits):
    """From 0 to 1, on a logarithmic scale; what is outside goes to the edge."""
    low, high = (math.log(limit) for limit in limits)
    if value <= 0:
        return 0
    return min(max((math.log(value) - low) / (high - low), 0), 1)


def percent(x):
    return x, f"{x:g} %"


def power(n):
    """1, 10, 100, 1,000, ... in short."""
    return n, f"{n:,}" if n < 1000000 else f"{n // 1000000} million"


def size_plot(results, path):
    """Overhead by number of keys."""
    rate = 1 / 256
    picture = Picture(760, 420)
    most = max(results.size_rows("burr", 0, rate))
    axes = Axes(picture, (64, 56, 610, 366), (1, most), (0.05, 200))
    axes.draw(
        "Size of a filter, all bytes counted, false-positive rate 1/256",
        [power(10**i) for i in range(0, int(math.log10(most)) + 1)],
        [percent(y) for y in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)],
        "keys",
        "over the least possible, 8 bits per key",
    )

    grid = [10 ** (i / 50) for i in range(0, int(50 * math.log10(most)) + 1)]
    limit = [(n, 100 * (size_limit(n, rate) / n - 1)) for n in grid]
    bottom = axes.at(1, 0)[1]
    series = [
        ("Bloom filter, in theory", "other", [(n, 44.27) for n in (1, most)]),
        # more than this for fewer keys
        ("xor filter", "other", [(n, 23) for n in (1e6, most) if most > 1e6]),
        ("binary fuse, 3-wise", "other", [(n, 13) for n in (1e6, most) if most > 1e6]),
        ("0.3 % and 12 bytes", "b dash", limit),
    ]
    for label, class_, kind, width in (
        ("homogeneous w 64", "c", "homogeneous", 64),
        ("BuRR w 64", "a", "burr", 0),
        ("BuRR w 128", "a dash", "burr", 128),
    ):
        rows = results.size_rows(kind, width, rate)
        points = [(n, 100 * (row["bytes"] / n - 1)) for n, row in sorted(rows.items())]
        series.append((label, class_, points))
    names = []
    series = [s for s in series if s[2]]
    for label, class_, points in sorted(series, key=lambda s: -s[2][-1][1]):
        line = [axes.at(x, y) for x, y in points if y <= axes.y_range[1]]
        color = class_.split()[0]
        picture.line(line, f"thin {class_}" if color == "other" else class_)
        if color in "ac":
            for x, y in line:
                picture.dot(x, y, f"dot {color}", 2)
        y = line[-1][1]
        while any(abs(y - other) < 14 for other in names):
            y += 1
        names.append(y)
        picture.text(616, y + 4, label, class_="soft" if color == "other" else color)
    picture.write(path)


def read_published():
    """Figures that were not measured in this run."""
    path = os.path.join(os.path.dirname(__file__), "published.csv")
    with open(path, newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return [{k: v if k == "label" else float(v) for k, v in row.items()} for row in rows]


def plane_sizes(results):
    """One million keys and ten, or else the largest that were measured."""
    usual = [k for k in results.keys if k in (1000000, 10000000)]
    return usual if len(usual) == 2 else results.keys[-2:]


def plane_plot(results, path):
    """Time against overhead, one frame for each of two numbers of keys."""
    picture = Picture(980, 510)
    published = read_published()
    sizes = plane_sizes(results)
    points = {keys: [] for keys in sizes}
    for f in results.ours() + results.peers():
        for keys in sizes:
            time = f.query_and_build(keys)
            if time is not None:
                class_ = "dot a" if f.ours else "dot peer"
                points[keys].append((100 * f.overhead(keys), time, f.name, class_))
    for row in published:
        if row["keys"] in points:
            time = sum(row[c] for c in ("build", "members", "nonmembers", "mixed"))
            x = 100 * overhead(row["bits"], row["fpr"])
            points[row["keys"]].append((x, time, row["label"], "other"))

    times = [p[1] for keys in sizes for p in points[keys]]
    ticks = [t * 10**i for i in range(4) for t in (1, 2, 5)]
    low = max([t for t in ticks if t <= min(times) / 1.1] or [1])
    high = min([t for t in ticks if t >= 1.15 * max(times)] or [max(times)])
    for i, keys in enumerate(sizes):
        left = 56 + i * 480
        axes = Axes(picture, (left, 56, left + 420, 422), (0.03, 90), (low, high))
        axes.draw(
            f"{keys:,} keys",
            [percent(x) for x in (0.1, 0.3, 1, 3, 10, 30)],
            [(t, f"{t:g}") for t in ticks if low <= t <= high],
            "bits per key over log2(1/FPR)",
            "ns per key: build + probes of a member, a non-member, either",
        )
        placed = [(axes.at(x, y), name, class_) for x, y, name, class_ in points[keys]]
        for (x, y), _, class_ in placed:
            picture.dot(x, y, class_)
        for (x, y), name, class_ in placed:
            color = "a" if " a" in class_ else "soft" if class_ == "other" else ""
            picture.label(x, y, name, color, axes.box)

    y = 482
    for x, class_, text in (
        (60, "dot a", "ribbon, measured"),
        (230, "dot peer", "other libraries, measured in the same run"),
        (520, "other", "published.csv: an earlier run, not repeated"),
    ):
        picture.dot(x, y, class_)
        picture.text(x + 10, y + 4, text)
    picture.write(path)


def write(results, directory):
    size_plot(results, f"{directory}/size.svg")
    plane_plot(results, f"{directory}/plane.svg")
