/*
 * probe_template.h - a kernel's probes, for one ribbon width
 *
 * A kernel brings one function of its own, which is all that its instructions
 * are needed for:
 *
 *	 uint32_t probe<width>_columns(low, high, row, offset)
 *
 * the result bits of eight columns, whose words lie side by side from low (the
 * block that holds the starting position) and from high (the next one) on.
 * It always reads all eight, and drops what is not asked for.  Around it are
 * the steps that lead from a hash to these two places, written so that nothing
 * but bumping, which is rare, makes a branch depend on the data: one that does
 * is mispredicted for every other non-member, which costs more than the columns
 * it saves.
 *
 * KERNEL_TARGET is the target attribute of the kernel, CACHED_BYTES what
 * RibbonProbes says.
 */
#include "base/template.h"

#include "probe/column_template.h"
#include "probe/probe_end_template.h"

#define INLINE static KERNEL_TARGET inline __attribute__((always_inline))

/* Is a hash that starts here bumped?  start is below layer->whole. */
INLINE bool
NAME(probe, bumps)(const RibbonPlane *plane, const RibbonSystem *layer,
				   uint64_t start)
{
	return RIBBON_BITS == 128 ? ribbon_locate_bumps_128(plane, layer, start) :
								ribbon_locate_bumps(plane, layer, start);
}

/* ribbon_icml_pair, with what the shape leaves of it. */
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
 * All columns of the two blocks, and what is behind them up to a group's end.
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
 * Here and below, a lookup compares the check bits of a hash's columns with
 * result, and hands out the value bits.  In a filter, which has none, code is
 * NULL.  It is so at compile time, as shape is known then: the compiler makes
 * the variants.
 *
 * Here, start is below system->whole.
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

/* The same for the first eight of more columns. */
INLINE bool
NAME(probe, match_first)(RibbonIcmlPair at, uint64_t hash, uint64_t start,
						 uint32_t result)
{
	uint32_t bits = NAME(probe, columns)(at.low, at.high,
										 ROW_FN(coeff)(hash, RIBBON_BITS),
										 (unsigned) (start % RIBBON_BITS));

	return (uint8_t) (bits ^ result) == 0;
}

/* For any start. */
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

static KERNEL_TARGET bool
NAME(find, system)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				   uint32_t result, uint64_t *code)
{
	return code == NULL ?
		NAME(find, start)(system, hash, start, result, RIBBON_ANY, NULL) :
		NAME(find, start)(system, hash, start, result, RIBBON_ANY, code);
}

/* For a hash that has come to the last layer. */
INLINE bool
NAME(find, zone)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				 uint64_t *code)
{
	const RibbonSystem *zone = ribbon_locate_last(plane, &hash);
	uint64_t start = ribbon_locate_start(zone, hash);

	return NAME(find, start)(zone, hash, start, ribbon_hash_fingerprint(hash),
							 shape, code);
}

/*
 * For a hash that the first layer has bumped.  Positions at a layer's ends are
 * left to find.c.  A start that smash moves below zero is huge here.
 */
INLINE bool
NAME(find, bumped)(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	for (int i = 1; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

		if (RIBBON_UNLIKELY(start >= layer->whole))
			return ribbon_find_from(plane, i, hash, code);
		if (RIBBON_LIKELY(!NAME(probe, bumps)(plane, layer, start)))
			return NAME(find, whole)(layer, hash, start,
									 ribbon_hash_fingerprint(hash), RIBBON_ANY,
									 code);
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->find_last(plane, hash, code);
}

/* For any hash: the first layer keeps most keys. */
INLINE bool
NAME(find, burr)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
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

INLINE bool
NAME(find, homog)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				  uint64_t *code)
{
	const RibbonSystem *system = &plane->systems[0];

	return NAME(find, start)(system, hash, ribbon_mulhi(hash, system->range), 0,
							 shape, code);
}

static KERNEL_TARGET bool
NAME(contains, bumped)(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	(void) code;
	return NAME(find, bumped)(plane, hash, NULL);
}

static KERNEL_TARGET bool
NAME(get, bumped)(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	if (code == NULL)
		__builtin_unreachable();
	return NAME(find, bumped)(plane, hash, code);
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
					bool homogeneous, RibbonShape shape)
{
	const uint64_t *restrict hashes = batch->hashes;
	unsigned bytes = shape == RIBBON_ANY ?
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
		if (!homogeneous)
		{
			batch->bumped[nbumped] = (uint16_t) i;
			nbumped += (unsigned) whole &
				(unsigned) NAME(probe, bumps)(plane, system, start);
		}
		at = NAME(probe, pair)(system, start, shape);
		NAME(batch, load)(at.low, bytes);
		if (shape == RIBBON_ANY)
			NAME(batch, load)(at.high, bytes);
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
}

INLINE void
NAME(batch, prefetch)(const RibbonPlane *plane, const RibbonSystem *system,
					  RibbonBatch *batch, unsigned first, unsigned end,
					  bool homogeneous, RibbonShape shape)
{
	NAME(batch, places)
	(plane, system, batch, first, end, homogeneous, shape);
}

INLINE bool
NAME(batch, match)(const RibbonSystem *restrict system,
				   const RibbonBatch *restrict batch, unsigned i,
				   bool homogeneous, RibbonShape shape, bool all)
{
	uint64_t hash = batch->hashes[i];
	uint64_t start = batch->starts[i];
	uint32_t result = homogeneous ? 0 : ribbon_hash_fingerprint(hash);

	/* a filter's batch of this shape may be of more columns (probes.h) */
	if (shape == RIBBON_UP_TO_16)
		shape = RIBBON_ANY;
	return all ?
		NAME(find, whole)(system, hash, start, result, shape, NULL) :
		NAME(probe, match_first)(NAME(probe, pair)(system, start, shape), hash,
								 start, result);
}

/*
 * More than sixteen columns in two steps: the first eight turn away most
 * non-members, whose others are then not loaded.  A batch of non-members takes
 * 0.3 to 0.6 of the time that one step takes, but one of members 1.15 to 1.4.
 */
INLINE void
NAME(batch, answer_in_steps)(const RibbonSystem *restrict system,
							 RibbonBatch *restrict batch, unsigned first,
							 unsigned end, bool homogeneous)
{
	unsigned left[RIBBON_AHEAD];
	unsigned nleft = 0;

	for (unsigned i = first; i < end; i++)
	{
		left[nleft] = i;
		nleft += NAME(batch, match)(system, batch, i, homogeneous,
									RIBBON_UP_TO_16, false);
		batch->answers[i] = false;
	}
	for (unsigned k = 0; k < nleft; k++)
	{
		uint64_t start = batch->starts[left[k]];

		NAME(batch, load)
		(NAME(probe, pair)(system, start, RIBBON_UP_TO_16).low,
		 NAME(batch, bytes)(system));
	}
	for (unsigned k = 0; k < nleft; k++)
		batch->answers[left[k]] = NAME(batch, match)(system, batch, left[k],
													 homogeneous,
													 RIBBON_UP_TO_16, true);
}

INLINE void
NAME(batch, answer)(const RibbonSystem *restrict system,
					RibbonBatch *restrict batch, unsigned first, unsigned end,
					bool homogeneous, RibbonShape shape)
{
	bool *restrict answers = batch->answers;

	if (shape == RIBBON_ANY)
		NAME(batch, answer_in_steps)(system, batch, first, end, homogeneous);
	else
		for (unsigned i = first; i < end; i++)
			answers[i] = NAME(batch, match)(system, batch, i, homogeneous,
											shape, true);
}

/* (a kernel with a VECTOR_BATCH does most shapes another way) */
#ifdef VECTOR_BATCH
#define HAS_VECTORS true
#define CALL_BATCH(verb) \
	(shape >= RIBBON_UP_TO_16 ? NAME(batch, verb) : NAME(vector, verb))
#else
#define HAS_VECTORS		 false
#define CALL_BATCH(verb) NAME(batch, verb)
#endif

INLINE void
NAME(batch, system)(const RibbonPlane *plane, const RibbonSystem *system,
					RibbonBatch *batch, bool homogeneous, RibbonShape shape)
{
	unsigned n = batch->nhashes;
	unsigned ahead = n < RIBBON_AHEAD ? n : RIBBON_AHEAD;

	batch->nbumped = batch->nrest = 0;
	CALL_BATCH(prefetch)
	(plane, system, batch, 0, ahead, homogeneous, shape);
	for (unsigned i = 0; i < n;)
	{
		unsigned next = ahead;

		ahead = n - next < RIBBON_AHEAD ? n : next + RIBBON_AHEAD;
		CALL_BATCH(prefetch)
		(plane, system, batch, next, ahead, homogeneous, shape);
		CALL_BATCH(answer)
		(system, batch, i, next, homogeneous, shape);
		i = next;
	}
#ifdef VECTOR_BATCH
	if (shape < RIBBON_UP_TO_16)
		NAME(vector, compare)(system, batch, homogeneous, shape);
#endif
}

#define CONTAINS(name, kind, shape) \
	static KERNEL_TARGET bool NAME(contains, name)(const RibbonPlane *plane, \
												   uint64_t hash, \
												   uint64_t *code) \
	{ \
		(void) code; \
		return NAME(find, kind)(plane, hash, shape, NULL); \
	}
#define BATCH(name, homogeneous, shape) \
	static KERNEL_TARGET void NAME(batch, name)(const RibbonPlane *plane, \
												const RibbonSystem *system, \
												RibbonBatch *batch) \
	{ \
		NAME(batch, system)(plane, system, batch, homogeneous, shape); \
	}

CONTAINS(burr_even, burr, RIBBON_UNIFORM_8)
CONTAINS(burr_few, burr, RIBBON_UP_TO_8)
CONTAINS(burr_many, burr, RIBBON_ANY)
CONTAINS(zone_even, zone, RIBBON_UNIFORM_8)
CONTAINS(zone_few, zone, RIBBON_UP_TO_8)
CONTAINS(zone_many, zone, RIBBON_ANY)
CONTAINS(homog_even, homog, RIBBON_UNIFORM_8)
CONTAINS(homog_few, homog, RIBBON_UP_TO_8)
CONTAINS(homog_many, homog, RIBBON_ANY)
BATCH(burr_even, false, RIBBON_UNIFORM_8)
BATCH(burr_few, false, RIBBON_UP_TO_8)
BATCH(burr_many, false, RIBBON_UP_TO_16)
BATCH(burr_more, false, RIBBON_ANY)
BATCH(homog_even, true, RIBBON_UNIFORM_8)
BATCH(homog_few, true, RIBBON_UP_TO_8)
BATCH(homog_many, true, RIBBON_UP_TO_16)
BATCH(homog_more, true, RIBBON_ANY)

#include "probe/get_template.h"

/* All shapes, in the order of RibbonShape. */
static const RibbonProbes NAME(probe, loops) = {
	.system = NAME(find, system),
	.burr = {.first = {NAME(contains, burr_even), NAME(contains, burr_few),
					   NAME(contains, burr_many), NAME(contains, burr_many)},
			 .bumped = NAME(contains, bumped),
			 .last = {NAME(contains, zone_even), NAME(contains, zone_few),
					  NAME(contains, zone_many), NAME(contains, zone_many)},
			 .batch = {NAME(batch, burr_even), NAME(batch, burr_few),
					   NAME(batch, burr_many), NAME(batch, burr_more)}},
	.homogeneous =
		{.first = {NAME(contains, homog_even), NAME(contains, homog_few),
				   NAME(contains, homog_many), NAME(contains, homog_many)},
		 .batch = {NAME(batch, homog_even), NAME(batch, homog_few),
				   NAME(batch, homog_many), NAME(batch, homog_more)}},
	.map = {.first = {NAME(get, first_even), NAME(get, first_few),
					  NAME(get, first_many), NAME(get, first_more),
					  NAME(get, first_bare_few), NAME(get, first_bare_many),
					  NAME(get, first_bare_more), column_get},
			.bumped = NAME(get, bumped),
			.last = {NAME(get, zone_even), NAME(get, zone_few),
					 NAME(get, zone_many), NAME(get, zone_more),
					 NAME(get, zone_bare_few), NAME(get, zone_bare_many),
					 NAME(get, zone_bare_more), column_last},
			.batch = {NAME(get, batch_even), NAME(get, batch_few),
					  NAME(get, batch_many), NAME(get, batch_more),
					  NAME(get, batch_bare_few), NAME(get, batch_bare_many),
					  NAME(get, batch_bare_more), COLUMN_BATCH}},
	.has_vectors = HAS_VECTORS,
	.column_vectors = COLUMN_VECTORS,
	.cached_bytes = CACHED_BYTES,
};

#undef INLINE
#undef CONTAINS
#undef BATCH
#undef CALL_BATCH
#undef HAS_VECTORS

#include "base/template_end.h"
