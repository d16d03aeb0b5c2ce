/*
 * vector_avx2_part.h - what C cannot say of vectors, in AVX2
 *
 * Here is said what each function does; vector_neon_part.h has the same.
 */

/*
 * In each 16 bytes, byte i becomes the byte of table's 16 that index's byte i
 * names, or 0 if that is 0x80 or more.
 */
KERNEL_INLINE Vector
vector_shuffle(Vector table, Vector index)
{
	return (Vector) _mm256_shuffle_epi8((__m256i) table, (__m256i) index);
}

/* x or, in each 16 bytes, those of all other 16 bytes. */
KERNEL_INLINE Vector
vector_or_across(Vector x)
{
	return x | (Vector) _mm256_permute4x64_epi64((__m256i) x, 0x4E);
}

/* Byte b of word a becomes byte a of word b. */
KERNEL_INLINE Line
line_transpose_bytes(Line x)
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

/* Bit i is set if byte i of the Line is not 0. */
KERNEL_INLINE uint64_t
line_nonzero(Line x)
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
KERNEL_INLINE Sums
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

/* They are the bytes of every word. */
KERNEL_INLINE RowSums
rows_of(Vector bytes)
{
	__m256i sums = (__m256i) sums_of(bytes).v[0];

	return (RowSums){(Vector) _mm256_permute2x128_si256(sums, sums, 0x00),
					 (Vector) _mm256_permute2x128_si256(sums, sums, 0x11)};
}

/*
 * For the bytes of a word: where sums_at finds the sums of the bits set in
 * each.  The result is to be folded, perhaps with others.
 */
KERNEL_INLINE Vector
vector_nibbles(uint64_t word)
{
	const __m256i shift = _mm256_setr_epi64x(0, 0, 4, 4);
	__m256i x = _mm256_srlv_epi64((__m256i) vector_all(word), shift);

	return (Vector) x & vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
}

KERNEL_INLINE Vector
sums_at(Sums sums, Vector nibbles)
{
	return vector_shuffle(sums.v[0], nibbles);
}

/* The word that sums_at left in two parts: the first of each 16 bytes. */
KERNEL_INLINE Vector
vector_fold(Vector x)
{
	return x ^ (Vector) _mm256_permute4x64_epi64((__m256i) x, 0x4E);
}
