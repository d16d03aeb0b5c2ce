/*
 * cut.c - where a bumped layer is cut into windows and stretches
 */
#include "construct/cut.h"

bool
ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots)
{
	return nslots <
		(buckets->grouped ? RIBBON_WINDOW_SLOTS : RIBBON_WINDOW_STRETCHED);
}

uint64_t
ribbon_cut_windows(const RibbonSystem *system)
{
	return (system->nslots + RIBBON_WINDOW_SLOTS - 1) / RIBBON_WINDOW_SLOTS;
}

/*
 * Buckets in groups are of w = 128, which takes the same time in one lane as in
 * four [tune]; and exceptions are most frequent in tails.
 */
unsigned
ribbon_cut_stretches(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	return buckets->grouped || ribbon_cut_is_whole(buckets, system->nslots) ?
		1 :
		RIBBON_WINDOW_STRETCHES;
}

uint64_t
ribbon_cut_stretch_bucket(const RibbonSystem *system,
						  const RibbonBuckets *buckets, uint64_t i)
{
	uint64_t nbuckets = ribbon_buckets_count(system, buckets);
	uint64_t n = ribbon_cut_windows(system) *
		ribbon_cut_stretches(system, buckets);
	uint64_t block = system->width >> buckets->log2_size;
	uint64_t unit = ribbon_buckets_unit(buckets);

	return i == n ? nbuckets :
					nbuckets * i / n & ~((block > unit ? block : unit) - 1);
}

uint64_t
ribbon_cut_bucket(const RibbonSystem *system, const RibbonBuckets *buckets,
				  uint64_t g)
{
	return ribbon_cut_stretch_bucket(system, buckets,
									 g * ribbon_cut_stretches(system, buckets));
}

uint64_t
ribbon_cut_begin(const RibbonSystem *system, const RibbonBuckets *buckets,
				 uint64_t g)
{
	return g == ribbon_cut_windows(system) ?
		system->nslots :
		ribbon_cut_bucket(system, buckets, g) << buckets->log2_size;
}

/* The least hash of window g > 0. */
static uint64_t
least_hash(const RibbonSystem *system, const RibbonBuckets *buckets, uint64_t g)
{
	unsigned upper = buckets->threshold[ribbon_cut_upper_code(buckets)];

	return ribbon_system_least_hash(system,
									ribbon_cut_begin(system, buckets, g) +
										upper);
}

void
ribbon_cut_range(const RibbonSystem *system, const RibbonBuckets *buckets,
				 uint64_t g, uint64_t *first, uint64_t *last)
{
	*first = g == 0 ? 0 : least_hash(system, buckets, g);
	*last = g + 1 == ribbon_cut_windows(system) ?
		UINT64_MAX :
		least_hash(system, buckets, g + 1) - 1;
}
