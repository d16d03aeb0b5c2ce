/*
 * derive.c - sets made of sets
 */
#include "set/derive.h"

#include "base/bits.h"
#include "set/blocks.h"

RibbonStatus
ribbon_set_begin(const RibbonEnv *env, RibbonSet *set, const RibbonSet *beside,
				 RibbonElementKind kind, uint64_t most)
{
	*set = ribbon_set_growing(env, kind);
	set->most = most;
	set->env.progress = NULL; /* its sorting is not what the caller waits for */
	if (most <= RIBBON_SET_IN_MEMORY || !beside->in_file)
		return ribbon_set_reserve(set, most * ribbon_set_stride(set));
	ribbon_set_enter_file(set, beside->file);
	return RIBBON_OK;
}

RibbonStatus
ribbon_set_load(const RibbonEnv *env, const RibbonSet *set, RibbonSet *loaded)
{
	RibbonSetRange range = {.buffer = NULL};
	RibbonStatus status = ribbon_set_read(env, set, 0, UINT64_MAX, UINT64_MAX,
										  &range);

	if (status == RIBBON_OK && range.n != set->n)
		status = RIBBON_BAD_FILE;
	*loaded = ribbon_set_of_array(env, set->kind, range.buffer, set->n);
	loaded->sealed = true;
	loaded->borrowed = false;
	return status;
}

RibbonStatus
ribbon_set_finish(RibbonSet *set)
{
	RibbonStatus status = ribbon_set_seal(set);
	RibbonSet loaded;

	if (status != RIBBON_OK || !set->in_file || set->n > RIBBON_SET_IN_MEMORY)
		return status;
	status = ribbon_set_load(&set->env, set, &loaded);
	ribbon_set_close(set);
	*set = loaded;
	return status;
}

typedef struct Deriving
{
	RibbonDerive derive;
	void *arg;
	size_t stride; /* words of the elements that there are */
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

		now = d->derive(d->arg, elements + i * d->stride, now, out);
		status = ribbon_set_collect(d->to, out, now);
	}
	return status;
}

RibbonStatus
ribbon_set_derive(const RibbonEnv *env, const RibbonSet *from,
				  RibbonDerive derive, void *arg, RibbonElementKind kind,
				  uint64_t most, RibbonSet *to)
{
	Deriving d = {derive, arg, ribbon_set_stride(from), to};
	RibbonStatus status;

	ribbon_set_close(to);
	status = ribbon_set_begin(env, to, from, kind, most);
	if (status == RIBBON_OK)
		status = ribbon_set_each(env, from, derive_some, &d);
	return status == RIBBON_OK ? ribbon_set_finish(to) : status;
}
