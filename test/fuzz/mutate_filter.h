/*
 * mutate_filter.h - inputs for the filter target, good and bad
 */
#ifndef RIBBON_FUZZ_MUTATE_FILTER_H
#define RIBBON_FUZZ_MUTATE_FILTER_H

#include "fuzz.h"

#define SEED_FILTER_SMALL 240 /* seeds before it are of at most 300 keys */

/* As in FuzzTarget. */
extern size_t mutate_filter(Random *random, uint8_t *input, size_t size,
							size_t max);
extern size_t seed_filter(unsigned i, uint8_t *input, size_t max);

#endif /* RIBBON_FUZZ_MUTATE_FILTER_H */
