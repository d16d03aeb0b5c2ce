/*
 * icml_store_template.h - write an ICML block, and read it back, for one ribbon width
 */
#include "base/template.h"

/* Write the column words, whose front is the block's first slot. */
static inline void
NAME(ribbon_icml, store)(const RibbonSystem *system, uint64_t block,
						 const ROW *words, uint8_t *slots)
{
	unsigned rows = ribbon_icml_rows(system, block);
	unsigned ncolumns = ribbon_icml_columns(system, block);
	uint64_t bit = ribbon_icml_block_bit(system, block);

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

/*
 * The column words of a full block that has been written; zeros if the system
 * has no such block.  Columns up to the 33rd are set.
 */
static inline void
NAME(ribbon_icml, load)(const RibbonSystem *system, uint64_t block,
						const uint8_t *slots, ROW *words)
{
	uint64_t nfull = system->nslots / RIBBON_BITS;
	unsigned ncolumns = block < nfull ? ribbon_icml_columns(system, block) : 0;
	const uint8_t *from = slots + ribbon_icml_block_bit(system, block) / 8;

	for (unsigned i = 0; i < 33; i++)
		words[i] = i < ncolumns ? ROW_FN(load)(from + i * (RIBBON_BITS / 8)) :
								  ROW_FN(zero)();
}

#include "base/template_end.h"
