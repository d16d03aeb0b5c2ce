/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 *
 * Each bucket is banded by a sweep (sweep.h), whose steps depend on one
 * another.  So a large layer is cut into stretches of buckets that are filled
 * side by side, a step of each in turn, which keeps the CPU busy.
 *
 *----------
 *	 |---- stretch 0 ----|---- stretch 1 ----|---- stretch 2 ----| ...
 *	 |   body     | tail |   body     | tail |   body     | tail |
 *	      1          2        1          2        1          2
 *----------
 *
 * What is bumped depends on what was inserted before, so the order must not
 * depend on the number of lanes or their speed.  It is this: first all bodies,
 * which cannot reach into each other, then all tails.  A tail's keys overflow
 * into the next stretch as any bucket's do into the next one.  To leave slots
 * for them there, the keys below the upper threshold of a stretch's first
 * bucket are not the body's but come last in the tail before it, which bumps
 * them as far as it must.  (BuRR 7.3, to build in parallel, bumps all of them.)
 * How many slots stay empty at the end of a tail depends on what flows into its
 * last buckets, so it is filled several times, with less or more of its first
 * bucket bumped, and the best is kept.
 */
#include "layer.h"

#include "backsubst.h"
#include "sweep.h"

#include <limits.h>

/* Stretches of a large layer, each a lane's: their number shows in the bytes. */
#define STRETCHES	 4
#define UPPER_CODE	 2 /* of the upper threshold */
#define SEAM_BUCKETS 4 /* of the next stretch, where a tail's keys may end */

/* A lane fills a run of buckets, one after the other. */
typedef struct Lane
{
	uint64_t bucket;	 /* being filled */
	uint64_t slot_limit; /* beyond it an insertion has failed */
	size_t next_key;	 /* the next bucket's words begin here */
	size_t end_key;		 /* and the run's end here */
	bool busy;			 /* is the bucket's sweep on its way? */
} Lane;

/* What all lanes share. */
typedef struct Layer
{
	const RibbonEnv *env;
	const RibbonBand *band;
	const RibbonRegion *region;
	const RibbonBuckets *buckets;
	const uint64_t *words;
	uint8_t *thresholds;
	RibbonSweep *sweeps; /* of the lanes */
	Lane *lanes;
	RibbonStatus status; /* of what next_bucket had to do itself */
} Layer;

/* Words by index: the body is [body, tail), the tail [tail, end). */
typedef struct Stretch
{
	bool last;
	size_t body;
	size_t tail;
	size_t end;
	uint64_t tail_bucket; /* the tail's first */
	uint64_t end_bucket;
	uint64_t slot_limit; /* of the tail's insertions */
	unsigned end_code;	 /* of the end bucket, before the tail */
} Stretch;

/* Slots as they were before a tail was filled. */
typedef struct Saved
{
	uint64_t begin;
	size_t nslots;
	void *coeff;
	void *result;
} Saved;

static inline unsigned
get_code(const Layer *layer, uint64_t bucket)
{
	return layer->thresholds[bucket / 4] >> 2 * (bucket % 4) & 3;
}

static inline void
set_code(const Layer *layer, uint64_t bucket, unsigned code)
{
	uint8_t *byte = &layer->thresholds[bucket / 4];
	unsigned shift = 2 * (bucket % 4);

	*byte = (uint8_t) ((*byte & ~(3u << shift)) | code << shift);
}

/* The bucket of word i. */
static inline uint64_t
bucket_of(const Layer *layer, size_t i)
{
	return ribbon_region_start(layer->region, layer->words[i]) >>
		layer->buckets->log2_size;
}

/* The position of word i in its bucket. */
static inline unsigned
position_of(const Layer *layer, size_t i)
{
	uint64_t mask = (UINT64_C(1) << layer->buckets->log2_size) - 1;

	return (unsigned) (ribbon_region_start(layer->region, layer->words[i]) &
					   mask);
}

/* The first of the sorted words[low .. high) that starts at start or behind. */
static size_t
first_word_from(const Layer *layer, size_t low, size_t high, uint64_t start)
{
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;

		if (ribbon_region_start(layer->region, layer->words[middle]) < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * More words than a sweep takes share a bucket: insert them one by one.  Hashes
 * do not come like that by chance, and if they were chosen all of them may, and
 * all of them may fit.  (Unlike in a sweep, a key that follows from the others
 * is never one too many, even where they end behind slot_limit.)
 */
static RibbonStatus
insert_bucket(const Layer *layer, Lane *lane, RibbonSweep *sweep)
{
	size_t first = lane->next_key;
	size_t end = first_word_from(layer, first, lane->end_key,
								 (lane->bucket + 1)
									 << layer->buckets->log2_size);

	lane->next_key = end;
	while (end-- > first && sweep->code == 0)
	{
		unsigned position = position_of(layer, end);
		uint64_t slot = ribbon_band_insert_word(layer->band, layer->region,
												layer->words[end]);

		if (end % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(layer->env))
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

/* The bucket has been banded: store its threshold. */
static void
finish_bucket(const Layer *layer, const Lane *lane, const RibbonSweep *sweep)
{
	ribbon_sweep_roll_back(sweep);
	if (sweep->code > 0)
		set_code(layer, lane->bucket, sweep->code);
}

/* Pass over the words that the bucket's threshold, given beforehand, bumps. */
static void
skip_bumped(const Layer *layer, Lane *lane)
{
	unsigned code = get_code(layer, lane->bucket);

	if (code > 0)
		lane->next_key = first_word_from(layer, lane->next_key, lane->end_key,
										 (lane->bucket
										  << layer->buckets->log2_size) +
											 layer->buckets->threshold[code]);
}

/*
 * End with a lane's bucket, and begin with its next one that has keys
 * (RibbonSweepNext).
 */
static bool
next_bucket(void *arg, unsigned l)
{
	Layer *layer = (Layer *) arg;
	Lane *lane = &layer->lanes[l];
	RibbonSweep *sweep = &layer->sweeps[l];
	unsigned log2_size = layer->buckets->log2_size;

	if (lane->busy)
		finish_bucket(layer, lane, sweep);
	lane->busy = false;
	while (layer->status == RIBBON_OK && !lane->busy &&
		   lane->next_key < lane->end_key)
	{
		size_t n;

		lane->bucket = bucket_of(layer, lane->next_key);
		skip_bumped(layer, lane);
		if (lane->next_key == lane->end_key)
			break;
		n = ribbon_sweep_begin(sweep, layer->band, layer->region,
							   layer->buckets, layer->words + lane->next_key,
							   lane->end_key - lane->next_key,
							   lane->bucket << log2_size, 1u << log2_size,
							   lane->slot_limit);
		if (n > RIBBON_SWEEP_KEYS)
		{
			layer->status = insert_bucket(layer, lane, sweep);
			finish_bucket(layer, lane, sweep);
		}
		else
		{
			lane->next_key += n;
			lane->busy = n > 0;
		}
	}
	return lane->busy;
}

/* Put a lane at the beginning of the run words[begin .. end). */
static void
start_run(Lane *lane, size_t begin, size_t end, uint64_t slot_limit)
{
	lane->next_key = begin;
	lane->end_key = end;
	lane->slot_limit = slot_limit;
	lane->busy = false;
}

static void
free_saved(const Layer *layer, Saved *saved)
{
	ribbon_free(layer->env, saved->coeff);
	ribbon_free(layer->env, saved->result);
}

/* Copy slots from one array to another, or back. */
static void
copy_slots(const Layer *layer, const Saved *saved, bool back)
{
	size_t row_size = layer->band->width / 8;
	size_t result_size = layer->band->result_size;
	uint8_t *coeff = (uint8_t *) layer->band->coeff + saved->begin * row_size;
	uint8_t *result = (uint8_t *) layer->band->result +
		saved->begin * result_size;

	memcpy(back ? coeff : saved->coeff, back ? saved->coeff : coeff,
		   saved->nslots * row_size);
	memcpy(back ? result : saved->result, back ? saved->result : result,
		   saved->nslots * result_size);
}

/* Save the slots that a tail's keys can end in; free_saved in any case. */
static RibbonStatus
save_slots(const Layer *layer, const Stretch *stretch, Saved *saved)
{
	saved->begin = stretch->tail_bucket << layer->buckets->log2_size;
	saved->nslots = (size_t) (stretch->slot_limit - saved->begin);
	saved->coeff = ribbon_alloc(layer->env,
								saved->nslots * (layer->band->width / 8));
	saved->result = ribbon_alloc(layer->env,
								 saved->nslots * layer->band->result_size);
	if (saved->coeff == NULL || saved->result == NULL)
		return RIBBON_OUT_OF_MEMORY;
	copy_slots(layer, saved, false);
	return RIBBON_OK;
}

/* Fill the lanes' runs side by side. */
static RibbonStatus
fill_runs(Layer *layer, unsigned nlanes)
{
	RibbonStatus status = ribbon_sweep_run(layer->env, layer->sweeps, nlanes,
										   next_bucket, layer);

	return status == RIBBON_OK ? layer->status : status;
}

/* Fill a tail whose first bucket is bumped by this code at least. */
static RibbonStatus
try_tail(Layer *layer, const Stretch *stretch, const Saved *saved,
		 unsigned code)
{
	copy_slots(layer, saved, true);
	for (uint64_t b = stretch->tail_bucket; b < stretch->end_bucket; b++)
		set_code(layer, b, b == stretch->tail_bucket ? code : 0);
	if (!stretch->last)
		set_code(layer, stretch->end_bucket, stretch->end_code);
	start_run(&layer->lanes[0], stretch->tail, stretch->end,
			  stretch->slot_limit);
	return fill_runs(layer, 1);
}

/*
 * Fill the tail of a stretch, with less or more of its first bucket bumped,
 * whichever leaves fewest slots empty.
 */
static RibbonStatus
fill_tail(Layer *layer, Stretch *stretch)
{
	Saved saved;
	unsigned best = 0;
	unsigned fewest = UINT_MAX;
	RibbonStatus status = save_slots(layer, stretch, &saved);

	if (!stretch->last)
		stretch->end_code = get_code(layer, stretch->end_bucket);
	for (unsigned code = 0; status == RIBBON_OK && code <= UPPER_CODE; code++)
	{
		unsigned nempty = 0;

		status = try_tail(layer, stretch, &saved, code);
		for (size_t i = 0; i < saved.nslots; i++)
			nempty += ribbon_band_is_empty(layer->band, saved.begin + i);
		if (nempty < fewest)
		{
			fewest = nempty;
			best = code;
		}
	}
	if (status == RIBBON_OK && best < UPPER_CODE)
		status = try_tail(layer, stretch, &saved, best);
	free_saved(layer, &saved);
	return status;
}

/* Cut the words into stretches; returns how many. */
static unsigned
cut_stretches(const Layer *layer, size_t nwords, Stretch *stretches)
{
	unsigned log2_size = layer->buckets->log2_size;
	uint64_t nbuckets = ((layer->region->nstarts - 1) >> log2_size) + 1;
	uint64_t ntail = (layer->region->width >> log2_size) + 2;
	unsigned n = layer->region->nslots < RIBBON_STRETCHED_SLOTS ? 1 : STRETCHES;

	for (unsigned i = 0; i < n; i++)
	{
		Stretch *stretch = &stretches[i];
		uint64_t end, tail;

		stretch->last = i + 1 == n;
		stretch->end_bucket = nbuckets * (i + 1) / n;
		stretch->tail_bucket = stretch->end_bucket -
			ribbon_min64(ntail, nbuckets);
		end = stretch->end_bucket << log2_size;
		tail = stretch->tail_bucket << log2_size;
		stretch->body = i == 0 ? 0 : stretches[i - 1].end;
		stretch->tail = first_word_from(layer, 0, nwords, tail);
		stretch->end = nwords;
		stretch->slot_limit = layer->region->nslots;
		if (!stretch->last)
		{
			stretch->end =
				first_word_from(layer, 0, nwords,
								end + layer->buckets->threshold[UPPER_CODE]);
			stretch->slot_limit = end + (SEAM_BUCKETS << log2_size);
		}
	}
	return n;
}

/* Fill the stretches: their bodies side by side, then their tails. */
static RibbonStatus
fill(Layer *layer, size_t nwords)
{
	Stretch stretches[STRETCHES];
	Lane lanes[STRETCHES];
	unsigned n = cut_stretches(layer, nwords, stretches);
	RibbonStatus status;

	layer->lanes = lanes;
	layer->sweeps = ribbon_alloc(layer->env, n * sizeof(RibbonSweep));
	if (layer->sweeps == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned l = 0; l < n; l++)
		start_run(&lanes[l], stretches[l].body, stretches[l].tail, UINT64_MAX);
	status = fill_runs(layer, n);
	for (unsigned l = 0; l < n && status == RIBBON_OK; l++)
		status = fill_tail(layer, &stretches[l]);
	ribbon_free(layer->env, layer->sweeps);
	return status;
}

/*
 * Copy the words that the thresholds bump, the first ones of each bucket;
 * *nbumped is max_bumped + 1 if there is no room for all.
 */
static RibbonStatus
collect_bumped(const Layer *layer, size_t nwords, uint64_t *bumped,
			   size_t max_bumped, size_t *nbumped)
{
	unsigned log2_size = layer->buckets->log2_size;
	uint64_t bucket_end = 0; /* starts from here on are in other buckets */
	uint64_t limit = 0;		 /* starts below it are bumped */
	size_t n = 0;

	for (size_t i = 0; i < nwords; i++)
	{
		uint64_t word = layer->words[i];
		uint64_t start = ribbon_region_start(layer->region, word);

		if (RIBBON_UNLIKELY(start >= bucket_end))
		{
			uint64_t bucket = start >> log2_size;

			bucket_end = (bucket + 1) << log2_size;
			limit = (bucket << log2_size) +
				layer->buckets->threshold[get_code(layer, bucket)];
		}
		if (start < limit)
		{
			if (n == max_bumped)
			{
				n++;
				break;
			}
			bumped[n++] = word;
		}
		if (ribbon_looks_now(i) && ribbon_interrupted(layer->env))
			return RIBBON_INTERRUPTED;
	}
	*nbumped = n;
	return RIBBON_OK;
}

RibbonStatus
ribbon_layer_build(const RibbonEnv *env, const RibbonRegion *region,
				   const RibbonBuckets *buckets, const uint64_t *words,
				   size_t nwords, uint64_t *bumped, size_t max_bumped,
				   uint8_t *thresholds, uint8_t *slots, size_t *nbumped)
{
	RibbonBand band;
	Layer layer = {env,		   &band, region, buckets,	words,
				   thresholds, NULL,  NULL,	  RIBBON_OK};
	RibbonStatus status;

	status = ribbon_band_create(env, &band, region->nslots, region->width,
								region->columns + (region->wide > 0));
	if (status != RIBBON_OK)
		return status;
	status = fill(&layer, nwords);
	if (status == RIBBON_OK)
		status = collect_bumped(&layer, nwords, bumped, max_bumped, nbumped);
	if (status == RIBBON_OK && *nbumped <= max_bumped)
		status = ribbon_backsubst(env, &band, region, RIBBON_FREE_ZERO, slots);
	ribbon_band_free(env, &band);
	return status;
}
