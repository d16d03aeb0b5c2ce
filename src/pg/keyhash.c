/*
 * keyhash.c - a value of any type to its 64-bit hash
 *
 * The hash is XXH3-64 of the value's canonical bytes: equal values of a key
 * class have equal bytes whatever the type, the plan, the machine and the
 * server's version or encoding.  docs/format.md, section 6, lists the forms;
 * each case below is one of them.  Integers are little-endian.
 *
 * The decision which form a type has is keyclass.c's.  This is the part that
 * runs once per row: it allocates nothing for types of a fixed size.
 */
#include "ribbon_pg.h"

#include <math.h>
#include <sys/socket.h>

#include "access/htup_details.h"
#include "catalog/pg_enum.h"
#include "datatype/timestamp.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/inet.h"
#include "utils/numeric.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/varbit.h"

#define CANONICAL_NAN UINT64CONST(0x7FF8000000000000)

PG_FUNCTION_INFO_V1(ribbon_hash);

static uint64_t hash_word64(uint64 word);
static uint64_t hash_word32(uint32 word);
static uint64_t hash_characters(const char *characters, int length);
static uint64_t hash_varlena(RibbonKeyForm form, Datum key);
static uint64_t hash_float(float8 value);
static uint64_t hash_again(RibbonKeyType *key_type, Datum key);
static uint64_t hash_decimal(Datum key);
static uint64_t hash_interval(const Interval *interval);
static uint64_t hash_inet(Datum key);
static uint64_t hash_enum(Oid value);
static uint64_t hash_bits(Datum key);
static uint64_t hash_other(RibbonKeyType *key_type, Datum key);
static void check_row(RibbonKeyType *key_type, Datum key);

Datum
ribbon_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) ribbon_keyhash_argument(fcinfo));
}

uint64_t
ribbon_keyhash_argument(FunctionCallInfo fcinfo)
{
	RibbonKeyType *key_type = fcinfo->flinfo->fn_extra;

	if (key_type == NULL)
	{
		key_type = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
										  sizeof(RibbonKeyType));
		ribbon_keyclass_decide_argument(key_type, fcinfo, 0);
		fcinfo->flinfo->fn_extra = key_type;
	}

	return ribbon_keyhash_value(key_type, PG_GETARG_DATUM(0));
}

uint64_t
ribbon_keyhash_value(RibbonKeyType *key_type, Datum key)
{
	switch (key_type->form)
	{
		case RIBBON_KEY_INT64:
			return hash_word64((uint64) DatumGetInt64(key));
		case RIBBON_KEY_INT32:
			return hash_word64((uint64) (int64) DatumGetInt32(key));
		case RIBBON_KEY_INT16:
			return hash_word64((uint64) (int64) DatumGetInt16(key));
		case RIBBON_KEY_TEXT:
		case RIBBON_KEY_BPCHAR:
		case RIBBON_KEY_BYTES:
			return hash_varlena(key_type->form, key);
		case RIBBON_KEY_NAME:
			return hash_characters(NameStr(*DatumGetName(key)),
								   (int) strlen(NameStr(*DatumGetName(key))));
		case RIBBON_KEY_FIXED:
			return ribbon_hash_bytes(DatumGetPointer(key), key_type->length);
		case RIBBON_KEY_WORD32:
			return hash_word32(DatumGetUInt32(key));
		case RIBBON_KEY_BOOL:
			return ribbon_hash_bytes(DatumGetBool(key) ? "\1" : "\0", 1);
		case RIBBON_KEY_FLOAT8:
			return hash_float(DatumGetFloat8(key));
		case RIBBON_KEY_FLOAT4:
			return hash_float((float8) DatumGetFloat4(key));
		case RIBBON_KEY_NUMERIC:
		case RIBBON_KEY_OTHER_VARLENA:
			return hash_again(key_type, key);
		case RIBBON_KEY_INTERVAL:
			return hash_interval(DatumGetIntervalP(key));
		case RIBBON_KEY_INET:
			return hash_inet(key);
		case RIBBON_KEY_ENUM:
			return hash_enum(DatumGetObjectId(key));
		case RIBBON_KEY_BITS:
			return hash_bits(key);
		case RIBBON_KEY_CHAR:
			return hash_word64((uint8) DatumGetChar(key));
		case RIBBON_KEY_RECORD:
			check_row(key_type, key);
			return hash_other(key_type, key);
		case RIBBON_KEY_OTHER:
			return hash_other(key_type, key);
	}
	elog(ERROR, "unexpected key form %d", (int) key_type->form);
	return 0;
}

static uint64_t
hash_word64(uint64 word)
{
	return ribbon_hash_word(ribbon_little64(word));
}

static uint64_t
hash_word32(uint32 word)
{
	word = ribbon_little32(word);
	return ribbon_hash_bytes(&word, sizeof(word));
}

/*
 * Characters are hashed in UTF-8.  A SQL_ASCII database does not know what its
 * bytes mean, so they stand for themselves.
 */
static uint64_t
hash_characters(const char *characters, int length)
{
	int encoding = GetDatabaseEncoding();
	char *converted;
	uint64_t hash;

	if (likely(encoding == PG_UTF8 || encoding == PG_SQL_ASCII))
		return ribbon_hash_bytes(characters, length);

	converted = (char *)
		pg_do_encoding_conversion((unsigned char *) unconstify(char *,
															   characters),
								  length, encoding, PG_UTF8);
	if (converted != characters)
		length = (int) strlen(converted);
	hash = ribbon_hash_bytes(converted, length);
	if (converted != characters)
		pfree(converted);

	return hash;
}

static uint64_t
hash_varlena(RibbonKeyForm form, Datum key)
{
	struct varlena *value = PG_DETOAST_DATUM_PACKED(key);
	char *data = VARDATA_ANY(value);
	int length = (int) VARSIZE_ANY_EXHDR(value);
	uint64_t hash;

	if (form == RIBBON_KEY_BPCHAR)
		length = bpchartruelen(data, length);

	if (form == RIBBON_KEY_BYTES)
		hash = ribbon_hash_bytes(data, length);
	else
		hash = hash_characters(data, length);

	if ((Pointer) value != DatumGetPointer(key))
		pfree(value);
	return hash;
}

/*
 * Hashes of these forms cost as much as several probes, and one key may be
 * looked for in many filters, as in key <@ ANY (filters).  So if a key is the
 * same bytes as the last one, its hash is the same.  (Not so for a pointer to
 * a stored value, nor for an enum's OID, whose label may have been changed, or
 * for a row, whose type may have.)
 */
static uint64_t
hash_again(RibbonKeyType *key_type, Datum key)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(key);
	size_t size = VARATT_IS_EXTERNAL(value) ? 0 : VARSIZE_ANY(value);
	bool remembers = size > 0 && size <= RIBBON_LAST_KEY;
	uint64_t hash;

	if (remembers && size == key_type->last.size &&
		memcmp(value, key_type->last.bytes, size) == 0)
		return key_type->last.hash;

	hash = key_type->form == RIBBON_KEY_NUMERIC ? hash_decimal(key) :
												  hash_other(key_type, key);
	if (remembers)
	{
		key_type->last.size = size;
		key_type->last.hash = hash;
		memcpy(key_type->last.bytes, value, size);
	}
	return hash;
}

/* IEEE double, with one zero and one NaN */
static uint64_t
hash_float(float8 value)
{
	uint64 bits;

	if (isnan(value))
		bits = CANONICAL_NAN;
	else if (value == 0)
		bits = 0;
	else
		memcpy(&bits, &value, sizeof(bits));

	return hash_word64(bits);
}

/* the shortest decimal text: 1.0 and 1.00 are both "1" */
static uint64_t
hash_decimal(Datum key)
{
	Numeric value = DatumGetNumeric(key);
	char *digits = numeric_normalize(value);
	uint64_t hash = ribbon_hash_bytes(digits, strlen(digits));

	pfree(digits);
	if ((Pointer) value != DatumGetPointer(key))
		pfree(value);
	return hash;
}

/*
 * The span that interval_cmp compares, months of 30 days and days of 24 hours:
 * whole days, then the microseconds of the last day, 0 to 86399999999.  Days
 * are summed in 64 bits, so the infinities of PostgreSQL 17 (all three fields
 * at their extremes) come out as spans that no finite interval has.
 */
static uint64_t
hash_interval(const Interval *interval)
{
	int64 days = (int64) interval->month * DAYS_PER_MONTH + interval->day;
	int64 time = interval->time;
	uint64 span[2];

	days += time / USECS_PER_DAY;
	time %= USECS_PER_DAY;
	if (time < 0)
	{
		time += USECS_PER_DAY;
		days--;
	}

	span[0] = ribbon_little64((uint64) days);
	span[1] = ribbon_little64((uint64) time);
	return ribbon_hash_bytes(span, sizeof(span));
}

/* 4 or 6, mask bits, the whole address: what network_eq compares */
static uint64_t
hash_inet(Datum key)
{
	inet *value = DatumGetInetPP(key);
	uint8 bytes[2 + 16];
	uint64_t hash;

	bytes[0] = ip_family(value) == PGSQL_AF_INET ? 4 : 6;
	bytes[1] = ip_bits(value);
	memcpy(bytes + 2, ip_addr(value), ip_addrsize(value));
	hash = ribbon_hash_bytes(bytes, 2 + ip_addrsize(value));

	if ((Pointer) value != DatumGetPointer(key))
		pfree(value);
	return hash;
}

/* the label: the OID that is stored changes across dump and restore */
static uint64_t
hash_enum(Oid value)
{
	HeapTuple tuple = SearchSysCache1(ENUMOID, ObjectIdGetDatum(value));
	const char *label;
	uint64_t hash;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid internal value for enum: %u", value)));

	label = NameStr(((Form_pg_enum) GETSTRUCT(tuple))->enumlabel);
	hash = hash_characters(label, (int) strlen(label));
	ReleaseSysCache(tuple);
	return hash;
}

/*
 * The server has no hash function for bit strings, so here is one: XXH3 of
 * what bit_cmp compares, the number of bits and the bytes.
 */
static uint64_t
hash_bits(Datum key)
{
	VarBit *value = DatumGetVarBitP(key);
	uint32 nbits = ribbon_little32((uint32) VARBITLEN(value));
	size_t size = sizeof(nbits) + VARBITBYTES(value);
	uint8 *bytes = palloc(size);
	uint64_t hash;

	memcpy(bytes, &nbits, sizeof(nbits));
	memcpy(bytes + sizeof(nbits), VARBITS(value), VARBITBYTES(value));
	hash = ribbon_hash_bytes(bytes, size);

	pfree(bytes);
	if ((Pointer) value != DatumGetPointer(key))
		pfree(value);
	return hash_word64(hash);
}

/* the 64-bit result of the type's extended hash function, with seed 0 */
static uint64_t
hash_other(RibbonKeyType *key_type, Datum key)
{
	Datum hash = FunctionCall2Coll(&key_type->hash_proc, key_type->collation,
								   key, Int64GetDatum(0));

	return hash_word64(DatumGetUInt64(hash));
}

/* An anonymous row says itself what its columns are; look when they change. */
static void
check_row(RibbonKeyType *key_type, Datum key)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(key);
	Oid type = HeapTupleHeaderGetTypeId(row);
	int32 typmod = HeapTupleHeaderGetTypMod(row);

	if ((Pointer) row != DatumGetPointer(key))
		pfree(row);

	if (type != key_type->row_type || typmod != key_type->row_typmod)
	{
		ribbon_keyclass_check_row(type, typmod);
		key_type->row_type = type;
		key_type->row_typmod = typmod;
	}
}
