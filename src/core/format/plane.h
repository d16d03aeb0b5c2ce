/*
 * plane.h - what a filter is inside: planes, and their linear systems
 *
 * RibbonFilter.opened has the planes one after the other, each with as many of
 * its systems as there are; in front of each, how to probe it (probe/plan.h);
 * and behind the first plane of a map whose codes are not plain, the
 * RibbonCodes.  Offsets lead from one to the other, so that the bytes in use
 * may be copied:
 *
 *----------
 *	 plan | first plane, systems | RibbonCodes | plan | plane, systems
 *		  |                      |             |      |
 *		  +------- codes ------->|             |      |
 *		  +------- next ----------------------------->|
 *----------
 *
 * The result bits of a plane are its check bits, which value_bits follow.  The
 * result_bits of a system count all its columns, those of values, too.
 */
#ifndef RIBBON_PLANE_H
#define RIBBON_PLANE_H

#include "format/result_bits.h"
#include "ribbon.h"

#define RIBBON_MAX_LAYERS  7  /* bumped layers before the last one */
#define RIBBON_MAX_ZONES   16 /* in the last layer, narrow and wide each */
#define RIBBON_MAX_SYSTEMS (RIBBON_MAX_LAYERS + 2 * RIBBON_MAX_ZONES)
#define RIBBON_MAX_HEADER  640 /* bytes of a plane's header, at most */

/* Most columns of a ribbon system: check bits, value bits, one more. */
#define RIBBON_MAX_COLUMNS 56

#define RIBBON_MAX_PLANES 2 /* of a map whose values have plain codes */

/*
 * A linear system within a filter: nslots slots of a result row each, stored in
 * interleaved column-major layout.  A filter has one system per bumped layer
 * and a few (zones) in its last layer; see docs/format.md.
 */
typedef struct RibbonSystem
{
	/* what every probe looks at comes first, to share a cache line */
	uint64_t range;			   /* nstarts, plus what smash adds at both ends */
	uint64_t smash;			   /* positions added at each end */
	uint64_t whole;			   /* probes that start below it may read whole
								* words (ribbon_prepare in probe/plan.h) */
	const uint8_t *thresholds; /* of a bumped layer, or NULL */
	const uint8_t *slots;	   /* first byte of the ICML blocks */
	uint64_t wide_block;	   /* first ICML block of r + 1 columns */
	uint64_t last_narrow;	   /* greatest hash that checks r bits */
	uint64_t factor;		   /* of a zone's hashes, by its seed */
	uint8_t result_bits;	   /* columns of the narrow blocks, 0 .. 56 */
	uint8_t groups;			   /* of eight columns, in the widest blocks */
	uint8_t width;			   /* w: slots per ICML block, 32, 64 or 128 */
	uint8_t row_bits;		   /* w' = min(w, m): bits of a coefficient row */
	uint8_t seed;			   /* last layer: which hash functions solved it */
	uint16_t wide;			   /* of 2048 keys, how many have one bit more */
	uint64_t nslots;		   /* m */
	uint64_t nstarts;		   /* distinct starting positions, m - w' + 1 */
	uint8_t check_bits;		   /* columns of the fingerprint in front of */
	uint8_t value_bits;		   /* so many of a map's value; see system.h */
} RibbonSystem;

/* The buckets of a layer, and their thresholds (format/buckets.h). */
typedef struct RibbonBuckets
{
	unsigned log2_size;	   /* b = 1 << log2_size starting positions */
	unsigned threshold[5]; /* positions below it are bumped: by code [0..3],
							* 0, lower, upper, b; of a grouped scheme [0..4],
							* 0, t, second, third, b */
	bool grouped;		   /* one bit per bucket, and a byte per group? */
} RibbonBuckets;

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
	int width; /* w of the bumped layers */
	int key_class;
	RibbonResultBits check; /* its result bits; {0, 0}: unchecked */
	unsigned value_bits;	/* behind these; 0 in a filter */
	unsigned split;			/* of 2048 keys, how many are in wide zones */
	bool salted;			/* hashes are remixed with the salt first */
	uint64_t salt;
	unsigned dependence;   /* homogeneous: -1024 log2 P (format/rate.h) */
	unsigned scheme;	   /* which bucket size and thresholds, */
	RibbonBuckets buckets; /* namely these */
	int nlayers;		   /* bumped layers, 0 .. RIBBON_MAX_LAYERS */
	unsigned nzones[2];	   /* narrow, wide zones of the last layer */
	unsigned rotation;	   /* of last-layer hashes: 0 .. 15, times 4 bits to the
							* left */
	uint64_t layer_keys[RIBBON_MAX_LAYERS + 1]; /* keys reaching each */

	/* where its bytes are, and what is behind it in an opened filter */
	const uint8_t *bytes; /* the first byte, of the header */
	uint64_t at;		  /* it is this one of the whole filter */
	size_t header_bytes;
	uint64_t total_bytes;
	uint32_t next;	/* bytes from here to the next plane, or 0; */
	uint32_t codes; /* of the first plane: to the RibbonCodes, or 0 */

	/*
	 * bumped layers, narrow zones, wide zones; homogeneous: only the first.
	 * Those behind ribbon_plane_nsystems are not set.
	 */
	RibbonSystem systems[RIBBON_MAX_SYSTEMS];
} RibbonPlane;

/*
 * Set plane to that of the empty filter of this key class.  Builders start from
 * it, and then set what is different.
 */
extern void ribbon_plane_init_empty(RibbonPlane *plane, int key_class);

/*
 * Prepare a plane behind the first one, to decode its header.  It has
 * value_bits, and nkeys keys; a level of codes has so many at most.
 */
extern void ribbon_plane_init_next(RibbonPlane *plane, int key_class,
								   uint64_t nkeys, unsigned value_bits);

/* Set what keys check, of a plane that has not been shrunk. */
static inline void
ribbon_plane_set_check(RibbonPlane *plane, RibbonResultBits check)
{
	plane->check = check;
	plane->split = check.wide;
}

/* Linear systems in all: bumped layers and zones. */
static inline unsigned
ribbon_plane_nsystems(const RibbonPlane *plane)
{
	return (unsigned) plane->nlayers + plane->nzones[0] + plane->nzones[1];
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
		plane->check.bits + plane->value_bits + plane->check.wide == 0;
}

/* The bytes of a plane up to its last system; the others are not used. */
static inline size_t
ribbon_plane_size(const RibbonPlane *plane)
{
	return offsetof(RibbonPlane, systems) +
		ribbon_plane_nsystems(plane) * sizeof(RibbonSystem);
}

/* The first plane of an opened filter, and the one behind a plane, or NULL. */
static inline const RibbonPlane *
ribbon_plane(const RibbonFilter *filter)
{
	return (const RibbonPlane *) ((const char *) filter->opened +
								  filter->plane_at);
}

static inline const RibbonPlane *
ribbon_plane_next(const RibbonPlane *plane)
{
	return plane->next == 0 ?
		NULL :
		(const RibbonPlane *) ((const char *) plane + plane->next);
}

#endif /* RIBBON_PLANE_H */
