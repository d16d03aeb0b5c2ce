/*
 * mapstate.c - the values of a group's keys
 *
 * For numbers the state knows the least and the greatest, for others it has a
 * dictionary.  Both are of the values of all keys, of any process: values are
 * added with their keys, and each record that a state has is in the map.
 */
#include "aggregate/aggregate.h"

#include "mb/pg_wchar.h"
#include "utils/memutils.h"
#include "value/lookup.h"

/* Bytes of a value that a message shows. */
#define SHOWN_BYTES 100

static const char *show(const MapState *state, uint64 word);

void
ribbon_mapstate_init(MapState *state, RibbonValueClass value_class,
					 const uint8 *head, uint32 nhead)
{
	static uint64 last_id = 0;

	state->id = ++last_id;
	state->values.value_class = (uint8) value_class;
	if (nhead > 0)
		state->dictionary =
			ribbon_dictionary_create(GetMemoryChunkContext(state), head, nhead);
}

void
ribbon_mapstate_join(MapState *state, const MapState *other)
{
	BuildValues *values = &state->values;
	const BuildValues *more = &other->values;

	if (values->value_class != more->value_class ||
		(state->dictionary == NULL) != (other->dictionary == NULL))
		ribbon_dictionary_report_type();
	if (state->dictionary != NULL)
		ribbon_dictionary_check_head(state->dictionary,
									 other->dictionary->bytes,
									 other->dictionary->nhead);

	if ((more->flags & BUILD_HAS_NUMBERS) != 0)
	{
		bool any = (values->flags & BUILD_HAS_NUMBERS) != 0;

		if (!any || more->least < values->least)
			values->least = more->least;
		if (!any || more->greatest > values->greatest)
			values->greatest = more->greatest;
	}
	values->flags |= more->flags;
	if (state->dictionary != NULL)
		for (uint32 i = 0; i < other->dictionary->ntexts; i++)
		{
			const RibbonDictionaryText *text = &other->dictionary->texts[i];

			ribbon_dictionary_add(state->dictionary,
								  (const char *) other->dictionary->bytes +
									  text->at,
								  text->length, state->build.params.seed);
		}
}

bool
ribbon_mapstate_has(const MapState *state, uint64 word)
{
	const BuildValues *values = &state->values;
	int64 number = (int64) word;

	if (word == RIBBON_VALUE_NULL && (values->flags & BUILD_HAS_NULL) != 0)
		return true;
	if (state->dictionary != NULL)
		return ribbon_dictionary_find(state->dictionary, word) != NULL;
	return (values->flags & BUILD_HAS_NUMBERS) != 0 &&
		number >= values->least && number <= values->greatest;
}

RibbonValueCodes
ribbon_mapstate_codes(const MapState *state)
{
	const BuildValues *values = &state->values;
	bool has_null = (values->flags & BUILD_HAS_NULL) != 0;

	if (state->dictionary != NULL)
		return ribbon_valuecodes_of_dictionary(state->dictionary, has_null);
	if (has_null && (values->flags & BUILD_HAS_NUMBER_LIKE_NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value %s of ribbon_map is out of range where there are NULLs",
						show(state, RIBBON_VALUE_NULL)),
				 errdetail("While a map is built, this number stands for NULL.")));
	return ribbon_valuecodes_of_numbers((values->flags & BUILD_HAS_NUMBERS) !=
											0,
										values->least, values->greatest,
										has_null);
}

void
ribbon_mapstate_conflict(const void *arg,
						 const uint64_t records[2 * RIBBON_RECORD_WORDS])
{
	const MapState *state = arg;
	const char *first = show(state, records[1]);
	const char *second = show(state, records[3]);
	bool in_order = strcmp(first, second) < 0;

	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_map has two values"),
			 errdetail("They are %s and %s; the hash of the key under seed %u is %lld.",
					   in_order ? first : second, in_order ? second : first,
					   state->build.params.seed, (long long) records[0]),
			 errhint("Aggregate first, so that each key has one value. If it is two keys, which have one hash by chance, use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
					 state->build.params.seed + 1)));
	pg_unreachable();
}

/* The value of a word, as a message shows it. */
static const char *
show(const MapState *state, uint64 word)
{
	const RibbonDictionaryText *text;
	const char *bytes;
	int length;
	char *utf8;

	if (word == RIBBON_VALUE_NULL &&
		(state->values.flags & BUILD_HAS_NUMBER_LIKE_NULL) == 0)
		return "NULL";
	if (state->dictionary == NULL)
		return ribbon_number_text(state->values.value_class, (int64) word);
	text = ribbon_dictionary_find(state->dictionary, word);
	if (text == NULL)
		return "unknown";

	bytes = (const char *) state->dictionary->bytes + text->at;
	length = pg_encoding_mbcliplen(PG_UTF8, bytes, (int) text->length,
								   SHOWN_BYTES);
	utf8 = psprintf("\"%.*s%s\"", length, bytes,
					(uint32) length < text->length ? "..." : "");
	return pg_any_to_server(utf8, (int) strlen(utf8), PG_UTF8);
}
