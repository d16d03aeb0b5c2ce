/*
 * words.c - the words that a layer is to hold
 */
#include "build/words.h"

#include "base/sort.h"

RibbonStatus
ribbon_words_create(const RibbonEnv *env, RibbonWords *words, uint64_t capacity)
{
	memset(words, 0, sizeof(*words));
	words->capacity = capacity;
	words->owned = true;
	if (env->open_store != NULL && capacity > RIBBON_WORDS_IN_MEMORY)
		return env->open_store(env->arg, capacity, &words->store);
	words->array = ribbon_alloc_array(env, capacity, sizeof(uint64_t));
	return words->array == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

RibbonStatus
ribbon_words_add(RibbonWords *words, const uint64_t *more, size_t n)
{
	uint64_t old = words->n;

	words->n += n;
	if (n == 0 || words->n > words->capacity)
		return RIBBON_OK;
	if (words->store != NULL)
		return words->store->add(words->store, more, n);
	memcpy(words->array + old, more, n * sizeof(uint64_t));
	return RIBBON_OK;
}

RibbonStatus
ribbon_words_load(const RibbonEnv *env, RibbonWords *words)
{
	RibbonStatus status;
	size_t n;

	words->array = ribbon_alloc_array(env, words->n, sizeof(uint64_t));
	if (words->array == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = words->store->read(words->store, 0, UINT64_MAX, words->array,
								(size_t) words->n, &n);
	if (words->owned)
		words->store->close(words->store);
	words->store = NULL;
	words->owned = true;
	return status;
}

RibbonStatus
ribbon_words_seal(const RibbonEnv *env, RibbonWords *words)
{
	RibbonStatus status;

	if (words->store == NULL)
		return ribbon_sort(env, words->array, (size_t) words->n);
	status = words->store->seal(words->store, &words->n);
	if (status == RIBBON_OK && words->n <= RIBBON_WORDS_IN_MEMORY)
		status = ribbon_words_load(env, words);
	return status;
}

/* The index of the first of n sorted words that is not below this one. */
static size_t
first_from(const uint64_t *words, size_t n, uint64_t word)
{
	size_t low = 0;

	while (low < n)
	{
		size_t middle = low + (n - low) / 2;

		if (words[middle] < word)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

RibbonStatus
ribbon_words_read(const RibbonWords *words, uint64_t first, uint64_t last,
				  uint64_t *room, size_t nroom, const uint64_t **found,
				  size_t *n)
{
	size_t begin, end;

	if (words->store != NULL)
	{
		*found = room;
		return words->store->read(words->store, first, last, room, nroom, n);
	}
	begin = first_from(words->array, (size_t) words->n, first);
	end = last == UINT64_MAX ?
		(size_t) words->n :
		first_from(words->array, (size_t) words->n, last + 1);
	*found = words->array + begin;
	*n = end - begin;
	return RIBBON_OK;
}

void
ribbon_words_free(const RibbonEnv *env, RibbonWords *words)
{
	if (words->owned)
	{
		ribbon_free(env, words->array);
		if (words->store != NULL)
			words->store->close(words->store);
	}
	memset(words, 0, sizeof(*words));
}
