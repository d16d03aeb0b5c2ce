/*
 * dictionary.c - the texts of a map: found and checked
 *
 * A text is found by two looks: at where it ends, which is where the one before
 * ends, too, and at the text itself.
 */
#include "values/dictionary.h"

#include "base/env.h"
#include "base/bits.h"
#include "base/coding.h"
#include "values/utf8.h"

#define MAX_NAME 255
#define MAX_HEAD (2 * (1 + MAX_NAME))

/* The most that comes before the ends: the head, the number, a size. */
#define MAX_BEFORE_ENDS (MAX_HEAD + RIBBON_DICTIONARY_COUNT_BYTES + 1)

/* A name, which begins with its length. */
static const uint8_t *
read_name(RibbonReader *reader)
{
	const uint8_t *name = reader->next;
	unsigned size = ribbon_read_byte(reader);

	if (size == 0 || size > (size_t) (reader->end - reader->next))
		reader->corrupt = true;
	else
		reader->next += size;
	return name;
}

RibbonStatus
ribbon_dictionary_open(const RibbonFilter *map, RibbonDictionary *dictionary)
{
	uint64_t all = map->ndictionary;
	size_t n = all < MAX_BEFORE_ENDS ? (size_t) all : MAX_BEFORE_ENDS;
	const uint8_t *bytes = n > 0 ? ribbon_dictionary_bytes(map, 0, n) :
								   (const uint8_t *) "";
	RibbonReader reader = {.next = bytes, .end = bytes + n};

	dictionary->schema = read_name(&reader);
	dictionary->type = read_name(&reader);
	dictionary->nvalues =
		(uint32_t) ribbon_read_varint(&reader, RIBBON_DICTIONARY_VALUES);
	dictionary->end_size = ribbon_read_byte(&reader);
	if (reader.truncated || reader.corrupt ||
		(dictionary->end_size != 1 && dictionary->end_size != 2 &&
		 dictionary->end_size != 4))
		return RIBBON_BAD_DICTIONARY;

	dictionary->ends_at = (uint32_t) (reader.next - bytes);
	dictionary->texts_at = dictionary->ends_at +
		dictionary->nvalues * dictionary->end_size;
	if (all < dictionary->texts_at)
		return RIBBON_BAD_DICTIONARY;
	dictionary->text_bytes = all - dictionary->texts_at;
	return RIBBON_OK;
}

/* Where text i ends, by ends of this size. */
static inline uint32_t
read_end(const uint8_t *ends, uint32_t i, unsigned end_size)
{
	if (end_size == 1)
		return ends[i];
	if (end_size == 2)
		return ends[2 * i] | (uint32_t) ends[2 * i + 1] << 8;
	return ribbon_load32(ends + 4 * i);
}

RibbonStatus
ribbon_dictionary_find(const RibbonFilter *map,
					   const RibbonDictionary *dictionary, uint32_t code,
					   uint64_t *at, uint32_t *size)
{
	unsigned end_size = dictionary->end_size;
	uint32_t before = code > 0; /* texts whose end is looked at: 0 or 1 */
	const uint8_t *ends =
		ribbon_dictionary_bytes(map,
								dictionary->ends_at +
									(uint64_t) (code - before) * end_size,
								(1 + before) * end_size);
	uint32_t first = before > 0 ? read_end(ends, 0, end_size) : 0;
	uint32_t end = read_end(ends, before, end_size);

	if (RIBBON_UNLIKELY(first > end || end > dictionary->text_bytes))
		return RIBBON_BAD_ORDER;
	*at = (uint64_t) dictionary->texts_at + first;
	*size = end - first;
	return RIBBON_OK;
}

/* Is a text in UTF-8?  It may be large, so this is asked of pieces. */
static RibbonStatus
check_text(const RibbonEnv *env, const char *text, uint32_t size)
{
	for (uint64_t at = 0, end; at < size; at = end)
	{
		end = ribbon_min64(at + RIBBON_INTERRUPT_BYTES, size);
		/* before a character, which ends with up to three bytes 10xxxxxx */
		for (int i = 0; i < 3 && end < size && (text[end] & 0xC0) == 0x80; i++)
			end--;
		if (!ribbon_is_utf8(text + at, (size_t) (end - at)))
			return RIBBON_BAD_TEXT;
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* Are the texts in UTF-8, sorted, all different, and at the end all of it? */
static RibbonStatus
check_texts(const RibbonEnv *env, const RibbonFilter *map,
			const RibbonDictionary *dictionary)
{
	uint64_t at = dictionary->texts_at;
	const char *before, *text = NULL;
	uint32_t nbefore, size = 0;

	for (uint32_t code = 0; code < dictionary->nvalues; code++)
	{
		RibbonStatus status;

		before = text;
		nbefore = size;
		status = ribbon_dictionary_find(map, dictionary, code, &at, &size);
		text = (const char *) map->dictionary + at;
		if (status == RIBBON_OK && code > 0 &&
			ribbon_dictionary_compare(before, nbefore, text, size) >= 0)
			status = RIBBON_BAD_ORDER;
		if (status == RIBBON_OK)
			status = check_text(env, text, size);
		if (status != RIBBON_OK)
			return status;
	}
	return at + size == map->ndictionary ? RIBBON_OK : RIBBON_BAD_END;
}

RibbonStatus
ribbon_dictionary_check(const RibbonEnv *env, const RibbonFilter *map)
{
	RibbonDictionary dictionary;
	RibbonStatus status;

	if (map->ndictionary == 0)
		return RIBBON_OK;
	status = ribbon_dictionary_open(map, &dictionary);
	if (status != RIBBON_OK)
		return status;
	if (map->value_bits < 32 &&
		dictionary.nvalues + map->has_null > UINT32_C(1) << map->value_bits)
		return RIBBON_BAD_COUNT;
	if (!ribbon_dictionary_is_head(map->dictionary,
								   (size_t) (dictionary.type + 1 +
											 dictionary.type[0] -
											 map->dictionary)))
		return RIBBON_BAD_TEXT;
	return check_texts(env, map, &dictionary);
}

bool
ribbon_dictionary_is_head(const uint8_t *head, size_t nhead)
{
	RibbonReader reader = {.next = head, .end = head + nhead};

	for (int i = 0; i < 2; i++)
	{
		const uint8_t *name = read_name(&reader);

		if (reader.truncated || reader.corrupt ||
			!ribbon_is_utf8((const char *) name + 1, name[0]))
			return false;
	}
	return reader.next == reader.end;
}
