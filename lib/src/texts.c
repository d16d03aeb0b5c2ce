/*
 * texts.c - the different texts of a map that is built
 *
 * A text is known by its number, in the order in which texts came.  At the end
 * each number gets the place among the sorted ones, and they are written as a
 * dictionary (values/dictionary.h of the core).
 */
#include "internal.h"

#include <stdlib.h>

#define FIRST_TEXTS 16
#define MAX_BYTES	((size_t) 512 << 20)

/* Of the type text: two names, their lengths first. */
static const char head[] = "\012pg_catalog\004text";
#define HEAD_SIZE (sizeof(head) - 1)

typedef struct RibbonAddedText
{
	uint64_t hash;
	size_t at;
	size_t size;
} RibbonAddedText;

/*
 * Where a text with this hash is in the table, or is to be put.  The table's
 * address, which whoever chose the texts does not know, spreads them.
 */
static uint32_t *
find_slot(const RibbonTexts *texts, uint64_t hash, const char *text,
		  size_t size)
{
	uint32_t mask = texts->nslots - 1;

	for (uint32_t i = (uint32_t) ribbon_mix(hash ^ (uintptr_t) texts) & mask;;
		 i = (i + 1) & mask)
	{
		uint32_t *slot = &texts->slots[i];
		const RibbonAddedText *found = &texts->added[*slot > 0 ? *slot - 1 : 0];

		if (*slot == 0 ||
			(found->hash == hash && found->size == size &&
			 memcmp(texts->bytes + found->at, text, size) == 0))
			return slot;
	}
}

/* Room for one more text, in a table that is at most half full. */
static bool
make_room(RibbonTexts *texts)
{
	uint32_t capacity = texts->capacity > 0 ? 2 * texts->capacity : FIRST_TEXTS;
	RibbonAddedText *more;
	uint32_t *slots;

	if (texts->ntexts < texts->capacity)
		return true;
	more = realloc(texts->added, capacity * sizeof(RibbonAddedText));
	if (more == NULL)
		return false;
	texts->added = more;
	slots = calloc((size_t) 2 * capacity, sizeof(uint32_t));
	if (slots == NULL)
		return false;
	free(texts->slots);
	texts->slots = slots;
	texts->capacity = capacity;
	texts->nslots = 2 * capacity;
	for (uint32_t i = 0; i < texts->ntexts; i++)
	{
		const RibbonAddedText *text = &texts->added[i];

		*find_slot(texts, text->hash, texts->bytes + text->at, text->size) = i +
			1;
	}
	return true;
}

/* Room for the bytes of one more text. */
static bool
make_bytes(RibbonTexts *texts, size_t size)
{
	size_t capacity = texts->bytes_capacity > 0 ? texts->bytes_capacity : 256;
	char *bytes;

	if (texts->bytes != NULL && texts->nbytes + size <= texts->bytes_capacity)
		return true;
	while (capacity < texts->nbytes + size)
		capacity *= 2;
	bytes = realloc(texts->bytes, capacity);
	if (bytes == NULL)
		return false;
	texts->bytes = bytes;
	texts->bytes_capacity = capacity;
	return true;
}

ribbon_status
ribbon_texts_add(RibbonTexts *texts, const char *text, size_t size,
				 uint32_t *number)
{
	uint64_t hash = ribbon_hash_bytes(size > 0 ? text : "", size);
	uint32_t *slot;

	/* before a table is asked for the first time, it has to be there */
	if (size > MAX_BYTES || !make_room(texts) || !make_bytes(texts, 0))
		return size > MAX_BYTES ?
			ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
							 "a value has more than 512 MB") :
			ribbon_error_memory();
	slot = find_slot(texts, hash, text, size);
	if (*slot == 0)
	{
		if (!ribbon_is_utf8(text, size))
			return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
									"a value is not text in UTF-8 without "
									"zero bytes");
		if (texts->ntexts == RIBBON_DICTIONARY_VALUES)
			return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
									"a map cannot have more than %d different texts",
									RIBBON_DICTIONARY_VALUES);
		if (texts->nbytes + size > MAX_BYTES)
			return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
									"the different texts of a map cannot have more than 512 MB");
		if (!make_bytes(texts, size))
			return ribbon_error_memory();
		texts->added[texts->ntexts] =
			(RibbonAddedText){.hash = hash, .at = texts->nbytes, .size = size};
		memcpy(texts->bytes + texts->nbytes, text, size);
		texts->nbytes += size;
		*slot = ++texts->ntexts;
	}
	*number = *slot - 1;
	return RIBBON_SUCCESS;
}

const char *
ribbon_texts_get(const RibbonTexts *texts, uint32_t number, size_t *size)
{
	*size = texts->added[number].size;
	return texts->bytes + texts->added[number].at;
}

void
ribbon_texts_free(RibbonTexts *texts)
{
	free(texts->added);
	free(texts->slots);
	free(texts->bytes);
	memset(texts, 0, sizeof(*texts));
}

ribbon_status
ribbon_texts_write(const RibbonTexts *texts, uint32_t *ranks,
				   uint8_t **dictionary, size_t *size)
{
	uint32_t n = texts->ntexts;
	RibbonText *sorted = malloc((n > 0 ? n : 1) * sizeof(RibbonText));

	*size = ribbon_dictionary_size(HEAD_SIZE, n, texts->nbytes);
	*dictionary = malloc(*size);
	if (sorted == NULL || *dictionary == NULL)
	{
		free(sorted);
		free(*dictionary);
		return ribbon_error_memory();
	}
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = (RibbonText){texts->bytes + texts->added[i].at,
								 (uint32_t) texts->added[i].size, i};
	ribbon_dictionary_write((const uint8_t *) head, HEAD_SIZE, sorted, n,
							texts->nbytes, *dictionary);
	for (uint32_t i = 0; i < n; i++)
		ranks[sorted[i].number] = i;
	free(sorted);
	return RIBBON_SUCCESS;
}
