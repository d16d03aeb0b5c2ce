/*
 * cut.c - where a large system is cut into windows
 */
#include "construct/cut.h"

#include "solve/sweep.h"

/* The most slots of a layer's window. */
static uint64_t
most_slots(const RibbonBuckets *buckets)
{
	return buckets->grouped ? RIBBON_CUT_GROUPED : RIBBON_CUT_SLOTS;
}

bool
ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots)
{
	return nslots < most_slots(buckets);
}

/* The windows of at most so many slots, which come in times. */
static uint64_t
count_windows(const RibbonSystem *system, uint64_t nslots, unsigned times)
{
	return (system->nslots + times * nslots - 1) / (times * nslots) * times;
}

RibbonCut
ribbon_cut_layer(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	bool one = buckets->grouped || ribbon_cut_is_whole(buckets, system->nslots);

	return (RibbonCut){.system = system,
					   .buckets = buckets,
					   .bumps = true,
					   .nwindows = count_windows(system, most_slots(buckets),
												 one ? 1 : RIBBON_CUT_TOGETHER),
					   .unit = ribbon_buckets_unit(buckets),
					   .skip =
						   buckets->threshold[ribbon_cut_upper_code(buckets)]};
}

RibbonCut
ribbon_cut_homogeneous(const RibbonSystem *system)
{
	return (RibbonCut){.system = system,
					   .buckets = &ribbon_sweep_buckets,
					   .nwindows = count_windows(system, RIBBON_CUT_SLOTS, 1),
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

/* The first slot of window g; nslots if g is the number of windows, or more. */
static uint64_t
begin_slot(const RibbonCut *cut, uint64_t g)
{
	return g >= cut->nwindows ? cut->system->nslots :
								first_bucket(cut, g) << cut->buckets->log2_size;
}

RibbonExtent
ribbon_cut_extent(const RibbonCut *cut, uint64_t g)
{
	uint64_t end_bucket = first_bucket(cut, g + 1);
	RibbonExtent at = {.begin = begin_slot(cut, g),
					   .end = begin_slot(cut, g + 1),
					   .seam_end = begin_slot(cut, g + 2),
					   .first_bucket = first_bucket(cut, g),
					   .tail_bucket = first_bucket(cut, g),
					   .end_bucket = end_bucket};

	if (cut->bumps)
	{
		at.seam_end = ribbon_min64(at.end + ribbon_cut_seam(cut), at.seam_end);
		at.tail_bucket = end_bucket -
			ribbon_min64(ribbon_cut_tail_buckets(cut), end_bucket);
	}
	return at;
}

uint64_t
ribbon_cut_most_slots(const RibbonCut *cut)
{
	uint64_t most = 0;

	for (uint64_t g = 0; g < cut->nwindows; g++)
	{
		RibbonExtent at = ribbon_cut_extent(cut, g);

		most = at.seam_end - at.begin > most ? at.seam_end - at.begin : most;
	}
	return most;
}

uint64_t
ribbon_cut_least_hash(const RibbonCut *cut, uint64_t g)
{
	return g == 0 ?
		0 :
		ribbon_system_least_hash(cut->system, begin_slot(cut, g) + cut->skip);
}
