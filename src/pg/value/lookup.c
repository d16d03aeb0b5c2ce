/*
 * lookup.c - from a code to a number, or to a text of a dictionary
 */
#include "value/value.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/builtins.h"

/* A text of a dictionary that is not in memory. */
static const char *
copy_text(const RibbonFilter *map, uint64 at, uint32 length)
{
	char *copy = palloc(Max(length, 1));

	for (uint32 done = 0; done < length;)
	{
		uint32 step = Min(length - done, RIBBON_MAX_SLICE);

		CHECK_FOR_INTERRUPTS();
		memcpy(copy + done, ribbon_dictionary_bytes(map, at + done, step),
			   step);
		done += step;
	}
	return copy;
}

/* Find the text of this code, if the dictionary has one. */
static void
find_text(const RibbonFilter *map, uint64_t code, RibbonFound *found)
{
	RibbonDictionary dictionary;
	uint64_t at;

	ribbon_error_check(RIBBON_SQL_MAP,
					   ribbon_dictionary_open(map, &dictionary));
	if (code >= dictionary.nvalues)
		return;
	found->code = (uint32) code;
	ribbon_error_check(RIBBON_SQL_MAP,
					   ribbon_dictionary_find(map, &dictionary, found->code,
											  &at, &found->ntext));
	found->kind = RIBBON_FOUND_TEXT;
	if (map->dictionary != NULL)
		found->text = (const char *) map->dictionary + at;
	else
		found->text = copy_text(map, at, found->ntext);
}

void
ribbon_lookup_code(const RibbonFilter *map, uint64_t code, RibbonFound *found)
{
	found->value_class = map->value_class;
	found->kind = RIBBON_FOUND_NOTHING;
	if (ribbon_values_is_null(map, code))
		found->kind = RIBBON_FOUND_NULL;
	else if (map->value_class == RIBBON_VALUES_DICTIONARY)
		find_text(map, code, found);
	else if (ribbon_values_number(map, code, &found->number))
		found->kind = RIBBON_FOUND_NUMBER;
}

void
ribbon_lookup_sift(const RibbonFilter *map, const uint64_t *codes, size_t n,
				   bool *known)
{
	bool has_texts = map->value_class == RIBBON_VALUES_DICTIONARY;
	uint32 nvalues = 0; /* of the dictionary; 0: it has not been asked */

	for (size_t i = 0; i < n; i++)
	{
		if (!known[i] || ribbon_values_is_null(map, codes[i]))
			continue;
		if (has_texts && nvalues == 0)
			nvalues = ribbon_lookup_count(map);
		known[i] = ribbon_values_is_code(map, nvalues, codes[i]);
	}
}

/* A name of a dictionary in the encoding of the database, palloc'd. */
static char *
convert_name(const uint8_t *name)
{
	char *utf8 = pnstrdup((const char *) name + 1, name[0]);

	return pg_any_to_server(utf8, name[0], PG_UTF8);
}

const char *
ribbon_lookup_type_name(const RibbonFilter *map, bool in_query)
{
	RibbonDictionary dictionary;
	char *schema;
	char *type;

	if (map->value_class != RIBBON_VALUES_DICTIONARY)
		return ribbon_values_type_name(map->value_class);

	ribbon_error_check(RIBBON_SQL_MAP,
					   ribbon_dictionary_open(map, &dictionary));
	schema = convert_name(dictionary.schema);
	type = convert_name(dictionary.type);
	/* NULL::char would be a character(1) */
	if (strcmp(schema, "pg_catalog") == 0 &&
		(!in_query || strcmp(type, "char") != 0))
		return type;
	return in_query ? quote_qualified_identifier(schema, type) :
					  psprintf("%s.%s", schema, type);
}

uint32
ribbon_lookup_count(const RibbonFilter *map)
{
	RibbonDictionary dictionary;

	ribbon_error_check(RIBBON_SQL_MAP,
					   ribbon_dictionary_open(map, &dictionary));
	return dictionary.nvalues;
}
