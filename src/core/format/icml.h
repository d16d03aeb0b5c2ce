/*
 * icml.h - interleaved column-major layout: where a system's bits are [RF 5.2]
 *
 * The m slots are cut into blocks of w.  A block stores the result rows of its
 * w slots as columns: column i has w bits, bit i of each result row.  The
 * columns of a block are adjacent, so a probe, which needs w consecutive slots
 * of each column, reads two adjacent blocks.
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
 *	 Block 2 is short, with 2 slots: it begins at 4 * (2 * 2 + 1) = 20, its
 *	 column 1 at 20 + 1 * 2 = 22.
 *----------
 *
 * The last block has only as many slots as are left: a filter of ten slots
 * stores ten, not 64.
 */
#ifndef RIBBON_ICML_H
#define RIBBON_ICML_H

#include "base/row.h"
#include "format/system.h"
#include "ribbon_core.h"

/* The number of columns of block j. */
static inline unsigned
ribbon_icml_columns(const RibbonSystem *system, uint64_t block)
{
	return system->ncolumns + (block >= system->wide_block);
}

/* The number of slots of block j: w, or fewer in the last one. */
static inline unsigned
ribbon_icml_rows(const RibbonSystem *system, uint64_t block)
{
	return (unsigned) ribbon_min64(system->width,
								   system->nslots - block * system->width);
}

/* The first bit of block j in the system's bit string: a multiple of w. */
static inline uint64_t
ribbon_icml_block_bit(const RibbonSystem *system, uint64_t block)
{
	uint64_t wide = block > system->wide_block ? block - system->wide_block : 0;

	return system->width * (block * system->ncolumns + wide);
}

/* The first bytes of the two blocks that a probe reads. */
typedef struct RibbonIcmlPair
{
	const uint8_t *low;	 /* the block of slot start */
	const uint8_t *high; /* the next block */
} RibbonIcmlPair;

/* width must be system->width; callers for which it is constant pass that. */
static inline RibbonIcmlPair
ribbon_icml_pair(const RibbonSystem *system, uint64_t start, unsigned width)
{
	uint64_t block = start / width;
	uint64_t wide = block > system->wide_block ? block - system->wide_block : 0;
	RibbonIcmlPair pair;

	pair.low = system->slots + (block * system->ncolumns + wide) * (width / 8);
	pair.high = pair.low + ribbon_icml_columns(system, block) * (width / 8);
	return pair;
}

/* The number of bits of a system's slots. */
static inline uint64_t
ribbon_icml_bits(const RibbonSystem *system)
{
	uint64_t nfull = system->nslots / system->width;
	uint64_t bits = ribbon_icml_block_bit(system, nfull);

	if (nfull * system->width < system->nslots)
		bits += (uint64_t) ribbon_icml_rows(system, nfull) *
			ribbon_icml_columns(system, nfull);
	return bits;
}

/* The number of bytes that these bits take; bits behind them are zero. */
static inline uint64_t
ribbon_icml_bytes(const RibbonSystem *system)
{
	return (ribbon_icml_bits(system) + 7) / 8;
}

/*
 * Write the slots of system to, which has the nslots and width of from, and at
 * most as many columns in each block: the first columns of each block of from,
 * which are its first bits.  slots may be from->slots.
 * Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_icml_keep_columns(const RibbonEnv *env,
											 const RibbonSystem *from,
											 const RibbonSystem *to,
											 uint8_t *slots);

/* ribbon_icml<w>_store and ribbon_icml<w>_load, for w = 32, 64 and 128 */
#define RIBBON_TEMPLATE "format/icml_store_template.h"
#include "base/widths_template.h"

#endif /* RIBBON_ICML_H */
