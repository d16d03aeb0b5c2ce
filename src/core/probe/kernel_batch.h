/*
 * kernel_batch.h - a kernel looks up a batch's hashes in one layer
 *
 * Part of a kernel with vectors (kernel_table.h).  What is left to do for each
 * hash alone, when its place is known (kernel_place.h), is to load its columns,
 * and a few instructions, which leave its result bits in a word.  These are
 * compared for LANES hashes again.
 *
 * No branch depends on the data.  If slots are far, the blocks of RIBBON_AHEAD
 * hashes are loaded while as many others are read.
 */
#ifndef RIBBON_KERNEL_BATCH_H
#define RIBBON_KERNEL_BATCH_H

#include "probe/kernel_place.h"

#ifndef KERNEL_CUTS_ROWS
/* The result bits of eight columns of place k. */
KERNEL_INLINE uint32_t
batch_eight_columns(const RibbonPlaces *places, unsigned k, RibbonIcmlPair at,
					RibbonVariant v)
{
	RibbonRow128 row = {places->heads[k],
						v.width == 128 ? places->seconds[k] : 0};

	return find_eight_columns(at, row, places->tails[k], v);
}
#endif

/* Bytes of a block of a stage's first system, without an additional column. */
KERNEL_INLINE size_t
batch_block_bytes(const RibbonStage *stage, RibbonVariant v)
{
	return (size_t) stage->systems->ncolumns * (v.width / 8);
}

/* Both blocks of place k; block_bytes: how far apart they are, if is_even. */
KERNEL_INLINE RibbonIcmlPair
batch_pair(const RibbonPlaces *places, unsigned k, bool is_even,
		   size_t block_bytes)
{
	const uint8_t *low = (const uint8_t *) (uintptr_t) places->lows[k];
	const uint8_t *high = (const uint8_t *) (uintptr_t) places->highs[k];
	RibbonIcmlPair at = {low, is_even ? low + block_bytes : high};

	return at;
}

/* Begin to load both blocks of place k. */
KERNEL_INLINE void
batch_prefetch_pair(const RibbonPlaces *places, unsigned k, bool is_even,
					size_t block_bytes, RibbonVariant v)
{
	const uint8_t *low = (const uint8_t *) (uintptr_t) places->lows[k];

	ribbon_prefetch(low, 2 * block_bytes + (is_even ? 0 : v.width / 8));
}

/*
 * Begin to load hashes of one group of columns, all as soon as their places are
 * known.  That is best for few lines (w = 64, 10^7 keys at 1 %: 9.1 ns instead
 * of 10.1).  More lines, for sixteen hashes at once, would wait for one
 * another, and the answers for all of them.  Then a hash begins to be loaded
 * when the one that is RIBBON_AHEAD before it is answered (10^6 keys, 15
 * columns: 7.3 ns instead of 8.1).
 */
KERNEL_INLINE void
batch_prefetch_group(const RibbonStage *stage, const RibbonPlaces *places,
					 RibbonVariant v)
{
	size_t block = batch_block_bytes(stage, v);

	for (unsigned k = 0; k < places->n; k++)
	{
		const uint8_t *low = (const uint8_t *) (uintptr_t) places->lows[k];

		/* the blocks are adjacent, and eight columns have v.width bytes */
		for (unsigned b = 0; b < v.width; b += 64)
		{
			__builtin_prefetch(low + b);
			__builtin_prefetch(low + block + b);
		}
		__builtin_prefetch(low + block + v.width - 1);
	}
}

/* Begin to load the first eight columns. */
KERNEL_INLINE void
batch_prefetch_first(const RibbonPlaces *places, RibbonVariant v)
{
	for (unsigned k = 0; k < places->n; k++)
	{
		RibbonIcmlPair at = batch_pair(places, k, false, 0);

		ribbon_prefetch(at.low, v.width);
		ribbon_prefetch(at.high, v.width);
	}
}

/* The result bits of so many groups of columns of two blocks. */
KERNEL_INLINE uint64_t
batch_result_bits(const RibbonPlaces *places, unsigned k, RibbonIcmlPair at,
				  unsigned ngroups, RibbonVariant v)
{
	uint64_t bits = batch_eight_columns(places, k, at, v);

	for (unsigned g = 1; g < ngroups; g++)
	{
		at.low += v.width;
		at.high += v.width;
		bits |= (uint64_t) batch_eight_columns(places, k, at, v) << 8 * g;
	}
	return bits;
}

/*
 * More than sixteen columns in two steps: the first eight turn away most
 * non-members, whose others are then not loaded.  A batch of non-members takes
 * 0.3 to 0.6 of the time that one step takes, but one of members 1.15 to 1.4.
 */
KERNEL_INLINE void
batch_read_in_steps(const RibbonStage *stage, RibbonBatch *batch,
					const RibbonPlaces *here, RibbonVariant v)
{
	size_t block_bytes = batch_block_bytes(stage, v);
	uint64_t *results = batch->results + here->first;
	unsigned left[2 * RIBBON_AHEAD];
	unsigned nleft = 0;

	for (unsigned k = 0; k < here->n; k++)
	{
		RibbonIcmlPair at = batch_pair(here, k, false, 0);
		uint64_t bits = batch_eight_columns(here, k, at, v);

		results[k] = bits;
		left[nleft] = k;
		nleft += (uint8_t) (bits ^ batch->prints[here->first + k]) == 0;
	}
	for (unsigned l = 0; l < nleft; l++)
		batch_prefetch_pair(here, left[l], false, block_bytes, v);
	for (unsigned l = 0; l < nleft; l++)
	{
		unsigned k = left[l];
		RibbonIcmlPair at = batch_pair(here, k, false, 0);

		results[k] = batch_result_bits(here, k, at, stage->systems->groups, v);
	}
}

/* Result bits of hashes whose places are known; begin to load nnext others. */
KERNEL_INLINE void
batch_read_groups(const RibbonStage *stage, RibbonBatch *batch,
				  const RibbonPlaces *here, unsigned ngroups, bool is_even,
				  const RibbonPlaces *next, unsigned nnext, RibbonVariant v)
{
	uint64_t *restrict results = batch->results + here->first;
	size_t block_bytes = batch_block_bytes(stage, v);
	unsigned n = here->n;

	for (unsigned k = 0; k < n; k++)
	{
		RibbonIcmlPair at = batch_pair(here, k, is_even, block_bytes);

		if (k < nnext)
			batch_prefetch_pair(next, k, is_even, block_bytes, v);
		results[k] = batch_result_bits(here, k, at, ngroups, v);
	}
	for (unsigned k = n; k < nnext; k++)
		batch_prefetch_pair(next, k, is_even, block_bytes, v);
}

/* The same, by a loop for as many groups as there are. */
KERNEL_INLINE void
batch_read(const RibbonStage *stage, RibbonBatch *batch,
		   const RibbonPlaces *here, bool is_even, const RibbonPlaces *next,
		   unsigned nnext, RibbonVariant v)
{
	unsigned ngroups = stage->systems->groups;

	if (ngroups == 1 && is_even)
		batch_read_groups(stage, batch, here, 1, true, next, 0, v);
	else if (ngroups == 1)
		batch_read_groups(stage, batch, here, 1, false, next, 0, v);
	else if (ngroups == 2 && is_even)
		batch_read_groups(stage, batch, here, 2, true, next, nnext, v);
	else if (ngroups == 2)
		batch_read_groups(stage, batch, here, 2, false, next, nnext, v);
	else
		batch_read_groups(stage, batch, here, ngroups, is_even, next, nnext, v);
}

/*
 * Answer n <= LANES hashes: are the check bits among these bits those of the
 * prints (RibbonBatch.prints)?
 */
KERNEL_INLINE void
batch_compare(bool *found, Lanes bits, const uint64_t *prints, unsigned n)
{
	Lanes its = lanes_load(prints, LANES);
	Lanes wrong = (bits ^ its) & its >> 32;
	bool some[LANES];

	if (RIBBON_LIKELY(n == LANES))
		lanes_answer(found, wrong);
	else
	{
		lanes_answer(some, wrong);
		memcpy(found, some, n);
	}
}

/*
 * The answers that a batch's result bits give: as ribbon_system_answer, for a
 * filter as for a map without values.
 */
static KERNEL_TARGET __attribute__((noinline)) void
batch_answers(const RibbonOpened *opened, RibbonBatch *batch)
{
	const unsigned nhashes = batch->nhashes;
	const unsigned nvalues = opened->plane.value_bits;
	const unsigned nchecks = opened->plane.check.bits;
	const Lanes checked = lanes_set(ribbon_low_mask(nchecks));
	const Lanes one_more = lanes_set(UINT64_C(1) << nchecks);
	const Lanes values = lanes_set(ribbon_low_mask(nvalues));
	const uint64_t *restrict prints = batch->prints;
	uint64_t *restrict results = batch->results;
	bool *restrict found = batch->found;
	unsigned i = 0;

	if (!ribbon_has_check(opened->plane.check))
	{
		memset(found, true, nhashes);
		if (nvalues % 8 == 0) /* groups have no other bits */
			return;
		for (; i < nhashes; i += LANES)
		{
			unsigned n = batch_lanes(i, nhashes);

			lanes_put(results + i, lanes_load(results + i, n) & values, n);
		}
		return;
	}
	if (nvalues == 0)
	{
		for (; i + LANES <= nhashes; i += LANES)
			batch_compare(found + i, lanes_load(results + i, LANES), prints + i,
						  LANES);
		if (i < nhashes)
			batch_compare(found + i, lanes_load(results + i, nhashes - i),
						  prints + i, nhashes - i);
		return;
	}
	for (; i < nhashes; i += LANES)
	{
		unsigned n = batch_lanes(i, nhashes);
		Lanes bits = lanes_load(results + i, n);

		lanes_put(results + i, bits >> nchecks & values, n);
		/* one more check bit may be behind the value */
		bits = (bits & checked) | (bits >> nvalues & one_more);
		batch_compare(found + i, bits, prints + i, n);
	}
}

/*
 * Answer a batch.  Each time around, places are found for the next hashes, and
 * those before them are read; the first time, these are none.
 */
KERNEL_INLINE void
batch_layer(const RibbonOpened *opened, const RibbonStage *stage,
			RibbonBatch *batch, RibbonVariant v)
{
	const BatchConstants same = batch_constants(opened, stage, v.width);
	const bool is_even = batch_is_even(opened, stage);
	const bool far = opened->far;
	const unsigned ngroups = stage->systems->groups;
	const bool in_steps = stage->in_steps && ngroups > 2;
	RibbonPlaces places[2];
	RibbonPlaces *here = &places[0];
	RibbonPlaces *next = &places[1];

	here->first = here->n = 0;
	batch->nbumped = batch->nends = 0;
	do
	{
		RibbonPlaces *read = here;
		unsigned left;

		next->first = here->first + here->n;
		left = batch->nhashes - next->first;
		next->n = left < 2 * RIBBON_AHEAD ? left : RIBBON_AHEAD;
		for (unsigned k = 0; k < next->n; k += LANES)
			batch_place(opened, stage, batch, next, k, same, v);
		if (in_steps)
		{
			batch_prefetch_first(next, v);
			batch_read_in_steps(stage, batch, here, v);
		}
		else
		{
			if (far && ngroups == 1)
				batch_prefetch_group(stage, next, v);
			batch_read(stage, batch, here, is_even, next,
					   far && ngroups > 1 ? next->n : 0, v);
		}
		here = next;
		next = read;
	} while (here->n > 0);
	batch_answers(opened, batch);
}

#endif /* RIBBON_KERNEL_BATCH_H */
