/*
 * span.c - how many non-members' equations follow from the keys' equations?
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
#include "solve/span.h"

#include "base/power.h"
#include "solve/sweep.h"

#define LANES		 RIBBON_SWEEP_LANES
#define PIECE_SLOTS	 32768 /* at most */
#define BUCKET_SLOTS 512   /* that are swept at once */

/* Lanes take the rows of slots from - 1 down to to. */
struct RibbonSpan
{
	const RibbonSystem *system;
	const RibbonBand *band;
	RibbonBand mirrored;
	uint64_t most;	/* slots of a piece */
	uint64_t begin; /* the piece is begin .. end - 1 */
	uint64_t end;
	unsigned inside;	  /* rows that begin behind a slot, and do not stick out
						   * of the w' slots from there on */
	uint64_t counts[129]; /* starting positions, by how many of w' dimensions
						   * their rows have left */
	uint64_t from[LANES];
	uint64_t to[LANES];
	RibbonSweep sweeps[LANES];
};

/* The mirrored slot of a slot of the system. */
static inline uint64_t
mirror(const RibbonSpan *span, uint64_t slot)
{
	return span->end + span->band->width - 1 - slot;
}

/* RibbonSweepNext */
static bool
next_bucket(void *arg, unsigned lane)
{
	RibbonSpan *span = (RibbonSpan *) arg;
	uint64_t first = span->band->first;
	uint64_t from = span->from[lane];
	uint64_t to = from - ribbon_min64(BUCKET_SLOTS, from - span->to[lane]);

	if (from == to)
		return false;
	span->from[lane] = to;
	/* a row of w bits whose last one is in slot s begins w - 1 before it */
	ribbon_sweep_begin_mirrored(&span->sweeps[lane], &span->mirrored,
								span->band, from - first, to - first,
								span->end - from);
	return true;
}

/* Go on to the next piece on the left, which begins at least here. */
static void
next_piece(RibbonSpan *span, uint64_t begin)
{
	size_t row = span->mirrored.width / 8;
	size_t nkept = span->mirrored.width * row;
	uint8_t *rows = (uint8_t *) span->mirrored.coeff;

	/* rows that end in the first slots of this piece end behind the next */
	memmove(rows, rows + (span->end - span->begin) * row, nkept);
	memset(rows + nkept, 0, span->most * row);
	span->end = span->begin;
	span->begin -= ribbon_min64(span->most, span->begin - begin);
}

/* Find where the rows of the piece end. */
static RibbonStatus
mirror_piece(const RibbonEnv *env, RibbonSpan *span)
{
	uint64_t share = (span->end - span->begin) / LANES / BUCKET_SLOTS *
		BUCKET_SLOTS;

	for (unsigned l = 0; l < LANES; l++)
	{
		span->from[l] = span->end - l * share;
		span->to[l] = l + 1 < LANES ? span->from[l] - share : span->begin;
	}
	return ribbon_sweep_run(env, span->sweeps, LANES, next_bucket, span);
}

/* Count the piece's filled starting positions. */
static void
count_piece(RibbonSpan *span)
{
	const RibbonSystem *system = span->system;
	uint64_t first = span->band->first;
	unsigned inside = span->inside;

	for (uint64_t slot = span->end; slot-- > span->begin;)
	{
		bool filled = !ribbon_band_is_empty(span->band, slot - first);
		uint64_t behind = mirror(span, slot + system->row_bits);

		/* a row that ends at slot + w' has just come to stick out */
		inside += filled;
		inside -= !ribbon_band_is_empty(&span->mirrored, behind);
		span->counts[system->row_bits - inside] += filled &&
			slot < system->nstarts;
	}
	span->inside = inside;
}

RibbonStatus
ribbon_span_create(const RibbonEnv *env, const RibbonSystem *system,
				   RibbonSpan **span)
{
	RibbonSpan *new = ribbon_alloc(env, sizeof(RibbonSpan));

	*span = new;
	if (new == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memset(new, 0, offsetof(RibbonSpan, sweeps));
	new->system = system;
	new->most = ribbon_min64(PIECE_SLOTS, system->nslots);
	new->begin = new->end = system->nslots;
	return ribbon_band_create(env, &new->mirrored, new->most + system->width,
							  system->width, 0);
}

RibbonStatus
ribbon_span_count(const RibbonEnv *env, RibbonSpan *span,
				  const RibbonBand *band, uint64_t begin)
{
	RibbonStatus status = RIBBON_OK;

	span->band = band;
	while (span->begin > begin && status == RIBBON_OK)
	{
		next_piece(span, begin);
		status = mirror_piece(env, span);
		if (status == RIBBON_OK)
			count_piece(span);
	}
	return status;
}

double
ribbon_span_mean(const RibbonSpan *span, unsigned result_bits)
{
	double chance = ribbon_power_of_two(-(int) result_bits);
	double sum = 0;

	for (unsigned left = 0;
		 left <= span->system->row_bits && left < result_bits; left++)
		sum += (double) span->counts[left] *
			(ribbon_power_of_two(-(int) left) - chance);
	return sum / (double) span->system->nstarts / (1 - chance);
}

void
ribbon_span_free(const RibbonEnv *env, RibbonSpan *span)
{
	if (span != NULL)
		ribbon_band_free(env, &span->mirrored);
	ribbon_free(env, span);
}

RibbonStatus
ribbon_span_probability(const RibbonEnv *env, const RibbonBand *band,
						const RibbonSystem *system, unsigned result_bits,
						double *probability)
{
	RibbonSpan *span;
	RibbonStatus status = ribbon_span_create(env, system, &span);

	if (status == RIBBON_OK)
		status = ribbon_span_count(env, span, band, 0);
	if (status == RIBBON_OK)
		*probability = ribbon_span_mean(span, result_bits);
	ribbon_span_free(env, span);
	return status;
}
