/*
 * decode.c - values of a type that is asked for
 *
 * Numbers are what they are.  A text of a dictionary is read under the settings
 * under which it was written (valuetext.c), and then held against the domains
 * of the type, whose constraints see the caller's settings.  That takes a
 * hundred times as long as a lookup, so what has been decoded is kept, one
 * value for each code, beside the text that it was decoded from: whatever map
 * comes next, the same text is the same value.
 *
 * But not for longer than the head of the type (valuetype.c), for the next
 * command may rename the label of an enum.
 */
#include "value/lookup.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* Bytes of a text that is worth keeping a value for. */
#define MAX_KEPT_TEXT 1024

/*
 * Bytes of all of them, when it begins anew.  65,536 small ones take half of
 * that.
 */
#define MAX_KEPT_BYTES (16 * 1024 * 1024)

#define FIRST_KEPT 64

/* A value that has been decoded. */
typedef struct DecodedValue
{
	char *text; /* that it was decoded from; NULL: none */
	uint32 ntext;
	Datum value;
} DecodedValue;

struct RibbonDecoder
{
	Oid declared; /* as it is asked for; it may be a domain */
	Oid type;	  /* its base type */
	int32 typmod; /* of that, which a domain may have; -1: none */
	unsigned value_class;
	int16 length; /* as pg_type has it */
	bool by_value;
	bool is_text; /* text or varchar, which are the same characters */
	MemoryContext context;
	void *domain; /* domain_check's, or NULL */

	/* but of text and numbers: as a dictionary of the type begins */
	RibbonTypeHead head;

	/* for as long as that is known, in this context */
	MemoryContext kept_context;
	bool is_set_up;
	RibbonTextForm form;
	void *element_domain; /* domain_check's of elements, or NULL */
	uint32 nkept;		  /* a power of two, or 0 */
	DecodedValue *kept;	  /* by code */
};

RibbonDecoder *
ribbon_decoder_create(Oid type, MemoryContext context)
{
	RibbonDecoder *decoder = MemoryContextAllocZero(context,
													sizeof(RibbonDecoder));

	ribbon_valuetype_check_exists(type);
	decoder->declared = type;
	decoder->typmod = -1;
	decoder->type = getBaseTypeAndTypmod(type, &decoder->typmod);
	decoder->value_class = ribbon_number_class(decoder->type);
	decoder->is_text = decoder->type == TEXTOID || decoder->type == VARCHAROID;
	get_typlenbyval(decoder->type, &decoder->length, &decoder->by_value);
	decoder->context = context;
	decoder->head.type = decoder->type;
	return decoder;
}

/* Forget what another command has found out, or too much, and begin anew. */
static void
set_up(RibbonDecoder *decoder)
{
	bool is_new = ribbon_valuetype_renew_head(&decoder->head);

	if (likely(decoder->is_set_up && !is_new))
		return;

	decoder->is_set_up = false;
	decoder->kept = NULL;
	decoder->nkept = 0;
	if (decoder->kept_context == NULL)
		decoder->kept_context = AllocSetContextCreate(decoder->context,
													  "ribbon values",
													  ALLOCSET_SMALL_SIZES);
	MemoryContextReset(decoder->kept_context);

	decoder->element_domain = NULL;
	ribbon_valuetype_set_form(&decoder->form, decoder->type,
							  decoder->kept_context);
	decoder->is_set_up = true;
}

static bool
is_same_type(RibbonDecoder *decoder, const RibbonMapSource *source)
{
	/* as dictionaries of text and of varchar begin */
	static const uint8_t text_names[] = "\012pg_catalog\004text";
	static const uint8_t varchar_names[] = "\012pg_catalog\007varchar";

	if (decoder->is_text)
		return ribbon_lookup_is_type(source, text_names,
									 sizeof(text_names) - 1) ||
			ribbon_lookup_is_type(source, varchar_names,
								  sizeof(varchar_names) - 1);
	set_up(decoder);
	return ribbon_lookup_is_type(source, decoder->head.bytes,
								 decoder->head.nbytes);
}

void
ribbon_decoder_check(RibbonDecoder *decoder, const RibbonMapSource *source)
{
	if (likely(decoder->value_class == source->map->value_class &&
			   (decoder->value_class != RIBBON_VALUE_DICTIONARY ||
				is_same_type(decoder, source))))
		return;

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("ribbonmap has values of type %s, not %s",
					ribbon_lookup_type_name(source, false),
					format_type_be(decoder->declared)),
			 errhint("Give the answer for other keys in the type of the values, as in NULL::%s, or use map ->> key.",
					 ribbon_lookup_type_name(source, true))));
}

/* Where the value of a code is kept; there is room for more if need be. */
static DecodedValue *
decoded_of(RibbonDecoder *decoder, uint32 code)
{
	uint32 nkept = Max(decoder->nkept, FIRST_KEPT);
	DecodedValue *kept;

	if (likely(code < decoder->nkept))
		return &decoder->kept[code];
	while (nkept <= code)
		nkept *= 2;
	kept = MemoryContextAllocZero(decoder->kept_context,
								  nkept * sizeof(DecodedValue));
	if (decoder->kept != NULL)
	{
		memcpy(kept, decoder->kept, decoder->nkept * sizeof(DecodedValue));
		pfree(decoder->kept);
	}
	decoder->kept = kept;
	decoder->nkept = nkept;
	return &kept[code];
}

/*
 * Hold the elements of an array against their domain, and make it an array of
 * that, in place.
 */
static void
check_elements(RibbonDecoder *decoder, Datum value)
{
	Oid domain = decoder->form.element_domain;
	ArrayType *array = DatumGetArrayTypeP(value);
	ArrayIterator elements = array_create_iterator(array, 0, NULL);
	Datum element;
	bool is_null;

	Assert(PointerGetDatum(array) == value);
	while (array_iterate(elements, &element, &is_null))
		domain_check(element, is_null, domain, &decoder->element_domain,
					 decoder->kept_context);
	array_free_iterator(elements);
	ARR_ELEMTYPE(array) = domain;
}

/*
 * Keep a value beside its text, which is the decoder's.  If there are too many,
 * the next map that is looked at finds none.
 */
static void
keep(RibbonDecoder *decoder, const RibbonFound *found, char *text, Datum value)
{
	DecodedValue *kept = decoded_of(decoder, found->code);
	MemoryContext old_context;

	if (found->ntext > MAX_KEPT_TEXT)
	{
		pfree(text);
		return;
	}
	if (kept->text != NULL)
	{
		pfree(kept->text);
		if (!decoder->by_value)
			pfree(DatumGetPointer(kept->value));
	}
	kept->text = NULL;
	old_context = MemoryContextSwitchTo(decoder->kept_context);
	kept->value = datumCopy(value, decoder->by_value, decoder->length);
	MemoryContextSwitchTo(old_context);
	kept->ntext = found->ntext;
	kept->text = text;
	if (MemoryContextMemAllocated(decoder->kept_context, false) >
		MAX_KEPT_BYTES)
		decoder->is_set_up = false;
}

/*
 * The value of a text, which is the caller's.  (A constraint may call anything,
 * and the map be gone when it returns.)
 */
static Datum
decode(RibbonDecoder *decoder, const RibbonFound *found)
{
	DecodedValue *kept;
	Datum value;
	char *input;
	char *text;

	set_up(decoder);
	kept = decoded_of(decoder, found->code);
	if (likely(kept->text != NULL && kept->ntext == found->ntext &&
			   memcmp(kept->text, found->text, found->ntext) == 0))
		return datumCopy(kept->value, decoder->by_value, decoder->length);

	input = text_to_cstring(ribbon_decoder_text(found));
	text = MemoryContextAlloc(decoder->kept_context, found->ntext + 1);
	memcpy(text, found->text, found->ntext);
	value = ribbon_valuetext_read(&decoder->form, input);
	if (OidIsValid(decoder->form.element_domain))
		check_elements(decoder, value);
	pfree(input);
	keep(decoder, found, text, value);
	return value;
}

Datum
ribbon_decoder_value(RibbonDecoder *decoder, const RibbonFound *found)
{
	Datum value = (Datum) 0;

	if (found->kind == RIBBON_FOUND_NULL)
		; /* which the domain may refuse */
	else if (found->kind == RIBBON_FOUND_NUMBER)
		value = ribbon_number_datum(found->value_class, found->number);
	else if (decoder->is_text)
		value = PointerGetDatum(ribbon_decoder_text(found));
	else
		value = decode(decoder, found);

	/* as if it had been read as a value of the domain */
	if (unlikely(decoder->typmod >= 0 && found->kind != RIBBON_FOUND_NULL))
	{
		set_up(decoder);
		value = ribbon_valuetext_fit(&decoder->form, value, decoder->typmod);
	}
	if (decoder->declared != decoder->type)
		domain_check(value, found->kind == RIBBON_FOUND_NULL, decoder->declared,
					 &decoder->domain, decoder->context);
	return value;
}

text *
ribbon_decoder_text(const RibbonFound *found)
{
	char *converted = pg_any_to_server(found->text, (int) found->ntext,
									   PG_UTF8);

	if (converted == found->text)
		return cstring_to_text_with_len(converted, (int) found->ntext);
	return cstring_to_text(converted);
}
