#!/usr/bin/python3
"""parameters_plot.py - docs/parameters.svg, of the table in benchmarks_sql.md that bench-parameters prints

usage: test/bench/parameters_plot.py [--check]

For each line of the table two bars, with the client's building of the filter in its bar.
Seconds are logarithmic.  --check fails if the picture is not of the table.
"""

import math
import sys

from plots import STYLE

PAGE, PICTURE = "docs/developer/benchmarks_sql.md", "docs/parameters.svg"
LEFT, RIGHT, LOW, HIGH = 200, 690, 0.1, 100
WAYS = (("built", "a"), ("`= ANY ($1)`", "b"))
NAMES = ("a filter, built, sent and asked", "= ANY ($1)")


def table():
    """Lines of the page's table of parameters, as {column: text}; a cell that is empty says what the one above does."""
    with open(PAGE, encoding="utf-8") as file:
        lines = file.read().split("\n")
    begin = next(at for at, line in enumerate(lines) if line.startswith("| rows |"))
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")]
                      for line in lines[begin:lines.index("", begin)])
    last = [""] * len(head)
    for row in rows:
        last = [cell or above for cell, above in zip(row, last)]
        yield dict(zip(head, last))


def at(seconds):
    return LEFT + (RIGHT - LEFT) * math.log(seconds / LOW) / math.log(HIGH / LOW)


def picture():
    rows = list(table())
    height = 62 + 44 * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" role="img">',
           "<title>Rows whose id is listed: seconds by a filter and by = ANY, logarithmic</title>",
           f"<style>{STYLE}.bar.a {{ fill: #1d4ed8 }} .bar.b {{ fill: #b45309 }}</style>",
           f'<rect class="page" width="720" height="{height}"/>']
    for power in (0.1, 1, 10, 100):
        out.append(f'<path class="grid" d="M{at(power):.0f} 30V{height - 26}"/>')
        out.append(f'<text class="soft" x="{at(power):.0f}" y="{height - 10}" text-anchor="middle">{power} s</text>')
    for number, (name, (_, kind)) in enumerate(zip(NAMES, WAYS)):
        out.append(f'<text class="{kind}" x="{LEFT + 260 * number}" y="20">{name}</text>')
    for number, row in enumerate(rows):
        top = 36 + 44 * number
        out.append(f'<text x="10" y="{top + 15}">{row["ids"]} ids</text>')
        out.append(f'<text class="soft" x="10" y="{top + 31}">{row["workers"]} workers</text>')
        for below, (way, kind) in enumerate(WAYS):
            seconds = float(row[way].split()[0])
            out.append(f'<rect class="bar {kind}" x="{LEFT}" y="{top + 17 * below}" width="{at(seconds) - LEFT:.0f}" height="14"/>')
            out.append(f'<text x="{at(seconds) + 5:.0f}" y="{top + 17 * below + 11}">{row[way].split()[0]}</text>')
    return "\n".join([*out, "</svg>", ""])


def main():
    if sys.argv[1:] == ["--check"]:
        with open(PICTURE, encoding="utf-8") as file:
            sys.exit(file.read() != picture() and f"{PICTURE} is not of {PAGE}: run test/bench/parameters_plot.py")
    with open(PICTURE, "w", encoding="utf-8") as file:
        file.write(picture())


if __name__ == "__main__":
    main()
