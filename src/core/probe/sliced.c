/*
 * sliced.c - is this key in a set whose bytes are elsewhere?
 *
 * A probe reads little of a filter: the header, two bits of a layer's
 * thresholds, and two adjacent ICML blocks.
 *
 *----------
 *	 header | thresholds 0 | thresholds 1 | slots 0 ...... | slots 1 | zones
 *	 ^^^^^^         ^                             ^^^
 *	 once           one byte                      a hundred bytes or so
 *----------
 *
 * So where the bytes are expensive to get at, because they are on disk or
 * behind a network, the caller gives ribbon_open_header the header and then
 * these slices, one after the other.  A key in eleven or so is bumped, and asks
 * for as much again of the next layer.
 *
 * Getting a slice takes far longer than anything done with it here, so this is
 * plain C that knows all ribbon widths and both ends of a system.
 */
#include "format/buckets.h"
#include "format/icml.h"
#include "format/zones.h"
#include "probe/locate.h"

/* Where slices come from. */
typedef struct Source
{
	const RibbonFilter *filter;
	RibbonFetch fetch;
	void *arg;
} Source;

/* Bytes first .. end - 1, counted from one that the filter points to. */
static const uint8_t *
get(const Source *source, const uint8_t *base, uint64_t first, uint64_t end)
{
	uint64_t at = (uint64_t) (base - source->filter->bytes) + first;

	return source->fetch(source->arg, at, (size_t) (end - first));
}

static bool
bumps(const Source *source, const RibbonSystem *layer, uint64_t start)
{
	const RibbonBuckets *buckets = &source->filter->buckets;
	uint64_t byte = (start >> buckets->log2_size) / 4;
	RibbonSystem seen = *layer;

	seen.thresholds = get(source, layer->thresholds, byte, byte + 1);
	return ribbon_buckets_bump(&seen, buckets,
							   start - (byte * 4 << buckets->log2_size));
}

/*
 * Do the slots from start on match?  head of them are in the block of start,
 * the other tail ones in the next block.
 */
static bool
matches(const Source *source, const RibbonSystem *system, uint64_t hash,
		uint64_t start, uint32_t result)
{
	uint64_t block = start / system->width;
	unsigned offset = (unsigned) (start % system->width);
	unsigned nbits = ribbon_system_bits(system, hash);
	unsigned low_rows = ribbon_icml_rows(system, block);
	unsigned head = (unsigned) ribbon_min64(system->row_bits,
											low_rows - offset);
	unsigned tail = system->row_bits - head;
	unsigned high_rows = tail > 0 ? ribbon_icml_rows(system, block + 1) : 0;
	uint64_t low = ribbon_icml_block_bit(system, block) + offset;
	uint64_t high = tail > 0 ? ribbon_icml_block_bit(system, block + 1) : low;
	uint64_t first = low / 8;
	uint64_t end = tail > 0 ? high + (uint64_t) (nbits - 1) * high_rows + tail :
							  low + (uint64_t) (nbits - 1) * low_rows + head;
	const uint8_t *bytes = get(source, system->slots, first, (end + 7) / 8);
	RibbonRow128 row = ribbon_row128_coeff(hash, system->row_bits);
	uint32_t bits = 0;

	low -= 8 * first;
	high -= 8 * first;
	for (unsigned i = 0; i < nbits; i++)
	{
		RibbonRow128 slots = ribbon_row128_load_bits(bytes, low, head);

		if (tail > 0)
			slots = ribbon_row128_append(slots, head,
										 ribbon_row128_load_bits(bytes, high,
																 tail));
		bits |= ribbon_row128_dot(slots, row) << i;
		low += low_rows;
		high += high_rows;
	}
	return ((bits ^ result) & ribbon_low_mask(nbits)) == 0;
}

/* The answer of the last layer, for a hash that has come to it. */
static bool
zone_contains(const Source *source, uint64_t hash)
{
	const RibbonFilter *filter = source->filter;
	const RibbonSystem *zone;
	uint32_t result;

	hash = ribbon_hash_rotated(hash, filter->rotation);
	zone = filter->systems + filter->nlayers + ribbon_zones_find(filter, hash);
	hash = ribbon_hash_seeded(hash, zone->seed);
	result = ribbon_hash_fingerprint(hash);
	if (zone->nslots == 0) /* which stands for slots of zeros */
		return (result & ribbon_low_mask(ribbon_system_bits(zone, hash))) == 0;
	return matches(source, zone, hash, ribbon_system_start(zone, hash), result);
}

bool
ribbon_contains_sliced(const RibbonFilter *filter, uint64_t hash,
					   RibbonFetch fetch, void *arg)
{
	Source source = {filter, fetch, arg};

	if (filter->nkeys == 0)
		return false;
	hash = ribbon_locate_salted(filter, hash);
	if (filter->kind == RIBBON_HOMOGENEOUS)
		return matches(&source, &filter->systems[0], hash,
					   ribbon_system_start(&filter->systems[0], hash), 0);

	for (int i = 0; i < filter->nlayers; i++)
	{
		const RibbonSystem *layer = &filter->systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (!bumps(&source, layer, start))
			return matches(&source, layer, hash, start,
						   ribbon_hash_fingerprint(hash));
		hash = ribbon_hash_next_layer(hash);
	}
	return zone_contains(&source, hash);
}
