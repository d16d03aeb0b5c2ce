"""fake_arrow.py - columns that speak Arrow's C data interface as pyarrow and polars do, where these are not installed

The structs are those of https://arrow.apache.org/docs/format/CDataInterface.html; what is in the buffers follows the
page on the columnar format.  ALIVE counts structs that their taker has not released.
"""

import ctypes
import datetime
import decimal
import struct

import numpy

P = ctypes.POINTER
ALIVE = {}
EPOCH = datetime.datetime(1970, 1, 1)
JUNK = b"junk in a place that is missing"
NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4", "g": "f8"}
PER_SECOND = {"s": 1, "m": 10**3, "u": 10**6, "n": 10**9}


class Schema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, P(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, P(ArrowArray))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, P(Stream))
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, P(Stream), P(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, P(Stream), P(ArrowArray))
GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, P(Stream))
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", P(P(Schema))), ("dictionary", P(Schema)), ("release", RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p)]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", P(ctypes.c_void_p)), ("children", P(P(ArrowArray))), ("dictionary", P(ArrowArray)),
    ("release", RELEASE_ARRAY), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", GET_ERROR), ("release", RELEASE_STREAM),
    ("private_data", ctypes.c_void_p)]


def release_dictionary(made):
    """A struct's dictionary goes with it."""
    if made.dictionary:
        made.dictionary.contents.release(made.dictionary)


@RELEASE_SCHEMA
def release_schema(schema):
    release_dictionary(schema.contents)
    ALIVE.pop(schema.contents.private_data)
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_array(array):
    release_dictionary(array.contents)
    for buffer in ALIVE.pop(array.contents.private_data)[1]:
        if buffer is not None:      # whoever reads on will notice
            ctypes.memset(buffer, 0xAA, len(buffer))
    array.contents.release = RELEASE_ARRAY()


@RELEASE_STREAM
def release_stream(stream):
    ALIVE.pop(stream.contents.private_data)
    stream.contents.release = RELEASE_STREAM()


NEXT = iter(range(1, 1 << 60))


def keep(*kept):
    number = next(NEXT)
    ALIVE[number] = kept
    return number


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
NAMES = {Schema: b"arrow_schema", ArrowArray: b"arrow_array", Stream: b"arrow_array_stream"}


def destructor_of(kind):
    @ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
    def destroy(capsule):
        made = kind.from_address(get_pointer(capsule, NAMES[kind]))
        if made.release:
            made.release(ctypes.byref(made))
        IN_CAPSULES.pop(ctypes.addressof(made))
    return destroy


IN_CAPSULES = {}
DESTRUCTORS = {kind: destructor_of(kind) for kind in NAMES}


def capsule(made):
    IN_CAPSULES[ctypes.addressof(made)] = made
    return new_capsule(ctypes.addressof(made), NAMES[type(made)], ctypes.cast(DESTRUCTORS[type(made)], ctypes.c_void_p))


def ticks(span, unit):
    return (span.days * 86400 + span.seconds) * PER_SECOND[unit] + span.microseconds * PER_SECOND[unit] // 10**6


def as_number(form, value):
    """What a time, say, is stored as."""
    if form == "tdD":
        return (value - EPOCH.date()).days
    if form == "tdm":
        return (value - EPOCH.date()).days * 86400000
    if form[:2] == "ts":
        epoch = EPOCH if value.tzinfo is None else EPOCH.replace(tzinfo=datetime.timezone.utc)
        return ticks(value - epoch, form[2])
    if form[:2] == "tt":
        return ticks(datetime.datetime.combine(EPOCH, value) - EPOCH, form[2])
    return ticks(value, form[2])


def strings(values, as_offset):
    data = [JUNK if value is None else value.encode() if isinstance(value, str) else value for value in values]
    ends = numpy.cumsum([0, *map(len, data)]).astype(as_offset)
    return [ends.tobytes(), b"".join(data)]


def views(values):
    """Views of strings, the longer ones of which are in two buffers."""
    made, longer = b"", [b"x", b"yy"]
    for at, value in enumerate(values):
        data = JUNK if value is None else value.encode() if isinstance(value, str) else value
        if len(data) <= 12:
            made += struct.pack("<i12s", len(data), data)
        else:
            made += struct.pack("<i4sii", len(data), data[:4], at % 2, len(longer[at % 2]))
            longer[at % 2] += data
    return [made, *longer, struct.pack("<2q", *map(len, longer))]


def data_of(form, values):
    """The buffers behind that of validity."""
    if form == "b":
        return [numpy.packbits([bool(value) for value in values], bitorder="little").tobytes()]
    if form == "n":
        return []
    if form in NUMBERS:
        return [numpy.array([0 if value is None else value for value in values], NUMBERS[form]).tobytes()]
    if form in "uzUZ":
        return strings(values, "i4" if form in "uz" else "i8")
    if form in ("vu", "vz"):
        return views(values)
    if form[:2] == "w:":
        size = int(form[2:])
        return [b"".join(b"?" * size if value is None else value for value in values)]
    if form[:2] == "d:":
        _, scale, *size = map(int, form[2:].split(","))
        context = decimal.Context(prec=80)
        numbers = [int(context.scaleb(value or decimal.Decimal(0), scale)) for value in values]
        return [b"".join(number.to_bytes((size or [128])[0] // 8, "little", signed=True) for number in numbers)]
    size = "i4" if form in ("tdD", "tts", "ttm") else "i8"
    return [numpy.array([77 if value is None else as_number(form, value) for value in values], size).tobytes()]


class Made:
    """A column of values, None where one is missing; with a dictionary, its values are coded.

    What is said is the format that its type has, if it is another one than its values have.
    """

    def __init__(self, form, values, *, offset=0, dictionary=None, extension=None, names=(), said=None):
        self.form, self.values, self.names, self.said = form, values, names, said
        self.extension = extension
        self.offset = offset
        self.dictionary = None
        if dictionary is not None:
            self.dictionary = Made(form, dictionary)
            self.form, values = "i", [None if value is None else dictionary.index(value) for value in values]
        self.stored = [*[None] * offset, *values]

    def schema(self, made):
        kept = [(self.form if self.said is None else self.said).encode("utf-8", "surrogateescape"), b""]
        made.format, made.name = kept
        if self.extension is not None:
            pairs = {b"other": b"x", b"ARROW:extension:name": self.extension.encode()}
            data = struct.pack("=i", len(pairs)) + b"".join(struct.pack(f"=i{len(text)}s", len(text), text)
                                                             for pair in pairs.items() for text in pair)
            kept.append(ctypes.create_string_buffer(data, len(data)))
            made.metadata = ctypes.addressof(kept[-1])
        if self.names:
            children = [Schema(b"l", name and name.encode()) for name in self.names]
            made.n_children = len(children)
            made.children = (P(Schema) * len(children))(*map(ctypes.pointer, children))
            kept += [children, made.children]
        if self.dictionary is not None:
            inner = Schema()
            self.dictionary.schema(inner)
            kept.append(inner)
            made.dictionary = ctypes.pointer(inner)
        made.release = release_schema
        made.private_data = keep(kept, [])
        return made

    def array(self, made):
        missing = [value is None for value in self.stored]
        validity = numpy.packbits([not m for m in missing], bitorder="little").tobytes() if any(missing) else None
        buffers = [validity, *data_of(self.form, self.stored)] if self.form not in ("n", "+s") else []
        memory = [None if data is None else ctypes.create_string_buffer(data, len(data)) for data in buffers]
        made.length = len(self.stored) - self.offset
        made.null_count = -1 if any(missing) else 0
        made.offset = self.offset
        made.n_buffers = len(memory)
        made.buffers = (ctypes.c_void_p * len(memory))(
            *(None if data is None else ctypes.addressof(data) for data in memory))
        kept = [made.buffers]
        if self.dictionary is not None:
            inner = ArrowArray()
            self.dictionary.array(inner)
            kept.append(inner)
            made.dictionary = ctypes.pointer(inner)
        made.release = release_array
        made.private_data = keep(kept, memory)
        return made


class Array:
    """As pyarrow's: iteration gives scalars of its own."""

    def __init__(self, form, values, **options):
        self.made = Made(form, values, **options)

    def __len__(self):
        return len(self.made.values)

    def __iter__(self):
        return iter(map(Scalar, self.made.values))

    def __array__(self, dtype=None):
        return as_numpy(self.made.values)

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(self.made.schema(Schema())), capsule(self.made.array(ArrowArray()))


class Scalar:
    def __init__(self, value):
        self.value = value


class ChunkedArray:
    """The same in pieces."""

    def __init__(self, form, values, pieces=2, fails=False, **options):
        step = max(-(-len(values) // pieces), 1)
        self.fails = fails
        self.empty = Made(form, [], **options)
        self.pieces = [Made(form, values[at:at + step], offset=at % 3, **options) for at in range(0, len(values), step)]
        self.values = values

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(map(Scalar, self.values))

    def __array__(self, dtype=None):
        return as_numpy(self.values)

    def __arrow_c_stream__(self, requested_schema=None):
        left = list(self.pieces)
        text = ctypes.create_string_buffer(b"the disk is gone")

        @GET_SCHEMA
        def get_schema(_, schema):
            self.empty.schema(schema.contents)
            return 0

        @GET_NEXT
        def get_next(_, array):
            if self.fails:
                return 5
            if left:
                left.pop(0).array(array.contents)
            else:
                array.contents.release = RELEASE_ARRAY()
            return 0

        @GET_ERROR
        def get_last_error(_):
            return ctypes.addressof(text)

        stream = Stream(get_schema, get_next, get_last_error, release_stream)
        stream.private_data = keep([get_schema, get_next, get_last_error, text], [])
        return capsule(stream)


def taken(*capsules):
    """Capsules from which another reader has taken what was in them."""
    for one, kind in zip(capsules, (Stream,) if len(capsules) == 1 else (Schema, ArrowArray)):
        made = kind.from_address(get_pointer(id(one), NAMES[kind]))
        made.release(ctypes.byref(made))
    return capsules if len(capsules) > 1 else capsules[0]


class TakenArray(Array):
    def __arrow_c_array__(self, requested_schema=None):
        return taken(*super().__arrow_c_array__())


class TakenStream(ChunkedArray):
    def __arrow_c_stream__(self, requested_schema=None):
        return taken(super().__arrow_c_stream__())


class Series(ChunkedArray):
    """As polars': numbers of which some are missing become floats with NaN in numpy."""
    dtype = "polars' own"

    def __iter__(self):
        return iter(self.values)

    def is_null(self):
        return [value is None for value in self.values]

    def null_count(self):
        return sum(self.is_null())


class Table(ChunkedArray):
    """A table of either: iteration gives columns."""

    def __init__(self, **columns):
        super().__init__("+s", [None], names=list(columns))
        self.columns = list(columns)
        self.values = [Array("l", values) for values in columns.values()]

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        raise NotImplementedError

    def __iter__(self):
        return iter(self.values)


class Batch(Array):
    """A table of one piece, which has nothing but Arrow's method."""

    def __init__(self, **columns):
        super().__init__("+s", [None], names=list(columns))


class Old:
    """A column of a release that does not speak Arrow's C interface yet."""
    null_count = 1
    ndim = 1

    def __array__(self, dtype=None):
        return numpy.array([1.0, float("nan")])


class Extension:
    """What knows itself as Arrow's array."""

    def __init__(self, form, values):
        self.values = form, values

    def __arrow_array__(self, type=None):
        return Array(*self.values)


def as_numpy(values):
    if any(value is None for value in values):
        return numpy.array([float("nan") if value is None else value for value in values])
    return numpy.array(values)
