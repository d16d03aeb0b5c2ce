/*
 * get_template.h - a kernel's probes of maps, for one ribbon width
 *
 * The same steps as for filters, with the columns brought together in a word of
 * which the value is a part (get.h).  Here RIBBON_MANY are two groups of eight
 * columns, RIBBON_MORE any number.  Part of probe_template.h.
 */

#ifndef OFFSET
#define OFFSET unsigned
#endif

/*
 * All columns of the two blocks, and what is behind them up to a group's end.
 */
INLINE uint64_t
NAME(get, columns)(const RibbonSystem *system, const uint8_t *low,
				   const uint8_t *high, ROW row, OFFSET offset,
				   RibbonShape shape)
{
	unsigned ngroups = ribbon_shape_groups(shape, system);
	uint64_t columns = 0;

	for (unsigned g = 0; g < ngroups; g++)
		columns |= (uint64_t) NAME(probe, columns)(low + g * RIBBON_BITS,
												   high + g * RIBBON_BITS, row,
												   offset)
			<< 8 * g;
	return columns;
}

/* Take the columns of a hash apart: ribbon_get_parts. */
INLINE bool
NAME(get, parts)(const RibbonSystem *system, uint64_t hash, uint64_t columns,
				 RibbonShape shape, uint64_t *code)
{
	if (ribbon_shape_is_bare(shape))
	{
		*code = columns & ((UINT64_C(1) << system->value_bits) - 1);
		return true;
	}
	return ribbon_get_parts(system, hash,
							shape == RIBBON_EVEN ?
								system->result_bits :
								ribbon_system_bits(system, hash),
							columns, code);
}

/* Get the code; start is below system->whole. */
INLINE bool
NAME(get, whole)(const RibbonSystem *system, RibbonIcmlPair at, uint64_t hash,
				 uint64_t start, RibbonShape shape, uint64_t *code)
{
	ROW row = ROW_FN(coeff)(hash, RIBBON_BITS);
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	uint64_t columns = NAME(get, columns)(system, at.low, at.high, row, offset,
										  shape);

	return NAME(get, parts)(system, hash, columns, shape, code);
}

/* The same for any start. */
INLINE bool
NAME(get, start)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				 RibbonShape shape, uint64_t *code)
{
	if (RIBBON_UNLIKELY(start >= system->whole))
		return NAME(get, end)(system, hash, start, code);
	return NAME(get, whole)(system, NAME(probe, pair)(system, start, shape),
							hash, start, shape, code);
}

static KERNEL_TARGET bool
NAME(get, system)(const RibbonSystem *system, uint64_t hash, uint64_t start,
				  uint64_t *code)
{
	return NAME(get, start)(system, hash, start, RIBBON_MORE, code);
}

/* For a hash that has come to the last layer. */
INLINE bool
NAME(get, zone)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				uint64_t *code)
{
	const RibbonSystem *zone;
	uint64_t start;

	hash = ribbon_hash_rotated(hash, plane->rotation);
	zone = &plane->systems[ribbon_locate_zone(plane, hash)];
	hash = ribbon_mix(hash + zone->addend); /* ribbon_hash_seeded */
	start = ribbon_mulhi(hash, zone->range);
	start = (start > zone->smash ? start : zone->smash) - zone->smash;
	if (RIBBON_UNLIKELY(start >= zone->whole))
		return NAME(get, end)(zone, hash,
							  ribbon_min64(start, zone->nstarts - 1), code);
	return NAME(get, whole)(zone, NAME(probe, pair)(zone, start, shape), hash,
							start, shape, code);
}

/* For a hash that the first layer has bumped; see NAME(probe, bumped). */
static KERNEL_TARGET bool
NAME(get, bumped)(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	for (int i = 1; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

		if (RIBBON_UNLIKELY(start >= layer->whole))
			return ribbon_get_from(plane, i, hash, code);
		if (RIBBON_LIKELY(!NAME(probe, bumps)(plane, layer, start)))
			return NAME(get,
						whole)(layer,
							   NAME(probe, pair)(layer, start, RIBBON_MORE),
							   hash, start, RIBBON_MORE, code);
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->get_last(plane, hash, code);
}

/* For any hash: the first layer keeps most keys. */
INLINE bool
NAME(get, first)(const RibbonPlane *plane, uint64_t hash, RibbonShape shape,
				 uint64_t *code)
{
	const RibbonSystem *layer = &plane->systems[0];
	uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

	if (RIBBON_UNLIKELY(start >= layer->whole))
		return ribbon_get_from(plane, 0, hash, code);
	if (RIBBON_UNLIKELY(NAME(probe, bumps)(plane, layer, start)))
		return plane->get_bumped(plane, ribbon_hash_next_layer(hash), code);
	return NAME(get, whole)(layer, NAME(probe, pair)(layer, start, shape), hash,
							start, shape, code);
}

/*
 * A batch: find places, answer, and finish what can wait until all columns have
 * been loaded.  With vectors a hash begins to be loaded when the one that is
 * RIBBON_AHEAD before it is answered: several lines each, for sixteen hashes at
 * once, would wait for one another, and the answers for all of them (w = 64 of
 * 10^6 keys, 15 columns: 8.1 ns, so 7.3).
 */
#ifdef VECTOR_BATCH

INLINE void
NAME(get, place)(const RibbonPlane *plane, const RibbonSystem *system,
				 RibbonBatch *batch, unsigned first, unsigned end,
				 RibbonShape shape)
{
	NAME(vector, places)(plane, system, batch, first, end, false, shape, true);
}

/* Put the columns in the place of codes, */
INLINE void
NAME(get, answer)(const RibbonSystem *system, RibbonBatch *batch,
				  unsigned first, unsigned end, unsigned ahead,
				  RibbonShape shape)
{
	const uint8_t *slots = system->slots;
	size_t block_bytes = (size_t) system->result_bits * (RIBBON_BITS / 8);
	uint64_t *restrict codes = batch->codes;
	bool even = ribbon_shape_is_even(shape);
	unsigned bytes = (2 * system->result_bits + !even) * (RIBBON_BITS / 8);

	for (unsigned i = first; i < end; i++)
	{
		const uint8_t *low = slots + batch->lows[i];
		const uint8_t *high = even ? low + block_bytes :
									 slots + batch->highs[i];

		if (i + RIBBON_AHEAD < ahead)
		{
			const uint8_t *later = slots + batch->lows[i + RIBBON_AHEAD];

			NAME(vector, load)(later, bytes, shape);
		}
		codes[i] = NAME(get, columns)(system, low, high, (ROW) batch->rows[i],
									  batch->starts[i],
									  shape); /* start modulo w */
	}
}

/* and take them apart: ribbon_get_parts for all. */
INLINE void
NAME(get, finish)(const RibbonSystem *system, RibbonBatch *batch,
				  RibbonShape shape)
{
	unsigned nchecks = system->check_bits;
	unsigned nvalues = system->value_bits;
	uint64_t first = (UINT64_C(1) << nchecks) - 1;
	uint64_t value = (UINT64_C(1) << nvalues) - 1;
	uint64_t narrow = (UINT64_C(1) << (system->result_bits - nvalues)) - 1;
	const uint32_t *restrict prints = batch->prints;
	const uint8_t *restrict wide = batch->masks;
	bool *restrict answers = batch->answers;
	uint64_t *restrict codes = batch->codes;
	unsigned n = batch->nhashes;

	if (ribbon_shape_is_bare(shape))
	{
		for (unsigned i = 0; i < n; i++)
			codes[i] &= value;
		memset(answers, true, n);
		return;
	}
	for (unsigned i = 0; i < n; i++)
	{
		uint64_t columns = codes[i];
		uint64_t checks = (columns & first) | (columns >> nvalues & ~first);
		uint64_t all = shape == RIBBON_EVEN ? narrow :
											  narrow << wide[i] | wide[i];

		codes[i] = columns >> nchecks & value;
		answers[i] = ((checks ^ prints[i]) & all) == 0;
	}
}

#else

INLINE void
NAME(get, place)(const RibbonPlane *plane, const RibbonSystem *system,
				 RibbonBatch *batch, unsigned first, unsigned end,
				 RibbonShape shape)
{
	/* RIBBON_MORE would be in two steps there */
	NAME(batch, places)
	(plane, system, batch, first, end, false,
	 shape == RIBBON_MORE ? RIBBON_MANY : shape);
}

INLINE void
NAME(get, answer)(const RibbonSystem *restrict system,
				  RibbonBatch *restrict batch, unsigned first, unsigned end,
				  unsigned ahead, RibbonShape shape)
{
	uint64_t *restrict codes = batch->codes;
	bool *restrict answers = batch->answers;

	(void) ahead;
	for (unsigned i = first; i < end; i++)
	{
		uint64_t start = batch->starts[i];

		answers[i] = NAME(get, whole)(system,
									  NAME(probe, pair)(system, start, shape),
									  batch->hashes[i], start, shape,
									  &codes[i]);
	}
}

INLINE void
NAME(get, finish)(const RibbonSystem *system, RibbonBatch *batch,
				  RibbonShape shape)
{
	(void) system;
	(void) batch;
	(void) shape;
}

#endif

/* As NAME(batch, system). */
INLINE void
NAME(get, batch)(const RibbonPlane *plane, const RibbonSystem *system,
				 RibbonBatch *batch, RibbonShape shape)
{
	unsigned n = batch->nhashes;
	unsigned ahead = n < RIBBON_AHEAD ? n : RIBBON_AHEAD;

	batch->nbumped = batch->nrest = 0;
	NAME(get, place)(plane, system, batch, 0, ahead, shape);
	for (unsigned i = 0; i < n;)
	{
		unsigned next = ahead;

		ahead = n - next < RIBBON_AHEAD ? n : next + RIBBON_AHEAD;
		NAME(get, place)(plane, system, batch, next, ahead, shape);
		NAME(get, answer)(system, batch, i, next, ahead, shape);
		i = next;
	}
	NAME(get, finish)(system, batch, shape);
}

#define GET(name, verb, shape) \
	static KERNEL_TARGET bool NAME(get, name)(const RibbonPlane *plane, \
											  uint64_t hash, uint64_t *code) \
	{ \
		return NAME(get, verb)(plane, hash, shape, code); \
	}
#define GET_BATCH(name, shape) \
	static KERNEL_TARGET void NAME(get, name)(const RibbonPlane *plane, \
											  const RibbonSystem *system, \
											  RibbonBatch *batch) \
	{ \
		NAME(get, batch)(plane, system, batch, shape); \
	}

GET(first_even, first, RIBBON_EVEN)
GET(first_few, first, RIBBON_FEW)
GET(first_many, first, RIBBON_MANY)
GET(first_more, first, RIBBON_MORE)
GET(zone_even, zone, RIBBON_EVEN)
GET(zone_few, zone, RIBBON_FEW)
GET(zone_many, zone, RIBBON_MANY)
GET(zone_more, zone, RIBBON_MORE)
GET(first_bare_few, first, RIBBON_BARE_FEW)
GET(first_bare_many, first, RIBBON_BARE_MANY)
GET(first_bare_more, first, RIBBON_BARE_MORE)
GET(zone_bare_few, zone, RIBBON_BARE_FEW)
GET(zone_bare_many, zone, RIBBON_BARE_MANY)
GET(zone_bare_more, zone, RIBBON_BARE_MORE)
GET_BATCH(batch_even, RIBBON_EVEN)
GET_BATCH(batch_few, RIBBON_FEW)
GET_BATCH(batch_many, RIBBON_MANY)
GET_BATCH(batch_more, RIBBON_MORE)
GET_BATCH(batch_bare_few, RIBBON_BARE_FEW)
GET_BATCH(batch_bare_many, RIBBON_BARE_MANY)
GET_BATCH(batch_bare_more, RIBBON_BARE_MORE)

#undef GET
#undef GET_BATCH
