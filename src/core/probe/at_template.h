/*
 * at_template.h - a kernel looks up a hash anywhere in a system, for one ribbon
 * width
 *
 * Near its end, whole words or groups of eight columns could lie outside of the
 * value.  The second block may be short: then its columns begin at any bit.  A
 * system of fewer than w slots has one block only.  Part of a kernel
 * (kernel_table.h).
 */

/* The result bits of a hash's first nbits columns. */
KERNEL_INLINE uint64_t
NAME(end, columns)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				   unsigned nbits)
{
	uint64_t block = start / RIBBON_BITS;
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	ROW row = ROW_FN(coeff)(hash, system->row_bits);
	ROW head = ROW_FN(head)(row, offset);
	ROW tail = ROW_FN(tail)(row, offset);
	uint64_t bits = 0;

	if (system->nslots < RIBBON_BITS)
	{
		for (unsigned i = 0; i < nbits; i++)
		{
			ROW slots = ROW_FN(load_bits)(system->slots, i * system->nslots,
										  system->row_bits);

			bits |= (uint64_t) ROW_FN(dot)(slots, row) << i;
		}
	}
	else
	{
		RibbonIcmlPair at = ribbon_icml_pair(system, start, RIBBON_BITS);
		uint64_t bit = (uint64_t) (at.high - system->slots) * 8;
		unsigned rows = offset == 0 ? 0 : ribbon_icml_rows(system, block + 1);

#if RIBBON_BITS == 64 && defined(KERNEL_ENDS)
		if (RIBBON_LIKELY(offset <= 57 && nbits <= 8))
			return end64_eight(at.low, system->slots, bit + offset, rows, nbits,
							   row, offset);
#endif
		for (unsigned i = 0; i < nbits; i++)
		{
			ROW low = ROW_FN(load)(at.low + i * (RIBBON_BITS / 8));
			ROW high = ROW_FN(load_bits)(system->slots, bit, offset);

			bits |= (uint64_t) ROW_FN(dot_pair)(low, head, high, tail) << i;
			bit += rows;
		}
	}
	return bits;
}

/* A start from system->whole on; print is what the check bits are to be. */
static KERNEL_TARGET __attribute__((noinline)) bool
NAME(end, get)(const RibbonSystem *system, uint64_t hash, uint32_t print,
			   uint64_t start, uint64_t *code)
{
	unsigned nbits = ribbon_system_bits(system, hash);

	start = ribbon_min64(start, system->nstarts - 1);
	return ribbon_system_answer(system, print, nbits,
								NAME(end, columns)(system, hash, start, nbits),
								code);
}

#if KERNEL_SIZE == KERNEL_FULL
/* The same of a filter. */
static KERNEL_TARGET __attribute__((noinline)) bool
NAME(end, contains)(const RibbonSystem *system, uint64_t hash, uint32_t print,
					uint64_t start)
{
	unsigned nbits = ribbon_system_bits(system, hash);
	uint64_t bits;

	start = ribbon_min64(start, system->nstarts - 1);
	bits = NAME(end, columns)(system, hash, start, nbits);
	return ((bits ^ print) & ribbon_low_mask(nbits)) == 0;
}
#endif

/* A RibbonFindAt; a filter is looked up as a map without values. */
static KERNEL_TARGET __attribute__((noinline)) bool
NAME(at, find)(const RibbonSystem *system, uint64_t hash, uint64_t start,
			   uint64_t *code)
{
	const RibbonVariant v = {.width = RIBBON_BITS,
							 .shape = RIBBON_SHAPE_ANY,
							 .gives_values = true};

	if (RIBBON_LIKELY(start < system->whole))
		return find_whole(system, hash, start, v, code);
	return NAME(end, get)(system, hash, find_print(hash, v), start, code);
}
