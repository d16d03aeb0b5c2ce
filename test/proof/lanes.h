/*
 * lanes.h - lanes of one word, for what is proved of batches
 *
 * CBMC knows no vectors.  The functions do for each word what those of
 * probe/kernel_avx2.c do for one, and the portable kernel has batches.
 */
#ifndef RIBBON_PROOF_LANES_H
#define RIBBON_PROOF_LANES_H

#define KERNEL_TARGET
#include "probe/probes.h"

#define LANES 1
typedef uint64_t Lanes;
typedef uint64_t LanesMask; /* all bits of a word, or none */

KERNEL_INLINE Lanes
lanes_mul32(Lanes a, Lanes b)
{
	return (uint64_t) (uint32_t) a * (uint32_t) b;
}

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

KERNEL_INLINE LanesMask
lanes_first(unsigned n)
{
	return -(uint64_t) (n > 0);
}

KERNEL_INLINE Lanes
lanes_load_some(const uint64_t *p, unsigned n)
{
	return n > 0 ? *p : 0;
}

KERNEL_INLINE void
lanes_store_some(uint64_t *p, Lanes x, unsigned n)
{
	if (n > 0)
		*p = x;
}

KERNEL_INLINE unsigned
lanes_put_numbers(uint16_t *to, unsigned first, LanesMask mask)
{
	*to = (uint16_t) first;
	return mask & 1;
}

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

KERNEL_INLINE unsigned
lanes_bits(LanesMask mask)
{
	return mask & 1;
}

KERNEL_INLINE Lanes
lanes_of_table(const uint64_t *table, Lanes index, unsigned n)
{
	(void) n;
	return table[index];
}

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

KERNEL_INLINE void
lanes_answer(bool *answers, Lanes wrong)
{
	*answers = wrong == 0;
}

#endif /* RIBBON_PROOF_LANES_H */
