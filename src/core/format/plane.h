/*
 * plane.h - what a filter is inside: planes, and their linear systems
 *
 * A plane has check bits for each key, and value_bits behind them: together
 * they are the columns of its systems.
 */
#ifndef RIBBON_PLANE_H
#define RIBBON_PLANE_H

#include "format/buckets.h"
#include "format/result_bits.h"
#include "format/system.h"
#include "ribbon_core.h"

#define RIBBON_MAX_LAYERS  7  /* bumped layers before the last one */
#define RIBBON_MAX_ZONES   16 /* in the last layer, narrow and wide each */
#define RIBBON_MAX_SYSTEMS (RIBBON_MAX_LAYERS + 2 * RIBBON_MAX_ZONES)
#define RIBBON_MAX_HEADER  640 /* bytes of a plane's header, at most */

#define RIBBON_PLAIN_PLANES 2 /* of a map whose values have plain codes */

/*
 * A plane: header, thresholds and slots of one set of layers and zones.  A
 * filter is one plane, and so is a map, but for two sorts of maps.  If check
 * bits and value bits are more than RIBBON_MAX_COLUMNS, the uppermost value
 * bits are in a second plane, without check bits.  If the values have codes of
 * several lengths, there are planes of fewer and fewer keys (codes.h).
 */
typedef struct RibbonPlane
{
	/* what head and header say */
	uint64_t nkeys; /* exact number of its distinct hashes */
	RibbonKind kind;
	unsigned width;			/* w of the bumped layers */
	RibbonResultBits check; /* its result bits; {0, 0}: unchecked */
	unsigned value_bits;	/* behind these; 0 in a filter */
	unsigned split;			/* of 2048 keys, how many are in wide zones */
	bool salted;			/* hashes are remixed with the salt first */
	uint64_t salt;
	unsigned dependence;   /* homogeneous: -1024 log2 P (solve/rate.h) */
	unsigned scheme;	   /* which bucket size and thresholds, */
	RibbonBuckets buckets; /* namely these */
	unsigned nlayers;	   /* bumped layers, 0 .. RIBBON_MAX_LAYERS */
	unsigned nzones[2];	   /* narrow, wide zones of the last layer */
	unsigned rotation;	   /* of last-layer hashes: 0 .. 15, times 4 bits to the
							* left */
	uint64_t layer_keys[RIBBON_MAX_LAYERS + 1]; /* keys reaching each */

	/* where its bytes are */
	const uint8_t *bytes; /* the first byte, of the header */
	uint64_t at;		  /* it is this one of the whole filter */
	size_t header_bytes;
	uint64_t total_bytes;

	/*
	 * bumped layers, narrow zones, wide zones; homogeneous: only the first.
	 * Those behind ribbon_plane_nsystems are not set.
	 */
	RibbonSystem systems[RIBBON_MAX_SYSTEMS];
} RibbonPlane;

/*
 * Set plane to that of the empty filter; it has no systems.  Builders start
 * from it, and then set what is different.
 */
static inline void
ribbon_plane_init_empty(RibbonPlane *plane)
{
	ribbon_clear(plane, offsetof(RibbonPlane, systems));
	plane->kind = RIBBON_BURR;
	plane->width = 64;
	plane->check.bits = 1;
}

/* Set which keys are wide, of a plane that has not been shrunk. */
static inline void
ribbon_plane_set_wide(RibbonPlane *plane, unsigned wide)
{
	plane->check.wide = plane->split = wide;
}

/* Set what keys check, likewise. */
static inline void
ribbon_plane_set_check(RibbonPlane *plane, RibbonResultBits check)
{
	plane->check = check;
	ribbon_plane_set_wide(plane, check.wide);
}

/* The zones of the last layer. */
static inline unsigned
ribbon_plane_nzones(const RibbonPlane *plane)
{
	return plane->nzones[0] + plane->nzones[1];
}

static inline const RibbonSystem *
ribbon_plane_zones(const RibbonPlane *plane)
{
	return &plane->systems[plane->nlayers];
}

/* Linear systems in all: bumped layers and zones. */
static inline unsigned
ribbon_plane_nsystems(const RibbonPlane *plane)
{
	return plane->nlayers + ribbon_plane_nzones(plane);
}

/*
 * Is a plane a column of values: nothing but one value bit for each key?  Then
 * its systems are bit strings.
 */
static inline bool
ribbon_plane_is_column(const RibbonPlane *plane)
{
	/* with value bits, check.wide is 0 where check.bits is */
	return plane->value_bits == 1 && plane->check.bits == 0;
}

/* Does a plane store nothing?  Then it has no body. */
static inline bool
ribbon_plane_is_bare(const RibbonPlane *plane)
{
	return plane->nkeys == 0 ||
		(!ribbon_has_check(plane->check) && plane->value_bits == 0);
}

/* The bytes of a plane up to its last system; the others are not used. */
static inline size_t
ribbon_plane_size(const RibbonPlane *plane)
{
	return offsetof(RibbonPlane, systems) +
		ribbon_plane_nsystems(plane) * sizeof(RibbonSystem);
}

#endif /* RIBBON_PLANE_H */
