/*
 * hashes.c - a sorted set of hashes, or of records, in an array or in a store
 */
#include "construct/hashes.h"

#include "base/sort.h"

/* Bytes of an element. */
static size_t
size_of(const RibbonHashes *hashes)
{
	return ribbon_hashes_stride(hashes) * sizeof(uint64_t);
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
		return env->open_store(env->arg, capacity,
							   (unsigned) ribbon_hashes_stride(hashes),
							   &hashes->store);
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
		return hashes->store->add(hashes->store, more, n);
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
	return status;
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
	return status;
}

size_t
ribbon_hashes_first(const uint64_t *hashes, size_t stride, size_t n,
					uint64_t hash)
{
	size_t low = 0;

	while (low < n)
	{
		size_t middle = low + (n - low) / 2;

		if (hashes[middle * stride] < hash)
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
	size_t stride = ribbon_hashes_stride(hashes);
	size_t begin;

	if (hashes->store != NULL)
	{
		*found = room;
		return hashes->store->read(hashes->store, first, last, room, nroom, n);
	}
	begin = ribbon_hashes_first(hashes->array, stride, (size_t) hashes->n,
								first);
	*found = hashes->array + begin * stride;
	*n = (last == UINT64_MAX ?
			  (size_t) hashes->n :
			  ribbon_hashes_first(hashes->array, stride, (size_t) hashes->n,
								  last + 1)) -
		begin;
	return RIBBON_OK;
}

/* Room for elements that are read from a store. */
typedef struct Room
{
	uint64_t *words;
	size_t n; /* elements */
} Room;

/* Read a range that may have more hashes than there is room for. */
static RibbonStatus
read_part(const RibbonEnv *env, const RibbonHashes *hashes, uint64_t first,
		  uint64_t last, Room *room, const uint64_t **part, size_t *n)
{
	RibbonStatus status = ribbon_hashes_read(hashes, first, last, room->words,
											 room->n, part, n);

	/* one hash, many times: it cannot be halved */
	if (status == RIBBON_OK && hashes->store != NULL && *n > room->n &&
		first == last)
	{
		ribbon_free(env, room->words);
		room->n = *n;
		room->words = ribbon_alloc_array(env, room->n, size_of(hashes));
		if (room->words == NULL)
			return RIBBON_OUT_OF_MEMORY;
		status = ribbon_hashes_read(hashes, first, last, room->words, room->n,
									part, n);
	}
	return status;
}

/*
 * Range by range.  One that has too many hashes, which is likely if they
 * cluster, is halved.
 */
RibbonStatus
ribbon_hashes_each(const RibbonEnv *env, const RibbonHashes *hashes,
				   RibbonTakePart take, void *arg)
{
	Room room = {NULL, RIBBON_PART_HASHES}; /* an array's are read in place */
	uint64_t first = 0;
	uint64_t span = UINT64_MAX; /* the range is first .. first + span */
	uint64_t nread = 0;
	RibbonStatus status = RIBBON_OK;

	if (hashes->store != NULL)
	{
		room.words = ribbon_alloc_array(env, room.n, size_of(hashes));
		if (room.words == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	while (status == RIBBON_OK)
	{
		const uint64_t *part;
		size_t n;

		status = read_part(env, hashes, first, first + span, &room, &part, &n);
		if (status == RIBBON_OK && n > RIBBON_PART_HASHES && span > 0)
			span /= 2;
		else if (status == RIBBON_OK)
		{
			status = take(arg, part, n);
			nread += n;
			if (status == RIBBON_OK && ribbon_interrupted(env))
				status = RIBBON_INTERRUPTED;
			if (first + span == UINT64_MAX)
				break;
			first += span + 1;
			if (n < RIBBON_PART_HASHES / 4)
				span = 2 * span + 1;
			span = ribbon_min64(span, UINT64_MAX - first);
		}
	}
	ribbon_free(env, room.words);
	if (status == RIBBON_OK && nread != hashes->n)
		status = RIBBON_BAD_STORE;
	return status;
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
