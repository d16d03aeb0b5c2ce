/*
 * probecache.c - a filter or map ready for probing, kept across calls
 *
 * A query probes the same value over and over: a constant, or the one row of
 * a table that a nested loop comes back to.  How the value arrives decides
 * what there is to save.
 *
 *	 in line	The bytes are before us, and are probed where they lie.  What
 *				can be saved is decoding the header: opened.c.
 *
 *	 stored		A pointer to the TOAST table, which names the value: kept.c
 *				knows whether it has been read already, or is to be probed in
 *				slices.
 *
 *	 compressed	in line, after ALTER TABLE ... SET STORAGE: the
 *				bytes, which are few, name themselves, and what they stand for
 *				is kept until others come.
 *
 *	 others		such as values in a form of their own in memory, are made plain
 *				for every call.
 */
#include "probe/contains.h"

#include "access/detoast.h"

struct varlena *
ribbon_probecache_follow(Datum datum)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(datum);

	while (unlikely(VARATT_IS_EXTERNAL_INDIRECT(value)))
	{
		struct varatt_indirect redirect;

		VARATT_EXTERNAL_GET_POINTER(redirect, value);
		value = redirect.pointer;
	}
	return value;
}

/*
 * A value that is compressed, or elsewhere in memory, as it would be in line.
 */
static struct varlena *
make_plain(RibbonProbeCache *cache, struct varlena *value)
{
	size_t size = VARSIZE_ANY(value);
	struct varlena *identity = cache->identity;
	MemoryContext old_context;

	if (identity != NULL && VARSIZE_ANY(identity) == size &&
		memcmp(identity, value, size) == 0)
		return cache->copy;

	cache->identity = NULL; /* should there be an error */
	if (identity != NULL)
		pfree(identity);
	if (cache->copy != NULL)
		pfree(cache->copy);
	cache->copy = NULL;

	old_context = MemoryContextSwitchTo(cache->context);
	cache->copy = detoast_attr(value);
	if (!VARATT_IS_EXTERNAL(value))
		cache->identity = memcpy(palloc(size), value, size);
	MemoryContextSwitchTo(old_context);
	return cache->copy;
}

const RibbonFilter *
ribbon_probecache_open(RibbonProbeCache *cache, struct varlena *value,
					   unsigned nprobes)
{
	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		const RibbonFilter *kept = ribbon_kept_find(cache->opened.type, value,
													nprobes);
		varatt_external pointer;

		VARATT_EXTERNAL_GET_POINTER(pointer, value);
		if (likely(kept != NULL) || !VARATT_EXTERNAL_IS_COMPRESSED(pointer))
			return kept;
	}
	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		value = make_plain(cache, value);

	return ribbon_opened_find(&cache->opened, cache->context, value);
}
