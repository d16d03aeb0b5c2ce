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

#elif defined(RIBBON_NEON)

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

#endif /* RIBBON_VECTOR_BYTES */

#endif /* RIBBON_VECTOR_H */
