/*
 * codes.h - codes by frequency: the more keys have a value, the fewer bits
 *
 * A map may give each of its values a code of its own, by a canonical Huffman
 * code.  Codes of one length are successive numbers, in the order of their
 * values' plain codes (those that a map without such codes stores).  The
 * beginning of a longer code is a greater number than any shorter code.  So the
 * number of codes of each length determines all of them.
 *
 *----------
 *	 value   A B C  D   E		codes that end	  path of a key with value D
 *	 code	 0 100 101 110 111	 length 1: 0	  level 0: 1, goes on
 *								 length 3: 100 ..	level 1: 110, ends here
 *----------
 *
 * There is a level for each length that codes have.  Its plane holds the keys
 * whose codes are at least as long, and of these the bits from the previous
 * level's length on.  So a key with value A is in the plane of level 0 alone.
 * A lookup appends the bits of plane after plane to a path, until that is a
 * code.
 *
 * If most keys have one value, the dominant one, a filter in front of all
 * levels may hold the other keys.  A key that the filter turns away has the
 * dominant value.  All others are in the levels, also those with the dominant
 * value that the filter lets pass; so that value has a code, too.  Level 0 is
 * then that of length 0, which has no plane.
 *
 * The table has the plain code of each code, in their order.  If there is a
 * filter, that of the dominant value comes first.
 */
#ifndef RIBBON_CODES_H
#define RIBBON_CODES_H

#include "base/bits.h"
#include "base/coding.h"
#include "format/plane.h"
#include "ribbon_core.h"

#define RIBBON_LONGEST_CODE 32
#define RIBBON_MAX_LEVELS	(RIBBON_LONGEST_CODE + 1)

typedef struct RibbonLevel
{
	unsigned length; /* of the codes that end here, in bits */
	uint32_t first;	 /* the least of them */
	uint32_t count;	 /* how many they are */
	uint32_t entry;	 /* of the table, where the first one's plain code is */
} RibbonLevel;

typedef struct RibbonCodes
{
	const uint8_t *table; /* NULL if it was opened in slices */
	uint64_t table_at;	  /* its first byte in the map */
	uint64_t headers_at;  /* the same of the planes' headers, one by one; */
	uint32_t nheaders;	  /* their bytes */
	uint32_t ncodes;
	unsigned entry_bits; /* of a plain code */
	bool front;			 /* is there a filter in front? */
	unsigned nlevels;	 /* 0: there are no such codes */
	RibbonLevel levels[RIBBON_MAX_LEVELS];
} RibbonCodes;

/*
 * An opened map has room for so many planes and systems: what those in front of
 * the last plane weigh is RIBBON_MAX_WEIGHT at most.  So the format says, and
 * each machine has the room for that (probe/opened.h).
 */
#define RIBBON_PLANE_WEIGHT	 7
#define RIBBON_SYSTEM_WEIGHT 2
#define RIBBON_MAX_WEIGHT	 596

static inline unsigned
ribbon_codes_weight(const RibbonPlane *plane)
{
	return RIBBON_PLANE_WEIGHT +
		RIBBON_SYSTEM_WEIGHT * ribbon_plane_nsystems(plane);
}

/* Entries and bytes of the table. */
static inline uint32_t
ribbon_codes_entries(const RibbonCodes *codes)
{
	return codes->ncodes + codes->front;
}

static inline uint64_t
ribbon_codes_table_bytes(const RibbonCodes *codes)
{
	return ((uint64_t) ribbon_codes_entries(codes) * codes->entry_bits + 7) / 8;
}

/* The value bits of a level's plane; 0 for the level that has none. */
static inline unsigned
ribbon_codes_level_bits(const RibbonCodes *codes, unsigned level)
{
	return codes->levels[level].length -
		(level == 0 ? 0 : codes->levels[level - 1].length);
}

/* Is the path that a key has taken to this level a code?  Then sets *entry. */
static inline bool
ribbon_codes_end(const RibbonCodes *codes, unsigned level, uint64_t path,
				 uint32_t *entry)
{
	const RibbonLevel *l = &codes->levels[level];
	uint64_t i = path - l->first;

	*entry = l->entry + (uint32_t) i;
	return i < l->count;
}

/* The plain code of an entry, if the table is in memory. */
static inline uint64_t
ribbon_codes_value(const RibbonCodes *codes, uint32_t entry)
{
	return ribbon_load_bits(codes->table, (uint64_t) entry * codes->entry_bits,
							codes->entry_bits);
}

/*
 * Set the levels, and the number of codes, from how many codes there are of
 * each length, 0 .. longest; counts[0] is 0, counts[longest] is not, and
 * codes->front has been set.
 */
extern void ribbon_codes_set_levels(RibbonCodes *codes, const uint32_t *counts,
									unsigned longest);

/*
 * What a head says of codes: their longest length, whether there is a filter,
 * and how many there are of each length.  It takes RIBBON_MAX_CODES_HEAD bytes
 * at most.  The first function returns where the next byte goes; the second one
 * sets *codes but for what a head does not have.
 */
#define RIBBON_MAX_CODES_HEAD (1 + 3 * (RIBBON_LONGEST_CODE - 1))

extern uint8_t *ribbon_codes_write(const RibbonCodes *codes, uint8_t *out);
extern void ribbon_codes_read(RibbonReader *reader, unsigned entry_bits,
							  RibbonCodes *codes);

/*
 * Is the table as a builder writes it: codes of one length in ascending order
 * of their plain codes, and unused bits 0?  RIBBON_BAD_CODES,
 * RIBBON_BAD_PADDING or RIBBON_OK.
 */
extern RibbonStatus ribbon_codes_check(const RibbonCodes *codes);

#endif /* RIBBON_CODES_H */
