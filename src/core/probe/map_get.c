/*
 * map_get.c - which code does a map have for this key?
 *
 * As query.c and probe.c do for filters: follow the key to the layer that holds
 * it, and bring its columns together there (get.h).  Kernels do the common case
 * all by themselves (get_template.h).
 */
#include "format/buckets.h"
#include "probe/get.h"
#include "probe/layers.h"
#include "probe/locate.h"
#include "probe/probes.h"
#include "ribbon_map.h"

bool
ribbon_get_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
			  uint64_t *code)
{
	return ribbon_probes(system->width)->get_system(system, hash, start, code);
}

bool
ribbon_get_from(const RibbonFilter *plane, int first, uint64_t hash,
				uint64_t *code)
{
	for (int i = first; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_LIKELY(!ribbon_buckets_bump(layer, &plane->buckets, start)))
			return ribbon_get_at(layer, hash, start, code);
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->get_last(plane, hash, code);
}

/* ribbon_map_get where the second plane has the uppermost bits. */
bool
ribbon_map_get_both(const RibbonMap *map, uint64_t hash, uint64_t *code)
{
	const RibbonFilter *plane = map->planes[1];
	uint64_t high;
	bool found = map->planes[0]->get(map->planes[0], hash, code);

	plane->get(plane, hash, &high);
	*code |= high << map->low_bits;
	return found;
}

/* Get n <= RIBBON_BATCH codes from a plane, one by one or as a batch. */
static void
get_from_plane(const RibbonFilter *plane, bool singly, const uint64_t *hashes,
			   unsigned n, bool *found, uint64_t *codes)
{
	uint64_t salted[RIBBON_BATCH];

	if (singly || n < RIBBON_AHEAD)
	{
		for (unsigned i = 0; i < n; i++)
			found[i] = plane->get(plane, hashes[i], &codes[i]);
		return;
	}
	if (plane->salted)
	{
		for (unsigned i = 0; i < n; i++)
			salted[i] = ribbon_locate_salted(plane, hashes[i]);
		hashes = salted;
	}
	ribbon_layers_answer(plane, plane->batch, hashes, n, found, codes);
}

/* Put the uppermost bits, which the second plane has, above those of codes. */
static void
add_high_bits(const RibbonMap *map, bool singly, const uint64_t *hashes,
			  unsigned n, uint64_t *codes)
{
	bool found[RIBBON_BATCH];
	uint64_t high[RIBBON_BATCH];

	get_from_plane(map->planes[1], singly, hashes, n, found, high);
	for (unsigned i = 0; i < n; i++)
		codes[i] |= high[i] << map->low_bits;
}

void
ribbon_map_get_batch(const RibbonMap *map, const uint64_t *hashes, size_t n,
					 bool *found, uint64_t *codes)
{
	bool singly = n < map->planes[0]->least_batch;

	for (size_t i = 0; i < n; i += RIBBON_BATCH)
	{
		unsigned nhashes = (unsigned) ribbon_min64(n - i, RIBBON_BATCH);

		get_from_plane(map->planes[0], singly, hashes + i, nhashes, found + i,
					   codes + i);
		if (map->nplanes > 1)
			add_high_bits(map, n < map->planes[1]->least_batch, hashes + i,
						  nhashes, codes + i);
	}
}
