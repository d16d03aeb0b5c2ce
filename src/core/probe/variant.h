/*
 * variant.h - what a probe is compiled for
 *
 * The functions of a kernel (kernel_slots.h and others) have an argument v,
 * a RibbonVariant, and are inlined into a few functions that pass a constant
 * one (kernel_table.h).  So "if (v.is_map)" costs nothing.
 */
#ifndef RIBBON_VARIANT_H
#define RIBBON_VARIANT_H

#include "format/system.h"

/*
 * How many columns the systems of a plane have.  "Even" are blocks that all
 * have the same number of columns.
 */
typedef enum RibbonShape
{
	RIBBON_UNIFORM_8, /* at most eight columns, even */
	RIBBON_UP_TO_8,	  /* at most eight columns */
	RIBBON_UP_TO_16,  /* nine to sixteen in the widest blocks of each system */
	RIBBON_ANY,

	/* Maps without check bits, even: at most eight columns, sixteen, more. */
	RIBBON_UNCHECKED_8,
	RIBBON_UNCHECKED_16,
	RIBBON_UNCHECKED_ANY,
	RIBBON_COLUMN, /* one value bit alone (ribbon_plane_is_column): column.h */
	RIBBON_NSHAPES
} RibbonShape;

typedef struct RibbonVariant
{
	unsigned width; /* w of the systems: 32, 64 or 128 */
	RibbonShape shape;
	bool homogeneous;
	bool is_map;   /* are there value bits to hand out? */
	bool in_steps; /* of batches: eight columns first, then the others? */
} RibbonVariant;

static inline bool
ribbon_shape_is_unchecked(RibbonShape shape)
{
	return shape >= RIBBON_UNCHECKED_8;
}

static inline bool
ribbon_shape_is_even(RibbonShape shape)
{
	return shape == RIBBON_UNIFORM_8 || ribbon_shape_is_unchecked(shape);
}

/* How many groups of eight columns systems of a shape have; 0: any number. */
static inline unsigned
ribbon_shape_groups(RibbonShape shape)
{
	switch (shape)
	{
		case RIBBON_ANY:
		case RIBBON_UNCHECKED_ANY:
			return 0;
		case RIBBON_UP_TO_16:
		case RIBBON_UNCHECKED_16:
			return 2;
		default:
			return 1;
	}
}

#endif /* RIBBON_VARIANT_H */
