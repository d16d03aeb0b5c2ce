/*
 * buildvalues.c - the values of a map's keys, while its group is collected, and
 * what is said if a key has two
 *
 * Of numbers the least and the greatest are known, others are in a dictionary.
 * Both cover the values of all keys of the state, from any process: a value is
 * added before its key, and each record that a state has is in the map.
 */
#include "aggregate/buildvalues.h"

#include "mb/pg_wchar.h"
#include "server/server.h"
#include "set/element.h"

/* Bytes of a value that a message shows. */
#define SHOWN_BYTES 100

void
ribbon_buildvalues_init(RibbonBuildValues *values, MemoryContext context,
						RibbonValueClass value_class, const uint8 *head,
						uint32 nhead)
{
	static uint64 last_id = 0;

	values->id = ++last_id;
	values->range.value_class = (uint8) value_class;
	values->texts = nhead > 0 ? ribbon_grouptexts_create(context, head, nhead) :
								NULL;
}

void
ribbon_buildvalues_init_like(RibbonBuildValues *values, MemoryContext context,
							 const RibbonBuildValues *others)
{
	const RibbonTexts *texts = others->texts;

	ribbon_buildvalues_init(values, context,
							(RibbonValueClass) others->range.value_class,
							texts ? (uint8 *) texts->bytes : NULL,
							texts ? texts->nhead : 0);
}

void
ribbon_buildvalues_join(RibbonBuildValues *values,
						const RibbonBuildValues *others, uint32 seed)
{
	const RibbonTexts *texts = others->texts;
	const RibbonAddedText *text;
	uint32 at = 0;

	if (values->range.value_class != others->range.value_class ||
		(values->texts == NULL) != (texts == NULL))
		ribbon_grouptexts_report_type();

	values->range.has_null |= others->range.has_null;
	values->range.has_number_like_null |= others->range.has_number_like_null;
	if (others->range.has_numbers)
	{
		ribbon_range_widen(&values->range, others->range.least);
		ribbon_range_widen(&values->range, others->range.greatest);
	}

	if (texts == NULL)
		return;
	ribbon_grouptexts_check_head(values->texts, (const uint8 *) texts->bytes,
								 texts->nhead);
	while ((text = ribbon_texts_next(texts, &at)) != NULL)
		ribbon_grouptexts_add(values->texts, texts->bytes + text->at,
							  text->size, seed);
}

bool
ribbon_buildvalues_has(const RibbonBuildValues *values, uint64 word)
{
	const RibbonRange *range = &values->range;
	int64 number = (int64) word;

	if (word == RIBBON_NULL_WORD && range->has_null)
		return true;
	if (values->texts != NULL)
		return ribbon_texts_find(values->texts, word) != NULL;
	return range->has_numbers && number >= range->least &&
		number <= range->greatest;
}

/* The value of a word, as a message shows it. */
static const char *
value_text(const RibbonBuildValues *values, uint64 word)
{
	const RibbonAddedText *text;
	const char *bytes;
	int length;
	char *utf8;

	if (ribbon_range_is_null(&values->range, word))
		return "NULL";
	if (values->texts == NULL)
		return ribbon_decode_number(values->range.value_class, (int64) word);
	text = ribbon_texts_find(values->texts, word);
	if (text == NULL)
		return "unknown";

	bytes = values->texts->bytes + text->at;
	length = pg_encoding_mbcliplen(PG_UTF8, bytes, (int) text->size,
								   SHOWN_BYTES);
	utf8 = psprintf("\"%.*s%s\"", length, bytes,
					(uint32) length < text->size ? "..." : "");
	return pg_any_to_server(utf8, (int) strlen(utf8), PG_UTF8);
}

static void
set_number_codes(const RibbonBuildValues *values, RibbonValues *core)
{
	RibbonStatus status = ribbon_range_set_codes(&values->range, core);

	switch (status)
	{
		case RIBBON_OK:
			break;
		case RIBBON_NUMBER_LIKE_NULL:
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("value %s of ribbon_map is out of range where there are NULLs",
							value_text(values, RIBBON_NULL_WORD)),
					 errdetail("While a map is built, this number stands for NULL.")));
			break;
		case RIBBON_RANGE_TOO_WIDE:
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("values of ribbon_map are out of range"),
					 errdetail("Their range takes all 64 bits, which leaves no code for NULL."),
					 errhint("Cast the values to text, if at most %d of them are different.",
							 RIBBON_DICTIONARY_VALUES)));
			break;
		default:
			ribbon_error_throw(RIBBON_SQL_MAP, status);
	}
}

void
ribbon_buildvalues_set_codes(const RibbonBuildValues *values,
							 RibbonValues *core)
{
	core->value_class = values->range.value_class;
	core->has_null = values->range.has_null;
	if (values->texts != NULL)
		ribbon_grouptexts_set_codes(values->texts, core);
	else
		set_number_codes(values, core);
}

void
ribbon_buildvalues_report_two(const RibbonBuildValues *values,
							  const uint64_t *two_records, uint32 seed,
							  const char *key)
{
	const char *first = value_text(values,
								   ribbon_conflict_word(two_records, 0));
	const char *second = value_text(values,
									ribbon_conflict_word(two_records, 1));
	bool in_order = strcmp(first, second) < 0;

	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_map has two values"),
			 errdetail("%s  The values are %s and %s.", key,
					   in_order ? first : second, in_order ? second : first),
			 errhint("Aggregate first, so that each key has one value. If two keys have the same hash by chance, use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
					 seed + 1)));
	pg_unreachable();
}
