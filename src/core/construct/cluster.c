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
	{1024, 3.0 / 4, 4.0 / 3},	   /* e^-38.6, e^-46.8 */
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

/* A distance, which may exceed all hashes, as a hash. */
static uint64_t
at_most(double distance)
{
	return distance < 0x1p64 ? (uint64_t) distance : UINT64_MAX;
}

/* Is one of these distances too small or too great?  Looks at each (K/2)th. */
static bool
is_clustered_on(const Scale *scale, const uint64_t *hashes, size_t stride,
				size_t n, double mean)
{
	double expected = mean * scale->nhashes;
	uint64_t least = at_most(expected * scale->least);
	uint64_t most = at_most(expected * scale->most);

	for (size_t i = scale->nhashes; i < n; i += scale->nhashes / 2)
	{
		uint64_t distance = hashes[i * stride] -
			hashes[(i - scale->nhashes) * stride];

		if (distance < least || distance > most)
			return true;
	}
	return false;
}

bool
ribbon_is_clustered(const uint64_t *hashes, size_t stride, size_t n,
					uint64_t last, uint64_t ntotal)
{
	double mean = 0x1p64 / (double) ntotal;

	for (size_t s = 0; s < NSCALES; s++)
		if (is_clustered_on(&scales[s], hashes, stride, n, mean))
			return true;
	if (n > 0 && last - hashes[(n - 1) * stride] > at_most(LAST_MOST * mean))
		return true;
	return n > END_HASHES &&
		last - hashes[(n - END_HASHES - 1) * stride] > at_most(END_MOST * mean);
}

/*
 * Two hashes are less than a cell further apart, or nearer, than their cells
 * say; so are the same two of the sorted hashes.
 */
bool
ribbon_may_cluster(const uint64_t *hashes, size_t stride, size_t n,
				   uint64_t ncells)
{
	double mean = (double) ncells / (double) n;

	for (size_t s = 0; s < NSCALES; s++)
	{
		size_t k = scales[s].nhashes;
		double least = mean * (double) k * scales[s].least + 1;
		double most = mean * (double) k * scales[s].most - 1;

		for (size_t i = k; i < n; i += k / 2)
		{
			double cells = (double) (ribbon_mulhi(hashes[i * stride], ncells) -
									 ribbon_mulhi(hashes[(i - k) * stride],
												  ncells));

			if (cells <= least || cells >= most)
				return true;
		}
	}
	if (n > 0 &&
		(double) (ncells - ribbon_mulhi(hashes[(n - 1) * stride], ncells)) >=
			LAST_MOST * mean)
		return true;
	return n > END_HASHES &&
		(double) (ncells -
				  ribbon_mulhi(hashes[(n - END_HASHES - 1) * stride],
							   ncells)) >= END_MOST * mean;
}
