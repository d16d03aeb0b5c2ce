/*
 * slices.h - bytes of which a slice at a time is shown
 *
 * What stands for a caller's RibbonFetch in all unit tests.  A slice is in a
 * block of its own, which ends where the slice does, for the sanitizer to see.
 */
#ifndef RIBBON_TEST_SLICES_H
#define RIBBON_TEST_SLICES_H

#include "ribbon_core.h"

#include <stdlib.h>
#include <string.h>

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

#endif /* RIBBON_TEST_SLICES_H */
