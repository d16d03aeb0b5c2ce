/*
 * head.h - what the heads of all filters have in common
 */
#ifndef RIBBON_HEAD_H
#define RIBBON_HEAD_H

#include "base/bits.h"
#include "base/coding.h"
#include "keys/classes.h"
#include "format/codes.h"
#include "format/plane.h"

#define RIBBON_MAX_HEAD 160 /* bytes of a head, at most */

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

/* How a body's header begins. */
typedef enum RibbonRole
{
	RIBBON_FIRST,	 /* at once: the head says what plane 0 is */
	RIBBON_OWN_BYTE, /* with a byte: both planes of an exact set; plane 1 of a
					  * map, which has its uppermost value bits */
	RIBBON_LEVEL,	 /* with a byte and keys: a level of codes, not plane 0 */
	RIBBON_FRONT	 /* and result bits: the filter in front of the levels */
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
	ribbon_store16(out, (uint16_t) ribbon_key_class_parts(key_class));
	return out + 2;
}

#endif /* RIBBON_HEAD_H */
