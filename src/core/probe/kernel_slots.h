/*
 * kernel_slots.h - a kernel looks up a hash in one system, from its start on
 *
 * Part of a kernel (kernel_table.h).  The start is below system->whole.
 *
 *	 find_pair			 start --> two adjacent blocks
 *	 find_result_bits	 blocks, coefficient row --> those of all columns
 *	 find_answer		 result bits --> is the key in the set? its value bits
 *	 find_whole			 all of this
 *
 * No branch depends on the data: it would be mispredicted for every other
 * non-member, which costs more than the columns that it could save.
 *
 * In all parts of a kernel, an answer is whether the check bits are right.  In
 * a map *code becomes the value bits; in a filter it may become 0.
 */
#ifndef RIBBON_KERNEL_SLOTS_H
#define RIBBON_KERNEL_SLOTS_H

#include "format/icml.h"
#include "probe/probes.h"

/* As ribbon_icml_pair; simpler where all blocks have as many columns. */
KERNEL_INLINE RibbonIcmlPair
find_pair(const RibbonSystem *system, uint64_t start, RibbonVariant v)
{
	size_t column_bytes = v.width / 8;
	RibbonIcmlPair at;

	if (!ribbon_probes_shape_is_even(v.shape))
		return ribbon_icml_pair(system, start, v.width);
	at.low = system->slots + start / v.width * system->ncolumns * column_bytes;
	at.high = at.low + system->ncolumns * column_bytes;
	return at;
}

/* The result bits of eight columns, by the kernel's own function. */
KERNEL_INLINE uint32_t
find_eight_columns(RibbonIcmlPair at, RibbonRow128 row, uint64_t start,
				   RibbonVariant v)
{
	return v.width == 32 ?
		probe32_columns(at.low, at.high, (RibbonRow32) row.lo, start) :
		v.width == 64 ? probe64_columns(at.low, at.high, row.lo, start) :
						probe128_columns(at.low, at.high, row, start);
}

/*
 * The result bits of all columns.  Whole groups of eight columns are read, so
 * that bits from the last column on are arbitrary.
 */
KERNEL_INLINE uint64_t
find_result_bits(const RibbonSystem *system, RibbonIcmlPair at,
				 RibbonRow128 row, uint64_t start, RibbonVariant v)
{
	unsigned always = ribbon_probes_shape_groups(v.shape);
	unsigned ngroups = always > 0 ? always : system->groups;
	uint64_t result = find_eight_columns(at, row, start, v);

	for (unsigned g = 1; g < ngroups; g++)
	{
		RibbonIcmlPair group = {at.low + g * v.width, at.high + g * v.width};

		result |= (uint64_t) find_eight_columns(group, row, start, v) << 8 * g;
	}
	return result;
}

/* What the check bits of a hash are to be. */
KERNEL_INLINE uint32_t
find_print(uint64_t hash, RibbonVariant v)
{
	return v.homogeneous ? 0 : ribbon_hash_fingerprint(hash);
}

/* The answer that these result bits give. */
KERNEL_INLINE bool
find_answer(const RibbonSystem *system, uint64_t hash, uint64_t result,
			RibbonVariant v, uint64_t *code)
{
	unsigned nbits;

	if (ribbon_probes_shape_is_unchecked(v.shape))
	{
		*code = result & ((UINT64_C(1) << system->value_bits) - 1);
		return true;
	}
	nbits = ribbon_probes_shape_is_even(v.shape) ?
		system->ncolumns :
		ribbon_system_bits(system, hash);
	if (v.gives_values)
		return ribbon_system_answer(system, find_print(hash, v), nbits, result,
									code);
	return ((result ^ find_print(hash, v)) & ((UINT64_C(1) << nbits) - 1)) == 0;
}

/* Look up a hash whose start, in this system, is below system->whole. */
KERNEL_INLINE bool
find_whole(const RibbonSystem *system, uint64_t hash, uint64_t start,
		   RibbonVariant v, uint64_t *code)
{
	RibbonIcmlPair at = find_pair(system, start, v);
	RibbonRow128 row = ribbon_row128_coeff(hash, v.width);

	return find_answer(system, hash,
					   find_result_bits(system, at, row, start, v), v, code);
}

#endif /* RIBBON_KERNEL_SLOTS_H */
