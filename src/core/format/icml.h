/*
 * icml.h - interleaved column-major layout: where a system's bits are [RF 5.2]
 *
 * The m slots are cut into blocks of w.  A block stores its result rows turned
 * on their side: column i is one w-bit word, the i-th result bit of each of
 * the w slots.  The columns of a block are adjacent, so a probe, which needs w
 * consecutive slots of every column, reads two adjacent blocks.
 *
 *----------
 *	 w = 4, 10 slots of 2 columns, blocks from 1 on wide (3 columns):
 *
 *	 slot      0 1 2 3 | 4 5 6 7 | 8 9            bits of the string
 *	 column 0  a b c d | i j k l | u v            abcd efgh  ijkl mnop qrst
 *	 column 1  e f g h | m n o p | x y            uv xy z#
 *	 column 2          | q r s t | z #
 *
 *	 Slots 2 .. 5 of column 1: "gh" from block 0 and "mn" from block 1.
 *	 Block 1 begins at bit 4 * (1 * 2 + 0) = 8, its column 1 at 8 + 1 * 4 = 12.
 *	 Block 2 is short, L = 2: it begins at 4 * (2 * 2 + 1) = 20, its column 1
 *	 at 20 + 1 * 2 = 22.
 *----------
 *
 * The last block is as short as the slots it holds: a filter of ten keys pays
 * for ten slots, not for 64.
 */
#ifndef RIBBON_ICML_H
#define RIBBON_ICML_H

#include "base/row.h"
#include "format/system.h"

/* Columns that block j stores. */
static inline unsigned
ribbon_icml_columns(const RibbonSystem *system, uint64_t block)
{
	return system->result_bits + (block >= system->wide_block);
}

/* Slots in block j: w, or fewer in the last one. */
static inline unsigned
ribbon_icml_rows(const RibbonSystem *system, uint64_t block)
{
	return (unsigned) ribbon_min64(system->width,
								   system->nslots - block * system->width);
}

/* First bit of block j in the system's bit string: a multiple of w. */
static inline uint64_t
ribbon_icml_block_bit(const RibbonSystem *system, uint64_t block)
{
	uint64_t wide = block > system->wide_block ? block - system->wide_block : 0;

	return system->width * (block * system->result_bits + wide);
}

/* Where the columns begin of the two blocks that a probe reads. */
typedef struct RibbonIcmlPair
{
	const uint8_t *low;	 /* the block that holds slot start */
	const uint8_t *high; /* the next one */
} RibbonIcmlPair;

/* (width is the system's, which a caller may know to be a constant) */
static inline RibbonIcmlPair
ribbon_icml_pair(const RibbonSystem *system, uint64_t start, unsigned width)
{
	uint64_t block = start / width;
	uint64_t wide = block > system->wide_block ? block - system->wide_block : 0;
	RibbonIcmlPair pair;

	pair.low = system->slots +
		(block * system->result_bits + wide) * (width / 8);
	pair.high = pair.low + ribbon_icml_columns(system, block) * (width / 8);
	return pair;
}

/* Bytes that the system's slots take. */
static inline uint64_t
ribbon_icml_bytes(const RibbonSystem *system)
{
	uint64_t nfull, bits;

	if (system->nslots == 0)
		return 0;
	nfull = system->nslots / system->width;
	bits = ribbon_icml_block_bit(system, nfull);
	if (nfull * system->width < system->nslots)
		bits += (uint64_t) ribbon_icml_rows(system, nfull) *
			ribbon_icml_columns(system, nfull);
	return (bits + 7) / 8;
}

/*
 * Write the slots of a system that has the same slots as another one, and at
 * most as many columns in each block: those it has of the other's, which are the
 * first bits of each block.  to->slots may be from->slots: then blocks move to
 * the left.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_icml_keep_columns(const RibbonEnv *env,
											 const RibbonSystem *from,
											 const RibbonSystem *to);

/* ribbon_icml32_store, ribbon_icml64_store, ribbon_icml128_store */
#define RIBBON_BITS 32
#include "format/icml_store_template.h"
#define RIBBON_BITS 64
#include "format/icml_store_template.h"
#define RIBBON_BITS 128
#include "format/icml_store_template.h"

#endif /* RIBBON_ICML_H */
