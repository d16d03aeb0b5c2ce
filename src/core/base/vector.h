/*
 * vector.h - vectors of bytes, for AVX2 and NEON
 *
 * A Vector is one register of RIBBON_VECTOR_BYTES bytes, seen as 64-bit words,
 * so that C's operators add, shift and combine words.  What C cannot say is
 * below, once for each instruction set.  A Block is 64 bytes: eight words, in
 * as many Vectors as it takes.  Functions that use these have the target
 * attribute RIBBON_VECTOR_TARGET.
 */
#ifndef RIBBON_VECTOR_H
#define RIBBON_VECTOR_H

#include "base/bits.h"

#include <stdbool.h>

#if defined(__x86_64__)

#include <immintrin.h>

#define RIBBON_VECTOR_BYTES	 32
#define RIBBON_VECTOR_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include <arm_neon.h>

#define RIBBON_VECTOR_BYTES 16
#define RIBBON_VECTOR_TARGET

#endif

#ifdef RIBBON_VECTOR_BYTES

#define VECTOR_INLINE \
	RIBBON_VECTOR_TARGET __attribute__((always_inline)) static inline
#define VECTORS		 (64 / RIBBON_VECTOR_BYTES) /* of a Block */
#define VECTOR_WORDS (RIBBON_VECTOR_BYTES / 8)

/* Before a loop with a constant, small number of rounds. */
#ifdef __clang__
#define VECTOR_UNROLL _Pragma("clang loop unroll(full)")
#else
#define VECTOR_UNROLL _Pragma("GCC unroll 8")
#endif

typedef uint64_t Vector __attribute__((vector_size(RIBBON_VECTOR_BYTES)));

typedef struct Block
{
	Vector v[VECTORS];
} Block;

VECTOR_INLINE Vector
vector_load(const void *p)
{
	Vector x;

	memcpy(&x, p, sizeof(x));
	return x;
}

VECTOR_INLINE void
vector_store(void *p, Vector x)
{
	memcpy(p, &x, sizeof(x));
}

VECTOR_INLINE Block
block_load(const void *p)
{
	Block x;

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_load((const uint8_t *) p + v * sizeof(Vector));
	return x;
}

VECTOR_INLINE void
block_store(void *p, Block x)
{
	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		vector_store((uint8_t *) p + v * sizeof(Vector), x.v[v]);
}

VECTOR_INLINE Block
block_zero(void)
{
	Block zero;

	memset(&zero, 0, sizeof(zero));
	return zero;
}

VECTOR_INLINE Vector
vector_zero(void)
{
	return block_zero().v[0];
}

/* Two tables, each of 16 sums of four bytes (vector_sums). */
typedef struct Sums
{
	Vector v[32 / RIBBON_VECTOR_BYTES];
} Sums;

#if defined(__x86_64__)

/* The number of trailing zeros, 64 of 0. */
VECTOR_INLINE uint64_t
ctz_or_64(uint64_t x)
{
	return _tzcnt_u64(x);
}

/* All words are this one. */
VECTOR_INLINE Vector
vector_all(uint64_t word)
{
	return (Vector) _mm256_set1_epi64x((long long) word);
}

/* In each 16 bytes, these two words. */
VECTOR_INLINE Vector
vector_repeat(uint64_t first, uint64_t second)
{
	return (Vector) _mm256_setr_epi64x((long long) first, (long long) second,
									   (long long) first, (long long) second);
}

/* VECTOR_WORDS words that were stored one by one just now. */
VECTOR_INLINE Vector
vector_of_words(const uint64_t *w)
{
	return (Vector) _mm256_set_epi64x((long long) w[3], (long long) w[2],
									  (long long) w[1], (long long) w[0]);
}

/*
 * In each 16 bytes, byte i becomes the byte of table's 16 that index's byte i
 * names, or 0 if that is 0x80 or more.
 */
VECTOR_INLINE Vector
vector_shuffle(Vector table, Vector index)
{
	return (Vector) _mm256_shuffle_epi8((__m256i) table, (__m256i) index);
}

/* Word by word, ~0 where all bits of some are in x, else 0. */
VECTOR_INLINE Vector
vector_has(Vector x, Vector some)
{
	return (Vector) _mm256_cmpeq_epi64((__m256i) (x & some), (__m256i) some);
}

/* Word c of a Block, in all words. */
VECTOR_INLINE Vector
block_word(Block x, unsigned c)
{
	Vector v = x.v[c / 4];

	switch (c % 4)
	{
		case 0:
			return (Vector) _mm256_permute4x64_epi64((__m256i) v, 0x00);
		case 1:
			return (Vector) _mm256_permute4x64_epi64((__m256i) v, 0x55);
		case 2:
			return (Vector) _mm256_permute4x64_epi64((__m256i) v, 0xAA);
		default:
			return (Vector) _mm256_permute4x64_epi64((__m256i) v, 0xFF);
	}
}

/* x or, in each 16 bytes, those of all other 16 bytes. */
VECTOR_INLINE Vector
vector_or_across(Vector x)
{
	return x | (Vector) _mm256_permute4x64_epi64((__m256i) x, 0x4E);
}

/* Byte b of word a becomes byte a of word b. */
VECTOR_INLINE Block
block_turn_bytes(Block x)
{
	const __m256i pairs = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5,
										   13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10,
										   3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
	__m256i a = _mm256_shuffle_epi8((__m256i) x.v[0], pairs); /* 0 1, 2 3 */
	__m256i b = _mm256_shuffle_epi8((__m256i) x.v[1], pairs); /* 4 5, 6 7 */
	__m256i p = _mm256_permute2x128_si256(a, b, 0x20);		  /* 0 1, 4 5 */
	__m256i q = _mm256_permute2x128_si256(a, b, 0x31);		  /* 2 3, 6 7 */
	__m256i low = _mm256_unpacklo_epi16(p, q); /* bytes 0 - 3 of 0-3, 4-7 */
	__m256i high = _mm256_unpackhi_epi16(p, q);

	p = _mm256_permute2x128_si256(low, high, 0x20);
	q = _mm256_permute2x128_si256(low, high, 0x31);
	low = _mm256_unpacklo_epi32(p, q);	/* 0 1, 4 5 */
	high = _mm256_unpackhi_epi32(p, q); /* 2 3, 6 7 */
	x.v[0] = (Vector) _mm256_permute2x128_si256(low, high, 0x20);
	x.v[1] = (Vector) _mm256_permute2x128_si256(low, high, 0x31);
	return x;
}

/* Bit i is set if byte i of the Block is not 0. */
VECTOR_INLINE uint64_t
block_nonzero(Block x)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i a = _mm256_cmpeq_epi8((__m256i) x.v[0], zero);
	__m256i b = _mm256_cmpeq_epi8((__m256i) x.v[1], zero);

	return ~((uint64_t) (uint32_t) _mm256_movemask_epi8(b) << 32 |
			 (uint32_t) _mm256_movemask_epi8(a));
}

/*
 * The sums of rows of one byte each: byte i of the first 16 is the sum of those
 * of x's bytes 0 .. 3 whose bits are set in i; of the second 16, the same of
 * bytes 4 .. 7.  x has the eight bytes in the first word of each 16 bytes.
 */
VECTOR_INLINE Sums
sums_of(Vector x)
{
	const __m256i first = _mm256_setr_epi8(-1, 0, -1, 0, -1, 2, -1, 2, 0, 0, 0,
										   0, 0, 0, 0, 0, -1, 4, -1, 4, -1, 6,
										   -1, 6, 0, 0, 0, 0, 0, 0, 0, 0);
	const __m256i second = _mm256_setr_epi8(-1, -1, 1, 1, -1, -1, 3, 3, 0, 0, 0,
											0, 0, 0, 0, 0, -1, -1, 5, 5, -1, -1,
											7, 7, 0, 0, 0, 0, 0, 0, 0, 0);
	const __m256i bits01 = _mm256_set1_epi32(0x03020100);
	const __m256i bits23 = _mm256_setr_epi8(4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6,
											7, 7, 7, 7, 4, 4, 4, 4, 5, 5, 5, 5,
											6, 6, 6, 6, 7, 7, 7, 7);
	__m256i pairs = _mm256_xor_si256(_mm256_shuffle_epi8((__m256i) x, first),
									 _mm256_shuffle_epi8((__m256i) x, second));
	Sums sums;

	sums.v[0] = (Vector) _mm256_xor_si256(_mm256_shuffle_epi8(pairs, bits01),
										  _mm256_shuffle_epi8(pairs, bits23));
	return sums;
}

/* The same, with each of the tables in each 16 bytes of a Vector. */
VECTOR_INLINE void
vector_sums(Vector x, Vector *low, Vector *high)
{
	__m256i sums = (__m256i) sums_of(x).v[0];

	*low = (Vector) _mm256_permute2x128_si256(sums, sums, 0x00);
	*high = (Vector) _mm256_permute2x128_si256(sums, sums, 0x11);
}

/*
 * For the bytes of a word: where sums_at finds the sums of the bits set in
 * each.  The result is to be folded, perhaps with others.
 */
VECTOR_INLINE Vector
vector_nibbles(uint64_t word)
{
	const __m256i shift = _mm256_setr_epi64x(0, 0, 4, 4);
	__m256i x = _mm256_srlv_epi64((__m256i) vector_all(word), shift);

	return (Vector) x & vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
}

VECTOR_INLINE Vector
sums_at(Sums sums, Vector nibbles)
{
	return vector_shuffle(sums.v[0], nibbles);
}

/* The word that sums_at left in two parts: the first of each 16 bytes. */
VECTOR_INLINE Vector
vector_fold(Vector x)
{
	return x ^ (Vector) _mm256_permute4x64_epi64((__m256i) x, 0x4E);
}

#else

VECTOR_INLINE uint64_t
ctz_or_64(uint64_t x)
{
	return x == 0 ? 64 : (uint64_t) ribbon_ctz64(x);
}

VECTOR_INLINE Vector
vector_all(uint64_t word)
{
	return (Vector) vdupq_n_u64(word);
}

VECTOR_INLINE Vector
vector_repeat(uint64_t first, uint64_t second)
{
	return (Vector){first, second};
}

VECTOR_INLINE Vector
vector_of_words(const uint64_t *w)
{
	return (Vector) vcombine_u64(vld1_u64(w), vld1_u64(w + 1));
}

VECTOR_INLINE Vector
vector_shuffle(Vector table, Vector index)
{
	return (Vector) vqtbl1q_u8((uint8x16_t) table, (uint8x16_t) index);
}

VECTOR_INLINE Vector
vector_has(Vector x, Vector some)
{
	return (Vector) vceqq_u64((uint64x2_t) (x & some), (uint64x2_t) some);
}

VECTOR_INLINE Vector
block_word(Block x, unsigned c)
{
	return vector_all(x.v[c / 2][c % 2]);
}

VECTOR_INLINE Vector
vector_or_across(Vector x)
{
	return x;
}

VECTOR_INLINE Block
block_turn_bytes(Block x)
{
	uint8x16_t a[4], b[4];
	uint16x8_t c[4];

	/* rows i and i + 4, then i and i + 2, then i and i + 1 */
	for (unsigned i = 0; i < 4; i++)
		a[i] = (uint8x16_t) x.v[i];
	b[0] = vzip1q_u8(a[0], a[2]); /* 0 4: 8 bytes of each */
	b[1] = vzip2q_u8(a[0], a[2]); /* 1 5 */
	b[2] = vzip1q_u8(a[1], a[3]); /* 2 6 */
	b[3] = vzip2q_u8(a[1], a[3]); /* 3 7 */
	a[0] = vzip1q_u8(b[0], b[2]); /* 0 2 4 6: bytes 0 - 3 of each */
	a[1] = vzip2q_u8(b[0], b[2]); /* bytes 4 - 7 */
	a[2] = vzip1q_u8(b[1], b[3]); /* 1 3 5 7 */
	a[3] = vzip2q_u8(b[1], b[3]);
	c[0] = (uint16x8_t) vzip1q_u8(a[0], a[2]); /* all: bytes 0, 1 */
	c[1] = (uint16x8_t) vzip2q_u8(a[0], a[2]);
	c[2] = (uint16x8_t) vzip1q_u8(a[1], a[3]);
	c[3] = (uint16x8_t) vzip2q_u8(a[1], a[3]);
	for (unsigned i = 0; i < 4; i++)
		x.v[i] = (Vector) c[i];
	return x;
}

VECTOR_INLINE uint64_t
block_nonzero(Block x)
{
	const uint8x16_t bits =
		(uint8x16_t) vdupq_n_u64(UINT64_C(0x8040201008040201));
	uint8x16_t a[4];

	for (unsigned i = 0; i < 4; i++)
		a[i] = vandq_u8(vtstq_u8((uint8x16_t) x.v[i], (uint8x16_t) x.v[i]),
						bits);
	a[0] = vpaddq_u8(vpaddq_u8(a[0], a[1]), vpaddq_u8(a[2], a[3]));
	return vgetq_lane_u64((uint64x2_t) vpaddq_u8(a[0], a[0]), 0);
}

VECTOR_INLINE Sums
sums_of(Vector x)
{
	const Vector bits01 = vector_all(UINT64_C(0x0302010003020100));
	const Vector bits23 = {UINT64_C(0x0505050504040404),
						   UINT64_C(0x0707070706060606)};
	Vector a = vector_shuffle(x, vector_all(UINT64_C(0x02FF02FF00FF00FF))) ^
		vector_shuffle(x, vector_all(UINT64_C(0x0303FFFF0101FFFF)));
	Vector b = vector_shuffle(x, vector_all(UINT64_C(0x06FF06FF04FF04FF))) ^
		vector_shuffle(x, vector_all(UINT64_C(0x0707FFFF0505FFFF)));
	Sums sums;

	sums.v[0] = vector_shuffle(a, bits01) ^ vector_shuffle(a, bits23);
	sums.v[1] = vector_shuffle(b, bits01) ^ vector_shuffle(b, bits23);
	return sums;
}

VECTOR_INLINE void
vector_sums(Vector x, Vector *low, Vector *high)
{
	Sums sums = sums_of(x);

	*low = sums.v[0];
	*high = sums.v[1];
}

VECTOR_INLINE Vector
vector_nibbles(uint64_t word)
{
	const int64x2_t shift = {0, -4};
	Vector x = (Vector) vshlq_u64((uint64x2_t) vector_all(word), shift);

	x &= vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
	return x | vector_repeat(0, UINT64_C(0x1010101010101010));
}

VECTOR_INLINE Vector
sums_at(Sums sums, Vector nibbles)
{
	const uint8x16x2_t tables = {
		{(uint8x16_t) sums.v[0], (uint8x16_t) sums.v[1]}};

	return (Vector) vqtbl2q_u8(tables, (uint8x16_t) nibbles);
}

VECTOR_INLINE Vector
vector_fold(Vector x)
{
	return x ^ (Vector) vextq_u64((uint64x2_t) x, (uint64x2_t) x, 1);
}

#endif

/*
 * Eight words that were stored one by one just now: a load of all would wait
 * until the cache has them.
 */
VECTOR_INLINE Block
block_of_words(const uint64_t *w)
{
	Block x;

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_of_words(w + v * VECTOR_WORDS);
	return x;
}

/* In each word, bit b of byte a becomes bit a of byte b. */
VECTOR_INLINE Vector
vector_turn_bits(Vector x)
{
	Vector t;

	t = (x ^ x >> 7) & vector_all(UINT64_C(0x00AA00AA00AA00AA));
	x ^= t ^ t << 7;
	t = (x ^ x >> 14) & vector_all(UINT64_C(0x0000CCCC0000CCCC));
	x ^= t ^ t << 14;
	t = (x ^ x >> 28) & vector_all(UINT64_C(0x00000000F0F0F0F0));
	return x ^ t ^ t << 28;
}

/* Word c shifted up by c bits, */
VECTOR_INLINE Block
block_shift_up(Block x)
{
	static const uint64_t shifts[8] = {0, 1, 2, 3, 4, 5, 6, 7};

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] <<= vector_load(shifts + v * VECTOR_WORDS);
	return x;
}

/* and what goes beyond bit 63 then, from bit 0 on. */
VECTOR_INLINE Block
block_shift_over(Block x)
{
	static const uint64_t shifts[8] = {63, 62, 61, 60, 59, 58, 57, 56};

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = x.v[v] >> 1 >> vector_load(shifts + v * VECTOR_WORDS);
	return x;
}

/*
 * The columns of eight bits of 64 bytes become eight masks of 64 bits; or back.
 */
VECTOR_INLINE Block
block_turn(Block x, bool back)
{
	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS && !back; v++)
		x.v[v] = vector_turn_bits(x.v[v]);
	x = block_turn_bytes(x);
	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS && back; v++)
		x.v[v] = vector_turn_bits(x.v[v]);
	return x;
}

/*
 * In each word, invert the matrix whose row c is byte c, but for bits up to c,
 * which count as the unit matrix's.
 */
VECTOR_INLINE Vector
vector_invert(Vector x)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	Vector y = vector_all(UINT64_C(0x8040201008040201));

	VECTOR_UNROLL
	for (unsigned c = 7; c > 0; c--)
	{
		Vector who = x >> c & vector_all(each & ribbon_low_mask(8 * c));

		y ^= ((who << 8) - who) &
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

#endif /* RIBBON_VECTOR_BYTES */

#endif /* RIBBON_VECTOR_H */
