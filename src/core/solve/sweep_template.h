/*
 * sweep_template.h - rows from hashes, for one ribbon width
 *
 * KERNEL_TARGET is the kernel's CPUs, RIBBON_WORDS the type of as many 64-bit
 * words as rows are made of at a time.
 */

/* RibbonSweepMakeRows (sweep_step.h). */
static KERNEL_TARGET void
NAME(sweep, rows)(RibbonSweep *sweep, unsigned row_bits, bool supplied)
{
	uint64_t result_mask = sweep->band->result_mask;
	uint64_t low_mask = ribbon_low_mask(row_bits);
	uint64_t high_mask = ribbon_low_mask(row_bits > 64 ? row_bits - 64 : 0);

	/* there is room for what is behind the last equation */
	for (size_t i = sweep->rows.lowest; i < RIBBON_SWEEP_KEYS;
		 i += sizeof(RIBBON_WORDS) / sizeof(uint64_t))
	{
		RIBBON_WORDS hash, extra, offset, product, result, row, rest;

		memcpy(&hash, sweep->rows.low + i, sizeof(hash));
		memcpy(&extra, sweep->rows.extra + i, sizeof(extra));
		offset = extra >> 56 & (RIBBON_SWEEP_SLOTS - 1);
		product = hash * RIBBON_COEFF_MUL0;
		result = product >> 32; /* ribbon_hash_fingerprint */
		if (supplied)
			result = extra;
		row = (RIBBON_COEFF_OF_PRODUCT(product) | 1) & low_mask;
		rest = row >> 1 >> (63 - offset);
		row <<= offset;
		memcpy(sweep->rows.low + i, &row, sizeof(row));
		if (RIBBON_BITS == 128)
		{
			RIBBON_WORDS high = hash * RIBBON_COEFF_MUL1;

			high = RIBBON_COEFF_OF_PRODUCT(high) & high_mask;
			row = high << offset | rest;
			memcpy(sweep->rows.high + i, &row, sizeof(row));
			rest = high >> 1 >> (63 - offset);
		}
		extra = rest << 56 | (result & result_mask);
		memcpy(sweep->rows.extra + i, &extra, sizeof(extra));
	}
}
