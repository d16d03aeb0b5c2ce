/*
 * last_layer.c - the last layer of BuRR: all keys that are left, in zones
 */
#include "construct/last_layer.h"

#include "construct/salt.h"
#include "format/zones.h"

/*
 * Set nwide[i] to the number of hashes that are wide in rotation i.  The stride
 * of the hashes is a constant.
 *
 * A hash is wide if the share (its 11 high bits) after the rotation, plus
 * split, is 2048 or more: bit 11 of the sum.  A machine word has four fields of
 * 16 bits, so one addition does it for four rotations, 16 bits apart.
 */
#define FIELDS		   4
#define ONE_PER_FIELD  UINT64_C(0x0001000100010001)
#define HASHES_PER_SUM 65535 /* that cannot overflow a field */

static inline __attribute__((always_inline)) void
count_wide(const uint64_t *hashes, size_t stride, size_t nhashes,
		   unsigned split, size_t *nwide)
{
	memset(nwide, 0, RIBBON_ROTATIONS * sizeof(size_t));
	for (size_t begin = 0; begin < nhashes; begin += HASHES_PER_SUM)
	{
		size_t end = ribbon_min64(nhashes, begin + HASHES_PER_SUM);

		for (unsigned rotation = 0; rotation < FIELDS; rotation++)
		{
			uint64_t sums = 0;

			for (size_t i = begin; i < end; i++)
			{
				uint64_t hash = ribbon_hash_rotated(hashes[i * stride],
													rotation);
				uint64_t shares = hash >> (16 - RIBBON_SHARE_BITS) &
					ONE_PER_FIELD * (RIBBON_SHARES - 1);

				sums += (shares + ONE_PER_FIELD * split) >> RIBBON_SHARE_BITS &
					ONE_PER_FIELD;
			}
			for (unsigned field = 0; field < FIELDS; field++)
				nwide[rotation + FIELDS * field] += sums >> (48 - 16 * field) &
					0xFFFF;
		}
	}
}

/*
 * The rotation that makes fewest of the last layer's hashes wide, of those
 * that have not been tried (bits of tried).
 */
static unsigned
choose_rotation(const RibbonPlane *plane, const RibbonSet *hashes,
				unsigned tried)
{
	size_t n = (size_t) hashes->n;
	size_t nwide[RIBBON_ROTATIONS];
	unsigned best = (unsigned) ribbon_ctz64(~(uint64_t) tried);

	if (hashes->kind == RIBBON_HASHES)
		count_wide(hashes->array, 1, n, plane->split, nwide);
	else
		count_wide(hashes->array, RIBBON_RECORD_WORDS, n, plane->split, nwide);
	for (unsigned rotation = best + 1; rotation < RIBBON_ROTATIONS; rotation++)
		if (nwide[rotation] < nwide[best] && (tried >> rotation & 1) == 0)
			best = rotation;
	return best;
}

/*
 * Has zone z, with zone_keys of nkeys keys, more than chance explains: eight
 * standard deviations and eight keys above the mean?
 */
static bool
is_overfull(const RibbonPlane *plane, unsigned z, size_t nkeys,
			size_t zone_keys)
{
	double mean = (double) ribbon_zones_expected_slots(plane, z, nkeys);
	double more = (double) zone_keys - mean - 8;

	return more > 0 && more * more > 64 * mean;
}

/*
 * The most tries (a seed and a size each) for all zones together: so many for
 * each, and 16.  Three are usual, five where slots have few bits.  Sets of a
 * thousand keys need most then: one set in a thousand more than 24 [tune].
 * With bumped layers there are more tries, since a new build costs more.
 */
#define MOST_TRIES		   8
#define MOST_TRIES_LAYERED 12

/*
 * Set rotated to the hashes, rotated, zone by zone; zone z has those with the
 * numbers first[z] .. first[z + 1] - 1.  Of records it also has the value bits.
 */
static void
rotate_hashes(const RibbonPlane *plane, const RibbonSet *hashes,
			  const RibbonSupply *supply, uint64_t *rotated, size_t *first)
{
	unsigned nzones = ribbon_plane_nzones(plane);
	size_t stride = ribbon_set_stride(hashes);
	size_t next[2 * RIBBON_MAX_ZONES] = {0};
	const uint64_t *end = hashes->array + hashes->n * stride;
	RibbonZoneFinder finder = ribbon_zones_finder(plane);

	for (const uint64_t *from = hashes->array; from < end; from += stride)
		next[ribbon_zones_locate(plane, &finder,
								 ribbon_hash_rotated(*from,
													 plane->rotation))]++;
	first[0] = 0;
	for (unsigned z = 0; z < nzones; z++)
	{
		first[z + 1] = first[z] + next[z];
		next[z] = first[z];
	}
	for (const uint64_t *from = hashes->array; from < end; from += stride)
	{
		uint64_t hash = ribbon_hash_rotated(*from, plane->rotation);
		uint64_t *to = rotated +
			next[ribbon_zones_locate(plane, &finder, hash)]++ * stride;

		*to = hash;
		if (supply != NULL)
			to[1] = ribbon_supply_value(supply, from[1]);
	}
}

/* The same first of sorted hashes that are not rotated, of narrow zones. */
static void
find_zones(const RibbonPlane *plane, const RibbonSet *hashes, size_t *first)
{
	unsigned nzones = plane->nzones[0];

	first[nzones] = (size_t) hashes->n;
	for (unsigned z = 0; z < nzones; z++)
	{
		unsigned share = (z * RIBBON_SHARES + nzones - 1) / nzones;

		first[z] = ribbon_element_first(hashes->array, 1, first[nzones],
										ribbon_hash_highest(RIBBON_SHARES -
															share));
	}
}

/*
 * Solve all zones, and add them to the plane and its slots; rotated and first
 * are as in rotate_hashes.
 */
static RibbonStatus
add_zones(const RibbonEnv *env, RibbonPlane *plane, RibbonBytes *slots,
		  const RibbonSupply *supply, const uint64_t *rotated,
		  const size_t *first)
{
	unsigned nzones = ribbon_plane_nzones(plane);
	size_t stride = ribbon_supply_stride(supply);
	RibbonSupply of_values = {.check_bits = plane->check.bits,
							  .value_bits = plane->value_bits};
	RibbonZone zone = {.width = ribbon_zones_width(plane->width),
					   .supply = supply != NULL ? &of_values : NULL,
					   .tries = (plane->nlayers == 0 ? MOST_TRIES :
													   MOST_TRIES_LAYERED) *
							   nzones +
						   16};
	RibbonStatus status = RIBBON_OK;

	for (unsigned z = 0; z < nzones; z++)
		if (is_overfull(plane, z, first[nzones], first[z + 1] - first[z]))
			return RIBBON_SUSPICIOUS;
	for (unsigned z = 0; status == RIBBON_OK && z < nzones; z++)
	{
		zone.ncolumns = plane->check.bits + plane->value_bits +
			(z >= plane->nzones[0]);
		zone.hashes = rotated + first[z] * stride;
		zone.nhashes = first[z + 1] - first[z];
		status = ribbon_zone_build(env, &zone,
								   &plane->systems[plane->nlayers + z], slots);
	}
	return status;
}

/*
 * In a map of few keys a spare slot, which has all columns, is a large share of
 * the bytes; another wide key costs one bit.  So if zones need a spare slot, as
 * one map in a hundred does, other rotations are tried.  If none of them does
 * without, the last one is kept, not the best; so few maps get there (one in
 * 10^8, if rotations are independent) that it is not worth a second copy.
 */
#define MAP_FEW_KEYS	  500
#define MAP_MAX_ROTATIONS 4

RibbonStatus
ribbon_last_layer_add(const RibbonEnv *env, RibbonPlane *plane,
					  RibbonBytes *slots, const RibbonSet *hashes,
					  const RibbonSupply *supply)
{
	size_t nhashes = (size_t) hashes->n;
	size_t first[2 * RIBBON_MAX_ZONES + 1];
	size_t end = slots->end;
	unsigned left = plane->value_bits > 0 && plane->split > 0 &&
			plane->nkeys <= MAP_FEW_KEYS ?
		MAP_MAX_ROTATIONS :
		1;
	unsigned tried = 0;
	bool in_order = plane->split == 0 && supply == NULL;
	uint64_t *rotated = ribbon_alloc_array(env, in_order ? 0 : nhashes,
										   ribbon_set_stride(hashes) *
											   sizeof(uint64_t));
	RibbonStatus status;

	if (rotated == NULL)
		return RIBBON_OUT_OF_MEMORY;
	ribbon_zones_set(plane, nhashes);
	do
	{
		slots->end = end;
		if (plane->split > 0)
			plane->rotation = choose_rotation(plane, hashes, tried);
		tried |= 1u << plane->rotation;
		if (in_order)
			find_zones(plane, hashes, first);
		else
			rotate_hashes(plane, hashes, supply, rotated, first);
		status = add_zones(env, plane, slots, supply,
						   in_order ? hashes->array : rotated, first);
	} while (--left > 0 &&
			 (status == RIBBON_SUSPICIOUS ||
			  (status == RIBBON_OK && ribbon_zones_slots(plane) > nhashes)));
	ribbon_free(env, rotated);
	return status;
}
