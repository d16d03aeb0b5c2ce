/*
 * probe_template.h - a kernel's probes, for one ribbon width
 *
 * A kernel defines one function of its own before it includes this file:
 *
 *	 uint32_t probe<width>_columns(low, high, row, offset)
 *
 * It returns the result bits of eight columns.  Their words lie side by side,
 * from low on in the block of the starting position, and from high on in the
 * next block.  offset is that of the starting position in its block.  All eight
 * columns are read, also where a block has fewer.
 *
 * This file adds the steps that lead from a hash to these two places.  The only
 * branch that depends on the data is bumping, which is rare.  Another one would
 * be mispredicted for every other non-member, which costs more than the columns
 * that it could save.
 *
 * KERNEL_TARGET is the target attribute of the kernel, CACHED_BYTES what
 * RibbonProbes says.
 */
#include "base/template.h"

#include "probe/column_template.h"
#include "probe/probe_end_template.h"

#define INLINE static KERNEL_TARGET inline __attribute__((always_inline))

/* Is a hash that starts at start, below layer->whole, bumped? */
INLINE bool
NAME(probe, bumps)(const RibbonPlane *plane, const RibbonSystem *layer,
				   uint64_t start)
{
	return RIBBON_BITS == 128 ? ribbon_locate_bumps_128(plane, layer, start) :
								ribbon_locate_bumps(plane, layer, start);
}

/* As ribbon_icml_pair; simpler where all blocks have as many columns. */
INLINE RibbonIcmlPair
NAME(probe, pair)(const RibbonSystem *system, uint64_t start, RibbonShape shape)
{
	RibbonIcmlPair at;

	if (!ribbon_shape_is_even(shape))
		return ribbon_icml_pair(system, start, RIBBON_BITS);
	at.low = system->slots +
		start / RIBBON_BITS * system->result_bits * (RIBBON_BITS / 8);
	at.high = at.low + system->result_bits * (size_t) (RIBBON_BITS / 8);
	return at;
}

#ifndef OFFSET
#define OFFSET unsigned /* what the kernel takes as an offset */
#endif

/*
 * The result bits of all columns.  Whole groups of eight columns are read, so
 * that bits from the last column on are arbitrary.
 */
INLINE uint64_t
NAME(find, columns)(const RibbonSystem *system, const uint8_t *low,
					const uint8_t *high, ROW row, OFFSET offset,
					RibbonShape shape)
{
	unsigned ngroups = ribbon_shape_groups(shape, system);
	uint64_t columns = NAME(probe, columns)(low, high, row, offset);

	for (unsigned g = 1; g < ngroups; g++)
		columns |= (uint64_t) NAME(probe, columns)(low + g * RIBBON_BITS,
												   high + g * RIBBON_BITS, row,
												   offset)
			<< 8 * g;
	return columns;
}

/*
 * Look up a hash whose start, in this system, is below system->whole.
 *
 * Here and below, a lookup returns whether the check bits are those of the
 * hash; in a filter, whether they are result.  It sets *code to the value bits.
 * In a filter code is NULL.  Whether it is NULL, and shape, are known at
 * compile time: the compiler makes the variants.
 */
INLINE bool
NAME(find, whole)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				  uint32_t result, RibbonShape shape, uint64_t *code)
{
	RibbonIcmlPair at = NAME(probe, pair)(system, start, shape);
	ROW row = ROW_FN(coeff)(hash, RIBBON_BITS);
	uint64_t columns = NAME(find, columns)(system, at.low, at.high, row,
										   start % RIBBON_BITS, shape);
	unsigned nbits;

	if (code != NULL && ribbon_shape_is_unchecked(shape))
	{
		*code = columns & ((UINT64_C(1) << system->value_bits) - 1);
		return true;
	}
	nbits = ribbon_shape_is_even(shape) ? system->result_bits :
										  ribbon_system_bits(system, hash);
	if (code != NULL)
		return ribbon_find_parts(system, hash, nbits, columns, code);
	return ((columns ^ result) & ((UINT64_C(1) << nbits) - 1)) == 0;
}

/* Of more than eight columns, do the first eight match result? */
INLINE bool
NAME(probe, match_first)(RibbonIcmlPair at, uint64_t hash, uint64_t start,
						 uint32_t result)
{
	uint32_t bits = NAME(probe, columns)(at.low, at.high,
										 ROW_FN(coeff)(hash, RIBBON_BITS),
										 (unsigned) (start % RIBBON_BITS));

	return (uint8_t) (bits ^ result) == 0;
}

/* Look up a hash with any start, which may be too large by what smash adds. */
INLINE bool
NAME(find, start)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				  uint32_t result, RibbonShape shape, uint64_t *code)
{
	if (RIBBON_LIKELY(start < system->whole))
		return NAME(find, whole)(system, hash, start, result, shape, code);
	start = ribbon_min64(start, system->nstarts - 1);
	return code == NULL ? NAME(contains, end)(system, hash, start, result) :
						  NAME(get, end)(system, hash, start, code);
}

/* A RibbonFindLoop. */
static KERNEL_TARGET bool
NAME(find, system)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				   uint32_t result, uint64_t *code)
{
	return code == NULL ?
		NAME(find, start)(system, hash, start, result, RIBBON_ANY, NULL) :
		NAME(find, start)(system, hash, start, result, RIBBON_ANY, code);
}

/* Look up a hash that has come to the last layer, in its zone. */
INLINE bool
NAME(find, last)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				 uint64_t *code)
{
	const RibbonSystem *zone = ribbon_locate_last(plane, &hash);
	uint64_t start = ribbon_locate_start(zone, hash);

	return NAME(find, start)(zone, hash, start, ribbon_hash_fingerprint(hash),
							 shape, code);
}

/*
 * Look up a hash that the first layer has bumped.  Positions at a layer's ends
 * are left to find.c.  (A start that smash moves below zero is huge here.)
 * Bumped keys are few, so shape is always RIBBON_ANY.
 */
INLINE bool
NAME(find, bumped)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				   uint64_t *code)
{
	for (int i = 1; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

		if (RIBBON_UNLIKELY(start >= layer->whole))
			return ribbon_find_from(plane, i, hash, code);
		if (RIBBON_LIKELY(!NAME(probe, bumps)(plane, layer, start)))
			return NAME(find, whole)(layer, hash, start,
									 ribbon_hash_fingerprint(hash), shape,
									 code);
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->find_last(plane, hash, code);
}

/* Look up any hash, if there are layers.  The first one keeps most keys. */
INLINE bool
NAME(find, first)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				  uint64_t *code)
{
	const RibbonSystem *layer = &plane->systems[0];
	uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

	if (RIBBON_UNLIKELY(start >= layer->whole))
		return ribbon_find_from(plane, 0, hash, code);
	if (RIBBON_UNLIKELY(NAME(probe, bumps)(plane, layer, start)))
		return plane->find_bumped(plane, ribbon_hash_next_layer(hash), code);
	return NAME(find, whole)(layer, hash, start, ribbon_hash_fingerprint(hash),
							 shape, code);
}

/* Look up any hash in a homogeneous filter, which has one system. */
INLINE bool
NAME(find, only)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				 uint64_t *code)
{
	const RibbonSystem *system = &plane->systems[0];

	return NAME(find, start)(system, hash, ribbon_mulhi(hash, system->range), 0,
							 shape, code);
}

/* Begin to load so many bytes. */
INLINE void
NAME(batch, load)(const uint8_t *from, unsigned bytes)
{
	for (unsigned b = 0; b < bytes; b += 64)
		__builtin_prefetch(from + b);
	__builtin_prefetch(from + bytes - 1);
}

/* Bytes of two blocks. */
INLINE unsigned
NAME(batch, bytes)(const RibbonSystem *system)
{
	return 2 * system->result_bits * (RIBBON_BITS / 8);
}

/*
 * Find the places of a batch's hashes first .. end - 1 and begin to load them.
 * Those that are bumped, or too close to an end, are put on their lists without
 * a branch, and probed at a harmless place.
 */
INLINE void
NAME(batch, places)(const RibbonPlane *plane, const RibbonSystem *system,
					RibbonBatch *restrict batch, unsigned first, unsigned end,
					RibbonVariant v)
{
	const uint64_t *restrict hashes = batch->hashes;
	unsigned bytes = v.in_steps ?
		RIBBON_BITS : /* the first eight columns of one block */
		NAME(batch, bytes)(system);
	unsigned nrest = batch->nrest;
	unsigned nbumped = batch->nbumped;

	for (unsigned i = first; i < end; i++)
	{
		uint64_t start = ribbon_mulhi(hashes[i], system->range) - system->smash;
		bool whole = start < system->whole;
		RibbonIcmlPair at;

		start = whole ? start : 0;
		batch->starts[i] = start;
		batch->rest[nrest] = (uint16_t) i;
		nrest += !whole;
		if (!v.homogeneous)
		{
			batch->bumped[nbumped] = (uint16_t) i;
			nbumped += (unsigned) whole &
				(unsigned) NAME(probe, bumps)(plane, system, start);
		}
		at = NAME(probe, pair)(system, start, v.shape);
		NAME(batch, load)(at.low, bytes);
		if (v.in_steps)
			NAME(batch, load)(at.high, bytes);
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
}

/* What the check bits of a hash are to be; 0 in a homogeneous filter. */
INLINE uint32_t
NAME(batch, result)(const RibbonBatch *batch, unsigned i, RibbonVariant v)
{
	return v.homogeneous ? 0 : ribbon_hash_fingerprint(batch->hashes[i]);
}

/* Look up hash i, all columns. */
INLINE bool
NAME(batch, find)(const RibbonSystem *restrict system,
				  const RibbonBatch *restrict batch, unsigned i,
				  RibbonVariant v)
{
	return NAME(find, whole)(system, batch->hashes[i], batch->starts[i],
							 NAME(batch, result)(batch, i, v), v.shape,
							 v.is_map ? &batch->codes[i] : NULL);
}

/*
 * More than sixteen columns in two steps: the first eight turn away most
 * non-members, whose others are then not loaded.  A batch of non-members takes
 * 0.3 to 0.6 of the time that one step takes, but one of members 1.15 to 1.4.
 */
INLINE void
NAME(batch, answer_in_steps)(const RibbonSystem *restrict system,
							 RibbonBatch *restrict batch, unsigned first,
							 unsigned end, RibbonVariant v)
{
	unsigned left[RIBBON_AHEAD];
	unsigned nleft = 0;

	for (unsigned i = first; i < end; i++)
	{
		uint64_t start = batch->starts[i];
		RibbonIcmlPair at = NAME(probe, pair)(system, start, v.shape);

		left[nleft] = i;
		nleft += NAME(probe, match_first)(at, batch->hashes[i], start,
										  NAME(batch, result)(batch, i, v));
		batch->answers[i] = false;
	}
	for (unsigned k = 0; k < nleft; k++)
	{
		uint64_t start = batch->starts[left[k]];

		NAME(batch, load)
		(NAME(probe, pair)(system, start, v.shape).low,
		 NAME(batch, bytes)(system));
	}
	for (unsigned k = 0; k < nleft; k++)
		batch->answers[left[k]] = NAME(batch, find)(system, batch, left[k], v);
}

/* Answer hashes first .. end - 1, whose places are known. */
INLINE void
NAME(batch, answer)(const RibbonSystem *restrict system,
					RibbonBatch *restrict batch, unsigned first, unsigned end,
					RibbonVariant v)
{
	bool *restrict answers = batch->answers;

	if (v.in_steps)
		NAME(batch, answer_in_steps)(system, batch, first, end, v);
	else
		for (unsigned i = first; i < end; i++)
			answers[i] = NAME(batch, find)(system, batch, i, v);
}

/* (a kernel with a VECTOR_BATCH does all but two steps another way) */
#ifdef VECTOR_BATCH
#include "probe/vector_batch_template.h"
#define HAS_VECTORS		 true
#define CALL_BATCH(verb) (v.in_steps ? NAME(batch, verb) : NAME(vector, verb))
#else
#define HAS_VECTORS		 false
#define CALL_BATCH(verb) NAME(batch, verb)
#endif

/* Answer a batch. */
INLINE void
NAME(batch, system)(const RibbonPlane *plane, const RibbonSystem *system,
					RibbonBatch *batch, RibbonVariant v)
{
	unsigned n = batch->nhashes;
	unsigned ahead = n < RIBBON_AHEAD ? n : RIBBON_AHEAD;

	batch->nbumped = batch->nrest = 0;
	CALL_BATCH(places)(plane, system, batch, 0, ahead, v);
	for (unsigned i = 0; i < n;)
	{
		unsigned next = ahead;

		ahead = n - next < RIBBON_AHEAD ? n : next + RIBBON_AHEAD;
		CALL_BATCH(places)(plane, system, batch, next, ahead, v);
		CALL_BATCH(answer)(system, batch, i, next, v);
		i = next;
	}
#ifdef VECTOR_BATCH
	if (!v.in_steps)
		NAME(vector, finish)(system, batch, v);
#endif
}

/*
 * A kernel's functions, compiled for a sort of planes and a shape.  A lookup
 * begins at a step: the first layer (of a homogeneous filter, the only one),
 * the layers behind it, or the last one.  Of maps, code is never NULL.
 */
#define FIND(sort, function, step, columns) \
	static KERNEL_TARGET bool NAME(sort, function)(const RibbonPlane *plane, \
												   uint64_t hash, \
												   uint64_t *code) \
	{ \
		if (IS_MAP_##sort && code == NULL) \
			__builtin_unreachable(); \
		return NAME(find, step)(plane, hash, columns, \
								IS_MAP_##sort ? code : NULL); \
	}
#define BATCH(sort, function, columns, steps) \
	static KERNEL_TARGET void NAME(sort, function)(const RibbonPlane *plane, \
												   const RibbonSystem *system, \
												   RibbonBatch *batch) \
	{ \
		NAME(batch, system) \
		(plane, system, batch, \
		 (RibbonVariant){.shape = columns, \
						 .homogeneous = IS_HOMOGENEOUS_##sort, \
						 .is_map = IS_MAP_##sort, \
						 .in_steps = steps}); \
	}
#define IS_MAP_burr			 false
#define IS_MAP_homog		 false
#define IS_MAP_map			 true
#define IS_HOMOGENEOUS_burr	 false
#define IS_HOMOGENEOUS_homog true
#define IS_HOMOGENEOUS_map	 false

#define LAYERED(sort, shape) \
	FIND(sort, first_##shape, first, RIBBON_##shape) \
	FIND(sort, last_##shape, last, RIBBON_##shape) \
	BATCH(sort, batch_##shape, RIBBON_##shape, false)
#define SINGLE(sort, shape) \
	FIND(sort, first_##shape, only, RIBBON_##shape) \
	BATCH(sort, batch_##shape, RIBBON_##shape, false)

/* Do something for each shape, in the order of RibbonShape. */
#define CHECKED(of, sort) \
	of(sort, UNIFORM_8) of(sort, UP_TO_8) of(sort, UP_TO_16) of(sort, ANY)
#define UNCHECKED(of, sort) \
	of(sort, UNCHECKED_8) of(sort, UNCHECKED_16) of(sort, UNCHECKED_ANY)

CHECKED(LAYERED, burr)
FIND(burr, bumped, bumped, RIBBON_ANY)
BATCH(burr, batch_in_steps, RIBBON_ANY, true)
CHECKED(SINGLE, homog)
BATCH(homog, batch_in_steps, RIBBON_ANY, true)
CHECKED(LAYERED, map)
UNCHECKED(LAYERED, map)
FIND(map, bumped, bumped, RIBBON_ANY)

#define FIRST(sort, shape)	 NAME(sort, first_##shape),
#define LAST(sort, shape)	 NAME(sort, last_##shape),
#define BATCHES(sort, shape) NAME(sort, batch_##shape),

static const RibbonProbes NAME(probe, loops) = {
	.system = NAME(find, system),
	.burr = {.first = {CHECKED(FIRST, burr)},
			 .bumped = NAME(burr, bumped),
			 .last = {CHECKED(LAST, burr)},
			 .batch = {CHECKED(BATCHES, burr)},
			 .batch_in_steps = NAME(burr, batch_in_steps)},
	.homogeneous = {.first = {CHECKED(FIRST, homog)},
					.batch = {CHECKED(BATCHES, homog)},
					.batch_in_steps = NAME(homog, batch_in_steps)},
	.map = {.first = {CHECKED(FIRST, map) UNCHECKED(FIRST, map) column_get},
			.bumped = NAME(map, bumped),
			.last = {CHECKED(LAST, map) UNCHECKED(LAST, map) column_last},
			.batch = {CHECKED(BATCHES, map) UNCHECKED(BATCHES, map)
						  COLUMN_BATCH}},
	.has_vectors = HAS_VECTORS,
	.column_vectors = COLUMN_VECTORS,
	.cached_bytes = CACHED_BYTES,
};

#undef INLINE
#undef FIND
#undef BATCH
#undef LAYERED
#undef SINGLE
#undef CHECKED
#undef UNCHECKED
#undef FIRST
#undef LAST
#undef BATCHES
#undef CALL_BATCH
#undef HAS_VECTORS

#include "base/template_end.h"
