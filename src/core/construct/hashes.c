/*
 * hashes.c - a sorted set of hashes, or of records, in an array or in a store
 */
#include "construct/hashes.h"

#include "set/sort.h"

/* Bytes of an element. */
static size_t
size_of(const RibbonHashes *hashes)
{
	return ribbon_hashes_stride(hashes) * sizeof(uint64_t);
}

/*
 * What a store has returned, if it is a status.  (A number behind the last one
 * has another meaning in a build: RIBBON_SUSPICIOUS, salt.h.)
 */
static RibbonStatus
of_store(RibbonStatus status)
{
	return (unsigned) status >= RIBBON_NSTATUS ? RIBBON_BAD_STORE : status;
}

RibbonStatus
ribbon_hashes_create(const RibbonEnv *env, RibbonHashes *hashes,
					 uint64_t capacity, const RibbonSupply *supply)
{
	memset(hashes, 0, sizeof(*hashes));
	hashes->capacity = capacity;
	hashes->supply = supply;
	hashes->owned = true;
	if (env->open_store != NULL && capacity > RIBBON_HASHES_IN_MEMORY)
		return of_store(env->open_store(env->arg, capacity,
										(unsigned) ribbon_hashes_stride(hashes),
										&hashes->store));
	hashes->array = ribbon_alloc_array(env, capacity, size_of(hashes));
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
		return of_store(hashes->store->add(hashes->store, more, n));
	memcpy(hashes->array + old * ribbon_hashes_stride(hashes), more,
		   n * size_of(hashes));
	return RIBBON_OK;
}

RibbonStatus
ribbon_hashes_load(const RibbonEnv *env, RibbonHashes *hashes)
{
	RibbonStatus status;
	size_t n;

	hashes->array = ribbon_alloc_array(env, hashes->n, size_of(hashes));
	if (hashes->array == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = hashes->store->read(hashes->store, 0, UINT64_MAX, hashes->array,
								 (size_t) hashes->n, &n);
	if (status == RIBBON_OK && n != hashes->n)
		status = RIBBON_BAD_STORE;
	if (hashes->owned)
		hashes->store->close(hashes->store);
	hashes->store = NULL;
	hashes->owned = true;
	return of_store(status);
}

RibbonStatus
ribbon_hashes_sort(const RibbonEnv *env, RibbonHashes *hashes)
{
	return (hashes->supply == NULL ?
				ribbon_sort :
				ribbon_sort_records)(env, hashes->array, (size_t) hashes->n);
}

RibbonStatus
ribbon_hashes_seal(const RibbonEnv *env, RibbonHashes *hashes)
{
	RibbonStatus status;

	if (hashes->store == NULL)
		return ribbon_hashes_sort(env, hashes);
	status = hashes->store->seal(hashes->store, &hashes->n);
	if (status == RIBBON_OK && hashes->n <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, hashes);
	return of_store(status);
}

RibbonStatus
ribbon_hashes_make_room(const RibbonEnv *env, const RibbonHashes *hashes,
						RibbonHashRange *range, uint64_t nroom)
{
	if (hashes->store == NULL)
		return RIBBON_OK;
	ribbon_free(env, range->room);
	range->room = ribbon_alloc_array(env, nroom, size_of(hashes));
	range->nroom = (size_t) nroom;
	return range->room == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

RibbonStatus
ribbon_hashes_read(const RibbonEnv *env, const RibbonHashes *hashes,
				   uint64_t first, uint64_t last, uint64_t most,
				   RibbonHashRange *range)
{
	RibbonStore *store = hashes->store;
	size_t stride = ribbon_hashes_stride(hashes);
	size_t n = (size_t) hashes->n;
	RibbonStatus status;

	if (store == NULL)
	{
		size_t begin = ribbon_element_first(hashes->array, stride, n, first);

		if (last < UINT64_MAX)
			n = ribbon_element_first(hashes->array, stride, n, last + 1);
		range->hashes = hashes->array + begin * stride;
		range->n = n - begin;
		return RIBBON_OK;
	}
	status = store->read(store, first, last, range->room, range->nroom,
						 &range->n);
	if (status == RIBBON_OK && range->n > range->nroom && range->n <= most)
	{
		status = ribbon_hashes_make_room(env, hashes, range, range->n);
		if (status == RIBBON_OK)
			status = store->read(store, first, last, range->room, range->nroom,
								 &range->n);
		if (status == RIBBON_OK && range->n > range->nroom)
			status = RIBBON_BAD_STORE;
	}
	range->hashes = range->room;
	return of_store(status);
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
