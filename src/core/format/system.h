/*
 * system.h - the geometry of one linear system within a filter
 *
 * A ribbon system is m slots, each with a result row, and the rule that sends a
 * hash to a starting position s among them:
 *
 *	 homogeneous		 s = fastrange(hash, m - w + 1): ribbon_mulhi
 *	 zone of the		 the same with smash [RF 3.1]: the first and the last
 *	 last layer			 position get w/2 - 1 extra shares of the keys each;
 *						 that keeps the diagonal of a square system inside the
 *						 ribbon
 *	 bumped layer		 smash w/4: it fills half of the slots that would stay
 *						 empty at the ends
 *
 * Starting positions grow with the hash, so a range of hashes is a range of
 * slots.  That makes fractional result bits cheap [RF 5.1]: the keys whose hash
 * is in the highest wide 2048ths check r + 1 bits, and only the blocks from the
 * first such key's starting position on store column r.
 *
 * A map's systems hold values, too (ribbon_core.h).  Their columns are
 *
 *----------
 *	 check_bits of the fingerprint | value_bits of the code | one more of the
 *	 fingerprint, in wide blocks and zones
 *----------
 *
 * and ncolumns counts all but that last one, if it is not in all blocks.
 */
#ifndef RIBBON_SYSTEM_H
#define RIBBON_SYSTEM_H

#include "base/hash.h"
#include "format/result_bits.h"

#include <stdbool.h>

#define RIBBON_NO_BLOCK UINT64_MAX /* wide_block of a system without one */

/*
 * Most columns of a system: check bits, value bits, one more.  Loops over
 * groups of eight columns need no more room either.
 */
#define RIBBON_MAX_COLUMNS 56

/* A ribbon width 32, 64 or 128 as 0, 1 or 2: in tables, and in heads. */
static inline unsigned
ribbon_width_index(unsigned width)
{
	return width >> 6;
}

/*
 * A linear system within a filter: nslots slots of a result row each, stored in
 * interleaved column-major layout.  A filter has one system per bumped layer
 * and a few (zones) in its last layer; see docs/format.md.
 */
typedef struct RibbonSystem
{
	/* what every probe looks at comes first, side by side */
	uint64_t range;			   /* nstarts, plus what smash adds at both ends */
	uint64_t smash;			   /* positions added at each end */
	uint64_t whole;			   /* for probe/, which sets it: probes that start
								* below it may read whole words */
	const uint8_t *thresholds; /* of a bumped layer, or NULL */
	const uint8_t *slots;	   /* first byte of the ICML blocks */
	uint64_t wide_block;	   /* first ICML block of r + 1 columns */
	uint64_t last_narrow;	   /* greatest hash that checks r bits */
	uint64_t factor;		   /* of a zone's hashes, by its seed */
	uint8_t ncolumns;		   /* of the narrow blocks, 0 .. 56 */
	uint8_t groups;			   /* of eight columns, in the widest blocks */
	uint8_t width;			   /* w: slots per ICML block, 32, 64 or 128 */
	uint8_t row_bits;		   /* w' = min(w, m): bits of a coefficient row */
	uint8_t seed;			   /* last layer: which hash functions solved it */
	uint16_t wide;			   /* of 2048 keys, how many have one bit more */
	uint64_t nslots;		   /* m */
	uint64_t nstarts;		   /* distinct starting positions, m - w' + 1 */
	uint8_t check_bits;		   /* columns of the fingerprint, and behind them */
	uint8_t value_bits;		   /* those of a map's value; see above */
} RibbonSystem;

/* How hashes are sent to starting positions, as said above. */
typedef enum RibbonSystemKind
{
	RIBBON_SYSTEM_HOMOGENEOUS,
	RIBBON_SYSTEM_LAYER, /* bumped */
	RIBBON_SYSTEM_ZONE
} RibbonSystemKind;

/*
 * Set system to one of nslots slots, which may be 0 in a zone; all columns may
 * be RIBBON_MAX_COLUMNS at most.  If check.wide is RIBBON_SHARES, as a zone's
 * may be, all keys check one bit more.  The pointers slots and thresholds
 * become NULL, and a zone has no seed yet.
 */
extern void ribbon_system_init(RibbonSystem *system, RibbonSystemKind kind,
							   uint64_t nslots, unsigned width,
							   RibbonResultBits check, unsigned value_bits);

/*
 * What a zone multiplies rotated hashes with under a seed (0 .. 15), to get the
 * ones that it sees: an odd number, so that this is a bijection.
 */
static inline uint64_t
ribbon_hash_zone_factor(unsigned seed)
{
	return ribbon_mix((seed + 1) * RIBBON_PRIME) | 1;
}

/*
 * The mask of a key: a bit of its fingerprint that no filter checks which is
 * followed by a column (format.h).
 */
static inline unsigned
ribbon_hash_mask(uint64_t hash)
{
	return ribbon_hash_fingerprint(hash) >> 31;
}

/* Give a zone its seed, 0 .. RIBBON_ZONE_SEEDS - 1. */
static inline void
ribbon_system_set_seed(RibbonSystem *system, unsigned seed)
{
	system->seed = (uint8_t) seed;
	system->factor = ribbon_hash_zone_factor(seed);
}

/*
 * The starting position of a hash, 0 .. nstarts - 1.  Here and below, hash is
 * the one that this system sees (base/hash.h).
 */
static inline uint64_t
ribbon_system_start(const RibbonSystem *system, uint64_t hash)
{
	uint64_t u = ribbon_mulhi(hash, system->range);

	u = u < system->smash ? 0 : u - system->smash;
	return ribbon_min64(u, system->nstarts - 1);
}

/* The least hash whose starting position is start (not 0) or greater. */
extern uint64_t ribbon_system_least_hash(const RibbonSystem *system,
										 uint64_t start);

/* How many columns a key of this hash has, with its value's. */
static inline unsigned
ribbon_system_bits(const RibbonSystem *system, uint64_t hash)
{
	return system->ncolumns + (hash > system->last_narrow);
}

/*
 * Take apart the nbits result bits of a hash; further bits of result are
 * ignored.  Returns whether the check bits are those of print, the fingerprint
 * (homogeneous filters: 0), and sets *code to the value bits; of a filter 0.
 */
static inline __attribute__((always_inline)) bool
ribbon_system_answer(const RibbonSystem *system, uint32_t print, unsigned nbits,
					 uint64_t result, uint64_t *code)
{
	unsigned nchecks = system->check_bits;
	unsigned nvalues = system->value_bits;
	uint64_t wrong = (result ^ print) & ((UINT64_C(1) << nchecks) - 1);
	/* one more check bit may be behind the value */
	uint64_t last = (result >> nvalues ^ print) >> nchecks &
		(nbits - nvalues - nchecks);

	*code = result >> nchecks & ((UINT64_C(1) << nvalues) - 1);
	return (wrong | last) == 0;
}

#endif /* RIBBON_SYSTEM_H */
