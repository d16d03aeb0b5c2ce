/*
 * span.c - how many strangers' equations follow from the keys' equations?
 *
 * Banding gave each row a first bit of its own.  To give each a last bit of its
 * own, turn the rows on their heads and band them again: the slots that this
 * fills are those in which rows end, and no more than their number is asked
 * for.  The band is taken in pieces, from right to left, so that the mirrored
 * one is small: a piece's rows end in it or in the w slots behind it.
 *
 *----------
 *	 band			 ...|begin     piece       end|      w      |...
 *	 mirrored		         |w + piece .........w|w-1 ....... 0|
 *----------
 */
#include "span.h"

#include "sweep.h"

#include <math.h>

#define LANES		 RIBBON_SWEEP_LANES
#define PIECE_SLOTS	 32768
#define BUCKET_SLOTS 512 /* that are swept at once */

/* Lanes take the rows of slots from - 1 down to to. */
typedef struct Turning
{
	const RibbonBand *band;
	RibbonBand mirrored;
	uint64_t begin; /* the piece is begin .. end - 1 */
	uint64_t end;
	uint64_t from[LANES];
	uint64_t to[LANES];
	RibbonSweep sweeps[LANES];
} Turning;

/* The mirrored slot of a slot of the band. */
static inline uint64_t
mirror(const Turning *t, uint64_t slot)
{
	return t->end + t->band->width - 1 - slot;
}

/* RibbonSweepNext */
static bool
next_bucket(void *arg, unsigned lane)
{
	Turning *t = (Turning *) arg;
	uint64_t from = t->from[lane];

	if (from == t->to[lane])
		return false;
	t->from[lane] = from - ribbon_min64(BUCKET_SLOTS, from - t->to[lane]);
	/* a row of w bits whose last one is in slot s begins w - 1 before it */
	ribbon_sweep_begin_mirrored(&t->sweeps[lane], &t->mirrored, t->band, from,
								t->from[lane], t->end - from);
	return true;
}

/* Go on to the next piece on the left. */
static void
next_piece(Turning *t)
{
	size_t row = t->band->width / 8;
	size_t nkept = t->band->width * row;
	uint8_t *rows = (uint8_t *) t->mirrored.coeff;

	/* rows that end in the first slots of this piece end behind the next */
	memmove(rows, rows + (t->end - t->begin) * row, nkept);
	memset(rows + nkept, 0, PIECE_SLOTS * row);
	t->end = t->begin;
	t->begin -= ribbon_min64(PIECE_SLOTS, t->begin);
}

/* Find where the rows of the piece end. */
static RibbonStatus
turn_piece(const RibbonEnv *env, Turning *t)
{
	uint64_t share = (t->end - t->begin) / LANES / BUCKET_SLOTS * BUCKET_SLOTS;

	for (unsigned l = 0; l < LANES; l++)
	{
		t->from[l] = t->end - l * share;
		t->to[l] = l + 1 < LANES ? t->from[l] - share : t->begin;
	}
	return ribbon_sweep_run(env, t->sweeps, LANES, next_bucket, t);
}

/*
 * Add the piece's filled starting positions to counts[i], by how many of
 * w' dimensions their rows have left.
 */
static void
count_piece(const Turning *t, const RibbonRegion *region, unsigned *inside,
			uint64_t *counts)
{
	for (uint64_t slot = t->end; slot-- > t->begin;)
	{
		bool filled = !ribbon_band_is_empty(t->band, slot);
		uint64_t behind = mirror(t, slot + region->row_bits);

		/* a row that ends at slot + w' has just come to stick out */
		*inside += filled;
		*inside -= !ribbon_band_is_empty(&t->mirrored, behind);
		counts[region->row_bits - *inside] += filled && slot < region->nstarts;
	}
}

static RibbonStatus
count(const RibbonEnv *env, Turning *t, const RibbonRegion *region,
	  uint64_t *counts)
{
	unsigned inside = 0;

	t->end = t->begin = region->nslots;
	while (t->begin > 0)
	{
		RibbonStatus status;

		next_piece(t);
		status = turn_piece(env, t);
		if (status != RIBBON_OK)
			return status;
		count_piece(t, region, &inside, counts);
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_span_probability(const RibbonEnv *env, const RibbonBand *band,
						const RibbonRegion *region, unsigned result_bits,
						double *probability)
{
	uint64_t counts[129] = {0};
	double floor = ldexp(1, -(int) result_bits);
	double sum = 0;
	Turning *t = ribbon_alloc(env, sizeof(Turning));
	RibbonStatus status;

	if (t == NULL)
		return RIBBON_OUT_OF_MEMORY;
	t->band = band;
	status = ribbon_band_create(env, &t->mirrored, PIECE_SLOTS + band->width,
								band->width, 0);
	if (status == RIBBON_OK)
		status = count(env, t, region, counts);
	for (unsigned left = 0; left <= region->row_bits; left++)
		sum += (double) counts[left] * fmax(0, ldexp(1, -(int) left) - floor);
	*probability = sum / (double) region->nstarts / (1 - floor);
	ribbon_band_free(env, &t->mirrored);
	ribbon_free(env, t);
	return status;
}
