/*
 * icml_store_template.h - write an ICML block, for one ribbon width
 */
#include "template.h"

/* Write the column words, whose front is the block's first slot. */
static inline void
NAME(ribbon_icml, store)(const RibbonRegion *region, uint64_t block,
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

#include "template_end.h"
