/*
 * probe_template.h - a kernel's probes, for one ribbon width
 *
 * A kernel brings one function of its own, which is all that its instructions
 * are needed for:
 *
 *	 uint32_t probe<width>_columns(low, high, row, offset)
 *
 * the result bits of eight columns, whose words lie side by side from low (the
 * block that holds the starting position) and from high (the next one) on.
 * It always reads all eight, and drops what is not asked for.  Around it are
 * the steps that lead from a word to these two places, written so that nothing
 * but bumping, which is rare, makes a branch depend on the data: one that does
 * is mispredicted for every other stranger, which costs more than the columns
 * it saves.
 *
 * KERNEL_TARGET is the target attribute of the kernel.
 */
#include "template.h"

#define INLINE static KERNEL_TARGET inline __attribute__((always_inline))

/* Does the word's stored row match? start is below region->whole. */
INLINE bool
NAME(probe, match)(const RibbonRegion *region, RibbonIcmlPair at, uint64_t word,
				   uint64_t start, uint32_t result, unsigned ngroups)
{
	ROW row = ROW_FN(coeff)(word, RIBBON_BITS);
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t bits = NAME(probe, columns)(at.low, at.high, row, offset);

	for (unsigned g = 1; g < ngroups; g++)
	{
		at.low += RIBBON_BITS;
		at.high += RIBBON_BITS;
		bits |= NAME(probe, columns)(at.low, at.high, row, offset) << 8 * g;
	}
	return ((bits ^ result) & ((UINT64_C(1) << nbits) - 1)) == 0;
}

static KERNEL_TARGET bool
NAME(probe, region)(const RibbonRegion *region, uint64_t word, uint64_t start,
					uint32_t result)
{
	if (RIBBON_UNLIKELY(start >= region->whole))
		return ribbon_probe_end(region, word, start, result);
	return NAME(probe, match)(region,
							  ribbon_icml_pair(region, start, RIBBON_BITS),
							  word, start, result, region->groups);
}

/*
 * From layer to layer until one keeps the key.  What is not of the common kind
 * (positions at a layer's ends, the last layer) is left to query.c; a start
 * that smash moves below zero is huge here.
 */
INLINE bool
NAME(probe, layers)(const RibbonFilter *filter, uint64_t word, bool many)
{
	for (const RibbonRegion *layer = filter->layers;; layer++)
	{
		uint64_t start = ribbon_mulhi(word, layer->range) - layer->smash;

		if (RIBBON_UNLIKELY(start >= layer->whole))
			return ribbon_query_from(filter, (int) (layer - filter->layers),
									 word);
		if (RIBBON_LIKELY(!ribbon_layer_bumps(layer, &filter->buckets, start)))
			return NAME(probe,
						match)(layer,
							   ribbon_icml_pair(layer, start, RIBBON_BITS),
							   word, start, ribbon_hash_fingerprint(word),
							   many ? layer->groups : 1);
		word = ribbon_hash_next_layer(word);
	}
}

INLINE bool
NAME(probe, homog)(const RibbonFilter *filter, uint64_t word, bool many)
{
	const RibbonRegion *region = &filter->zones[0];
	uint64_t start = ribbon_mulhi(word, region->range);

	if (RIBBON_UNLIKELY(start >= region->whole))
		return ribbon_probe_end(region, word, start, 0);
	return NAME(probe, match)(region,
							  ribbon_icml_pair(region, start, RIBBON_BITS),
							  word, start, 0, many ? region->groups : 1);
}

/*
 * Find the places of batch keys first .. end - 1 and begin to load them.
 * Keys that are bumped, or too close to an end, are put on their lists without
 * a branch, and probed at a harmless place.
 */
INLINE void
NAME(batch, aim)(const RibbonFilter *filter, const RibbonRegion *region,
				 RibbonBatch *restrict batch, unsigned first, unsigned end,
				 bool homogeneous)
{
	unsigned bytes = 2 * region->columns * (RIBBON_BITS / 8);
	unsigned nrest = batch->nrest;
	unsigned nbumped = batch->nbumped;
	const uint16_t *restrict keys = batch->keys;
	uint16_t *restrict bumped = batch->bumped;

	for (unsigned i = first; i < end; i++)
	{
		unsigned key = keys[i];
		uint64_t start = ribbon_mulhi(batch->words[key], region->range) -
			region->smash;
		bool whole = start < region->whole;
		RibbonIcmlPair at;

		start = whole ? start : 0;
		batch->starts[i] = start;
		batch->rest[nrest] = (uint16_t) key;
		nrest += !whole;
		if (!homogeneous)
		{
			bumped[nbumped] = (uint16_t) key;
			nbumped += (unsigned) whole &
				(unsigned) ribbon_layer_bumps(region, &filter->buckets, start);
		}
		at = ribbon_icml_pair(region, start, RIBBON_BITS);
		batch->places[i] = at;
		__builtin_prefetch(at.low);
		for (unsigned b = 64; b < bytes; b += 64)
			__builtin_prefetch(at.low + b);
		__builtin_prefetch(at.low + bytes - 1);
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
}

INLINE void
NAME(batch, answer)(const RibbonRegion *restrict region,
					const RibbonBatch *restrict batch, bool *restrict answers,
					unsigned first, unsigned end, bool homogeneous, bool many)
{
	const uint16_t *restrict keys = batch->keys;

	for (unsigned i = first; i < end; i++)
	{
		unsigned key = keys[i];
		uint64_t word = batch->words[key];
		uint32_t result = homogeneous ? 0 : ribbon_hash_fingerprint(word);

		answers[key] = NAME(probe, match)(region, batch->places[i], word,
										  batch->starts[i], result,
										  many ? region->groups : 1);
	}
}

INLINE void
NAME(batch, region)(const RibbonFilter *filter, const RibbonRegion *region,
					RibbonBatch *batch, bool homogeneous, bool many)
{
	unsigned n = batch->nkeys;
	unsigned aimed = n < RIBBON_AIMED ? n : RIBBON_AIMED;

	batch->nbumped = batch->nrest = 0;
	NAME(batch, aim)(filter, region, batch, 0, aimed, homogeneous);
	for (unsigned i = 0; i < n;)
	{
		unsigned next = aimed;

		aimed = n - next < RIBBON_AIMED ? n : next + RIBBON_AIMED;
		NAME(batch, aim)(filter, region, batch, next, aimed, homogeneous);
		NAME(batch, answer)
		(region, batch, batch->answers, i, next, homogeneous, many);
		i = next;
	}
}

#define CONTAINS(name, kind, many) \
	static KERNEL_TARGET bool NAME(contains, name)(const RibbonFilter *filter, \
												   uint64_t word) \
	{ \
		return NAME(probe, kind)(filter, word, many); \
	}
#define BATCH(name, homogeneous, many) \
	static KERNEL_TARGET void NAME(batch, name)(const RibbonFilter *filter, \
												const RibbonRegion *region, \
												RibbonBatch *batch) \
	{ \
		NAME(batch, region)(filter, region, batch, homogeneous, many); \
	}

CONTAINS(burr_few, layers, false)
CONTAINS(burr_many, layers, true)
CONTAINS(homog_few, homog, false)
CONTAINS(homog_many, homog, true)
BATCH(burr_few, false, false)
BATCH(burr_many, false, true)
BATCH(homog_few, true, false)
BATCH(homog_many, true, true)

static const RibbonProbes NAME(probe, loops) = {
	NAME(probe, region),
	{{NAME(contains, burr_few), NAME(contains, burr_many)},
	 {NAME(contains, homog_few), NAME(contains, homog_many)}},
	{{NAME(batch, burr_few), NAME(batch, burr_many)},
	 {NAME(batch, homog_few), NAME(batch, homog_many)}},
};

#undef INLINE
#undef CONTAINS
#undef BATCH

#include "template_end.h"
