/*
 * maps.h - maps for tests: built from random records, and read slowly
 */
#ifndef RIBBON_TEST_MAPS_H
#define RIBBON_TEST_MAPS_H

#include "built.h"

#include "format/buckets.h"
#include "format/codes.h"
#include "format/icml.h"
#include "format/zones.h"

static inline unsigned
map_nplanes(const RibbonFilter *map)
{
	unsigned n = 0;

	for (const RibbonOpened *opened = ribbon_opened(map); opened != NULL;
		 opened = ribbon_opened_next(opened))
		n++;
	return n;
}

static inline const RibbonPlane *
map_plane(const RibbonFilter *map, unsigned i)
{
	const RibbonOpened *opened = ribbon_opened(map);

	while (i-- > 0)
		opened = ribbon_opened_next(opened);
	return &opened->plane;
}

/* What to build, as one struct. */
typedef struct MapParams
{
	int width;
	double fpr;
	int key_class;
	unsigned value_class;
	bool has_null;
	uint32_t seed;
	int64_t base;
	unsigned value_bits;
	RibbonCoding coding;
	RibbonCode code;
	const void *code_arg;
	const uint8_t *dictionary;
	size_t ndictionary;
} MapParams;

/* The core's, with these values. */
static inline RibbonParams
maps_params(const MapParams *params, RibbonValues *values)
{
	*values = (RibbonValues){params->value_class, params->has_null,
							 params->seed,		  params->base,
							 params->value_bits,  params->coding,
							 params->code,		  params->code_arg,
							 params->dictionary,  params->ndictionary};
	return (RibbonParams){.kind = RIBBON_BURR,
						  .width = params->width,
						  .fpr = params->fpr,
						  .key_class = params->key_class,
						  .values = values};
}

static inline RibbonStatus
maps_build(const RibbonEnv *env, const MapParams *params, uint64_t *records,
		   size_t n, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonValues values;
	RibbonParams core = maps_params(params, &values);

	return array_build(env, &core, records, n, headroom, bytes, nbytes);
}

static inline RibbonStatus
maps_build_set(const RibbonEnv *env, const MapParams *params, RibbonSet *set,
			   size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonValues values;
	RibbonParams core = maps_params(params, &values);

	return ribbon_build(env, &core, set, headroom, bytes, nbytes);
}

static inline RibbonStatus
maps_check_params(const MapParams *params)
{
	RibbonValues values;
	RibbonParams core = maps_params(params, &values);

	return ribbon_params_check(&core);
}

static inline double
maps_least_bytes(const MapParams *params, uint64_t nkeys)
{
	RibbonValues values;
	RibbonParams core = maps_params(params, &values);

	return ribbon_least_bytes(&core, nkeys);
}

static inline MapParams
map_params(int width, double fpr, unsigned value_bits)
{
	MapParams params = {.width = width,
						.fpr = fpr,
						.key_class = 1,
						.value_class = 4,
						.value_bits = value_bits};

	return params;
}

/*
 * Random records: hash i is keys[2 i], and its value, of value_bits from base
 * on, keys[2 i + 1].
 */
static inline uint64_t *
map_records(Random *random, size_t n, unsigned value_bits, int64_t base)
{
	uint64_t *records = malloc((n + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = random_next(random);
		records[2 * i + 1] = (random_next(random) &
							  ribbon_low_mask(value_bits)) +
			(uint64_t) base;
	}
	return records;
}

static inline void
map_shuffle(Random *random, uint64_t *records, size_t n)
{
	for (size_t i = n; i > 1; i--)
	{
		size_t j = (size_t) random_below(random, i);
		uint64_t record[2];

		memcpy(record, records + 2 * j, sizeof(record));
		memcpy(records + 2 * j, records + 2 * (i - 1), sizeof(record));
		memcpy(records + 2 * (i - 1), record, sizeof(record));
	}
}

/* Build from a copy of the records, and open. */
static inline Built
map_build(const MapParams *params, const uint64_t *records, size_t n)
{
	RibbonValues values;
	RibbonParams core = maps_params(params, &values);

	return built_from(&core, records, n);
}

/* n columns of what a hash selects, from this one on; bit by bit. */
static inline uint64_t
map_columns(const RibbonSystem *system, uint64_t hash, unsigned from,
			unsigned n)
{
	uint64_t start = ribbon_system_start(system, hash);
	RibbonRow128 row = ribbon_row128_coeff(hash, system->row_bits);
	uint64_t slot = start % system->width, bit = 0, sums = 0;
	uint64_t block = start / system->width;
	unsigned rows = 0;

	for (unsigned i = 0; i < system->row_bits; i++, slot++)
	{
		block += slot == system->width;
		slot = slot == system->width ? 0 : slot;
		if (i == 0 || slot == 0)
		{
			rows = ribbon_icml_rows(system, block);
			bit = ribbon_icml_block_bit(system, block) + (uint64_t) from * rows;
		}
		if (!((i < 64 ? row.lo >> i : row.hi >> (i - 64)) & 1))
			continue;
		for (uint64_t c = 0, at = bit + slot; c < n; c++, at += rows)
			sums ^= (uint64_t) (system->slots[at / 8] >> at % 8 & 1) << c;
	}
	return sums;
}

/*
 * The zone of a rotated last-layer hash, counted from the first one, in
 * proportion to its share among the narrow ones, or among the wide ones.
 */
static inline unsigned
map_zone(const RibbonPlane *plane, uint64_t hash)
{
	unsigned share = ribbon_hash_share(hash);
	unsigned narrow = RIBBON_SHARES - plane->split;

	if (share < narrow)
		return share * plane->nzones[0] / narrow;
	return plane->nzones[0] +
		(share - narrow) * plane->nzones[1] / plane->split;
}

/* The system of a hash in a plane, and the hash that it sees. */
static inline const RibbonSystem *
map_system(const RibbonPlane *plane, uint64_t *hash)
{
	const RibbonSystem *system = plane->systems;

	if (plane->salted)
		*hash = ribbon_mix(*hash ^ plane->salt);
	for (unsigned i = 0; i < plane->nlayers; i++, system++)
	{
		if (!ribbon_buckets_bump(system, &plane->buckets,
								 ribbon_system_start(system, *hash)))
			return system;
		*hash = ribbon_hash_next_layer(*hash);
	}
	*hash = ribbon_hash_rotated(*hash, plane->rotation);
	system += map_zone(plane, *hash);
	*hash *= ribbon_hash_zone_factor(system->seed);
	return system;
}

/* ribbon_get of one plane, bit by bit. */
static inline bool
map_get_from_plane(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *system;
	uint64_t checks;
	unsigned c = plane->check.bits, v = plane->value_bits;
	unsigned nchecks;

	*code = 0;
	if (plane->nkeys == 0)
		return false;
	if (c + v + plane->check.wide == 0)
		return true;
	system = map_system(plane, &hash);
	if (system->nslots == 0)
	{
		nchecks = ribbon_system_bits(system, hash) - v;
		return (ribbon_hash_fingerprint(hash) & ribbon_low_mask(nchecks)) == 0;
	}
	nchecks = ribbon_system_bits(system, hash) - v;
	checks = map_columns(system, hash, 0, c);
	if (nchecks > c)
		checks |= map_columns(system, hash, c + v, 1) << c;
	*code = map_columns(system, hash, c, v);
	return checks == (ribbon_hash_fingerprint(hash) & ribbon_low_mask(nchecks));
}

/* A plain code of the table, bit by bit. */
static inline uint64_t
map_entry(const RibbonCodes *codes, uint64_t entry)
{
	uint64_t code = 0;

	for (unsigned i = 0; i < codes->entry_bits; i++)
	{
		uint64_t bit = entry * codes->entry_bits + i;

		code |= (uint64_t) (codes->table[bit / 8] >> bit % 8 & 1) << i;
	}
	return code;
}

/*
 * The code that begins with path, of length bits, and goes on with the planes
 * from this one on: canonical Huffman decoding, length by length.
 */
static inline uint64_t
map_follow(const RibbonCodes *codes, const RibbonOpened *opened, uint64_t hash,
		   uint64_t path, unsigned length)
{
	uint64_t first = 0, entry = codes->front;
	const RibbonLevel *level = codes->levels;

	for (unsigned l = 0;; l++, first *= 2)
	{
		unsigned count = level->length == l ? level++->count : 0;
		uint64_t more;

		for (; length < l; length += opened->plane.value_bits)
		{
			opened = ribbon_opened_next(opened);
			map_get_from_plane(&opened->plane, hash, &more);
			path = path << opened->plane.value_bits | more;
		}
		if (path >> (length - l) < first + count)
			return map_entry(codes, entry + (path >> (length - l)) - first);
		first += count;
		entry += count;
	}
}

/* And of the whole map. */
static inline bool
map_get_slowly(const RibbonFilter *map, uint64_t hash, uint64_t *code)
{
	const RibbonOpened *opened = ribbon_opened(map);
	const RibbonCodes *codes = ribbon_opened_codes(opened);
	bool found = map_get_from_plane(&opened->plane, hash, code);
	uint64_t more;

	if (codes != NULL && codes->front)
	{
		opened = ribbon_opened_next(opened);
		if (map_get_from_plane(&opened->plane, hash, &more))
			*code = map_follow(codes, opened, hash, 0, 0);
		else
			*code = map_entry(codes, 0);
	}
	else if (codes != NULL)
		*code = map_follow(codes, opened, hash, *code,
						   opened->plane.value_bits);
	else if (map_nplanes(map) > 1)
	{
		map_get_from_plane(map_plane(map, 1), hash, &more);
		*code |= more << opened->plane.value_bits;
	}
	return found;
}

#endif /* RIBBON_TEST_MAPS_H */
