/*
 * kernel_template.h - the functions of a kernel, for one ribbon width
 *
 * Each has the constant variant that its name says,
 *
 *	 <kind><w>_<step>_<SHAPE>	 burr64_first_UP_TO_8
 *
 *	 kind	 burr, homog or map (members of RibbonProbes, probes.h)
 *	 step	 first or last (members of RibbonPlaneProbes)
 *	 SHAPE	 a RibbonShape
 *
 * and is one call of a function of kernel_layers.h.  LAYERED and HOMOGENEOUS
 * list them, for planes with layers and without, once for the functions and
 * once for the table.
 */
#ifndef RIBBON_KERNEL_TEMPLATE_H
#define RIBBON_KERNEL_TEMPLATE_H

/* clang-format off */
#if KERNEL_SIZE == KERNEL_FULL
#define LAYERED(EACH) \
	EACH(burr, ANY) EACH(burr, UNIFORM_8) EACH(burr, UP_TO_8) \
	EACH(burr, UP_TO_16) \
	EACH(map, ANY) EACH(map, UNIFORM_8) EACH(map, UP_TO_8) \
	EACH(map, UP_TO_16) \
	EACH(map, UNCHECKED_ANY) EACH(map, UNCHECKED_8) EACH(map, UNCHECKED_16)
#define HOMOGENEOUS(EACH) \
	EACH(homog, ANY) EACH(homog, UNIFORM_8) EACH(homog, UP_TO_8) \
	EACH(homog, UP_TO_16)
#elif KERNEL_SIZE == KERNEL_SMALL
#define LAYERED(EACH) \
	EACH(burr, ANY) EACH(burr, UNIFORM_8) \
	EACH(map, ANY) EACH(map, UNCHECKED_ANY)
#define HOMOGENEOUS(EACH) EACH(homog, ANY) EACH(homog, UNIFORM_8)
#else
#define LAYERED(EACH) EACH(burr, ANY) EACH(map, ANY)
#define HOMOGENEOUS(EACH) EACH(homog, ANY)
#endif
/* clang-format on */

#define OF_burr	 .homogeneous = false
#define OF_homog .homogeneous = true
#define OF_map	 .gives_values = true

/* A RibbonFind, which calls this function of kernel_layers.h. */
#define FIND(kind, step, its_shape, function) \
	static KERNEL_TARGET bool \
	NAME(kind, step##_##its_shape)(const RibbonOpened *opened, uint64_t hash, \
								   uint64_t *code) \
	{ \
		const RibbonVariant v = {.width = RIBBON_BITS, \
								 .shape = RIBBON_SHAPE_##its_shape, \
								 OF_##kind}; \
\
		return function(opened, hash, v, code); \
	}
#define FIND_FIRST(kind, shape) FIND(kind, first, shape, find_first)
#define FIND_ONLY(kind, shape)	FIND(kind, first, shape, find_only)
#define FIND_LAST(kind, shape)	FIND(kind, last, shape, find_last)

/* Where they are in the table. */
#define FIRST(kind, shape) \
	.kind.first[RIBBON_SHAPE_##shape] = NAME(kind, first_##shape),
#define LAST(kind, shape) \
	.kind.last[RIBBON_SHAPE_##shape] = NAME(kind, last_##shape),

#endif /* RIBBON_KERNEL_TEMPLATE_H */

LAYERED(FIND_FIRST)
HOMOGENEOUS(FIND_ONLY)
#if RIBBON_BITS > 32 /* as zones are */
LAYERED(FIND_LAST)
#endif

#ifdef LANES
/* A RibbonFindBatch. */
static KERNEL_TARGET void
NAME(any, batch)(const RibbonOpened *opened, const RibbonStage *stage,
				 RibbonBatch *batch)
{
	batch_layer(opened, stage, batch,
				(RibbonVariant){.width = RIBBON_BITS,
								.shape = RIBBON_SHAPE_ANY});
}
#endif

/* clang-format off */
static const RibbonProbes NAME(probes, table) = {
	.at = NAME(at, find),
	LAYERED(FIRST)
	HOMOGENEOUS(FIRST)
	.map.first[RIBBON_SHAPE_COLUMN] = column_first,
#if RIBBON_BITS > 32
	LAYERED(LAST)
	.map.last[RIBBON_SHAPE_COLUMN] = column_last,
#endif
#ifdef LANES
	.batch = NAME(any, batch),
	.batch_of_column = column_batch,
#endif
	.cached_bytes = CACHED_BYTES,
};
/* clang-format on */
