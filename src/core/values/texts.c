/*
 * texts.c - the texts of a map that is built, by their words
 */
#include "values/texts.h"

_Static_assert(RIBBON_DICTIONARY_VALUES == 65536 &&
				   RIBBON_TEXTS_BYTES >> 20 == 511 &&
				   RIBBON_NULL_WORD == (uint64_t) INT64_C(-7332882250841393536),
			   "base/status.c states these numbers");

#define FIRST_SLOTS 2
#define FIRST_BYTES 32

/* For 65,536 texts at most: it takes a few milliseconds. */
RibbonStatus
ribbon_texts_resize(RibbonTexts *texts, const RibbonEnv *env, uint32_t nslots)
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
		ribbon_texts_resize(texts, env, FIRST_SLOTS) != RIBBON_OK)
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
		status = ribbon_texts_resize(texts, env, 2 * texts->nslots);
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

void
ribbon_texts_free(RibbonTexts *texts, const RibbonEnv *env)
{
	ribbon_free(env, texts->slots);
	ribbon_free(env, texts->bytes);
	*texts = (RibbonTexts){0};
}
