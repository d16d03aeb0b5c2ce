/*
 * dense.c - the equations of few keys, and where their solution goes
 */
#include "solve/dense.h"

#include "format/icml.h"

RibbonStatus
ribbon_dense_create(const RibbonEnv *env, RibbonDense *dense,
					const RibbonSystem *system, size_t n)
{
	unsigned nwords = (unsigned) (system->nslots + system->ncolumns + 63) / 64;
	size_t all = nwords * n * RIBBON_DENSE_SEEDS;

	dense->system = system;
	dense->n = n;
	dense->nwords = nwords;
	dense->memory = ribbon_alloc_array(env, all + nwords * system->ncolumns + 8,
									   sizeof(uint64_t));
	if (dense->memory == NULL)
		return RIBBON_OUT_OF_MEMORY;
	dense->words = (uint64_t *) (((uintptr_t) dense->memory + 63) / 64 * 64);
	dense->columns = dense->words + all;
	return RIBBON_OK;
}

void
ribbon_dense_write(const RibbonDense *dense, uint8_t *slots)
{
	const RibbonSystem *system = dense->system;

	for (uint64_t slot = 0; slot < system->nslots; slot += 64)
	{
		const uint64_t *column = dense->columns + slot / 64;
		uint64_t block = slot / system->width;
		unsigned nrows = ribbon_icml_rows(system, block);
		unsigned begin = (unsigned) (slot % system->width);
		uint64_t at = ribbon_icml_block_bit(system, block) + begin;

		for (unsigned b = 0; b < system->ncolumns; b++, at += nrows)
			ribbon_or_bits(slots, at,
						   (unsigned) ribbon_min64(nrows - begin, 64),
						   column[b * dense->nwords]);
	}
}
