/*
 * span.c - P: how many non-members' equations follow from the keys' equations
 *
 * Banding gave each row a first bit of its own.  To give each a last bit of its
 * own, reverse the rows (bit i becomes bit w - 1 - i) and band them again, from
 * right to left, in the mirrored band.  The slots that this fills are those in
 * which rows end, and only their number is needed.  Slots further left depend
 * only on the rows that end in the next w slots: the state.
 *
 *----------
 *	 band			 ...|at       done       end|      w      |...
 *	 mirrored		         |w + done ..........w|w-1 ....... 0|
 *----------
 *
 * If few starts are to be counted, most slots need not be done.  Banding begins
 * anew some slots (the margin) behind the next start, twice: once as if no row
 * ended behind that place, once as if a row ended in each slot there.  The rows
 * inside slots s .. s+w'-1 are at least those of the first, and at most those
 * of the second.  If both have the same number of them, that number is true,
 * and so is the state.  If not, the margin is doubled, until it reaches the
 * last slot whose state is known.
 */
#include "solve/span.h"

#include "base/power.h"

#define PIECE_SLOTS	 1024 /* of the mirrored band */
#define FIRST_MARGIN 256  /* slots behind a start; more than w */

struct RibbonSpan
{
	const RibbonSystem *system;
	const RibbonBand *band;
	RibbonBand mirrored;
	uint64_t at;		  /* the slots from this one on are done */
	uint64_t end;		  /* the mirrored band is of slots before this one */
	unsigned inside;	  /* rows that begin and end in the w' slots from at */
	uint64_t counts[129]; /* starting positions, by how many of w' dimensions
						   * their rows have left */
	/* the last state that is known to be true */
	uint64_t true_at;
	unsigned true_inside;
	RibbonRow128 true_rows[128];
};

/* The mirrored slot of a slot of the system. */
static inline uint64_t
mirror(const RibbonSpan *span, uint64_t slot)
{
	return span->end + span->mirrored.width - 1 - slot;
}

/* Bytes of the state: w rows. */
static inline size_t
state_bytes(const RibbonSpan *span)
{
	return span->mirrored.width * (span->mirrored.width / 8);
}

static inline bool
is_filled(const RibbonSpan *span, uint64_t slot)
{
	return !ribbon_band_is_empty(span->band, slot - span->band->first);
}

/* Go on with an empty mirrored band, which has the state and nothing else. */
static void
begin_piece(RibbonSpan *span)
{
	uint8_t *rows = (uint8_t *) span->mirrored.coeff;

	memmove(rows, rows + (span->end - span->at) * (span->mirrored.width / 8),
			state_bytes(span));
	memset(rows + state_bytes(span), 0,
		   PIECE_SLOTS * (span->mirrored.width / 8));
	span->end = span->at;
}

/* Do one more slot, to the left of those that are done. */
static void
step(RibbonSpan *span)
{
	uint64_t slot;
	uint64_t behind;

	if (span->end - span->at == PIECE_SLOTS)
		begin_piece(span);
	slot = --span->at;
	/* a row of w bits whose last one is in slot s begins w - 1 before it */
	if (is_filled(span, slot))
		span->inside += ribbon_band_insert_reversed(&span->mirrored,
													span->end - slot,
													span->band,
													slot - span->band->first) !=
			RIBBON_BAND_REDUNDANT;
	/* a row that ends at slot + w' does not end inside any more */
	behind = mirror(span, slot + span->system->row_bits);
	span->inside -= !ribbon_band_is_empty(&span->mirrored, behind);
}

/* Do the slots down to this one. */
static RibbonStatus
advance(const RibbonEnv *env, RibbonSpan *span, uint64_t slot)
{
	while (span->at > slot)
	{
		step(span);
		if (span->at % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* Begin anew before a slot, as if no row ended from there on. */
static void
begin_with_none(RibbonSpan *span, uint64_t slot)
{
	span->at = span->end = slot;
	span->inside = 0;
	memset(span->mirrored.coeff, 0, state_bytes(span));
	begin_piece(span);
}

/* The same, as if in each slot from there on a row ended, of that one bit. */
static void
begin_with_all(RibbonSpan *span, uint64_t slot)
{
	begin_with_none(span, slot);
	span->inside = span->system->row_bits;
	for (unsigned i = 0; i < span->mirrored.width; i++)
		ribbon_band_store_bit(&span->mirrored, i);
}

static void
keep_state(RibbonSpan *span)
{
	begin_piece(span);
	span->true_at = span->at;
	span->true_inside = span->inside;
	memcpy(span->true_rows, span->mirrored.coeff, state_bytes(span));
}

static void
go_back(RibbonSpan *span)
{
	begin_with_none(span, span->true_at);
	span->inside = span->true_inside;
	memcpy(span->mirrored.coeff, span->true_rows, state_bytes(span));
}

/*
 * Is the state of a slot the true one if banding begins anew so far behind it?
 */
static RibbonStatus
try_margin(const RibbonEnv *env, RibbonSpan *span, uint64_t slot,
		   uint64_t margin, bool *is_true)
{
	unsigned least;
	RibbonStatus status;

	begin_with_none(span, slot + margin);
	status = advance(env, span, slot);
	least = span->inside;
	if (status != RIBBON_OK)
		return status;
	begin_with_all(span, slot + margin);
	status = advance(env, span, slot);
	*is_true = span->inside == least;
	return status;
}

/* Find the true state of a slot before those that are done. */
static RibbonStatus
go_to(const RibbonEnv *env, RibbonSpan *span, uint64_t slot)
{
	RibbonStatus status = RIBBON_OK;
	bool is_true = false;

	if (span->at - slot <= 2 * FIRST_MARGIN)
		return advance(env, span, slot);
	keep_state(span);
	for (uint64_t margin = FIRST_MARGIN;
		 2 * margin < span->true_at - slot && status == RIBBON_OK && !is_true;
		 margin *= 2)
		status = try_margin(env, span, slot, margin, &is_true);
	if (status != RIBBON_OK || is_true)
		return status;
	go_back(span);
	return advance(env, span, slot);
}

RibbonStatus
ribbon_span_create(const RibbonEnv *env, const RibbonSystem *system,
				   RibbonSpan **span)
{
	RibbonSpan *new = ribbon_alloc_zeroed(env, sizeof(RibbonSpan));

	*span = new;
	if (new == NULL)
		return RIBBON_OUT_OF_MEMORY;
	new->system = system;
	new->at = new->end = system->nslots;
	return ribbon_band_create(env, &new->mirrored, system->width + PIECE_SLOTS,
							  system->width, 0);
}

RibbonStatus
ribbon_span_count(const RibbonEnv *env, RibbonSpan *span,
				  const RibbonBand *band, uint64_t begin, uint64_t end,
				  const uint64_t *starts, uint64_t first)
{
	const RibbonSystem *system = span->system;
	uint64_t start = ribbon_min64(end, system->nstarts);
	RibbonStatus status = RIBBON_OK;

	span->band = band;
	while (status == RIBBON_OK && start > begin)
	{
		if (starts != NULL)
			start = first +
				ribbon_last_bit_end(starts, begin - first, start - first);
		if (start > begin && is_filled(span, --start))
		{
			status = go_to(env, span, start);
			span->counts[system->row_bits - span->inside]++;
		}
	}
	/* the state is all that is left of these slots when the next ones come */
	return status == RIBBON_OK && begin > 0 ? go_to(env, span, begin) : status;
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
