/*
 * filtercache.c - a filter ready for probing, kept across calls
 *
 * A query probes the same filter over and over: a constant, or the one row of
 * a table that a nested loop comes back to.  How the filter arrives decides
 * what there is to save.
 *
 *	 in line	The bytes are before us, and are probed where they lie.  What
 *				can be saved is decoding the header, if it is one we saw
 *				before, at the same address.  A few are remembered, for
 *				arrays of filters and nested loops over small ones.
 *
 *	 stored		A pointer to the TOAST table, which names the value: kept.c
 *				knows whether it has been read already, or is to be probed in
 *				slices.
 *
 *	 compressed	in line, because somebody changed the column's STORAGE: the
 *				bytes, which are few, name themselves, and what they stand for
 *				is kept until others come.
 *
 *	 others		such as values in a form of their own in memory, are made plain
 *				for every call.
 */
#include "ribbon_pg.h"

#include "access/detoast.h"
#include "utils/memutils.h"

static const RibbonFilter *open_bytes(RibbonFilterCache *cache,
									  struct varlena *value);
static unsigned place_of(const uint8_t *bytes);
static struct varlena *make_plain(RibbonFilterCache *cache,
								  struct varlena *value);
static void forget_copy(RibbonFilterCache *cache);
static bool is_compressed(struct varlena *value);

const RibbonFilter *
ribbon_filtercache_open(RibbonFilterCache *cache, struct varlena *value,
						unsigned nprobes)
{
	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		const RibbonFilter *filter = ribbon_kept_find(value, nprobes);

		if (likely(filter != NULL) || !is_compressed(value))
			return filter;
	}
	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		value = make_plain(cache, value);

	return open_bytes(cache, value);
}

struct varlena *
ribbon_filtercache_follow(Datum datum)
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

RibbonStatus
ribbon_filtercache_read_header(Datum datum, RibbonFilter *filter)
{
	struct varlena *value = ribbon_filtercache_follow(datum);
	size_t nbytes = toast_raw_datum_size(PointerGetDatum(value)) - VARHDRSZ;
	size_t nheader = Min(nbytes, RIBBON_MAX_HEADER);
	uint8_t header[RIBBON_MAX_HEADER];
	RibbonStatus status;

	if (VARATT_IS_EXTERNAL_ONDISK(value) && !is_compressed(value))
	{
		ribbon_slice_read(value, nheader, header);
		status = ribbon_open_header(header, nheader, nbytes, filter);
	}
	else
	{
		struct varlena *slice = detoast_attr_slice(value, 0, (int32) nheader);

		status = ribbon_open_header((const uint8_t *) VARDATA_ANY(slice),
									VARSIZE_ANY_EXHDR(slice), nbytes, filter);
		if (slice != value)
			pfree(slice);
	}
	return status;
}

/*
 * Decode a filter that is not toasted.  The header and the number of bytes
 * determine everything in a RibbonFilter, so if these and the address are
 * those of an earlier call, the work is done.  The address alone would not do:
 * the executor puts one tuple after another into the same buffer.
 */
static const RibbonFilter *
open_bytes(RibbonFilterCache *cache, struct varlena *value)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	RibbonOpened **place = &cache->opened[place_of(bytes)];
	RibbonOpened *opened = *place;

	if (unlikely(opened == NULL))
		*place = opened = MemoryContextAllocZero(cache->context,
												 sizeof(RibbonOpened));
	if (bytes == opened->bytes && nbytes == opened->nbytes &&
		memcmp(bytes, opened->header, opened->filter.header_bytes) == 0)
		return &opened->filter;

	opened->bytes = NULL;
	ribbon_adapter_open(bytes, nbytes, &opened->filter);

	if (opened->filter.header_bytes <= RIBBON_CACHED_HEADER)
	{
		memcpy(opened->header, bytes, opened->filter.header_bytes);
		opened->bytes = bytes;
		opened->nbytes = nbytes;
	}
	return &opened->filter;
}

/* One of a few places for what lies at an address. */
static unsigned
place_of(const uint8_t *bytes)
{
	uint32 mixed = (uint32) ((uintptr_t) bytes >> 2) * UINT32_C(0x9E3779B1);

	return mixed >> (32 - RIBBON_LOG2_OPENED);
}

/* A value that is compressed, or elsewhere in memory, as it would be in line. */
static struct varlena *
make_plain(RibbonFilterCache *cache, struct varlena *value)
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
forget_copy(RibbonFilterCache *cache)
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
