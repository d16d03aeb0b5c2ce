/*
 * texts.c - the texts of a map that is built, by their words; then they are
 * sorted, get their codes, and are written as a dictionary
 */
#include "values/texts.h"

#include "base/bits.h"
#include "base/coding.h"

_Static_assert(RIBBON_DICTIONARY_VALUES == 65536 &&
				   RIBBON_TEXTS_BYTES >> 20 == 511 &&
				   RIBBON_NULL_WORD == (uint64_t) INT64_C(-7332882250841393536),
			   "base/status.c states these numbers");

#define FIRST_SLOTS 2
#define FIRST_BYTES 32
#define LEAST_SLOTS 32 /* once words are looked up for records */

/* Bytes of texts, and of their structs, that are merged between two looks. */
#define LOOK_BYTES (256 * 1024)

/*
 * Let the table have so many slots, a power of two, more than texts.  For
 * 65,536 texts at most: it takes a few milliseconds.
 */
static RibbonStatus
resize_table(RibbonTexts *texts, const RibbonEnv *env, uint32_t nslots)
{
	RibbonTexts resized = *texts;
	const RibbonText *text;
	uint32_t at = 0;

	resized.slots = ribbon_alloc(env, (uint64_t) nslots * sizeof(RibbonText));
	if (resized.slots == NULL)
		return RIBBON_OUT_OF_MEMORY;
	resized.nslots = nslots;
	for (uint32_t i = 0; i < nslots; i++)
		resized.slots[i].word = RIBBON_NULL_WORD;
	while ((text = ribbon_texts_next(texts, &at)) != NULL)
		*ribbon_texts_slot(&resized, text->word) = *text;
	ribbon_free(env, texts->slots);
	*texts = resized;
	return RIBBON_OK;
}

RibbonStatus
ribbon_texts_init(RibbonTexts *texts, const RibbonEnv *env, const uint8_t *head,
				  uint32_t nhead, uint64_t secret)
{
	*texts = (RibbonTexts){.nhead = nhead,
						   .nbytes = nhead,
						   .capacity = nhead + FIRST_BYTES,
						   .secret = secret};
	texts->bytes = ribbon_alloc(env, texts->capacity);
	if (texts->bytes == NULL ||
		resize_table(texts, env, FIRST_SLOTS) != RIBBON_OK)
	{
		ribbon_texts_free(texts, env);
		return RIBBON_OUT_OF_MEMORY;
	}
	memcpy(texts->bytes, head, nhead);
	return RIBBON_OK;
}

/* Room for so many bytes in all. */
static RibbonStatus
make_text_room(RibbonTexts *texts, const RibbonEnv *env, uint32_t nbytes)
{
	uint32_t capacity = texts->capacity;
	char *bytes;

	if (nbytes <= capacity)
		return RIBBON_OK;
	while (capacity < nbytes)
		capacity *= 2;
	bytes = ribbon_resize(env, texts->bytes, texts->nbytes, capacity);
	if (bytes == NULL)
		return RIBBON_OUT_OF_MEMORY;
	texts->bytes = bytes;
	texts->capacity = capacity;
	return RIBBON_OK;
}

static RibbonStatus
add_new(RibbonTexts *texts, const RibbonEnv *env, uint64_t word,
		const char *text, uint32_t size)
{
	uint32_t free_slots = texts->nslots - texts->nvalues;
	RibbonStatus status = make_text_room(texts, env, texts->nbytes + size);

	/* a quarter stays free, and at least one */
	if (status == RIBBON_OK &&
		(free_slots <= texts->nslots / 4 || free_slots == 1))
		status = resize_table(texts, env, 2 * texts->nslots);
	if (status != RIBBON_OK)
		return status;
	*ribbon_texts_slot(texts, word) =
		(RibbonText){.word = word, .at = texts->nbytes, .size = size};
	if (size > 0)
		memcpy(texts->bytes + texts->nbytes, text, size);
	texts->nbytes += size;
	texts->nvalues++;
	return RIBBON_OK;
}

RibbonStatus
ribbon_texts_add(RibbonTexts *texts, const RibbonEnv *env, uint64_t word,
				 const char *text, size_t size)
{
	if (ribbon_texts_has(texts, word, text, size))
		return RIBBON_OK;
	if (word == RIBBON_NULL_WORD || ribbon_texts_find(texts, word) != NULL)
		return RIBBON_SAME_WORD;
	if (texts->nvalues == RIBBON_DICTIONARY_VALUES)
		return RIBBON_TOO_MANY_TEXTS;
	if (size > RIBBON_TEXTS_BYTES - texts->nbytes)
		return RIBBON_TEXTS_TOO_LARGE;
	return add_new(texts, env, word, text, (uint32_t) size);
}

const RibbonText *
ribbon_texts_next(const RibbonTexts *texts, uint32_t *at)
{
	while (*at < texts->nslots)
	{
		const RibbonText *text = &texts->slots[(*at)++];

		if (text->word != RIBBON_NULL_WORD)
			return text;
	}
	return NULL;
}

/* Merge each two sorted runs of size texts; what is left over is copied. */
static RibbonStatus
merge_runs(const RibbonEnv *env, const RibbonTexts *texts,
		   const RibbonText *from, uint32_t size, RibbonText *to)
{
	uint32_t n = texts->nvalues;
	uint32_t left = 0, middle = 0, right = 0, end = 0;
	uint64_t gone = 0; /* bytes since the last look */

	for (uint32_t i = 0; i < n; i++)
	{
		bool first;

		if (i == end)
		{
			left = i;
			right = middle = (uint32_t) ribbon_min64(i + size, n);
			end = (uint32_t) ribbon_min64(middle + size, n);
		}
		first = right == end ||
			(left < middle &&
			 ribbon_dictionary_compare(texts->bytes + from[left].at,
									   from[left].size,
									   texts->bytes + from[right].at,
									   from[right].size) < 0);
		to[i] = first ? from[left++] : from[right++];
		gone += to[i].size + sizeof(RibbonText);
		if (gone >= LOOK_BYTES)
		{
			gone = 0;
			if (ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	return RIBBON_OK;
}

/*
 * Set *sorted to all texts, sorted, in room, which has twice as many.  By
 * merging, from pairs on: texts may be long, and qsort does not stop.
 */
static RibbonStatus
sort_texts(const RibbonEnv *env, const RibbonTexts *texts, RibbonText *room,
		   RibbonText **sorted)
{
	uint32_t n = texts->nvalues;
	RibbonText *from = room;
	RibbonText *to = room + n;
	const RibbonText *text;
	uint32_t at = 0;
	RibbonStatus status = RIBBON_OK;

	for (uint32_t i = 0; (text = ribbon_texts_next(texts, &at)) != NULL; i++)
		from[i] = *text;
	for (uint32_t size = 1; size < n && status == RIBBON_OK; size *= 2)
	{
		RibbonText *merged = to;

		status = merge_runs(env, texts, from, size, to);
		to = from;
		from = merged;
	}
	*sorted = from;
	return status;
}

/* Set dictionary and ndictionary of values to that of these sorted texts. */
static RibbonStatus
write_dictionary(const RibbonEnv *env, const RibbonTexts *texts,
				 const RibbonText *sorted, RibbonValues *values)
{
	uint32_t n = texts->nvalues;
	uint32_t text_bytes = texts->nbytes - texts->nhead;
	unsigned end_size = text_bytes <= UINT8_MAX ? 1 :
		text_bytes <= UINT16_MAX				? 2 :
												  4;
	uint8_t *dictionary =
		ribbon_alloc(env,
					 texts->nhead + RIBBON_DICTIONARY_COUNT_BYTES + 1 +
						 (uint64_t) n * end_size + text_bytes);
	uint8_t *out = dictionary;
	uint32_t end = 0;
	RibbonStatus status = RIBBON_OK;

	if (dictionary == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(out, texts->bytes, texts->nhead);
	out = ribbon_write_varint(out + texts->nhead, n);
	*out++ = (uint8_t) end_size;
	for (uint32_t i = 0; i < n; i++)
	{
		end += sorted[i].size;
		out = ribbon_write_fixed(out, end, end_size);
	}
	for (uint32_t i = 0; i < n && status == RIBBON_OK; i++)
	{
		status = ribbon_copy(env, out, texts->bytes + sorted[i].at,
							 sorted[i].size);
		out += sorted[i].size;
	}
	if (status != RIBBON_OK)
	{
		ribbon_free(env, dictionary);
		return status;
	}
	values->dictionary = dictionary;
	values->ndictionary = (size_t) (out - dictionary);
	return RIBBON_OK;
}

/*
 * The code of a word: a RibbonCode.  A word that was not announced, as a
 * made-up partial state may have, must do no harm: it gets any code.
 */
static uint64_t
code_of_word(const void *arg, uint64_t word)
{
	const RibbonTexts *texts = arg;
	const RibbonText *text;

	if (word == RIBBON_NULL_WORD)
		return texts->null_code;
	text = ribbon_texts_find(texts, word);
	return text != NULL ? text->code : 0;
}

RibbonStatus
ribbon_texts_set_codes(RibbonTexts *texts, const RibbonEnv *env,
					   RibbonValues *values)
{
	uint32_t n = texts->nvalues;
	uint32_t nslots = LEAST_SLOTS;
	RibbonText *room = ribbon_alloc(env, 2 * (uint64_t) n * sizeof(RibbonText));
	RibbonText *sorted = room;
	RibbonStatus status = room == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;

	/* each record's word will be looked up: room, so that few texts collide */
	while (nslots < 4 * n)
		nslots *= 2;
	if (status == RIBBON_OK && texts->nslots < nslots)
		status = resize_table(texts, env, nslots);
	if (status == RIBBON_OK)
		status = sort_texts(env, texts, room, &sorted);
	if (status == RIBBON_OK)
		status = write_dictionary(env, texts, sorted, values);
	if (status == RIBBON_OK)
	{
		for (uint32_t code = 0; code < n; code++)
			ribbon_texts_slot(texts, sorted[code].word)->code = code;
		values->bits = ribbon_range_code_bits(n > 0, (uint64_t) n - 1,
											  values->has_null);
		values->code = code_of_word;
		values->code_arg = texts;
		texts->null_code = ribbon_low_mask(values->bits);
	}
	ribbon_free(env, room);
	return status;
}

void
ribbon_texts_free(RibbonTexts *texts, const RibbonEnv *env)
{
	ribbon_free(env, texts->slots);
	ribbon_free(env, texts->bytes);
	*texts = (RibbonTexts){0};
}
