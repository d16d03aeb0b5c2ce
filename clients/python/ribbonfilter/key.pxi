# key.pxi - a Python value to a key; part of _core.pyx
#
# What a Python value is follows from its type, unless the caller, or the filter
# that is asked, wants another key class that values of this type can be, too
# (an int may be an oid, a str an enum's label).

TYPES_ALSO = {
    RIBBON_KEY_INTEGER: (RIBBON_KEY_OID, RIBBON_KEY_XID8, RIBBON_KEY_NUMERIC),
    RIBBON_KEY_TEXT: (RIBBON_KEY_CHAR, RIBBON_KEY_ENUM, RIBBON_KEY_MACADDR, RIBBON_KEY_MACADDR8, RIBBON_KEY_LSN,
                      RIBBON_KEY_BIT),
}


def type_name(int key_type):
    """The name of a key class, without the classes of parts."""
    cdef const char *name = ribbon_key_type_name(key_type)
    return name.decode() if name != NULL else f"class {key_type & 31}"


def type_number(name):
    """The number of a key class's name, or of one of its other names."""
    if not isinstance(name, str):
        raise TypeError(f"a key type must be a name, such as 'text', not {_scalars.shown(name)}")
    cdef bytes text = name.encode("utf-8", "replace")
    cdef int number = -1 if b"\0" in text else ribbon_key_type_named(text)
    if number < 0:
        raise ValueError(f"no such key type: {_scalars.shown(name)}")
    return number


# What to do with a key of one class where another is wanted.
cdef object WAYS = {
    (RIBBON_KEY_FLOAT, RIBBON_KEY_INTEGER): "use int(key), or .astype('Int64') of a column that is float because values are missing",
    (RIBBON_KEY_FLOAT, RIBBON_KEY_TEXT): "NaN is missing only in a column of pandas: use that, not its list, or leave NaN out",
    (RIBBON_KEY_BOOL, RIBBON_KEY_INTEGER): "use int(key), or array.astype(int)",
    (RIBBON_KEY_INTEGER, RIBBON_KEY_FLOAT): "use float(key), or array.astype(float)",
    (RIBBON_KEY_TEXT, RIBBON_KEY_BYTES): "use bytes.fromhex(key) if these are hexadecimal digits, or key.encode()",
    (RIBBON_KEY_TEXT, RIBBON_KEY_UUID): "use uuid.UUID(key)",
    (RIBBON_KEY_BYTES, RIBBON_KEY_TEXT): "use key.decode()",
    (RIBBON_KEY_BYTES, RIBBON_KEY_INTEGER): "a uint8 array of two dimensions has keys of bytes; use array.astype(int) if it has integers",
    (RIBBON_KEY_TIMESTAMP, RIBBON_KEY_TIMESTAMPTZ): "say its time zone, or for an array in UTC key_type='timestamptz'",
    (RIBBON_KEY_TIMESTAMP, RIBBON_KEY_DATE): "use .date(), or array.astype('datetime64[D]')",
    (RIBBON_KEY_DATE, RIBBON_KEY_TIMESTAMP): "use a datetime, or array.astype('datetime64[us]')",
}


def wrong_type(int key_type, int wanted):
    """The exception of a key of one class where another is wanted."""
    way = WAYS.get((key_type & 31, wanted & 31))
    return TypeError(f"the key is of type {type_name(key_type)}, where keys are of type {type_name(wanted)}"
                     f"{f': {way}' if way else ''}")


cdef int natural_class(object value) except -1:
    """The key class of a value by its Python type."""
    if isinstance(value, bool):
        return RIBBON_KEY_BOOL
    if isinstance(value, int):
        return RIBBON_KEY_INTEGER
    if isinstance(value, str):
        return RIBBON_KEY_TEXT
    if isinstance(value, (bytes, bytearray, memoryview)):
        return RIBBON_KEY_BYTES
    if isinstance(value, float):
        return RIBBON_KEY_FLOAT
    return _scalars.natural_class(value)


# Types of which no value stands for NULL, and those of which some do; others are asked for their names.
cdef object PRESENT_TYPES = frozenset((str, int, bytes, bool, float, bytearray, memoryview))
cdef object MISSING_TYPES = frozenset(("NAType", "NaTType", "datetime64", "timedelta64", "MaskedConstant"))


cdef bint is_missing(object value):
    """Is it what stands for NULL in Python, in numpy, or in pandas?"""
    if value is None:
        return True
    kind = type(value)
    return kind not in PRESENT_TYPES and kind.__name__ in MISSING_TYPES and _scalars.is_missing(value)


cdef int refuse_missing(object value) except -1:
    """Of a key that must be there."""
    if is_missing(value):
        raise TypeError(f"{value!r} stands for a missing value, which is no key")
    return 0


cdef Py_ssize_t no_zeros(const char *text, Py_ssize_t size) except -1:
    """The size of a text, in which PostgreSQL has no zero characters."""
    if size > 0 and memchr(text, 0, size) != NULL:
        raise ValueError(f"the text {_scalars.cut(text[:size].decode('utf-8', 'replace'))!r} has a zero character, which PostgreSQL's text cannot have")
    return size


cdef ribbon_key str_key(str value, int wanted) except *:
    cdef Py_ssize_t size
    cdef const char *text = PyUnicode_AsUTF8AndSize(value, &size)
    cdef ribbon_key key
    no_zeros(text, size)
    if wanted == RIBBON_KEY_TEXT:
        return ribbon_key_text(text, size)
    if wanted == RIBBON_KEY_CHAR:
        return ribbon_key_char(text, size)
    if wanted == RIBBON_KEY_ENUM:
        return ribbon_key_enum(text, size)
    if wanted == RIBBON_KEY_BIT and value.strip("01"):
        raise ValueError(f"{_scalars.cut(value)!r} is no bit string")
    check(ribbon_key_parse(&key, wanted, text, size))
    return key


def beyond(int key_type):
    """The error of an integer that is no key of this class."""
    return OverflowError("an integer is beyond 64 bits with a sign, where only keys of type numeric are: use key_type='numeric'"
                         if key_type == RIBBON_KEY_INTEGER else f"an integer is beyond the range of {type_name(key_type)}")


cdef ribbon_key int_key(value, int wanted) except *:
    try:
        if wanted == RIBBON_KEY_INTEGER:
            return ribbon_key_int64(value)
        if wanted == RIBBON_KEY_OID:
            return ribbon_key_oid(value)
        return ribbon_key_xid8(value)
    except OverflowError:
        raise beyond(wanted) from None


cdef ribbon_key canonical_key(int key_type, bytes canonical) except *:
    return ribbon_key_canonical(key_type, <const char *> canonical, len(canonical))


cdef object NUMPY_SCALAR = numpy.generic


cdef ribbon_key general_key(object value, int wanted) except *:
    """A key of any type."""
    cdef int natural
    cdef int key_type
    cdef bint is_true
    if isinstance(value, Key):
        natural = (<Key> value).type_number
        if wanted != RIBBON_KEY_ANY and natural & 31 != wanted & 31:
            raise wrong_type(natural, wanted)
        return (<Key> value).key
    if isinstance(value, NUMPY_SCALAR):
        value = _scalars.plain(value)
    natural = natural_class(value)
    key_type = natural if wanted == RIBBON_KEY_ANY else wanted
    if key_type != natural and key_type not in TYPES_ALSO.get(natural, ()):
        raise wrong_type(natural, key_type)
    if key_type == RIBBON_KEY_BOOL:
        is_true = value
        return ribbon_key_bool(is_true)
    if key_type == RIBBON_KEY_FLOAT:
        return ribbon_key_float8(value)
    if key_type == RIBBON_KEY_BYTES:
        value = bytes(memoryview(value))    # a subclass may show itself otherwise
        return ribbon_key_bytes(<const char *> (<bytes> value), len(<bytes> value))
    if natural == RIBBON_KEY_INTEGER and key_type != RIBBON_KEY_NUMERIC:
        return int_key(value, key_type)
    if natural == RIBBON_KEY_TEXT:
        return str_key(str.__str__(value), key_type)     # a subclass may show itself otherwise
    form = _scalars.form(value, key_type)
    return str_key(form, key_type) if isinstance(form, str) else canonical_key(key_type, form)


cdef int set_key(ribbon_key *key, object value, int wanted) except -1:
    """The key of a value that is not missing; quickly, if it is an int, a str or bytes."""
    if PyUnicode_CheckExact(value) and (wanted == RIBBON_KEY_TEXT or wanted == RIBBON_KEY_ANY):
        key[0] = str_key(<str> value, RIBBON_KEY_TEXT)
    elif PyLong_CheckExact(value) and (wanted == RIBBON_KEY_INTEGER or wanted == RIBBON_KEY_ANY):
        key[0] = int_key(value, RIBBON_KEY_INTEGER)
    elif PyBytes_CheckExact(value) and (wanted == RIBBON_KEY_BYTES or wanted == RIBBON_KEY_ANY):
        key[0] = ribbon_key_bytes(<const char *> (<bytes> value), len(<bytes> value))
    else:
        key[0] = general_key(value, wanted)
    return 0


cdef class Key:
    """A hashed key, accepted wherever a key is, in place of the value that it was made from.

    Give ``type`` if the value's Python type is ambiguous: one of the names in ``Filter.key_type``.

    >>> Key(42) in Filter.build([42])
    True
    >>> Key(42, "oid")
    Key(type='oid', hash=2392174772787195229)
    >>> Key("abc").hash, Key("abc").shard(16)
    (8696274497037089104, 11)
    """
    cdef ribbon_key key

    def __init__(self, value, type=None):
        refuse_missing(value)
        set_key(&self.key, value, RIBBON_KEY_ANY if type is None else type_number(type))

    @staticmethod
    def from_canonical(type_number, data):
        """The key of these canonical bytes (docs/canonical.md), of a class by its number."""
        cdef Key key = Key.__new__(Key)
        key.key = canonical_key(PyNumber_Index(type_number), bytes(memoryview(data)))
        return key

    cdef tuple hashed(self):
        """All that a key is: its class and both of its hashes."""
        return self.type_number, ribbon_key_hash(self.key), ribbon_key_hash2(self.key)

    def __reduce__(self):
        return key_of_hashes, self.hashed()

    @property
    def type_number(self):
        """The number of the key's class, with the classes of parts above its low five bits."""
        return ribbon_key_type_of(self.key)

    @property
    def type(self):
        """The name of the key's class: "integer", "text", and so on."""
        return type_name(ribbon_key_type_of(self.key))

    @property
    def hash(self):
        """The key's hash, which ``ribbon_hash`` gives on the server."""
        return <int64_t> ribbon_key_hash(self.key)

    def shard(self, shards):
        """A number from 0 to shards - 1, which ``ribbon_shard`` gives on the server."""
        number = PyNumber_Index(shards)
        if not 0 < number < 1 << 31:
            raise ValueError(f"the number of shards must be 1 to 2147483647, not {_scalars.shown(shards)}")
        return ribbon_key_shard(self.key, number)

    def __eq__(self, other):
        if not isinstance(other, Key):
            return NotImplemented
        return self.hashed() == (<Key> other).hashed()

    def __hash__(self):
        return hash(self.hashed())

    def __repr__(self):
        return f"Key(type={self.type!r}, hash={self.hash})"


def key_of_hashes(int type_number, uint64_t hash, uint64_t hash2):
    """The key of a pickle."""
    cdef Key key = Key.__new__(Key)
    key.key = ribbon_key_hashed(type_number, hash, hash2)
    return key
