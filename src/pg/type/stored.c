/*
 * stored.c - is what a row holds where the row says?
 *
 * Lengths, offsets and pointers of stored values are the server's, which trusts
 * them: a single wrong byte makes it read what is not there.  Who looks for
 * damage must not.
 */
#include "type/type.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "server/server.h"

static bool is_in_place(Relation relation, TupleTableSlot *slot,
						AttrNumber attribute, Datum value);
static int64 count_elements(const ArrayType *array, Oid type);

bool
ribbon_stored_get(Relation relation, TupleTableSlot *slot, AttrNumber attribute,
				  Datum *value, bool *is_null)
{
	TupleDesc desc = slot->tts_tupleDescriptor;

	*value = (Datum) 0;
	*is_null = true;
	for (AttrNumber i = 1; i <= attribute; i++)
	{
		*value = slot_getattr(slot, i, is_null);
		if (!*is_null && TupleDescAttr(desc, i - 1)->attlen == -1 &&
			!is_in_place(relation, slot, i, *value))
			return false;
	}
	return true;
}

/*
 * Is a value within its row, or out of line in the TOAST table of its table?
 * (The default of a column that was added later is in no row.)
 */
static bool
is_in_place(Relation relation, TupleTableSlot *slot, AttrNumber attribute,
			Datum value)
{
	const char *at = DatumGetPointer(value);
	const char *begin;
	HeapTuple tuple;
	size_t room;

	if (!TTS_IS_HEAPTUPLE(slot) && !TTS_IS_BUFFERTUPLE(slot))
		return true;
	tuple = ((HeapTupleTableSlot *) slot)->tuple;
	begin = (const char *) tuple->t_data;
	if (attribute > HeapTupleHeaderGetNatts(tuple->t_data))
		return true;
	if (at < begin || at >= begin + tuple->t_len)
		return false;

	room = begin + tuple->t_len - at;
	if (VARATT_IS_1B_E(at))
	{
		varatt_external pointer;

		if (room < VARHDRSZ_EXTERNAL || !VARATT_IS_EXTERNAL_ONDISK(at) ||
			room < VARSIZE_ANY(at))
			return false;
		VARATT_EXTERNAL_GET_POINTER(pointer, at);
		return pointer.va_toastrelid == relation->rd_rel->reltoastrelid;
	}
	if (VARATT_IS_1B(at))
		return room >= VARSIZE_ANY(at);
	return room >= VARHDRSZ && room >= VARSIZE_ANY(at) &&
		VARSIZE_ANY(at) >=
		(VARATT_IS_COMPRESSED(at) ? VARHDRSZ_COMPRESSED : VARHDRSZ);
}

void
ribbon_stored_check_array(RibbonSqlType type, Oid element,
						  const ArrayType *array)
{
	int64 n = count_elements(array, element);
	const char *end = (const char *) array + VARSIZE(array);
	const char *at;

	if (n < 0)
		ribbon_error_corrupt(type, "an array has a damaged header");
	at = ARR_DATA_PTR(array);
	for (int64 i = 0; i < n; i++)
	{
		const uint8 *nulls = ARR_NULLBITMAP(array);

		if (nulls != NULL && (nulls[i / 8] & (1 << (i % 8))) == 0)
			continue;
		if (end - at < VARHDRSZ || VARATT_IS_EXTERNAL(at) ||
			VARATT_IS_COMPRESSED(at) || VARSIZE_ANY(at) < VARHDRSZ_SHORT ||
			(!VARATT_IS_SHORT(at) && VARSIZE_ANY(at) < VARHDRSZ) ||
			(size_t) (end - at) < VARSIZE_ANY(at))
			ribbon_error_corrupt(type, "an array has a damaged element");
		at += INTALIGN(VARSIZE_ANY(at));
	}
}

/* How many elements does it say it has?  -1: its header cannot be right. */
static int64
count_elements(const ArrayType *array, Oid type)
{
	size_t size = VARSIZE(array);
	int64 n = 1;

	if (size < sizeof(ArrayType) || ARR_NDIM(array) < 0 ||
		ARR_NDIM(array) > MAXDIM ||
		size < ARR_OVERHEAD_NONULLS(ARR_NDIM(array)) ||
		ARR_ELEMTYPE(array) != type)
		return -1;
	for (int i = 0; i < ARR_NDIM(array); i++)
	{
		if (ARR_DIMS(array)[i] < 0)
			return -1;
		n *= ARR_DIMS(array)[i];
		if (n > (int64) MaxArraySize)
			return -1;
	}
	if (ARR_HASNULL(array) &&
		((size_t) array->dataoffset > size ||
		 array->dataoffset !=
			 (int64) ARR_OVERHEAD_WITHNULLS(ARR_NDIM(array), n)))
		return -1;
	return ARR_NDIM(array) == 0 ? 0 : n;
}
