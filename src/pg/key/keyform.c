/*
 * keyform.c - the canonical bytes of a value that has no parts
 *
 * docs/canonical.md lists the forms; each case below is one of them.
 * Numbers are little-endian, and values that are equal have the same bytes.
 * Most forms are the value's own bytes where it lies, or a few bytes of scratch
 * space; nothing is allocated for those.
 */
#include "key/keyform.h"

#include <math.h>
#include <sys/socket.h>

#include "access/htup_details.h"
#include "catalog/pg_enum.h"
#include "datatype/timestamp.h"
#include "mb/pg_wchar.h"
#include "storage/itemptr.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/inet.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/varbit.h"

#define CANONICAL_NAN UINT64CONST(0x7FF8000000000000)

/* No bytes yet, and room for some in the scratch space. */
static void
begin_bytes(RibbonKeyBytes *out)
{
	out->bytes = out->scratch;
	out->size = 0;
	out->detoasted = NULL;
	out->converted = NULL;
}

/* Add the lowest size bytes of a number to the scratch space. */
static void
put_number(RibbonKeyBytes *out, uint64 number, size_t size)
{
	number = ribbon_little64(number);
	Assert(out->size + size <= RIBBON_FORM_SCRATCH);
	memcpy(out->scratch + out->size, &number, size);
	out->size += size;
}

/* The value, to be freed at the end if it is not where it was. */
static void *
take(RibbonKeyBytes *out, Datum key, void *value)
{
	if (value != DatumGetPointer(key))
		out->detoasted = value;
	return value;
}

/*
 * Characters are hashed in UTF-8.  A SQL_ASCII database does not know what its
 * bytes mean, so they stand for themselves.
 */
static void
put_characters(RibbonKeyBytes *out, const char *characters, size_t size)
{
	int encoding = GetDatabaseEncoding();

	out->bytes = characters;
	out->size = size;
	if (likely(encoding == PG_UTF8 || encoding == PG_SQL_ASCII))
		return;

	out->bytes = pg_do_encoding_conversion((unsigned char *)
											   unconstify(char *, characters),
										   (int) size, encoding, PG_UTF8);
	if (out->bytes != characters)
	{
		out->converted = unconstify(void *, out->bytes);
		out->size = strlen(out->bytes);
	}
}

void
ribbon_keyform_get_characters(const char *characters, size_t size,
							  RibbonKeyBytes *out)
{
	begin_bytes(out);
	put_characters(out, characters, size);
}

/*
 * The characters of a key, but for trailing blanks of a char(n), which do not
 * count.
 */
static void
put_text(RibbonKeyBytes *out, const RibbonKeyType *key_type,
		 const char *characters, size_t size)
{
	if (key_type->key_class == RIBBON_CLASS_CHAR_N)
		while (size > 0 && characters[size - 1] == ' ')
			size--;
	put_characters(out, characters, size);
}

static void
put_varlena(RibbonKeyBytes *out, const RibbonKeyType *key_type, Datum key)
{
	struct varlena *value = take(out, key, PG_DETOAST_DATUM_PACKED(key));

	if (key_type->form == RIBBON_KEY_TEXT)
		put_text(out, key_type, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
	else
	{
		out->bytes = VARDATA_ANY(value);
		out->size = VARSIZE_ANY_EXHDR(value);
	}
}

/* IEEE double, with one zero and one NaN */
static void
put_float(RibbonKeyBytes *out, float8 value)
{
	uint64 bits;

	if (isnan(value))
		bits = CANONICAL_NAN;
	else if (value == 0)
		bits = 0;
	else
		memcpy(&bits, &value, sizeof(bits));
	put_number(out, bits, sizeof(bits));
}

/* the shortest decimal text: 1.0 and 1.00 are both "1" */
static void
put_numeric(RibbonKeyBytes *out, Numeric number)
{
	out->bytes = out->converted = numeric_normalize(number);
	out->size = strlen(out->bytes);
}

void
ribbon_keyform_get_numeric(Numeric number, RibbonKeyBytes *out)
{
	begin_bytes(out);
	put_numeric(out, number);
}

/*
 * The span that interval_cmp compares, months of 30 days and days of 24 hours:
 * whole days, then the microseconds of the last day, 0 to 86399999999.  Days
 * are summed in 64 bits, so the infinities of PostgreSQL 17 (all three fields
 * at their extremes) come out as spans that no finite interval has.
 */
static void
put_interval(RibbonKeyBytes *out, const Interval *interval)
{
	int64 days = (int64) interval->month * DAYS_PER_MONTH + interval->day;
	int64 time = interval->time;

	days += time / USECS_PER_DAY;
	time %= USECS_PER_DAY;
	if (time < 0)
	{
		time += USECS_PER_DAY;
		days--;
	}
	put_number(out, (uint64) days, 8);
	put_number(out, (uint64) time, 8);
}

/* 4 or 6, mask bits, the whole address: what network_eq compares */
static void
put_inet(RibbonKeyBytes *out, inet *value)
{
	put_number(out, ip_family(value) == PGSQL_AF_INET ? 4 : 6, 1);
	put_number(out, ip_bits(value), 1);
	memcpy(out->scratch + out->size, ip_addr(value), ip_addrsize(value));
	out->size += ip_addrsize(value);
}

/* the number of bits, then the bytes, each from its highest bit on */
static void
put_bits(RibbonKeyBytes *out, VarBit *value)
{
	uint64 nbits = ribbon_little64((uint32) VARBITLEN(value));
	uint8 *bytes = palloc(4 + VARBITBYTES(value));

	memcpy(bytes, &nbits, 4);
	memcpy(bytes + 4, VARBITS(value), VARBITBYTES(value));
	out->size = 4 + VARBITBYTES(value);
	out->bytes = out->converted = bytes;
}

/* the label: the OID that is stored changes across dump and restore */
static void
put_enum(RibbonKeyBytes *out, Oid value)
{
	HeapTuple tuple = SearchSysCache1(ENUMOID, ObjectIdGetDatum(value));
	char *label;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid internal value for enum: %u", value)));

	label = pstrdup(NameStr(((Form_pg_enum) GETSTRUCT(tuple))->enumlabel));
	ReleaseSysCache(tuple);
	out->detoasted = label;
	put_characters(out, label, strlen(label));
}

void
ribbon_keyform_get(RibbonKeyType *key_type, Datum key, RibbonKeyBytes *out)
{
	ItemPointer tid;

	begin_bytes(out);
	switch (key_type->form)
	{
		case RIBBON_KEY_INT64:
			put_number(out, (uint64) DatumGetInt64(key), 8);
			return;
		case RIBBON_KEY_INT32:
			put_number(out, (uint64) (int64) DatumGetInt32(key), 8);
			return;
		case RIBBON_KEY_INT16:
			put_number(out, (uint64) (int64) DatumGetInt16(key), 8);
			return;
		case RIBBON_KEY_WORD32:
			put_number(out, DatumGetUInt32(key), 4);
			return;
		case RIBBON_KEY_BYTE:
			put_number(out, DatumGetUInt8(key), 1);
			return;
		case RIBBON_KEY_TEXT:
		case RIBBON_KEY_BYTES:
			put_varlena(out, key_type, key);
			return;
		case RIBBON_KEY_NAME:
			put_text(out, key_type, DatumGetCString(key),
					 strlen(DatumGetCString(key)));
			return;
		case RIBBON_KEY_FIXED:
			out->bytes = DatumGetPointer(key);
			out->size = (size_t) key_type->layout.length;
			return;
		case RIBBON_KEY_FLOAT8:
			put_float(out, DatumGetFloat8(key));
			return;
		case RIBBON_KEY_FLOAT4:
			put_float(out, (float8) DatumGetFloat4(key));
			return;
		case RIBBON_KEY_TIMETZ:
			put_number(out, (uint64) DatumGetTimeTzADTP(key)->time, 8);
			put_number(out, (uint32) DatumGetTimeTzADTP(key)->zone, 4);
			return;
		case RIBBON_KEY_TID:
			tid = (ItemPointer) DatumGetPointer(key);
			put_number(out, ItemPointerGetBlockNumberNoCheck(tid), 4);
			put_number(out, ItemPointerGetOffsetNumberNoCheck(tid), 2);
			return;
		case RIBBON_KEY_NUMERIC:
			put_numeric(out, take(out, key, DatumGetNumeric(key)));
			return;
		case RIBBON_KEY_INTERVAL:
			put_interval(out, DatumGetIntervalP(key));
			return;
		case RIBBON_KEY_INET:
			put_inet(out, take(out, key, PG_DETOAST_DATUM_PACKED(key)));
			return;
		case RIBBON_KEY_BITS:
			put_bits(out, take(out, key, DatumGetVarBitP(key)));
			return;
		case RIBBON_KEY_ENUM:
			put_enum(out, DatumGetObjectId(key));
			return;
		case RIBBON_KEY_OTHER:
			/* what the type's own function gives, with seed 0 */
			put_number(out,
					   DatumGetUInt64(FunctionCall2Coll(&key_type->hash_proc,
														key_type->collation,
														key, Int64GetDatum(0))),
					   8);
			return;
		default: /* of keyhash.c and keynest.c */
			elog(ERROR, "unexpected key form %d", (int) key_type->form);
	}
}

void
ribbon_keyform_release(RibbonKeyBytes *out)
{
	if (out->converted != NULL)
		pfree(out->converted);
	if (out->detoasted != NULL)
		pfree(out->detoasted);
}
