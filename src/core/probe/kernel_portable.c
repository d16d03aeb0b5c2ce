/*
 * kernel_portable.c - the inner loops in plain C, for every machine
 *
 * Without an instruction for parities they are best folded for eight columns
 * at once: two words are folded to half their bits each and put into one, four
 * such words into one, and all eight, a byte each.
 */
#include "probe/probes.h"

#define KERNEL_SIZE KERNEL_SMALL
#define KERNEL_TARGET
#define CACHED_BYTES  (UINT64_C(1) << 21)
#define KERNEL_PROBES ribbon_probes_portable

/*
 * Runs of 2 * shift bits folded to shift bits: a's in the lower half of the
 * run, b's in the upper one.  lower is the mask of the lower halves.
 */
KERNEL_INLINE uint64_t
fold_words(uint64_t a, uint64_t b, unsigned shift, uint64_t lower)
{
	return ((a ^ a >> shift) & lower) | ((b ^ b << shift) & ~lower);
}

/* Each byte's parity, gathered in eight bits by a multiplication. */
KERNEL_INLINE uint32_t
byte_parities(uint64_t x, uint64_t gather)
{
	x ^= x >> 4;
	x ^= x >> 2;
	x ^= x >> 1;
	return (uint32_t) ((x & UINT64_C(0x0101010101010101)) * gather >> 56);
}

/*
 * Four words with two columns each, in their lower and upper halves.  The fold
 * with w[0] .. w[3] being 0 1 2 3 and the halves a and b leaves the bytes
 * 0a 2a 1a 3a 0b 2b 1b 3b.
 */
KERNEL_INLINE uint64_t
fold_pairs(uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3)
{
	const uint64_t words = UINT64_C(0x0000FFFF0000FFFF);
	const uint64_t bytes = UINT64_C(0x00FF00FF00FF00FF);

	return fold_words(fold_words(w0, w1, 16, words),
					  fold_words(w2, w3, 16, words), 8, bytes);
}

/* What a row selects of n words of the two blocks. */
KERNEL_INLINE void
select_words(const uint8_t *low, const uint8_t *high, uint64_t head,
			 uint64_t tail, int n, uint64_t *w)
{
	for (int i = 0; i < n; i++)
		w[i] = (ribbon_load64(low + 8 * i) & head) ^
			(ribbon_load64(high + 8 * i) & tail);
}

/* Columns 2i and 2i + 1 are word i: bytes 0 2 4 6 1 3 5 7. */
KERNEL_INLINE uint32_t
probe32_columns(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
				uint64_t start)
{
	unsigned offset = (unsigned) (start % 32);
	uint64_t head = ribbon_row32_head(row, offset);
	uint64_t tail = ribbon_row32_tail(row, offset);
	uint64_t w[4];

	head |= head << 32;
	tail |= tail << 32;
	select_words(low, high, head, tail, 4, w);
	/* byte k is multiplied up to bit 56 + its column */
	return byte_parities(fold_pairs(w[0], w[2], w[1], w[3]),
						 UINT64_C(0x0104104002082080));
}

KERNEL_INLINE uint32_t
parities64(const uint64_t w[8])
{
	const uint64_t half = UINT64_C(0x00000000FFFFFFFF);

	return byte_parities(fold_pairs(fold_words(w[0], w[4], 32, half),
									fold_words(w[2], w[6], 32, half),
									fold_words(w[1], w[5], 32, half),
									fold_words(w[3], w[7], 32, half)),
						 UINT64_C(0x0102040810204080));
}

KERNEL_INLINE uint32_t
probe64_columns(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
				uint64_t start)
{
	unsigned offset = (unsigned) (start % 64);
	uint64_t head = ribbon_row64_head(row, offset);
	uint64_t tail = ribbon_row64_tail(row, offset);
	uint64_t w[8];

	select_words(low, high, head, tail, 8, w);
	return parities64(w);
}

KERNEL_INLINE uint32_t
probe128_columns(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
				 uint64_t start)
{
	unsigned offset = (unsigned) (start % 128);
	RibbonRow128 head = ribbon_row128_head(row, offset);
	RibbonRow128 tail = ribbon_row128_tail(row, offset);
	uint64_t w[8];

	for (int i = 0; i < 8; i++)
		w[i] = (ribbon_load64(low + 16 * i) & head.lo) ^
			(ribbon_load64(low + 16 * i + 8) & head.hi) ^
			(ribbon_load64(high + 16 * i) & tail.lo) ^
			(ribbon_load64(high + 16 * i + 8) & tail.hi);
	return parities64(w);
}

#include "probe/kernel_table.h"
