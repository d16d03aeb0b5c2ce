# cython: language_level=3, boundscheck=False, wraparound=False, embedsignature=True
"""_core.pyx - libribbon for Python: keys, a builder, and what has been opened

The rest of the package is in Python, and hands arrays over that are contiguous
and of the machine's byte order.  Where many keys are asked for, or added, other
threads go on.
"""

cimport cython
from cpython.buffer cimport (PyBUF_FORMAT, PyBUF_ND, PyBUF_SIMPLE, PyBUF_STRIDES, PyBUF_WRITABLE, PyBuffer_Release,
                             PyObject_GetBuffer)
from cpython.bytes cimport PyBytes_CheckExact, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_CheckExact
from cpython.number cimport PyNumber_Index
from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.errno cimport errno
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from ribbonfilter.libribbon cimport *

import numpy

from ribbonfilter import _scalars
from ribbonfilter._errors import ConflictError, FormatError

cdef extern from "Python.h":
    bint PyUnicode_CheckExact(object value)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

FOUND_VALUE, FOUND_NULL = RIBBON_FOUND_VALUE, RIBBON_FOUND_NULL

cdef tuple FORMAT_ERRORS = (RIBBON_ERROR_TRUNCATED, RIBBON_ERROR_VERSION, RIBBON_ERROR_CORRUPT,
                            RIBBON_ERROR_NOT_A_FILTER, RIBBON_ERROR_NOT_A_MAP)
cdef dict STATS = {
    "format_version": RIBBON_STAT_FORMAT_VERSION, "width": RIBBON_STAT_WIDTH, "layers": RIBBON_STAT_LAYERS,
    "slots": RIBBON_STAT_SLOTS, "empty_slots": RIBBON_STAT_EMPTY_SLOTS, "bumped_keys": RIBBON_STAT_BUMPED_KEYS,
    "value_bits": RIBBON_STAT_VALUE_BITS, "distinct_values": RIBBON_STAT_DISTINCT_VALUES,
    "dictionary": RIBBON_STAT_DICTIONARY, "universe": RIBBON_STAT_UNIVERSE, "code": RIBBON_STAT_CODE,
    "table": RIBBON_STAT_TABLE, "code_bits": RIBBON_STAT_CODE_BITS, "rated": RIBBON_STAT_RATED, "seed": RIBBON_STAT_SEED}


cdef object error_of(int status):
    """The exception of a status that is an error."""
    cdef int number = errno
    text = ribbon_error_text().decode("utf-8", "replace")
    if status == RIBBON_ERROR_MEMORY:
        return MemoryError(text)
    if status == RIBBON_ERROR_FILE:
        return OSError(number, text)
    if status in (RIBBON_ERROR_KEY_TYPE, RIBBON_ERROR_VALUE_TYPE):
        return TypeError(text)
    if status == RIBBON_ERROR_VALUE_RANGE:
        return OverflowError(text)
    if status == RIBBON_ERROR_CONFLICT:
        return ConflictError(text)
    if status in FORMAT_ERRORS:
        return FormatError(text)
    return ValueError(text)


cdef int check(int status) except -1:
    """Raise the exception of a status that is an error; else the status."""
    if status < 0:
        raise error_of(status)
    return status


include "key.pxi"
include "keys.pxi"


cdef int lend(Py_buffer *buffer, object owner, const void *data, Py_ssize_t size, int flags) except -1:
    """Set a buffer that may only be read."""
    if flags & PyBUF_WRITABLE == PyBUF_WRITABLE:
        raise BufferError("the bytes of filters and maps are not to be changed")
    buffer.buf = <void *> data
    buffer.obj = owner
    buffer.len = size
    buffer.readonly = 1
    buffer.itemsize = 1
    buffer.format = NULL
    if flags & PyBUF_FORMAT == PyBUF_FORMAT:
        buffer.format = "B"
    buffer.ndim = 1
    buffer.shape = &buffer.len if flags & PyBUF_ND == PyBUF_ND else NULL
    buffer.strides = &buffer.itemsize if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
    buffer.suboffsets = NULL
    buffer.internal = NULL
    return 0


include "arrow.pxi"


cdef class Made:
    """Bytes that the library has made, as a buffer."""
    cdef void *data
    cdef size_t size

    def __dealloc__(self):
        ribbon_bytes_free(self.data)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        lend(buffer, self, self.data, self.size, flags)


cdef class Texts:
    """Room for n texts: where each begins, its size, and a byte that says whether there is one."""
    cdef const char **begin
    cdef size_t *sizes
    cdef uint8_t *states

    def __cinit__(self, size_t n):
        self.begin = <const char **> allocate(n * sizeof(char *))
        self.sizes = <size_t *> allocate(n * sizeof(size_t))
        self.states = <uint8_t *> allocate(n)

    def __dealloc__(self):
        free(self.begin)
        free(self.sizes)
        free(self.states)


# ---- Building ----

# How often Python is asked, while a filter is built, whether to go on.
cdef double PAUSE = 0.02


cdef struct Ticker:
    double next         # when to ask again, in seconds
    PyObject *builder


cdef double now() noexcept nogil:
    cdef timespec moment
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return moment.tv_sec + 1e-9 * moment.tv_nsec


cdef c_bool tick(void *arg, double share) noexcept nogil:
    cdef Ticker *ticker = <Ticker *> arg
    cdef double moment = now()
    if moment < ticker.next:
        return False
    ticker.next = moment + PAUSE
    with gil:
        return (<Builder> ticker.builder).ask(share)


cdef class Builder:
    """A set of keys from which a filter, or map, is to be built: of the class told, or if that is 0 of the first key's."""
    cdef ribbon_builder *builder
    cdef readonly int told
    cdef Ticker ticker
    cdef object progress    # is called with the share that is done, or None
    cdef object failure     # what it has raised

    def __cinit__(self, int told, double fpr, *, int kind=0, int width=0, unsigned threads=0, memory=None, code=None,
                  uint32_t seed=0, as_of=None, exact_fpr=None, progress=None):
        check(ribbon_builder_new(&self.builder, told, fpr))
        self.told = told
        self.progress = progress
        self.ticker.next = now() + PAUSE
        self.ticker.builder = <PyObject *> self
        check(ribbon_builder_set_progress(self.builder, tick, &self.ticker))
        check(ribbon_builder_set_kind(self.builder, kind))
        check(ribbon_builder_set_width(self.builder, width))
        check(ribbon_builder_set_threads(self.builder, threads))
        check(ribbon_builder_set_seed(self.builder, seed))
        if code is not None:
            check(ribbon_builder_set_code(self.builder, code))
        if as_of is not None:
            check(ribbon_builder_set_as_of(self.builder, as_of))
        if exact_fpr is not None:
            check(ribbon_builder_set_exact_fpr(self.builder, exact_fpr))
        if memory is not None:
            check(ribbon_builder_set_memory(self.builder, memory))

    def set_values(self, int value_type):
        """It becomes one of a map, before its first key."""
        check(ribbon_builder_set_values(self.builder, value_type))

    def __dealloc__(self):
        ribbon_builder_free(self.builder)

    cdef bint ask(self, double share) noexcept:
        """Is somebody against going on?"""
        try:
            PyErr_CheckSignals()
            if self.progress is not None:
                self.progress(share)
        except BaseException as failure:
            self.failure = failure
            return True
        return False

    cdef int judge(self, int status) except -1:
        if status == RIBBON_ERROR_CANCELLED and self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        return check(status)

    def add(self, Keys keys not None):
        cdef int status
        with nogil:
            status = ribbon_builder_add_keys(self.builder, keys.keys)
        self.judge(status)

    def add_members(self, Keys keys not None, const uint8_t[::1] members):
        """Keys of an exact set's universe, and whether they are members."""
        cdef int status
        cdef const uint8_t *at = &members[0] if len(members) > 0 else <const uint8_t *> &nothing
        if keys.n != members.shape[0]:
            raise ValueError("there are not as many answers as keys")
        with nogil:
            status = ribbon_builder_add_members(self.builder, keys.keys, <const c_bool *> at)
        self.judge(status)

    def add_numbers(self, Keys keys not None, const int64_t[::1] values, const uint8_t[::1] nulls):
        """Keys and their values, NULL where nulls has a true; nulls may be None."""
        cdef int status
        cdef const int64_t *at = &values[0] if len(values) > 0 else &nothing
        cdef const c_bool *null = NULL
        if keys.n != values.shape[0] or (nulls is not None and nulls.shape[0] != keys.n):
            raise ValueError("there are not as many values as keys")
        if nulls is not None and len(nulls) > 0:
            null = <const c_bool *> &nulls[0]
        with nogil:
            status = ribbon_builder_add_int64_values(self.builder, keys.keys, at, null)
        self.judge(status)

    def add_texts(self, Keys keys not None, list values not None):
        """The same of texts, and None."""
        cdef Py_ssize_t i, size, n = len(values)
        cdef Texts texts = Texts(n)
        cdef int status
        if keys.n != n:
            raise ValueError("there are not as many values as keys")
        values = list(values)       # which nobody else changes
        for i in range(n):
            value = values[i]
            texts.states[i] = is_missing(value)
            texts.begin[i] = ""
            texts.sizes[i] = 0
            if not texts.states[i]:
                if not isinstance(value, str):
                    raise TypeError(f"a value of type {type(value).__name__} among texts")
                texts.begin[i] = PyUnicode_AsUTF8AndSize(value, &size)
                texts.sizes[i] = no_zeros(texts.begin[i], size)
        with nogil:
            status = ribbon_builder_add_text_values(self.builder, keys.keys, texts.begin, texts.sizes,
                                                    <const c_bool *> texts.states)
        self.judge(status)

    def find_conflict(self, Keys keys not None):
        """After a conflict: the number of the key that it is of, or None if it is none of these."""
        cdef size_t found
        cdef int status
        with nogil:
            status = ribbon_builder_find_conflict(self.builder, keys.keys, &found)
        return found if status >= 0 and found < <size_t> keys.n else None

    def finish(self):
        """Build, and return a buffer; the builder is of no use afterwards."""
        cdef Made made = Made.__new__(Made)
        cdef int status
        with nogil:
            status = ribbon_builder_finish(self.builder, &made.data, &made.size)
        self.judge(status)
        return made


def expected_size(uint64_t keys, double fpr):
    return ribbon_expected_size(keys, fpr)


def timestamptz_of(str text not None):
    """Microseconds since 2000 of a text that says its zone."""
    cdef Py_ssize_t size
    cdef const char *at = PyUnicode_AsUTF8AndSize(text, &size)
    cdef int64_t number
    check(ribbon_value_parse(&number, RIBBON_VALUE_TIMESTAMPTZ, at, size))
    return number


# ---- Opening and asking ----

# A collector of garbage would clear a memoryview while its memory is lent to us.
@cython.no_gc
cdef class Opened:
    """A filter or map, whose bytes are in a buffer that somebody else has made."""
    cdef Py_buffer view
    cdef ribbon_filter *filter
    cdef int type_number
    cdef readonly object buffer
    cdef object hashed      # the hash of the bytes, once it is known
    cdef object __weakref__     # as caches want

    def __cinit__(self, buffer):
        PyObject_GetBuffer(buffer, &self.view, PyBUF_SIMPLE)
        self.buffer = buffer
        check(ribbon_filter_open_bytes(&self.filter, self.view.buf if self.view.len > 0 else &nothing, self.view.len))
        self.type_number = ribbon_filter_key_type(self.filter)

    def __dealloc__(self):
        ribbon_filter_close(self.filter)
        PyBuffer_Release(&self.view)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        lend(buffer, self, self.view.buf, self.view.len, flags)

    def __bytes__(self):
        return PyBytes_FromStringAndSize(<const char *> self.view.buf, self.view.len)

    def __len__(self):
        return ribbon_filter_count(self.filter)

    def __eq__(self, other):
        if not isinstance(other, Opened) or type(self) is not type(other):
            return NotImplemented
        return (self.view.len == (<Opened> other).view.len and
                memcmp(self.view.buf, (<Opened> other).view.buf, self.view.len) == 0)

    def __hash__(self):
        if self.hashed is None:     # not hash(bytes(self)), which copies them
            self.hashed = <int64_t> ribbon_key_hash(ribbon_key_bytes(<const char *> self.view.buf, self.view.len))
        return self.hashed

    cdef bint is_of_nothing(self):
        """Are there neither keys nor a class that they would be of?"""
        return self.type_number == RIBBON_KEY_ANY and ribbon_filter_count(self.filter) == 0

    def __contains__(self, key):
        cdef ribbon_key found
        if not PyUnicode_CheckExact(key) and not PyLong_CheckExact(key) and is_missing(key):
            return False
        set_key(&found, key, self.type_number)
        return not self.is_of_nothing() and check(ribbon_filter_contains(self.filter, found)) == 1

    def _find_keys(self, Keys keys not None, uint8_t[::1] answers):
        """For each key, is it in: 1 or 0."""
        cdef int status
        if keys.n != answers.shape[0]:
            raise ValueError("there are not as many answers as keys")
        if keys.n == 0 or self.is_of_nothing():
            answers[:] = 0
            return
        with nogil:
            status = ribbon_filter_contains_keys(self.filter, keys.keys, <c_bool *> &answers[0])
        check(status)

    def _get(self, key, decode, default):
        """The value of a key: decode(number, value_type) or a str, None for NULL; default if it is not in the map."""
        cdef ribbon_key found
        cdef int64_t number
        cdef const char *text
        cdef size_t size
        cdef int status
        cdef int value_type = ribbon_filter_value_type(self.filter)
        if is_missing(key):
            return default
        set_key(&found, key, self.type_number)
        if self.is_of_nothing():
            return default
        if value_type == RIBBON_VALUE_TEXT:
            status = check(ribbon_filter_get_text(self.filter, found, &text, &size))
            if status == RIBBON_FOUND_VALUE:
                return decode_text(text, size)
        else:
            status = check(ribbon_filter_get_int64(self.filter, found, &number))
            if status == RIBBON_FOUND_VALUE:
                return decode(number, value_type)
        return None if status == RIBBON_FOUND_NULL else default

    def _get_numbers(self, Keys keys not None, uint8_t[::1] found, int64_t[::1] numbers):
        """For each key, what is found (0: it is not in the map, 2: NULL), and the number."""
        cdef int status
        if keys.n != found.shape[0] or keys.n != numbers.shape[0]:
            raise ValueError("there are not as many answers as keys")
        if keys.n == 0 or self.is_of_nothing():
            found[:] = 0
            return
        with nogil:
            status = ribbon_filter_get_int64s(self.filter, keys.keys, &found[0], &numbers[0])
        check(status)

    def _get_texts(self, default, Keys keys not None, object[::1] values):
        """For each key, the text, None for NULL, or default."""
        cdef Py_ssize_t i, n = keys.n
        cdef Texts texts = Texts(n)
        cdef int status
        cdef dict known = {}
        if n != values.shape[0]:
            raise ValueError("there are not as many answers as keys")
        if n == 0 or self.is_of_nothing():
            values[:] = default
            return
        with nogil:
            status = ribbon_filter_get_texts(self.filter, keys.keys, texts.states, texts.begin, texts.sizes)
        check(status)
        for i in range(n):
            if texts.states[i] != RIBBON_FOUND_VALUE:
                values[i] = None if texts.states[i] == RIBBON_FOUND_NULL else default
            else:
                # texts are few, and each is in one place; but hostile bytes may overlap
                place = (<size_t> texts.begin[i], texts.sizes[i])
                text = known.get(place)
                if text is None:
                    text = known[place] = decode_text(texts.begin[i], texts.sizes[i])
                values[i] = text

    @property
    def _has_values(self):
        return bool(ribbon_filter_is_map(self.filter))

    @property
    def _key_type_number(self):
        return self.type_number

    @property
    def fpr(self):
        """The probability that a key which is not in it gets a yes; 0 if it is empty."""
        return ribbon_filter_fpr(self.filter)

    @property
    def nbytes(self):
        """How many bytes it has."""
        return self.view.len

    @property
    def _kind_number(self):
        return ribbon_filter_kind(self.filter)

    @property
    def _value_type_number(self):
        return ribbon_filter_value_type(self.filter)

    @property
    def _value_type_name(self):
        cdef char name[517]
        cdef size_t size = ribbon_filter_value_type_name(self.filter, name, sizeof(name))
        return name[:min(size, sizeof(name) - 1)].decode("utf-8", "replace")

    def _member_at(self, key, int64_t key_time):
        """Of an exact set with a time: 1 or 0, or RIBBON_FOUND_NULL if the key is newer."""
        cdef ribbon_key found
        refuse_missing(key)
        set_key(&found, key, self.type_number)
        return check(ribbon_filter_member(self.filter, found, key_time))

    @property
    def _as_of_number(self):
        cdef int64_t as_of
        return as_of if ribbon_filter_as_of(self.filter, &as_of) else None

    def _stat(self, name):
        return ribbon_filter_stat(self.filter, STATS[name])

    def _check_bytes(self):
        cdef int status
        with nogil:
            status = ribbon_filter_check(self.filter)
        check(status)

    def _shrink_bytes(self, double fpr):
        """A buffer of the same keys at a higher rate."""
        cdef Made made = Made.__new__(Made)
        cdef int status
        with nogil:
            status = ribbon_filter_shrink(self.filter, fpr, &made.data, &made.size)
        check(status)
        return made


cdef object decode_text(const char *text, size_t size):
    try:
        return PyUnicode_DecodeUTF8(text, size, NULL)
    except UnicodeDecodeError as error:
        raise FormatError(f"a text of the map's dictionary is not UTF-8: {error}") from None
