/*
 * bodies.h - contracts of the headers of bodies (see contracts.h)
 */
#ifndef RIBBON_BODIES_H
#define RIBBON_BODIES_H

#include "format/buckets.h"
#include "format/zones.h"
#include "heads.h"

/* ribbon_zones_count */
static inline bool
zones_count_contract(unsigned share, unsigned result)
{
	return share == 0 ? result == 0 : result >= 1 && result <= RIBBON_MAX_ZONES;
}

unsigned
any_zones_count(unsigned width, uint64_t nkeys, unsigned share)
{
	unsigned result = nondet_unsigned();

	prove(nkeys <= RIBBON_MAX_KEYS && share <= RIBBON_SHARES);
	(void) width;
	assume(zones_count_contract(share, result));
	return result;
}

/* ribbon_zones_expected_slots: any number will do */
uint64_t
any_slots(const RibbonPlane *plane, unsigned z, uint64_t nslots)
{
	prove(z < ribbon_plane_nzones(plane));
	prove(nslots <= 2 * RIBBON_MAX_KEYS);
	return nondet_uint64();
}

/* What a header says of a system: its slots, and its seed. */
#define MAX_SLOTS (UINT64_C(1) << 51)

static inline bool
slots_contract(const RibbonPlane *plane, unsigned i)
{
	const RibbonSystem *system = &plane->systems[i];

	return system->nslots <= MAX_SLOTS && system->seed < RIBBON_ZONE_SEEDS &&
		(i >= plane->nlayers || system->nslots >= plane->width);
}

/* read_layers, where nothing is corrupt */
#define MAX_LAYERS_BYTES (1 + RIBBON_MAX_LAYERS * 2 * 9)

static inline bool
layers_contract(const RibbonPlane *plane)
{
	return plane->nlayers >= 1 && plane->nlayers <= RIBBON_MAX_LAYERS &&
		plane->scheme < RIBBON_BUCKET_SCHEMES;
}

void
any_layers(RibbonReader *reader, RibbonPlane *plane)
{
	move_reader(reader, MAX_LAYERS_BYTES);
	plane->nlayers = nondet_unsigned();
	plane->scheme = nondet_unsigned();
	/* nlayers is three bits, corrupt or not */
	assume(plane->nlayers <= RIBBON_MAX_LAYERS);
	assume(reader->corrupt || layers_contract(plane));
}

/* read_zones */
#define MAX_ZONES_BYTES (2 * RIBBON_MAX_ZONES * 9 + RIBBON_MAX_ZONES)

static inline bool
zones_contract(const RibbonPlane *plane)
{
	return plane->rotation < RIBBON_ROTATIONS &&
		zones_count_contract(RIBBON_SHARES - plane->split, plane->nzones[0]) &&
		zones_count_contract(plane->split, plane->nzones[1]);
}

void
any_zones(RibbonReader *reader, const RibbonBodyStart *start,
		  RibbonPlane *plane)
{
	(void) start;
	prove(plane->split < RIBBON_SHARES);
	move_reader(reader, MAX_ZONES_BYTES);
	plane->rotation = nondet_unsigned();
	plane->nzones[0] = nondet_unsigned();
	plane->nzones[1] = nondet_unsigned();
	assume(zones_contract(plane));
}

/* ribbon_format_decode_body, where it returns RIBBON_OK */
static inline bool
plane_contract(const RibbonPlane *plane)
{
	if (plane->check.bits + plane->value_bits + (plane->check.wide > 0) >
			RIBBON_MAX_COLUMNS ||
		plane->nkeys > RIBBON_MAX_KEYS || plane->check.wide >= RIBBON_SHARES ||
		plane->split >= RIBBON_SHARES ||
		(plane->width != 32 && plane->width != 64 && plane->width != 128))
		return false;
	if (ribbon_plane_is_bare(plane))
		return ribbon_plane_nsystems(plane) == 0;
	if (plane->kind == RIBBON_HOMOGENEOUS)
		return plane->nlayers == 0 && ribbon_plane_nsystems(plane) == 1;
	return (plane->nlayers == 0 || layers_contract(plane)) &&
		zones_contract(plane);
}

#endif /* RIBBON_BODIES_H */
