/*
 * size.c - how many bytes a filter will take, before there are keys
 *
 * Filters of random sets of the same size differ little.  Three numbers depend
 * on the set: how many slots of a layer stay empty, how many keys of the last
 * layer are wide, and how many slots its zones need.  So a filter is planned as
 * it would be built, with the expected values of these three, and then the
 * bytes of the plan are counted.
 */
#include "construct/planes.h"

#include "base/power.h"
#include "construct/last_layer.h"
#include "format/format.h"
#include "format/place.h"
#include "format/zones.h"

/*
 * At the ends of a layer about this share of the lower threshold stays empty,
 * in slots, after several sizes have been tried.
 */
#define EMPTY_ENDS	  0.28
#define USUAL_ATTEMPT 2

/* The best of 16 rotations has so many standard deviations fewer wide keys. */
#define BEST_ROTATION 1.77

/* Plan bumped layers; returns the keys that are left for the last one. */
static uint64_t
plan_layers(RibbonPlane *plane)
{
	uint64_t nkeys = plane->nkeys;

	plane->layer_keys[0] = nkeys;
	while (!ribbon_shape_is_last_layer(plane, plane->check.wide, nkeys))
	{
		uint64_t nslots = ribbon_shape_layer_slots(plane, nkeys, USUAL_ATTEMPT);
		uint64_t empty = (uint64_t) (EMPTY_ENDS * plane->buckets.threshold[1]) +
			ribbon_shape_empty_expected(plane, nkeys);

		plane->systems[plane->nlayers].nslots = nslots;
		nkeys -= nslots - empty;
		plane->layer_keys[++plane->nlayers] = nkeys;
	}
	return nkeys;
}

/* Plan the zones of the last layer. */
static void
plan_zones(RibbonPlane *plane, uint64_t nkeys)
{
	double share = (double) plane->split / RIBBON_SHARES;
	double mean = share * (double) nkeys;
	double deviation = mean > 0 ?
		ribbon_exp2(ribbon_log2(mean * (1 - share)) / 2) :
		0;
	double wide = mean - BEST_ROTATION * deviation;
	uint64_t keys[2];
	unsigned zone_width = ribbon_zones_width(plane->width);

	keys[1] = wide > 0 ? (uint64_t) (wide + 0.5) : 0;
	keys[0] = nkeys - keys[1];
	ribbon_zones_set(plane, nkeys);
	for (unsigned i = 0, system = plane->nlayers; i < 2; i++)
		for (unsigned z = 0; z < plane->nzones[i]; z++)
		{
			uint64_t zone_keys = keys[i] * (z + 1) / plane->nzones[i] -
				keys[i] * z / plane->nzones[i];

			plane->systems[system++].nslots = zone_keys +
				ribbon_zone_spare(zone_width,
								  plane->check.bits + plane->value_bits + i,
								  plane->value_bits > 0, zone_keys);
		}
}

static void
plan_burr(RibbonPlane *plane, const RibbonPlaneParams *params)
{
	ribbon_shape_choose(params, plane);
	plan_zones(plane, plan_layers(plane));
}

/*
 * The columns are those of the FPR itself.  What P takes of the FPR is made up
 * for by wide rows; few of them have a block to themselves.  Returns the bytes
 * of these.
 */
static double
plan_homogeneous(RibbonPlane *plane, const RibbonPlaneParams *params)
{
	double fpr = params->fpr;
	unsigned width = ribbon_homog_width(params->width, fpr);
	uint64_t nslots = ribbon_homog_slots(width, fpr, plane->nkeys);
	double dependence = ribbon_homog_dependence(width, plane->nkeys, nslots);
	RibbonResultBits beside = ribbon_result_bits_beside(fpr, dependence);

	plane->kind = RIBBON_HOMOGENEOUS;
	plane->width = width;
	plane->nzones[0] = 1;
	ribbon_plane_set_check(plane, params->check);
	plane->systems[0].nslots = nslots;
	return (ribbon_result_bits_mean(beside) -
			ribbon_result_bits_mean(params->check)) *
		(double) nslots / 8;
}

uint64_t
ribbon_expected_bytes(const RibbonParams *params, uint64_t nkeys)
{
	RibbonPlaneParams asked = {.width = params->width,
							   .check = ribbon_result_bits_for(params->fpr),
							   .fpr = params->fpr};
	RibbonPlane plane;
	uint8_t header[RIBBON_MAX_HEADER];
	double more = 0;

	ribbon_plane_init_empty(&plane);
	plane.nkeys = nkeys;
	if (nkeys > 0 && params->kind == RIBBON_HOMOGENEOUS)
		more = plan_homogeneous(&plane, &asked);
	else if (nkeys > 0)
		plan_burr(&plane, &asked);
	plane.header_bytes = ribbon_format_encode(&plane, params->key_class,
											  header);
	ribbon_place_systems(&plane);
	return plane.total_bytes + (uint64_t) more;
}

uint64_t
ribbon_size_of_plane(const RibbonPlaneParams *params, uint64_t nkeys)
{
	RibbonPlane plane;
	uint8_t header[RIBBON_MAX_HEADER];

	if (!ribbon_has_check(params->check) && params->value_bits == 0)
		return 0;
	ribbon_plane_init_empty(&plane);
	plane.nkeys = nkeys;
	plan_burr(&plane, params);
	plane.header_bytes = ribbon_format_encode_body(&plane, RIBBON_ROLE_OWN_BYTE,
												   header);
	ribbon_place_systems(&plane);
	return plane.total_bytes;
}
