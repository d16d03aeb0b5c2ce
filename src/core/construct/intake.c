/*
 * intake.c - the hashes of a system, window by window
 */
#include "construct/intake.h"

#include "construct/cluster.h"
#include "construct/salt.h"

/* The greatest hash that may belong to window g. */
static uint64_t
last_hash(const RibbonCut *cut, uint64_t g)
{
	return g + 1 == cut->nwindows ? UINT64_MAX :
									ribbon_cut_least_hash(cut, g + 1) - 1;
}

/*
 * The most hashes that a window may have by chance: the mean, a sixteenth and
 * 512, which is 11 standard deviations at least.  Those of buckets in groups
 * are whole groups, and so of several sizes.
 */
static uint64_t
most_hashes(const RibbonCut *cut, uint64_t nhashes)
{
	uint64_t mean = nhashes / cut->nwindows;

	if (cut->nwindows == 1)
		return mean;
	return mean + mean / 16 + 512 +
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
ribbon_intake_read(const RibbonEnv *env, RibbonIntake *intake, uint64_t g,
				   RibbonSetRange *range)
{
	const RibbonCut *cut = intake->cut;
	const RibbonSet *hashes = intake->hashes;
	uint64_t first = ribbon_cut_least_hash(cut, g);
	uint64_t last = last_hash(cut, g);
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
