/*
 * vector_avx512_part.h - what C cannot say of vectors, in AVX-512 with GFNI
 *
 * vector_avx2_part.h and vector_tables_part.h say what each function does.  The
 * sum of a set of rows is the product of the set, a byte, and a matrix of bits:
 * GF2P8AFFINEQB multiplies 64 bytes by one.
 */
KERNEL_INLINE Vector
vector_shuffle(Vector table, Vector index)
{
	return (Vector) _mm512_shuffle_epi8((__m512i) table, (__m512i) index);
}

KERNEL_INLINE Line
line_transpose_bytes(Line x)
{
	const __m512i from =
		_mm512_set_epi64(0x3F372F271F170F07, 0x3E362E261E160E06,
						 0x3D352D251D150D05, 0x3C342C241C140C04,
						 0x3B332B231B130B03, 0x3A322A221A120A02,
						 0x3931292119110901, 0x3830282018100800);

	return (Line){{(Vector) _mm512_permutexvar_epi8(from, (__m512i) x.v[0])}};
}

KERNEL_INLINE void
pairs_load(const uint64_t *pairs, Line *first, Line *second)
{
	const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
	const __m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
	__m512i a = _mm512_loadu_si512(pairs);
	__m512i b = _mm512_loadu_si512(pairs + 8);

	first->v[0] = (Vector) _mm512_permutex2var_epi64(a, even, b);
	second->v[0] = (Vector) _mm512_permutex2var_epi64(a, odd, b);
}

KERNEL_INLINE void
pairs_or(uint64_t *pairs, Line first, Line second)
{
	const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
	const __m512i high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
	__m512i a = (__m512i) first.v[0], b = (__m512i) second.v[0];

	vector_store(pairs,
				 vector_load(pairs) |
					 (Vector) _mm512_permutex2var_epi64(a, low, b));
	vector_store(pairs + 8,
				 vector_load(pairs + 8) |
					 (Vector) _mm512_permutex2var_epi64(a, high, b));
}

KERNEL_INLINE uint64_t
line_nonzero(Line x)
{
	return _mm512_test_epi8_mask((__m512i) x.v[0], (__m512i) x.v[0]);
}

KERNEL_INLINE void
line_to_masks(Line x, uint64_t *masks)
{
	RIBBON_UNROLL_8
	for (unsigned b = 0; b < 8; b++)
		masks[b] = _mm512_test_epi8_mask((__m512i) x.v[0],
										 _mm512_set1_epi8((char) (1 << b)));
}

typedef struct Places
{
	__m512i at;
	__mmask64 there;
} Places;

KERNEL_INLINE Places
places_of(uint64_t at)
{
	__m512i x = (__m512i) vector_all(at);

	return (Places){x, _mm512_testn_epi8_mask(x, _mm512_set1_epi8(0x40))};
}

KERNEL_INLINE Vector
bytes_at(const Places *places, Line bytes, unsigned from)
{
	return (Vector) _mm512_maskz_permutexvar_epi8(places->there, places->at,
												  (__m512i) bytes.v[from]);
}

/* The bits of each byte in reverse, as matrices are not transposed. */
typedef struct Sets
{
	__m512i reversed;
} Sets;

typedef struct RowSums
{
	__m512i matrix;
} RowSums;

/*
 * clang, up to 19 at least, encodes this instruction wrongly if the word that
 * all of bytes are is in memory: another word is read.  So it is in a register.
 */
KERNEL_INLINE RowSums
rows_of(Vector bytes)
{
	const __m512i bits = (__m512i) vector_all(UINT64_C(0x0102040810204080));

#if defined(__clang__)
	__asm__("" : "+v"(bytes));
#endif
	return (RowSums){_mm512_gf2p8affine_epi64_epi8(bits, (__m512i) bytes, 0)};
}

KERNEL_INLINE Vector
rows_sums(const RowSums *rows, const Sets *sets, unsigned v)
{
	(void) v; /* there is one vector */
	return (Vector) _mm512_gf2p8affine_epi64_epi8(sets->reversed, rows->matrix,
												  0);
}

/* A matrix, whose rows are bytes, times one that is transposed. */
KERNEL_INLINE __m128i
product(__m128i x, __m128i transposed)
{
	const __m128i reverse = _mm_set_epi64x(0x08090A0B0C0D0E0F,
										   0x0001020304050607);

	return _mm_gf2p8affine_epi64_epi8(x, _mm_shuffle_epi8(transposed, reverse),
									  0);
}

/*
 * Sets times the inverse of a triangular matrix 1 + u: (1 + u) (1 + u^2)
 * (1 + u^4), transposed.
 */
KERNEL_INLINE Sets
sets_by_inverse(Line sets, __m128i u)
{
	__m128i one = _mm_set1_epi64x((long long) UINT64_C(0x8040201008040201));
	__m128i t = product(one, u); /* transposed */
	__m128i u2 = product(u, t);
	__m128i u4 = product(u2, product(t, u));
	__m128i inverse = _mm_xor_si128(t, one);

	inverse = _mm_xor_si128(inverse, product(inverse, u2));
	inverse = _mm_xor_si128(inverse, product(inverse, u4));
	return (Sets){
		_mm512_gf2p8affine_epi64_epi8((__m512i) sets.v[0],
									  _mm512_broadcastq_epi64(inverse), 0)};
}

/*
 * Pivots have to be reduced by those before them: the sets of their bytes are a
 * triangular matrix, and its inverse reduces all at once.
 */
#define SETS_OF_REDUCED true

/* (A transposition of the masks would have to wait for the last one.) */
KERNEL_INLINE Sets
sets_of_masks(const uint64_t *masks, const Places *places)
{
	__m512i pairs[4];
	Line sets;

	RIBBON_UNROLL_8
	for (unsigned c = 0; c < 8; c += 2)
	{
		__m512i x = _mm512_maskz_mov_epi8(masks[c],
										  _mm512_set1_epi8((char) (1 << c)));

		pairs[c / 2] = _mm512_mask_add_epi8(x, masks[c + 1], x,
											_mm512_set1_epi8((char) (2 << c)));
	}
	sets.v[0] = (Vector) _mm512_or_si512(_mm512_or_si512(pairs[0], pairs[1]),
										 _mm512_or_si512(pairs[2], pairs[3]));
	return sets_by_inverse(sets,
						   _mm512_castsi512_si128((__m512i) bytes_at(places,
																	 sets, 0)));
}

KERNEL_INLINE Sets
sets_by_rows(Line coefficients, uint64_t patterns)
{
	const uint64_t one = UINT64_C(0x8040201008040201);

	return sets_by_inverse(coefficients,
						   _mm_set1_epi64x((long long) (patterns ^ one)));
}

/*
 * A load would wait for smaller stores, so the whole Lines that the tracks are
 * of are stored again.
 */
KERNEL_INLINE void
put_tracks(uint8_t *stripe, ptrdiff_t track, uint64_t word)
{
	unsigned at = (unsigned) track & 63;
	uint8_t *line = stripe + (track - (ptrdiff_t) at);
	__m512i x = _mm512_rolv_epi64((__m512i) vector_all(word),
								  _mm512_set1_epi64(8 * (at & 7)));

	_mm512_storeu_si512(line,
						_mm512_mask_mov_epi8(_mm512_loadu_si512(line),
											 UINT64_C(0xFF) << at, x));
	if (at > 56)
		_mm512_storeu_si512(line + 64,
							_mm512_mask_mov_epi8(_mm512_loadu_si512(line + 64),
												 UINT64_C(0xFF) >> (64 - at),
												 x));
}

/* Live tracks are the last bytes of 64, which end where the next ones begin. */
typedef struct Move
{
	__m512i from;
	ptrdiff_t to;
} Move;

KERNEL_INLINE Move
move_of(uint64_t live, unsigned end)
{
	const __m512i tracks =
		_mm512_set_epi64(0x3F3E3D3C3B3A3938, 0x3736353433323130,
						 0x2F2E2D2C2B2A2928, 0x2726252423222120,
						 0x1F1E1D1C1B1A1918, 0x1716151413121110,
						 0x0F0E0D0C0B0A0908, 0x0706050403020100);
	uint64_t last = ~ribbon_low_mask(64 - (unsigned) _mm_popcnt_u64(live));

	return (Move){_mm512_maskz_expand_epi8(last,
										   _mm512_maskz_compress_epi8(live,
																	  tracks)),
				  (ptrdiff_t) end - 64};
}

KERNEL_INLINE void
move_tracks(uint8_t *stripe, unsigned line, const Move *move)
{
	__m512i bytes = _mm512_loadu_si512(stripe + 64 * line);

	_mm512_storeu_si512(stripe + move->to,
						_mm512_permutexvar_epi8(move->from, bytes));
}
