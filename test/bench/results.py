"""results.py - what run.sh measured, read back: medians, ratios, sizes"""

import csv
import math
import re
import statistics

TIMES = ("build", "members", "nonmembers", "mixed", "batch16", "batch1024")


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


class Filter:
    """A filter that was timed: one of ours or of a peer, all sizes and rounds."""

    def __init__(self, library, config):
        self.library = library
        self.config = config
        self.ours = library == "ribbon"
        self.figures = {}  # (keys, column) -> round -> figure

        width = re.search(r"w(\d+)", config)
        bits = re.search(r"r(\d+)", config)
        self.homogeneous = "homog" in config
        self.width = int(width.group(1)) if width else 64
        self.bits = int(bits.group(1)) if bits else 8
        self.kernel = config.split("-", 3)[3] if self.ours else None

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
        """The median over the rounds, or None."""
        rounds = self.figures.get((keys, column))
        return statistics.median(rounds.values()) if rounds else None

    def keys(self):
        return sorted({keys for keys, _ in self.figures})

    def ratio(self, other, keys, column, other_column=None):
        """The median of our figure over the other's within a round, or None."""
        mine = self.figures.get((keys, column), {})
        theirs = other.figures.get((keys, other_column or column), {})
        both = [mine[r] / theirs[r] for r in mine if theirs.get(r)]
        return statistics.median(both) if both else None

    def query_and_build(self, keys):
        """Build, and one probe each of a member, a non-member and either."""
        parts = [self.get(keys, c) for c in TIMES[:4]]
        return None if None in parts else sum(parts)

    def overhead(self, keys):
        """Bits per key over log2(1/FPR), minus one."""
        return overhead(self.get(keys, "bits"), self.get(keys, "fpr"))


def overhead(bits, fpr):
    """A rate within 3 % of 2^-8 is taken for 2^-8: it was counted, not known."""
    if abs(fpr * 256 - 1) <= 0.03:
        fpr = 1 / 256
    return bits / math.log2(1 / fpr) - 1


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
                        rounds = filters[key].figures.setdefault((keys, column), {})
                        rounds[int(row["round"])] = float(row[column])
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
