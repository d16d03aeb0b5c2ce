#!/usr/bin/python3
"""format_reader.py - an independent reader of the bytes of filters and maps

Written from docs/format.md alone, whose sections the comments name: it shares no
code with the library and shows what a reader in another language takes.  It is
plain rather than fast.

usage: format_reader.py HEXFILE

HEXFILE holds the text form of one filter or map, with or without the leading \\x;
its header is printed.
"""

import math
import sys

from canonical_forms import CANONICAL, M64, hash_key, mix

COEFFICIENTS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)  # M_0, M_1 of section 2

# Section 4: (w, scheme) -> b, lower, upper; or b, t, second, third of those in groups.
BUCKETS = {
    (32, 0): (32, 8, 16),
    (32, 1): (64, 9, 21),
    (64, 0): (128, 21, 42),
    (64, 1): (256, 20, 46),
    (128, 0): (512, 50, 100),
    (128, 1): (512, 56, 84, 200),
}


# Section 2: from a key's hash to those of layers and zones, and what these say.

def next_hash(x):
    """x_i from x_{i-1}."""
    return mix(x + 0x9E3779B97F4A7C15 & M64)


def zone_factor(seed):
    """What a zone multiplies hashes with."""
    return mix((seed + 1) * 0xC2B2AE3D27D4EB4F & M64) | 1


def coefficients(x, k):
    c = x * COEFFICIENTS[k] & M64
    c = (c ^ c >> 32) * 0xD6E8FEB86659FD93 & M64
    return c ^ c >> 32


def fingerprint(x):
    return (x * COEFFICIENTS[0] & M64) >> 32


class Cursor:
    """Takes a header to pieces from front to back (section 1)."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        piece = self.data[self.at:self.at + size]
        if len(piece) < size:
            raise ValueError("truncated")
        self.at += size
        return piece

    def uint(self, size):
        return int.from_bytes(self.take(size), "little")

    def varint(self, bits=63):
        value = shift = 0
        while True:
            byte = self.uint(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if value >> bits or (byte == 0 and shift > 7):
            raise ValueError("varint too large or too long")
        return value

    def signed_varint(self, bits=63):
        folded = self.varint(bits)
        return folded // 2 if folded % 2 == 0 else -(folded + 1) // 2


class System:
    """A ribbon system of some slots: sections 3 and 5."""

    def __init__(self, width, slots, smash, columns, wide, seed=None):
        self.width, self.slots, self.smash = width, slots, smash
        self.columns, self.wide, self.seed = columns, wide, seed
        self.row_bits = min(width, slots)                   # w'
        self.starts = slots - self.row_bits + 1             # S
        self.wide_block = math.inf                          # j_w
        if wide > 0:
            self.wide_block = self.start((2048 - wide) << 53) // width
        full, rest = divmod(slots, width)
        bits = self.begin(full) + rest * (columns + (full >= self.wide_block))
        self.size = (bits + 7) // 8
        self.data = b""

    def start(self, x):
        """The starting position s (section 3)."""
        u = x * (self.starts + 2 * self.smash) >> 64
        return min(max(u - self.smash, 0), self.starts - 1)

    def begin(self, block):
        """The bit where a block begins, B(j) (section 5)."""
        return self.width * (block * self.columns + max(0, block - self.wide_block))

    def column(self, block, i):
        """Column i of a block, as an integer of L(j) bits (section 5)."""
        length = min(self.width, self.slots - block * self.width)
        bit = self.begin(block) + i * length
        run = int.from_bytes(self.data[bit // 8:(bit + length + 7) // 8], "little")
        return run >> bit % 8 & (1 << length) - 1

    def coefficient_row(self, x):
        """Section 2."""
        row = coefficients(x, 0)
        if self.width == 128:
            row |= coefficients(x, 1) << 64
        return (row | 1) & (1 << self.row_bits) - 1

    def number_of_bits(self, x):
        return self.columns + (x >> 53 >= 2048 - self.wide)

    def bit(self, x, i):
        """What the slots yield for the hash x in column i (section 5)."""
        block, offset = divmod(self.start(x), self.width)
        slots = self.column(block, i) >> offset
        if offset + self.row_bits > self.width:
            slots |= self.column(block + 1, i) << self.width - offset
        return bin(self.coefficient_row(x) & slots).count("1") & 1


class Layer(System):
    """A bumped layer: a system whose buckets have thresholds (section 4)."""

    def __init__(self, width, slots, columns, wide, buckets, bumped):
        if slots < width:
            raise ValueError("a bumped layer is shorter than w")
        super().__init__(width, slots, width // 4, columns, wide)
        self.bumped = bumped                                # n_{i+1}
        self.bucket, *between = buckets
        self.codes = (0, *between, self.bucket)
        self.number = -(-self.starts // self.bucket)
        self.thresholds_size = (self.number + 3) // 4
        self.thresholds = b""

    def threshold(self, k):
        return self.codes[self.thresholds[k // 4] >> 2 * (k % 4) & 3]

    def bumps(self, x):
        k, place = divmod(self.start(x), self.bucket)
        return place < self.threshold(k)


class GroupedLayer(Layer):
    """A bumped layer whose buckets are in groups (section 4)."""

    def __init__(self, *args):
        super().__init__(*args)
        self.thresholds_size = -(-self.number // 64) + -(-self.number // 8)

    def threshold(self, k):
        group, i = divmod(k, 64)
        exception, *bits = self.thresholds[9 * group:9 * group + 9]
        if not bits[i // 8] >> i % 8 & 1:
            return 0
        if exception == 63:
            return self.bucket
        if 0 < exception < 63:
            return exception * self.bucket // 64
        return self.codes[1 + exception // 64] if exception % 64 == i else self.codes[1]


class WrongSize(ValueError):
    """The header is fine, but calls for another number of bytes."""

    def __init__(self, found, size):
        super().__init__(f"{found} bytes where the header calls for {size}")
        self.size = size


class Plane:
    """What lies behind the head, once or several times: sections 1 to 5."""

    def __init__(self, kind, width, cardinality, columns, wide, left):
        self.kind, self.width, self.cardinality = kind, width, cardinality
        self.columns, self.wide = columns, wide                         # a, wide
        self.value_bits = min(left, 56 - columns - (wide > 0))
        self.split, self.salt, self.layers, self.zones = wide, None, [], []
        self.is_bare = cardinality == 0 or columns + wide + self.value_bits == 0
        self.header_size, self.last_seed = 0, None                      # None: it has no byte of its own

    def decode_next(self, head, coded=False, front=False):
        """A header that begins with its own byte."""
        start = head.at
        byte = head.uint(1)
        if byte >> 1 & 3 == 3:
            raise ValueError("a plane of another kind")
        self.width, self.last_seed = 32 << (byte >> 1 & 3), byte >> 4
        if coded:
            most, self.cardinality = self.cardinality, head.varint()
            if not 0 < self.cardinality <= most:
                raise ValueError("no keys in a plane, or too many")
        if front:
            self.columns = head.uint(1)
            if not 0 < self.columns <= 32:
                raise ValueError("a filter without check bits")
            self.is_bare = False
        self.decode_header(head, False, bool(byte & 1), bool(byte & 8))
        self.header_size = head.at - start

    def decode_header(self, head, shrunk, salted, layered):
        if self.is_bare:
            return
        start = head.at
        if shrunk:
            self.split = head.uint(2)
            if self.kind == "homogeneous" or self.split > 2047 or self.split == self.wide:
                raise ValueError("bad split")
        if salted:
            self.salt = head.uint(8)
        if self.kind == "homogeneous":
            self.decode_homogeneous(head)
        else:
            self.decode_burr(head, layered)
        self.header_size = head.at - start

    def decode_rest(self, head):
        """Thresholds and slots."""
        size = sum(layer.thresholds_size for layer in self.layers) + sum(r.size for r in self.layers + self.zones)
        if len(head.data) - head.at < size:
            raise WrongSize(len(head.data), head.at + size)
        for layer in self.layers:
            layer.thresholds = head.take(layer.thresholds_size)
        for system in self.layers + self.zones:
            system.data = head.take(system.size)

    def decode_homogeneous(self, head):
        slots = self.cardinality + head.varint()
        self.q = head.uint(2)
        self.zones = [System(self.width, slots, 0, self.columns, self.wide)]

    def decode_burr(self, head, layered):
        keys = self.cardinality
        if layered:
            keys = self.decode_layers(head, keys)
        spare = head.varint()
        self.rotation = 0
        if self.split > 0:
            spare, self.rotation = divmod(spare, 16)
        slots = keys + spare                                # M

        # Zones (section 1) and their columns (section 5): narrow ones, wide ones.
        a, wide, split = self.columns + self.value_bits, self.wide, self.split
        narrow = (a, 2048 * max(0, wide - split) // (2048 - split))
        broad = (a + 1, 0) if wide >= split else (a, 2048 * wide // split)
        self.nzones, zones = [], []
        for share, shape in (2048 - split, narrow), (split, broad):
            per_zone = 6144 if self.width == 128 else 1536
            count = min(16, 1 + keys * share // 2048 // per_zone) if share > 0 else 0
            self.nzones.append(count)
            zones += [(slots * share // (2048 * max(count, 1)), shape)] * count

        left = slots
        sizes = []
        for expected, _ in zones[:-1]:
            sizes.append(expected + head.signed_varint())
            left -= sizes[-1]
        sizes.append(left)
        if min(sizes) < 0:
            raise ValueError("a zone of less than no slots")
        if self.last_seed is None:
            seeds = head.uint((len(zones) + 1) // 2)
        else:
            pairs = len(zones) // 2
            seeds = head.uint(pairs) | self.last_seed << 8 * pairs
        for size, (_, shape) in zip(sizes, zones):
            width = max(64, self.width)
            smash = max(0, min(width, size) // 2 - 1)
            self.zones.append(System(width, size, smash, *shape, seeds & 15))
            seeds >>= 4
        if seeds != 0:
            raise ValueError("unused bits of the seeds are not 0")

    def decode_layers(self, head, keys):
        byte = head.uint(1)
        self.scheme, nlayers = byte & 31, byte >> 5
        if (self.width, self.scheme) not in BUCKETS or nlayers == 0:
            raise ValueError("unknown bucket scheme, or no layer")
        buckets = BUCKETS[self.width, self.scheme]
        for _ in range(nlayers):
            bumped = head.varint()
            if bumped > keys:
                raise ValueError("a layer bumps more keys than it gets")
            kind = GroupedLayer if len(buckets) == 4 else Layer
            layer = kind(self.width, keys - bumped + head.signed_varint(), self.columns + self.value_bits,
                         self.wide, buckets, bumped)
            self.layers.append(layer)
            keys = layer.bumped
        return keys

    def find(self, h):
        """The system of the key with this 64-bit hash, and its hash there (section 2)."""
        x = h if self.salt is None else mix(h ^ self.salt)
        if self.kind == "homogeneous":
            return self.zones[0], x
        for layer in self.layers:
            if not layer.bumps(x):
                return layer, x
            x = next_hash(x)
        x = (x << 4 * self.rotation | x >> 64 - 4 * self.rotation) & M64
        v, narrow_share = x >> 53, 2048 - self.split
        if v < narrow_share:
            z = v * self.nzones[0] // narrow_share
        else:
            z = self.nzones[0] + (v - narrow_share) * self.nzones[1] // self.split
        zone = self.zones[z]
        return zone, x * zone_factor(zone.seed) & M64

    def look_up(self, h):
        """Do the check bits match, and which value bits are there (section 5)?"""
        if self.is_bare:
            return self.cardinality > 0, 0
        system, x = self.find(h)
        a, v = self.columns, self.value_bits
        expected = 0 if self.kind == "homogeneous" else fingerprint(x)
        stored = [system.bit(x, i) for i in range(system.number_of_bits(x))]
        checks = stored[:a] + stored[a + v:]
        found = all(bit == expected >> i & 1 for i, bit in enumerate(checks))
        return found, sum(bit << i for i, bit in enumerate(stored[a:a + v]))

    def describe(self):
        yield f"{self.kind}, width {self.width}"
        if self.split != self.wide:
            yield f"shrunk, split {self.split} of 2048"
        if self.salt is not None:
            yield f"salt {self.salt:#018x}"
        if self.layers:
            yield f"bucket scheme {self.scheme}: {BUCKETS[self.width, self.scheme]}"
        if not self.is_bare and self.kind == "homogeneous":
            yield f"q {self.q}"
        for name, regions in ("layer", self.layers), ("zone", self.zones):
            for i, r in enumerate(regions):
                seed = "" if r.seed is None else f", seed {r.seed}"
                yield (f"{name} {i}: slots {r.slots}, columns {r.columns}, "
                       f"wide {r.wide} of 2048{seed}, bytes {r.size}")


class Codes:
    """Codes that are as long as they are rare (section 7)."""

    def __init__(self, head, value_bits):
        byte = head.uint(1)
        self.longest, self.front, self.value_bits = byte & 63, bool(byte & 128), value_bits
        if byte & 64 or not 0 < self.longest <= 32 or value_bits == 0:
            raise ValueError("no such codes")
        self.counts, paths = [0], 1                         # of each length; paths that go on
        for _ in range(1, self.longest):
            self.counts.append(head.varint())
            paths = 2 * paths - self.counts[-1]
            if paths <= 0 or sum(self.counts) + paths > 262144:
                raise ValueError("too many codes")
        self.counts.append(2 * paths)
        if sum(self.counts) > 262144:
            raise ValueError("too many codes")

    def steps(self):
        """The value bits of the planes, but of the filter's."""
        lengths = [0] * self.front + [length for length, count in enumerate(self.counts) if count > 0]
        return [length - before for before, length in zip([0] + lengths, lengths)]

    def decode_table(self, head):
        n, v = sum(self.counts) + self.front, self.value_bits
        bits = int.from_bytes(head.take((n * v + 7) // 8), "little")
        self.table = [bits >> i * v & (1 << v) - 1 for i in range(n)]

    def follow(self, planes, h, path):
        """The plain code of the key with this hash, of which plane 0 has the path's begin."""
        planes, length = planes[1:], planes[0].value_bits
        table = self.table
        if self.front:
            if not planes[0].look_up(h)[0]:
                return table[0]
            planes, table = planes[1:], table[1:]
        first = 0                                           # the least code of this length
        for l, count in enumerate(self.counts):
            if length < l and count > 0:
                path = path << planes[0].value_bits | planes[0].look_up(h)[1]
                planes, length = planes[1:], l
            if l == length and first <= path < first + count:
                return table[path - first]
            first, table = 2 * (first + count), table[count:]
        raise ValueError("codes are not complete")


ABSENT = "absent"                                           # no value of a map
NUMBERS = {                                                 # value class -> name, bits of the type
    1: ("boolean", 1),
    2: ("smallint", 16),
    3: ("integer", 32),
    4: ("bigint", 64),
    5: ("date", 32),
    6: ("timestamp", 64),
    7: ("timestamptz", 64),
}


class Reader:
    """A filter or map of the bytes given.  ValueError if they are neither."""

    def __init__(self, data):
        head = Cursor(data)
        first, second = head.uint(1), head.uint(1)
        self.version = first & 15
        if self.version != 1:
            raise ValueError("format version is not 1")
        flags = head.uint(1) if second & 128 else 0
        if (second & 128 and flags == 0) or second & 127 > 31:
            raise ValueError("flags, or a key class, of another version")
        shrunk, salted, self.has_values, unchecked, self.is_exact, extra, coded, self.rated = (
            bool(flags & 1 << i) for i in range(8))
        if first >> 4 & 3 == 3:
            raise ValueError("width code 3")
        width, kind = 32 << (first >> 4 & 3), ("burr", "homogeneous")[first >> 6 & 1]
        self.key_class = second & 127
        checks = 0 if unchecked or self.is_exact else head.uint(2)
        columns, wide = (0 if unchecked else (checks >> 11) + 1), checks & 2047
        if columns == 32 and wide > 0:
            raise ValueError("33 columns")
        if self.rated and not self.is_exact or (unchecked and not self.has_values and not self.is_exact) or (
                kind == "homogeneous" and (first & 128 or self.has_values)):
            raise ValueError("what does not go together")
        if self.is_exact and (first != 0x11 or salted or self.has_values or shrunk and (unchecked or not self.rated)):
            raise ValueError("what an exact set has not")
        if shrunk and self.has_values:
            raise ValueError("a shrunk map")
        self.cardinality = head.varint()                                # n
        self.key_parts = self.decode_parts(head) if self.cardinality > 0 else []
        self.value_bits = self.seed = ndictionary = nextra = 0
        if self.has_values:
            ndictionary = self.decode_values(head)
        self.codes = Codes(head, self.value_bits) if coded else None
        if coded and self.cardinality == 0:
            raise ValueError("codes of no keys")
        if self.is_exact:
            columns, wide = self.decode_exact(head, unchecked, shrunk)
        if extra:
            if head.uint(1) & 1:
                raise ValueError("something that must be known")
            nextra = head.varint()
        head_size = head.at
        if ndictionary > 0:
            self.decode_dictionary(Cursor(head.take(ndictionary)))
        if coded:
            self.codes.decode_table(head)
        head.take(nextra)

        if self.is_exact:
            self.decode_exact_planes(head, columns, wide)
        else:
            low_bits = self.codes.steps()[0] if coded else self.value_bits
            plane = Plane(kind, width, self.cardinality, columns, wide, low_bits)
            if plane.is_bare and (first != 0x11 or checks != 0 or shrunk or salted):
                raise ValueError("no keys, or no columns, but more than that")
            plane.decode_header(head, shrunk, salted, bool(first & 128))
            self.planes = [plane]
            left = self.value_bits - plane.value_bits
            if coded:
                self.decode_coded(head)
            else:
                plane.decode_rest(head)
                if self.cardinality > 0 and left > 0:
                    self.planes.append(self.decode_own_byte(head, self.cardinality, 0, left))
        self.header_size = head_size + self.planes[0].header_size
        if head.at != len(data):
            raise WrongSize(len(data), head.at)

    def check_weight(self):
        """May there be one more plane behind those so far (section 7)?"""
        if sum(7 + 2 * len(plane.layers + plane.zones) for plane in self.planes) > 596:
            raise ValueError("too many planes, layers and zones")

    def decode_coded(self, head):
        """All headers behind that of plane 0, and then what is behind headers (section 1)."""
        steps = self.codes.steps()
        if self.codes.front:
            self.check_weight()
            front = Plane("burr", None, self.cardinality, 0, 0, 0)
            front.decode_next(head, True, True)
            self.planes.append(front)
        for i, bits in enumerate(steps[1:]):
            self.check_weight()
            behind_front = self.codes.front and i == 0
            most = self.cardinality if behind_front else self.planes[-1].cardinality
            plane = Plane("burr", None, most, 0, 0, bits)
            plane.decode_next(head, True)
            if behind_front and plane.cardinality < front.cardinality:
                raise ValueError("fewer keys behind a filter than in it")
            self.planes.append(plane)
        for plane in self.planes:
            plane.decode_rest(head)

    def __getattr__(self, name):
        """Of a filter, and of the first plane."""
        if name == "planes":
            raise AttributeError(name)
        return getattr(self.planes[0], name)

    def decode_parts(self, head):
        """The classes of a key's parts, from the outside in."""
        parts, outer = [], self.key_class
        if 23 <= outer <= 26:
            packed = head.uint(2)
            if packed >> 15:
                raise ValueError("more than three classes of parts")
            while packed > 0:
                if not 23 <= outer <= 26:
                    raise ValueError("parts of what has none")
                parts.append(packed & 31)
                if outer != 26:                             # columns are side by side
                    outer = packed & 31
                packed >>= 5
        return parts

    @staticmethod
    def decode_own_byte(head, keys, columns, value_bits, wide=0):
        """A plane whose body begins with a byte of its own."""
        plane = Plane("burr", None, keys, columns, wide, value_bits)
        plane.decode_next(head)
        plane.decode_rest(head)
        return plane

    def decode_exact(self, head, unchecked, fractional):
        """What the head says of an exact set; returns the check bits of plane 0, and how many keys have one more."""
        n = self.cardinality
        others, byte = head.varint(), head.uint(1)
        columns, wide = 0 if unchecked else 1 + (byte >> 3), 0
        if fractional:
            columns, wide = columns % 32, head.uint(2)
            if not 0 < wide < 2048:
                raise ValueError("all keys or none have one more column")
        if n + others > 1 << 48 or byte >> 3 and (n == 0 or unchecked):
            raise ValueError("no such universe")
        self.column = self.rated and byte & 4
        if self.rated and (n == 0 or (others == 0 or self.column) and unchecked or others == 0 and self.column):
            raise ValueError("no such set with a rate")
        self.universe, self.passed, self.as_of = n + others, 0, None
        if byte & 1:
            self.seed = head.uint(4)
            if self.seed == 0:
                raise ValueError("seed 0")
        if byte & 2:
            self.as_of = int.from_bytes(head.take(8), "little", signed=True)
            if abs(self.as_of + 0.5) != 2**63 and not -211813488000000000 <= self.as_of < 9223371331200000000:
                raise ValueError("no such time")
        self.inverted = bool(byte & 4) and not self.rated
        if self.inverted and (unchecked or n == 0 or others == 0):
            raise ValueError("inverted for nothing")
        if unchecked if n == 0 else others == 0 and unchecked == self.rated:
            raise ValueError("no members or nothing but members, in another form")
        if self.seed and (n == 0 or others == 0 and not self.rated):
            raise ValueError("a seed for no plane")
        if n > 0 and not unchecked and (self.column or not self.rated):
            most = n if self.inverted else others
            self.passed = (most >> columns) + head.signed_varint()
            if not 0 <= self.passed <= most:
                raise ValueError("more pass than there are")
        return columns, wide

    def decode_exact_planes(self, head, columns, wide):
        n, universe = self.cardinality, self.universe
        if n == 0 or n == universe and not self.rated:
            self.planes = [Plane("burr", 64, n, columns, 0, 0)]
        elif columns + wide == 0:
            self.planes = [self.decode_own_byte(head, universe, 0, 1)]
        else:
            stored = universe - n if self.inverted else n
            self.planes = [self.decode_own_byte(head, stored, columns, 0, wide)]
            if self.passed > 0 or self.column:
                self.planes.append(self.decode_own_byte(head, stored + self.passed, 0, 1))

    def decode_values(self, head):
        """What the head says of values; the size of the dictionary."""
        first, second = head.uint(1), head.uint(1)
        self.value_class, self.value_bits, self.has_null = first & 63, second & 127, bool(second & 128)
        has_dictionary = bool(first & 128)
        if self.value_bits > 64 or self.value_class > 7 or has_dictionary != (self.value_class == 0):
            raise ValueError("no such values")
        self.base = 0 if has_dictionary else head.signed_varint(64)
        if first & 64:
            self.seed = head.uint(4)
            if self.seed == 0:
                raise ValueError("seed 0")
        self.type_name, self.texts = None, []
        ndictionary = head.varint() if has_dictionary else 0
        if has_dictionary and ndictionary == 0:
            raise ValueError("no dictionary")
        return ndictionary

    def decode_dictionary(self, head):
        names = [head.take(head.uint(1)), head.take(head.uint(1))]
        if b"" in names:
            raise ValueError("a type without a name")
        count, size = head.varint(), head.uint(1)
        if count > 65536 or count + self.has_null > 1 << self.value_bits or size not in (1, 2, 4):
            raise ValueError("no such dictionary")
        begin, texts = 0, []
        for end in [head.uint(size) for _ in range(count)]:
            texts.append(head.take(end - begin) if end >= begin else None)
            begin = end
        if None in texts or head.at != len(head.data) or texts != sorted(set(texts)):
            raise ValueError("texts that are not in order")
        if any(0 in string for string in names + texts):
            raise ValueError("the character 0")
        self.type_name = b".".join(names).decode()
        self.texts = [text.decode() for text in texts]

    def get_hash(self, h):
        """The code of the key with this hash (of a filter, 0), or ABSENT."""
        found, code = self.planes[0].look_up(h)
        if self.codes is not None:
            return self.codes.follow(self.planes, h, code) if found else ABSENT
        if self.is_exact:
            columns = [plane for plane in self.planes if plane.value_bits == 1]
            if found and columns:
                mask = fingerprint(h) >> 31 if self.rated else 0
                found = columns[0].look_up(h)[1] != mask
            elif self.inverted:
                found = not found
            return 0 if found else ABSENT
        for plane in self.planes[1:]:
            code |= plane.look_up(h)[1] << self.planes[0].value_bits
        return code if found else ABSENT

    def contains_hash(self, h):
        return self.get_hash(h) != ABSENT

    def contains(self, key):
        """Is the key in the set?  It is of a type that CANONICAL has for the class."""
        return self.contains_hash(hash_key(self.key_class, key, self.seed))

    def value(self, code):
        """What a code stands for: a number, a text, None for NULL, or ABSENT."""
        if code == ABSENT:
            return ABSENT
        if self.has_null and code == (1 << self.value_bits) - 1:
            return None
        if self.value_class == 0:
            return self.texts[code] if code < len(self.texts) else ABSENT
        bits, number = NUMBERS[self.value_class][1], self.base + code
        least, end = (0, 2) if bits == 1 else (-1 << bits - 1, 1 << bits - 1)
        return number if least <= number < end else ABSENT

    def get(self, key):
        """The value of a key, which is of a type that CANONICAL has for the class."""
        return self.value(self.get_hash(hash_key(self.key_class, key, self.seed)))

    def describe(self):
        """The header, a line for each thing."""
        name = CANONICAL[self.key_class][0] if self.key_class in CANONICAL else "unknown"
        yield f"format version {self.version}, key class {self.key_class} ({name}), keys {self.cardinality}"
        yield f"columns {self.columns}, wide {self.wide} of 2048" if self.columns + self.wide > 0 else "unchecked"
        if self.has_values:
            name = self.type_name or NUMBERS[self.value_class][0]
            yield f"values of class {self.value_class} ({name}), {self.value_bits} bits"
            yield f"{'with' if self.has_null else 'no'} NULL, seed {self.seed}"
            yield f"{len(self.texts)} texts" if self.value_class == 0 else f"base {self.base}"
        if self.codes is not None:
            counts = ", ".join(f"{n} of {length} bits" for length, n in enumerate(self.codes.counts) if n > 0)
            yield f"codes: {counts}{', behind a filter' if self.codes.front else ''}"
        if self.is_exact:
            yield f"exact in a universe of {self.universe}, seed {self.seed}, {self.passed} others pass plane 0{', rated' * self.rated}"
            yield "no as_of" if self.as_of is None else f"as_of {self.as_of}"
        for i, plane in enumerate(self.planes):
            for line in plane.describe():
                yield line if len(self.planes) == 1 else f"plane {i}: {line}"
        yield f"header bytes {self.header_size}"


class Filter(Reader):
    """A filter.  ValueError if it is none."""

    def __init__(self, data):
        super().__init__(data)
        if self.has_values:
            raise ValueError("a map")


class Map(Reader):
    """A map.  ValueError if it is none."""

    def __init__(self, data):
        super().__init__(data)
        if not self.has_values:
            raise ValueError("a filter")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: format_reader.py HEXFILE")
    with open(sys.argv[1], encoding="ascii") as file:
        text = file.read().strip()
    data = bytes.fromhex(text.removeprefix("\\x"))
    try:
        for line in Reader(data).describe():
            print(line)
    except ValueError as why:
        sys.exit(f"not a filter or map: {why}")


if __name__ == "__main__":
    main()
