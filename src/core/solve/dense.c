/*
 * dense.c - the equations of few keys, and where their solution goes
 */
#include "solve/dense.h"

#include "base/row.h"
#include "format/icml.h"

RibbonStatus
ribbon_dense_create(const RibbonEnv *env, RibbonDense *dense,
					const RibbonSystem *system, size_t n)
{
	size_t nwords;

	dense->n = (unsigned) n;
	dense->nslots = (unsigned) system->nslots;
	dense->nwords = (dense->nslots + system->result_bits + 63) / 64;
	dense->stride = (n + 7) / 8 * 8;
	nwords = dense->nwords * dense->stride;
	dense->memory = ribbon_alloc_array(env, 2 * nwords + 8, sizeof(uint64_t));
	dense->words = (uint64_t *) (((uintptr_t) dense->memory + 63) / 64 * 64);
	dense->rows = dense->words + nwords;
	return dense->memory == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

/* Set the bits at .. of string i, nbits of them, which were 0. */
static inline void
put(const RibbonDense *dense, size_t i, uint64_t at, unsigned nbits,
	uint64_t value)
{
	uint64_t *word = dense->words + at / 64 * dense->stride + i;

	if (nbits == 0)
		return;
	*word |= value << at % 64;
	if (at % 64 + nbits > 64)
		word[dense->stride] |= value >> (64 - at % 64);
}

bool
ribbon_dense_solve(RibbonDense *dense, const RibbonSystem *system,
				   const uint64_t *elements, const RibbonSupply *supply)
{
	unsigned result_bits = system->result_bits;
	unsigned low = (unsigned) ribbon_min64(system->row_bits, 64);
	size_t each = ribbon_supply_stride(supply);

	memset(dense->words, 0, dense->nwords * dense->stride * sizeof(uint64_t));
	for (size_t i = 0; i < dense->n; i++)
	{
		const uint64_t *element = elements + i * each;
		uint64_t hash = *element * system->factor;
		uint64_t start = ribbon_system_start(system, hash);
		uint64_t coeff = ribbon_row64_coeff(hash, low);
		uint64_t result = ribbon_supply_result_of(supply, hash, element) &
			ribbon_low_mask(result_bits);

		if (low + result_bits < 64) /* all rows begin in slot 0 */
			dense->words[i] = coeff | result << low;
		else
		{
			put(dense, i, start, low, coeff);
			if (system->row_bits > 64)
				put(dense, i, start + 64, system->row_bits - 64u,
					ribbon_row128_coeff(hash, system->row_bits).hi);
			put(dense, i, dense->nslots, result_bits, result);
		}
	}
	return ribbon_dense_eliminate(dense);
}

/*
 * Set columns[0..8) to bits bit .. bit + 7 of the results of the slots from
 * slot on, 64 or as many as there are.
 */
static inline void
transpose_results(const RibbonDense *dense, uint64_t slot, unsigned bit,
				  uint64_t *columns)
{
	uint8_t results[64] = {0};

	for (unsigned i = 0; i < dense->nrows; i++)
		if (dense->pivot[i] / 64 == slot / 64)
			results[dense->pivot[i] % 64] = (uint8_t) (dense->results[i] >>
													   bit);
	for (unsigned at = 0; at < 64 && slot + at < dense->nslots; at += 8)
	{
		uint64_t eight = ribbon_load64(results + at), t;

		RIBBON_TRANSPOSE_BITS(eight, t);
		for (unsigned b = 0; b < 8; b++)
			columns[b] |= (eight >> 8 * b & 0xFF) << at;
	}
}

void
ribbon_dense_write(const RibbonDense *dense, const RibbonSystem *system,
				   uint8_t *slots)
{
	for (uint64_t slot = 0; slot < dense->nslots; slot += 64)
	{
		uint64_t columns[RIBBON_MAX_COLUMNS] = {0};
		uint64_t block = slot / system->width;
		unsigned nrows = ribbon_icml_rows(system, block);
		unsigned begin = (unsigned) (slot % system->width);
		uint64_t at = ribbon_icml_block_bit(system, block) + begin;

		for (unsigned b = 0; b < system->result_bits; b += 8)
			transpose_results(dense, slot, b, columns + b);
		for (unsigned b = 0; b < system->result_bits; b++, at += nrows)
			ribbon_or_bits(slots, at,
						   (unsigned) ribbon_min64(nrows - begin, 64),
						   columns[b]);
	}
}
