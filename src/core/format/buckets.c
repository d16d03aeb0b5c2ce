/*
 * buckets.c - the bucket schemes of the format, and how thresholds are written
 *
 * A large bucket saves thresholds (1 or 2 bits for b slots), a small one empty
 * slots.  The thresholds of each b are the best that test/bench/tune.c has
 * measured, together with the overload in construct/shape.c.
 */
#include "format/buckets.h"

/*
 * By ribbon_width_index.  A scheme is {log2(b), {0, lower, upper, b}}, or
 * grouped {log2(b), {0, t, second, third, b}, true}.
 */
static const RibbonBuckets schemes[3][RIBBON_BUCKET_SCHEMES] = {
	{{5, {0, 8, 16, 32}, false}, {6, {0, 9, 21, 64}, false}},
	{{7, {0, 21, 42, 128}, false}, {8, {0, 20, 46, 256}, false}},
	{{9, {0, 50, 100, 512}, false}, {9, {0, 56, 84, 200, 512}, true}},
};

RibbonBuckets
ribbon_buckets_of_scheme(unsigned width, unsigned scheme)
{
	return schemes[ribbon_width_index(width)][scheme];
}

/* The exception of a group of n buckets with these codes. */
static unsigned
exception_of(const RibbonBuckets *buckets, const uint8_t *codes, unsigned n)
{
	unsigned nexceptions = 0;
	unsigned last = 0;
	unsigned highest = 0;
	unsigned share;

	for (unsigned k = 0; k < n; k++)
		if (codes[k] > 1)
		{
			nexceptions++;
			last = k;
			highest = codes[k] > highest ? codes[k] : highest;
		}
	if (nexceptions == 0)
		return 0;
	if (nexceptions == 1)
		return last + (highest - 1) * RIBBON_GROUP_BUCKETS;
	/* the least that is enough for all of them */
	for (share = 1; share < RIBBON_GROUP_ALL; share++)
		if (share << buckets->log2_size >> 6 >= buckets->threshold[highest])
			break;
	return share;
}

static void
encode_group(const RibbonBuckets *buckets, uint8_t *codes, unsigned n,
			 uint8_t *group)
{
	unsigned exception = exception_of(buckets, codes, n);

	if (exception > 0 && exception < RIBBON_GROUP_BUCKETS && codes[0] == 0)
		codes[0] = 1;
	memset(group, 0, 1 + (n + 7) / 8);
	*group = (uint8_t) exception;
	for (unsigned k = 0; k < n; k++)
		group[1 + k / 8] |= (uint8_t) ((codes[k] > 0) << k % 8);
}

void
ribbon_buckets_encode(const RibbonBuckets *buckets, uint8_t *codes,
					  uint64_t first, uint64_t end, uint8_t *thresholds)
{
	unsigned unit = ribbon_buckets_unit(buckets);

	for (uint64_t bucket = first; bucket < end; bucket += unit)
	{
		unsigned n = (unsigned) ribbon_min64(end - bucket, unit);
		uint8_t *to = thresholds + ribbon_buckets_bytes(buckets, bucket);

		if (buckets->grouped)
			encode_group(buckets, codes + (bucket - first), n, to);
		else
		{
			*to = 0;
			for (unsigned k = 0; k < n; k++)
				*to |= (uint8_t) (codes[bucket - first + k] << 2 * k);
		}
	}
}

bool
ribbon_buckets_padded(const RibbonBuckets *buckets, const uint8_t *thresholds,
					  uint64_t nbuckets)
{
	unsigned per_byte = buckets->grouped ? 8 : 4;
	unsigned bits = (unsigned) (nbuckets % per_byte) * (8 / per_byte);
	uint64_t nbytes = ribbon_buckets_bytes(buckets, nbuckets);

	return ribbon_is_padded(thresholds + nbytes - 1, bits);
}
