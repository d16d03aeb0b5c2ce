/*
 * seeded.c - a zone's hashes under a seed, in the order of their slots
 */
#include "construct/seeded.h"

#include "construct/cluster.h"
#include "construct/hashes.h"

RibbonStatus
ribbon_seeded_create(const RibbonEnv *env, RibbonSeeded *seeded,
					 const RibbonSupply *supply, size_t n)
{
	seeded->supply = supply;
	seeded->ordered = ribbon_alloc_array(env, n,
										 ribbon_supply_stride(supply) *
											 sizeof(uint64_t));
	seeded->mixed = ribbon_alloc_array(env, n, sizeof(uint64_t));
	seeded->end = NULL;
	seeded->ncells = 0;
	return seeded->ordered == NULL || seeded->mixed == NULL ?
		RIBBON_OUT_OF_MEMORY :
		RIBBON_OK;
}

void
ribbon_seeded_free(const RibbonEnv *env, RibbonSeeded *seeded)
{
	ribbon_free(env, seeded->ordered);
	ribbon_free(env, seeded->mixed);
	ribbon_free(env, seeded->end);
	memset(seeded, 0, sizeof(*seeded));
}

/* Have a counter of 0 for each cell. */
static RibbonStatus
clear_cells(const RibbonEnv *env, RibbonSeeded *seeded, uint64_t ncells)
{
	if (ncells > seeded->ncells)
	{
		ribbon_free(env, seeded->end);
		seeded->end = ribbon_alloc_array(env, ncells, sizeof(uint32_t));
		if (seeded->end == NULL)
			return RIBBON_OUT_OF_MEMORY;
		seeded->ncells = ncells;
	}
	memset(seeded->end, 0, ncells * sizeof(uint32_t));
	return RIBBON_OK;
}

/*
 * The same as ribbon_seeded_order, but hashes of one cell of ncells are in any
 * order.  stride, the words of an element, is a constant.
 */
static inline __attribute__((always_inline)) void
order_cells(RibbonSeeded *seeded, unsigned seed, uint64_t ncells,
			const uint64_t *elements, size_t n, size_t stride)
{
	uint64_t *mixed = seeded->mixed;
	uint64_t *ordered = seeded->ordered;
	uint32_t *end = seeded->end;
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
	{
		mixed[i] = ribbon_hash_seeded(elements[i * stride], seed);
		end[ribbon_mulhi(mixed[i], ncells)]++;
	}
	for (uint64_t cell = 0; cell < ncells; cell++)
	{
		uint32_t count = end[cell];

		end[cell] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
	{
		uint64_t *to = ordered + stride * end[ribbon_mulhi(mixed[i], ncells)]++;

		to[0] = mixed[i];
		if (stride > 1)
			to[1] = elements[i * stride + 1];
	}
}

RibbonStatus
ribbon_seeded_order(const RibbonEnv *env, RibbonSeeded *seeded,
					const RibbonSystem *system, const uint64_t *elements,
					size_t n, bool *clustered)
{
	size_t stride = ribbon_supply_stride(seeded->supply);
	uint64_t ncells = system->range; /* one for each starting position */
	RibbonStatus status = clear_cells(env, seeded, ncells);
	RibbonHashes sorted;

	if (status != RIBBON_OK)
		return status;
	if (stride == 1)
		order_cells(seeded, system->seed, ncells, elements, n, 1);
	else
		order_cells(seeded, system->seed, ncells, elements, n,
					RIBBON_RECORD_WORDS);
	*clustered = false;
	if (!ribbon_may_cluster(seeded->ordered, stride, n, ncells))
		return RIBBON_OK;

	sorted = ribbon_hashes_of_array(seeded->ordered, n, seeded->supply);
	status = ribbon_hashes_sort(env, &sorted);
	*clustered = status == RIBBON_OK &&
		ribbon_is_clustered(seeded->ordered, stride, n, UINT64_MAX, n);
	return status;
}
