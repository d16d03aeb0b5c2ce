/*
 * cut.c - where a large system is cut into windows
 */
#include "construct/cut.h"

#include "solve/sweep.h"

/* The pieces of at most so many slots. */
static uint64_t
count_pieces(const RibbonSystem *system, uint64_t nslots)
{
	return (system->nslots + nslots - 1) / nslots;
}

bool
ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots)
{
	return nslots < (buckets->grouped ? RIBBON_CUT_SLOTS : RIBBON_CUT_WHOLE);
}

/*
 * Only w = 128 has buckets in groups.  One window instead of four has fewer
 * tails there, in which exceptions are most frequent.
 */
RibbonCut
ribbon_cut_layer(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	bool one = buckets->grouped || ribbon_cut_is_whole(buckets, system->nslots);

	return (RibbonCut){.system = system,
					   .buckets = buckets,
					   .nwindows = count_pieces(system, RIBBON_CUT_SLOTS) *
						   (one ? 1 : RIBBON_CUT_WINDOWS),
					   .unit = ribbon_buckets_unit(buckets),
					   .skip =
						   buckets->threshold[ribbon_cut_upper_code(buckets)]};
}

RibbonCut
ribbon_cut_homogeneous(const RibbonSystem *system)
{
	return (RibbonCut){.system = system,
					   .buckets = &ribbon_sweep_buckets,
					   .nwindows = count_pieces(system,
												RIBBON_CUT_SLOTS /
													RIBBON_CUT_WINDOWS),
					   .unit = 1};
}

/* The first bucket of window g; the number of buckets if there is none. */
static uint64_t
first_bucket(const RibbonCut *cut, uint64_t g)
{
	uint64_t nbuckets = ribbon_buckets_count(cut->system, cut->buckets);

	return g >= cut->nwindows ? nbuckets :
								nbuckets * g / cut->nwindows & ~(cut->unit - 1);
}

uint64_t
ribbon_cut_begin(const RibbonCut *cut, uint64_t g)
{
	return g >= cut->nwindows ? cut->system->nslots :
								first_bucket(cut, g) << cut->buckets->log2_size;
}

uint64_t
ribbon_cut_most_slots(const RibbonCut *cut, uint64_t n)
{
	uint64_t most = 0;

	for (uint64_t g = 0; g < cut->nwindows; g++)
	{
		uint64_t nslots = ribbon_cut_begin(cut, g + n) -
			ribbon_cut_begin(cut, g);

		most = nslots > most ? nslots : most;
	}
	return most;
}

RibbonExtent
ribbon_cut_extent(const RibbonCut *cut, uint64_t g)
{
	uint64_t end = ribbon_cut_begin(cut, g + 1);
	uint64_t end_bucket = first_bucket(cut, g + 1);

	return (RibbonExtent){.begin = ribbon_cut_begin(cut, g),
						  .end = end,
						  .seam_end = ribbon_min64(end + ribbon_cut_seam(cut),
												   cut->system->nslots),
						  .first_bucket = first_bucket(cut, g),
						  .tail_bucket = end_bucket -
							  ribbon_min64(ribbon_cut_tail_buckets(cut),
										   end_bucket),
						  .end_bucket = end_bucket};
}

uint64_t
ribbon_cut_least_hash(const RibbonCut *cut, uint64_t g)
{
	return g == 0 ?
		0 :
		ribbon_system_least_hash(cut->system,
								 ribbon_cut_begin(cut, g) + cut->skip);
}
