/*
 * key.c - keys from what a program has
 *
 * docs/canonical.md has the canonical form of each type.  A key is what is made
 * of it: both hashes, and the number of the type.
 */
#include "keys.h"
#include "src/text.h"

#include "keys/canonical.h"
#include "keys/classes.h"
#include "keys/hashes.h"

#include <stdio.h>

enum
{
	HASH,
	HASH2,
	TYPE
};

/* What else people call them. */
static const struct
{
	int key_type;
	const char *names[10]; /* NULL behind the last one */
} other_names[] = {
	{RIBBON_KEY_INTEGER,
	 {"int", "int2", "int4", "int8", "int16", "int32", "int64", "smallint",
	  "bigint"}},
	{RIBBON_KEY_TEXT, {"varchar", "string", "name", "character varying"}},
	{RIBBON_KEY_BYTES, {"bytes"}},
	{RIBBON_KEY_BOOL, {"bool"}},
	/* not real: its text, 0.1, is another number than the real */
	{RIBBON_KEY_FLOAT, {"float8", "double", "double precision"}},
	{RIBBON_KEY_NUMERIC, {"decimal"}},
	{RIBBON_KEY_CHAR, {"bpchar", "char(n)", "character"}},
	{RIBBON_KEY_LSN, {"lsn"}},
	{RIBBON_KEY_INET, {"cidr"}},
	{RIBBON_KEY_BIT, {"varbit", "bit varying"}},
	{RIBBON_KEY_TIME, {"time without time zone"}},
	{RIBBON_KEY_TIMETZ, {"time with time zone"}},
	{RIBBON_KEY_TIMESTAMP, {"timestamp without time zone"}},
	{RIBBON_KEY_TIMESTAMPTZ, {"timestamp with time zone"}},
};

static ribbon_key
make_key(int key_type, const void *bytes, size_t size)
{
	/* xxHash takes no NULL of some versions, even for no bytes */
	const void *from = size > 0 ? bytes : "";

	return ribbon_key_hashed(key_type, ribbon_hash_bytes(from, size),
							 ribbon_hash_second_bytes(from, size));
}

/* Of a number whose canonical form has so many bytes, little-endian. */
static ribbon_key
make_number(int key_type, uint64_t number, size_t size)
{
	number = ribbon_little64(number);
	return make_key(key_type, &number, size);
}

ribbon_key
ribbon_key_int64(int64_t number)
{
	return make_number(RIBBON_KEY_INTEGER, (uint64_t) number, 8);
}

ribbon_key
ribbon_key_text(const char *text, size_t size)
{
	return make_key(RIBBON_KEY_TEXT, text, size);
}

ribbon_key
ribbon_key_char(const char *text, size_t size)
{
	return make_key(RIBBON_KEY_CHAR, text, ribbon_canonical_trim(text, size));
}

ribbon_key
ribbon_key_enum(const char *label, size_t size)
{
	return make_key(RIBBON_KEY_ENUM, label, size);
}

ribbon_key
ribbon_key_bytes(const void *bytes, size_t size)
{
	return make_key(RIBBON_KEY_BYTES, bytes, size);
}

ribbon_key
ribbon_key_uuid(const uint8_t bytes[16])
{
	return make_key(RIBBON_KEY_UUID, bytes, 16);
}

ribbon_key
ribbon_key_bool(bool value)
{
	return make_number(RIBBON_KEY_BOOL, value ? 1 : 0, 1);
}

ribbon_key
ribbon_key_date(int32_t days)
{
	return make_number(RIBBON_KEY_DATE, (uint32_t) days, 4);
}

ribbon_key
ribbon_key_time(int64_t microseconds)
{
	return make_number(RIBBON_KEY_TIME, (uint64_t) microseconds, 8);
}

ribbon_key
ribbon_key_timestamp(int64_t microseconds)
{
	return make_number(RIBBON_KEY_TIMESTAMP, (uint64_t) microseconds, 8);
}

ribbon_key
ribbon_key_timestamptz(int64_t microseconds)
{
	return make_number(RIBBON_KEY_TIMESTAMPTZ, (uint64_t) microseconds, 8);
}

ribbon_key
ribbon_key_oid(uint32_t oid)
{
	return make_number(RIBBON_KEY_OID, oid, 4);
}

ribbon_key
ribbon_key_xid8(uint64_t xid)
{
	return make_number(RIBBON_KEY_XID8, xid, 8);
}

ribbon_key
ribbon_key_lsn(uint64_t lsn)
{
	return make_number(RIBBON_KEY_LSN, lsn, 8);
}

ribbon_key
ribbon_key_float8(double number)
{
	return make_number(RIBBON_KEY_FLOAT, ribbon_canonical_float(number), 8);
}

ribbon_key
ribbon_key_macaddr(const uint8_t bytes[6])
{
	return make_key(RIBBON_KEY_MACADDR, bytes, 6);
}

ribbon_key
ribbon_key_macaddr8(const uint8_t bytes[8])
{
	return make_key(RIBBON_KEY_MACADDR8, bytes, 8);
}

ribbon_key
ribbon_key_canonical(int key_type, const void *bytes, size_t size)
{
	return make_key(key_type, bytes, size);
}

ribbon_key
ribbon_key_hashed(int key_type, uint64_t hash, uint64_t hash2)
{
	return (ribbon_key){{[HASH] = hash,
						 [HASH2] = hash2,
						 [TYPE] = (uint64_t) (unsigned) key_type}};
}

uint64_t
ribbon_key_hash(ribbon_key key)
{
	return key.opaque[HASH];
}

uint64_t
ribbon_key_hash2(ribbon_key key)
{
	return key.opaque[HASH2];
}

int
ribbon_key_type_of(ribbon_key key)
{
	return (int) (unsigned) key.opaque[TYPE];
}

uint32_t
ribbon_key_shard(ribbon_key key, uint32_t nshards)
{
	return ribbon_hash_to_shard(key.opaque[HASH], nshards);
}

/*
 * A type is called as the server calls its class, but in words that an option
 * of a program can have; and each name stands for one number.
 */
const char *
ribbon_key_type_name(int key_type)
{
	if (!ribbon_key_class_is_valid(key_type))
		return NULL;
	switch (ribbon_key_class_proper(key_type))
	{
		case RIBBON_KEY_ANY:
			return "hash";
		case RIBBON_KEY_BOOL:
			return "boolean";
		case RIBBON_KEY_CHAR:
			return "char";
		case RIBBON_CLASS_OTHER_BE:
			return "other, big-endian";
		default:
			return ribbon_key_class_name(key_type);
	}
}

int
ribbon_key_type_named(const char *name)
{
	for (int i = 0; i < RIBBON_CLASSES; i++)
	{
		const char *known = ribbon_key_type_name(i);

		if (known != NULL && ribbon_text_is_word(name, strlen(name), known))
			return i;
	}
	for (size_t i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++)
		for (const char *const *other = other_names[i].names; *other != NULL;
			 other++)
			if (ribbon_text_is_word(name, strlen(name), *other))
				return other_names[i].key_type;
	return -1;
}

/* The name of a type, or its number, in room that there is for it. */
static const char *
name_or_number(int key_type, char number[32])
{
	const char *known = ribbon_key_type_name(key_type);

	(void) snprintf(number, 32, "number %d", key_type);
	return known != NULL ? known : number;
}

ribbon_status
ribbon_key_refuse_type(int given, int wanted)
{
	char given_number[32];
	char wanted_number[32];

	return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
							"the keys are of type %s, not %s",
							name_or_number(wanted, wanted_number),
							name_or_number(given, given_number));
}
