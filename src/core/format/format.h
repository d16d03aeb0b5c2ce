/*
 * format.h - the bytes of a filter or map, version 1
 *
 * The first page of this room, which says what a filter is: its bytes, and what
 * these are when it is open.  How it is built, probed and inspected, is
 * elsewhere.
 *
 *	 the bytes			format.c and exact_head.c write and read heads, body.c
 *						the headers of bodies; head.h is what both need
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

#include "format/head.h"
#include "format/system.h"

#define RIBBON_VALUE_CLASSES 64

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
