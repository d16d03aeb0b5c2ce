/*
 * kernel_template.h - the functions of a kernel, for one ribbon width
 *
 * Each has the constant variant that its name says,
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
#define VARIANT(its_shape, ...) \
	((RibbonVariant){.width = RIBBON_BITS, \
					 .shape = RIBBON_##its_shape, \
					 __VA_ARGS__})
#define BURR(shape)	 VARIANT(shape, .homogeneous = false)
#define HOMOG(shape) VARIANT(shape, .homogeneous = true)
#define MAP(shape)	 VARIANT(shape, .gives_values = true)

/* clang-format off */
/*
 * The RibbonFinds of a kernel.  A row is layered or homogeneous, and has the
 * kind, its variant, the shape, and how the name ends.
 */
#define FINDS(layered, homogeneous) \
	layered(burr, BURR, ANY, ) \
	homogeneous(homog, HOMOG, ANY, ) \
	layered(map, MAP, ANY, ) \
	FINDS_UNCHECKED(layered) \
	FINDS_OF_SHAPES(layered, homogeneous)
#ifdef KERNEL_LEAST
#define FINDS_UNCHECKED(layered)
#else
#define FINDS_UNCHECKED(layered) \
	layered(map, MAP, UNCHECKED_ANY, _unchecked)
#endif
#ifdef KERNEL_SMALL
#define FINDS_OF_SHAPES(layered, homogeneous)
#else
#define FINDS_OF_SHAPES(layered, homogeneous) \
	layered(burr, BURR, UNIFORM_8, _uniform_8) \
	layered(burr, BURR, UP_TO_8, _up_to_8) \
	layered(burr, BURR, UP_TO_16, _up_to_16) \
	homogeneous(homog, HOMOG, UNIFORM_8, _uniform_8) \
	homogeneous(homog, HOMOG, UP_TO_8, _up_to_8) \
	homogeneous(homog, HOMOG, UP_TO_16, _up_to_16) \
	layered(map, MAP, UNIFORM_8, _uniform_8) \
	layered(map, MAP, UP_TO_8, _up_to_8) \
	layered(map, MAP, UP_TO_16, _up_to_16) \
	layered(map, MAP, UNCHECKED_8, _unchecked_8) \
	layered(map, MAP, UNCHECKED_16, _unchecked_16)
#endif
/* clang-format on */
#define SKIP(...)

/* A RibbonFind: step is one of kernel_layers.h. */
#define FIND(name, step, v) \
	static KERNEL_TARGET bool name(const RibbonOpened *opened, uint64_t hash, \
								   uint64_t *code) \
	{ \
		return step(opened, hash, v, code); \
	}
#define FIND_FIRST(kind, variant, shape, end) \
	FIND(NAME(kind, first##end), find_first, variant(shape))
#define FIND_ONLY(kind, variant, shape, end) \
	FIND(NAME(kind, first##end), find_only, variant(shape))
#define FIND_LAST(kind, variant, shape, end) \
	FIND(NAME(kind, last##end), find_last, variant(shape))

FINDS(FIND_FIRST, FIND_ONLY)
#if RIBBON_BITS > 32 /* as zones are */
FINDS(FIND_LAST, SKIP)
#endif

/* A RibbonFindBatch. */
#ifndef KERNEL_LEAST
static KERNEL_TARGET void
NAME(any, batch)(const RibbonOpened *opened, const RibbonStage *stage,
				 RibbonBatch *batch)
{
	batch_layer(opened, stage, batch, VARIANT(ANY));
}
#endif

/* Where they are in the table. */
#define FIRST(kind, variant, shape, end) \
	.kind.first[RIBBON_##shape] = NAME(kind, first##end),
#define LAST(kind, variant, shape, end) \
	.kind.last[RIBBON_##shape] = NAME(kind, last##end),

/* clang-format off */
static const RibbonProbes NAME(probes, table) = {
	.at = NAME(at, find),
	FINDS(FIRST, FIRST)
	.map.first[RIBBON_COLUMN] = column_first,
#if RIBBON_BITS > 32
	FINDS(LAST, SKIP)
	.map.last[RIBBON_COLUMN] = column_last,
#endif
#ifndef KERNEL_LEAST
	.batch = NAME(any, batch),
	.batch_of_column = column_batch,
	.has_vectors = LANES > 1,
	.cached_bytes = CACHED_BYTES,
#endif
};
/* clang-format on */

#undef VARIANT
#undef BURR
#undef HOMOG
#undef MAP
#undef FINDS
#undef FINDS_UNCHECKED
#undef FINDS_OF_SHAPES
#undef SKIP
#undef FIND
#undef FIND_FIRST
#undef FIND_ONLY
#undef FIND_LAST
#undef FIRST
#undef LAST
