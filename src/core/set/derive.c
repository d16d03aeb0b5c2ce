/*
 * derive.c - sets made of sets, and passes over a set
 */
#include "set/derive.h"

#include "base/bits.h"
#include "base/env.h"
#include "set/read.h"

/* Elements of an array that are taken at once: 512 kB of hashes. */
#define TAKEN_AT_ONCE ((size_t) 64 * 1024)

RibbonStatus
ribbon_set_begin(const RibbonEnv *env, RibbonSet *set, const RibbonSet *beside,
				 RibbonElementKind kind, uint64_t most)
{
	*set = ribbon_set_growing(env, kind);
	set->most = most;
	set->env.progress = NULL; /* which is that of what it is made for */
	if (most > RIBBON_SET_IN_MEMORY)
		set->file = beside->file;
	return set->file != NULL ?
		RIBBON_OK :
		ribbon_set_reserve(set, most * ribbon_set_words(set));
}

RibbonStatus
ribbon_set_load(const RibbonEnv *env, const RibbonSet *set, RibbonSet *loaded)
{
	RibbonSetRange range = {.room = NULL};
	RibbonStatus status = ribbon_set_make_room(env, set, &range, set->n);

	if (status == RIBBON_OK)
		status = ribbon_set_read(env, set, 0, UINT64_MAX, 0, &range);
	if (status == RIBBON_OK && range.n != set->n)
		status = RIBBON_BAD_FILE;
	*loaded = ribbon_set_of_array(env, set->kind, range.room, set->n);
	loaded->owned = loaded->sealed = true;
	ribbon_free(env, range.block);
	return status;
}

RibbonStatus
ribbon_set_finish(RibbonSet *set)
{
	RibbonStatus status = ribbon_set_seal(set);
	RibbonSet loaded;

	if (status != RIBBON_OK || set->file == NULL ||
		set->n > RIBBON_SET_IN_MEMORY)
		return status;
	status = ribbon_set_load(&set->env, set, &loaded);
	ribbon_set_close(set);
	*set = loaded;
	return status;
}

static RibbonStatus
each_of_file(const RibbonEnv *env, const RibbonSet *set,
			 RibbonTakeElements take, void *arg)
{
	uint64_t *words = ribbon_alloc_array(env, RIBBON_BLOCK_WORDS,
										 sizeof(uint64_t));
	RibbonSetPosition position = {0, 0};
	RibbonStatus status = words == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
	uint64_t total = 0;
	size_t n = 1;

	while (status == RIBBON_OK && n > 0)
	{
		status = ribbon_set_next(set, &position, words, &n);
		if (status == RIBBON_OK && n > 0)
			status = take(arg, words, n);
		total += n;
	}
	ribbon_free(env, words);
	return status == RIBBON_OK && total != set->n ? RIBBON_BAD_FILE : status;
}

RibbonStatus
ribbon_set_each(const RibbonEnv *env, const RibbonSet *set,
				RibbonTakeElements take, void *arg)
{
	size_t each = ribbon_set_words(set);
	RibbonStatus status = RIBBON_OK;

	if (set->file != NULL)
		return each_of_file(env, set, take, arg);
	for (size_t i = 0; i < set->n && status == RIBBON_OK; i += TAKEN_AT_ONCE)
	{
		status = take(arg, set->array + i * each,
					  (size_t) ribbon_min64(set->n - i, TAKEN_AT_ONCE));
		if (status == RIBBON_OK && ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
	}
	return status;
}

typedef struct Deriving
{
	RibbonDerive derive;
	void *arg;
	size_t each; /* words of the elements that there are */
	RibbonSet *to;
} Deriving;

/* A RibbonTakeElements. */
static RibbonStatus
derive_some(void *arg, const uint64_t *elements, size_t n)
{
	const Deriving *d = arg;
	uint64_t out[RIBBON_DERIVED_AT_ONCE * RIBBON_RECORD_WORDS];
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK;
		 i += RIBBON_DERIVED_AT_ONCE)
	{
		size_t now = (size_t) ribbon_min64(n - i, RIBBON_DERIVED_AT_ONCE);

		now = d->derive(d->arg, elements + i * d->each, now, out);
		status = ribbon_set_collect(d->to, out, now);
	}
	return status;
}

RibbonStatus
ribbon_set_derive(const RibbonEnv *env, const RibbonSet *from,
				  RibbonDerive derive, void *arg, RibbonElementKind kind,
				  uint64_t most, RibbonSet *to)
{
	Deriving d = {derive, arg, ribbon_set_words(from), to};
	RibbonStatus status = ribbon_set_begin(env, to, from, kind, most);

	if (status == RIBBON_OK)
		status = ribbon_set_each(env, from, derive_some, &d);
	if (status == RIBBON_OK && to->n <= most)
		status = ribbon_set_finish(to);
	return status;
}
