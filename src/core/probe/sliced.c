/*
 * sliced.c - probe a filter or map whose bytes are not in memory
 *
 * A probe reads little of a filter: the header, one or nine bytes of a layer's
 * thresholds, and two adjacent ICML blocks.
 *
 *----------
 *	 header | thresholds 0 | thresholds 1 | slots 0 ...... | slots 1 | zones
 *	 ^^^^^^         ^                             ^^^
 *	 once           one byte, or nine             a hundred bytes or so
 *----------
 *
 * So where the bytes are expensive to get at, because they are on disk or
 * behind a network, the caller gives ribbon_open_sliced the header and then
 * these slices, one after the other.  A key in eleven or so is bumped, and asks
 * for as much again of the next layer.  The same holds for a map's planes.
 *
 * Getting a slice takes far longer than anything done with it here, so this is
 * plain C that knows all ribbon widths and both ends of a system.
 */
#include "format/buckets.h"
#include "format/codes.h"
#include "format/icml.h"
#include "format/place.h"
#include "format/zones.h"
#include "probe/locate.h"

/* A plane, and where its slices come from. */
typedef struct Sliced
{
	const RibbonPlane *plane;
	RibbonFetch fetch;
	void *arg;
} Sliced;

/* Fetch bytes at + first .. at + end - 1 of the plane. */
static const uint8_t *
fetch_bytes(const Sliced *sliced, uint64_t at, uint64_t first, uint64_t end)
{
	return sliced->fetch(sliced->arg, sliced->plane->at + at + first,
						 (size_t) (end - first));
}

/* The index of a system in its plane. */
static int
number_of(const Sliced *sliced, const RibbonSystem *system)
{
	return (int) (system - sliced->plane->systems);
}

/* Does a layer bump a hash that starts at start? */
static bool
bumps(const Sliced *sliced, const RibbonSystem *layer, uint64_t start)
{
	const RibbonBuckets *buckets = &sliced->plane->buckets;
	uint64_t unit = ribbon_buckets_unit(buckets);
	uint64_t first = (start >> buckets->log2_size) / unit * unit;
	uint64_t end = ribbon_min64(first + unit,
								ribbon_buckets_count(layer, buckets));
	RibbonSystem seen = *layer;

	seen.thresholds =
		fetch_bytes(sliced,
					ribbon_place_thresholds_at(sliced->plane,
											   number_of(sliced, layer)),
					ribbon_buckets_bytes(buckets, first),
					ribbon_buckets_bytes(buckets, end));
	return ribbon_buckets_bump(&seen, buckets,
							   start - (first << buckets->log2_size));
}

/* The system that has a key. */
typedef struct Located
{
	const RibbonSystem *system;
	uint64_t hash; /* of the key, as this system sees it */
} Located;

/*
 * The result bits of a key's first nbits columns.  Of the slots from start on,
 * head are in the block of start, and the other tail ones in the next block.
 */
static uint64_t
get_result_bits(const Sliced *sliced, Located located, unsigned nbits)
{
	const RibbonSystem *system = located.system;
	uint64_t start = ribbon_system_start(system, located.hash);
	uint64_t block = start / system->width;
	unsigned offset = (unsigned) (start % system->width);
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
	uint64_t slots_at = ribbon_place_slots_at(sliced->plane,
											  number_of(sliced, system));
	const uint8_t *bytes = fetch_bytes(sliced, slots_at, first, (end + 7) / 8);
	RibbonRow128 row = ribbon_row128_coeff(located.hash, system->row_bits);
	uint64_t bits = 0;

	low -= 8 * first;
	high -= 8 * first;
	for (unsigned i = 0; i < nbits; i++)
	{
		RibbonRow128 slots = ribbon_row128_load_bits(bytes, low, head);

		if (tail > 0)
			slots = ribbon_row128_append(slots, head,
										 ribbon_row128_load_bits(bytes, high,
																 tail));
		bits |= (uint64_t) ribbon_row128_dot(slots, row) << i;
		low += low_rows;
		high += high_rows;
	}
	return bits;
}

/* The zone of a hash that has come to the last layer. */
static Located
find_zone(const RibbonPlane *plane, uint64_t hash)
{
	Located located;

	hash = ribbon_hash_rotated(hash, plane->rotation);
	located.system = plane->systems + plane->nlayers +
		ribbon_zones_find(plane, hash);
	located.hash = ribbon_hash_in_zone(hash, located.system->seed);
	return located;
}

/* The system of a hash, in a plane that is not empty. */
static Located
find_system(const Sliced *sliced, uint64_t hash)
{
	const RibbonPlane *plane = sliced->plane;

	hash = ribbon_locate_salted(plane, hash);
	for (int i = 0; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		Located located = {layer, hash};

		if (!bumps(sliced, layer, ribbon_system_start(layer, hash)))
			return located;
		hash = ribbon_hash_next_layer(hash);
	}
	if (plane->kind == RIBBON_HOMOGENEOUS)
	{
		Located located = {&plane->systems[0], hash};

		return located;
	}
	return find_zone(plane, hash);
}

/* ribbon_get_sliced for one plane: *code becomes its value bits. */
static bool
get_from_plane(const Sliced *sliced, uint64_t hash, uint64_t *code)
{
	const RibbonPlane *plane = sliced->plane;
	uint64_t result = 0; /* also that of a system without slots */
	uint32_t print;
	unsigned nbits;
	Located located;

	*code = 0;
	if (plane->nkeys == 0)
		return false;
	if (ribbon_plane_nsystems(plane) == 0)
		return true;
	located = find_system(sliced, hash);
	nbits = ribbon_system_bits(located.system, located.hash);
	if (located.system->nslots > 0 && nbits > 0)
		result = get_result_bits(sliced, located, nbits);
	print = plane->kind == RIBBON_HOMOGENEOUS ?
		0 :
		ribbon_hash_fingerprint(located.hash);
	return ribbon_system_answer(located.system, print, nbits, result, code);
}

/*
 * In an exact set, a bit says whether a key that passes the filter is a member:
 * the value bit of the second plane, or of the only one, which may be masked.
 */
bool
ribbon_contains_sliced(const RibbonFilter *filter, uint64_t hash,
					   RibbonFetch fetch, void *arg)
{
	Sliced sliced = {ribbon_plane(filter), fetch, arg};
	bool has_bits = filter->is_exact && sliced.plane->value_bits > 0;
	uint64_t code;

	if (!get_from_plane(&sliced, hash, &code))
		return filter->is_inverted;
	if (filter->is_exact && sliced.plane->next > 0)
	{
		sliced.plane = ribbon_plane_next(sliced.plane);
		get_from_plane(&sliced, hash, &code);
		has_bits = true;
	}
	return has_bits ? code != (filter->has_rate ? ribbon_hash_mask(hash) : 0) :
					  !filter->is_inverted;
}

/* The value of an entry of the codes' table. */
static uint64_t
fetch_value(const Sliced *sliced, const RibbonCodes *codes, uint32_t entry)
{
	uint64_t bit = (uint64_t) entry * codes->entry_bits;
	uint64_t end = (bit + codes->entry_bits + 7) / 8;
	const uint8_t *bytes = sliced->fetch(sliced->arg, codes->table_at + bit / 8,
										 (size_t) (end - bit / 8));

	return ribbon_load_bits(bytes, bit % 8, codes->entry_bits);
}

/*
 * The value of a key that is in the map, as ribbon_coded_get; path is what the
 * first plane has stored for it.
 */
static uint64_t
follow_code(Sliced *sliced, const RibbonCodes *codes, uint64_t hash,
			uint64_t path)
{
	uint32_t entry = 0;
	bool behind = true; /* has the filter in front let it pass? */

	if (codes->front)
	{
		sliced->plane = ribbon_plane_next(sliced->plane);
		behind = get_from_plane(sliced, hash, &path);
	}
	for (unsigned level = 0;
		 behind && !ribbon_codes_end(codes, level, path, &entry); level++)
	{
		uint64_t more;

		sliced->plane = ribbon_plane_next(sliced->plane);
		get_from_plane(sliced, hash, &more);
		path = path << sliced->plane->value_bits | more;
	}
	return fetch_value(sliced, codes, entry);
}

bool
ribbon_get_sliced(const RibbonFilter *filter, uint64_t hash, RibbonFetch fetch,
				  void *arg, uint64_t *code)
{
	Sliced sliced = {ribbon_plane(filter), fetch, arg};
	const RibbonPlane *first = sliced.plane;
	const RibbonPlane *second = ribbon_plane_next(first);
	uint64_t high;

	if (filter->is_exact)
	{
		*code = 0;
		return ribbon_contains_sliced(filter, hash, fetch, arg);
	}
	if (!get_from_plane(&sliced, hash, code))
		return false;
	if (first->codes > 0)
		*code = follow_code(&sliced, ribbon_codes(first), hash, *code);
	else if (second != NULL)
	{
		sliced.plane = second;
		get_from_plane(&sliced, hash, &high);
		*code |= high << first->value_bits;
	}
	return true;
}
