/*
 * encode.c - values that are no numbers to words
 *
 * The word is the hash of the value's text, and the text is put among the texts
 * of its group.  That of a value that the call site remembers (memo.h) must be
 * put there, too, unless it was the same group that the value came for last.
 */
#include "value/buildvalues.h"

#include "server/server.h"

/* What tells a value from others.  One that is out of line is fetched. */
static RibbonValueBytes
value_bytes(const RibbonValueType *value_type, Datum *value)
{
	const char *bytes = DatumGetPointer(*value);

	if (value_type->by_value)
		return (RibbonValueBytes){(const char *) value, sizeof(Datum)};
	if (value_type->length == -1)
	{
		struct varlena *varlena = ribbon_detoast((struct varlena *) bytes);

		*value = PointerGetDatum(varlena);
		return (RibbonValueBytes){VARDATA_ANY(varlena),
								  VARSIZE_ANY_EXHDR(varlena)};
	}
	return (RibbonValueBytes){bytes,
							  value_type->length > 0 ?
								  (size_t) value_type->length :
								  strlen(bytes)};
}

/* Add a text to those of a group of the type, unless it is there; its word. */
static uint64
add_text(const RibbonValueType *value_type, RibbonBuildValues *values,
		 RibbonValueBytes text, uint32 seed)
{
	ribbon_buildvalues_check_head(values, value_type->head.bytes,
								  value_type->head.nbytes);
	return ribbon_buildvalues_add_text(values, text.bytes, text.nbytes, seed);
}

uint64
ribbon_encode_value(RibbonValueType *value_type, Datum value,
					RibbonBuildValues *values, uint32 seed)
{
	RibbonValueBytes bytes;
	RibbonValueBytes text;
	RibbonMemo *memo;

	ribbon_valuetype_renew(value_type);
	bytes = value_bytes(value_type, &value);
	memo = ribbon_memo_find_value(&value_type->memos, bytes);
	if (unlikely(memo == NULL))
	{
		text = ribbon_valuetext_get(value_type, value);
		ribbon_memo_add_value(&value_type->memos, bytes, text);
		return add_text(value_type, values, text, seed);
	}
	if (unlikely(memo->group != values->id))
	{
		memo->word = add_text(value_type, values, memo->made, seed);
		memo->group = values->id;
	}
	return memo->word;
}
