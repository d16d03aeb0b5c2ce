/*
 * kernel_lanes.h - the lanes of a kernel without vectors: one word
 *
 * Lanes are LANES 64-bit words, with which kernel_batch.h does the same for as
 * many hashes.  A kernel with vectors has a file like this one, whose functions
 * do for each word what those here do for one.  Operators of C do the rest: of
 * gcc and clang's vectors as of numbers.
 */
#ifndef RIBBON_KERNEL_LANES_H
#define RIBBON_KERNEL_LANES_H

#include "probe/probes.h"

#define LANES 1
typedef uint64_t Lanes;
typedef uint64_t LanesMask; /* all bits of a word, or none */

/* Product of the lower halves. */
KERNEL_INLINE Lanes
lanes_mul32(Lanes a, Lanes b)
{
	return (uint64_t) (uint32_t) a * (uint32_t) b;
}

/* The lesser and the greater of two words below 2^32. */
KERNEL_INLINE Lanes
lanes_min32(Lanes a, Lanes b)
{
	return a < b ? a : b;
}

KERNEL_INLINE Lanes
lanes_max32(Lanes a, Lanes b)
{
	return a < b ? b : a;
}

/* Is a < b, as signed numbers? */
KERNEL_INLINE LanesMask
lanes_less(Lanes a, Lanes b)
{
	return -(uint64_t) ((int64_t) a < (int64_t) b);
}

KERNEL_INLINE Lanes
lanes_select(LanesMask mask, Lanes yes, Lanes no)
{
	return no ^ ((yes ^ no) & mask);
}

/* Bit i: that of word i. */
KERNEL_INLINE unsigned
lanes_bits(LanesMask mask)
{
	return mask & 1;
}

/* From a table of n words, with room for LANES. */
KERNEL_INLINE Lanes
lanes_of_table(const uint64_t *table, Lanes index, unsigned n)
{
	(void) n;
	return table[index];
}

/* 32 or 64 bits from a byte on. */
KERNEL_INLINE Lanes
lanes_gather32(const uint8_t *bytes, Lanes at)
{
	return ribbon_load32(bytes + at);
}

KERNEL_INLINE Lanes
lanes_gather64(const uint8_t *bytes, Lanes at)
{
	return ribbon_load64(bytes + at);
}

/* One of four thresholds; the first one may be in the upper half. */
KERNEL_INLINE Lanes
lanes_threshold(const unsigned *thresholds, Lanes code)
{
	return thresholds[code];
}

KERNEL_INLINE Lanes
lanes_parity(Lanes x)
{
	return ribbon_parity64(x);
}

/* Set LANES answers: is the word zero? */
KERNEL_INLINE void
lanes_answer(bool *answers, Lanes wrong)
{
	*answers = wrong == 0;
}

#endif /* RIBBON_KERNEL_LANES_H */
