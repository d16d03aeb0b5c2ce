"""_arrow.py - columns of pyarrow, polars and others, as arrays of numpy

What an array of Arrow's C data interface has (https://arrow.apache.org/docs/format/Columnar.html) is taken where it is,
or as the addresses of its strings.
"""

import re
from decimal import Decimal

import numpy

from ribbonfilter import _core
from ribbonfilter._classes import NUMERIC, TIME, UUID

NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4", "g": "f8"}
# Formats of all types whose values are taken; and of numbers that are places in a dictionary.
TAKEN = re.compile(r"[cCsSiIlLefgbnuzUZ]|v[uz]|w:\d{1,9}|d:\d{1,9},-?\d{1,9}(,(32|64|128|256))?|td[Dm]|t[tD][smun]|ts[smun]:.*",
                   re.ASCII | re.DOTALL)
PLACES = "cCsSiIlL"
UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
OFFSETS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
INLINE = 12     # bytes of a string that stand in its view
NS_PER_US = 1000


class NoPart:
    """What a column without parts has."""
    length = offset = null_count = 0
    n_buffers = 3

    @staticmethod
    def address(_):
        return 0

    @property
    def dictionary(self):
        return self


class Spans:
    """Strings by their addresses and sizes: text, or bytes."""

    ndim = 1

    def __init__(self, is_text, addresses, sizes, owners):
        self.is_text = is_text
        self.addresses = addresses
        self.sizes = sizes
        self.owners = owners

    def __len__(self):
        return len(self.addresses)

    def __getitem__(self, places):
        return Spans(self.is_text, numpy.ascontiguousarray(self.addresses[places]),
                     numpy.ascontiguousarray(self.sizes[places]), self.owners)

    def tolist(self):
        values = _core.span_values(self.addresses, self.sizes)
        return [value.decode() for value in values] if self.is_text else values


def together(pieces):
    """One column of several."""
    if len(pieces) == 1:
        return pieces[0]
    if isinstance(pieces[0], Spans):
        return Spans(pieces[0].is_text, numpy.concatenate([piece.addresses for piece in pieces]),
                     numpy.concatenate([piece.sizes for piece in pieces]), [piece.owners for piece in pieces])
    return numpy.concatenate(pieces)


def taken(part, number, dtype, n):
    """The values of a buffer from the part's offset on."""
    dtype = numpy.dtype(dtype)
    if n == 0 or part.address(number) == 0:
        return numpy.zeros(n, dtype)
    return numpy.frombuffer(part.buffer(number, (part.offset + n) * dtype.itemsize), dtype)[part.offset:]


def bits(part, number, n):
    """A buffer of bits as bools."""
    if n == 0 or part.address(number) == 0:
        return numpy.zeros(n, dtype=bool)
    data = numpy.frombuffer(part.buffer(number, (part.offset + n + 7) // 8), numpy.uint8)
    return numpy.unpackbits(data, bitorder="little", count=part.offset + n)[part.offset:].astype(bool)


def text_spans(form, part, places):
    """The strings at these places of an array of them."""
    if form in OFFSETS:
        ends = taken(part, 1, OFFSETS[form], part.length + 1).astype(numpy.int64)
        return Spans(form in "uU", part.address(2) + ends[places], ends[places + 1] - ends[places], part)
    views = taken(part, 1, "V16", part.length)[places].view(numpy.int32).reshape(-1, 4).astype(numpy.int64)
    addresses = part.address(1) + 16 * (part.offset + places) + 4
    elsewhere = views[:, 0] > INLINE
    buffers = numpy.array([part.address(number) for number in range(2, part.n_buffers - 1)], dtype=numpy.int64)
    addresses[elsewhere] = buffers[views[elsewhere, 2]] + views[elsewhere, 3]
    return Spans(form == "vu", addresses, numpy.ascontiguousarray(views[:, 0]), part)


def decimals(form, data):
    """Numbers of so many bits, and a scale."""
    scale = int(form.split(",")[1])
    found = numpy.empty(len(data), dtype=object)
    for at, value in enumerate(data):
        number = int.from_bytes(value.tobytes(), "little", signed=True)
        found[at] = Decimal((number < 0, tuple(map(int, str(abs(number)))), -scale))
    return found


def microseconds(values, unit):
    """Times of day, or dates in milliseconds, of whole microseconds."""
    if unit == "n":
        if (values % NS_PER_US).any():
            raise ValueError("there are times finer than microseconds")
        return values // NS_PER_US
    return values.astype(numpy.int64) * {"s": 1000000, "m": 1000, "u": 1}[unit]


def dates(values, unit):
    if unit == "D":
        return values.astype("M8[D]")
    moments = values.view("M8[ms]")
    days = moments.astype("M8[D]")
    if (days != moments).any():
        raise ValueError("there are dates that are not of whole days")
    return days


class Reader:
    """Reads parts of one type; key_class is the class of keys that values of it are, if their dtype does not say it."""

    def __init__(self, type_):
        self.form = form = type_.format
        self.key_class = None
        self.utc = form.startswith("ts") and len(form) > 4
        self.dictionary = None if type_.dictionary is None else Reader(type_.dictionary)
        if not TAKEN.fullmatch(form) or (self.dictionary is not None and form not in PLACES):
            raise TypeError(f"values of Arrow's type {form!r} cannot be keys or values")
        if self.dictionary is not None:
            self.key_class, self.utc = self.dictionary.key_class, self.dictionary.utc
        elif form.startswith("tt"):
            self.key_class = TIME
        elif form.startswith("d:"):
            self.key_class = NUMERIC
        elif type_.extension == "arrow.uuid" and form == "w:16":
            self.key_class = UUID

    def read(self, part):
        """The values of a part that are present, and which these are (None: all)."""
        n, form = part.length, self.form
        present = None
        if form == "n":
            present = numpy.zeros(n, dtype=bool)
        elif part.null_count != 0 and part.address(0) != 0:
            present = bits(part, 0, n)
        if present is not None and present.all():
            present = None
        if self.dictionary is not None:
            return self._read_coded(part, present)
        if form in OFFSETS or form in ("vu", "vz"):
            return text_spans(form, part, numpy.arange(n) if present is None else numpy.flatnonzero(present)), present
        values = self._stored(part)
        return self._meant(values if present is None else values[present], part), present

    def _stored(self, part):
        """What is in the buffer of values of one size."""
        n, form = part.length, self.form
        if form == "b":
            return bits(part, 1, n)
        if form == "n":
            return numpy.empty(n, dtype=object)
        if form.startswith("w:"):
            return taken(part, 1, f"V{form[2:]}", n) if form != "w:0" else numpy.zeros(n, dtype=numpy.int64)
        if form.startswith("d:"):
            return taken(part, 1, f"V{int((form + ',128').split(',')[2]) // 8}", n)
        return taken(part, 1, NUMBERS.get(form) or ("i4" if form in ("tdD", "tts", "ttm") else "i8"), n)

    def _meant(self, values, part):
        """The values that this stands for."""
        form = self.form
        if form == "w:0":
            return Spans(False, values, values, part)
        if form.startswith("d:"):
            return decimals(form, values)
        if form.startswith("td"):
            return dates(values, form[2])
        if form.startswith("tt"):
            return microseconds(values, form[2])
        if form.startswith(("ts", "tD")):
            return values.view(f"{'M' if form[1] == 's' else 'm'}8[{UNITS[form[2]]}]")
        return values

    def _read_coded(self, part, present):
        """Values by their places in a dictionary, of which some may be missing."""
        places = taken(part, 1, NUMBERS[self.form], part.length)
        if present is not None:
            places = places[present]
        values, known = self.dictionary.read(part.dictionary)
        if len(places) and not 0 <= places.min() <= places.max() < len(values if known is None else known):
            raise ValueError("a place in a column's dictionary is not in it")
        if known is None:
            return values[places], present
        there = known[places]
        values = values[(numpy.cumsum(known) - 1)[places[there]]]
        if present is None:
            return values, there
        present[present] = there
        return values, present


def read(values):
    """Of a column that speaks Arrow: a Reader, the values that are present, and which these are (None: all).

    Without values for a table, whose Reader is a list of its columns' names.
    """
    if hasattr(values, "__arrow_c_array__"):
        capsules = values.__arrow_c_array__()
        type_, parts = _core.arrow_array(*capsules)
    else:
        capsule = values.__arrow_c_stream__()
        type_, parts = _core.arrow_stream(capsule)
    if type_.format == "+s":
        return type_.names, None, None
    reader = Reader(type_)
    found = [reader.read(part) for part in parts or [NoPart()]]
    present = None
    if any(there is not None for _, there in found):
        present = numpy.concatenate([numpy.ones(len(piece), dtype=bool) if there is None else there
                                     for piece, there in found])
    return reader, together([piece for piece, _ in found]), present

