/*
 * kernel_place.h - where the hashes of a batch are in one layer
 *
 * Part of kernel_batch.h.  All that leads from hashes to places, rows and
 * fingerprints is done for LANES hashes at once: Lanes are a vector of as many
 * 64-bit words.  Operators of C compute with them, or functions of the kernel.
 */
#ifndef RIBBON_KERNEL_PLACE_H
#define RIBBON_KERNEL_PLACE_H

#include "probe/batch.h"
#include "probe/kernel_slots.h"

#include <string.h>

KERNEL_INLINE Lanes
lanes_set(uint64_t x)
{
	return x + (Lanes){0};
}

/* LANES words, or the first n of them, and zeros. */
KERNEL_INLINE Lanes
lanes_load(const uint64_t *p, unsigned n)
{
	Lanes x;

	if (RIBBON_UNLIKELY(n < LANES))
		return lanes_load_some(p, n);
	memcpy(&x, p, sizeof(x));
	return x;
}

KERNEL_INLINE void
lanes_store(uint64_t *p, Lanes x)
{
	memcpy(p, &x, sizeof(x));
}

/* LANES words, or the first n of them. */
KERNEL_INLINE void
lanes_put(uint64_t *p, Lanes x, unsigned n)
{
	if (RIBBON_UNLIKELY(n < LANES))
		lanes_store_some(p, x, n);
	else
		lanes_store(p, x);
}

#ifndef KERNEL_CUTS_ROWS
/* Note what batch_eight_columns needs of rows and starts. */
KERNEL_INLINE void
batch_put_row(RibbonPlaces *places, unsigned k, Lanes row, Lanes start,
			  RibbonVariant v)
{
	(void) v;
	lanes_store(places->heads + k, row);
	lanes_store(places->tails + k, start);
}
#endif

/* ribbon_mulhi, where b is below 2^32. */
KERNEL_INLINE Lanes
lanes_mulhi(Lanes a, Lanes b)
{
	return (lanes_mul32(a >> 32, b) + (lanes_mul32(a, b) >> 32)) >> 32;
}

/* ribbon_locate_start, below nstarts = range - 2 * smash */
KERNEL_INLINE Lanes
lanes_start(Lanes hashes, Lanes range, Lanes smash)
{
	Lanes start = lanes_min32(lanes_mulhi(hashes, range), range - smash - 1);

	return lanes_max32(start, smash) - smash;
}

/* ribbon_hash_coeff */
KERNEL_INLINE Lanes
lanes_coeff(Lanes hashes, uint64_t multiplier)
{
	Lanes c = hashes * multiplier;

	return RIBBON_COEFF_OF_PRODUCT(c);
}

/*
 * What is the same for all hashes of a batch.  The loop over them keeps it in
 * registers: a compiler would load members of the stage again in each round,
 * for it cannot know that what the loop stores does not change them.
 */
typedef struct BatchConstants
{
	Lanes range, smash, whole, factor, slots, end; /* of the first system */
	Lanes block_bytes;	/* of a block without the additional column */
	Lanes checked;		/* in the upper half of a word: bits to compare, */
	Lanes checked_more; /* and those with one more */
	bool has_check;		/* is any compared? */
} BatchConstants;

KERNEL_INLINE BatchConstants
batch_constants(const RibbonOpened *opened, const RibbonStage *stage,
				unsigned width)
{
	unsigned nchecks = opened->plane.check.bits;
	unsigned columns = nchecks + opened->plane.value_bits;

	return (BatchConstants){
		.range = lanes_set(stage->range[0]),
		.smash = lanes_set(stage->smash[0]),
		.whole = lanes_set(stage->whole[0]),
		.factor = lanes_set(stage->factor[0]),
		.slots = lanes_set(stage->slots[0]),
		.end = lanes_set(stage->end[0]),
		.block_bytes = lanes_set(columns * (width / 8)),
		.checked = lanes_set(ribbon_low_mask(nchecks) << 32),
		.checked_more = lanes_set(ribbon_low_mask(nchecks + 1) << 32),
		.has_check = ribbon_has_check(opened->plane.check),
	};
}

/*
 * Is the second block of each hash not noted, but as many bytes behind the
 * first one?  So it is where all blocks of a stage have as many columns, and
 * few of them.  That is a load less, which with AVX-512 takes 0.93 to 0.97 of
 * the time; with AVX2 it would take 1.02 to 1.04.
 */
KERNEL_INLINE bool
batch_is_even(const RibbonOpened *opened, const RibbonStage *stage)
{
	return LANES == 8 && stage->systems->groups <= 2 &&
		(stage->is_last ? opened->plane.split == 0 :
						  stage->systems->wide_block == RIBBON_NO_BLOCK);
}

/* As ribbon_locate_last: the number of the zone among several. */
KERNEL_INLINE Lanes
batch_zones(const RibbonOpened *opened, Lanes *hashes)
{
	Lanes step = lanes_set(opened->zones.step[0]);
	Lanes base = lanes_set(opened->zones.base[0]);
	unsigned split = opened->plane.split;
	unsigned bits = 4 * opened->plane.rotation;
	LanesMask is_wide;

	if (split == 0) /* the base is 0, and the step below 2^32 */
		return lanes_mul32(*hashes >> RIBBON_SHARE_SHIFT, step) >> 32;
	*hashes = *hashes << bits | *hashes >> (-bits & 63);
	is_wide = lanes_less(lanes_set(RIBBON_SHARES - 1 - split),
						 *hashes >> RIBBON_SHARE_SHIFT);
	step = lanes_select(is_wide, lanes_set(opened->zones.step[1]), step);
	base = lanes_select(is_wide, lanes_set(opened->zones.base[1]), base);
	return ((*hashes >> RIBBON_SHARE_SHIFT) * step + base) >> 32;
}

/*
 * As find_pair: set lows and highs.  has_more: which are in wide zones, whose
 * blocks have one more column.
 */
KERNEL_INLINE void
batch_pairs(const RibbonOpened *opened, const RibbonStage *stage,
			RibbonPlaces *places, unsigned k, Lanes start, Lanes slots,
			Lanes block_bytes, LanesMask has_more, RibbonVariant v)
{
	const Lanes none = lanes_set(0);
	const Lanes column = lanes_set(v.width / 8);
	Lanes block = start / v.width;

	if (stage->is_last && opened->plane.split > 0)
		block_bytes += lanes_select(has_more, column, none);
	slots += lanes_mul32(block, block_bytes);
	if (!stage->is_last && stage->systems->wide_block != RIBBON_NO_BLOCK)
	{
		Lanes wide = block - stage->systems->wide_block;
		LanesMask is_narrow = lanes_less(wide, none);

		slots += lanes_select(is_narrow, none, wide * (v.width / 8));
		block_bytes += lanes_select(is_narrow, none, column);
	}
	lanes_store(places->lows + k, slots);
	if (!batch_is_even(opened, stage))
		lanes_store(places->highs + k, slots + block_bytes);
}

/* Which starts the layer bumps: as ribbon_locate_bumps. */
KERNEL_INLINE LanesMask
batch_bumps(const RibbonOpened *opened, const RibbonSystem *layer, Lanes start,
			unsigned width)
{
	const RibbonBuckets *buckets = &opened->plane.buckets;
	const Lanes none = lanes_set(0);
	const uint8_t *bytes = layer->thresholds;
	Lanes bucket = start >> buckets->log2_size;
	Lanes threshold;

	if (width == 128 && buckets->grouped) /* as ribbon_grouped_threshold */
	{
		Lanes group = bucket / RIBBON_GROUP_BUCKETS * RIBBON_GROUP_BYTES;
		Lanes k = bucket % RIBBON_GROUP_BUCKETS;
		/* a few bytes behind the last one are read, which are slots */
		Lanes exception = lanes_gather32(bytes, group) & 255;
		Lanes bits = lanes_gather32(bytes + 1, group + (k >> 3)) >> (k & 7);
		Lanes is_other = exception % RIBBON_GROUP_BUCKETS ^ k;
		Lanes code = lanes_select(lanes_less(none, is_other), none,
								  exception >> 6);
		LanesMask is_full = lanes_less(lanes_set(RIBBON_GROUP_ALL - 1),
									   exception);
		Lanes share = lanes_select(is_full, lanes_set(64), exception);
		LanesMask is_for_all = lanes_less((exception - 1) & 255,
										  lanes_set(RIBBON_GROUP_ALL));

		threshold = lanes_threshold(buckets->threshold + 1, code) & UINT32_MAX;
		threshold = lanes_select(is_for_all, share << buckets->log2_size >> 6,
								 threshold);
		threshold &= none - (bits & 1);
	}
	else
	{
		Lanes codes = lanes_gather32(bytes, bucket / 16 * 4);

		threshold = lanes_threshold(buckets->threshold,
									codes >> (bucket * 2 & 31) & 3);
	}
	return lanes_less(start & opened->bucket_mask, threshold);
}

/* How many of n hashes are in the lanes that begin with hash i. */
KERNEL_INLINE unsigned
batch_lanes(unsigned i, unsigned n)
{
	return n - i < LANES ? n - i : LANES;
}

/* Append the numbers of those of n hashes from i on that are in the mask. */
KERNEL_INLINE void
batch_note(uint16_t *list, unsigned *nlisted, unsigned i, unsigned n,
		   LanesMask mask)
{
	*nlisted += lanes_put_numbers(list + *nlisted, i, mask & lanes_first(n));
}

/* Places k .. k + LANES - 1, and what else is known of these hashes. */
KERNEL_INLINE void
batch_place(const RibbonOpened *opened, const RibbonStage *stage,
			RibbonBatch *batch, RibbonPlaces *places, unsigned k,
			BatchConstants same, RibbonVariant v)
{
	unsigned i = places->first + k;
	unsigned n = batch_lanes(k, places->n);
	Lanes hashes = lanes_load(batch->hashes + i, n);
	Lanes zones = lanes_set(0);
	Lanes start, prints;
	LanesMask has_more = lanes_less(zones, zones);
	LanesMask is_whole;

	if (stage->is_last)
	{
		unsigned nzones = stage->nsystems;

		if (nzones > 1)
		{
			zones = batch_zones(opened, &hashes);
			same.range = lanes_of_table(stage->range, zones, nzones);
			same.smash = lanes_of_table(stage->smash, zones, nzones);
			same.whole = lanes_of_table(stage->whole, zones, nzones);
			same.factor = lanes_of_table(stage->factor, zones, nzones);
			same.slots = lanes_of_table(stage->slots, zones, nzones);
			same.end = lanes_of_table(stage->end, zones, nzones);
		}
		hashes *= same.factor;
		if (opened->plane.split > 0)
			has_more = lanes_less(lanes_set(opened->plane.nzones[0]),
								  zones + 1);
	}
	else if (opened->plane.check.wide > 0)
		has_more = lanes_less(lanes_set(stage->systems->last_narrow >>
										RIBBON_SHARE_SHIFT),
							  hashes >> RIBBON_SHARE_SHIFT);

	start = lanes_start(hashes, same.range, same.smash);
	is_whole = lanes_less(start, same.whole);
	if (!stage->is_last && opened->plane.kind != RIBBON_HOMOGENEOUS)
		batch_note(batch->bumped, &batch->nbumped, i, n,
				   batch_bumps(opened, stage->systems, start, v.width));
	if (stage->lists_ends &&
		RIBBON_UNLIKELY(lanes_bits(is_whole) != (1u << LANES) - 1))
		batch_note(batch->ends, &batch->nends, i, n, ~is_whole);
	batch_pairs(opened, stage, places, k, start,
				lanes_select(is_whole, same.slots, same.end), same.block_bytes,
				has_more, v);
	batch_put_row(places, k, lanes_coeff(hashes, RIBBON_COEFF_MUL0) | 1, start,
				  v);
	if (v.width == 128)
		lanes_store(places->seconds + k,
					lanes_coeff(hashes, RIBBON_COEFF_MUL1));
	if (!same.has_check)
		return;
	prints = hashes * RIBBON_COEFF_MUL0 >> 32; /* ribbon_hash_fingerprint */
	if (opened->plane.kind == RIBBON_HOMOGENEOUS)
		prints = lanes_set(0);
	if (opened->plane.check.wide > 0)
		same.checked = lanes_select(has_more, same.checked_more, same.checked);
	lanes_store(batch->prints + i, prints | same.checked);
}

#endif /* RIBBON_KERNEL_PLACE_H */
