/*
 * exact_head.h - the head of an exact set
 *
 * docs/format.md has its bytes.  An exact set is
 *
 *----------
 *	 head | body of a filter of the members | body of a column of values
 *
 *	 head | body of a column of values
 *----------
 *
 * The column says of a key whether it is a member.  In the first form it has a
 * bit for each key of the universe that passes the filter, in the second form
 * for each key of the universe.  If the set is inverted, the filter is of the
 * keys that are not members.  Without members, or without other keys, there is
 * no body.  Bodies begin with their own byte, so that the head can be written
 * last.
 *
 * Of a set with a rate, "rated", there is a filter without other keys, too, and
 * the bits of a column are masked: what it stores is whether the key is a
 * member, plus ribbon_hash_mask, modulo 2.  So a key that is not of the
 * universe gets either answer with the same probability, whatever is stored.
 */
#ifndef RIBBON_EXACT_HEAD_H
#define RIBBON_EXACT_HEAD_H

#include "format/format.h"

/* What the head of an exact set says. */
typedef struct RibbonExactHead
{
	int key_class;
	bool rated;
	bool column;			/* is there one behind the filter? */
	RibbonResultBits check; /* of plane 0, wide only if rated; {0, 0}: it has a
							 * column of values instead */
	uint64_t nmembers;
	uint64_t nothers; /* the rest of the universe */
	bool inverted;	  /* plane 0 is of the others, and members may pass */
	uint64_t npassed; /* so many pass plane 0 by chance; with result bits */
	uint32_t seed;
	bool has_as_of;
	int64_t as_of;
} RibbonExactHead;

/* The same as ribbon_format_encode_head for an exact set. */
extern size_t ribbon_format_encode_exact(const RibbonExactHead *head,
										 uint8_t *out);

/*
 * Read what an exact set has in its head behind the number of members, which is
 * plane->nkeys, and set what follows from it for its planes.
 */
extern void ribbon_format_read_exact(RibbonReader *reader, unsigned flags,
									 RibbonFilter *filter, RibbonPlane *plane,
									 RibbonBodies *bodies);

#endif /* RIBBON_EXACT_HEAD_H */
