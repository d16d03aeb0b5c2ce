/*
 * window.c - a part of a system, whose band is in memory
 */
#include "construct/window.h"

#include <limits.h>

#define MOST_TRIED 3 /* highest code of a tail if buckets are in groups */

/*
 * Slots that a group with several exceptions leaves empty: so many, if they are
 * two of the second threshold.
 */
#define SEVERAL_COST 700

RibbonStatus
ribbon_window_create(const RibbonEnv *env, RibbonWindow *window,
					 const RibbonCut *cut, const RibbonSupply *supply)
{
	const RibbonSystem *system = cut->system;
	unsigned ncolumns = cut->bumps ? system->ncolumns + (system->wide > 0) : 0;
	uint64_t nslots = ribbon_cut_most_slots(cut);
	size_t nbuckets = (size_t) (nslots >> cut->buckets->log2_size) + 1 +
		RIBBON_GROUP_BUCKETS;
	RibbonStatus status = RIBBON_OK;

	memset(window, 0, sizeof(*window));
	window->cut = cut;
	window->supply = supply;
	window->stride = ribbon_supply_stride(supply);
	window->codes = ribbon_alloc(env, nbuckets);
	window->ends = ribbon_alloc_array(env, nbuckets, sizeof(size_t));
	window->sweep = ribbon_alloc(env, sizeof(RibbonSweep));
	if (window->codes == NULL || window->ends == NULL || window->sweep == NULL)
		return RIBBON_OUT_OF_MEMORY;
	window->sweep->band = &window->band;
	window->sweep->buckets = cut->buckets;
	/* the slots that a layer's tail begins with, for one more try */
	if (cut->bumps)
		status = ribbon_band_alloc(env, &window->saved,
								   (ribbon_cut_tail_buckets(cut)
									<< cut->buckets->log2_size) +
									   ribbon_cut_seam(cut) + system->width,
								   system->width, ncolumns);
	if (status == RIBBON_OK)
		status = ribbon_band_alloc(env, &window->band, nslots, system->width,
								   ncolumns);
	return status;
}

void
ribbon_window_free(const RibbonEnv *env, RibbonWindow *window)
{
	ribbon_band_free(env, &window->band);
	ribbon_band_free(env, &window->saved);
	ribbon_set_range_free(env, &window->range);
	ribbon_free(env, window->codes);
	ribbon_free(env, window->ends);
	ribbon_free(env, window->sweep);
}

RibbonStatus
ribbon_window_begin(const RibbonEnv *env, RibbonWindow *window, uint64_t g)
{
	RibbonExtent *at = &window->at;

	window->number = g;
	*at = ribbon_cut_extent(window->cut, g);
	window->tail = at->tail_bucket == at->first_bucket ?
		0 :
		ribbon_window_find(window, 0, window->range.n,
						   at->tail_bucket << window->cut->buckets->log2_size);
	memset(window->codes, 0, (size_t) (at->end_bucket - at->first_bucket));
	return ribbon_band_clear(env, &window->band, at->begin,
							 at->seam_end - at->begin, at->seam_end - at->end);
}

RibbonStatus
ribbon_window_fill_body(const RibbonEnv *env, RibbonWindow *window)
{
	if (window->tail == 0)
		return RIBBON_OK;
	return ribbon_window_fill_buckets(env, window, 0, window->tail, UINT64_MAX);
}

/* Copy nslots slots from one band to another, which may be the same. */
static void
copy_slots(const RibbonBand *to, uint64_t to_slot, const RibbonBand *from,
		   uint64_t from_slot, uint64_t nslots)
{
	size_t row = to->width / 8;
	size_t size = to->result_size;

	memmove((uint8_t *) to->coeff + to_slot * row,
			(const uint8_t *) from->coeff + from_slot * row, nslots * row);
	if (size > 0)
		memmove((uint8_t *) to->result + to_slot * size,
				(const uint8_t *) from->result + from_slot * size,
				nslots * size);
}

/* The tail's first slot in the band. */
static uint64_t
tail_begin(const RibbonWindow *window)
{
	return ribbon_window_slot(window,
							  window->at.tail_bucket
								  << window->cut->buckets->log2_size);
}

/* Fill the tail as it stands; end is the slot behind its seam. */
static RibbonStatus
fill_tail(const RibbonEnv *env, RibbonWindow *window, uint64_t end)
{
	return ribbon_window_fill_buckets(env, window, window->tail,
									  window->range.n, end);
}

/*
 * Fill the tail, whose first bucket gets at least the threshold of this code,
 * from what has been saved on.  *nempty becomes the number of slots that are
 * empty, or more if there is an exception too many.
 */
static RibbonStatus
try_tail(const RibbonEnv *env, RibbonWindow *window, unsigned code,
		 unsigned *nempty)
{
	const RibbonExtent *at = &window->at;
	uint64_t first = tail_begin(window);
	uint64_t end = ribbon_window_slot(window, at->seam_end);
	RibbonStatus status;

	copy_slots(&window->band, first, &window->saved, 0, end - first);
	memset(ribbon_window_code(window, at->tail_bucket), 0,
		   (size_t) (at->end_bucket - at->tail_bucket));
	*ribbon_window_code(window, at->tail_bucket) = (uint8_t) code;
	if (!ribbon_extent_is_last(at))
		*ribbon_window_code(window, at->end_bucket) = window->end_code;
	status = fill_tail(env, window, end);
	if (status != RIBBON_OK)
		return status;

	*nempty = 0;
	for (uint64_t slot = first; slot < end; slot++)
		*nempty += ribbon_band_is_empty(&window->band, slot);
	if (window->cut->buckets->grouped &&
		ribbon_window_exceptions(window, at->tail_bucket) > 1)
		*nempty += SEVERAL_COST;
	return status;
}

/*
 * To choose the threshold of the first bucket (window.h) saves 0.002 to 0.009 %
 * of the bytes of a filter, up to 0.017 % of a map's, and costs no time that
 * can be measured.  Without it twice as many filters of 300,000 keys at 1 %, 6
 * of 100, take more than 0.3 % and 12 bytes beside their result bits.
 */
RibbonStatus
ribbon_window_fill_tail(const RibbonEnv *env, RibbonWindow *window)
{
	const RibbonBuckets *buckets = window->cut->buckets;
	uint64_t first = tail_begin(window);
	uint64_t end = ribbon_window_slot(window, window->at.seam_end);
	unsigned most = buckets->grouped ? MOST_TRIED :
									   ribbon_cut_upper_code(buckets);
	unsigned best = 0;
	unsigned fewest = UINT_MAX;
	unsigned nempty;
	RibbonStatus status = RIBBON_OK;

	if (!window->cut->bumps)
		return fill_tail(env, window, end);
	copy_slots(&window->saved, 0, &window->band, first, end - first);
	if (!ribbon_extent_is_last(&window->at))
		window->end_code = *ribbon_window_code(window, window->at.end_bucket);
	for (unsigned code = 0; status == RIBBON_OK && code <= most; code++)
	{
		status = try_tail(env, window, code, &nempty);
		if (status == RIBBON_OK && nempty < fewest)
		{
			fewest = nempty;
			best = code;
		}
	}
	if (status == RIBBON_OK && best < most)
		status = try_tail(env, window, best, &nempty);
	return status;
}

void
ribbon_window_thresholds(RibbonWindow *window, uint8_t *thresholds)
{
	const RibbonCut *cut = window->cut;
	uint64_t end =
		ribbon_min64(window->at.end_bucket + ribbon_buckets_unit(cut->buckets),
					 ribbon_buckets_count(cut->system, cut->buckets));

	ribbon_buckets_encode(cut->buckets, window->codes, window->at.first_bucket,
						  end, thresholds);
}

void
ribbon_window_hand_on(const RibbonWindow *window, RibbonWindow *to)
{
	RibbonExtent left = ribbon_cut_extent(window->cut, window->number - 1);

	copy_slots(&to->band, left.end - left.begin, &window->band, 0,
			   left.seam_end - left.end);
	memmove(&to->codes[left.end_bucket - left.first_bucket], window->codes,
			ribbon_buckets_unit(window->cut->buckets));
}
