/*
 * window.c - a part of a bumped layer, filled independently of the others
 */
#include "construct/window.h"

#include <limits.h>

#define MOST_TRIED 3 /* of a tail, if buckets are in groups */

#define SEVERAL_COST   700 /* slots empty if a group has several exceptions */
#define ROOM_LEFT	   16  /* slots that stay empty as a rule */
#define ROOM_LEFT_MORE 40  /* and where that is made surer */

static inline unsigned
code_of(const RibbonWindow *window, uint64_t bucket)
{
	return window->codes[bucket - window->first_bucket];
}

static inline void
set_code(const RibbonWindow *window, uint64_t bucket, unsigned code)
{
	window->codes[bucket - window->first_bucket] = (uint8_t) code;
}

/* Hash i, with its value word behind it if there is one. */
static inline const uint64_t *
element(const RibbonWindow *window, size_t i)
{
	return window->hashes + i * window->stride;
}

/* The starting position of hash i. */
static inline uint64_t
start_of(const RibbonWindow *window, size_t i)
{
	return ribbon_system_start(window->system, *element(window, i));
}

/* The bucket of hash i. */
static inline uint64_t
bucket_of(const RibbonWindow *window, size_t i)
{
	return start_of(window, i) >> window->buckets->log2_size;
}

/* A slot of the layer as one of the band. */
static inline uint64_t
local(const RibbonWindow *window, uint64_t slot)
{
	return slot - window->begin;
}

/*
 * The index of the first of hashes low .. high - 1 that starts at start or
 * behind, or high.
 */
static size_t
first_hash_from(const RibbonWindow *window, size_t low, size_t high,
				uint64_t start)
{
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;

		if (start_of(window, middle) < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The codes above 1 in a bucket's group. */
static unsigned
count_exceptions(const RibbonWindow *window, uint64_t bucket)
{
	uint64_t first = bucket / RIBBON_GROUP_BUCKETS * RIBBON_GROUP_BUCKETS;
	const uint8_t *codes = window->codes + (first - window->first_bucket);
	uint64_t nbuckets = ribbon_buckets_count(window->system, window->buckets);
	uint64_t n = ribbon_min64(RIBBON_GROUP_BUCKETS, nbuckets - first);
	unsigned count = 0;

	for (uint64_t k = 0; k < n; k++)
		count += codes[k] > 1;
	return count;
}

/*
 * Is it likely that the window's next bucket will need an exception?  It has to
 * take its own keys and those that have been stored in its slots, and can bump
 * t positions.  Of the w slots behind its end some will stay empty, and at the
 * end of a window all but t are taken.  A second exception of a group is to be
 * avoided even more [tune].
 */
static bool
is_crowded(const RibbonWindow *window)
{
	const RibbonSweep *sweep = window->sweep;
	const RibbonBuckets *buckets = window->buckets;
	uint64_t size = UINT64_C(1) << buckets->log2_size;
	uint64_t end = (window->bucket + 1) * size;
	size_t last = (size_t) ribbon_min64(window->nhashes,
										window->next_key + 2 * size);
	uint64_t load = first_hash_from(window, window->next_key, last,
									end + size) -
		window->next_key;
	uint64_t room = buckets->threshold[1];

	room += local(window, end + size) + ribbon_cut_seam(window->cut) ==
			window->slot_limit ?
		buckets->threshold[1] :
		window->system->width;
	room -= count_exceptions(window, window->bucket) > 0 ? ROOM_LEFT_MORE :
														   ROOM_LEFT;
	for (unsigned i = 0; i < sweep->npivots; i++)
		load += sweep->pivot_slot[i] >= local(window, end);
	return load > size + room;
}

/*
 * The bucket has been banded: store its threshold.  A bucket that bumps no key
 * bumps some all the same if the next one would be too full otherwise.  That
 * more than halves the number of exceptions.
 */
static void
finish_bucket(const RibbonWindow *window)
{
	RibbonSweep *sweep = window->sweep;

	if (window->buckets->grouped && sweep->code == 0 &&
		code_of(window, window->bucket) == 0 && is_crowded(window))
		sweep->code = 1;
	ribbon_sweep_roll_back(sweep);
	if (sweep->code > 0)
		set_code(window, window->bucket, sweep->code);
}

/* Skip the hashes that the bucket's threshold, if set before, bumps. */
static void
skip_bumped(RibbonWindow *window)
{
	unsigned code = code_of(window, window->bucket);

	if (code > 0)
		window->next_key =
			first_hash_from(window, window->next_key, window->end_key,
							(window->bucket << window->buckets->log2_size) +
								window->buckets->threshold[code]);
}

/* End a window's bucket, and begin its next one with keys (RibbonSweepNext). */
static bool
next_bucket(void *arg, unsigned lane)
{
	RibbonWindow *window = (RibbonWindow *) arg + lane;
	unsigned log2_size = window->buckets->log2_size;

	if (window->busy)
		finish_bucket(window);
	window->busy = false;
	while (!window->crowded && !window->busy &&
		   window->next_key < window->end_key)
	{
		size_t n;

		window->bucket = bucket_of(window, window->next_key);
		skip_bumped(window);
		if (window->next_key == window->end_key)
			break;
		n = ribbon_sweep_begin(window->sweep, &window->band, window->system,
							   window->buckets,
							   element(window, window->next_key),
							   window->end_key - window->next_key,
							   local(window, window->bucket << log2_size),
							   1u << log2_size, window->slot_limit);
		window->crowded = n > RIBBON_SWEEP_KEYS;
		window->busy = n > 0 && !window->crowded;
		window->next_key += n;
	}
	return window->busy;
}

/* Prepare to fill the buckets of hashes begin .. end - 1. */
static void
start_run(RibbonWindow *window, size_t begin, size_t end, uint64_t slot_limit)
{
	window->next_key = begin;
	window->end_key = end;
	window->slot_limit = slot_limit;
	window->busy = false;
}

/* Fill what was prepared in windows[0..n) side by side. */
static RibbonStatus
fill_runs(RibbonWindow *windows, unsigned n)
{
	return ribbon_sweep_run(windows->env, windows->sweep, n, next_bucket,
							windows);
}

RibbonStatus
ribbon_window_fill_bodies(RibbonWindow *windows, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		start_run(&windows[i], 0, windows[i].tail, UINT64_MAX);
	return fill_runs(windows, n);
}

/* Copy nslots slots from one band to another. */
static void
copy_slots(const RibbonBand *to, uint64_t to_slot, const RibbonBand *from,
		   uint64_t from_slot, uint64_t nslots)
{
	size_t row = to->width / 8;
	size_t size = to->result_size;

	memcpy((uint8_t *) to->coeff + to_slot * row,
		   (const uint8_t *) from->coeff + from_slot * row, nslots * row);
	memcpy((uint8_t *) to->result + to_slot * size,
		   (const uint8_t *) from->result + from_slot * size, nslots * size);
}

/*
 * Fill the tail, whose first bucket gets at least the threshold of this code.
 * *nempty becomes the number of slots that are empty, or more if there is an
 * exception too many.
 */
static RibbonStatus
try_tail(RibbonWindow *window, unsigned code, unsigned *nempty)
{
	uint64_t first = local(window,
						   window->tail_bucket << window->buckets->log2_size);
	uint64_t slot_limit = local(window, window->seam_end);
	RibbonStatus status;

	copy_slots(&window->band, first, &window->saved, 0, slot_limit - first);
	for (uint64_t b = window->tail_bucket; b < window->end_bucket; b++)
		set_code(window, b, b == window->tail_bucket ? code : 0);
	if (!window->last)
		set_code(window, window->end_bucket, window->end_code);
	start_run(window, window->tail, window->nhashes, slot_limit);
	status = fill_runs(window, 1);

	*nempty = 0;
	for (uint64_t slot = first; slot < slot_limit; slot++)
		*nempty += ribbon_band_is_empty(&window->band, slot);
	if (window->buckets->grouped &&
		count_exceptions(window, window->tail_bucket) > 1)
		*nempty += SEVERAL_COST;
	return status;
}

/*
 * The tail is filled with that threshold of its first bucket, of the first
 * three, that leaves fewest slots empty.  That saves 0.001 to 0.007 % of a
 * filter's bytes, and costs no time that can be measured.  Without it most
 * filters of 300,000 keys or more would have other bytes.
 */
RibbonStatus
ribbon_window_fill_tail(const RibbonEnv *env, RibbonWindow *window,
						const RibbonBand *seam, const uint8_t *codes)
{
	uint64_t first = local(window,
						   window->tail_bucket << window->buckets->log2_size);
	unsigned most = window->buckets->grouped ?
		MOST_TRIED :
		ribbon_cut_upper_code(window->buckets);
	unsigned best = 0;
	unsigned fewest = UINT_MAX;
	unsigned nempty;
	RibbonStatus status = RIBBON_OK;

	window->env = env;
	if (!window->last)
	{
		copy_slots(&window->band, local(window, window->end), seam, 0,
				   window->seam_end - window->end);
		memcpy(window->codes + (window->end_bucket - window->first_bucket),
			   codes, ribbon_buckets_unit(window->buckets));
		window->end_code = code_of(window, window->end_bucket);
	}
	copy_slots(&window->saved, 0, &window->band, first,
			   local(window, window->seam_end) - first);
	for (unsigned code = 0; status == RIBBON_OK && code <= most; code++)
	{
		status = try_tail(window, code, &nempty);
		if (nempty < fewest)
		{
			fewest = nempty;
			best = code;
		}
	}
	if (status == RIBBON_OK && best < most)
		status = try_tail(window, best, &nempty);
	return status;
}

RibbonStatus
ribbon_window_create(const RibbonEnv *env, RibbonWindow *window,
					 const RibbonCut *cut, const RibbonSupply *supply,
					 RibbonSweep *sweep)
{
	const RibbonSystem *system = cut->system;
	unsigned log2_size = cut->buckets->log2_size;
	unsigned result_bits = system->result_bits + (system->wide > 0);
	uint64_t seam = ribbon_cut_seam(cut);
	uint64_t nslots = 0;
	RibbonStatus status;

	memset(window, 0, sizeof(*window));
	window->cut = cut;
	window->system = system;
	window->buckets = cut->buckets;
	window->stride = ribbon_supply_stride(supply);
	window->sweep = sweep;
	for (uint64_t g = 0; g < cut->nwindows; g++)
	{
		uint64_t size = ribbon_cut_begin(cut, g + 1) - ribbon_cut_begin(cut, g);

		nslots = size > nslots ? size : nslots;
	}
	window->codes = ribbon_alloc(env,
								 (size_t) (nslots >> log2_size) + 1 +
									 RIBBON_GROUP_BUCKETS);
	if (window->codes == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_band_alloc(env, &window->saved,
							   (ribbon_cut_tail_buckets(cut) << log2_size) +
								   seam + system->width,
							   system->width, result_bits);
	if (status != RIBBON_OK)
		return status;
	status = ribbon_band_alloc(env, &window->band,
							   ribbon_min64(nslots + seam, system->nslots),
							   system->width, result_bits);
	window->band.supply = supply;
	return status;
}

void
ribbon_window_free(const RibbonEnv *env, RibbonWindow *window)
{
	ribbon_band_free(env, &window->band);
	ribbon_band_free(env, &window->saved);
	ribbon_free(env, window->codes);
}

RibbonStatus
ribbon_window_begin(const RibbonEnv *env, RibbonWindow *window, uint64_t g,
					const uint64_t *hashes, size_t nhashes)
{
	const RibbonCut *cut = window->cut;

	window->env = env;
	window->hashes = hashes;
	window->nhashes = nhashes;
	window->crowded = false;
	window->last = g + 1 == cut->nwindows;
	window->begin = ribbon_cut_begin(cut, g);
	window->end = ribbon_cut_begin(cut, g + 1);
	window->seam_end = ribbon_min64(window->end + ribbon_cut_seam(cut),
									window->system->nslots);
	window->first_bucket = ribbon_cut_bucket(cut, g);
	window->end_bucket = ribbon_cut_bucket(cut, g + 1);
	window->tail_bucket = window->end_bucket -
		ribbon_min64(ribbon_cut_tail_buckets(cut), window->end_bucket);
	window->tail = first_hash_from(window, 0, nhashes,
								   window->tail_bucket
									   << window->buckets->log2_size);
	memset(window->codes, 0,
		   (size_t) (window->end_bucket - window->first_bucket));
	return ribbon_band_clear(env, &window->band, window->begin,
							 window->seam_end - window->begin);
}

void
ribbon_window_keep_seam(const RibbonWindow *window, RibbonBand *seam,
						uint8_t *codes)
{
	copy_slots(seam, 0, &window->band, 0, ribbon_cut_seam(window->cut));
	memcpy(codes, window->codes, ribbon_buckets_unit(window->buckets));
}

void
ribbon_window_thresholds(RibbonWindow *window, uint8_t *thresholds)
{
	uint64_t end =
		ribbon_min64(window->end_bucket + ribbon_buckets_unit(window->buckets),
					 ribbon_buckets_count(window->system, window->buckets));

	ribbon_buckets_encode(window->buckets, window->codes, window->first_bucket,
						  end, thresholds);
}
