/*
 * buckets.c - the bucket schemes of the format
 *
 * A large bucket saves thresholds (2 bits for b slots), a small one empty
 * slots.  The thresholds of each b are the best that test/bench/tune.c has
 * measured, together with the overload in build/params.c.
 */
#include "format/buckets.h"

#define MAX_SCHEMES 2

/* By ribbon_width_index.  A scheme is {log2(b), {0, lower, upper, b}}. */
static const unsigned nschemes[3] = {2, 2, 1};
static const RibbonBuckets schemes[3][MAX_SCHEMES] = {
	{{5, {0, 8, 16, 32}}, {6, {0, 9, 21, 64}}},
	{{7, {0, 21, 42, 128}}, {8, {0, 20, 46, 256}}},
	{{9, {0, 50, 100, 512}}},
};

unsigned
ribbon_buckets_nschemes(int width)
{
	return nschemes[ribbon_width_index((unsigned) width)];
}

RibbonBuckets
ribbon_buckets_of_scheme(int width, unsigned scheme)
{
	return schemes[ribbon_width_index((unsigned) width)][scheme];
}
