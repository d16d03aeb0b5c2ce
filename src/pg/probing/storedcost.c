/*
 * storedcost.c - what the probes of a stored filter or map have cost
 *
 * A query that probes one stored filter ten million times must not read it ten
 * million times, and one that probes ten thousand filters once each should not
 * read any.  Which of the two a query is shows only while it runs.  So the
 * first probes of a filter are made in slices (slice.c), and their cost is
 * added up.  When it is that of reading the filter, it is to be read.  Whatever
 * is asked of it later, that costs at most about twice as much as knowing it
 * beforehand would have.
 */
#include "probing/stored.h"

#include "access/heaptoast.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "probing/cost.h"

static inline uint32
hash_id(const varatt_external *id)
{
	return murmurhash32(id->va_valueid ^ (id->va_toastrelid << 7));
}

#define SH_PREFIX				ribbon_costs
#define SH_ELEMENT_TYPE			RibbonStoredCost
#define SH_KEY_TYPE				varatt_external
#define SH_KEY					id
#define SH_HASH_KEY(table, key) hash_id(&(key))
#define SH_EQUAL(table, a, b)	(memcmp(&(a), &(b), sizeof(a)) == 0)
#define SH_SCOPE				static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

RibbonStoredCosts *
ribbon_storedcost_create(MemoryContext context)
{
	return ribbon_costs_create(context, 8, NULL);
}

/* More than there is memory for. */
bool
ribbon_storedcost_are_many(const RibbonStoredCosts *costs)
{
	return costs->members >=
		Max(get_hash_memory_limit() / 8 / sizeof(RibbonStoredCost), 1000);
}

RibbonStoredCost *
ribbon_storedcost_find(RibbonStoredCosts *costs, const varatt_external *id,
					   uint64 clock)
{
	RibbonStoredCost *cost = ribbon_costs_lookup(costs, *id);
	bool found;

	if (cost == NULL)
	{
		cost = ribbon_costs_insert(costs, *id, &found);
		cost->entry = NULL;
		ribbon_storedcost_reset(cost, clock);
	}
	return cost;
}

void
ribbon_storedcost_reset(RibbonStoredCost *cost, uint64 clock)
{
	cost->chunks = 0;
	cost->since = clock;
}

bool
ribbon_storedcost_charge(RibbonStoredCost *cost, unsigned nprobes)
{
	uint32 whole = VARATT_EXTERNAL_GET_EXTSIZE(cost->id) / TOAST_MAX_CHUNK_SIZE;

	whole = Max(whole, 1); /* one probe of a small filter is no reason */
	if (VARATT_EXTERNAL_IS_COMPRESSED(cost->id) || cost->chunks >= whole ||
		RIBBON_COST_PROBE_CHUNKS * (uint64) nprobes >=
			whole + RIBBON_COST_PROBE_CHUNKS)
		return false;
	cost->chunks += RIBBON_COST_OPEN_CHUNKS +
		RIBBON_COST_PROBE_CHUNKS * nprobes;
	return true;
}
