/*
 * format.h - the header of a filter, version 1, and what it implies
 *
 * docs/format.md is the specification.  In short (multi-byte integers are
 * little-endian, a varint is LEB128, "folded" means a signed difference d that
 * is stored as 2d or, if d < 0, as -2d - 1):
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       1		bits 0-3 version, 4-5 width code, 6 homogeneous, 7 extended
 *	 1       1		bits 0-4 key class, 5-7 number of bumped layers
 *	 2       2		bits 0-10 wide, 11-15 result bits - 1
 *	 4       varint	keys; if 0 the filter ends here
 *	         2		if the key class has parts: their classes, five bits each
 *	         1		if extended: bit 0 shrunk, bit 1 salted
 *	         2		if shrunk: split
 *	         8		if salted: salt
 *	 homogeneous
 *	         varint	slots - keys
 *	         2		dependence
 *	 BuRR
 *	         1		if there are bumped layers: bucket scheme
 *	         varint	for each bumped layer: keys that it bumps, then
 *	         varint	its slots - the keys that it keeps, folded
 *	         varint	last layer: slots - keys; if split > 0, this times 16,
 *	         		plus the rotation
 *	         varint	for each zone but the last: slots - expected slots, folded
 *	         n / 2	seeds of the n zones, four bits each, rounded up
 *----------
 *
 * Behind the header lie the thresholds of each bumped layer, and then the slots
 * of each ribbon system (format/place.h).
 *
 * The planes of a map (format/map.h) are such filters of kind BuRR, with value
 * bits that only the map's header tells.  result_bits is 0 in one without check
 * bits, whose bytes 2 and 3 are 0, too.  If it has no value bits either, it
 * ends where an extension would begin.
 */
#ifndef RIBBON_FORMAT_H
#define RIBBON_FORMAT_H

#include "base/alloc.h"
#include "format/system.h"

#define RIBBON_MAX_KEYS		 (UINT64_C(1) << 48) /* and slots of a system */
#define RIBBON_NOT_DEPENDENT 65535 /* dependence that stands for P = 0 */

/*
 * Write a filter's header to out, which has room for RIBBON_MAX_HEADER bytes;
 * returns its size.  Only those members of filter are read that a header
 * stores; of the systems, nslots and seed.
 */
extern size_t ribbon_format_encode(const RibbonPlane *filter, uint8_t *out);

/*
 * Begin the bytes of a filter of which all is known that a header stores.  On
 * RIBBON_OK *buffer, which the caller frees, has headroom bytes that are not
 * set, the header, and zeros; of filter, the geometry of all systems, the sizes
 * and the pointers into the buffer are set.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_format_create(const RibbonEnv *env,
										 RibbonPlane *filter, size_t headroom,
										 uint8_t **buffer);

/* What a plane of a map does not say of itself. */
typedef struct RibbonPlaneLeft
{
	unsigned value_bits; /* of the map that no plane before this one has */
	bool unchecked;		 /* it has no check bits */
} RibbonPlaneLeft;

/*
 * Decode and validate the header of a plane, of which the first nheader bytes
 * can be read, and which may have nbytes bytes.  left is NULL for a filter; a
 * map's plane is of kind BuRR and not shrunk.  On RIBBON_OK all of filter is
 * set but what depends on the probing kernel (probe/query.h); it has
 * filter->total_bytes bytes.  Errors: those of ribbon_open.
 */
extern RibbonStatus ribbon_format_decode(const uint8_t *bytes, size_t nheader,
										 size_t nbytes,
										 const RibbonPlaneLeft *left,
										 RibbonPlane *filter);

/*
 * Give a homogeneous filter that was created with more result bits, and has
 * been solved, the result bits result_bits: moves its slots together within the
 * same buffer, and sets its geometry and sizes anew.  The header is still to be
 * encoded.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_format_keep_bits(const RibbonEnv *env,
											RibbonPlane *filter,
											RibbonResultBits result_bits);

/*
 * Set filter to the empty filter of this key class.  Builders start from it,
 * and then set what is different.
 */
extern void ribbon_format_init_empty(RibbonPlane *filter, int key_class);

/*
 * The header's two bytes for P (0 .. 1), the probability that a homogeneous
 * filter says yes whatever r is (solve/span.h), and P from them:
 * round(-1024 log2 P), which keeps P to 0.034 %.
 */
extern unsigned ribbon_format_encode_dependence(double probability);
extern double ribbon_format_decode_dependence(unsigned dependence);

#endif /* RIBBON_FORMAT_H */
