/*
 * dictionary.c - the texts of a map: found, checked, written
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

#define VARINT_BYTES 3 /* of RIBBON_DICTIONARY_VALUES, at most */

/* The most that comes before the ends: the head, the number, a size. */
#define MAX_BEFORE_ENDS (MAX_HEAD + VARINT_BYTES + 1)

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
	const uint8_t *bytes = ribbon_dictionary_bytes(map, 0, n);
	RibbonReader reader = {.next = bytes, .end = bytes + n};

	dictionary->schema = read_name(&reader);
	dictionary->type = read_name(&reader);
	dictionary->nvalues = (uint32_t)
		ribbon_read_varint_of(&reader, VARINT_BYTES, RIBBON_DICTIONARY_VALUES);
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

/* By bytes; if one is the beginning of the other, the shorter one is first. */
static int
compare_texts(const RibbonText *left, const RibbonText *right)
{
	uint32_t least = left->size < right->size ? left->size : right->size;
	int order = least > 0 ? memcmp(left->bytes, right->bytes, least) : 0;

	return order != 0 ? order :
						(left->size > right->size) - (left->size < right->size);
}

/* Are the texts in UTF-8, sorted, all different, and at the end all of it? */
static RibbonStatus
check_texts(const RibbonEnv *env, const RibbonFilter *map,
			const RibbonDictionary *dictionary)
{
	uint64_t at = dictionary->texts_at;
	RibbonText before, text = {.size = 0};

	for (uint32_t code = 0; code < dictionary->nvalues; code++)
	{
		before = text;
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
		if (ribbon_dictionary_find(map, dictionary, code, &at, &text.size) !=
			RIBBON_OK)
			return RIBBON_BAD_ORDER;
		text.bytes = (const char *) map->dictionary + at;
		if (code > 0 && compare_texts(&before, &text) >= 0)
			return RIBBON_BAD_ORDER;
		if (!ribbon_is_utf8(text.bytes, text.size))
			return RIBBON_BAD_TEXT;
	}
	return at + text.size == map->ndictionary ? RIBBON_OK : RIBBON_BAD_END;
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

static unsigned
end_size_of(size_t text_bytes)
{
	return text_bytes <= UINT8_MAX ? 1 : text_bytes <= UINT16_MAX ? 2 : 4;
}

size_t
ribbon_dictionary_size(size_t nhead, uint32_t n, size_t text_bytes)
{
	uint8_t varint[VARINT_BYTES];

	return nhead + (size_t) (ribbon_write_varint(varint, n) - varint) + 1 +
		(size_t) n * end_size_of(text_bytes) + text_bytes;
}

/* Bytes of texts, and of their places, that are merged between two looks. */
#define LOOK_BYTES (256 * 1024)

/* Have so many bytes more been gone through, and is there an interrupt? */
static bool
interrupted_after(const RibbonEnv *env, uint32_t nbytes, uint64_t *gone)
{
	*gone += nbytes + sizeof(RibbonText);
	if (*gone < LOOK_BYTES)
		return false;
	*gone = 0;
	return ribbon_interrupted(env);
}

/* Merge texts begin .. begin + size - 1 with as many behind, if there are. */
static RibbonStatus
merge_texts(const RibbonEnv *env, const RibbonText *from, uint32_t n,
			uint32_t begin, uint32_t size, RibbonText *to, uint64_t *gone)
{
	uint32_t middle = (uint32_t) ribbon_min64(begin + size, n);
	uint32_t end = (uint32_t) ribbon_min64(begin + 2 * size, n);
	uint32_t left = begin;
	uint32_t right = middle;

	for (uint32_t i = begin; i < end; i++)
	{
		bool first = right == end ||
			(left < middle && compare_texts(&from[left], &from[right]) < 0);

		to[i] = first ? from[left++] : from[right++];
		if (interrupted_after(env, to[i].size, gone))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* By merging, from pairs on: texts may be long, and qsort does not stop. */
static RibbonStatus
sort_texts(const RibbonEnv *env, RibbonText *texts, uint32_t n)
{
	RibbonText *room = ribbon_alloc(env, (uint64_t) n * sizeof(RibbonText));
	RibbonText *from = texts;
	RibbonText *to = room;
	RibbonStatus status = room == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
	uint64_t gone = 0;

	for (uint32_t size = 1; size < n && status == RIBBON_OK; size *= 2)
	{
		RibbonText *sorted = to;

		for (uint32_t i = 0; i < n && status == RIBBON_OK; i += 2 * size)
			status = merge_texts(env, from, n, i, size, to, &gone);
		to = from;
		from = sorted;
	}
	if (status == RIBBON_OK && from != texts)
		memcpy(texts, from, n * sizeof(RibbonText));
	ribbon_free(env, room);
	return status;
}

RibbonStatus
ribbon_dictionary_write(const RibbonEnv *env, const uint8_t *head, size_t nhead,
						RibbonText *texts, uint32_t n, size_t text_bytes,
						uint8_t *out)
{
	unsigned end_size = end_size_of(text_bytes);
	uint32_t end = 0;
	RibbonStatus status = n > 1 ? sort_texts(env, texts, n) : RIBBON_OK;

	if (status != RIBBON_OK)
		return status;
	memcpy(out, head, nhead);
	out = ribbon_write_varint(out + nhead, n);
	*out++ = (uint8_t) end_size;
	for (uint32_t i = 0; i < n; i++)
	{
		end += texts[i].size;
		for (unsigned b = 0; b < end_size; b++)
			*out++ = (uint8_t) (end >> 8 * b);
	}
	for (uint32_t i = 0; i < n && status == RIBBON_OK; i++)
	{
		if (texts[i].size > 0)
			status = ribbon_copy(env, out, texts[i].bytes, texts[i].size);
		out += texts[i].size;
	}
	return status;
}
