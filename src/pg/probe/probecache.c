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
#include "utils/memutils.h"

static struct varlena *make_plain(RibbonProbeCache *cache,
								  struct varlena *value);
static void forget_copy(RibbonProbeCache *cache);
static bool is_compressed(struct varlena *value);

const void *
ribbon_probecache_open(RibbonProbeCache *cache, struct varlena *value,
					   unsigned nprobes)
{
	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		const void *kept = ribbon_kept_find(cache->opened.type, value, nprobes);

		if (likely(kept != NULL) || !is_compressed(value))
			return kept;
	}
	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		value = make_plain(cache, value);

	return ribbon_opened_find(&cache->opened, cache->context, value);
}

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
	MemoryContext old_context;

	if (cache->identity != NULL && VARSIZE_ANY(cache->identity) == size &&
		memcmp(cache->identity, value, size) == 0)
		return cache->copy;

	forget_copy(cache);

	old_context = MemoryContextSwitchTo(cache->context);
	cache->copy = detoast_attr(value);
	if (!VARATT_IS_EXTERNAL(value))
	{
		struct varlena *identity = palloc(size);

		memcpy(identity, value, size);
		cache->identity = identity;
	}
	MemoryContextSwitchTo(old_context);

	return cache->copy;
}

static void
forget_copy(RibbonProbeCache *cache)
{
	struct varlena *identity = cache->identity;
	struct varlena *copy = cache->copy;

	cache->identity = NULL;
	cache->copy = NULL;

	if (identity != NULL)
		pfree(identity);
	if (copy != NULL)
		pfree(copy);
}

/* Is a stored value compressed? */
static bool
is_compressed(struct varlena *value)
{
	varatt_external pointer;

	VARATT_EXTERNAL_GET_POINTER(pointer, value);
	return VARATT_EXTERNAL_IS_COMPRESSED(pointer);
}
