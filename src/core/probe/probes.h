/*
 * probes.h - how a key is probed, and the kernels that do it
 *
 * The way of one hash through a plane (format/plane.h):
 *
 *----------
 *	 hash --> remixed with the salt, if there is one
 *	   |
 *	   v
 *	 layer 0:  start = fastrange(hash), bucket = start / b
 *	   |	   Is its position in the bucket below the bucket's threshold?
 *	   | no	   yes: bumped --> next hash --> layer 1, 2, ... --> last layer,
 *	   v								   where the hash chooses a zone
 *	 start --> blocks j = start / w and j + 1, offset = start % w
 *	 hash  --> coefficient row of w bits; fingerprint
 *
 *				 block j		 block j + 1
 *				+-------------+ +-------------+
 *	 column 0	| . . . . s s | | s s s . . . |	  parity of s AND row: bit 0
 *	 column 1	| . . . . s s | | s s s . . . |	  the same:			   bit 1
 *		:		+-------------+ +-------------+	  (eight columns at once)
 *	   |
 *	   v
 *	 result bits: check bits are compared with the fingerprint (homogeneous
 *	 filters: with 0), value bits are the code
 *----------
 *
 * To "find" is to look a hash up in a plane, layer or system.  "contains" and
 * "get" ask a filter or map, which may have several planes.
 *
 * Read sliced.c first: it is all of this in plain C, for slices of the bytes.
 * A kernel does the same for bytes in memory, compiled for a CPU and for each
 * RibbonVariant.  In the order of a call (a kernel_*.c is for a CPU, and a
 * kernel_*.h is a part that kernels include):
 *
 *	 open.c			 decodes headers; prepare.c chooses a plane's functions: its
 *					 find is find_first, or salts the hash and calls that
 *	 filter.c		 asks planes (opened.h), and puts their answers together;
 *					 coded.c does so for a map with codes of several lengths
 *	 kernel_layers.h follows a hash to the system that holds it (locate.h), as
 *					 find_system of sliced.c does
 *	 kernel_slots.h	 reads both blocks from a start on, and answers, as
 *					 get_result_bits does;
 *					 at_template.h where a start is near the system's end
 *	 kernel_*.c		 eight columns, with the instructions of a CPU; one by one
 *					 in columns_template.h
 *	 find.c			 hashes that the first layer bumps, or near its end
 *	 column.h		 planes of one value bit
 *
 *	 batches.c		 looks many hashes up in one plane (batch.h)
 *	 stage.c		 prepares a layer for them
 *	 kernel_batch.h	 a batch in one layer, by vectors
 *	 kernel_place.h	 where its hashes are, LANES of them at a time; each kernel
 *					 says how many, and how to compute with them
 *	 kernel_column.h planes of one value bit, also in batches
 *
 *	 kernel_template.h has a function for each RibbonVariant;
 *					 kernel_table.h puts a kernel together, and lists what tells
 *					 one kernel from another
 *
 * A kernel is a file with one function for each ribbon width,
 *
 *	 uint32_t probe<width>_columns(const uint8_t *low, const uint8_t *high,
 *								   RibbonRow<width> row, uint64_t start)
 *
 * It returns the result bits of eight columns, and uses no more of start than
 * the offset.  The columns' words lie side by side, from low on in block j, and
 * from high on in block j + 1.  All eight are read, also where a block has
 * fewer.  A new kernel is declared below, and put into probes.c and
 * base/kernel.c.
 */
#ifndef RIBBON_PROBES_H
#define RIBBON_PROBES_H

#include "base/kernel.h"
#include "base/row.h"
#include "probe/opened.h"

/*
 * How many columns the systems of a plane have.  "Even" are blocks that all
 * have the same number of columns.
 */
typedef enum RibbonShape
{
	RIBBON_SHAPE_UNIFORM_8, /* at most eight columns, even */
	RIBBON_SHAPE_UP_TO_8,	/* at most eight columns */
	RIBBON_SHAPE_UP_TO_16,	/* 9 to 16 in each system's widest blocks */
	RIBBON_SHAPE_ANY,

	/* Maps without check bits, even: at most eight columns, sixteen, more. */
	RIBBON_SHAPE_UNCHECKED_8,
	RIBBON_SHAPE_UNCHECKED_16,
	RIBBON_SHAPE_UNCHECKED_ANY,

	/* one value bit alone (ribbon_plane_is_column): column.h */
	RIBBON_SHAPE_COLUMN,
	RIBBON_NSHAPES
} RibbonShape;

/*
 * What a probe is compiled for.  The functions of a kernel (kernel_slots.h and
 * others) have it as an argument v, and are inlined into a few functions that
 * pass a constant one (kernel_template.h).  So "if (v.gives_values)" costs
 * nothing.
 */
typedef struct RibbonVariant
{
	unsigned width; /* w of the systems: 32, 64 or 128 */
	RibbonShape shape;
	bool homogeneous;
	bool gives_values; /* are there value bits to hand out? */
} RibbonVariant;

/* How many functions a kernel has: KERNEL_SIZE (kernel_table.h). */
#define KERNEL_LEAST 1
#define KERNEL_SMALL 2
#define KERNEL_FULL	 3

static inline bool
ribbon_probes_shape_is_unchecked(RibbonShape shape)
{
	return shape >= RIBBON_SHAPE_UNCHECKED_8;
}

static inline bool
ribbon_probes_shape_is_even(RibbonShape shape)
{
	return shape == RIBBON_SHAPE_UNIFORM_8 ||
		ribbon_probes_shape_is_unchecked(shape);
}

/* How many groups of eight columns systems of a shape have; 0: any number. */
static inline unsigned
ribbon_probes_shape_groups(RibbonShape shape)
{
	switch (shape)
	{
		case RIBBON_SHAPE_ANY:
		case RIBBON_SHAPE_UNCHECKED_ANY:
			return 0;
		case RIBBON_SHAPE_UP_TO_16:
		case RIBBON_SHAPE_UNCHECKED_16:
			return 2;
		default:
			return 1;
	}
}

/*
 * The functions for one kind of planes, for each shape that it can have.  Where
 * there is none, that of RIBBON_SHAPE_ANY will do.
 */
typedef struct RibbonPlaneProbes
{
	RibbonFind *first[RIBBON_NSHAPES]; /* from the first layer on */
	RibbonFind *last[RIBBON_NSHAPES];  /* in the zones of the last layer */
} RibbonPlaneProbes;

/* A kernel's probes of one ribbon width. */
typedef struct RibbonProbes
{
	RibbonFindAt *at;
	RibbonPlaneProbes burr;
	RibbonPlaneProbes homog;
	RibbonPlaneProbes map;

	/* NULL if the kernel has no batches */
	RibbonFindBatch *batch;			  /* in any systems but */
	RibbonFindBatch *batch_of_column; /* those of RIBBON_SHAPE_COLUMN */

	uint64_t cached_bytes; /* of a filter for which loading ahead is slower */
} RibbonProbes;

/* Those for a plane; gives_values: it is one of a map, or has value bits. */
static inline const RibbonPlaneProbes *
ribbon_probes_of_plane(const RibbonProbes *probes, const RibbonPlane *plane,
					   bool gives_values)
{
	return gives_values					  ? &probes->map :
		plane->kind == RIBBON_HOMOGENEOUS ? &probes->homog :
											&probes->burr;
}

/* The probes of the kernel in use, for ribbon width 32, 64 or 128. */
extern const RibbonProbes *ribbon_probes(unsigned width);

/* Those of each kernel (base/kernel.h), by ribbon_width_index. */
extern const RibbonProbes *const ribbon_probes_portable[3];
#if defined(__x86_64__)
extern const RibbonProbes *const ribbon_probes_popcnt[3];
extern const RibbonProbes *const ribbon_probes_avx2[3];
extern const RibbonProbes *const ribbon_probes_avx512[3];
#elif defined(RIBBON_NEON)
extern const RibbonProbes *const ribbon_probes_neon[3];
#endif

#endif /* RIBBON_PROBES_H */
