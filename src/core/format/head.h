/*
 * head.h - what the files share that write and read heads and headers
 */
#ifndef RIBBON_HEAD_H
#define RIBBON_HEAD_H

#include "base/coding.h"
#include "format/format.h"
#include "keys/classes.h"

/* of byte 0, which also has the version and the width */
#define RIBBON_BYTE0_HOMOGENEOUS 0x40
#define RIBBON_BYTE0_LAYERED	 0x80

/* of byte 1: flags follow, */
#define RIBBON_BYTE1_FLAGS 0x80

/* namely these */
#define RIBBON_FLAG_SHRUNK	  0x01
#define RIBBON_FLAG_WIDE	  0x01 /* of exact sets, which are not shrunk */
#define RIBBON_FLAG_SALTED	  0x02
#define RIBBON_FLAG_VALUES	  0x04
#define RIBBON_FLAG_UNCHECKED 0x08
#define RIBBON_FLAG_EXACT	  0x10
#define RIBBON_FLAG_EXTRA	  0x20
#define RIBBON_FLAG_CODED	  0x40
#define RIBBON_FLAG_RATED	  0x80

/* byte 0 if there is no body, or bodies begin with their own byte */
#define RIBBON_PLAIN_BYTE0 (RIBBON_FORMAT_VERSION | 1 << 4)

/* Have result bits been dropped?  Zones divide the keys as before that. */
static inline bool
ribbon_head_is_shrunk(const RibbonPlane *plane)
{
	return plane->kind == RIBBON_BURR && plane->split != plane->check.wide;
}

/* Write the classes of the keys' parts, if any; returns where the rest goes. */
static inline uint8_t *
ribbon_head_write_parts(int key_class, uint64_t nkeys, uint8_t *out)
{
	if (nkeys == 0 || !ribbon_key_class_has_parts(key_class))
		return out;
	return ribbon_write_fixed(out, ribbon_key_class_parts(key_class), 2);
}

/*
 * Read what an exact set has in its head behind the number of members, which is
 * plane->nkeys, and set what follows from it for its planes.
 */
extern void ribbon_format_read_exact(RibbonReader *reader, unsigned flags,
									 RibbonFilter *filter, RibbonPlane *plane,
									 RibbonBodies *bodies);

#endif /* RIBBON_HEAD_H */
