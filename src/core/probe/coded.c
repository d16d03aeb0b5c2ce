/*
 * coded.c - get from a map whose codes are by frequency (format/codes.h)
 *
 * A key goes from plane to plane until its path is a code.  The more keys have
 * a value, the fewer planes that takes.  In a batch, the keys that go on are
 * moved together after each plane.
 */
#include "probe/opened.h"

#include "probe/batch.h"

/* The value of an entry of the table, which may have to be fetched. */
static uint64_t
value_of(const RibbonOpened *first, const RibbonCodes *codes, uint32_t entry)
{
	uint64_t bit = (uint64_t) entry * codes->entry_bits;
	size_t end = (size_t) (bit % 8 + codes->entry_bits + 7) / 8;

	if (RIBBON_LIKELY(first->fetch == NULL))
		return ribbon_codes_value(codes, entry);
	return ribbon_load_bits(first->fetch(first->fetch_arg,
										 codes->table_at + bit / 8, end),
							bit % 8, codes->entry_bits);
}

bool
ribbon_coded_get(const RibbonOpened *first, uint64_t hash, uint64_t *code)
{
	const RibbonCodes *codes = ribbon_opened_codes(first);
	const RibbonOpened *opened = first;
	uint32_t entry = 0;
	uint64_t path;

	if (!opened->find(opened, hash, &path))
	{
		*code = 0;
		return false;
	}
	if (codes->front)
	{
		opened = ribbon_opened_next(opened);
		if (!opened->find(opened, hash, &path))
		{
			*code = value_of(first, codes, entry);
			return true;
		}
		path = 0;
	}
	for (unsigned level = 0; !ribbon_codes_end(codes, level, path, &entry);
		 level++)
	{
		uint64_t more;

		opened = ribbon_opened_next(opened);
		opened->find(opened, hash, &more);
		path = path << opened->plane.value_bits | more;
	}
	*code = value_of(first, codes, entry);
	return true;
}

/* Hashes of a batch whose codes have not ended yet. */
typedef struct Pending
{
	unsigned n;
	uint64_t hashes[RIBBON_BATCH];
	uint64_t paths[RIBBON_BATCH];
	uint16_t which[RIBBON_BATCH]; /* index in the batch */
	bool found[RIBBON_BATCH];	  /* what a plane answers: is the key in it, */
	uint64_t more[RIBBON_BATCH];  /* and its value bits */
} Pending;

/* Keys that the filter in front turns away have the dominant value. */
static void
leave_at_front(const RibbonCodes *codes, Pending *pending, uint64_t *values)
{
	uint64_t dominant = ribbon_codes_value(codes, 0);
	unsigned n = 0;

	for (unsigned i = 0; i < pending->n; i++)
	{
		values[pending->which[i]] = dominant;
		pending->hashes[n] = pending->hashes[i];
		pending->which[n] = pending->which[i];
		pending->paths[n] = 0;
		n += pending->found[i];
	}
	pending->n = n;
}

/* Keys whose paths are codes get their values. */
static void
leave_at_level(const RibbonCodes *codes, unsigned level, Pending *pending,
			   uint64_t *values)
{
	unsigned n = 0;

	for (unsigned i = 0; i < pending->n; i++)
	{
		uint32_t entry;

		if (ribbon_codes_end(codes, level, pending->paths[i], &entry))
		{
			values[pending->which[i]] = ribbon_codes_value(codes, entry);
			continue;
		}
		pending->hashes[n] = pending->hashes[i];
		pending->which[n] = pending->which[i];
		pending->paths[n++] = pending->paths[i];
	}
	pending->n = n;
}

void
ribbon_coded_finish(const RibbonOpened *first, const uint64_t *hashes,
					unsigned n, bool *found, uint64_t *values)
{
	const RibbonCodes *codes = ribbon_opened_codes(first);
	const RibbonOpened *opened = first;
	Pending pending;

	pending.n = 0;
	for (unsigned i = 0; i < n; i++)
	{
		pending.hashes[pending.n] = hashes[i];
		pending.paths[pending.n] = values[i];
		pending.which[pending.n] = (uint16_t) i;
		pending.n += found[i];
	}
	if (codes->front)
	{
		opened = ribbon_opened_next(opened);
		ribbon_batches_find(opened, pending.hashes, pending.n, pending.found,
							pending.more);
		leave_at_front(codes, &pending, values);
	}
	leave_at_level(codes, 0, &pending, values);
	for (unsigned level = 1; pending.n > 0; level++)
	{
		opened = ribbon_opened_next(opened);
		ribbon_batches_find(opened, pending.hashes, pending.n, pending.found,
							pending.more);
		for (unsigned i = 0; i < pending.n; i++)
			pending.paths[i] = pending.paths[i] << opened->plane.value_bits |
				pending.more[i];
		leave_at_level(codes, level, &pending, values);
	}
}
