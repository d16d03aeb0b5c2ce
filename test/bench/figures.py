"""figures.py - figures of several rounds, sizes to hold them against, and tables of Markdown"""

import math
import statistics


class Rounds:
    """Figures by what they are of, each of several rounds.

    Within a round all is measured in turn: ratios are medians of those within a round.
    """

    def __init__(self):
        self.rounds = {}  # what -> round -> figure, in the order measured

    def add(self, what, round, figure):
        figures = self.rounds.setdefault(what, {})
        if figure != "":
            figures[round] = float(figure)

    def of(self, what):
        return self.rounds.get(what, {})

    def median(self, what):
        return statistics.median(self.of(what).values()) if self.of(what) else None

    def ratio(self, what, other, theirs=None, per=1):
        """Of our figure to another one of ours or theirs, or None."""
        bases = (theirs or self).of(other)
        ratios = [x / bases[r] / per for r, x in self.of(what).items() if bases.get(r)]
        return statistics.median(ratios) if ratios else None


def least_bits(fpr):
    """Bits per key that our sizes are held against.

    Some keys check a + 1 bits and the others a, in the mixture that makes up
    this rate.  For a power of two that is log2(1/fpr), the bound for any filter.
    """
    columns = math.floor(math.log2(1 / fpr))
    return columns + 1 - (fpr * 2 ** (columns + 1) - 1)


def size_limit(keys, fpr):
    """Bytes that a filter of so many keys is meant to take at most."""
    return 1.003 * keys * least_bits(fpr) / 8 + 12


def overhead(bits, fpr):
    """A rate within 3 % of 2^-8 is taken for 2^-8: it was counted, not known."""
    if abs(fpr * 256 - 1) <= 0.03:
        fpr = 1 / 256
    return bits / math.log2(1 / fpr) - 1


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
