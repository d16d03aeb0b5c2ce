/*
 * keyform.c - the canonical bytes of a value that has no parts
 *
 * docs/canonical.md lists the forms; each case below is one of them.  Numbers
 * are little-endian, and values that are equal have the same bytes.  Most forms
 * are the value's own bytes where it lies, or a few bytes on the stack; nothing
 * is allocated for those.
 */
#include "key/keysink.h"

#include <sys/socket.h>

#include "access/htup_details.h"
#include "catalog/pg_enum.h"
#include "datatype/timestamp.h"
#include "keys/canonical.h"
#include "storage/itemptr.h"
#include "utils/date.h"
#include "utils/inet.h"
#include "utils/numeric.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/varbit.h"
#include "values/civil.h"

/* Apart, so that put_bytes has few registers to save where it is inlined. */
static pg_noinline void
put_counted(RibbonKeySink *sink, const void *bytes, size_t size)
{
	ribbon_keysink_counted(sink, bytes, size);
}

/*
 * Put a form.  In a nested one, bytes whose size varies come behind their size.
 */
static inline void
put_bytes(RibbonKeySink *sink, const void *bytes, size_t size, bool varies)
{
	if (!sink->nested)
		ribbon_keysink_hash_bytes(bytes, size, sink->both, sink->out);
	else if (varies)
		put_counted(sink, bytes, size);
	else
		ribbon_keysink_bytes(sink, bytes, size);
}

/* Put the lowest size bytes of a number. */
static void
put_number(RibbonKeySink *sink, uint64 number, size_t size)
{
	number = ribbon_little64(number);
	put_bytes(sink, &number, size, false);
}

/* Put a number of 8 bytes, and the lowest bytes of another one. */
static void
put_numbers(RibbonKeySink *sink, uint64 first, uint64 second, size_t size)
{
	uint64 numbers[2] = {ribbon_little64(first), ribbon_little64(second)};

	put_bytes(sink, numbers, sizeof(first) + size, false);
}

char *
ribbon_keyform_convert(const char *characters, size_t *size)
{
	char *converted = pg_server_to_any(characters, (int) *size, PG_UTF8);

	if (converted != characters)
		*size = strlen(converted);
	return converted;
}

void
ribbon_keyform_put_characters(RibbonKeySink *sink, const char *characters,
							  size_t size)
{
	char *converted;

	if (likely(ribbon_keytype_keeps_characters()))
	{
		put_bytes(sink, characters, size, true);
		return;
	}
	converted = ribbon_keyform_convert(characters, &size);
	put_bytes(sink, converted, size, true);
	if (converted != characters)
		pfree(converted);
}

/*
 * The characters of a key, but for trailing blanks of a char(n), which do not
 * count.
 */
static void
put_text(RibbonKeySink *sink, const RibbonKeyType *key_type,
		 const char *characters, size_t size)
{
	if (key_type->key_class == RIBBON_CLASS_CHAR_N)
		size = ribbon_canonical_trim(characters, size);
	ribbon_keyform_put_characters(sink, characters, size);
}

static void
put_varlena(RibbonKeySink *sink, const RibbonKeyType *key_type, Datum datum)
{
	struct varlena *value = PG_DETOAST_DATUM_PACKED(datum);

	if (key_type->form == RIBBON_FORM_TEXT)
		put_text(sink, key_type, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
	else
		put_bytes(sink, VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), true);
	ribbon_keysink_free_copy(value, datum);
}

/* the shortest decimal text: 1.0 and 1.00 are both "1" */
void
ribbon_keyform_put_numeric(RibbonKeySink *sink, Datum datum)
{
	Numeric number = DatumGetNumeric(datum);
	char *text = numeric_normalize(number);

	put_bytes(sink, text, strlen(text), true);
	pfree(text);
	ribbon_keysink_free_copy(number, datum);
}

/*
 * The span that interval_cmp compares, months of 30 days and days of 24 hours:
 * whole days, then the microseconds of the last day, 0 to 86399999999.  Days
 * are summed in 64 bits, so the infinities of PostgreSQL 17 (all three fields
 * at their extremes) come out as spans that no finite interval has.
 */
static void
put_interval(RibbonKeySink *sink, const Interval *interval)
{
	int64_t days = (int64) interval->month * DAYS_PER_MONTH + interval->day;
	int64_t time = interval->time;

	ribbon_civil_carry(&days, &time);
	put_numbers(sink, (uint64) days, (uint64) time, 8);
}

/* 4 or 6, mask bits, the whole address: what network_eq compares */
static void
put_inet(RibbonKeySink *sink, Datum datum)
{
	inet *value = (inet *) PG_DETOAST_DATUM_PACKED(datum);
	uint8 bytes[2 + sizeof(((inet_struct *) 0)->ipaddr)];

	bytes[0] = ip_family(value) == PGSQL_AF_INET ? 4 : 6;
	bytes[1] = ip_bits(value);
	memcpy(bytes + 2, ip_addr(value), (size_t) ip_addrsize(value));
	put_bytes(sink, bytes, 2 + (size_t) ip_addrsize(value), true);
	ribbon_keysink_free_copy(value, datum);
}

/* the number of bits, then the bytes, each from its highest bit on */
static void
put_bits(RibbonKeySink *sink, Datum datum)
{
	VarBit *value = DatumGetVarBitP(datum);
	uint64 nbits = ribbon_little64((uint32) VARBITLEN(value));
	size_t size = 4 + VARBITBYTES(value);
	uint8 *bytes = palloc(size);

	memcpy(bytes, &nbits, 4);
	memcpy(bytes + 4, VARBITS(value), VARBITBYTES(value));
	put_bytes(sink, bytes, size, true);
	pfree(bytes);
	ribbon_keysink_free_copy(value, datum);
}

/* the label: the OID that is stored changes across dump and restore */
static void
put_enum(RibbonKeySink *sink, Oid value)
{
	HeapTuple tuple = SearchSysCache1(ENUMOID, ObjectIdGetDatum(value));
	const char *label;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid internal value for enum: %u", value)));

	label = NameStr(((Form_pg_enum) GETSTRUCT(tuple))->enumlabel);
	ribbon_keyform_put_characters(sink, label, strlen(label));
	ReleaseSysCache(tuple);
}

/* what the type's own function gives, with seed 0 */
static void
put_other(RibbonKeySink *sink, const RibbonKeyType *key_type, Datum value)
{
	Datum hash = FunctionCall2Coll(&key_type->base->hash_extended_proc_finfo,
								   key_type->collation, value,
								   Int64GetDatum(0));

	put_number(sink, DatumGetUInt64(hash), 8);
}

void
ribbon_keyform_put(RibbonKeySink *sink, const RibbonKeyType *key_type,
				   Datum value)
{
	ItemPointer tid;

	switch (key_type->form)
	{
		case RIBBON_FORM_INT64:
		case RIBBON_FORM_INT32:
		case RIBBON_FORM_INT16:
			put_number(sink,
					   (uint64) ribbon_keyform_integer(key_type->form, value),
					   8);
			return;
		case RIBBON_FORM_WORD:
			put_number(sink, value, (size_t) key_type->base->typlen);
			return;
		case RIBBON_FORM_TEXT:
		case RIBBON_FORM_BYTES:
			put_varlena(sink, key_type, value);
			return;
		case RIBBON_FORM_NAME:
			put_text(sink, key_type, DatumGetCString(value),
					 strlen(DatumGetCString(value)));
			return;
		case RIBBON_FORM_FIXED:
			put_bytes(sink, DatumGetPointer(value),
					  (size_t) key_type->base->typlen, false);
			return;
		case RIBBON_FORM_FLOAT8:
			put_number(sink, ribbon_canonical_float(DatumGetFloat8(value)), 8);
			return;
		case RIBBON_FORM_FLOAT4:
			put_number(sink, ribbon_canonical_float(DatumGetFloat4(value)), 8);
			return;
		case RIBBON_FORM_TIMETZ:
			put_numbers(sink, (uint64) DatumGetTimeTzADTP(value)->time,
						(uint32) DatumGetTimeTzADTP(value)->zone, 4);
			return;
		case RIBBON_FORM_TID:
			tid = (ItemPointer) DatumGetPointer(value);
			put_number(sink,
					   ItemPointerGetBlockNumberNoCheck(tid) |
						   (uint64) ItemPointerGetOffsetNumberNoCheck(tid)
							   << 32,
					   6);
			return;
		case RIBBON_FORM_NUMERIC:
			ribbon_keyform_put_numeric(sink, value);
			return;
		case RIBBON_FORM_INTERVAL:
			put_interval(sink, DatumGetIntervalP(value));
			return;
		case RIBBON_FORM_INET:
			put_inet(sink, value);
			return;
		case RIBBON_FORM_BITS:
			put_bits(sink, value);
			return;
		case RIBBON_FORM_ENUM:
			put_enum(sink, DatumGetObjectId(value));
			return;
		case RIBBON_FORM_OTHER:
			put_other(sink, key_type, value);
			return;
		default: /* of keyhash.c and keynest.c */
			elog(ERROR, "unexpected key form %d", (int) key_type->form);
	}
}
