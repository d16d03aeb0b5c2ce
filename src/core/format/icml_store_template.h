/*
 * icml_store_template.h - write an ICML block, and read one, for one ribbon
 * width
 */

/*
 * Write columns[0..ncolumns) to a block of slots, of which bit 0 is the block's
 * first slot.  The bytes must be zero before if the block is not full.
 */
static inline void
NAME(ribbon_icml, store)(const RibbonSystem *system, uint64_t block,
						 const ROW *columns, uint8_t *slots)
{
	unsigned rows = ribbon_icml_rows(system, block);
	unsigned ncolumns = ribbon_icml_columns(system, block);
	uint64_t bit = ribbon_icml_block_bit(system, block);

	if (rows == RIBBON_BITS)
	{
		for (unsigned i = 0; i < ncolumns; i++)
			ROW_FN(store)(slots + bit / 8 + i * (RIBBON_BITS / 8), columns[i]);
	}
	else
	{
		for (unsigned i = 0; i < ncolumns; i++)
			ROW_FN(or_bits)(slots, bit + (uint64_t) i * rows, rows, columns[i]);
	}
}

/*
 * Set columns[0..RIBBON_MAX_COLUMNS) to those of a full block that has been
 * written; to zero where the block has no such column, or the system no such
 * full block.
 */
static inline void
NAME(ribbon_icml, load)(const RibbonSystem *system, uint64_t block,
						const uint8_t *slots, ROW *columns)
{
	uint64_t nfull = system->nslots / RIBBON_BITS;
	unsigned ncolumns = block < nfull ? ribbon_icml_columns(system, block) : 0;
	const uint8_t *from = slots + ribbon_icml_block_bit(system, block) / 8;

	for (unsigned i = 0; i < RIBBON_MAX_COLUMNS; i++)
		columns[i] = i < ncolumns ? ROW_FN(load)(from + i * (RIBBON_BITS / 8)) :
									(ROW){0};
}
