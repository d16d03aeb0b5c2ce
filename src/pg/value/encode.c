/*
 * encode.c - values to the words of a map that is built
 *
 * A number is its own word (value.h).  Any other value has the hash of its
 * text, and the text is put into the dictionary of its group.  A value that the
 * call site remembers (memo.c) must be put there, too, unless it was the same
 * group that it came for last.
 */
#include "value/value.h"

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

/* Add a text to a dictionary of the type, unless it is there; its word. */
static uint64
add_text(const RibbonValueType *value_type, RibbonDictionary *dictionary,
		 RibbonValueBytes text, uint32 seed)
{
	ribbon_dictionary_check_head(dictionary, value_type->head,
								 value_type->nhead);
	return ribbon_dictionary_add(dictionary, text.bytes, text.nbytes, seed);
}

uint64
ribbon_encode_value(RibbonValueType *value_type, Datum value,
					RibbonDictionary *dictionary, uint64 id, uint32 seed)
{
	RibbonValueBytes bytes;
	RibbonValueBytes text;
	RibbonMemo *memo;

	ribbon_valuetype_renew(value_type);
	bytes = value_bytes(value_type, &value);
	memo = ribbon_memo_find(value_type, bytes);
	if (unlikely(memo == NULL))
	{
		text = ribbon_valuetext_get(value_type, value);
		ribbon_memo_add(value_type, bytes, text);
		return add_text(value_type, dictionary, text, seed);
	}
	if (unlikely(memo->id != id))
	{
		memo->word = add_text(value_type, dictionary, memo->made, seed);
		memo->id = id;
	}
	return memo->word;
}
