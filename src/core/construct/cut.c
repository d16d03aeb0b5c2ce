/*
 * cut.c - where a bumped layer is cut into windows
 */
#include "construct/cut.h"

bool
ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots)
{
	return nslots < (buckets->grouped ? RIBBON_CUT_SLOTS : RIBBON_CUT_WHOLE);
}

/*
 * Only w = 128 has buckets in groups.  One lane is as fast there as four
 * [tune], and has fewer tails, in which exceptions are most frequent.
 */
RibbonCut
ribbon_cut(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	unsigned lanes = buckets->grouped ||
			ribbon_cut_is_whole(buckets, system->nslots) ?
		1 :
		RIBBON_CUT_LANES;

	return (RibbonCut){.system = system,
					   .buckets = buckets,
					   .lanes = lanes,
					   .nwindows = (system->nslots + RIBBON_CUT_SLOTS - 1) /
						   RIBBON_CUT_SLOTS * lanes};
}

uint64_t
ribbon_cut_bucket(const RibbonCut *cut, uint64_t g)
{
	uint64_t nbuckets = ribbon_buckets_count(cut->system, cut->buckets);
	uint64_t block = cut->system->width >> cut->buckets->log2_size;
	uint64_t unit = ribbon_buckets_unit(cut->buckets);

	return g == cut->nwindows ?
		nbuckets :
		nbuckets * g / cut->nwindows & ~((block > unit ? block : unit) - 1);
}

uint64_t
ribbon_cut_begin(const RibbonCut *cut, uint64_t g)
{
	return g == cut->nwindows ?
		cut->system->nslots :
		ribbon_cut_bucket(cut, g) << cut->buckets->log2_size;
}

uint64_t
ribbon_cut_least_hash(const RibbonCut *cut, uint64_t g)
{
	const RibbonBuckets *buckets = cut->buckets;

	return g == 0 ?
		0 :
		ribbon_system_least_hash(cut->system,
								 ribbon_cut_begin(cut, g) +
									 buckets->threshold
										 [ribbon_cut_upper_code(buckets)]);
}
