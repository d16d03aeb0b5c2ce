/*
 * kernel_batch.h - a kernel looks up a batch's hashes in one system
 *
 * Part of a kernel (kernel_table.h).  While RIBBON_AHEAD hashes are answered,
 * the blocks of as many others are loaded.
 */
#ifndef RIBBON_KERNEL_BATCH_H
#define RIBBON_KERNEL_BATCH_H

#include "probe/kernel_layers.h"
#include "probe/locate.h"

/* Begin to load so many bytes. */
KERNEL_INLINE void
batch_prefetch(const uint8_t *from, unsigned bytes)
{
	for (unsigned b = 0; b < bytes; b += 64)
		__builtin_prefetch(from + b);
	__builtin_prefetch(from + bytes - 1);
}

/* Bytes of two blocks. */
KERNEL_INLINE unsigned
batch_pair_bytes(const RibbonSystem *system, RibbonVariant v)
{
	return 2 * system->result_bits * (v.width / 8);
}

/*
 * Find the places of a batch's hashes first .. end - 1 and begin to load them.
 * Those that are bumped, or too close to an end, are put on their lists without
 * a branch, and probed at a harmless place.
 */
KERNEL_INLINE void
batch_places(const RibbonPlan *plan, const RibbonSystem *system,
			 RibbonBatch *restrict batch, unsigned first, unsigned end,
			 RibbonVariant v)
{
	const uint64_t *restrict hashes = batch->hashes;
	unsigned bytes = v.in_steps ?
		v.width : /* the first eight columns of one block */
		batch_pair_bytes(system, v);
	unsigned nrest = batch->nrest;
	unsigned nbumped = batch->nbumped;

	for (unsigned i = first; i < end; i++)
	{
		uint64_t start = ribbon_mulhi(hashes[i], system->range) - system->smash;
		bool whole = start < system->whole;
		RibbonIcmlPair at;

		start = whole ? start : 0;
		batch->starts[i] = start;
		batch->rest[nrest] = (uint16_t) i;
		nrest += !whole;
		if (!v.homogeneous)
		{
			batch->bumped[nbumped] = (uint16_t) i;
			nbumped += (unsigned) whole &
				(unsigned) ribbon_locate_bumps(plan, system, start, v.width);
		}
		at = find_pair(system, start, v);
		batch_prefetch(at.low, bytes);
		if (v.in_steps)
			batch_prefetch(at.high, bytes);
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
}

/* Look up hash i, whose place is known, in all columns. */
KERNEL_INLINE bool
batch_find(const RibbonSystem *restrict system,
		   const RibbonBatch *restrict batch, unsigned i, RibbonVariant v)
{
	return find_whole(system, batch->hashes[i], batch->starts[i], v,
					  &batch->codes[i]);
}

/* The same for the first eight of more columns of a filter: are they right? */
KERNEL_INLINE bool
batch_find_eight(const RibbonSystem *restrict system,
				 const RibbonBatch *restrict batch, unsigned i, RibbonVariant v)
{
	uint64_t hash = batch->hashes[i];
	uint64_t start = batch->starts[i];
	uint32_t bits = find_eight_columns(find_pair(system, start, v),
									   ribbon_row128_coeff(hash, v.width),
									   start, v);

	return (uint8_t) (bits ^ find_print(hash, v)) == 0;
}

/*
 * More than sixteen columns in two steps: the first eight turn away most
 * non-members, whose others are then not loaded.  A batch of non-members takes
 * 0.3 to 0.6 of the time that one step takes, but one of members 1.15 to 1.4.
 */
KERNEL_INLINE void
batch_answer_in_steps(const RibbonSystem *restrict system,
					  RibbonBatch *restrict batch, unsigned first, unsigned end,
					  RibbonVariant v)
{
	unsigned left[RIBBON_AHEAD];
	unsigned nleft = 0;

	for (unsigned i = first; i < end; i++)
	{
		left[nleft] = i;
		nleft += batch_find_eight(system, batch, i, v);
		batch->answers[i] = false;
	}
	for (unsigned k = 0; k < nleft; k++)
		batch_prefetch(find_pair(system, batch->starts[left[k]], v).low,
					   batch_pair_bytes(system, v));
	for (unsigned k = 0; k < nleft; k++)
		batch->answers[left[k]] = batch_find(system, batch, left[k], v);
}

/* Answer hashes first .. end - 1, whose places are known. */
KERNEL_INLINE void
batch_answer(const RibbonSystem *restrict system, RibbonBatch *restrict batch,
			 unsigned first, unsigned end, RibbonVariant v)
{
	bool *restrict answers = batch->answers;

	if (v.in_steps)
		batch_answer_in_steps(system, batch, first, end, v);
	else
		for (unsigned i = first; i < end; i++)
			answers[i] = batch_find(system, batch, i, v);
}

/*
 * Answer a batch; nothing is known of its hashes yet.  Each time around, places
 * are found for some, and those before them are answered.  (vector_system is
 * the same with other steps.)
 */
KERNEL_INLINE void
batch_system(const RibbonPlan *plan, const RibbonSystem *system,
			 RibbonBatch *batch, RibbonVariant v)
{
	unsigned n = batch->nhashes;

	batch->nbumped = batch->nrest = 0;
	for (unsigned begin = 0, end = 0; begin < n;)
	{
		unsigned next = n - end < RIBBON_AHEAD ? n : end + RIBBON_AHEAD;

		batch_places(plan, system, batch, end, next, v);
		batch_answer(system, batch, begin, end, v);
		begin = end;
		end = next;
	}
}

#endif /* RIBBON_KERNEL_BATCH_H */
