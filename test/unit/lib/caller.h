/*
 * caller.h - what a caller of the core supplies: elements in an array, bytes a
 * slice at a time, interrupts
 */
#ifndef RIBBON_TEST_CALLER_H
#define RIBBON_TEST_CALLER_H

#include "set/set.h"

#include <stdlib.h>
#include <string.h>

/* ribbon_build of n elements in an array, which is sorted. */
static inline RibbonStatus
array_build(const RibbonEnv *env, const RibbonParams *params, uint64_t *words,
			uint64_t n, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonSet set = ribbon_set_of_array(env, ribbon_params_elements(params),
										words, n);

	return ribbon_build(env, params, &set, headroom, bytes, nbytes);
}

/*
 * Bytes of which a slice at a time is shown.  A slice is in a block of its own,
 * which ends where the slice does, for the sanitizer to see.
 */
typedef struct Slices
{
	const uint8_t *bytes;
	size_t nbytes;
	uint64_t first; /* where in the value they begin */
	uint8_t *slice; /* the last one: to be freed in the end */
	unsigned nslices;
	size_t outside; /* slices that are empty, too long, or not within */
} Slices;

/* A RibbonFetch; what is not within is zeros. */
static inline const uint8_t *
slices_fetch(void *arg, uint64_t at, size_t length)
{
	Slices *slices = arg;
	uint64_t from = at - slices->first;
	uint64_t left = from < slices->nbytes ? slices->nbytes - from : 0;

	free(slices->slice);
	slices->slice = calloc(1, length);
	slices->nslices++;
	slices->outside += length == 0 || length > RIBBON_MAX_SLICE ||
		length > left;
	if (left > 0)
		memcpy(slices->slice, slices->bytes + from,
			   length < left ? length : (size_t) left);
	return slices->slice;
}

/* RibbonEnv.interrupted, with a long as its arg: count the looks, or down. */
static inline bool
count_look(void *arg)
{
	++*(long *) arg;
	return false;
}

static inline bool
is_last_look(void *arg)
{
	return --*(long *) arg == 0;
}

#endif /* RIBBON_TEST_CALLER_H */
