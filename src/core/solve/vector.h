/*
 * vector.h - vectors of bytes, for AVX2, NEON, or AVX-512
 *
 * A Vector is one register of RIBBON_VECTOR_BYTES bytes, seen as 64-bit words,
 * so that C's operators add, shift and combine words.  What C cannot say is in
 * vector_avx2_part.h, vector_neon_part.h, both with vector_tables_part.h, and
 * in vector_avx512_part.h, which a file gets that defines VECTOR_AVX512 before.
 * A Line is 64 bytes: eight words, in as many Vectors as it takes.  Functions
 * that use these have the target attribute KERNEL_TARGET (base/kernel.h).
 */
#ifndef RIBBON_VECTOR_H
#define RIBBON_VECTOR_H

#include "base/bits.h"
#include "base/kernel.h"
#include "solve/band.h"

#include <stdbool.h>

#if defined(__x86_64__)

#include <immintrin.h>

#ifdef VECTOR_AVX512
#define RIBBON_VECTOR_BYTES 64
#define KERNEL_TARGET		RIBBON_TARGET(RIBBON_AVX512 ",avx512vbmi,gfni,bmi")
#else
#define RIBBON_VECTOR_BYTES 32
#define KERNEL_TARGET		RIBBON_TARGET(RIBBON_AVX2 ",bmi")
#endif

#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include <arm_neon.h>

#define RIBBON_VECTOR_BYTES 16
#define KERNEL_TARGET

#endif

#ifdef RIBBON_VECTOR_BYTES

#define VECTORS		 (64 / RIBBON_VECTOR_BYTES) /* of a Line */
#define VECTOR_WORDS (RIBBON_VECTOR_BYTES / 8)

typedef uint64_t Vector __attribute__((vector_size(RIBBON_VECTOR_BYTES)));

typedef struct Line
{
	Vector v[VECTORS];
} Line;

/* The number of trailing zeros, 64 of 0. */
KERNEL_INLINE uint64_t
ctz_or_64(uint64_t x)
{
#if defined(__x86_64__)
	return _tzcnt_u64(x);
#else
	return x == 0 ? 64 : (uint64_t) ribbon_ctz64(x);
#endif
}

KERNEL_INLINE Vector
vector_load(const void *p)
{
	Vector x;

	memcpy(&x, p, sizeof(x));
	return x;
}

KERNEL_INLINE void
vector_store(void *p, Vector x)
{
	memcpy(p, &x, sizeof(x));
}

/* All words are this one. */
KERNEL_INLINE Vector
vector_all(uint64_t word)
{
	return (Vector){0} + word;
}

/* In each 16 bytes, these two words. */
KERNEL_INLINE Vector
vector_repeat(uint64_t first, uint64_t second)
{
	Vector x = vector_all(first);

	RIBBON_UNROLL_8
	for (unsigned i = 1; i < VECTOR_WORDS; i += 2)
		x[i] = second;
	return x;
}

KERNEL_INLINE Line
line_load(const void *p)
{
	Line x;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_load((const uint8_t *) p + v * sizeof(Vector));
	return x;
}

/*
 * Eight words that were stored one by one just now: a load of all would wait
 * until the cache has them.
 */
KERNEL_INLINE Line
line_of_words(const uint64_t *w)
{
	Line x;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++, w += VECTOR_WORDS)
#if VECTOR_WORDS == 8
		x.v[v] = (Vector){w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]};
#elif VECTOR_WORDS == 4
		x.v[v] = (Vector){w[0], w[1], w[2], w[3]};
#else
		x.v[v] = (Vector){w[0], w[1]};
#endif
	return x;
}

KERNEL_INLINE void
line_store(void *p, Line x)
{
	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		vector_store((uint8_t *) p + v * sizeof(Vector), x.v[v]);
}

KERNEL_INLINE Line
line_zero(void)
{
	Line zero;

	memset(&zero, 0, sizeof(zero));
	return zero;
}

#ifdef VECTOR_AVX512
#include "solve/vector_avx512_part.h"
#else
#include "solve/vector_tables_part.h"
#endif

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

#endif /* RIBBON_VECTOR_H */
