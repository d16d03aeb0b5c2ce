/*
 * icml.c - fewer columns of a system that is solved
 */
#include "format/icml.h"

#include "base/env.h"

RibbonStatus
ribbon_icml_keep_columns(const RibbonEnv *env, const RibbonSystem *from,
						 const RibbonSystem *to, uint8_t *slots)
{
	uint64_t nblocks = (from->nslots + from->width - 1) / from->width;
	uint64_t nbits = ribbon_icml_bits(to);

	for (uint64_t block = 0; block < nblocks; block++)
	{
		uint64_t block_bits = (uint64_t) ribbon_icml_rows(to, block) *
			ribbon_icml_columns(to, block);

		memmove(slots + ribbon_icml_block_bit(to, block) / 8,
				from->slots + ribbon_icml_block_bit(from, block) / 8,
				(block_bits + 7) / 8);
		if (block % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	if (nbits % 8 > 0)
		slots[nbits / 8] &= (uint8_t) ribbon_low_mask((unsigned) nbits % 8);
	return RIBBON_OK;
}
