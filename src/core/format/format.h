/*
 * format.h - the header of a filter, version 1, and what it implies
 *
 * docs/format.md is the specification.  In short:
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       1		bits 0-3 version, 4-5 width code, 6 homogeneous, 7 extended
 *	 1       1		bits 0-4 key class, 5-7 bumped layers
 *	 2       2		bits 0-10 wide, 11-15 columns - 1
 *	 4       varint	keys; if 0 the filter ends here
 *	         1		if extended: bit 0 shrunk, bit 1 salted
 *	         2		if shrunk: split
 *	         8		if salted: salt
 *	 homogeneous
 *	         varint	slots - keys
 *	         2		dependence
 *	 BuRR
 *	         1		if there are bumped layers: bucket scheme
 *	         2 varints	for each of them: slots, keys bumped by it
 *	         varint	last layer: slots - keys
 *	         varints	slots - expected slots, sign folded, of all zones but the last
 *	         		seeds of the zones, four bits each
 *----------
 *
 * Then come the thresholds of every bumped layer, and the slots of every
 * system.
 */
#ifndef RIBBON_FORMAT_H
#define RIBBON_FORMAT_H

#include "base/alloc.h"
#include "format/system.h"

#define RIBBON_MAX_KEYS		 (UINT64_C(1) << 48) /* and slots of a system */
#define RIBBON_NOT_DEPENDENT 65535 /* dependence that stands for P = 0 */

/*
 * Write the header and return its size, at most RIBBON_MAX_HEADER.  It looks
 * only at what a header stores; of the systems, at nslots and seed.
 */
extern size_t ribbon_format_encode(const RibbonFilter *filter, uint8_t *out);

/*
 * Begin the bytes of a filter whose header is known: *buffer, for the caller to
 * free, has headroom bytes left alone, the header, and zeros.  The filter's
 * geometry, sizes and pointers into the buffer are set.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_format_create(const RibbonEnv *env,
										 RibbonFilter *filter, size_t headroom,
										 uint8_t **buffer);

/*
 * Decode and validate the header of a filter of nbytes bytes, of which the first
 * nheader are there; see ribbon_open_header, whose errors these are.  The filter
 * is as complete as can be without the kernels of probe/.
 */
extern RibbonStatus ribbon_format_decode(const uint8_t *bytes, size_t nheader,
										 size_t nbytes, RibbonFilter *filter);

/*
 * A homogeneous filter that was created with more result bits, and has been
 * solved, is to have these: its slots move together, within the same buffer, and
 * its geometry and size are set anew.  The header is still to be encoded.
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_format_keep_bits(const RibbonEnv *env,
											RibbonFilter *filter,
											RibbonResultBits result_bits);

/* Make filter describe the empty filter of this key class. */
extern void ribbon_format_init_empty(RibbonFilter *filter, int key_class);

/* P(random row in span) of a homogeneous filter, to and from two bytes. */
extern unsigned ribbon_format_encode_dependence(double probability);
extern double ribbon_format_decode_dependence(unsigned dependence);

#endif /* RIBBON_FORMAT_H */
