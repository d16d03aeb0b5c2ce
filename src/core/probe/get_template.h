/*
 * get_template.h - a kernel's lookups in maps, for one ribbon width
 *
 * Single ones are those of probe_template.h, of which this is a part; batches
 * are another way here, for all columns are needed.
 */

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
		codes[i] = NAME(find, columns)(system, low, high, (ROW) batch->rows[i],
									   batch->starts[i],
									   shape); /* start modulo w */
	}
}

/* and take them apart: ribbon_find_parts for all. */
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

	if (ribbon_shape_is_unchecked(shape))
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
		uint64_t all = shape == RIBBON_UNIFORM_8 ? narrow :
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
	/* RIBBON_ANY would be in two steps there */
	NAME(batch, places)
	(plane, system, batch, first, end, false,
	 shape == RIBBON_ANY ? RIBBON_UP_TO_16 : shape);
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

		answers[i] = NAME(find, whole)(system, batch->hashes[i], start, 0,
									   shape, &codes[i]);
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
		if (code == NULL) \
			__builtin_unreachable(); \
		return NAME(find, verb)(plane, hash, shape, code); \
	}
#define GET_BATCH(name, shape) \
	static KERNEL_TARGET void NAME(get, name)(const RibbonPlane *plane, \
											  const RibbonSystem *system, \
											  RibbonBatch *batch) \
	{ \
		NAME(get, batch)(plane, system, batch, shape); \
	}

GET(first_even, burr, RIBBON_UNIFORM_8)
GET(first_few, burr, RIBBON_UP_TO_8)
GET(first_many, burr, RIBBON_UP_TO_16)
GET(first_more, burr, RIBBON_ANY)
GET(zone_even, zone, RIBBON_UNIFORM_8)
GET(zone_few, zone, RIBBON_UP_TO_8)
GET(zone_many, zone, RIBBON_UP_TO_16)
GET(zone_more, zone, RIBBON_ANY)
GET(first_bare_few, burr, RIBBON_UNCHECKED_8)
GET(first_bare_many, burr, RIBBON_UNCHECKED_16)
GET(first_bare_more, burr, RIBBON_UNCHECKED_ANY)
GET(zone_bare_few, zone, RIBBON_UNCHECKED_8)
GET(zone_bare_many, zone, RIBBON_UNCHECKED_16)
GET(zone_bare_more, zone, RIBBON_UNCHECKED_ANY)
GET_BATCH(batch_even, RIBBON_UNIFORM_8)
GET_BATCH(batch_few, RIBBON_UP_TO_8)
GET_BATCH(batch_many, RIBBON_UP_TO_16)
GET_BATCH(batch_more, RIBBON_ANY)
GET_BATCH(batch_bare_few, RIBBON_UNCHECKED_8)
GET_BATCH(batch_bare_many, RIBBON_UNCHECKED_16)
GET_BATCH(batch_bare_more, RIBBON_UNCHECKED_ANY)

#undef GET
#undef GET_BATCH
