# keys.pxi - arrays to many keys; part of _core.pyx
#
# Arrays of numpy stay where they are, if the library takes them as they are; of
# others a copy is made.

cdef class Keys:
    """Many keys of one class, in an array that stays where it is."""
    cdef ribbon_keys *keys
    cdef readonly Py_ssize_t n
    cdef readonly int key_type
    cdef object owner           # of the array
    cdef void *made             # an array that is our own
    cdef void *offsets          # likewise
    cdef readonly object present    # an array of bool, which of the values have a key; or None: all have

    def __dealloc__(self):
        ribbon_keys_free(self.keys)
        free(self.made)
        free(self.offsets)

    def __len__(self):
        """How many values there were."""
        return self.n if self.present is None else len(self.present)

    cdef int set(self, ribbon_keys *keys, int key_type, Py_ssize_t n) except -1:
        if keys == NULL:
            raise MemoryError()
        self.keys = keys
        self.key_type = key_type
        self.n = n
        return 0


cdef void *allocate(size_t size) except NULL:
    cdef void *memory = malloc(size if size > 0 else 1)
    if memory == NULL:
        raise MemoryError()
    return memory


# what an empty array is at
cdef int64_t nothing = 0


def int64_keys(const int64_t[::1] numbers):
    """The Keys of an array of integers."""
    cdef Keys keys = Keys.__new__(Keys)
    cdef const int64_t *at = &numbers[0] if len(numbers) > 0 else &nothing
    keys.owner = numbers
    keys.set(ribbon_keys_int64(at, len(numbers)), RIBBON_KEY_INTEGER, len(numbers))
    return keys


def int32_keys(const int32_t[::1] numbers):
    """The same of 32 bits each."""
    cdef Keys keys = Keys.__new__(Keys)
    cdef const int32_t *at = &numbers[0] if len(numbers) > 0 else <const int32_t *> &nothing
    keys.owner = numbers
    keys.set(ribbon_keys_int32(at, len(numbers)), RIBBON_KEY_INTEGER, len(numbers))
    return keys


def fixed_keys(int key_type, const uint8_t[::1] data, Py_ssize_t size):
    """The Keys of canonical bytes, size of them for each; or of floats."""
    cdef Keys keys = Keys.__new__(Keys)
    cdef const void *at = <const void *> &data[0] if len(data) > 0 else <const void *> &nothing
    cdef Py_ssize_t n = len(data) // size
    keys.owner = data
    keys.set(ribbon_keys_fixed(key_type, at, size, n), key_type, n)
    return keys


cdef Py_ssize_t put_utf8(char *out, const uint32_t *characters, Py_ssize_t n) noexcept nogil:
    """UTF-8 of characters; its bytes, -1 if one cannot be written so, or -2 if one is zero."""
    cdef Py_ssize_t i
    cdef uint32_t c
    cdef uint8_t *at = <uint8_t *> out
    for i in range(n):
        c = characters[i]
        if c == 0:
            return -2
        if c < 0x80:
            at[0] = c
            at += 1
        elif c < 0x800:
            at[0] = 0xC0 | c >> 6
            at[1] = 0x80 | c & 0x3F
            at += 2
        elif c < 0x10000:
            if 0xD800 <= c < 0xE000:
                return -1
            at[0] = 0xE0 | c >> 12
            at[1] = 0x80 | c >> 6 & 0x3F
            at[2] = 0x80 | c & 0x3F
            at += 3
        elif c < 0x110000:
            at[0] = 0xF0 | c >> 18
            at[1] = 0x80 | c >> 12 & 0x3F
            at[2] = 0x80 | c >> 6 & 0x3F
            at[3] = 0x80 | c & 0x3F
            at += 4
        else:
            return -1
    return <char *> at - out


def string_keys(int key_type, const uint32_t[::1] characters, Py_ssize_t size):
    """The Keys of strings of size characters, but for the zeros at their ends."""
    cdef Keys keys = Keys.__new__(Keys)
    cdef Py_ssize_t n = len(characters) // size if size > 0 else 0
    cdef Py_ssize_t i, end, put = 0, at = 0
    cdef int64_t *offsets
    cdef char *made
    keys.offsets = allocate((n + 1) * sizeof(int64_t))
    keys.made = allocate(4 * n * size)
    offsets = <int64_t *> keys.offsets
    made = <char *> keys.made
    with nogil:
        offsets[0] = 0
        for i in range(n):
            end = size
            while end > 0 and characters[i * size + end - 1] == 0:
                end -= 1
            put = put_utf8(made + at, &characters[i * size] if end > 0 else NULL, end)
            if put < 0:
                break
            at += put
            offsets[i + 1] = at
    if put < 0:
        raise ValueError("a text has a zero character, which PostgreSQL's text cannot have" if put == -2 else
                         "a string has a surrogate in it, which UTF-8 cannot have")
    keys.set(ribbon_keys_packed(key_type, made, offsets, n), key_type, n)
    return keys


def object_keys(int wanted, list values not None):
    """The Keys of any values, all of one class: that which is wanted, else that of the first one.

    Values that are missing are left out.
    """
    cdef Keys keys = Keys.__new__(Keys)
    cdef Py_ssize_t i, n = 0, nvalues = len(values)
    cdef bytearray present = None
    cdef ribbon_key *made
    cdef int key_type = wanted
    keys.made = allocate(nvalues * sizeof(ribbon_key))
    made = <ribbon_key *> keys.made
    for i in range(nvalues):
        value = values[i]
        if not PyUnicode_CheckExact(value) and not PyLong_CheckExact(value) and is_missing(value):
            if present is None:
                present = bytearray(b"\1" * nvalues)
            present[i] = 0
            continue
        set_key(&made[n], value, wanted)
        if key_type == RIBBON_KEY_ANY:
            key_type = ribbon_key_type_of(made[n])
        elif wanted == RIBBON_KEY_ANY and ribbon_key_type_of(made[n]) != key_type:
            raise wrong_type(ribbon_key_type_of(made[n]), key_type)
        n += 1
    if present is not None:
        keys.present = numpy.frombuffer(present, dtype=bool)
    # without any, they are still of the class that is known
    keys.set(ribbon_keys_hashed(made, n) if n > 0 or key_type == RIBBON_KEY_ANY else
             ribbon_keys_fixed(key_type, made, 0, 0), key_type, n)
    return keys


def span_keys(int key_type, const int64_t[::1] addresses, const int64_t[::1] sizes):
    """The Keys of strings at these addresses, which are copied."""
    cdef Keys keys = Keys.__new__(Keys)
    cdef Py_ssize_t i, at = 0, n = len(addresses)
    cdef int64_t *offsets
    cdef char *made
    for i in range(n):
        if key_type != RIBBON_KEY_BYTES:
            no_zeros(<const char *> <size_t> addresses[i], sizes[i])
        at += sizes[i]
    keys.offsets = allocate((n + 1) * sizeof(int64_t))
    keys.made = allocate(at)
    offsets = <int64_t *> keys.offsets
    made = <char *> keys.made
    at = 0
    with nogil:
        offsets[0] = 0
        for i in range(n):
            if sizes[i] > 0:
                memcpy(made + at, <const void *> <size_t> addresses[i], sizes[i])
            at += sizes[i]
            offsets[i + 1] = at
    keys.set(ribbon_keys_packed(key_type, made, offsets, n), key_type, n)
    return keys


def span_values(const int64_t[::1] addresses, const int64_t[::1] sizes):
    """The same as a list of bytes."""
    cdef Py_ssize_t i
    return [PyBytes_FromStringAndSize(<const char *> <size_t> addresses[i], sizes[i]) for i in range(len(addresses))]
