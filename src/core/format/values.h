/*
 * values.h - the header of a map, version 2, in front of its planes
 *
 * docs/format.md is the specification.  In short, in the words of format.h:
 *
 *----------
 *	 SIZE	MEANING
 *	 1		bits 0-3 version, 4 unchecked, 5 has NULL, 6 seed follows,
 *			7 dictionary follows
 *	 1		value class
 *	 1		value bits, 0 .. 64
 *	 varint	unless a dictionary follows: base, folded
 *	 4		if a seed follows: the seed, which is not 0
 *	 varint	if a dictionary follows: its bytes, and then
 *	 n		the dictionary
 *			plane 0, and plane 1 if there are two: as filters of kind BuRR
 *----------
 *
 * A plane's header is a filter's (format.h).  How many of its columns are the
 * value's follows from the value bits here; so does whether there is a second
 * plane.
 */
#ifndef RIBBON_FORMAT_VALUES_H
#define RIBBON_FORMAT_VALUES_H

#include "format/plane.h"

#define RIBBON_MAP_VERSION 2

/* Bytes of a map's own header, without dictionary and planes, at most. */
#define RIBBON_VALUES_HEADER 32

/*
 * The value bits that are in plane 0, behind its check_bits and (if wide is not
 * 0) in front of one more: all of them, or as many as a system has room for.
 * The uppermost others are in plane 1.
 */
static inline unsigned
ribbon_values_low_bits(unsigned value_bits, unsigned check_bits, unsigned wide)
{
	unsigned room = RIBBON_MAX_COLUMNS - check_bits - (wide > 0);

	return value_bits < room ? value_bits : room;
}

/*
 * Write the header of these values to out, which has room for
 * RIBBON_VALUES_HEADER bytes: all up to the first byte of the dictionary, or of
 * plane 0 if there is none.  Returns its size.
 */
extern size_t ribbon_values_encode(const RibbonValues *values, bool checked,
								   uint8_t *out);

/*
 * Decode and validate the own header of a map of nbytes bytes, of which the
 * first nheader can be read; RIBBON_VALUES_HEADER are enough.  Sets what it
 * says in filter, *checked, and *end, where plane 0 begins.
 * Errors: those of ribbon_open.
 */
extern RibbonStatus ribbon_values_decode(const uint8_t *bytes, size_t nheader,
										 size_t nbytes, RibbonFilter *filter,
										 bool *checked, uint64_t *end);

#endif /* RIBBON_FORMAT_VALUES_H */
