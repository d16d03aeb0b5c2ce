# arrow.pxi - arrays of Arrow's C data interface; part of _core.pyx
#
# pyarrow, polars and others lend their columns in two structs of C that are in
# capsules (https://arrow.apache.org/docs/format/CDataInterface.html).  Here they
# become ArrowType and ArrowPart, which _arrow.py reads; a part's memory stays
# where it is until the part is gone.

from cpython.pycapsule cimport PyCapsule_GetPointer

cdef extern from *:
    """
    struct ArrowSchema
    {
        const char *format, *name, *metadata;
        int64_t flags, n_children;
        struct ArrowSchema **children, *dictionary;
        void (*release)(struct ArrowSchema *);
        void *private_data;
    };
    struct ArrowArray
    {
        int64_t length, null_count, offset, n_buffers, n_children;
        const void **buffers;
        struct ArrowArray **children, *dictionary;
        void (*release)(struct ArrowArray *);
        void *private_data;
    };
    struct ArrowArrayStream
    {
        int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
        int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
        const char *(*get_last_error)(struct ArrowArrayStream *);
        void (*release)(struct ArrowArrayStream *);
        void *private_data;
    };
    """
    ctypedef struct ArrowSchema "struct ArrowSchema":
        const char *format
        const char *name
        const char *metadata
        int64_t n_children
        ArrowSchema **children
        ArrowSchema *dictionary
        void (*release)(ArrowSchema *)
    ctypedef struct ArrowArray "struct ArrowArray":
        int64_t length, null_count, offset, n_buffers
        const void **buffers
        ArrowArray *dictionary
        void (*release)(ArrowArray *)
    ctypedef struct ArrowArrayStream "struct ArrowArrayStream":
        int (*get_schema)(ArrowArrayStream *, ArrowSchema *)
        int (*get_next)(ArrowArrayStream *, ArrowArray *)
        const char *(*get_last_error)(ArrowArrayStream *)
        void (*release)(ArrowArrayStream *)


cdef class ArrowType:
    """What the values of an array are: a struct that is our own, or one that an owner has."""
    cdef ArrowSchema own
    cdef ArrowSchema *schema
    cdef object owner

    def __cinit__(self):
        self.own.release = NULL
        self.schema = &self.own

    def __dealloc__(self):
        if self.own.release != NULL:
            self.own.release(&self.own)

    @property
    def format(self):
        return self.schema.format.decode("utf-8", "replace") if self.schema.format != NULL else ""

    @property
    def names(self):
        """Of the columns, if it is a table; those that have none are left out."""
        return [self.schema.children[i].name.decode() for i in range(self.schema.n_children)
                if self.schema.children[i].name != NULL]

    @property
    def dictionary(self):
        return arrow_type(self.schema.dictionary, self) if self.schema.dictionary != NULL else None

    @property
    def extension(self):
        """The name of an extension type, or None."""
        cdef const char *at = self.schema.metadata
        cdef int32_t i, n = 0
        if at != NULL:
            memcpy(&n, at, sizeof(n))
            at += sizeof(n)
        for i in range(n):
            name = counted(&at)
            value = counted(&at)
            if name == b"ARROW:extension:name":
                return value.decode()
        return None


cdef bytes counted(const char **at):
    """Bytes behind their number, in metadata; at moves on."""
    cdef int32_t size
    memcpy(&size, at[0], sizeof(size))
    cdef bytes found = at[0][sizeof(size):sizeof(size) + size]
    at[0] += sizeof(size) + size
    return found


cdef ArrowType arrow_type(ArrowSchema *schema, owner):
    cdef ArrowType found = ArrowType.__new__(ArrowType)
    found.schema = schema
    found.owner = owner
    return found


cdef class ArrowPart:
    """An array: one of those of a column, or the dictionary of one."""
    cdef ArrowArray own
    cdef ArrowArray *array
    cdef object owner

    def __cinit__(self):
        self.own.release = NULL
        self.array = &self.own

    def __dealloc__(self):
        if self.own.release != NULL:
            self.own.release(&self.own)

    @property
    def length(self):
        return self.array.length

    @property
    def offset(self):
        return self.array.offset

    @property
    def null_count(self):
        return self.array.null_count

    @property
    def n_buffers(self):
        return self.array.n_buffers

    @property
    def dictionary(self):
        """That which its type says that it has."""
        if self.array.dictionary == NULL:
            raise ValueError("a column lacks its dictionary")
        return arrow_part(self.array.dictionary, self)

    def address(self, int number):
        """Where one of its buffers is, or 0."""
        if not 0 <= number < self.array.n_buffers:
            raise ValueError("a column has fewer buffers than its type")
        return <size_t> self.array.buffers[number]

    def buffer(self, int number, Py_ssize_t size):
        """So many bytes of one of its buffers, which there are, where they are."""
        cdef Lent lent = Lent.__new__(Lent)
        lent.data = self.array.buffers[number]
        lent.size = size
        lent.owner = self
        return lent


cdef ArrowPart arrow_part(ArrowArray *array, owner):
    cdef ArrowPart found = ArrowPart.__new__(ArrowPart)
    found.array = array
    found.owner = owner
    return found


cdef class Lent:
    """Memory of an owner, as a buffer."""
    cdef const void *data
    cdef Py_ssize_t size
    cdef object owner

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        lend(buffer, self, self.data, self.size, flags)


def arrow_array(schema, array):
    """The type, and the only part, of a column in these capsules."""
    cdef ArrowSchema *type_ = <ArrowSchema *> PyCapsule_GetPointer(schema, "arrow_schema")
    cdef ArrowArray *part = <ArrowArray *> PyCapsule_GetPointer(array, "arrow_array")
    refuse_released(type_.release == NULL or part.release == NULL)
    return arrow_type(type_, schema), [arrow_part(part, array)]


def arrow_stream(capsule):
    """The type and the parts of a column in this capsule; a table is not read."""
    cdef ArrowArrayStream *stream = <ArrowArrayStream *> PyCapsule_GetPointer(capsule, "arrow_array_stream")
    cdef ArrowType type_ = ArrowType.__new__(ArrowType)
    cdef ArrowPart part
    cdef list parts = []
    refuse_released(stream.release == NULL)
    stream_check(stream, stream.get_schema(stream, &type_.own))
    while not type_.format.startswith("+"):
        part = ArrowPart.__new__(ArrowPart)
        stream_check(stream, stream.get_next(stream, &part.own))
        if part.own.release == NULL:
            break
        parts.append(part)
    return type_, parts


cdef int refuse_released(bint is_released) except -1:
    """Refuse a struct whose owner has no more: what it points at may be gone."""
    if is_released:
        raise ValueError("the column has been taken by another reader, and is in its capsule no more")
    return 0


cdef int stream_check(ArrowArrayStream *stream, int number) except -1:
    cdef const char *text
    if number != 0:
        text = stream.get_last_error(stream)
        raise OSError(number, text.decode("utf-8", "replace") if text != NULL else "a column cannot be read")
    return 0
