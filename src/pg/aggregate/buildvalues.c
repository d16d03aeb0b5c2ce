/*
 * buildvalues.c - the values of a map's keys, while its group is collected, and
 * what is said if a key has two
 *
 * Of numbers the least and the greatest are known, others are in a dictionary.
 * Both cover the values of all keys of the state, from any process: a value is
 * added before its key, and each record that a state has is in the map.
 */
#include "aggregate/aggregate.h"

#include "mb/pg_wchar.h"
#include "utils/memutils.h"
#include "value/lookup.h"

/* Bytes of a value that a message shows. */
#define SHOWN_BYTES 100

void
ribbon_buildvalues_init(BuildState *state, RibbonValueClass value_class,
						const uint8 *head, uint32 nhead)
{
	static uint64 last_id = 0;
	BuildValues *values = state->values;

	values->id = ++last_id;
	values->value_class = (uint8) value_class;
	if (nhead > 0)
		values->dictionary =
			ribbon_dictionary_create(GetMemoryChunkContext(state), head, nhead);
}

void
ribbon_buildvalues_join(BuildState *state, const BuildState *other)
{
	BuildValues *values = state->values;
	const BuildValues *others = other->values;
	const RibbonDictionary *dictionary = others->dictionary;
	const RibbonDictionaryText *text;
	uint32 at = 0;

	if (values->value_class != others->value_class ||
		(values->dictionary == NULL) != (dictionary == NULL))
		ribbon_dictionary_report_type();

	if ((others->flags & BUILD_HAS_NUMBERS) != 0)
	{
		ribbon_buildvalues_widen(values, others->least);
		ribbon_buildvalues_widen(values, others->greatest);
	}
	values->flags |= others->flags;

	if (dictionary == NULL)
		return;
	ribbon_dictionary_check_head(values->dictionary,
								 (const uint8 *) dictionary->bytes.data,
								 dictionary->nhead);
	while ((text = ribbon_dictionary_next(dictionary, &at)) != NULL)
		ribbon_dictionary_add(values->dictionary,
							  dictionary->bytes.data + text->at, text->length,
							  state->params.seed);
}

bool
ribbon_buildvalues_has(const BuildValues *values, uint64 word)
{
	int64 number = (int64) word;

	if (word == RIBBON_VALUE_NULL && (values->flags & BUILD_HAS_NULL) != 0)
		return true;
	if (values->dictionary != NULL)
		return ribbon_dictionary_find(values->dictionary, word) != NULL;
	return (values->flags & BUILD_HAS_NUMBERS) != 0 &&
		number >= values->least && number <= values->greatest;
}

/* The value of a word, as a message shows it. */
static const char *
value_text(const BuildValues *values, uint64 word)
{
	const RibbonDictionaryText *text;
	const char *bytes;
	int length;
	char *utf8;

	if (word == RIBBON_VALUE_NULL &&
		(values->flags & BUILD_HAS_NUMBER_LIKE_NULL) == 0)
		return "NULL";
	if (values->dictionary == NULL)
		return ribbon_number_text(values->value_class, (int64) word);
	text = ribbon_dictionary_find(values->dictionary, word);
	if (text == NULL)
		return "unknown";

	bytes = values->dictionary->bytes.data + text->at;
	length = pg_encoding_mbcliplen(PG_UTF8, bytes, (int) text->length,
								   SHOWN_BYTES);
	utf8 = psprintf("\"%.*s%s\"", length, bytes,
					(uint32) length < text->length ? "..." : "");
	return pg_any_to_server(utf8, (int) strlen(utf8), PG_UTF8);
}

RibbonValueCodes
ribbon_buildvalues_codes(const BuildValues *values)
{
	bool has_null = (values->flags & BUILD_HAS_NULL) != 0;

	if (values->dictionary != NULL)
		return ribbon_valuecodes_of_dictionary(values->dictionary, has_null);
	if (has_null && (values->flags & BUILD_HAS_NUMBER_LIKE_NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value %s of ribbon_map is out of range where there are NULLs",
						value_text(values, RIBBON_VALUE_NULL)),
				 errdetail("While a map is built, this number stands for NULL.")));
	return ribbon_valuecodes_of_numbers((values->flags & BUILD_HAS_NUMBERS) !=
											0,
										values->least, values->greatest,
										has_null);
}

pg_noreturn static void
report_two_values(const BuildState *state, const uint64_t *two_records)
{
	const char *first = value_text(state->values, two_records[1]);
	const char *second = value_text(state->values, two_records[3]);
	bool in_order = strcmp(first, second) < 0;

	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_map has two values"),
			 errdetail("The values are %s and %s; the hash of the key under seed %u is %lld.",
					   in_order ? first : second, in_order ? second : first,
					   state->params.seed, (long long) two_records[0]),
			 errhint("Aggregate first, so that each key has one value. If two keys have the same hash by chance, use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
					 state->params.seed + 1)));
	pg_unreachable();
}

void
ribbon_buildvalues_conflict(const void *arg, const uint64_t *two_records)
{
	const BuildState *state = arg;

	if (state->params.aggregate == RIBBON_AGGREGATE_MAP)
		report_two_values(state, two_records);
	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_build_exact is both a member and not a member"),
			 errdetail("The hash of the key is %lld.",
					   (long long) two_records[0]),
			 errhint("Find the key by ribbon_hash(key), or aggregate first, so that each key comes once: with bool_or(member) it is a member if any of its rows says so.")));
	pg_unreachable();
}
