/*
 * cluster.c - are hashes spread as chance spreads them?
 *
 * The distance to the K-th next hash, in units of the mean distance, has a
 * gamma distribution (K).  The probability that it is below x K, with x < 1, is
 * at most exp(-K (x - 1 - ln x)), and so is that of being above x K, with x >
 * 1.
 */
#include "construct/cluster.h"

#include "base/bits.h"

typedef struct Scale
{
	unsigned nhashes; /* K */
	double least;	  /* x < 1: a smaller distance is clustered */
	double most;	  /* x > 1: a greater one is, too */
} Scale;

/* With the two probabilities. */
static const Scale scales[] = {
	{8, 1.0 / 192, 7},			   /* e^-34.1, e^-32.4 */
	{32, 1.0 / 6, 3},			   /* e^-30.7, e^-28.8 */
	{1024, 3.0 / 4, 4.0 / 3},	   /* e^-38.6, e^-46.7 */
	{16384, 15.0 / 16, 17.0 / 16}, /* e^-33.4, e^-30.7 */
};

#define NSCALES (sizeof(scales) / sizeof(scales[0]))

/*
 * The most mean distances from the last hash of a range to its end, and from
 * the hash END_HASHES before that; with the probabilities.
 */
#define END_HASHES 8
#define LAST_MOST  20 /* e^-20 */
#define END_MOST   40 /* e^-20.9 */

/* A distance, 0 or more, as a hash; it may exceed all hashes. */
static uint64_t
hash_distance(double distance)
{
	return distance < 0x1p64 ? (uint64_t) distance : UINT64_MAX;
}

/*
 * Is a distance too small or too great?  Looks at each (K/2)th of the hashes,
 * or if ncells is not 0, at their cells: hashes may be one further apart, or
 * nearer, than these say.  mean is the mean distance.  ncells is a constant 0
 * or not.
 */
static inline __attribute__((always_inline)) bool
has_cluster(const uint64_t *hashes, size_t stride, size_t n, uint64_t ncells,
			uint64_t last, double mean)
{
#define PLACE(i) \
	(ncells == 0 ? hashes[(i) *stride] : \
				   ribbon_mulhi(hashes[(i) *stride], ncells))
	double slack = ncells == 0 ? 0 : 1;

	for (size_t s = 0; s < NSCALES; s++)
	{
		size_t k = scales[s].nhashes;
		double expected = mean * (double) k;
		uint64_t least = hash_distance(expected * scales[s].least + slack);
		uint64_t most = hash_distance(expected * scales[s].most - slack);

		for (size_t i = k; i < n; i += k / 2)
		{
			uint64_t distance = PLACE(i) - PLACE(i - k);

			if (distance <= least || distance >= most)
				return true;
		}
	}
	if (n > 0 && last - PLACE(n - 1) >= hash_distance(LAST_MOST * mean))
		return true;
	return n > END_HASHES &&
		last - PLACE(n - END_HASHES - 1) >= hash_distance(END_MOST * mean);
#undef PLACE
}

bool
ribbon_cluster_exists(const uint64_t *hashes, size_t stride, size_t n,
					  uint64_t last, uint64_t ntotal)
{
	return has_cluster(hashes, stride, n, 0, last, 0x1p64 / (double) ntotal);
}

/*
 * Two hashes are less than a cell further apart, or nearer, than their cells
 * say; so are the same two of the sorted hashes.
 */
bool
ribbon_cluster_is_possible(const uint64_t *hashes, size_t stride, size_t n,
						   uint64_t ncells)
{
	return has_cluster(hashes, stride, n, ncells, ncells,
					   (double) ncells / (double) n);
}
