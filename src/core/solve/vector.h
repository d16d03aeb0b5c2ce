/*
 * vector.h - vectors of bytes, for AVX2 and NEON
 *
 * A Vector is one register of RIBBON_VECTOR_BYTES bytes, seen as 64-bit words,
 * so that C's operators add, shift and combine words.  What C cannot say is in
 * vector_avx2_part.h and in vector_neon_part.h.  A Line is 64 bytes:
 * eight words, in as many Vectors as it takes.  Functions that use these have
 * the target attribute KERNEL_TARGET (base/kernel.h).
 */
#ifndef RIBBON_VECTOR_H
#define RIBBON_VECTOR_H

#include "base/bits.h"
#include "base/kernel.h"
#include "solve/band.h"

#include <stdbool.h>

#if defined(__x86_64__)

#include <immintrin.h>

#define RIBBON_VECTOR_BYTES 32
#define KERNEL_TARGET		RIBBON_TARGET("avx2,bmi,bmi2,popcnt")

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

KERNEL_INLINE Line
line_load(const void *p)
{
	Line x;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_load((const uint8_t *) p + v * sizeof(Vector));
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

/* Two tables, each of 16 sums of four bytes (vector_sums). */
typedef struct Sums
{
	Vector v[32 / RIBBON_VECTOR_BYTES];
} Sums;

#if defined(__x86_64__)
#include "solve/vector_avx2_part.h"
#else
#include "solve/vector_neon_part.h"
#endif

/*
 * Eight words that were stored one by one just now: a load of all would wait
 * until the cache has them.
 */
KERNEL_INLINE Line
line_of_words(const uint64_t *w)
{
	Line x;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_of_words(w + v * VECTOR_WORDS);
	return x;
}

/* In each word, bit b of byte a becomes bit a of byte b. */
KERNEL_INLINE Line
line_transpose_bits(Line x)
{
	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
	{
		Vector t;

		RIBBON_TRANSPOSE_BITS(x.v[v], t);
	}
	return x;
}

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
 * Transpose 64 bytes to eight masks of 64 bits: bit b of byte i becomes bit i
 * of word b.
 */
KERNEL_INLINE Line
line_masks(Line x)
{
	return line_transpose_bytes(line_transpose_bits(x));
}

/* The other way round. */
KERNEL_INLINE Line
line_of_masks(Line x)
{
	return line_transpose_bits(line_transpose_bytes(x));
}

/* The same masks, to go on with one by one. */
KERNEL_INLINE void
line_to_masks(Line x, uint64_t *masks)
{
#if defined(__x86_64__)
	__m256i low = (__m256i) x.v[0], high = (__m256i) x.v[1];

	RIBBON_UNROLL_8
	for (unsigned b = 8; b-- > 0;)
	{
		masks[b] = (uint32_t) _mm256_movemask_epi8(low) |
			(uint64_t) (uint32_t) _mm256_movemask_epi8(high) << 32;
		low = _mm256_add_epi8(low, low);
		high = _mm256_add_epi8(high, high);
	}
#else
	line_store(masks, line_masks(x));
#endif
}

/*
 * Byte k of eight rows, each shifted up by its number, becomes bytes[k].
 * Returns the uppermost byte, which is behind the row's width.
 */
KERNEL_INLINE uint64_t
rows_to_bytes(const void *rows, unsigned width, uint64_t *bytes)
{
	Line low = line_zero(), high = line_zero(), over;

	if (width == 64)
		low = line_load(rows);
	else
	{
		uint64_t words[16] = {0};

		RIBBON_UNROLL_8
		for (unsigned c = 0; c < 8; c++)
			if (width == 32)
				words[c] = ((const uint32_t *) rows)[c];
			else
			{
				words[c] = ((const uint64_t *) rows)[2 * c];
				words[8 + c] = ((const uint64_t *) rows)[2 * c + 1];
			}
		low = line_of_words(words);
		high = line_of_words(words + 8);
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

/*
 * In each word, invert a triangular 8 x 8 matrix.  Its row c has the bits of
 * byte c above bit c, and bit c set; bits up to c of the byte do not count.
 */
KERNEL_INLINE Vector
vector_invert(Vector x)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	Vector y = vector_all(UINT64_C(0x8040201008040201));

	RIBBON_UNROLL_8
	for (unsigned c = 7; c > 0; c--)
	{
		Vector rows = x >> c & vector_all(each & ribbon_low_mask(8 * c));

		y ^= ((rows << 8) - rows) &
			vector_shuffle(y, vector_repeat(c * each, (c + 8) * each));
	}
	return y;
}

/* 0xFF in byte c if bit c of byte c is set, else 0. */
static inline uint64_t
word_diagonal(uint64_t x)
{
	x &= UINT64_C(0x8040201008040201);
	x = (x + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
	return (x << 8) - x;
}

/*
 * The bytes of the band's results in slots slot .. slot + 7, where filled is
 * 0xFF in the byte of that slot, else 0: bytes[g] has byte g of each.
 */
KERNEL_INLINE void
results_to_bytes(const RibbonBand *band, uint64_t slot, uint64_t filled,
				 unsigned nbytes, uint64_t *bytes)
{
	if (band->result_size == 1 && nbytes == 1)
		bytes[0] = ribbon_load64((const uint8_t *) band->result + slot);
	else if (band->result_size == 0)
		memset(bytes, 0, nbytes * sizeof(uint64_t));
	else
	{
		for (unsigned c = 0; c < 8; c++)
			bytes[c] = ribbon_band_result(band, slot + c);
		line_store(bytes, line_transpose_bytes(line_of_words(bytes)));
	}
	for (unsigned g = 0; g < nbytes; g++)
		bytes[g] &= filled;
}

#endif /* RIBBON_VECTOR_BYTES */

#endif /* RIBBON_VECTOR_H */
