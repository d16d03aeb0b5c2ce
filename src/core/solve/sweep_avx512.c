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
#define KERNEL_TARGET \
	RIBBON_TARGET(RIBBON_AVX512 ",avx512cd,avx512vbmi,gfni,bmi")

/* Eight equations, or eight rows to add, or the matrices of those. */
typedef struct Equations
{
	__m512i low;
	__m512i high;
	__m512i extra;
} Equations;

/* Byte b of word a becomes byte a of word b. */
KERNEL_INLINE __m512i
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
KERNEL_INLINE __m512i
transpose_reversed(__m512i x)
{
	const __m512i from =
		_mm512_set_epi64(0x070F171F272F373F, 0x060E161E262E363E,
						 0x050D151D252D353D, 0x040C141C242C343C,
						 0x030B131B232B333B, 0x020A121A222A323A,
						 0x0109111921293139, 0x0008101820283038);

	return _mm512_permutexvar_epi8(from, x);
}

/* From rows (one per word) to the matrices that make sums of them. */
KERNEL_INLINE __m512i
matrices(__m512i rows)
{
	return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(UINT64_C(0x0102040810204080)),
										 transpose_reversed(rows), 0);
}

KERNEL_INLINE Equations
matrices_of(Equations rows, unsigned width)
{
	rows.low = matrices(rows.low);
	rows.extra = matrices(rows.extra);
	if (width == 128)
		rows.high = matrices(rows.high);
	return rows;
}

/* The sums that eight bytes stand for, one per word. */
KERNEL_INLINE __m512i
sums_of_rows(__m512i matrices, uint64_t bytes)
{
	__m512i x = _mm512_set1_epi64((long long) bytes);

	return transpose_bytes(_mm512_gf2p8affine_epi64_epi8(x, matrices, 0));
}

/* Add to eight equations the rows whose bits are set in their bytes. */
KERNEL_INLINE Equations
add_rows(Equations e, const Equations *matrices, unsigned width, uint64_t bytes)
{
	e.low = _mm512_xor_si512(e.low, sums_of_rows(matrices->low, bytes));
	if (width == 128)
		e.high = _mm512_xor_si512(e.high, sums_of_rows(matrices->high, bytes));
	e.extra = _mm512_xor_si512(e.extra, sums_of_rows(matrices->extra, bytes));
	return e;
}

KERNEL_INLINE __m512i
extra_bits(void)
{
	return _mm512_set1_epi64((long long) RIBBON_SWEEP_EXTRA_BITS);
}

KERNEL_INLINE __m512i
words_0_to_7(void)
{
	return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}

/* From any address, as _mm512_loadu_si512. */
KERNEL_INLINE __m128i
load64(const void *p)
{
	return _mm_loadl_epi64((const __m128i *) p);
}

KERNEL_INLINE __m128i
load128(const void *p)
{
	return _mm_loadu_si128((const __m128i *) p);
}

KERNEL_INLINE __m256i
load256(const void *p)
{
	return _mm256_loadu_si256((const __m256i *) p);
}

/* The results that the band has in slots slot .. slot + 7. */
KERNEL_INLINE __m512i
load_results(const RibbonBand *band, uint64_t slot)
{
	const uint8_t *results = band->result;

	switch (band->result_size)
	{
		case 0:
			return _mm512_setzero_si512();
		case 1:
			return _mm512_cvtepu8_epi64(load64(results + slot));
		case 2:
			return _mm512_cvtepu16_epi64(load128(results + 2 * slot));
		case 4:
			return _mm512_cvtepu32_epi64(load256(results + 4 * slot));
		default:
			return _mm512_loadu_si512(results + 8 * slot);
	}
}

KERNEL_INLINE void
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

/* The band's equations in the eight slots; *filled says where there are any. */
KERNEL_INLINE Equations
load_band(const RibbonSweep *sweep, unsigned width, __mmask8 *filled)
{
	const __m512i c = words_0_to_7();
	const __m512i back = _mm512_sub_epi64(_mm512_set1_epi64(64), c);
	const uint8_t *rows = ribbon_sweep_band_rows(sweep, width);
	__m512i over = _mm512_setzero_si512();
	Equations e = {over, over, over};

	if (width == 32)
		e.low = _mm512_sllv_epi64(_mm512_cvtepu32_epi64(load256(rows)), c);
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
KERNEL_INLINE void
store_band(const RibbonSweep *sweep, unsigned width, __mmask8 which,
		   Equations e)
{
	const __m512i c = words_0_to_7();
	const __m512i back = _mm512_sub_epi64(_mm512_set1_epi64(64), c);
	uint8_t *rows = ribbon_sweep_band_rows(sweep, width);
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
KERNEL_INLINE void
bytes_to_masks(const uint8_t *bytes, size_t n, uint64_t *masks)
{
	__m512i x = _mm512_maskz_loadu_epi8(ribbon_low_mask((unsigned) n), bytes);

	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
		masks[c] = _mm512_test_epi8_mask(x, _mm512_set1_epi8((char) (1 << c)));
}

/* Note which slots were filled, and by keys of which positions. */
KERNEL_INLINE void
note_pivots(RibbonSweep *sweep, __mmask8 which, const uint16_t *position,
			__m512i at)
{
	__m256i positions = _mm512_i64gather_epi32(at, position, 2);
	RibbonSweepPivots *stored = &sweep->pivots[sweep->npivots];

	stored->slot = (uint32_t) sweep->slot;
	_mm_storel_epi64((__m128i *) &stored->low, _mm256_cvtepi32_epi8(positions));
	stored->high = _mm256_test_epi32_mask(positions, _mm256_set1_epi32(0x100));
	stored->filled = which;
	sweep->npivots += which != 0;
}

/* Keep the positions of those equations of a batch that are left. */
KERNEL_INLINE void
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
KERNEL_INLINE void
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

/* Which rows a batch's step adds, and to which equations. */
typedef struct Elimination
{
	__m512i sums;	 /* of each equation: the set of rows to add, a byte */
	__m512i at;		 /* the equations that become pivots, by slot */
	__mmask8 stored; /* slots that get one */
	uint64_t others; /* equations that are not stored */
	uint64_t sets;	 /* of each pivot, to reduce it by */
} Elimination;

/* In each word, byte b becomes byte 7 - b. */
KERNEL_INLINE __m128i
reverse_bytes(__m128i x)
{
	return _mm_shuffle_epi8(x,
							_mm_set_epi64x(0x08090A0B0C0D0E0F,
										   0x0001020304050607));
}

/* A matrix of bits, whose rows are bytes, times one that is transposed. */
KERNEL_INLINE __m128i
product(__m128i x, __m128i transposed)
{
	return _mm_gf2p8affine_epi64_epi8(x, reverse_bytes(transposed), 0);
}

KERNEL_INLINE __m128i
identity(void)
{
	return _mm_set1_epi64x((long long) UINT64_C(0x8040201008040201));
}

/*
 * The inverse of a triangular matrix 1 + u, transposed: (1 + u) (1 + u^2)
 * (1 + u^4).
 */
KERNEL_INLINE __m128i
invert(__m128i u)
{
	__m128i one = identity();
	__m128i t = product(one, u); /* transposed */
	__m128i u2 = product(u, t);
	__m128i u4 = product(u2, product(t, u));
	__m128i inverse = _mm_xor_si128(t, one);

	inverse = _mm_xor_si128(inverse, product(inverse, u2));
	return _mm_xor_si128(inverse, product(inverse, u4));
}

/*
 * Byte i: the bits c whose masks have bit i.  (A transposition of the masks
 * would have to wait for the last one.)
 */
KERNEL_INLINE __m512i
masks_to_bytes(const uint64_t *masks)
{
	__m512i pairs[SLOTS / 2];

	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c += 2)
	{
		__m512i bit = _mm512_set1_epi8((char) (1 << c));
		__m512i next = _mm512_set1_epi8((char) (2 << c));

		pairs[c / 2] =
			_mm512_mask_add_epi8(_mm512_maskz_mov_epi8(masks[c], bit),
								 masks[c + 1],
								 _mm512_maskz_mov_epi8(masks[c], bit), next);
	}
	return _mm512_or_si512(_mm512_or_si512(pairs[0], pairs[1]),
						   _mm512_or_si512(pairs[2], pairs[3]));
}

/*
 * Find the pivots; old are the rows that the band has in the slots filled.
 * Rows to add are reduced by those before them, so pivots have to be: the
 * sets of their bytes are a triangular matrix, and its inverse reduces all
 * at once.
 */
KERNEL_INLINE Elimination
eliminate(const RibbonSweep *sweep, size_t begin, size_t n, Equations old,
		  __mmask8 filled)
{
	__m128i one = identity();
	uint64_t patterns =
		(uint64_t) _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(old.low));
	uint64_t masks[SLOTS], pivots[SLOTS], at = 0;
	__m512i numbers, of_pivots;
	__m128i sets;
	Elimination found = {.others = ribbon_low_mask((unsigned) n)};

	bytes_to_masks(sweep->rows.pattern + begin, n, masks);
	if (RIBBON_LIKELY(filled == 0))
		ribbon_eliminate(masks, 0, 0, true, pivots);
	else
		ribbon_eliminate(masks, filled, patterns, true, pivots);
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
	{
		at |= _tzcnt_u64(pivots[c]) << 8 * c; /* 64: none */
		found.others ^= pivots[c];
	}
	numbers = _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long) at));
	found.at = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(numbers));
	found.stored = (__mmask8) _pext_u64(~at, UINT64_C(0x4040404040404040));
	found.sums = masks_to_bytes(masks);
	of_pivots = _mm512_permutexvar_epi8(numbers, found.sums);
	sets = _mm_maskz_mov_epi8(found.stored, _mm512_castsi512_si128(of_pivots));
	sets = _mm_xor_si128(one, product(one, invert(sets)));
	found.sets = (uint64_t) _mm_cvtsi128_si64(sets);
	return found;
}

/*
 * The same where the band has all eight slots: none is stored, and the rows to
 * add are an equation's byte times the inverse of the band's bytes.
 */
KERNEL_INLINE Elimination
eliminate_by_band(const RibbonSweep *sweep, size_t begin, size_t n,
				  Equations old)
{
	__m128i one = identity();
	__m128i u = _mm_xor_si128(_mm512_cvtepi64_epi8(old.low), one);
	__m128i inverse = reverse_bytes(invert(u));
	__m512i patterns = _mm512_loadu_si512(sweep->rows.pattern + begin);
	Elimination found = {.others = ribbon_low_mask((unsigned) n)};

	found.sums = _mm512_gf2p8affine_epi64_epi8(patterns,
											   _mm512_broadcastq_epi64(inverse),
											   0);
	return found;
}

/* Rows by slot: the pivots, before the step, and the old ones. */
KERNEL_INLINE Equations
gather_rows(const RibbonSweep *sweep, unsigned width, size_t begin,
			const Elimination *found, Equations old)
{
	old.low = _mm512_mask_i64gather_epi64(old.low, found->stored, found->at,
										  sweep->rows.low + begin, 8);
	old.extra = _mm512_mask_i64gather_epi64(old.extra, found->stored, found->at,
											sweep->rows.extra + begin, 8);
	if (width == 128)
		old.high = _mm512_mask_i64gather_epi64(old.high, found->stored,
											   found->at,
											   sweep->rows.high + begin, 8);
	return old;
}

/* Store the pivots, reduced.  Returns the rows to add. */
KERNEL_INLINE Equations
store_pivots(RibbonSweep *sweep, unsigned width, size_t begin,
			 const Elimination *found, Equations old)
{
	Equations rows = gather_rows(sweep, width, begin, found, old);
	Equations m = matrices_of(rows, width);

	rows = add_rows(rows, &m, width, found->sets);
	store_band(sweep, width, found->stored, rows);
	note_pivots(sweep, found->stored, sweep->rows.position + begin, found->at);
	return rows;
}

/* RibbonSweepStep (sweep_step.h), for one ribbon width. */
KERNEL_INLINE size_t
step_batch(RibbonSweep *sweep, unsigned width, size_t begin, size_t n,
		   size_t out, bool *failed)
{
	uint64_t sums[RIBBON_SWEEP_BATCH / 8];
	Left left = {0, 0, out};
	__mmask8 filled;
	Equations old = load_band(sweep, width, &filled);
	bool full = filled == 0xFF;
	Elimination found = full ? eliminate_by_band(sweep, begin, n, old) :
							   eliminate(sweep, begin, n, old, filled);
	Equations m =
		matrices_of(full ? old : store_pivots(sweep, width, begin, &found, old),
					width);

	_mm512_storeu_si512(sums, found.sums);
	for (size_t i = 0; i < n; i += 8)
		step_eight(sweep, width, begin, i, &m, sums[i / 8], found.others,
				   &left);
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

KERNEL_TARGET
RIBBON_SWEEP_ALL_WIDTHS(ribbon_sweep_step_avx512, step_batch)

#endif
