/*
 * place.c - where the ribbon systems of a plane lie among its bytes
 */
#include "format/place.h"

#include "format/buckets.h"
#include "format/icml.h"
#include "format/zones.h"

/* Check bits of the last layer's narrow or wide zones: format.md 5. */
static RibbonResultBits
zone_check(const RibbonPlane *plane, bool in_wide)
{
	unsigned wide = plane->check.wide, split = plane->split;
	RibbonResultBits check = {plane->check.bits, 0};

	if (in_wide)
		check.wide = wide >= split ? RIBBON_SHARES :
									 RIBBON_SHARES * wide / split;
	else if (wide > split)
		check.wide = RIBBON_SHARES * (wide - split) / (RIBBON_SHARES - split);
	return check;
}

/* The geometry of all systems, from their slots and seeds. */
static void
init_systems(RibbonPlane *plane)
{
	if (plane->nlayers > 0)
		plane->buckets = ribbon_buckets_of_scheme(plane->width, plane->scheme);
	for (unsigned i = 0; i < ribbon_plane_nsystems(plane); i++)
	{
		RibbonSystem *system = &plane->systems[i];
		RibbonSystemKind kind = i < plane->nlayers ? RIBBON_SYSTEM_LAYER :
			plane->kind == RIBBON_HOMOGENEOUS	   ? RIBBON_SYSTEM_HOMOGENEOUS :
													 RIBBON_SYSTEM_ZONE;
		bool zone = kind == RIBBON_SYSTEM_ZONE;
		bool wide = i >= plane->nlayers + plane->nzones[0];
		unsigned seed = system->seed;

		ribbon_system_init(system, kind, system->nslots,
						   zone ? ribbon_zones_width(plane->width) :
								  plane->width,
						   zone ? zone_check(plane, wide) : plane->check,
						   plane->value_bits);
		if (zone)
			ribbon_system_set_seed(system, seed);
	}
}

void
ribbon_place_systems(RibbonPlane *plane)
{
	init_systems(plane);
	plane->total_bytes = ribbon_place_slots_at(plane,
											   ribbon_plane_nsystems(plane));
}

void
ribbon_place_bytes(RibbonPlane *plane, const uint8_t *bytes)
{
	const uint8_t *at = bytes + plane->header_bytes;

	plane->bytes = bytes;
	for (unsigned i = 0; i < plane->nlayers; i++)
	{
		plane->systems[i].thresholds = at;
		at += ribbon_buckets_threshold_bytes(&plane->systems[i],
											 &plane->buckets);
	}
	for (unsigned i = 0; i < ribbon_plane_nsystems(plane); i++)
	{
		plane->systems[i].slots = at;
		at += ribbon_icml_bytes(&plane->systems[i]);
	}
}

uint64_t
ribbon_place_thresholds_at(const RibbonPlane *plane, unsigned i)
{
	uint64_t at = plane->header_bytes;

	for (unsigned k = 0; k < i; k++)
		at += ribbon_buckets_threshold_bytes(&plane->systems[k],
											 &plane->buckets);
	return at;
}

uint64_t
ribbon_place_slots_at(const RibbonPlane *plane, unsigned i)
{
	uint64_t at = ribbon_place_thresholds_at(plane, plane->nlayers);

	for (unsigned k = 0; k < i; k++)
		at += ribbon_icml_bytes(&plane->systems[k]);
	return at;
}
