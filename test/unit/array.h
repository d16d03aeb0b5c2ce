/*
 * array.h - build of an array
 */
#ifndef RIBBON_TEST_ARRAY_H
#define RIBBON_TEST_ARRAY_H

#include "set/set.h"

/* ribbon_build of n elements in an array, which is sorted. */
static inline RibbonStatus
array_build(const RibbonEnv *env, const RibbonParams *params, uint64_t *words,
			uint64_t n, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonSet set = ribbon_set_of_array(env, ribbon_params_elements(params),
										words, n);

	return ribbon_build(env, params, &set, headroom, bytes, nbytes);
}

#endif /* RIBBON_TEST_ARRAY_H */
