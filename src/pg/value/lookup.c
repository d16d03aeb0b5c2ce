/*
 * lookup.c - what the codes of a map stand for
 *
 * Of a class of numbers, base plus the code.  Of a dictionary, the text in the
 * place that the code is; value.h has its bytes.  Each code is found by two
 * looks: at where its text ends, and at the text.
 *
 * A code that stands for nothing (a place behind the last, a number that the
 * type does not have) is never that of a key of the map.  So it says that the
 * key is not in it.
 */
#include "value/lookup.h"

#include "base/bits.h"
#include "base/coding.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/builtins.h"

/* Names of types are short; that of a server compiled otherwise, 255 bytes. */
#define MAX_NAMES 512

/*
 * The most that comes before the ends of texts: names and their lengths, the
 * number of values, a size.
 */
#define MAX_HEAD (MAX_NAMES + 5 + 1)

/* What comes before the texts.  Places are counted from its first byte. */
typedef struct Dictionary
{
	const uint8_t *schema; /* names, their length first, as long as the head */
	const uint8_t *type;   /* that was read stays there */
	uint32 nvalues;
	unsigned end_size; /* 1, 2, 4 */
	uint64 ends_at;
	uint64 texts_at;
	uint64 ntexts; /* bytes of all texts */
} Dictionary;

/*
 * length bytes (1 .. RIBBON_MAX_SLICE) of the dictionary, which has so many
 * there.
 */
static inline const uint8_t *
dictionary_bytes(const RibbonMapSource *source, uint64 at, size_t length)
{
	if (likely(source->dictionary != NULL))
		return source->dictionary + at;
	return source->fetch(source->arg, source->map->dictionary_at + at, length);
}

/* A name, which begins with its length. */
static const uint8_t *
read_name(RibbonReader *reader)
{
	const uint8_t *name = reader->next;
	unsigned length = ribbon_read_byte(reader);

	if (length == 0 || length > reader->end - reader->next)
		reader->corrupt = true;
	else
		reader->next += length;
	return name;
}

/* Decode the head; returns what is wrong with it, or NULL. */
static const char *
read_head(const RibbonMapSource *source, Dictionary *dictionary)
{
	static const char malformed[] = "its dictionary is malformed";
	const RibbonFilter *map = source->map;
	size_t nhead = Min(map->ndictionary, MAX_HEAD);
	const uint8_t *head = dictionary_bytes(source, 0, nhead);
	RibbonReader reader = {.next = head, .end = head + nhead};

	dictionary->schema = read_name(&reader);
	dictionary->type = read_name(&reader);
	dictionary->nvalues = (uint32) ribbon_read_varint(&reader,
													  RIBBON_DICTIONARY_VALUES);
	dictionary->end_size = ribbon_read_byte(&reader);
	if (reader.truncated || reader.corrupt ||
		(dictionary->end_size != 1 && dictionary->end_size != 2 &&
		 dictionary->end_size != 4))
		return malformed;

	dictionary->ends_at = (uint64) (reader.next - head);
	dictionary->texts_at = dictionary->ends_at +
		(uint64) dictionary->nvalues * dictionary->end_size;
	if (map->ndictionary < dictionary->texts_at)
		return malformed;
	dictionary->ntexts = map->ndictionary - dictionary->texts_at;
	return NULL;
}

static void
open_dictionary(const RibbonMapSource *source, Dictionary *dictionary)
{
	const char *objection = read_head(source, dictionary);

	if (unlikely(objection != NULL))
		ribbon_error_corrupt(RIBBON_SQL_MAP, objection);
}

/* Where text i ends, of ends of this size. */
static uint32
read_end(const uint8_t *ends, uint64 i, unsigned size)
{
	return (uint32) ribbon_load_bits(ends, 8 * size * i, 8 * size);
}

static const char *
copy_text(const RibbonMapSource *source, uint64 at, uint32 length)
{
	char *copy = palloc(Max(length, 1));

	for (uint32 done = 0; done < length;)
	{
		uint32 step = Min(length - done, RIBBON_MAX_SLICE);

		CHECK_FOR_INTERRUPTS();
		memcpy(copy + done, dictionary_bytes(source, at + done, step), step);
		done += step;
	}
	return copy;
}

/* Find the text of found->code, if the dictionary has one. */
static void
find_text(const RibbonMapSource *source, RibbonFound *found)
{
	Dictionary dictionary;
	unsigned size;
	uint32 before; /* texts whose end is looked at: 0 or 1 */
	uint32 first = 0;
	uint32 end;
	const uint8_t *ends;

	open_dictionary(source, &dictionary);
	if (found->code >= dictionary.nvalues)
		return;

	size = dictionary.end_size;
	before = Min(found->code, 1);
	ends = dictionary_bytes(source,
							dictionary.ends_at +
								(uint64) (found->code - before) * size,
							(1 + before) * size);
	if (before == 1)
		first = read_end(ends, 0, size);
	end = read_end(ends, before, size);
	if (unlikely(first > end || end > dictionary.ntexts))
		ribbon_error_corrupt(RIBBON_SQL_MAP, "its dictionary is out of order");
	found->kind = RIBBON_FOUND_TEXT;
	found->ntext = end - first;
	if (source->dictionary != NULL)
		found->text = (const char *) source->dictionary + dictionary.texts_at +
			first;
	else
		found->text = copy_text(source, dictionary.texts_at + first,
								found->ntext);
}

static bool
is_null(const RibbonFilter *map, uint64_t code)
{
	return map->has_null && code == ribbon_value_null_code(map->value_bits);
}

void
ribbon_lookup_code(const RibbonMapSource *source, uint64_t code,
				   RibbonFound *found)
{
	const RibbonFilter *map = source->map;

	found->value_class = map->value_class;
	found->number = (int64) ((uint64) map->base + code);
	found->code = (uint32) code;
	found->kind = RIBBON_FOUND_NOTHING;
	if (is_null(map, code))
		found->kind = RIBBON_FOUND_NULL;
	else if (map->value_class == RIBBON_VALUE_DICTIONARY)
	{
		if (code < RIBBON_DICTIONARY_VALUES)
			find_text(source, found);
	}
	else if (code <= (uint64) PG_INT64_MAX - (uint64) map->base &&
			 ribbon_number_is_valid(map->value_class, found->number))
		found->kind = RIBBON_FOUND_NUMBER;
}

void
ribbon_lookup_sift(const RibbonMapSource *source, const uint64_t *codes,
				   size_t n, bool *known)
{
	const RibbonFilter *map = source->map;
	uint32 ntexts = 0; /* of a dictionary; 0: it has not been asked */

	for (size_t i = 0; i < n; i++)
	{
		RibbonFound found;

		if (!known[i])
			continue;
		if (map->value_class == RIBBON_VALUE_DICTIONARY &&
			!is_null(map, codes[i]))
		{
			if (ntexts == 0)
				ntexts = ribbon_lookup_count(source);
			known[i] = codes[i] < ntexts;
			continue;
		}
		ribbon_lookup_row(source, codes[i], &found);
		known[i] = found.kind != RIBBON_FOUND_NOTHING;
	}
}

bool
ribbon_lookup_is_type(const RibbonMapSource *source, const uint8_t *head,
					  size_t nhead)
{
	const RibbonFilter *map = source->map;

	return map->ndictionary > nhead &&
		memcmp(dictionary_bytes(source, 0, nhead), head, nhead) == 0;
}

/* A name of a dictionary in the encoding of the database, palloc'd. */
static char *
convert_name(const uint8_t *name)
{
	char *utf8 = pnstrdup((const char *) name + 1, name[0]);

	return pg_any_to_server(utf8, name[0], PG_UTF8);
}

const char *
ribbon_lookup_type_name(const RibbonMapSource *source, bool in_query)
{
	Dictionary dictionary;
	char *schema;
	char *type;

	if (source->map->value_class != RIBBON_VALUE_DICTIONARY)
		return ribbon_number_type_name(source->map->value_class);

	open_dictionary(source, &dictionary);
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
ribbon_lookup_count(const RibbonMapSource *source)
{
	Dictionary dictionary;

	open_dictionary(source, &dictionary);
	return dictionary.nvalues;
}

const char *
ribbon_lookup_objection(const RibbonFilter *map)
{
	if (map->value_class >= RIBBON_NVALUE_CLASSES)
		return "its value class is unknown";
	if ((map->value_class == RIBBON_VALUE_DICTIONARY) != (map->ndictionary > 0))
		return "its value class calls for a dictionary, or for none";
	return NULL;
}

/*
 * Are names and texts characters in UTF-8, and the texts sorted, all different?
 */
static const char *
check_texts(const RibbonFilter *map, const Dictionary *dictionary)
{
	static const char out_of_order[] = "its dictionary is out of order";
	static const char not_utf8[] = "its dictionary is not in UTF-8";
	const uint8_t *names[2] = {dictionary->schema, dictionary->type};
	const uint8_t *ends = map->dictionary + dictionary->ends_at;
	const char *texts = (const char *) map->dictionary + dictionary->texts_at;
	uint32 previous = 0;
	uint32 first = 0;

	for (int i = 0; i < 2; i++)
		if (!pg_verify_mbstr(PG_UTF8, (const char *) names[i] + 1, names[i][0],
							 true))
			return not_utf8;
	for (uint32 i = 0; i < dictionary->nvalues; i++)
	{
		uint32 end = read_end(ends, i, dictionary->end_size);

		CHECK_FOR_INTERRUPTS();
		if (first > end || end > dictionary->ntexts)
			return out_of_order;
		if (i > 0 &&
			ribbon_dictionary_compare(texts + previous, first - previous,
									  texts + first, end - first) >= 0)
			return out_of_order;
		if (!pg_verify_mbstr(PG_UTF8, texts + first, (int) (end - first), true))
			return not_utf8;
		previous = first;
		first = end;
	}
	return first == dictionary->ntexts ?
		NULL :
		"there is something behind the end of its dictionary";
}

const char *
ribbon_lookup_check(const RibbonFilter *map)
{
	RibbonMapSource source = ribbon_map_source(map);
	Dictionary dictionary;
	const char *objection;
	uint64 ncodes = map->value_bits < 32 ? UINT64CONST(1) << map->value_bits :
										   PG_UINT32_MAX;

	if (map->value_class != RIBBON_VALUE_DICTIONARY)
		return NULL;
	objection = read_head(&source, &dictionary);
	if (objection != NULL)
		return objection;
	if (dictionary.nvalues + (map->has_null ? 1 : 0) > ncodes)
		return "its dictionary has more values than there are codes";
	return check_texts(map, &dictionary);
}
