/*
 * texts.c - the texts of a map that is built, by their words, and their codes
 */
#include "values/texts.h"

_Static_assert(RIBBON_DICTIONARY_VALUES == 65536 &&
				   RIBBON_TEXTS_BYTES >> 20 == 511 &&
				   RIBBON_NULL_WORD == (uint64_t) INT64_C(-7332882250841393536),
			   "base/status.c states these numbers");

#define FIRST_SLOTS 2
#define FIRST_BYTES 32
#define LEAST_SLOTS 32 /* once words are looked up for records */

/* A table of so many slots, which has the texts of the one before. */
static RibbonStatus
resize_table(RibbonTexts *texts, const RibbonEnv *env, uint32_t nslots)
{
	RibbonTexts resized = *texts;

	resized.slots = ribbon_alloc(env,
								 (uint64_t) nslots * sizeof(RibbonAddedText));
	if (resized.slots == NULL)
		return RIBBON_OUT_OF_MEMORY;
	resized.nslots = nslots;
	for (uint32_t i = 0; i < nslots; i++)
		resized.slots[i].word = RIBBON_NULL_WORD;
	for (uint32_t i = 0; i < texts->nslots; i++)
		if (texts->slots[i].word != RIBBON_NULL_WORD)
			*ribbon_texts_slot(&resized,
							   texts->slots[i].word) = texts->slots[i];
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
		(RibbonAddedText){.word = word, .at = texts->nbytes, .size = size};
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

const RibbonAddedText *
ribbon_texts_next(const RibbonTexts *texts, uint32_t *at)
{
	while (*at < texts->nslots)
	{
		const RibbonAddedText *text = &texts->slots[(*at)++];

		if (text->word != RIBBON_NULL_WORD)
			return text;
	}
	return NULL;
}

/* Write the dictionary, and tell each text its code. */
static RibbonStatus
write_dictionary(RibbonTexts *texts, const RibbonEnv *env, RibbonText *sorted,
				 size_t text_bytes, uint8_t *dictionary)
{
	const RibbonAddedText *text;
	uint32_t at = 0;
	RibbonStatus status;

	for (uint32_t i = 0; (text = ribbon_texts_next(texts, &at)) != NULL; i++)
		sorted[i] = (RibbonText){texts->bytes + text->at, text->size, at - 1};
	status = ribbon_dictionary_write(env, (const uint8_t *) texts->bytes,
									 texts->nhead, sorted, texts->nvalues,
									 text_bytes, dictionary);
	for (uint32_t code = 0; code < texts->nvalues && status == RIBBON_OK;
		 code++)
		texts->slots[sorted[code].number].code = code;
	return status;
}

/*
 * The code of a word: a RibbonCode.  A word that was not announced, as a
 * made-up partial state may have, must do no harm: it gets any code.
 */
static uint64_t
code_of_word(const void *arg, uint64_t word)
{
	const RibbonTexts *texts = arg;
	const RibbonAddedText *text;

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
	size_t text_bytes = texts->nbytes - texts->nhead;
	size_t size = ribbon_dictionary_size(texts->nhead, n, text_bytes);
	RibbonText *sorted = ribbon_alloc(env, (uint64_t) n * sizeof(RibbonText));
	uint8_t *dictionary = ribbon_alloc(env, size);
	uint32_t nslots = LEAST_SLOTS;
	RibbonStatus status = RIBBON_OK;

	/* each record's word will be looked up: room, so that few texts collide */
	while (nslots < 4 * n)
		nslots *= 2;
	if (sorted == NULL || dictionary == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	else if (texts->nslots < nslots)
		status = resize_table(texts, env, nslots);
	if (status == RIBBON_OK)
		status = write_dictionary(texts, env, sorted, text_bytes, dictionary);
	if (status == RIBBON_OK)
	{
		values->bits = ribbon_range_code_bits(n > 0, (uint64_t) n - 1,
											  values->has_null);
		values->dictionary = dictionary;
		values->ndictionary = size;
		values->code = code_of_word;
		values->code_arg = texts;
		texts->null_code = ribbon_low_mask(values->bits);
	}
	else
		ribbon_free(env, dictionary);
	ribbon_free(env, sorted);
	return status;
}

void
ribbon_texts_free(RibbonTexts *texts, const RibbonEnv *env)
{
	ribbon_free(env, texts->slots);
	ribbon_free(env, texts->bytes);
	*texts = (RibbonTexts){0};
}
