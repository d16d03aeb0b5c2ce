/*
 * sliced.c - look a hash up in a plane whose bytes are not in memory
 *
 * A probe reads little of a plane: the header, one or nine bytes of a layer's
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
 * for as much again of the next layer.
 *
 * Getting a slice takes far longer than anything done with it here, so this is
 * plain C that knows all ribbon widths and both ends of a system.
 */
#include "probe/opened.h"

#include "format/buckets.h"
#include "format/icml.h"
#include "format/place.h"
#include "probe/locate.h"

_Static_assert(2 * RIBBON_MAX_COLUMNS * 16 < RIBBON_MAX_SLICE,
			   "a slice has room for two blocks, from any bit on");

/* Fetch bytes at + first .. at + end - 1 of the plane. */
static const uint8_t *
fetch_bytes(const RibbonOpened *opened, uint64_t at, uint64_t first,
			uint64_t end)
{
	return opened->fetch(opened->fetch_arg, opened->plane.at + at + first,
						 (size_t) (end - first));
}

/* The index of a system in its plane. */
static unsigned
number_of(const RibbonOpened *opened, const RibbonSystem *system)
{
	return (unsigned) (system - opened->plane.systems);
}

/* Does a layer bump a hash that starts at start? */
static bool
bumps(const RibbonOpened *opened, const RibbonSystem *layer, uint64_t start)
{
	const RibbonBuckets *buckets = &opened->plane.buckets;
	uint64_t unit = ribbon_buckets_unit(buckets);
	uint64_t first = (start >> buckets->log2_size) / unit * unit;
	uint64_t end = ribbon_min64(first + unit,
								ribbon_buckets_count(layer, buckets));
	const uint8_t *thresholds =
		fetch_bytes(opened,
					ribbon_place_thresholds_at(&opened->plane,
											   number_of(opened, layer)),
					ribbon_buckets_bytes(buckets, first),
					ribbon_buckets_bytes(buckets, end));

	start -= first << buckets->log2_size;
	return start <
		ribbon_buckets_limit(thresholds, buckets, start >> buckets->log2_size);
}

/*
 * The result bits of a hash's first nbits columns.  Of the slots from start on,
 * head are in the block of start, and the other tail ones in the next block.
 */
static uint64_t
get_result_bits(const RibbonOpened *opened, const RibbonSystem *system,
				uint64_t hash, unsigned nbits)
{
	uint64_t start = ribbon_system_start(system, hash);
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
	uint64_t slots_at = ribbon_place_slots_at(&opened->plane,
											  number_of(opened, system));
	const uint8_t *bytes = fetch_bytes(opened, slots_at, first, (end + 7) / 8);
	RibbonRow128 row = ribbon_row128_coeff(hash, system->row_bits);
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

/*
 * The system that has the key with this hash, in a plane that is not empty.
 * *hash becomes the one that this system sees.
 */
static const RibbonSystem *
find_system(const RibbonOpened *opened, uint64_t *hash)
{
	const RibbonPlane *plane = &opened->plane;

	*hash = ribbon_locate_salted(opened, *hash);
	for (unsigned i = 0; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];

		if (!bumps(opened, layer, ribbon_system_start(layer, *hash)))
			return layer;
		*hash = ribbon_hash_next_layer(*hash);
	}
	if (plane->kind == RIBBON_HOMOGENEOUS)
		return &plane->systems[0];
	return &ribbon_plane_zones(plane)[ribbon_locate_last(opened, hash)];
}

bool
ribbon_sliced_find(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *system = find_system(opened, &hash);
	unsigned nbits = ribbon_system_bits(system, hash);
	uint64_t result = 0; /* also that of a system without slots */
	uint32_t print = opened->plane.kind == RIBBON_HOMOGENEOUS ?
		0 :
		ribbon_hash_fingerprint(hash);

	if (system->nslots > 0 && nbits > 0)
		result = get_result_bits(opened, system, hash, nbits);
	return ribbon_system_answer(system, print, nbits, result, code);
}
