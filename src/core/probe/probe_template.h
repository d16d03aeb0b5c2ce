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

/* Does the hash's stored row match? start is below system->whole. */
INLINE bool
NAME(probe, match)(const RibbonSystem *system, RibbonIcmlPair at, uint64_t hash,
				   uint64_t start, uint32_t result, RibbonShape shape)
{
	ROW row = ROW_FN(coeff)(hash, RIBBON_BITS);
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	unsigned ngroups = shape >= RIBBON_MANY ? system->groups : 1;
	unsigned nbits = shape == RIBBON_EVEN ? system->result_bits :
											ribbon_system_bits(system, hash);
	uint32_t bits = NAME(probe, columns)(at.low, at.high, row, offset);

	for (unsigned g = 1; g < ngroups; g++)
	{
		at.low += RIBBON_BITS;
		at.high += RIBBON_BITS;
		bits |= NAME(probe, columns)(at.low, at.high, row, offset) << 8 * g;
	}
	return ((bits ^ result) & ((UINT64_C(1) << nbits) - 1)) == 0;
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

static KERNEL_TARGET bool
NAME(probe, system)(const RibbonSystem *system, uint64_t hash, uint64_t start,
					uint32_t result)
{
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(start >= system->whole))
		return NAME(probe, end)(system, hash, start, result);
	at = NAME(probe, pair)(system, start, RIBBON_MANY);
	return NAME(probe, match)(system, at, hash, start, result, RIBBON_MANY);
}

/* A hash that has come to the last layer: is its key in the set? */
INLINE bool
NAME(probe, zone)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape)
{
	const RibbonSystem *zone;
	uint64_t start;
	uint32_t result;

	hash = ribbon_hash_rotated(hash, plane->rotation);
	zone = &plane->systems[ribbon_locate_zone(plane, hash)];
	hash = ribbon_mix(hash + zone->addend); /* ribbon_hash_seeded */
	result = ribbon_hash_fingerprint(hash);
	start = ribbon_mulhi(hash, zone->range);
	start = (start > zone->smash ? start : zone->smash) - zone->smash;
	if (RIBBON_UNLIKELY(start >= zone->whole))
		return NAME(probe, end)(zone, hash,
								ribbon_min64(start, zone->nstarts - 1), result);
	return NAME(probe, match)(zone, NAME(probe, pair)(zone, start, shape), hash,
							  start, result, shape);
}

/*
 * A hash that the first layer has bumped: is its key in the set?  Positions
 * at a layer's ends are left to probe.c.  A start that smash moves below zero
 * is huge here.
 */
static KERNEL_TARGET bool
NAME(probe, bumped)(const RibbonPlane *plane, uint64_t hash)
{
	for (int i = 1; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

		if (RIBBON_UNLIKELY(start >= layer->whole))
			return ribbon_probe_from(plane, i, hash);
		if (RIBBON_LIKELY(!NAME(probe, bumps)(plane, layer, start)))
			return NAME(probe,
						match)(layer,
							   NAME(probe, pair)(layer, start, RIBBON_MANY),
							   hash, start, ribbon_hash_fingerprint(hash),
							   RIBBON_MANY);
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->last_layer(plane, hash);
}

/* The same for any hash: the first layer keeps most keys. */
INLINE bool
NAME(probe, burr)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape)
{
	const RibbonSystem *layer = &plane->systems[0];
	uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

	if (RIBBON_UNLIKELY(start >= layer->whole))
		return ribbon_probe_from(plane, 0, hash);
	if (RIBBON_UNLIKELY(NAME(probe, bumps)(plane, layer, start)))
		return plane->contains_bumped(plane, ribbon_hash_next_layer(hash));
	return NAME(probe, match)(layer, NAME(probe, pair)(layer, start, shape),
							  hash, start, ribbon_hash_fingerprint(hash),
							  shape);
}

INLINE bool
NAME(probe, homog)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape)
{
	const RibbonSystem *system = &plane->systems[0];
	uint64_t start = ribbon_mulhi(hash, system->range);

	if (RIBBON_UNLIKELY(start >= system->whole))
		return NAME(probe, end)(system, hash, start, 0);
	return NAME(probe, match)(system, NAME(probe, pair)(system, start, shape),
							  hash, start, 0, shape);
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
	unsigned bytes = shape == RIBBON_MORE ?
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
		if (shape == RIBBON_MORE)
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
	RibbonIcmlPair at = NAME(probe, pair)(system, start, shape);

	return all ? NAME(probe, match)(system, at, hash, start, result, shape) :
				 NAME(probe, match_first)(at, hash, start, result);
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
		nleft += NAME(batch, match)(system, batch, i, homogeneous, RIBBON_MANY,
									false);
		batch->answers[i] = false;
	}
	for (unsigned k = 0; k < nleft; k++)
	{
		uint64_t start = batch->starts[left[k]];

		NAME(batch, load)
		(NAME(probe, pair)(system, start, RIBBON_MANY).low,
		 NAME(batch, bytes)(system));
	}
	for (unsigned k = 0; k < nleft; k++)
		batch->answers[left[k]] = NAME(batch, match)(system, batch, left[k],
													 homogeneous, RIBBON_MANY,
													 true);
}

INLINE void
NAME(batch, answer)(const RibbonSystem *restrict system,
					RibbonBatch *restrict batch, unsigned first, unsigned end,
					bool homogeneous, RibbonShape shape)
{
	bool *restrict answers = batch->answers;

	if (shape == RIBBON_MORE)
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
	(shape >= RIBBON_MANY ? NAME(batch, verb) : NAME(vector, verb))
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
	if (shape < RIBBON_MANY)
		NAME(vector, compare)(system, batch, homogeneous, shape);
#endif
}

#define CONTAINS(name, kind, shape) \
	static KERNEL_TARGET bool NAME(contains, name)(const RibbonPlane *plane, \
												   uint64_t hash) \
	{ \
		return NAME(probe, kind)(plane, hash, shape); \
	}
#define BATCH(name, homogeneous, shape) \
	static KERNEL_TARGET void NAME(batch, name)(const RibbonPlane *plane, \
												const RibbonSystem *system, \
												RibbonBatch *batch) \
	{ \
		NAME(batch, system)(plane, system, batch, homogeneous, shape); \
	}

CONTAINS(burr_even, burr, RIBBON_EVEN)
CONTAINS(burr_few, burr, RIBBON_FEW)
CONTAINS(burr_many, burr, RIBBON_MANY)
CONTAINS(zone_even, zone, RIBBON_EVEN)
CONTAINS(zone_few, zone, RIBBON_FEW)
CONTAINS(zone_many, zone, RIBBON_MANY)
CONTAINS(homog_even, homog, RIBBON_EVEN)
CONTAINS(homog_few, homog, RIBBON_FEW)
CONTAINS(homog_many, homog, RIBBON_MANY)
BATCH(burr_even, false, RIBBON_EVEN)
BATCH(burr_few, false, RIBBON_FEW)
BATCH(burr_many, false, RIBBON_MANY)
BATCH(burr_more, false, RIBBON_MORE)
BATCH(homog_even, true, RIBBON_EVEN)
BATCH(homog_few, true, RIBBON_FEW)
BATCH(homog_many, true, RIBBON_MANY)
BATCH(homog_more, true, RIBBON_MORE)

#include "probe/get_template.h"

static const RibbonProbes NAME(probe, loops) = {
	NAME(probe, system),
	NAME(probe, bumped),
	{NAME(contains, zone_even), NAME(contains, zone_few),
	 NAME(contains, zone_many), NAME(contains, zone_many)},
	{{NAME(contains, burr_even), NAME(contains, burr_few),
	  NAME(contains, burr_many), NAME(contains, burr_many)},
	 {NAME(contains, homog_even), NAME(contains, homog_few),
	  NAME(contains, homog_many), NAME(contains, homog_many)}},
	{{NAME(batch, burr_even), NAME(batch, burr_few), NAME(batch, burr_many),
	  NAME(batch, burr_more)},
	 {NAME(batch, homog_even), NAME(batch, homog_few), NAME(batch, homog_many),
	  NAME(batch, homog_more)}},
	HAS_VECTORS,
	CACHED_BYTES,
	NAME(get, system),
	NAME(get, bumped),
	{NAME(get, zone_even), NAME(get, zone_few), NAME(get, zone_many),
	 NAME(get, zone_more), NAME(get, zone_bare_few), NAME(get, zone_bare_many),
	 NAME(get, zone_bare_more)},
	{NAME(get, first_even), NAME(get, first_few), NAME(get, first_many),
	 NAME(get, first_more), NAME(get, first_bare_few),
	 NAME(get, first_bare_many), NAME(get, first_bare_more)},
	{NAME(get, batch_even), NAME(get, batch_few), NAME(get, batch_many),
	 NAME(get, batch_more), NAME(get, batch_bare_few),
	 NAME(get, batch_bare_many), NAME(get, batch_bare_more)},
};

#undef INLINE
#undef CONTAINS
#undef BATCH
#undef CALL_BATCH
#undef HAS_VECTORS

#include "base/template_end.h"
