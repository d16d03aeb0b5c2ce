/*
 * cut.c - where a large system is cut into windows, and their hashes
 */
#include "construct/cut.h"

#include "construct/salt.h"
#include "solve/sweep.h"

/* Windows of some RIBBON_CUT_SLOTS slots for each team. */
static uint64_t
count_windows(const RibbonSystem *system, unsigned lanes)
{
	return (system->nslots + RIBBON_CUT_SLOTS - 1) / RIBBON_CUT_SLOTS * lanes;
}

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
ribbon_cut_layer(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	unsigned lanes = buckets->grouped ||
			ribbon_cut_is_whole(buckets, system->nslots) ?
		1 :
		RIBBON_CUT_LANES;

	return (RibbonCut){.system = system,
					   .buckets = buckets,
					   .lanes = lanes,
					   .nwindows = count_windows(system, lanes),
					   .unit = ribbon_buckets_unit(buckets),
					   .skip =
						   buckets->threshold[ribbon_cut_upper_code(buckets)]};
}

RibbonCut
ribbon_cut_homogeneous(const RibbonSystem *system)
{
	return (RibbonCut){.system = system,
					   .buckets = &ribbon_sweep_buckets,
					   .lanes = 1,
					   .nwindows = count_windows(system, 1),
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

/* The greatest hash that may belong to window g. */
static uint64_t
last_hash(const RibbonCut *cut, uint64_t g)
{
	return g + 1 == cut->nwindows ? UINT64_MAX :
									ribbon_cut_least_hash(cut, g + 1) - 1;
}

/*
 * The most hashes that a team may have by chance: the mean and a sixteenth,
 * which is many standard deviations, since a team has some 2^19 slots.  Windows
 * of buckets in groups are whole groups, and so of several sizes.
 */
static uint64_t
most_hashes(const RibbonCut *cut, uint64_t nhashes)
{
	uint64_t nteams = ribbon_cut_teams(cut);
	uint64_t mean = nhashes / nteams;

	if (nteams == 1)
		return mean;
	return mean + mean / 16 +
		(cut->buckets->grouped ? nhashes * ribbon_buckets_unit(cut->buckets) /
				 ribbon_buckets_count(cut->system, cut->buckets) :
								 0);
}

RibbonIntake
ribbon_intake(const RibbonCut *cut, const RibbonSet *hashes,
			  bool accept_clustered)
{
	return (RibbonIntake){.cut = cut,
						  .hashes = hashes,
						  .accept_clustered = accept_clustered,
						  .most = most_hashes(cut, hashes->n)};
}

RibbonStatus
ribbon_intake_read(const RibbonEnv *env, RibbonIntake *intake, uint64_t team,
				   RibbonSetRange *range)
{
	const RibbonCut *cut = intake->cut;
	const RibbonSet *hashes = intake->hashes;
	uint64_t first = ribbon_cut_least_hash(cut, team * cut->lanes);
	uint64_t last = last_hash(cut, (team + 1) * cut->lanes - 1);
	RibbonStatus status =
		ribbon_set_read(env, hashes, first, last,
						intake->accept_clustered ? UINT64_MAX : intake->most,
						range);

	if (status != RIBBON_OK)
		return status;
	intake->nread += range->n;
	if (!intake->accept_clustered &&
		(range->n > intake->most ||
		 ribbon_is_clustered(range->words, ribbon_set_words(hashes), range->n,
							 last, hashes->n)))
		return RIBBON_SUSPICIOUS;
	return RIBBON_OK;
}

RibbonStatus
ribbon_intake_end(const RibbonIntake *intake)
{
	return intake->nread == intake->hashes->n ? RIBBON_OK : RIBBON_BAD_FILE;
}
