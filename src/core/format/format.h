/*
 * format.h - the bytes of a filter or map, version 1, as a table
 *
 * The first page of this room, which says what a filter is: its bytes, and what
 * these are when it is open.  How it is built, and probed, is elsewhere.
 *
 *	 the bytes			format.c and exact_head.c write and read heads, body.c
 *						the headers of bodies; head.h is what both need
 *	 opened, they are	planes of linear systems (plane.h, system.h); a system's
 *						slots (icml.h), thresholds (buckets.h), zones (zones.h)
 *	 what lies where	place.h; in one buffer, oneplane.h
 *	 codes of values	codes.h
 *	 rates				result_bits.h, rate.h, inspect.h
 *	 for callers		check.c, shrink.c, inspect.c, of ribbon.h
 *
 * docs/format.md is the specification.  In short (multi-byte integers are
 * little-endian, a varint is LEB128, "folded" means a signed difference d that
 * is stored as 2d or, if d < 0, as -2d - 1):
 *
 *----------
 *	 head | dictionary | codes | extra | body of plane 0 | body of plane 1 ...
 *
 *	 SIZE	MEANING
 *	 1		bits 0-3 version, 4-5 width code, 6 homogeneous, 7 layered
 *	 1		bits 0-6 key class, 7 flags follow
 *	 1		if so: bit 0 shrunk, or if exact: wide follows; 1 salted, 2 values,
 *	 		3 unchecked, 4 exact, 5 extra, 6 coded, 7 rated
 *	 2		unless unchecked or exact: bits 0-10 wide, 11-15 result bits - 1
 *	 varint	keys
 *	 2		if the key class has parts, and there are keys: their classes
 *			with values
 *	 1		bits 0-5 value class, 6 seed follows, 7 dictionary follows
 *	 1		bits 0-6 value bits, 7 has NULL
 *	 varint	unless a dictionary follows: base, folded
 *	 4		if a seed follows: the seed, which is not 0
 *	 varint	if a dictionary follows: its bytes
 *			coded
 *	 1		bits 0-5 longest code, 7 filter in front
 *	 varint	for each shorter length, 1 first: codes of this length
 *			exact
 *	 varint	keys of the universe that are not in the set
 *	 1		bit 0 seed follows, 1 as_of follows, 2 inverted, or if rated: column
 *	 		follows; 3-7 result bits - 1
 *	 2		if so: wide, which is not 0
 *	 4		if so: the seed, which is not 0
 *	 8		if so: as_of
 *	 varint	if checked, and there are keys, or a column if rated: how many of
 *	 		those pass plane 0, less what is expected, folded
 *			with extra
 *	 1		bit 0: a reader that does not know it must refuse the filter
 *	 varint	its bytes
 *----------
 *
 * A body begins with a header of its own, and has thresholds and slots behind
 * it (format/place.h).  If there are no keys, or neither check bits nor value
 * bits, there is none.  If coded, the planes are those of codes.h, and all of
 * their headers are in front of what else they have.
 *
 *----------
 *	 1		of planes behind plane 0, and of exact sets: bits 0 salted, 1-2
 *	 		width code, 3 layered, 4-7 the last zone's seed, if zones are odd
 *	 varint	of planes behind plane 0, if coded: keys
 *	 1		of the filter in front: result bits
 *	 2		if shrunk: split
 *	 8		if salted: salt
 *	 homogeneous
 *	 varint	slots - keys
 *	 2		dependence
 *	 BuRR
 *	 1		if layered: bits 0-4 bucket scheme, 5-7 number of bumped layers
 *	 varint	for each bumped layer: keys that it bumps, then
 *	 varint	its slots - the keys that it keeps, folded
 *	 varint	last layer: slots - keys; if split > 0, this times 16, plus the
 *	 		rotation
 *	 varint	for each zone but the last: slots - expected slots, folded
 *	 n / 2	seeds of the n zones, four bits each, rounded up; or down, if there
 *	 		is that byte in front
 *----------
 */
#ifndef RIBBON_FORMAT_H
#define RIBBON_FORMAT_H

#include "format/head.h"
#include "format/system.h"

#define RIBBON_VALUE_CLASSES 64

/* How the header of a plane begins. */
typedef enum RibbonRole
{
	RIBBON_FIRST,	 /* at once: the head says what plane 0 is */
	RIBBON_OWN_BYTE, /* with a byte: both planes of an exact set; plane 1 of a
					  * map, which has its uppermost value bits */
	RIBBON_LEVEL,	 /* with a byte and keys: a level of codes, not plane 0 */
	RIBBON_FRONT	 /* and result bits: the filter in front of the levels */
} RibbonRole;

/*
 * Write a head to out, which has room for RIBBON_MAX_HEAD bytes; returns its
 * size.  plane is the first plane, values is NULL for a filter, codes is NULL
 * where they are plain.  Only those members of plane are read that a head
 * stores.  The size depends on values, codes and, of plane, on nkeys,
 * key_class, result_bits, salted, and on whether it is shrunk.
 */
extern size_t ribbon_format_encode_head(const RibbonPlane *plane,
										const RibbonValues *values,
										const RibbonCodes *codes, uint8_t *out);

/*
 * Write a body's header to out, which has room for RIBBON_MAX_HEADER bytes;
 * returns its size.  Of the systems, nslots and seed are read.
 */
extern size_t ribbon_format_encode_body(const RibbonPlane *plane,
										RibbonRole role, uint8_t *out);

/* Both for a filter without values: RIBBON_MAX_HEADER bytes at most. */
extern size_t ribbon_format_encode(const RibbonPlane *plane, uint8_t *out);

/*
 * How many of left value bits go into a plane that has check_bits: all, or as
 * many as its systems have room for.
 */
static inline unsigned
ribbon_format_value_bits(unsigned left, unsigned check_bits, unsigned wide)
{
	unsigned room = RIBBON_MAX_COLUMNS - check_bits - (wide > 0);

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
 * head says, and start is RibbonBodies.first; of others, what
 * ribbon_plane_init_next sets, and start is not used.  On RIBBON_OK
 * plane->header_bytes is set, and what the header says; ribbon_place_systems is
 * to follow.  Errors: those of ribbon_open.
 */
extern RibbonStatus ribbon_format_decode_body(const uint8_t *bytes,
											  size_t nheader, RibbonRole role,
											  const RibbonBodyStart *start,
											  RibbonPlane *plane);

#endif /* RIBBON_FORMAT_H */
