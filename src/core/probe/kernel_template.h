/*
 * kernel_template.h - the functions of a kernel, for one ribbon width
 *
 * Each has the constant variant (variant.h) that its name says,
 *
 *	 <kind><w>_<step>_<shape>	 burr64_first_up_to_8
 *
 *	 kind	 burr, homog or map; any: all of these, or all with layers
 *	 step	 a member of RibbonPlaneProbes or RibbonProbes (probes.h)
 *	 shape	 a RibbonShape; if there is none: RIBBON_ANY
 *
 * A kernel that is KERNEL_SMALL has them only for any number of columns, with
 * or without check bits.  One that is KERNEL_LEAST, too, has only those that
 * answer for everything, and no batches.
 */
#include "base/template.h"

#define VARIANT(its_shape, ...) \
	((RibbonVariant){.width = RIBBON_BITS, \
					 .shape = RIBBON_##its_shape, \
					 __VA_ARGS__})
#define BURR(shape)	 VARIANT(shape, .homogeneous = false)
#define HOMOG(shape) VARIANT(shape, .homogeneous = true)
#define MAP(shape)	 VARIANT(shape, .is_map = true)

/* A RibbonFind: step is one of kernel_layers.h. */
#define FIND(name, step, v) \
	static KERNEL_TARGET bool name(const RibbonPlan *plan, uint64_t hash, \
								   uint64_t *code) \
	{ \
		return step(plan, hash, v, code); \
	}

FIND(NAME(burr, first), find_first, BURR(ANY))
FIND(NAME(homog, first), find_only, HOMOG(ANY))
FIND(NAME(map, first), find_first, MAP(ANY))
FIND(NAME(any, bumped), find_bumped, MAP(ANY))
#if RIBBON_BITS > 32 /* as zones are */
FIND(NAME(burr, last), find_last, BURR(ANY))
FIND(NAME(map, last), find_last, MAP(ANY))
#endif

#ifndef KERNEL_LEAST
FIND(NAME(map, first_unchecked), find_first, MAP(UNCHECKED_ANY))
#if RIBBON_BITS > 32
FIND(NAME(map, last_unchecked), find_last, MAP(UNCHECKED_ANY))
#endif
#endif

#ifndef KERNEL_SMALL
FIND(NAME(burr, first_uniform_8), find_first, BURR(UNIFORM_8))
FIND(NAME(burr, first_up_to_8), find_first, BURR(UP_TO_8))
FIND(NAME(burr, first_up_to_16), find_first, BURR(UP_TO_16))
FIND(NAME(homog, first_uniform_8), find_only, HOMOG(UNIFORM_8))
FIND(NAME(homog, first_up_to_8), find_only, HOMOG(UP_TO_8))
FIND(NAME(homog, first_up_to_16), find_only, HOMOG(UP_TO_16))
FIND(NAME(map, first_uniform_8), find_first, MAP(UNIFORM_8))
FIND(NAME(map, first_up_to_8), find_first, MAP(UP_TO_8))
FIND(NAME(map, first_up_to_16), find_first, MAP(UP_TO_16))
FIND(NAME(map, first_unchecked_8), find_first, MAP(UNCHECKED_8))
FIND(NAME(map, first_unchecked_16), find_first, MAP(UNCHECKED_16))
#if RIBBON_BITS > 32
FIND(NAME(burr, last_uniform_8), find_last, BURR(UNIFORM_8))
FIND(NAME(burr, last_up_to_8), find_last, BURR(UP_TO_8))
FIND(NAME(burr, last_up_to_16), find_last, BURR(UP_TO_16))
FIND(NAME(map, last_uniform_8), find_last, MAP(UNIFORM_8))
FIND(NAME(map, last_up_to_8), find_last, MAP(UP_TO_8))
FIND(NAME(map, last_up_to_16), find_last, MAP(UP_TO_16))
FIND(NAME(map, last_unchecked_8), find_last, MAP(UNCHECKED_8))
FIND(NAME(map, last_unchecked_16), find_last, MAP(UNCHECKED_16))
#endif
#endif

/* A RibbonFindBatch: in steps, or in vectors where the kernel has them. */
#define BATCH(name, v) \
	static KERNEL_TARGET void name(const RibbonPlan *plan, \
								   const RibbonSystem *system, \
								   RibbonBatch *batch) \
	{ \
		if (KERNEL_VECTORS(RIBBON_BITS) && !v.in_steps) \
			vector_system(plan, system, batch, v); \
		else \
			batch_system(plan, system, batch, v); \
	}
#define IS_HOMOGENEOUS (plan->plane.kind == RIBBON_HOMOGENEOUS)
#define ANY_KIND(shape) \
	VARIANT(shape, .homogeneous = IS_HOMOGENEOUS, .is_map = true)
#define IN_STEPS(shape) \
	VARIANT(shape, .homogeneous = IS_HOMOGENEOUS, .in_steps = true)

#ifndef KERNEL_LEAST
BATCH(NAME(any, batch), ANY_KIND(ANY))
BATCH(NAME(any, batch_in_steps), IN_STEPS(ANY))
#ifndef KERNEL_SMALL
BATCH(NAME(any, batch_up_to_8), ANY_KIND(UP_TO_8))
BATCH(NAME(any, batch_up_to_16), ANY_KIND(UP_TO_16))
#if !KERNEL_VECTORS(RIBBON_BITS)
BATCH(NAME(any, batch_uniform_8), ANY_KIND(UNIFORM_8))
BATCH(NAME(map, batch_unchecked_8), MAP(UNCHECKED_8))
BATCH(NAME(map, batch_unchecked_16), MAP(UNCHECKED_16))
#endif
#endif
#endif

/* clang-format off */
static const RibbonProbes NAME(probes, table) = {
	.at = NAME(at, find),
	.bumped = NAME(any, bumped),
	.burr.first[RIBBON_ANY] = NAME(burr, first),
	.homogeneous.first[RIBBON_ANY] = NAME(homog, first),
	.map.first[RIBBON_ANY] = NAME(map, first),
	.map.first[RIBBON_COLUMN] = column_first,
#if RIBBON_BITS > 32
	.burr.last[RIBBON_ANY] = NAME(burr, last),
	.map.last[RIBBON_ANY] = NAME(map, last),
	.map.last[RIBBON_COLUMN] = column_last,
#endif
#ifndef KERNEL_SMALL
	.burr.first[RIBBON_UNIFORM_8] = NAME(burr, first_uniform_8),
	.burr.first[RIBBON_UP_TO_8] = NAME(burr, first_up_to_8),
	.burr.first[RIBBON_UP_TO_16] = NAME(burr, first_up_to_16),
	.homogeneous.first[RIBBON_UNIFORM_8] = NAME(homog, first_uniform_8),
	.homogeneous.first[RIBBON_UP_TO_8] = NAME(homog, first_up_to_8),
	.homogeneous.first[RIBBON_UP_TO_16] = NAME(homog, first_up_to_16),
	.map.first[RIBBON_UNIFORM_8] = NAME(map, first_uniform_8),
	.map.first[RIBBON_UP_TO_8] = NAME(map, first_up_to_8),
	.map.first[RIBBON_UP_TO_16] = NAME(map, first_up_to_16),
	.map.first[RIBBON_UNCHECKED_8] = NAME(map, first_unchecked_8),
	.map.first[RIBBON_UNCHECKED_16] = NAME(map, first_unchecked_16),
#if RIBBON_BITS > 32
	.burr.last[RIBBON_UNIFORM_8] = NAME(burr, last_uniform_8),
	.burr.last[RIBBON_UP_TO_8] = NAME(burr, last_up_to_8),
	.burr.last[RIBBON_UP_TO_16] = NAME(burr, last_up_to_16),
	.map.last[RIBBON_UNIFORM_8] = NAME(map, last_uniform_8),
	.map.last[RIBBON_UP_TO_8] = NAME(map, last_up_to_8),
	.map.last[RIBBON_UP_TO_16] = NAME(map, last_up_to_16),
	.map.last[RIBBON_UNCHECKED_8] = NAME(map, last_unchecked_8),
	.map.last[RIBBON_UNCHECKED_16] = NAME(map, last_unchecked_16),
#endif
#endif
#ifndef KERNEL_LEAST
	.map.first[RIBBON_UNCHECKED_ANY] = NAME(map, first_unchecked),
#if RIBBON_BITS > 32
	.map.last[RIBBON_UNCHECKED_ANY] = NAME(map, last_unchecked),
#endif
	.batch[RIBBON_ANY] = NAME(any, batch),
	.batch[RIBBON_COLUMN] = vector_column,
#ifndef KERNEL_SMALL
	.batch[RIBBON_UP_TO_8] = NAME(any, batch_up_to_8),
	.batch[RIBBON_UP_TO_16] = NAME(any, batch_up_to_16),
#if KERNEL_VECTORS(RIBBON_BITS)
	.batch[RIBBON_UNIFORM_8] = NAME(any, batch_up_to_8),
	.batch[RIBBON_UNCHECKED_8] = NAME(any, batch_up_to_8),
	.batch[RIBBON_UNCHECKED_16] = NAME(any, batch_up_to_16),
#else
	.batch[RIBBON_UNIFORM_8] = NAME(any, batch_uniform_8),
	.batch[RIBBON_UNCHECKED_8] = NAME(map, batch_unchecked_8),
	.batch[RIBBON_UNCHECKED_16] = NAME(map, batch_unchecked_16),
#endif
#endif
	.batch_in_steps = NAME(any, batch_in_steps),
	.has_vectors = KERNEL_VECTORS(RIBBON_BITS),
	.column_vectors = HAS_VECTORS,
	.cached_bytes = CACHED_BYTES,
#endif
};
/* clang-format on */

#undef VARIANT
#undef BURR
#undef HOMOG
#undef MAP
#undef FIND
#undef BATCH
#undef IS_HOMOGENEOUS
#undef ANY_KIND
#undef IN_STEPS
#include "base/template_end.h"
