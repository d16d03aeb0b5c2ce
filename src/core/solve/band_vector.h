/*
 * band_vector.h - the equations in eight slots of a band, by vectors
 *
 * Loops with vectors take the bytes of eight rows or results side by side.
 */
#ifndef RIBBON_BAND_VECTOR_H
#define RIBBON_BAND_VECTOR_H

#include "solve/band.h"
#include "solve/vector.h"

#ifdef RIBBON_VECTOR_BYTES

/* Word c (0 .. 7) shifted up by c bits. */
KERNEL_INLINE Line
line_shift_up(Line x)
{
	static const uint64_t shifts[8] = {0, 1, 2, 3, 4, 5, 6, 7};

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] <<= vector_load(shifts + v * VECTOR_WORDS);
	return x;
}

/* The bits that line_shift_up shifts out of word c, from bit 0 on. */
KERNEL_INLINE Line
line_shift_over(Line x)
{
	static const uint64_t shifts[8] = {63, 62, 61, 60, 59, 58, 57, 56};

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = x.v[v] >> 1 >> vector_load(shifts + v * VECTOR_WORDS);
	return x;
}

/*
 * Byte k of eight rows, each shifted up by its number, becomes bytes[k].
 * Returns the uppermost byte, which is behind the row's width.
 */
KERNEL_INLINE uint64_t
rows_to_bytes(const void *rows, unsigned width, uint64_t *bytes)
{
	Line low = line_zero(), high = line_zero(), over;

	if (width == 128)
		pairs_load(rows, &low, &high);
	else if (width == 64)
		low = line_load(rows);
	else
	{
		uint64_t words[8];

		RIBBON_UNROLL_8
		for (unsigned c = 0; c < 8; c++)
			words[c] = ((const uint32_t *) rows)[c];
		low = line_of_words(words);
	}
	over = line_shift_over(low);
	if (width == 128)
	{
		Line from = line_shift_up(high);

		RIBBON_UNROLL_8
		for (unsigned v = 0; v < VECTORS; v++)
			from.v[v] |= over.v[v];
		line_store(bytes + 8, line_transpose_bytes(from));
		over = line_shift_over(high);
	}
	line_store(bytes, line_transpose_bytes(line_shift_up(low)));
	return width == 32 ? bytes[4] : line_transpose_bytes(over).v[0][0];
}

/* 0xFF in byte c if bit c of byte c is set, else 0. */
static inline uint64_t
word_diagonal(uint64_t x)
{
	x &= UINT64_C(0x8040201008040201);
	x = (x + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
	return (x << 8) - x;
}

/* The band's results, of eight slots from this one on; 2 bytes or more each. */
KERNEL_INLINE void
results_load(const RibbonBand *band, uint64_t slot, uint64_t *words)
{
	unsigned size = band->result_size;

	if (size == 2)
		for (unsigned c = 0; c < 8; c++)
			words[c] = ((const uint16_t *) band->result)[slot + c];
	else if (size == 4)
		for (unsigned c = 0; c < 8; c++)
			words[c] = ((const uint32_t *) band->result)[slot + c];
	else
		memcpy(words, (const uint64_t *) band->result + slot, 64);
}

KERNEL_INLINE void
results_store(const RibbonBand *band, uint64_t slot, const uint64_t *words)
{
	unsigned size = band->result_size;

	if (size == 2)
		for (unsigned c = 0; c < 8; c++)
			((uint16_t *) band->result)[slot + c] = (uint16_t) words[c];
	else if (size == 4)
		for (unsigned c = 0; c < 8; c++)
			((uint32_t *) band->result)[slot + c] = (uint32_t) words[c];
	else
		memcpy((uint64_t *) band->result + slot, words, 64);
}

/*
 * The bytes of the band's results in slots slot .. slot + 7, where filled is
 * 0xFF in the byte of that slot, else 0: bytes[g] has byte g of each.
 */
KERNEL_INLINE void
results_to_bytes(const RibbonBand *band, uint64_t slot, uint64_t filled,
				 unsigned nbytes, uint64_t *bytes)
{
	if (band->result_size > 1)
	{
		results_load(band, slot, bytes);
		line_store(bytes, line_transpose_bytes(line_of_words(bytes)));
	}
	else
		memset(bytes, 0, nbytes * sizeof(uint64_t));
	if (band->result_size == 1)
		bytes[0] = ribbon_load64((const uint8_t *) band->result + slot);
	for (unsigned g = 0; g < nbytes; g++)
		bytes[g] &= filled;
}

#endif /* RIBBON_VECTOR_BYTES */

#endif /* RIBBON_BAND_VECTOR_H */
