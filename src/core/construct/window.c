/*
 * window.c - some 2^19 slots of a bumped layer, filled independently of others
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

/* The position of hash i in its bucket. */
static inline unsigned
position_of(const RibbonWindow *window, size_t i)
{
	uint64_t mask = (UINT64_C(1) << window->buckets->log2_size) - 1;

	return (unsigned) (start_of(window, i) & mask);
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

/*
 * Fill a bucket that has more hashes than a sweep can take: insert them one by
 * one, from right to left.  That does not happen by chance, but chosen keys can
 * do it.  (There is one difference to a sweep: a redundant equation always fits
 * here, there not if its row reaches slot_limit.)
 */
static RibbonStatus
insert_bucket(const RibbonWindow *window, RibbonLane *lane, RibbonSweep *sweep)
{
	size_t first = lane->next_key;
	size_t end = first_hash_from(window, first, lane->end_key,
								 (lane->bucket + 1)
									 << window->buckets->log2_size);

	lane->next_key = end;
	while (end-- > first && sweep->code == 0)
	{
		unsigned position = position_of(window, end);
		const uint64_t *next = element(window, end);
		uint64_t slot = ribbon_band_insert_element(&window->band,
												   window->system, *next, next);

		if (end % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(window->env))
			return RIBBON_INTERRUPTED;
		if (slot == RIBBON_BAND_REDUNDANT)
			continue;
		if (slot != RIBBON_BAND_INCONSISTENT)
		{
			sweep->pivot_slot[sweep->npivots] = slot;
			sweep->pivot_position[sweep->npivots++] = position;
		}
		if (slot >= lane->slot_limit)
			ribbon_sweep_fail(sweep, position);
	}
	return RIBBON_OK;
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
 * Is it likely that the lane's next bucket will need an exception?  It has to
 * take its own keys and those that have been stored in its slots, and can bump
 * t positions.  Of the w slots behind its end some will stay empty, and at the
 * end of a stretch all but t are taken.  A second exception of a group is to be
 * avoided even more [tune].
 */
static bool
is_crowded(const RibbonWindow *window, const RibbonLane *lane,
		   const RibbonSweep *sweep)
{
	const RibbonBuckets *buckets = window->buckets;
	uint64_t size = UINT64_C(1) << buckets->log2_size;
	uint64_t end = (lane->bucket + 1) * size;
	size_t last = (size_t) ribbon_min64(window->nhashes,
										lane->next_key + 2 * size);
	uint64_t load = first_hash_from(window, lane->next_key, last, end + size) -
		lane->next_key;
	uint64_t room = buckets->threshold[1];

	room += local(window, end + size) + ribbon_cut_seam(buckets) ==
			lane->slot_limit ?
		buckets->threshold[1] :
		window->system->width;
	room -= count_exceptions(window, lane->bucket) > 0 ? ROOM_LEFT_MORE :
														 ROOM_LEFT;
	for (unsigned i = 0; i < sweep->npivots; i++)
		load += sweep->pivot_slot[i] >= local(window, end);
	return load > size + room;
}

/*
 * The bucket has been banded: store its threshold.  Exceptions are less than
 * half as many if a bucket bumps keys for the next one's sake.
 */
static void
finish_bucket(const RibbonWindow *window, const RibbonLane *lane,
			  RibbonSweep *sweep)
{
	if (window->buckets->grouped && sweep->code == 0 &&
		code_of(window, lane->bucket) == 0 && is_crowded(window, lane, sweep))
		sweep->code = 1;
	ribbon_sweep_roll_back(sweep);
	if (sweep->code > 0)
		set_code(window, lane->bucket, sweep->code);
}

/* Skip the hashes that the bucket's threshold, if set before, bumps. */
static void
skip_bumped(const RibbonWindow *window, RibbonLane *lane)
{
	unsigned code = code_of(window, lane->bucket);

	if (code > 0)
		lane->next_key = first_hash_from(window, lane->next_key, lane->end_key,
										 (lane->bucket
										  << window->buckets->log2_size) +
											 window->buckets->threshold[code]);
}

/* End a lane's bucket, and begin its next one with keys (RibbonSweepNext). */
static bool
next_bucket(void *arg, unsigned l)
{
	RibbonWindow *window = (RibbonWindow *) arg;
	RibbonLane *lane = &window->lanes[l];
	RibbonSweep *sweep = &window->sweeps[l];
	unsigned log2_size = window->buckets->log2_size;

	if (lane->busy)
		finish_bucket(window, lane, sweep);
	lane->busy = false;
	while (window->status == RIBBON_OK && !lane->busy &&
		   lane->next_key < lane->end_key)
	{
		size_t n;

		lane->bucket = bucket_of(window, lane->next_key);
		skip_bumped(window, lane);
		if (lane->next_key == lane->end_key)
			break;
		n = ribbon_sweep_begin(sweep, &window->band, window->system,
							   window->buckets, element(window, lane->next_key),
							   lane->end_key - lane->next_key,
							   local(window, lane->bucket << log2_size),
							   1u << log2_size, lane->slot_limit);
		if (n > RIBBON_SWEEP_KEYS)
		{
			window->status = insert_bucket(window, lane, sweep);
			finish_bucket(window, lane, sweep);
		}
		else
		{
			lane->next_key += n;
			lane->busy = n > 0;
		}
	}
	return lane->busy;
}

/* Give a lane the run of hashes begin .. end - 1. */
static void
start_run(RibbonLane *lane, size_t begin, size_t end, uint64_t slot_limit)
{
	lane->next_key = begin;
	lane->end_key = end;
	lane->slot_limit = slot_limit;
	lane->busy = false;
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

/* Fill the lanes' runs side by side. */
static RibbonStatus
fill_runs(RibbonWindow *window, unsigned nlanes)
{
	RibbonStatus status = ribbon_sweep_run(window->env, window->sweeps, nlanes,
										   next_bucket, window);

	return status == RIBBON_OK ? window->status : status;
}

/* The first slot of the band that a tail's keys can end in. */
static uint64_t
tail_slot(const RibbonWindow *window, const RibbonStretch *stretch)
{
	return local(window, stretch->tail_bucket << window->buckets->log2_size);
}

/* Fill a tail whose first bucket gets at least the threshold of this code. */
static RibbonStatus
try_tail(RibbonWindow *window, const RibbonStretch *stretch, unsigned code)
{
	uint64_t first = tail_slot(window, stretch);

	copy_slots(&window->band, first, &window->saved, 0,
			   stretch->slot_limit - first);
	for (uint64_t b = stretch->tail_bucket; b < stretch->end_bucket; b++)
		set_code(window, b, b == stretch->tail_bucket ? code : 0);
	if (!stretch->last)
		set_code(window, stretch->end_bucket, stretch->end_code);
	start_run(&window->lanes[0], stretch->tail, stretch->end,
			  stretch->slot_limit);
	return fill_runs(window, 1);
}

/*
 * Fill the tail of a stretch with that threshold of its first bucket, of the
 * first three, that leaves fewest slots empty.  That saves 0.001 to 0.007 % of
 * a filter's bytes, and costs no time that can be measured.  Without it most
 * filters of 300,000 keys or more would have other bytes.
 */
static RibbonStatus
fill_tail(RibbonWindow *window, RibbonStretch *stretch)
{
	uint64_t first = tail_slot(window, stretch);
	unsigned most = window->buckets->grouped ?
		MOST_TRIED :
		ribbon_cut_upper_code(window->buckets);
	unsigned best = 0;
	unsigned fewest = UINT_MAX;
	RibbonStatus status = RIBBON_OK;

	copy_slots(&window->saved, 0, &window->band, first,
			   stretch->slot_limit - first);
	if (!stretch->last)
		stretch->end_code = code_of(window, stretch->end_bucket);
	for (unsigned code = 0; status == RIBBON_OK && code <= most; code++)
	{
		unsigned nempty = 0;

		status = try_tail(window, stretch, code);
		for (uint64_t slot = first; slot < stretch->slot_limit; slot++)
			nempty += ribbon_band_is_empty(&window->band, slot);
		if (window->buckets->grouped &&
			count_exceptions(window, stretch->tail_bucket) > 1)
			nempty += SEVERAL_COST;
		if (nempty < fewest)
		{
			fewest = nempty;
			best = code;
		}
	}
	if (status == RIBBON_OK && best < most)
		status = try_tail(window, stretch, best);
	return status;
}

RibbonStatus
ribbon_window_create(const RibbonEnv *env, RibbonWindow *window,
					 const RibbonSystem *system, const RibbonBuckets *buckets,
					 const RibbonSupply *supply)
{
	unsigned result_bits = system->result_bits + (system->wide > 0);
	uint64_t seam = ribbon_cut_seam(buckets);
	uint64_t nslots = 0;
	uint64_t nsaved;
	RibbonStatus status;

	memset(window, 0, sizeof(*window));
	window->system = system;
	window->buckets = buckets;
	window->stride = ribbon_supply_stride(supply);
	for (uint64_t g = 0; g < ribbon_cut_windows(system); g++)
	{
		uint64_t size = ribbon_cut_begin(system, buckets, g + 1) -
			ribbon_cut_begin(system, buckets, g);

		nslots = size > nslots ? size : nslots;
	}
	nsaved = (ribbon_cut_tail_buckets(system, buckets) << buckets->log2_size) +
		seam + system->width;
	window->sweeps = ribbon_alloc(env,
								  ribbon_cut_stretches(system, buckets) *
									  sizeof(RibbonSweep));
	window->codes = ribbon_alloc(env,
								 (size_t) (nslots >> buckets->log2_size) + 1 +
									 RIBBON_GROUP_BUCKETS);
	if (window->sweeps == NULL || window->codes == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_band_alloc(env, &window->saved, nsaved, system->width,
							   result_bits);
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
	ribbon_free(env, window->sweeps);
	ribbon_free(env, window->codes);
}

/* Cut the window's hashes into stretches. */
static void
cut_stretches(RibbonWindow *window, uint64_t g)
{
	const RibbonSystem *system = window->system;
	const RibbonBuckets *buckets = window->buckets;
	unsigned log2_size = buckets->log2_size;
	unsigned upper = buckets->threshold[ribbon_cut_upper_code(buckets)];
	unsigned n = ribbon_cut_stretches(system, buckets);

	window->nstretches = n;
	for (unsigned i = 0; i < n; i++)
	{
		RibbonStretch *stretch = &window->stretches[i];
		uint64_t end, tail;

		stretch->last = i + 1 == n && g + 1 == ribbon_cut_windows(system);
		stretch->end_bucket = ribbon_cut_stretch_bucket(system, buckets,
														g * n + i + 1);
		stretch->tail_bucket = stretch->end_bucket -
			ribbon_min64(ribbon_cut_tail_buckets(system, buckets),
						 stretch->end_bucket);
		end = stretch->end_bucket << log2_size;
		tail = stretch->tail_bucket << log2_size;
		stretch->body = i == 0 ? 0 : window->stretches[i - 1].end;
		stretch->tail = first_hash_from(window, 0, window->nhashes, tail);
		stretch->end = window->nhashes;
		stretch->slot_limit = local(window, system->nslots);
		if (!stretch->last)
		{
			stretch->end = first_hash_from(window, 0, window->nhashes,
										   end + upper);
			stretch->slot_limit = local(window, end) + ribbon_cut_seam(buckets);
		}
	}
}

/* The number of the window's own buckets. */
static uint64_t
window_buckets(const RibbonWindow *window)
{
	return window->stretches[window->nstretches - 1].end_bucket -
		window->first_bucket;
}

RibbonStatus
ribbon_window_fill(const RibbonEnv *env, RibbonWindow *window, uint64_t g,
				   const uint64_t *hashes, size_t nhashes)
{
	RibbonStatus status;

	window->env = env;
	window->begin = ribbon_cut_begin(window->system, window->buckets, g);
	window->end = ribbon_cut_begin(window->system, window->buckets, g + 1);
	window->seam_end = ribbon_min64(window->end +
										ribbon_cut_seam(window->buckets),
									window->system->nslots);
	window->hashes = hashes;
	window->nhashes = nhashes;
	window->status = RIBBON_OK;
	window->first_bucket = ribbon_cut_bucket(window->system, window->buckets,
											 g);
	cut_stretches(window, g);
	memset(window->codes, 0, (size_t) window_buckets(window));

	status = ribbon_band_clear(env, &window->band, window->begin,
							   window->seam_end - window->begin);
	if (status != RIBBON_OK)
		return status;
	for (unsigned l = 0; l < window->nstretches; l++)
		start_run(&window->lanes[l], window->stretches[l].body,
				  window->stretches[l].tail, UINT64_MAX);
	status = fill_runs(window, window->nstretches);
	for (unsigned l = 0; l + 1 < window->nstretches && status == RIBBON_OK; l++)
		status = fill_tail(window, &window->stretches[l]);
	return status;
}

void
ribbon_window_keep_seam(const RibbonWindow *window, RibbonBand *seam,
						uint8_t *codes)
{
	copy_slots(seam, 0, &window->band, 0, ribbon_cut_seam(window->buckets));
	memcpy(codes, window->codes, ribbon_buckets_unit(window->buckets));
}

RibbonStatus
ribbon_window_finish(const RibbonEnv *env, RibbonWindow *window,
					 const RibbonBand *seam, const uint8_t *codes)
{
	window->env = env;
	if (window->seam_end > window->end)
	{
		copy_slots(&window->band, local(window, window->end), seam, 0,
				   window->seam_end - window->end);
		memcpy(window->codes + window_buckets(window), codes,
			   ribbon_buckets_unit(window->buckets));
	}
	return fill_tail(window, &window->stretches[window->nstretches - 1]);
}

void
ribbon_window_thresholds(RibbonWindow *window, uint8_t *thresholds)
{
	uint64_t end = window->first_bucket + window_buckets(window) +
		ribbon_buckets_unit(window->buckets);

	end = ribbon_min64(end,
					   ribbon_buckets_count(window->system, window->buckets));
	ribbon_buckets_encode(window->buckets, window->codes, window->first_bucket,
						  end, thresholds);
}
