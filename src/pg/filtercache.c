/*
 * filtercache.c - a filter ready for probing, kept across calls
 *
 * A query probes the same filter over and over: a constant, or the one row of
 * a table that a nested loop comes back to.  How the filter arrives decides
 * what there is to save.
 *
 *	 in line	The bytes are before us, and are probed where they lie.  What
 *				can be saved is decoding the header, if it is the one we saw
 *				last, at the same address.
 *
 *	 toasted	A pointer to the TOAST table, or compressed bytes.  Detoasting
 *				costs far more than a probe, so the result is kept, together
 *				with the toasted datum as it came.  The next datum that is the
 *				same byte for byte is the same filter: a TOAST pointer names the
 *				table, the value's id and its size, and an id is not given
 *				to another value as long as a snapshot can see the first.
 *
 * The cache keeps one filter.  A call site that alternates between toasted and
 * in-line filters keeps the toasted one's copy meanwhile.
 */
#include "ribbon_pg.h"

#include "access/detoast.h"
#include "utils/memutils.h"

static const RibbonFilter *open_bytes(RibbonFilterCache *cache,
									  struct varlena *value);
static struct varlena *detoast(RibbonFilterCache *cache, struct varlena *value);
static void forget_copy(RibbonFilterCache *cache);
static bool names_itself(struct varlena *value);

const RibbonFilter *
ribbon_filtercache_open(RibbonFilterCache *cache, Datum value)
{
	struct varlena *datum = (struct varlena *) DatumGetPointer(value);

	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL(datum) || VARATT_IS_COMPRESSED(datum))
		datum = detoast(cache, datum);

	return open_bytes(cache, datum);
}

/*
 * Decode a filter that is not toasted.  The header and the number of bytes
 * determine everything in a RibbonFilter, so if these and the address are
 * those of the last call, the work is done.  The address alone would not do:
 * the executor puts one tuple after another into the same buffer.
 */
static const RibbonFilter *
open_bytes(RibbonFilterCache *cache, struct varlena *value)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);

	if (bytes == cache->bytes && nbytes == cache->nbytes &&
		memcmp(bytes, cache->header, cache->filter.header_bytes) == 0)
		return &cache->filter;

	cache->bytes = NULL;
	ribbon_adapter_open(bytes, nbytes, &cache->filter);

	if (cache->filter.header_bytes <= RIBBON_CACHED_HEADER)
	{
		memcpy(cache->header, bytes, cache->filter.header_bytes);
		cache->bytes = bytes;
		cache->nbytes = nbytes;
	}
	return &cache->filter;
}

/* The toasted value, detoasted: from the cache, or into it. */
static struct varlena *
detoast(RibbonFilterCache *cache, struct varlena *value)
{
	size_t size = VARSIZE_ANY(value);
	MemoryContext old_context;

	if (cache->identity != NULL && VARSIZE_ANY(cache->identity) == size &&
		memcmp(cache->identity, value, size) == 0)
		return cache->copy;

	forget_copy(cache);

	old_context = MemoryContextSwitchTo(cache->context);
	cache->copy = detoast_attr(value);
	if (names_itself(value))
	{
		struct varlena *identity = palloc(size);

		memcpy(identity, value, size);
		cache->identity = identity;
	}
	MemoryContextSwitchTo(old_context);

	return cache->copy;
}

static void
forget_copy(RibbonFilterCache *cache)
{
	struct varlena *identity = cache->identity;
	struct varlena *copy = cache->copy;

	cache->identity = NULL;
	cache->copy = NULL;
	cache->bytes = NULL;

	if (identity != NULL)
		pfree(identity);
	if (copy != NULL)
		pfree(copy);
}

/*
 * Do a toasted datum's own bytes say which value it is?  A pointer into memory
 * does not: other values may come to lie there.
 */
static bool
names_itself(struct varlena *value)
{
	return VARATT_IS_EXTERNAL_ONDISK(value) || !VARATT_IS_EXTERNAL(value);
}
