/*
 * sweep_avx512.c - one step of a sweep, eight slots, with AVX-512 and GFNI
 *
 * As sweep_portable.c, with registers of eight 64-bit words.  One has 64 bits
 * of each of the eight rows that may be added.  Which of the rows to add to an
 * equation is a byte, and their sum is the product of that byte and a matrix of
 * bits.  GF2P8AFFINEQB multiplies the eight bytes of each word by one 8 x 8
 * matrix: 64 products in one instruction.
 *
 *----------
 *	 word k of the matrices	 what each row has in byte k
 *	 the bytes, in all words  sums[0] .. sums[7], of eight equations
 *	 product				  word k: byte k of each equation's sum
 *	 transposed		  word i: equation i's sum
 *----------
 */
#if defined(__x86_64__)

#include "solve/eliminate.h"
#include "solve/solver.h"

#include <immintrin.h>

#define SLOTS RIBBON_SWEEP_SLOTS
#define TARGET \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi,bmi2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

/* Eight equations, or eight rows to add, or the matrices of those. */
typedef struct Equations
{
	__m512i low;
	__m512i high;
	__m512i extra;
} Equations;

/* Byte b of word a becomes byte a of word b. */
TARGET_INLINE __m512i
transpose_bytes(__m512i x)
{
	const __m512i from =
		_mm512_set_epi64(0x3F372F271F170F07, 0x3E362E261E160E06,
						 0x3D352D251D150D05, 0x3C342C241C140C04,
						 0x3B332B231B130B03, 0x3A322A221A120A02,
						 0x3931292119110901, 0x3830282018100800);

	return _mm512_permutexvar_epi8(from, x);
}

/* The same, but of word 7 - a. */
TARGET_INLINE __m512i
transpose_reversed(__m512i x)
{
	const __m512i from =
		_mm512_set_epi64(0x070F171F272F373F, 0x060E161E262E363E,
						 0x050D151D252D353D, 0x040C141C242C343C,
						 0x030B131B232B333B, 0x020A121A222A323A,
						 0x0109111921293139, 0x0008101820283038);

	return _mm512_permutexvar_epi8(from, x);
}

/* In each word, bit b of byte 7 - a becomes bit a of byte b. */
TARGET_INLINE __m512i
transpose_bits(__m512i x)
{
	return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)
															   UINT64_C(0x8040201008040201)),
										 x, 0);
}

/* From rows (one per word) to the matrices that make sums of them. */
TARGET_INLINE __m512i
matrices(__m512i rows)
{
	return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(UINT64_C(0x0102040810204080)),
										 transpose_reversed(rows), 0);
}

/* The sums that eight bytes stand for, one per word. */
TARGET_INLINE __m512i
sums_of_rows(__m512i matrices, uint64_t bytes)
{
	__m512i x = _mm512_set1_epi64((long long) bytes);

	return transpose_bytes(_mm512_gf2p8affine_epi64_epi8(x, matrices, 0));
}

/* Add to eight equations the rows whose bits are set in their bytes. */
TARGET_INLINE Equations
add_rows(Equations e, const Equations *matrices, unsigned width, uint64_t bytes)
{
	e.low = _mm512_xor_si512(e.low, sums_of_rows(matrices->low, bytes));
	if (width == 128)
		e.high = _mm512_xor_si512(e.high, sums_of_rows(matrices->high, bytes));
	e.extra = _mm512_xor_si512(e.extra, sums_of_rows(matrices->extra, bytes));
	return e;
}

TARGET_INLINE __m512i
extra_bits(void)
{
	return _mm512_set1_epi64((long long) RIBBON_SWEEP_EXTRA_BITS);
}

TARGET_INLINE __m512i
words_0_to_7(void)
{
	return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}

/* The results that the band has in slots slot .. slot + 7. */
TARGET_INLINE __m512i
load_results(const RibbonBand *band, uint64_t slot)
{
	switch (band->result_size)
	{
		case 0:
			return _mm512_setzero_si512();
		case 1:
			return _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i
															 *) ((const uint8_t
																	  *) band
																	 ->result +
																 slot)));
		case 2:
			return _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i
															  *) ((const uint16_t
																	   *) band
																	  ->result +
																  slot)));
		case 4:
			return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i
																 *) ((const uint32_t
																		  *) band
																		 ->result +
																	 slot)));
		default:
			return _mm512_loadu_si512((const uint64_t *) band->result + slot);
	}
}

TARGET_INLINE void
store_results(const RibbonBand *band, uint64_t slot, __mmask8 which,
			  __m512i results)
{
	switch (band->result_size)
	{
		case 0:
			break;
		case 1:
			_mm512_mask_cvtepi64_storeu_epi8((uint8_t *) band->result + slot,
											 which, results);
			break;
		case 2:
			_mm512_mask_cvtepi64_storeu_epi16((uint16_t *) band->result + slot,
											  which, results);
			break;
		case 4:
			_mm512_mask_cvtepi64_storeu_epi32((uint32_t *) band->result + slot,
											  which, results);
			break;
		default:
			_mm512_mask_storeu_epi64((uint64_t *) band->result + slot, which,
									 _mm512_andnot_si512(extra_bits(),
														 results));
			break;
	}
}

static inline uint8_t *
band_rows(const RibbonSweep *sweep, unsigned width)
{
	return (uint8_t *) sweep->band->coeff + sweep->slot * (width / 8);
}

/* The band's equations in the eight slots; *filled says where there are any. */
TARGET_INLINE Equations
load_band(const RibbonSweep *sweep, unsigned width, __mmask8 *filled)
{
	const __m512i c = words_0_to_7();
	const __m512i back = _mm512_sub_epi64(_mm512_set1_epi64(64), c);
	const uint8_t *rows = band_rows(sweep, width);
	__m512i over = _mm512_setzero_si512();
	Equations e = {over, over, over};

	if (width == 32)
		e.low =
			_mm512_sllv_epi64(_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i
																			*)
																		   rows)),
							  c);
	else if (width == 64)
	{
		__m512i row = _mm512_loadu_si512(rows);

		e.low = _mm512_sllv_epi64(row, c);
		over = _mm512_srlv_epi64(row, back);
	}
	else
	{
		__m512i a = _mm512_loadu_si512(rows);
		__m512i b = _mm512_loadu_si512(rows + 64);
		__m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
		__m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
		__m512i low = _mm512_permutex2var_epi64(a, even, b);
		__m512i high = _mm512_permutex2var_epi64(a, odd, b);

		e.low = _mm512_sllv_epi64(low, c);
		e.high = _mm512_shldv_epi64(high, low, c);
		over = _mm512_srlv_epi64(high, back);
	}
	*filled = _mm512_test_epi64_mask(e.low, e.low);
	e.extra = _mm512_or_si512(load_results(sweep->band, sweep->slot),
							  _mm512_slli_epi64(over, 56));
	return e;
}

/* Store equations in the band, each in the slot of its word. */
TARGET_INLINE void
store_band(const RibbonSweep *sweep, unsigned width, __mmask8 which,
		   Equations e)
{
	const __m512i c = words_0_to_7();
	const __m512i back = _mm512_sub_epi64(_mm512_set1_epi64(64), c);
	uint8_t *rows = band_rows(sweep, width);
	__m512i low = _mm512_srlv_epi64(e.low, c);
	__m512i over = _mm512_sllv_epi64(_mm512_srli_epi64(e.extra, 56), back);

	if (width == 32)
		_mm512_mask_cvtepi64_storeu_epi32(rows, which, low);
	else if (width == 64)
		_mm512_mask_storeu_epi64(rows, which, _mm512_or_si512(low, over));
	else
	{
		__m512i low_pair = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
		__m512i high_pair = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
		__m512i high = _mm512_or_si512(_mm512_srlv_epi64(e.high, c), over);
		unsigned both = 3 * _pdep_u32(which, 0x5555);

		low = _mm512_or_si512(low, _mm512_sllv_epi64(e.high, back));
		_mm512_mask_storeu_epi64(rows, (__mmask8) both,
								 _mm512_permutex2var_epi64(low, low_pair,
														   high));
		_mm512_mask_storeu_epi64(rows + 64, (__mmask8) (both >> 8),
								 _mm512_permutex2var_epi64(low, high_pair,
														   high));
	}
	store_results(sweep->band, sweep->slot, which, e.extra);
}

/* Bit i of masks[c] is bit c of bytes[i], i < n. */
TARGET_INLINE void
bytes_to_masks(const uint8_t *bytes, size_t n, uint64_t *masks)
{
	__m512i x = _mm512_maskz_loadu_epi8(ribbon_low_mask((unsigned) n), bytes);

	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
		masks[c] = _mm512_test_epi8_mask(x, _mm512_set1_epi8((char) (1 << c)));
}

TARGET_INLINE __m512i
words_to_vector(const uint64_t *w)
{
	return _mm512_set_epi64((long long) w[7], (long long) w[6],
							(long long) w[5], (long long) w[4],
							(long long) w[3], (long long) w[2],
							(long long) w[1], (long long) w[0]);
}

/* Bit c of byte i is bit i of word c. */
TARGET_INLINE __m512i
masks_to_bytes(__m512i masks)
{
	return transpose_bits(transpose_reversed(masks));
}

/* Note which slots were filled, and by keys of which positions. */
TARGET_INLINE void
note_pivots(RibbonSweep *sweep, __mmask8 which, const uint16_t *position,
			__m512i at)
{
	__m512i slots = _mm512_add_epi64(_mm512_set1_epi64((long long) sweep->slot),
									 words_0_to_7());
	__m256i positions = _mm256_and_si256(_mm512_i64gather_epi32(at, position,
																2),
										 _mm256_set1_epi32(0xFFFF));

	_mm512_storeu_si512(sweep->pivot_slot + sweep->npivots,
						_mm512_maskz_compress_epi64(which, slots));
	_mm256_storeu_si256((__m256i *) (sweep->pivot_position + sweep->npivots),
						_mm256_maskz_compress_epi32(which, positions));
	sweep->npivots += (unsigned) _mm_popcnt_u32(which);
}

/* Keep the positions of those equations of a batch that are left. */
TARGET_INLINE void
move_positions(RibbonSweep *sweep, size_t begin, size_t out, uint64_t left)
{
	__m512i a = _mm512_loadu_si512(sweep->rows.position + begin);
	__m512i b = _mm512_loadu_si512(sweep->rows.position + begin + 32);

	_mm512_storeu_si512(sweep->rows.position + out,
						_mm512_maskz_compress_epi16((__mmask32) left, a));
	out += (size_t) _mm_popcnt_u32((uint32_t) left);
	_mm512_storeu_si512(sweep->rows.position + out,
						_mm512_maskz_compress_epi16((__mmask32) (left >> 32),
													b));
}

/* The equations that a batch's step has left so far. */
typedef struct Left
{
	uint64_t left;	/* their numbers in the batch, as bits */
	uint64_t fails; /* those that contradict others */
	size_t to;		/* the number that the next one gets */
} Left;

/*
 * Add rows, by the sets in sum, to the equations begin + i .. begin + i + 7, of
 * which those of mask others are not stored, and move those that are left.
 */
TARGET_INLINE void
step_eight(RibbonSweep *sweep, unsigned width, size_t begin, size_t i,
		   const Equations *m, uint64_t sum, uint64_t others, Left *left)
{
	Equations e = {_mm512_loadu_si512(sweep->rows.low + begin + i),
				   _mm512_setzero_si512(),
				   _mm512_loadu_si512(sweep->rows.extra + begin + i)};
	__mmask8 here = (__mmask8) (others >> i);
	__mmask8 stay;
	__m512i rest;

	if (width == 128)
		e.high = _mm512_loadu_si512(sweep->rows.high + begin + i);
	e = add_rows(e, m, width, sum);

	/* eight slots further */
	rest = _mm512_and_si512(e.extra, extra_bits());
	e.extra = _mm512_andnot_si512(extra_bits(), e.extra);
	if (width == 128)
	{
		e.low = _mm512_shrdi_epi64(e.low, e.high, 8);
		e.high = _mm512_or_si512(_mm512_srli_epi64(e.high, 8), rest);
		stay = _mm512_mask_test_epi64_mask(here, _mm512_or_si512(e.low, e.high),
										   _mm512_or_si512(e.low, e.high));
	}
	else
	{
		e.low = _mm512_or_si512(_mm512_srli_epi64(e.low, 8), rest);
		stay = _mm512_mask_test_epi64_mask(here, e.low, e.low);
	}
	left->fails |=
		(uint64_t) _mm512_mask_test_epi64_mask(here & ~stay, e.extra, e.extra)
		<< i;
	left->left |= (uint64_t) stay << i;

	e.low = _mm512_maskz_compress_epi64(stay, e.low);
	_mm512_storeu_si512(sweep->rows.low + left->to, e.low);
	_mm512_storeu_si512(sweep->rows.extra + left->to,
						_mm512_maskz_compress_epi64(stay, e.extra));
	if (width == 128)
		_mm512_storeu_si512(sweep->rows.high + left->to,
							_mm512_maskz_compress_epi64(stay, e.high));
	_mm_storel_epi64((__m128i *) (sweep->rows.pattern + left->to),
					 _mm512_cvtepi64_epi8(e.low));
	left->to += (size_t) _mm_popcnt_u32(stay);
}

/* See step_batch of sweep_portable.c. */
TARGET_INLINE size_t
step_batch(RibbonSweep *sweep, unsigned width, size_t begin, size_t n,
		   size_t out, bool *failed)
{
	uint64_t sums[RIBBON_SWEEP_BATCH / 8];
	uint64_t others;
	Left left = {0, 0, out};
	__mmask8 filled, stored;
	Equations rows = load_band(sweep, width, &filled);
	uint64_t patterns =
		(uint64_t) _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(rows.low));
	uint64_t masks[SLOTS], pivot_of[SLOTS];
	__m512i bytes, pivots, at;
	Equations m = rows;

	bytes_to_masks(sweep->rows.pattern + begin, n, masks);
	if (RIBBON_LIKELY(filled == 0))
		ribbon_eliminate(masks, 0, 0, pivot_of);
	else
		ribbon_eliminate(masks, filled, patterns, pivot_of);
	pivots = words_to_vector(pivot_of);
	bytes = masks_to_bytes(words_to_vector(masks));
	_mm512_storeu_si512(sums, bytes);
	stored = _mm512_test_epi64_mask(pivots, pivots);
	others = ribbon_low_mask((unsigned) n) &
		~(uint64_t) _mm512_reduce_or_epi64(pivots);
	at = _mm512_maskz_sub_epi64(stored, _mm512_set1_epi64(63),
								_mm512_lzcnt_epi64(pivots));

	rows.low = _mm512_mask_i64gather_epi64(rows.low, stored, at,
										   sweep->rows.low + begin, 8);
	rows.extra = _mm512_mask_i64gather_epi64(rows.extra, stored, at,
											 sweep->rows.extra + begin, 8);
	if (width == 128)
		rows.high = _mm512_mask_i64gather_epi64(rows.high, stored, at,
												sweep->rows.high + begin, 8);
	m.low = matrices(rows.low);
	m.extra = matrices(rows.extra);
	if (width == 128)
		m.high = matrices(rows.high);

	/* the pivots' own sums */
	bytes =
		_mm512_permutexvar_epi8(_mm512_zextsi128_si512(_mm512_cvtepi64_epi8(at)),
								bytes);
	rows =
		add_rows(rows, &m, width,
				 (uint64_t) _mm_cvtsi128_si64(_mm512_castsi512_si128(bytes)));
	store_band(sweep, width, stored, rows);
	note_pivots(sweep, stored, sweep->rows.position + begin, at);

	for (size_t i = 0; i < n; i += 8)
		step_eight(sweep, width, begin, i, &m, sums[i / 8], others, &left);
	if (RIBBON_UNLIKELY(left.fails != 0))
	{
		unsigned first = (unsigned) ribbon_ctz64(left.fails);

		ribbon_sweep_fail(sweep, sweep->rows.position[begin + first]);
		*failed = true;
		left.left &= ribbon_low_mask(first);
	}
	move_positions(sweep, begin, out, left.left);
	return (size_t) _mm_popcnt_u64(left.left);
}

TARGET
RIBBON_SWEEP_ALL_WIDTHS(ribbon_sweep_step_avx512, step_batch)

#endif
