/*
 * backsubst_template.h - back substitution for one ribbon width
 */
#include "template.h"

/* Write the column words, whose front is the block's first slot. */
static inline void
NAME(backsubst, store_block)(const RibbonRegion *region, uint64_t block,
							 const ROW *words, uint8_t *slots)
{
	unsigned rows = ribbon_icml_rows(region, block);
	unsigned ncolumns = ribbon_icml_columns(region, block);
	uint64_t bit = ribbon_icml_block_bit(region, block);

	if (rows == RIBBON_BITS)
	{
		for (unsigned i = 0; i < ncolumns; i++)
			ROW_FN(store)(slots + bit / 8 + i * (RIBBON_BITS / 8), words[i]);
	}
	else
	{
		for (unsigned i = 0; i < ncolumns; i++)
			ROW_FN(or_bits)(slots, bit + (uint64_t) i * rows, rows, words[i]);
	}
}

static RibbonStatus
NAME(backsubst, solve)(const RibbonEnv *env, const RibbonBand *band,
					   const RibbonRegion *region, RibbonFreeSlots free_slots,
					   uint8_t *slots)
{
	const ROW *coeff = (const ROW *) band->coeff;
	ROW words[33];
	unsigned ncolumns = region->columns + (region->wide > 0);
	uint64_t nfree = 0;

	for (unsigned i = 0; i < ncolumns; i++)
		words[i] = ROW_FN(zero)();

	for (uint64_t slot = region->nslots; slot-- > 0;)
	{
		ROW row = coeff[slot];
		uint32_t result = 0;

		if (ROW_FN(is_zero)(row))
		{
			if (free_slots == RIBBON_FREE_UNIT)
				result = unit_row(region->columns, nfree++);
		}
		else if (band->result != NULL)
			result = band->result[slot];

		for (unsigned i = 0; i < ncolumns; i++)
		{
			ROW word = ROW_FN(push)(words[i]);

			words[i] =
				ROW_FN(set_front)(word,
								  (ROW_FN(dot)(word, row) ^ result >> i) & 1);
		}

		if (slot % RIBBON_BITS == 0)
		{
			NAME(backsubst, store_block)
			(region, slot / RIBBON_BITS, words, slots);
			if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	return RIBBON_OK;
}

#include "template_end.h"
