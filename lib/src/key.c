/*
 * key.c - keys from what a program has
 *
 * docs/canonical.md has the canonical form of each type.  A key is what is made
 * of it: both hashes, and the number of the type.
 */
#include "keys.h"
#include "parse.h"

#include "base/keynumber.h"

#include <stdlib.h>

enum
{
	HASH,
	HASH2,
	TYPE
};

/* The names of the types, by their numbers. */
static const char *const names[RIBBON_CLASSES] = {
	"hash",		  "integer", "text",	"bytea",	 "uuid",
	"boolean",	  "date",	 "time",	"timestamp", "timestamptz",
	"oid",		  "float",	 "macaddr", "macaddr8",	 "numeric",
	"interval",	  "inet",	 "enum",	"char",		 "timetz",
	"xid8",		  "pg_lsn",	 "bit",		"array",	 "range",
	"multirange", "row",	 "jsonb",	"other",	 "other, big-endian",
};

/* What else people call them. */
static const struct
{
	const char *name;
	int key_type;
} other_names[] = {
	{"int", RIBBON_KEY_INTEGER},
	{"int2", RIBBON_KEY_INTEGER},
	{"int4", RIBBON_KEY_INTEGER},
	{"int8", RIBBON_KEY_INTEGER},
	{"int16", RIBBON_KEY_INTEGER},
	{"int32", RIBBON_KEY_INTEGER},
	{"int64", RIBBON_KEY_INTEGER},
	{"smallint", RIBBON_KEY_INTEGER},
	{"bigint", RIBBON_KEY_INTEGER},
	{"varchar", RIBBON_KEY_TEXT},
	{"string", RIBBON_KEY_TEXT},
	{"bytes", RIBBON_KEY_BYTES},
	{"bool", RIBBON_KEY_BOOL},
	{"float4", RIBBON_KEY_FLOAT},
	{"float8", RIBBON_KEY_FLOAT},
	{"double", RIBBON_KEY_FLOAT},
	{"real", RIBBON_KEY_FLOAT},
	{"decimal", RIBBON_KEY_NUMERIC},
	{"bpchar", RIBBON_KEY_CHAR},
	{"lsn", RIBBON_KEY_LSN},
	{"name", RIBBON_KEY_TEXT},
	{"cidr", RIBBON_KEY_INET},
	{"varbit", RIBBON_KEY_BIT},
	{"bit varying", RIBBON_KEY_BIT},
	{"character", RIBBON_KEY_CHAR},
	{"character varying", RIBBON_KEY_TEXT},
	{"double precision", RIBBON_KEY_FLOAT},
	{"time without time zone", RIBBON_KEY_TIME},
	{"time with time zone", RIBBON_KEY_TIMETZ},
	{"timestamp without time zone", RIBBON_KEY_TIMESTAMP},
	{"timestamp with time zone", RIBBON_KEY_TIMESTAMPTZ},
};

static ribbon_key
key_of(int key_type, const void *bytes, size_t size)
{
	/* xxHash takes no NULL of some versions, even for no bytes */
	const void *from = size > 0 ? bytes : "";

	return ribbon_key_hashed(key_type, ribbon_hash_bytes(from, size),
							 ribbon_hash_second_bytes(from, size));
}

static ribbon_key
key_of_64(int key_type, uint64_t number)
{
	number = ribbon_little64(number);
	return key_of(key_type, &number, sizeof(number));
}

static ribbon_key
key_of_32(int key_type, uint32_t number)
{
	uint64_t little = ribbon_little64(number);

	return key_of(key_type, &little, sizeof(number));
}

ribbon_key
ribbon_key_int64(int64_t number)
{
	return key_of_64(RIBBON_KEY_INTEGER, (uint64_t) number);
}

ribbon_key
ribbon_key_text(const char *text, size_t size)
{
	return key_of(RIBBON_KEY_TEXT, text, size);
}

ribbon_key
ribbon_key_char(const char *text, size_t size)
{
	return key_of(RIBBON_KEY_CHAR, text, ribbon_key_trimmed(text, size));
}

ribbon_key
ribbon_key_enum(const char *label, size_t size)
{
	return key_of(RIBBON_KEY_ENUM, label, size);
}

ribbon_key
ribbon_key_bytes(const void *bytes, size_t size)
{
	return key_of(RIBBON_KEY_BYTES, bytes, size);
}

ribbon_key
ribbon_key_uuid(const uint8_t bytes[16])
{
	return key_of(RIBBON_KEY_UUID, bytes, 16);
}

ribbon_key
ribbon_key_bool(bool value)
{
	uint8_t byte = value ? 1 : 0;

	return key_of(RIBBON_KEY_BOOL, &byte, 1);
}

ribbon_key
ribbon_key_date(int32_t days)
{
	return key_of_32(RIBBON_KEY_DATE, (uint32_t) days);
}

ribbon_key
ribbon_key_time(int64_t microseconds)
{
	return key_of_64(RIBBON_KEY_TIME, (uint64_t) microseconds);
}

ribbon_key
ribbon_key_timestamp(int64_t microseconds)
{
	return key_of_64(RIBBON_KEY_TIMESTAMP, (uint64_t) microseconds);
}

ribbon_key
ribbon_key_timestamptz(int64_t microseconds)
{
	return key_of_64(RIBBON_KEY_TIMESTAMPTZ, (uint64_t) microseconds);
}

ribbon_key
ribbon_key_oid(uint32_t oid)
{
	return key_of_32(RIBBON_KEY_OID, oid);
}

ribbon_key
ribbon_key_xid8(uint64_t xid)
{
	return key_of_64(RIBBON_KEY_XID8, xid);
}

ribbon_key
ribbon_key_lsn(uint64_t lsn)
{
	return key_of_64(RIBBON_KEY_LSN, lsn);
}

ribbon_key
ribbon_key_float8(double number)
{
	return key_of_64(RIBBON_KEY_FLOAT, ribbon_key_float_bits(number));
}

ribbon_key
ribbon_key_macaddr(const uint8_t bytes[6])
{
	return key_of(RIBBON_KEY_MACADDR, bytes, 6);
}

ribbon_key
ribbon_key_macaddr8(const uint8_t bytes[8])
{
	return key_of(RIBBON_KEY_MACADDR8, bytes, 8);
}

ribbon_key
ribbon_key_canonical(int key_type, const void *bytes, size_t size)
{
	return key_of(key_type, bytes, size);
}

ribbon_key
ribbon_key_hashed(int key_type, uint64_t hash, uint64_t hash2)
{
	ribbon_key key;

	key.opaque[HASH] = hash;
	key.opaque[HASH2] = hash2;
	key.opaque[TYPE] = (uint64_t) (unsigned) key_type;
	return key;
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

const char *
ribbon_key_type_name(int key_type)
{
	return key_type >= 0 && key_type < RIBBON_CLASSES ? names[key_type] : NULL;
}

int
ribbon_key_type_named(const char *name)
{
	for (int i = 0; i < RIBBON_CLASSES; i++)
		if (names[i] != NULL &&
			ribbon_parse_is_word(name, strlen(name), names[i]))
			return i;
	for (size_t i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++)
		if (ribbon_parse_is_word(name, strlen(name), other_names[i].name))
			return other_names[i].key_type;
	return -1;
}

bool
ribbon_key_type_is_valid(int key_type)
{
	return ribbon_key_class_is_valid(key_type) &&
		names[ribbon_key_class_of(key_type)] != NULL;
}

size_t
ribbon_key_size(int key_type)
{
	switch (key_type)
	{
		case RIBBON_KEY_BOOL:
			return 1;
		case RIBBON_KEY_DATE:
		case RIBBON_KEY_OID:
			return 4;
		case RIBBON_KEY_MACADDR:
			return 6;
		case RIBBON_KEY_INTEGER:
		case RIBBON_KEY_TIME:
		case RIBBON_KEY_TIMESTAMP:
		case RIBBON_KEY_TIMESTAMPTZ:
		case RIBBON_KEY_FLOAT:
		case RIBBON_KEY_MACADDR8:
		case RIBBON_KEY_XID8:
		case RIBBON_KEY_LSN:
			return 8;
		case RIBBON_KEY_UUID:
			return 16;
		default:
			return 0;
	}
}

size_t
ribbon_key_trimmed(const char *text, size_t size)
{
	while (size > 0 && text[size - 1] == ' ')
		size--;
	return size;
}
