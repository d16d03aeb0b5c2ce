/*
 * value.c - the values of maps
 *
 * Numbers are stored by their distance from the least of them.  All else is in
 * a dictionary (docs/format.md, section 7): texts, sorted by their bytes.
 * While a map is built, a text is known by its number, in the order in which
 * texts came; at the end each number gets the place among the sorted ones.
 */
#include "internal.h"

#include <stdlib.h>

#define FIRST_TEXTS	  16
#define MAX_BYTES	  ((size_t) 512 << 20)
#define MAX_NAME	  255
#define MAX_HEAD	  (2 * (1 + MAX_NAME) + 5 + 1)
#define VARINT_BYTES  10
#define TEXT_TYPE	  "\012pg_catalog\004text"
#define TEXT_TYPE_LEN (sizeof(TEXT_TYPE) - 1)

typedef struct RibbonText
{
	uint64_t hash;
	size_t at;
	size_t size;
} RibbonText;

const char *
ribbon_value_type_name(unsigned value_type)
{
	static const char *const names[RIBBON_VALUE_CLASSES] = {
		"text",	  "boolean", "smallint",  "integer",
		"bigint", "date",	 "timestamp", "timestamptz",
	};

	return names[value_type];
}

bool
ribbon_value_is_valid(unsigned value_type, int64_t number)
{
	switch (value_type)
	{
		case RIBBON_VALUE_BOOL:
			return number == 0 || number == 1;
		case RIBBON_VALUE_INT16:
			return number >= INT16_MIN && number <= INT16_MAX;
		case RIBBON_VALUE_INT32:
			return number >= INT32_MIN && number <= INT32_MAX;
		case RIBBON_VALUE_INT64:
			return true;
		case RIBBON_VALUE_DATE:
			return ribbon_civil_is_date(number);
		case RIBBON_VALUE_TIMESTAMP:
		case RIBBON_VALUE_TIMESTAMPTZ:
			return ribbon_civil_is_timestamp(number);
		default:
			return false;
	}
}

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
		const RibbonText *found = &texts->texts[*slot > 0 ? *slot - 1 : 0];

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
	RibbonText *more;
	uint32_t *slots;

	if (texts->ntexts < texts->capacity)
		return true;
	more = realloc(texts->texts, capacity * sizeof(RibbonText));
	if (more == NULL)
		return false;
	texts->texts = more;
	slots = calloc((size_t) 2 * capacity, sizeof(uint32_t));
	if (slots == NULL)
		return false;
	free(texts->slots);
	texts->slots = slots;
	texts->capacity = capacity;
	texts->nslots = 2 * capacity;
	for (uint32_t i = 0; i < texts->ntexts; i++)
	{
		const RibbonText *text = &texts->texts[i];

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
		if (!ribbon_parse_is_utf8(text, size))
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
		texts->texts[texts->ntexts] =
			(RibbonText){.hash = hash, .at = texts->nbytes, .size = size};
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
	*size = texts->texts[number].size;
	return texts->bytes + texts->texts[number].at;
}

void
ribbon_texts_free(RibbonTexts *texts)
{
	free(texts->texts);
	free(texts->slots);
	free(texts->bytes);
	memset(texts, 0, sizeof(*texts));
}

/* A text to be sorted. */
typedef struct Sorted
{
	const char *text;
	size_t size;
	uint32_t number;
} Sorted;

/* By bytes; of two that begin alike, the shorter one first. */
static int
compare_bytes(const char *a, size_t na, const char *b, size_t nb)
{
	size_t least = na < nb ? na : nb;
	int order = least > 0 ? memcmp(a, b, least) : 0;

	return order != 0 ? order : na < nb ? -1 : na > nb;
}

static int
compare_sorted(const void *a, const void *b)
{
	const Sorted *left = a;
	const Sorted *right = b;

	return compare_bytes(left->text, left->size, right->text, right->size);
}

static uint8_t *
put_varint(uint8_t *out, uint64_t number)
{
	for (; number > 127; number >>= 7)
		*out++ = (uint8_t) (number | 128);
	*out++ = (uint8_t) number;
	return out;
}

ribbon_status
ribbon_texts_write(const RibbonTexts *texts, uint32_t *ranks,
				   uint8_t **dictionary, size_t *size)
{
	uint32_t n = texts->ntexts;
	unsigned end_size = texts->nbytes <= UINT8_MAX ? 1 :
		texts->nbytes <= UINT16_MAX				   ? 2 :
													 4;
	Sorted *sorted = malloc((n > 0 ? n : 1) * sizeof(Sorted));
	uint8_t *out = malloc(TEXT_TYPE_LEN + VARINT_BYTES + 1 +
						  (size_t) n * end_size + texts->nbytes);
	uint64_t end = 0;

	*dictionary = out;
	if (sorted == NULL || out == NULL)
	{
		free(sorted);
		free(out);
		return ribbon_error_memory();
	}
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = (Sorted){.text = texts->bytes + texts->texts[i].at,
							 .size = texts->texts[i].size,
							 .number = i};
	qsort(sorted, n, sizeof(Sorted), compare_sorted);

	memcpy(out, TEXT_TYPE, TEXT_TYPE_LEN);
	out = put_varint(out + TEXT_TYPE_LEN, n);
	*out++ = (uint8_t) end_size;
	for (uint32_t i = 0; i < n; i++)
	{
		ranks[sorted[i].number] = i;
		end += sorted[i].size;
		for (unsigned b = 0; b < end_size; b++)
			*out++ = (uint8_t) (end >> 8 * b);
	}
	for (uint32_t i = 0; i < n; i++)
	{
		if (sorted[i].size > 0)
			memcpy(out, sorted[i].text, sorted[i].size);
		out += sorted[i].size;
	}
	free(sorted);
	*size = (size_t) (out - *dictionary);
	return RIBBON_SUCCESS;
}

static uint64_t
read_end(const RibbonDictionary *dictionary, uint32_t i)
{
	const uint8_t *at = dictionary->ends + (size_t) i * dictionary->end_size;
	uint64_t end = 0;

	for (unsigned b = 0; b < dictionary->end_size; b++)
		end |= (uint64_t) at[b] << (8 * b);
	return end;
}

const char *
ribbon_dictionary_open(RibbonDictionary *dictionary, const uint8_t *bytes,
					   size_t size)
{
	static const char malformed[] = "its dictionary is malformed";
	const uint8_t *at = bytes;
	const uint8_t *end = bytes + (size < MAX_HEAD ? size : MAX_HEAD);
	uint64_t nvalues = 0;
	int shift = 0;

	for (int i = 0; i < 2; i++)
	{
		if (at >= end || *at == 0 || *at >= end - at)
			return malformed;
		*(i == 0 ? &dictionary->schema : &dictionary->type) = at;
		at += 1 + *at;
	}
	for (;; shift += 7)
	{
		if (at >= end || shift > 28)
			return malformed;
		nvalues |= (uint64_t) (*at & 0x7F) << shift;
		if (*at++ < 0x80)
			break;
	}
	if ((at[-1] == 0 && shift > 0) || nvalues > RIBBON_DICTIONARY_VALUES ||
		at >= end)
		return malformed;
	dictionary->nvalues = (uint32_t) nvalues;
	dictionary->end_size = *at++;
	if (dictionary->end_size != 1 && dictionary->end_size != 2 &&
		dictionary->end_size != 4)
		return malformed;
	if (size - (size_t) (at - bytes) < nvalues * dictionary->end_size)
		return malformed;
	dictionary->ends = at;
	at += nvalues * dictionary->end_size;
	dictionary->texts = (const char *) at;
	dictionary->ntexts = size - (size_t) (at - bytes);
	return NULL;
}

bool
ribbon_dictionary_get(const RibbonDictionary *dictionary, uint32_t number,
					  const char **text, size_t *size)
{
	uint64_t first = number > 0 ? read_end(dictionary, number - 1) : 0;
	uint64_t end = read_end(dictionary, number);

	if (first > end || end > dictionary->ntexts)
		return false;
	*text = dictionary->texts + first;
	*size = (size_t) (end - first);
	return true;
}

const char *
ribbon_dictionary_check(const RibbonDictionary *dictionary)
{
	static const char disorder[] = "its dictionary is out of order";
	static const char not_utf8[] = "its dictionary is not in UTF-8";
	const char *previous = NULL;
	size_t nprevious = 0;
	uint64_t total = 0;

	if (!ribbon_parse_is_utf8((const char *) dictionary->schema + 1,
							  *dictionary->schema) ||
		!ribbon_parse_is_utf8((const char *) dictionary->type + 1,
							  *dictionary->type))
		return not_utf8;
	for (uint32_t i = 0; i < dictionary->nvalues; i++)
	{
		const char *text;
		size_t size;

		if (!ribbon_dictionary_get(dictionary, i, &text, &size))
			return disorder;
		if (previous != NULL &&
			compare_bytes(previous, nprevious, text, size) >= 0)
			return disorder;
		if (!ribbon_parse_is_utf8(text, size))
			return not_utf8;
		previous = text;
		nprevious = size;
		total += size;
	}
	return total == dictionary->ntexts ?
		NULL :
		"there is something behind the end of its dictionary";
}
