/*
 * codes.h - values whose codes are as long as they are rare
 *
 * A map may give each of its values a code of its own, in fewer bits the more
 * keys have the value: a canonical Huffman code.  Codes of one length are
 * numbers in a row, in the order of their values' plain codes, and of two
 * lengths the longer ones begin with greater bits, so that a code is known from
 * how many there are of each length.
 *
 *----------
 *	 value   A B C  D   E		codes that end	  path of a key with value D
 *	 code	 0 100 101 110 111	 length 1: 0	  level 0: 1, goes on
 *								 length 3: 100 ..	level 1: 110, ends here
 *----------
 *
 * Each length that there is, is a level.  A level has a plane, which holds the
 * bits between the length before and its own, of the keys whose codes are no
 * shorter than that.  So a key with value A is in the plane of level 0 alone.
 * Who looks up a key appends the bits of plane after plane to a path until that
 * is a code.
 *
 * If one value belongs to most keys, a filter in front of all levels may hold
 * the keys with other values.  A key that the filter turns away has the
 * dominant value.  The others, and those with the dominant value that the
 * filter does not turn away, are in the levels (where the dominant value has a
 * code, too); then level 0 is that of length 0, which has no plane.
 *
 * The table has the plain codes of the dominant value, if there is a filter,
 * and then of all codes, in their order.  A plain code is what a map without
 * such codes stores.
 */
#ifndef RIBBON_CODES_H
#define RIBBON_CODES_H

#include "base/bits.h"
#include "base/coding.h"
#include "format/plane.h"

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

/* The codes of an opened map, or NULL if its values have plain ones. */
static inline const RibbonCodes *
ribbon_codes(const RibbonPlane *first)
{
	return first->codes == 0 ?
		NULL :
		(const RibbonCodes *) ((const char *) first + first->codes);
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
