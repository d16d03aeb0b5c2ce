/*
 * backsubst_template.h - scalar back substitution, for one ribbon width
 *
 * KERNEL_TARGET is the target attribute of the kernel.
 */
#include "template.h"

static KERNEL_TARGET RibbonStatus
NAME(backsubst, loop)(const RibbonEnv *env, const RibbonBand *band,
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
				result = ribbon_backsubst_unit_row(region->columns, nfree++);
		}
		else
			result = ribbon_band_result(band, slot);

		for (unsigned i = 0; i < ncolumns; i++)
		{
			ROW word = ROW_FN(push)(words[i]);

			words[i] =
				ROW_FN(set_front)(word,
								  (ROW_FN(dot)(word, row) ^ result >> i) & 1);
		}

		if (slot % RIBBON_BITS == 0)
		{
			NAME(ribbon_icml, store)
			(region, slot / RIBBON_BITS, words, slots);
			if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	return RIBBON_OK;
}

#include "template_end.h"
