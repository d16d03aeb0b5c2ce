/*
 * sweep_avx512.c - eight slots of a sweep with AVX-512
 *
 * The eight columns are the eight words of a register, and so are the eight
 * rows that are added to the equations, which come eight at a time, too: a
 * column's mask says which of them get its row.
 */
#if defined(__x86_64__)

#include "sweep_step.h"

#include <immintrin.h>

#define COLUMNS RIBBON_SWEEP_SLOTS
#define BLOCK	RIBBON_SWEEP_BLOCK
#define TARGET \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi2,popcnt,bmi,bmi2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

/* Eight equations, or eight rows to add. */
typedef struct Equations
{
	__m512i low;
	__m512i high;
	__m512i extra;
} Equations;

TARGET_INLINE __m512i
eight_results(const RibbonBand *band, uint64_t slot)
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
		default:
			return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i
																 *) ((const uint32_t
																		  *) band
																		 ->result +
																	 slot)));
	}
}

/* The band's equations in the eight slots; *filled says where there are any. */
TARGET_INLINE Equations
band_equations(const RibbonSweep *sweep, unsigned width, __mmask8 *filled)
{
	const __m512i c = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
	const __m512i rest = _mm512_sub_epi64(_mm512_set1_epi64(63), c);
	const uint8_t *coeff = (const uint8_t *) sweep->band->coeff +
		sweep->slot * (width / 8);
	__m512i results = eight_results(sweep->band, sweep->slot);
	Equations e = {_mm512_setzero_si512(), _mm512_setzero_si512(), results};
	__m512i over = _mm512_setzero_si512();

	if (width == 32)
		e.low =
			_mm512_sllv_epi64(_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i
																			*)
																		   coeff)),
							  c);
	else if (width == 64)
	{
		__m512i row = _mm512_loadu_si512(coeff);

		e.low = _mm512_sllv_epi64(row, c);
		over = _mm512_srlv_epi64(_mm512_srli_epi64(row, 1), rest);
	}
	else
	{
		__m512i a = _mm512_loadu_si512(coeff);
		__m512i b = _mm512_loadu_si512(coeff + 64);
		__m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
		__m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
		__m512i low = _mm512_permutex2var_epi64(a, even, b);
		__m512i high = _mm512_permutex2var_epi64(a, odd, b);

		e.low = _mm512_sllv_epi64(low, c);
		e.high = _mm512_shldv_epi64(high, low, c);
		over = _mm512_srlv_epi64(_mm512_srli_epi64(high, 1), rest);
	}
	*filled = _mm512_test_epi64_mask(e.low, e.low);
	e.extra = _mm512_or_si512(e.extra, _mm512_slli_epi64(over, 56));
	return e;
}

/* Bit i of word c is bit c of bytes[i], i < n. */
TARGET_INLINE __m512i
bytes_to_columns(const uint8_t *bytes, size_t n)
{
	__m512i x = _mm512_loadu_si512(bytes);
	__mmask64 valid = ribbon_low_mask((unsigned) n);
	uint64_t column[COLUMNS];

	for (unsigned c = 0; c < COLUMNS; c++)
		column[c] = _mm512_mask_test_epi8_mask(valid, x,
											   _mm512_set1_epi8(1 << c));
	return _mm512_set_epi64((long long) column[7], (long long) column[6],
							(long long) column[5], (long long) column[4],
							(long long) column[3], (long long) column[2],
							(long long) column[1], (long long) column[0]);
}

/*
 * As solve_columns of sweep_portable.c, each loop over columns one operation:
 * words below c are masks, word c becomes one, words above are columns.
 */
TARGET_INLINE __m512i
solve_columns(__m512i columns, __mmask8 filled, uint64_t patterns,
			  __m512i *pivots)
{
	*pivots = _mm512_setzero_si512();
	for (unsigned c = 0; c < COLUMNS; c++)
	{
		__m512i ones = _mm512_permutexvar_epi64(_mm512_set1_epi64(c), columns);
		__mmask8 is_new = (__mmask8) ((filled >> c & 1) - 1);
		__m512i pivot =
			_mm512_maskz_and_epi64(is_new, ones,
								   _mm512_sub_epi64(_mm512_setzero_si512(),
													ones));
		__mmask8 above = (__mmask8) (0xFE << c);
		__mmask8 to = (__mmask8) (_mm512_test_epi64_mask(columns, pivot) |
								  (patterns >> 8 * c & above));
		__m512i others = _mm512_maskz_mov_epi64((__mmask8) ~(1 << c), ones);

		others = _mm512_mask_xor_epi64(others, (__mmask8) ~above, others,
									   pivot);
		columns = _mm512_mask_xor_epi64(columns, to, columns, others);
		*pivots = _mm512_mask_mov_epi64(*pivots, (__mmask8) (1 << c), pivot);
	}
	return columns;
}

/* See step_block of sweep_portable.c. */
TARGET_INLINE size_t
step_block(RibbonSweep *sweep, unsigned width, size_t begin, size_t n,
		   size_t out, bool *failed)
{
	const __m512i extra_bits =
		_mm512_set1_epi64((long long) RIBBON_SWEEP_EXTRA_BITS);
	size_t begin_out = out;
	uint64_t masks[COLUMNS], index[COLUMNS];
	uint64_t low[BLOCK], high[BLOCK], extra[BLOCK];
	uint16_t position[BLOCK];
	__mmask8 filled, stored;
	Equations rows = band_equations(sweep, width, &filled);
	uint64_t patterns =
		(uint64_t) _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(rows.low));
	uint64_t pivot_bits;
	__m512i pivots, at, low_row[COLUMNS], high_row[COLUMNS], extra_row[COLUMNS];

	_mm512_storeu_si512(masks,
						solve_columns(bytes_to_columns(sweep->pattern + begin,
													   n),
									  filled, patterns, &pivots));
	stored = _mm512_test_epi64_mask(pivots, pivots);
	pivot_bits = (uint64_t) _mm512_reduce_or_epi64(pivots);
	at = _mm512_maskz_sub_epi64(stored, _mm512_set1_epi64(63),
								_mm512_lzcnt_epi64(pivots));
	_mm512_storeu_si512(index, at);

	rows.low = _mm512_mask_i64gather_epi64(rows.low, stored, at,
										   sweep->low + begin, 8);
	rows.extra = _mm512_mask_i64gather_epi64(rows.extra, stored, at,
											 sweep->extra + begin, 8);
	if (width == 128)
		rows.high = _mm512_mask_i64gather_epi64(rows.high, stored, at,
												sweep->high + begin, 8);
	for (unsigned c = 0; c < COLUMNS; c++)
	{
		__m512i word = _mm512_set1_epi64(c);

		low_row[c] = _mm512_permutexvar_epi64(word, rows.low);
		extra_row[c] = _mm512_permutexvar_epi64(word, rows.extra);
		if (width == 128)
			high_row[c] = _mm512_permutexvar_epi64(word, rows.high);
	}

	for (size_t i = 0; i < n; i += 8)
	{
		__m512i a = _mm512_loadu_si512(sweep->low + begin + i);
		__m512i b = _mm512_setzero_si512();
		__m512i x = _mm512_loadu_si512(sweep->extra + begin + i);
		__m128i p = _mm_loadu_si128((const __m128i *) (sweep->position + begin +
													   i));
		__m512i rest;
		__mmask8 valid, any, left, fails;

		if (width == 128)
			b = _mm512_loadu_si512(sweep->high + begin + i);
		for (unsigned c = 0; c < COLUMNS; c++)
		{
			__mmask8 to = ((const uint8_t *) &masks[c])[i / 8];

			a = _mm512_mask_xor_epi64(a, to, a, low_row[c]);
			x = _mm512_mask_xor_epi64(x, to, x, extra_row[c]);
			if (width == 128)
				b = _mm512_mask_xor_epi64(b, to, b, high_row[c]);
		}
		_mm512_storeu_si512(low + i, a);
		_mm512_storeu_si512(extra + i, x);
		if (width == 128)
			_mm512_storeu_si512(high + i, b);
		_mm_storeu_si128((__m128i *) (position + i), p);

		rest = _mm512_and_si512(x, extra_bits);
		x = _mm512_andnot_si512(extra_bits, x);
		a = _mm512_srli_epi64(a, 8);
		if (width == 128)
		{
			a = _mm512_or_si512(a, _mm512_slli_epi64(b, 56));
			b = _mm512_or_si512(_mm512_srli_epi64(b, 8), rest);
		}
		else
			a = _mm512_or_si512(a, rest);

		valid = (__mmask8) (ribbon_low_mask((unsigned) (n - i)) &
							~(pivot_bits >> i));
		any = _mm512_test_epi64_mask(_mm512_or_si512(a, b),
									 _mm512_or_si512(a, b));
		left = valid & any;
		fails = (__mmask8) (valid & ~any & _mm512_test_epi64_mask(x, x));
		if (RIBBON_UNLIKELY(fails != 0 && !*failed))
		{
			unsigned first = (unsigned) ribbon_ctz64(fails);

			ribbon_sweep_fail(sweep, position[i + first]);
			*failed = true;
			left &= (__mmask8) ribbon_low_mask(first);
			n = i + first; /* nobody needs the rest */
		}
		a = _mm512_maskz_compress_epi64(left, a);
		_mm512_storeu_si512(sweep->low + out, a);
		_mm512_storeu_si512(sweep->extra + out,
							_mm512_maskz_compress_epi64(left, x));
		if (width == 128)
			_mm512_storeu_si512(sweep->high + out,
								_mm512_maskz_compress_epi64(left, b));
		_mm_storel_epi64((__m128i *) (sweep->pattern + out),
						 _mm512_cvtepi64_epi8(a));
		_mm_storeu_si128((__m128i *) (sweep->position + out),
						 _mm_maskz_compress_epi16(left, p));
		out += (unsigned) _mm_popcnt_u32(left);
	}

	for (unsigned to = stored; to != 0; to &= to - 1)
	{
		unsigned c = (unsigned) ribbon_ctz64(to);
		uint64_t i = index[c];

		if (i < n)
			ribbon_sweep_store(sweep, width, c, low[i],
							   width == 128 ? high[i] : 0, extra[i],
							   position[i]);
	}
	return out - begin_out;
}

TARGET_INLINE void
step(RibbonSweep *sweep, unsigned width)
{
	size_t end = sweep->first + sweep->nactive;
	size_t out = sweep->first;
	bool failed = false;

	for (size_t i = out; i < end && !failed; i += BLOCK)
		out += step_block(sweep, width, i, end - i < BLOCK ? end - i : BLOCK,
						  out, &failed);
	sweep->nactive = out - sweep->first;
}

TARGET void
ribbon_sweep32_step_avx512(RibbonSweep *sweep)
{
	step(sweep, 32);
}

TARGET void
ribbon_sweep64_step_avx512(RibbonSweep *sweep)
{
	step(sweep, 64);
}

TARGET void
ribbon_sweep128_step_avx512(RibbonSweep *sweep)
{
	step(sweep, 128);
}

#endif
