/*
 * hashes.c - a sorted set of hashes, in an array or in a store
 */
#include "build/hashes.h"

#include "base/sort.h"

RibbonStatus
ribbon_hashes_create(const RibbonEnv *env, RibbonHashes *hashes,
					 uint64_t capacity)
{
	memset(hashes, 0, sizeof(*hashes));
	hashes->capacity = capacity;
	hashes->owned = true;
	if (env->open_store != NULL && capacity > RIBBON_HASHES_IN_MEMORY)
		return env->open_store(env->arg, capacity, &hashes->store);
	hashes->array = ribbon_alloc_array(env, capacity, sizeof(uint64_t));
	return hashes->array == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

RibbonStatus
ribbon_hashes_add(RibbonHashes *hashes, const uint64_t *more, size_t n)
{
	uint64_t old = hashes->n;

	hashes->n += n;
	if (n == 0 || hashes->n > hashes->capacity)
		return RIBBON_OK;
	if (hashes->store != NULL)
		return hashes->store->add(hashes->store, more, n);
	memcpy(hashes->array + old, more, n * sizeof(uint64_t));
	return RIBBON_OK;
}

RibbonStatus
ribbon_hashes_load(const RibbonEnv *env, RibbonHashes *hashes)
{
	RibbonStatus status;
	size_t n;

	hashes->array = ribbon_alloc_array(env, hashes->n, sizeof(uint64_t));
	if (hashes->array == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = hashes->store->read(hashes->store, 0, UINT64_MAX, hashes->array,
								 (size_t) hashes->n, &n);
	if (hashes->owned)
		hashes->store->close(hashes->store);
	hashes->store = NULL;
	hashes->owned = true;
	return status;
}

RibbonStatus
ribbon_hashes_seal(const RibbonEnv *env, RibbonHashes *hashes)
{
	RibbonStatus status;

	if (hashes->store == NULL)
		return ribbon_sort(env, hashes->array, (size_t) hashes->n);
	status = hashes->store->seal(hashes->store, &hashes->n);
	if (status == RIBBON_OK && hashes->n <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, hashes);
	return status;
}

/* The index of the first of n sorted hashes that is hash or greater, or n. */
static size_t
first_from(const uint64_t *hashes, size_t n, uint64_t hash)
{
	size_t low = 0;

	while (low < n)
	{
		size_t middle = low + (n - low) / 2;

		if (hashes[middle] < hash)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

RibbonStatus
ribbon_hashes_read(const RibbonHashes *hashes, uint64_t first, uint64_t last,
				   uint64_t *room, size_t nroom, const uint64_t **found,
				   size_t *n)
{
	size_t begin, end;

	if (hashes->store != NULL)
	{
		*found = room;
		return hashes->store->read(hashes->store, first, last, room, nroom, n);
	}
	begin = first_from(hashes->array, (size_t) hashes->n, first);
	end = last == UINT64_MAX ?
		(size_t) hashes->n :
		first_from(hashes->array, (size_t) hashes->n, last + 1);
	*found = hashes->array + begin;
	*n = end - begin;
	return RIBBON_OK;
}

void
ribbon_hashes_free(const RibbonEnv *env, RibbonHashes *hashes)
{
	if (hashes->owned)
	{
		ribbon_free(env, hashes->array);
		if (hashes->store != NULL)
			hashes->store->close(hashes->store);
	}
	memset(hashes, 0, sizeof(*hashes));
}
