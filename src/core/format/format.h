/*
 * format.h - the bytes of a filter or map, version 1
 *
 * The first page of this room, which says what a filter is: its bytes, and what
 * these are when it is open.  How it is built, probed and inspected, is
 * elsewhere.
 *
 *	 the bytes			head.c and exact_head.c write and read heads, body.c the
 *						headers of bodies; head.h is for these three alone
 *	 opened, they are	planes of linear systems (plane.h, system.h); a system's
 *						slots (icml.h), thresholds (buckets.h), zones (zones.h)
 *	 what lies where	place.h
 *	 codes of values	codes.h
 *	 rates				result_bits.h
 *
 * docs/format.md has all bytes as tables: section 1 those of heads and headers.
 *
 *----------
 *	 head | dictionary | codes | extra | body of plane 0 | body of plane 1 ...
 *----------
 *
 * A body begins with a header of its own, and has thresholds and slots behind
 * it (format/place.h).  If there are no keys, or neither check bits nor value
 * bits, there is none.  If coded, the planes are those of codes.h, and all of
 * their headers are in front of what else they have.
 */
#ifndef RIBBON_FORMAT_H
#define RIBBON_FORMAT_H

#include "format/codes.h"
#include "format/plane.h"

#define RIBBON_MAX_VALUE_CLASS 63  /* a head has six bits for it */
#define RIBBON_MAX_HEAD		   160 /* bytes of a head, at most */

/* How a body's header begins. */
typedef enum RibbonRole
{
	RIBBON_ROLE_FIRST, /* at once: the head says what plane 0 is */
	/* with a byte: both planes of an exact set; plane 1 of a map, which has its
	 * uppermost value bits */
	RIBBON_ROLE_OWN_BYTE,
	RIBBON_ROLE_LEVEL, /* with a byte and keys: a level of codes, not plane 0 */
	RIBBON_ROLE_FRONT  /* and result bits: the filter in front of the levels */
} RibbonRole;

/* And what that beginning says: the head, or the body's own byte. */
typedef struct RibbonBodyStart
{
	RibbonRole role;
	bool layered;
	bool shrunk; /* in the head only */
	bool salted;
	unsigned last_seed; /* in the byte only: of the last zone, or 0 */
} RibbonBodyStart;

/* What a head says of the bodies behind it. */
typedef struct RibbonBodies
{
	RibbonBodyStart first; /* of plane 0 */

	/* of the second one, if it has any keys */
	uint64_t second_keys;
	unsigned second_bits; /* of values */

	RibbonCodes codes; /* the last member; nlevels is 0 if they are plain */
} RibbonBodies;

/*
 * Write a head to out, which has room for RIBBON_MAX_HEAD bytes; returns its
 * size.  plane is the first plane, values is NULL for a filter, codes is NULL
 * where they are plain.  Only those members of plane are read that a head
 * stores.  The size depends on the class of keys, values, codes and, of plane,
 * on nkeys, check.bits, salted, and on whether it is shrunk.
 */
extern size_t ribbon_format_encode_head(const RibbonPlane *plane, int key_class,
										const RibbonValues *values,
										const RibbonCodes *codes, uint8_t *out);

/*
 * Write a body's header to out, which has room for RIBBON_MAX_HEADER bytes;
 * returns its size.  Of the systems, nslots and seed are read.
 */
extern size_t ribbon_format_encode_body(const RibbonPlane *plane,
										RibbonRole role, uint8_t *out);

/* Both for a filter without values: RIBBON_MAX_HEADER bytes at most. */
extern size_t ribbon_format_encode(const RibbonPlane *plane, int key_class,
								   uint8_t *out);

/*
 * What the head of an exact set says.  An exact set is
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
 * How many of left value bits go into a plane that checks these: all, or as
 * many as its systems have room for.
 */
static inline unsigned
ribbon_format_value_bits(unsigned left, RibbonResultBits check)
{
	unsigned room = RIBBON_MAX_COLUMNS - check.bits - (check.wide > 0);

	return left < room ? left : room;
}

/*
 * Decode and validate the head of a filter of nbytes bytes, of which the first
 * nheader can be read; RIBBON_MAX_HEAD are enough.  Sets all members of filter
 * but pointers; of plane, the first one, what the head says; *bodies; and
 * *end, the first byte behind head, dictionary, codes and extra.
 * Errors: those of ribbon_open.
 */
extern RibbonStatus ribbon_format_decode_head(const uint8_t *bytes,
											  size_t nheader, uint64_t nbytes,
											  RibbonFilter *filter,
											  RibbonPlane *plane,
											  RibbonBodies *bodies,
											  uint64_t *end);

/*
 * Decode and validate the header of a body, of which the first nheader bytes
 * can be read.  plane has what is known before: of the first plane, what the
 * head says, and start is RibbonBodies.first; of others, value_bits and nkeys,
 * of a level the most that there may be, and start is their role alone.  On
 * RIBBON_OK plane->header_bytes is set, and what the header says;
 * ribbon_place_systems is to follow.  Errors: those of ribbon_open.
 */
extern RibbonStatus ribbon_format_decode_body(const uint8_t *bytes,
											  size_t nheader,
											  RibbonBodyStart start,
											  RibbonPlane *plane);

#endif /* RIBBON_FORMAT_H */
