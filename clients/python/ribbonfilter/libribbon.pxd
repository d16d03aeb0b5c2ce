# libribbon.pxd - what is used of lib/include/ribbon.h

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef extern from "<stdbool.h>":
    ctypedef unsigned char c_bool "bool"

cdef extern from "include/ribbon.h" nogil:
    enum:
        RIBBON_ERROR_MEMORY
        RIBBON_ERROR_CANCELLED
        RIBBON_ERROR_KEY_TYPE
        RIBBON_ERROR_VALUE_TYPE
        RIBBON_ERROR_VALUE_RANGE
        RIBBON_ERROR_CONFLICT
        RIBBON_ERROR_FILE
        RIBBON_ERROR_TRUNCATED
        RIBBON_ERROR_VERSION
        RIBBON_ERROR_CORRUPT
        RIBBON_ERROR_NOT_A_FILTER
        RIBBON_ERROR_NOT_A_MAP

        RIBBON_KEY_ANY
        RIBBON_KEY_INTEGER
        RIBBON_KEY_TEXT
        RIBBON_KEY_BYTES
        RIBBON_KEY_UUID
        RIBBON_KEY_BOOL
        RIBBON_KEY_DATE
        RIBBON_KEY_TIMESTAMP
        RIBBON_KEY_TIMESTAMPTZ
        RIBBON_KEY_OID
        RIBBON_KEY_FLOAT
        RIBBON_KEY_MACADDR
        RIBBON_KEY_MACADDR8
        RIBBON_KEY_NUMERIC
        RIBBON_KEY_ENUM
        RIBBON_KEY_CHAR
        RIBBON_KEY_XID8
        RIBBON_KEY_LSN
        RIBBON_KEY_BIT

        RIBBON_VALUE_TIMESTAMPTZ
        RIBBON_VALUE_TEXT

        RIBBON_FOUND_VALUE
        RIBBON_FOUND_NULL

        RIBBON_STAT_FORMAT_VERSION
        RIBBON_STAT_WIDTH
        RIBBON_STAT_LAYERS
        RIBBON_STAT_SLOTS
        RIBBON_STAT_EMPTY_SLOTS
        RIBBON_STAT_BUMPED_KEYS
        RIBBON_STAT_VALUE_BITS
        RIBBON_STAT_DISTINCT_VALUES
        RIBBON_STAT_DICTIONARY
        RIBBON_STAT_UNIVERSE
        RIBBON_STAT_CODE
        RIBBON_STAT_TABLE
        RIBBON_STAT_CODE_BITS
        RIBBON_STAT_RATED
        RIBBON_STAT_SEED

    const char *ribbon_error_text()

    ctypedef struct ribbon_key:
        uint64_t opaque[3]

    ribbon_key ribbon_key_int64(int64_t number)
    ribbon_key ribbon_key_text(const char *text, size_t size)
    ribbon_key ribbon_key_char(const char *text, size_t size)
    ribbon_key ribbon_key_enum(const char *label, size_t size)
    ribbon_key ribbon_key_bytes(const void *data, size_t size)
    ribbon_key ribbon_key_bool(c_bool value)
    ribbon_key ribbon_key_oid(uint32_t oid)
    ribbon_key ribbon_key_xid8(uint64_t xid)
    ribbon_key ribbon_key_float8(double number)
    ribbon_key ribbon_key_canonical(int key_type, const void *data, size_t size)
    int ribbon_key_parse(ribbon_key *key, int key_type, const char *text, size_t size)
    int ribbon_value_parse(int64_t *number, int value_type, const char *text, size_t size)
    ribbon_key ribbon_key_hashed(int key_type, uint64_t hash, uint64_t hash2)
    uint64_t ribbon_key_hash(ribbon_key key)
    uint64_t ribbon_key_hash2(ribbon_key key)
    int ribbon_key_type_of(ribbon_key key)
    uint32_t ribbon_key_shard(ribbon_key key, uint32_t nshards)
    const char *ribbon_key_type_name(int key_type)
    int ribbon_key_type_named(const char *name)

    ctypedef struct ribbon_keys:
        pass

    ribbon_keys *ribbon_keys_int64(const int64_t *numbers, size_t n)
    ribbon_keys *ribbon_keys_int32(const int32_t *numbers, size_t n)
    ribbon_keys *ribbon_keys_packed(int key_type, const void *data, const int64_t *offsets, size_t n)
    ribbon_keys *ribbon_keys_fixed(int key_type, const void *data, size_t size, size_t n)
    ribbon_keys *ribbon_keys_hashed(const ribbon_key *keys, size_t n)
    void ribbon_keys_free(ribbon_keys *keys)

    ctypedef struct ribbon_builder:
        pass
    ctypedef c_bool (*ribbon_progress)(void *arg, double share) noexcept

    int ribbon_builder_new(ribbon_builder **builder, int key_type, double fpr)
    void ribbon_builder_free(ribbon_builder *builder)
    int ribbon_builder_set_values(ribbon_builder *builder, int value_type)
    int ribbon_builder_set_kind(ribbon_builder *builder, int kind)
    int ribbon_builder_set_width(ribbon_builder *builder, int width)
    int ribbon_builder_set_code(ribbon_builder *builder, int code)
    int ribbon_builder_set_seed(ribbon_builder *builder, uint32_t seed)
    int ribbon_builder_set_memory(ribbon_builder *builder, uint64_t size)
    int ribbon_builder_set_threads(ribbon_builder *builder, unsigned threads)
    int ribbon_builder_set_progress(ribbon_builder *builder, ribbon_progress progress, void *arg)
    int ribbon_builder_set_as_of(ribbon_builder *builder, int64_t as_of)
    int ribbon_builder_set_exact_fpr(ribbon_builder *builder, double fpr)
    int ribbon_builder_add_members(ribbon_builder *builder, const ribbon_keys *keys, const c_bool *members)
    int ribbon_builder_add_keys(ribbon_builder *builder, const ribbon_keys *keys)
    int ribbon_builder_add_int64_values(ribbon_builder *builder, const ribbon_keys *keys, const int64_t *values,
                                        const c_bool *nulls)
    int ribbon_builder_add_text_values(ribbon_builder *builder, const ribbon_keys *keys, const char *const *texts,
                                       const size_t *sizes, const c_bool *nulls)
    int ribbon_builder_find_conflict(const ribbon_builder *builder, const ribbon_keys *keys, size_t *found)
    int ribbon_builder_finish(ribbon_builder *builder, void **data, size_t *size)
    void ribbon_bytes_free(void *data)
    uint64_t ribbon_expected_size(uint64_t nkeys, double fpr)

    ctypedef struct ribbon_filter:
        pass

    int ribbon_filter_open_bytes(ribbon_filter **filter, const void *data, size_t size)
    void ribbon_filter_close(ribbon_filter *filter)
    int ribbon_filter_contains(const ribbon_filter *filter, ribbon_key key)
    int ribbon_filter_contains_keys(const ribbon_filter *filter, const ribbon_keys *keys, c_bool *answers)
    int ribbon_filter_member(const ribbon_filter *filter, ribbon_key key, int64_t key_time)
    int ribbon_filter_get_int64(const ribbon_filter *filter, ribbon_key key, int64_t *value)
    int ribbon_filter_get_text(const ribbon_filter *filter, ribbon_key key, const char **text, size_t *size)
    int ribbon_filter_get_int64s(const ribbon_filter *filter, const ribbon_keys *keys, uint8_t *found, int64_t *values)
    int ribbon_filter_get_texts(const ribbon_filter *filter, const ribbon_keys *keys, uint8_t *found,
                                const char **texts, size_t *sizes)
    c_bool ribbon_filter_is_map(const ribbon_filter *filter)
    int ribbon_filter_key_type(const ribbon_filter *filter)
    uint64_t ribbon_filter_count(const ribbon_filter *filter)
    double ribbon_filter_fpr(const ribbon_filter *filter)
    c_bool ribbon_filter_as_of(const ribbon_filter *filter, int64_t *as_of)
    int ribbon_filter_kind(const ribbon_filter *filter)
    int ribbon_filter_value_type(const ribbon_filter *filter)
    size_t ribbon_filter_value_type_name(const ribbon_filter *filter, char *buffer, size_t room)
    int64_t ribbon_filter_stat(const ribbon_filter *filter, int stat)
    int ribbon_filter_check(const ribbon_filter *filter)
    int ribbon_filter_shrink(const ribbon_filter *filter, double fpr, void **data, size_t *size)
