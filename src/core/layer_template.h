/*
 * layer_template.h - fill one bumped layer, for one ribbon width
 */
#include "template.h"

/*
 * A lane fills a run of buckets.  Between two steps it has the equation (row
 * at slot) = result on its way.
 */
typedef struct NAME(layer, lane)
{
	uint64_t slot;
	ROW row;
	uint32_t result;
	unsigned position;	 /* of the key's starting position in its bucket */
	uint64_t slot_limit; /* beyond it an insertion has failed */
	uint64_t bucket;	 /* being filled with the words from */
	size_t key;			 /* the one on its way */
	size_t first_key;	 /* down to this one */
	size_t next_key;	 /* the next bucket's words begin here */
	size_t end_key;		 /* and the run's end here */
	bool busy;			 /* is there a key on its way? */
	Insertion *latest;	 /* the bucket's insertions, to take back */
	size_t nlatest;
} NAME(layer, lane);

/* Begin the insertion of the lane's current key. */
static inline void
NAME(layer, take_key)(const Layer *layer, NAME(layer, lane) * lane)
{
	uint64_t word = layer->words[lane->key];
	uint64_t start = ribbon_region_start(layer->region, word);

	lane->slot = start;
	lane->row = ROW_FN(coeff)(word, RIBBON_BITS);
	lane->result = ribbon_hash_fingerprint(word) & layer->result_mask;
	lane->position = (unsigned) (start & layer->position_mask);
}

/*
 * Go to the run's next bucket that has keys, and take its last one.  A bucket
 * may have been given a threshold beforehand.
 */
static void
NAME(layer, next_bucket)(const Layer *layer, NAME(layer, lane) * lane)
{
	do
	{
		size_t begin = lane->next_key;
		size_t end = begin;
		unsigned threshold;

		lane->busy = begin < lane->end_key;
		if (!lane->busy)
			return;
		lane->bucket = bucket_of(layer, begin);
		while (end < lane->end_key && bucket_of(layer, end) == lane->bucket)
			end++;
		lane->next_key = end;
		threshold = layer->buckets->threshold[get_code(layer, lane->bucket)];
		while (begin < end && position_of(layer, begin) < threshold)
			begin++;
		lane->first_key = begin;
	} while (lane->first_key == lane->next_key);
	lane->key = lane->next_key - 1;
	lane->nlatest = 0;
	NAME(layer, take_key)(layer, lane);
}

/*
 * The lane's key does not fit: store the threshold that bumps it, and take
 * back what the bucket has inserted below that.
 */
static void
NAME(layer, bump)(const Layer *layer, NAME(layer, lane) * lane)
{
	unsigned code = smallest_code_above(layer->buckets, lane->position);
	unsigned threshold = layer->buckets->threshold[code];

	set_code(layer, lane->bucket, code);
	while (lane->nlatest > 0 &&
		   lane->latest[lane->nlatest - 1].position < threshold)
	{
		NAME(ribbon_band, undo)
		(layer->band, lane->latest[--lane->nlatest].slot);
	}
}

/* The lane's key is done with: take the next one. */
static inline void
NAME(layer, next_key)(const Layer *layer, NAME(layer, lane) * lane)
{
	if (lane->key == lane->first_key)
		NAME(layer, next_bucket)(layer, lane);
	else
	{
		lane->key--;
		NAME(layer, take_key)(layer, lane);
	}
}

/* One step of an insertion, as in band_template.h, by a lane that is busy. */
static inline void
NAME(layer, step)(const Layer *layer, NAME(layer, lane) * lane)
{
	ROW *coeff = (ROW *) layer->band->coeff;
	ROW there = coeff[lane->slot];
	ROW row;

	if (RIBBON_UNLIKELY(ROW_FN(is_zero)(there)))
	{
		coeff[lane->slot] = lane->row;
		layer->band->result[lane->slot] = lane->result;
		lane->latest[lane->nlatest].slot = lane->slot;
		lane->latest[lane->nlatest++].position = lane->position;
		NAME(layer, next_key)(layer, lane);
		return;
	}

	row = ROW_FN(xor)(lane->row, there);
	lane->result ^= layer->band->result[lane->slot];
	if (RIBBON_LIKELY(!ROW_FN(is_zero)(row)))
	{
		unsigned skip = ROW_FN(ctz)(row);

		lane->slot += skip;
		lane->row = ROW_FN(shr)(row, skip);
		if (RIBBON_LIKELY(lane->slot < lane->slot_limit))
			return;
	}
	else if (lane->result == 0)
	{
		NAME(layer, next_key)(layer, lane);
		return;
	}
	NAME(layer, bump)(layer, lane);
	NAME(layer, next_bucket)(layer, lane);
}

/* Put a lane at the beginning of the run words[begin .. end). */
static void
NAME(layer, start)(const Layer *layer, NAME(layer, lane) * lane, size_t begin,
				   size_t end, uint64_t slot_limit, Insertion *latest)
{
	memset(lane, 0, sizeof(*lane));
	lane->next_key = begin;
	lane->end_key = end;
	lane->slot_limit = slot_limit;
	lane->latest = latest;
	NAME(layer, next_bucket)(layer, lane);
}

/* Let one lane fill the rest of its run. */
static RibbonStatus
NAME(layer, finish)(const Layer *layer, NAME(layer, lane) * lane)
{
	while (lane->busy)
	{
		for (unsigned i = 0; i < LANE_STEPS && lane->busy; i++)
			NAME(layer, step)(layer, lane);
		if (ribbon_interrupted(layer->env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* Advance busy lanes in turn, until one of them is at its end. */
static RibbonStatus
NAME(layer, advance)(const Layer *layer, NAME(layer, lane) * lanes)
{
	bool busy = true;

	for (unsigned l = 0; l < LANES; l++)
		busy &= lanes[l].busy;
	while (busy)
	{
		for (unsigned i = 0; i < LANE_STEPS / LANES && busy; i++)
			for (unsigned l = 0; l < LANES; l++)
			{
				NAME(layer, step)(layer, &lanes[l]);
				busy &= lanes[l].busy;
			}
		if (ribbon_interrupted(layer->env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* Empty slots from begin to end - 1. */
static unsigned
NAME(layer, count_empty)(const Layer *layer, uint64_t begin, uint64_t end)
{
	const ROW *coeff = (const ROW *) layer->band->coeff;
	unsigned nempty = 0;

	for (uint64_t slot = begin; slot < end; slot++)
		nempty += ROW_FN(is_zero)(coeff[slot]) != 0;
	return nempty;
}

/* Fill a tail whose first bucket is bumped by this code at least. */
static RibbonStatus
NAME(layer, try_tail)(const Layer *layer, const Stretch *stretch,
					  const Saved *saved, unsigned code, Insertion *latest)
{
	ROW *coeff = (ROW *) layer->band->coeff + saved->begin;
	NAME(layer, lane) lane;

	memcpy(coeff, saved->coeff, saved->nslots * sizeof(ROW));
	memcpy(layer->band->result + saved->begin, saved->result,
		   saved->nslots * sizeof(uint32_t));
	for (uint64_t b = stretch->tail_bucket; b < stretch->end_bucket; b++)
		set_code(layer, b, b == stretch->tail_bucket ? code : 0);
	NAME(layer, start)
	(layer, &lane, stretch->tail, stretch->end, stretch->slot_limit, latest);
	return NAME(layer, finish)(layer, &lane);
}

/*
 * Fill the tail of a stretch, with less or more of its first bucket bumped,
 * whichever leaves fewest slots empty.
 */
static RibbonStatus
NAME(layer, fill_tail)(const Layer *layer, const Stretch *stretch,
					   Insertion *latest)
{
	Saved saved;
	unsigned best = 0;
	unsigned fewest = UINT_MAX;
	RibbonStatus status = save_slots(layer, stretch, sizeof(ROW), &saved);

	for (unsigned code = 0; status == RIBBON_OK && code <= UPPER_CODE; code++)
	{
		unsigned nempty;

		status = NAME(layer, try_tail)(layer, stretch, &saved, code, latest);
		nempty = NAME(layer, count_empty)(layer, saved.begin,
										  saved.begin + saved.nslots);
		if (nempty < fewest)
		{
			fewest = nempty;
			best = code;
		}
	}
	if (status == RIBBON_OK && best < UPPER_CODE)
		status = NAME(layer, try_tail)(layer, stretch, &saved, best, latest);
	free_saved(layer, &saved);
	return status;
}

/* Fill the stretches: their bodies side by side, then their tails. */
static RibbonStatus
NAME(layer, fill)(const Layer *layer, const Stretch *stretches,
				  unsigned nstretches, Insertion *latest)
{
	NAME(layer, lane) lanes[LANES];
	RibbonStatus status = RIBBON_OK;

	for (unsigned l = 0; l < nstretches; l++)
	{
		NAME(layer, start)
		(layer, &lanes[l], stretches[l].body, stretches[l].tail, UINT64_MAX,
		 latest + l * layer->max_latest);
	}
	if (nstretches == LANES)
		status = NAME(layer, advance)(layer, lanes);
	for (unsigned l = 0; l < nstretches && status == RIBBON_OK; l++)
		status = NAME(layer, finish)(layer, &lanes[l]);
	for (unsigned l = 0; l < nstretches && status == RIBBON_OK; l++)
		status = NAME(layer, fill_tail)(layer, &stretches[l], latest);
	return status;
}

#include "template_end.h"
