/*
 * decode.c - what is found in a map, as a value of the type that is asked for
 *
 * A number is the value.  A text of a dictionary is read under the settings
 * under which it was written (valuetext.c), unless the call site remembers its
 * value (memo.c), and then held against the domains of the type, whose
 * constraints see the caller's settings.
 */
#include "value/value.h"

#include "catalog/pg_type_d.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"

/* How a dictionary of a type of pg_catalog begins. */
#define CATALOG_HEAD(name) \
	((RibbonValueBytes){RIBBON_CATALOG_HEAD(name), \
						sizeof(RIBBON_CATALOG_HEAD(name)) - 1})

/* Does the dictionary begin with this head, so its values are of that type? */
static bool
has_head(const RibbonFilter *map, RibbonValueBytes head)
{
	return map->ndictionary > head.nbytes &&
		memcmp(ribbon_dictionary_bytes(map, 0, head.nbytes), head.bytes,
			   head.nbytes) == 0;
}

/* Is the dictionary of this type?  Text and varchar are the same characters. */
static bool
is_same_type(RibbonValueType *value_type, const RibbonFilter *map)
{
	if (value_type->type == TEXTOID || value_type->type == VARCHAROID)
		return has_head(map, CATALOG_HEAD("\004text")) ||
			has_head(map, CATALOG_HEAD("\007varchar"));
	return has_head(map, ribbon_valuetype_refresh(value_type)->head);
}

void
ribbon_decode_check(RibbonValueType *value_type, const RibbonFilter *map)
{
	if (likely(value_type->value_class == map->value_class &&
			   (value_type->value_class != RIBBON_VALUES_DICTIONARY ||
				is_same_type(value_type, map))))
		return;

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("ribbonmap has values of type %s, not %s",
					ribbon_lookup_type_name(map, false),
					format_type_be(value_type->declared)),
			 errhint("Give the answer for other keys in the type of the values, as in NULL::%s, or use map ->> key.",
					 ribbon_lookup_type_name(map, true))));
}

/*
 * Hold the elements of an array against their domain, and make it an array of
 * that, in place.
 */
static void
check_elements(RibbonTypeInfo *info, Datum value)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	ArrayIterator elements = array_create_iterator(array, 0, NULL);
	Datum element;
	bool is_null;

	Assert(PointerGetDatum(array) == value);
	while (array_iterate(elements, &element, &is_null))
		domain_check(element, is_null, info->element_domain,
					 &info->element_check, info->context);
	array_free_iterator(elements);
	ARR_ELEMTYPE(array) = info->element_domain;
}

/* In the encoding of the database. */
static text *
convert_text(const RibbonFound *found)
{
	char *converted = pg_any_to_server(found->text, (int) found->ntext,
									   PG_UTF8);

	if (converted == found->text)
		return cstring_to_text_with_len(converted, (int) found->ntext);
	return cstring_to_text(converted);
}

/*
 * The value of a text.  (A constraint may call anything, and the map be gone
 * when it returns.)
 */
static Datum
read_text(RibbonValueType *value_type, const RibbonFound *found)
{
	RibbonTypeInfo *info = ribbon_valuetype_refresh(value_type);
	RibbonValueBytes text = {found->text, found->ntext};
	uint32 number = found->code;
	RibbonValueBytes made;
	const RibbonMemo *memo;
	Datum value;
	char *input;

	memo = ribbon_memo_find(&info->memos, number, text);
	if (unlikely(memo == NULL) && ribbon_memo_is_taken(&info->memos, number))
	{
		number = ribbon_memo_number(text);
		memo = ribbon_memo_find(&info->memos, number, text);
	}
	if (likely(memo != NULL))
		return value_type->by_value ?
			*(const Datum *) memo->made.bytes :
			PointerGetDatum(memcpy(palloc(memo->made.nbytes), memo->made.bytes,
								   memo->made.nbytes));

	input = text_to_cstring(convert_text(found));
	text.bytes = pnstrdup(found->text, found->ntext);
	value = ribbon_valuetext_read(value_type, input);
	if (OidIsValid(info->element_domain))
		check_elements(info, value);
	if (value_type->by_value)
		made = (RibbonValueBytes){(const char *) &value, sizeof(Datum)};
	else
	{
		value = datumCopy(value, false, value_type->length); /* flat */
		made = (RibbonValueBytes){DatumGetPointer(value),
								  datumGetSize(value, false,
											   value_type->length)};
	}
	ribbon_memo_add(&info->memos, number, text, made);
	return value;
}

Datum
ribbon_decode_value(RibbonValueType *value_type, const RibbonFound *found)
{
	bool is_null = found->kind == RIBBON_FOUND_NULL;
	Datum value;

	if (is_null)
		value = (Datum) 0; /* which the domain may refuse */
	else if (unlikely(value_type->typmod >= 0 &&
					  found->kind == RIBBON_FOUND_NUMBER))
	{
		/* as if it had been read as a value of the domain */
		RibbonFound written = *found;

		written.text = ribbon_decode_number(found->value_class, found->number);
		written.ntext = (uint32) strlen(written.text);
		written.code = 0; /* any: texts are compared */
		value = read_text(value_type, &written);
	}
	else if (found->kind == RIBBON_FOUND_NUMBER)
		/* what is shorter is by value, whatever its length */
		value = value_type->length == sizeof(int64) ?
			Int64GetDatum(found->number) :
			(Datum) found->number;
	else if (value_type->is_text && value_type->typmod < 0)
		value = PointerGetDatum(convert_text(found));
	else
		value = read_text(value_type, found);

	if (value_type->declared != value_type->type)
	{
		RibbonTypeInfo *info = ribbon_valuetype_refresh(value_type);

		domain_check(value, is_null, value_type->declared, &info->check,
					 info->context);
	}
	return value;
}

const char *
ribbon_decode_number(unsigned value_class, int64 number)
{
	char *text = palloc(RIBBON_NUMBER_TEXT);

	(void) ribbon_values_write(value_class, number, text);
	return text;
}

text *
ribbon_decode_text(const RibbonFound *found)
{
	char number[RIBBON_NUMBER_TEXT];
	size_t length;

	if (found->kind == RIBBON_FOUND_TEXT)
		return convert_text(found);
	length = ribbon_values_write(found->value_class, found->number, number);
	return cstring_to_text_with_len(number, (int) length);
}
