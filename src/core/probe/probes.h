/*
 * probes.h - the inner loops that probe, by kernel (base/kernel.h)
 *
 * A kernel probes one key, or a batch of keys.  In a batch it first finds the
 * places of all keys and begins to load them.  When the last place is known,
 * the bytes of the first one have arrived.  That hides the latency of memory,
 * which is most of the time of a probe in a filter larger than the caches.
 *
 * The steps of a probe have these names, from the outside in:
 *
 *	 contains		 is the key in the set?
 *	 get			 the same, and the code of its value
 *	 find			 look up a hash in one plane, layer or system, for both
 *	 probe<width>	 read the columns of w slots, the innermost step
 */
#ifndef RIBBON_PROBES_H
#define RIBBON_PROBES_H

#include "format/icml.h"

#define RIBBON_BATCH 256 /* keys at a time */
#define RIBBON_AHEAD 16	 /* that are found while as many others are loaded */

/* Hashes that have come to a system. */
typedef struct RibbonBatch
{
	const uint64_t *hashes;
	unsigned nhashes; /* at most RIBBON_BATCH */
	unsigned nbumped;
	unsigned nrest;
	bool *answers;	 /* to each hash: is it in the set? */
	uint64_t *codes; /* of maps, where the answer is true; else NULL */

	/*
	 * Indexes, 0 .. nhashes - 1, of the hashes that the layer bumps; and of
	 * those near its ends, which are to be probed one by one.
	 */
	uint16_t bumped[RIBBON_BATCH + 8];
	uint16_t rest[RIBBON_BATCH + 8];

	/* What a kernel knows of each hash; all but the first for vectors only. */
	uint64_t starts[RIBBON_BATCH];
	uint64_t lows[RIBBON_BATCH]; /* bytes from the first slot to both blocks */
	uint64_t highs[RIBBON_BATCH];
	uint64_t rows[RIBBON_BATCH];
	uint32_t prints[RIBBON_BATCH];
	uint8_t wide[RIBBON_BATCH];		/* 1 if it checks a bit more, else 0 */
	uint64_t columns[RIBBON_BATCH]; /* of filters */
} RibbonBatch;

/*
 * Look up a hash in a system, from its start on.  A filter has no value bits:
 * then code is NULL, and the columns that the key checks are compared with
 * result.  In a map the check bits are compared with the fingerprint of hash,
 * and *code is set.
 */
typedef bool (*RibbonFindLoop)(const RibbonSystem *system, uint64_t hash,
							   uint64_t start, uint32_t result, uint64_t *code);

/* Look up a batch's hashes in one system, whose whole is not 0. */
typedef void (*RibbonBatchLoop)(const RibbonPlane *plane,
								const RibbonSystem *system, RibbonBatch *batch);

/* How many columns systems have; a probe is compiled for each shape. */
typedef enum RibbonShape
{
	RIBBON_UNIFORM_8, /* at most eight columns, and as many in all blocks */
	RIBBON_UP_TO_8,	  /* at most eight columns */
	RIBBON_UP_TO_16,  /* nine to sixteen in the widest blocks of each system */
	RIBBON_ANY,

	/*
	 * Of maps without check bits, whose blocks all have as many columns: at
	 * most eight, sixteen, any number; and one (ribbon_plane_is_column).
	 */
	RIBBON_UNCHECKED_8,
	RIBBON_UNCHECKED_16,
	RIBBON_UNCHECKED_ANY,
	RIBBON_COLUMN,
	RIBBON_NSHAPES
} RibbonShape;

static inline bool
ribbon_shape_is_unchecked(RibbonShape shape)
{
	return shape >= RIBBON_UNCHECKED_8;
}

/* Do all blocks have the same number of columns? */
static inline bool
ribbon_shape_is_even(RibbonShape shape)
{
	return shape == RIBBON_UNIFORM_8 || ribbon_shape_is_unchecked(shape);
}

/* The shape with check bits that has as many columns. */
static inline RibbonShape
ribbon_shape_checked(RibbonShape shape)
{
	if (shape == RIBBON_COLUMN)
		return RIBBON_UP_TO_8;
	return ribbon_shape_is_unchecked(shape) ?
		shape - RIBBON_UNCHECKED_8 + RIBBON_UP_TO_8 :
		shape;
}

/* How many groups of eight columns a system has. */
static inline unsigned
ribbon_shape_groups(RibbonShape shape, const RibbonSystem *system)
{
	RibbonShape checked = ribbon_shape_checked(shape);

	return checked == RIBBON_ANY   ? system->groups :
		checked == RIBBON_UP_TO_16 ? 2 :
									 1;
}

/* What a batch loop is compiled for. */
typedef struct RibbonVariant
{
	RibbonShape shape;
	bool homogeneous;
	bool is_map;   /* are codes set? */
	bool in_steps; /* are the first eight columns compared before the others? */
} RibbonVariant;

/* The probes of one sort of planes, for each shape that it can have. */
typedef struct RibbonPlaneProbes
{
	RibbonFind *first[RIBBON_NSHAPES]; /* from the first layer on */
	RibbonFind *bumped;				   /* from the second layer on */
	RibbonFind *last[RIBBON_NSHAPES];  /* in the zones of the last layer */
	RibbonBatchLoop batch[RIBBON_NSHAPES];
	RibbonBatchLoop batch_in_steps; /* of a filter of more than 16 columns */
} RibbonPlaneProbes;

/* A kernel's probes of one ribbon width. */
typedef struct RibbonProbes
{
	RibbonFindLoop system;
	RibbonPlaneProbes burr;
	RibbonPlaneProbes homogeneous;
	RibbonPlaneProbes map;

	/* are batches done in vectors: RIBBON_COLUMN, and all other shapes? */
	bool column_vectors, has_vectors;

	/*
	 * bytes of a filter up to which other batches are slower than single probes
	 */
	uint64_t cached_bytes;
} RibbonProbes;

/* The loops of the kernel in use, for ribbon width 32, 64 or 128. */
extern const RibbonProbes *ribbon_probes(unsigned width);

/* The kernels' loops, by ribbon_width_index. */
extern const RibbonProbes *const ribbon_probes_portable[3];
#if defined(__x86_64__)
extern const RibbonProbes *const ribbon_probes_popcnt[3];
extern const RibbonProbes *const ribbon_probes_avx2[3];
extern const RibbonProbes *const ribbon_probes_avx512[3];
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
extern const RibbonProbes *const ribbon_probes_neon[3];
#endif

#endif /* RIBBON_PROBES_H */
