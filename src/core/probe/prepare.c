/*
 * prepare.c - choose the functions that probe a plane
 *
 * A key is followed to the layer that holds it: the first one whose threshold
 * does not bump it, else the last layer's zone.  One key in eleven or so goes
 * past the first layer.  probes.h has, for each ribbon width, the kernel's
 * functions for each of these steps and each shape of system.  Here those of
 * one plane are put into it, once, when it is opened.
 */
#include "probe/prepare.h"

#include "format/zones.h"
#include "probe/find.h"
#include "probe/locate.h"
#include "probe/probes.h"

#include <limits.h>

static bool
contains_in_empty(const RibbonPlane *plane, uint64_t hash)
{
	(void) plane;
	(void) hash;
	return false;
}

static bool
contains_salted(const RibbonPlane *plane, uint64_t hash)
{
	return plane->contains_first(plane, ribbon_locate_salted(plane, hash));
}

/* The shape of one system or several: the most general one. */
static RibbonShape
shape_of(const RibbonSystem *systems, unsigned nsystems)
{
	RibbonShape shape = RIBBON_UNIFORM_8;

	for (unsigned i = 0; i < nsystems; i++)
	{
		RibbonShape needed = RIBBON_UNIFORM_8;

		if (systems[i].groups > 2)
			needed = RIBBON_ANY;
		else if (systems[i].groups > 1)
			needed = RIBBON_UP_TO_16;
		else if (systems[i].wide > 0)
			needed = RIBBON_UP_TO_8;
		shape = needed > shape ? needed : shape;
	}
	return shape;
}

/*
 * The same of a map's plane, which may have no check bits.  RIBBON_UP_TO_16
 * reads two groups of columns in all of them, for which zones of one have no
 * room.
 */
static RibbonShape
map_shape_of(const RibbonPlane *plane, unsigned first, unsigned nsystems)
{
	const RibbonSystem *systems = plane->systems + first;
	RibbonShape shape = shape_of(systems, nsystems);
	unsigned least = UINT_MAX;
	bool bare = true;

	if (ribbon_plane_is_column(plane))
		return RIBBON_COLUMN;
	for (unsigned i = 0; i < nsystems; i++)
	{
		bare &= systems[i].check_bits == 0 && systems[i].wide == 0;
		least = systems[i].groups < least ? systems[i].groups : least;
	}
	if (bare)
		return shape == RIBBON_ANY	 ? RIBBON_UNCHECKED_ANY :
			shape == RIBBON_UP_TO_16 ? RIBBON_UNCHECKED_16 :
									   RIBBON_UNCHECKED_8;
	return shape == RIBBON_UP_TO_16 && least < 2 ? RIBBON_ANY : shape;
}

/* Zones per 2048th of the keys, in 2^32nds, rounded up. */
static uint64_t
zone_step(uint64_t nzones, uint64_t shares)
{
	return nzones * (((UINT64_C(1) << 32) + shares - 1) / shares);
}

static RibbonShape
shape_of_zones(const RibbonPlane *plane)
{
	return shape_of(plane->systems + plane->nlayers,
					plane->nzones[0] + plane->nzones[1]);
}

/* How to find a key's zone. */
static void
prepare_zones(RibbonPlane *plane)
{
	uint64_t narrow = RIBBON_SHARES - plane->split;
	uint64_t first = (uint64_t) plane->nlayers << 32;

	plane->zone_step[0] = zone_step(plane->nzones[0], narrow);
	plane->zone_base[0] = first;
	if (plane->split > 0)
	{
		plane->first_wide_zone = ribbon_hash_highest(plane->split);
		plane->zone_step[1] = zone_step(plane->nzones[1], plane->split);
		plane->zone_base[1] = first + ((uint64_t) plane->nzones[0] << 32) -
			narrow * plane->zone_step[1];
	}
}

/*
 * Up to so many bytes of filter single probes are as fast as a batch's: fewer
 * where a probe loads more [measured with test/bench/engine.c, half members].
 */
static uint64_t
cached_bytes(const RibbonProbes *probes, bool homogeneous, RibbonShape shape)
{
	RibbonShape checked = ribbon_shape_checked(shape);
	uint64_t most = UINT64_MAX;

	if (checked == RIBBON_ANY)
		most = UINT64_C(3) << 19;
	else if (!homogeneous &&
			 (checked == RIBBON_UP_TO_16 || !probes->has_vectors))
		most = UINT64_C(2) << 20;
	return ribbon_min64(probes->cached_bytes, most);
}

/*
 * How to probe batches, if the first system has this shape, and from how many
 * keys on that is faster than single probes; least_batch is SIZE_MAX so far.
 *
 * Single probes overlap their loads as well, as far as the CPU looks ahead.  To
 * look farther pays when most loads miss the nearer caches.  Vectors save
 * instructions, too, but a batch of them begins with some 100 ns of waiting
 * where loads miss.  Two steps are for batches of non-members.
 */
static void
prepare_batches(RibbonPlane *plane, const RibbonProbes *probes,
				RibbonShape shape)
{
	bool homogeneous = plane->kind == RIBBON_HOMOGENEOUS;
	bool cached = plane->total_bytes <=
		cached_bytes(probes, homogeneous, shape);

	if (plane->systems[0].whole == 0)
		return; /* least_batch stays what it is: no batches */
	plane->batch = plane->batch_members = probes->batch[homogeneous][shape];
	if (shape == RIBBON_ANY)
	{
		plane->least_batch = cached ? 2 * RIBBON_AHEAD : RIBBON_AHEAD;
		plane->batch_members = cached ?
			NULL :
			probes->batch[homogeneous][RIBBON_UP_TO_16];
	}
	else if (probes->has_vectors && shape < RIBBON_UP_TO_16)
		plane->least_batch = !cached ? 128 : homogeneous ? 64 : RIBBON_AHEAD;
	else if (!cached)
		plane->least_batch = RIBBON_AHEAD;
}

void
ribbon_prepare_filter(RibbonPlane *plane)
{
	const RibbonProbes *probes = ribbon_probes((unsigned) plane->width);
	bool homogeneous = plane->kind == RIBBON_HOMOGENEOUS;
	unsigned nbatched = homogeneous ? 1 : (unsigned) plane->nlayers;

	plane->least_batch = SIZE_MAX;
	if (plane->nkeys == 0)
	{
		plane->contains = contains_in_empty;
		return;
	}
	if (!homogeneous)
	{
		unsigned width = ribbon_zones_width(plane->width);

		prepare_zones(plane);
		plane->contains_last =
			ribbon_probes(width)->zone[shape_of_zones(plane)];
	}
	plane->contains_first = plane->contains_last;
	if (nbatched > 0)
	{
		RibbonShape shape = shape_of(plane->systems, nbatched);

		plane->contains_first = probes->contains[homogeneous][shape];
		prepare_batches(plane, probes, shape);
	}
	if (plane->nlayers > 0)
	{
		plane->bucket_mask = (1u << plane->buckets.log2_size) - 1;
		plane->contains_bumped = plane->nlayers == 1 ? plane->contains_last :
													   probes->bumped;
	}
	plane->contains = plane->salted ? contains_salted : plane->contains_first;
}

static bool
get_from_empty(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	(void) plane;
	(void) hash;
	*code = 0;
	return false;
}

/* Without check bits and value bits, all keys are known to have code 0. */
static bool
get_nothing(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	(void) plane;
	(void) hash;
	*code = 0;
	return true;
}

static bool
get_salted(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	return plane->get_first(plane, ribbon_locate_salted(plane, hash), code);
}

static bool
get_bumped_bit(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	return ribbon_find_from(plane, 1, hash, code);
}

/*
 * As prepare_batches.  All columns are needed, and vectors are for any number
 * of them.
 */
static void
prepare_plane_batches(RibbonPlane *plane, const RibbonProbes *probes,
					  RibbonShape shape)
{
	bool cached = plane->total_bytes <= cached_bytes(probes, false, shape);

	if (plane->systems[0].whole == 0)
		return;
	plane->batch = probes->get_batch[shape];
	if (shape == RIBBON_COLUMN ? probes->column_vectors : probes->has_vectors)
		plane->least_batch = cached ? RIBBON_AHEAD : 128;
	else if (!cached)
		plane->least_batch = RIBBON_AHEAD;
}

void
ribbon_prepare_map(RibbonPlane *plane)
{
	unsigned width = ribbon_zones_width(plane->width);

	plane->least_batch = SIZE_MAX;
	if (plane->nkeys == 0 || ribbon_plane_nsystems(plane) == 0)
	{
		plane->get = plane->nkeys == 0 ? get_from_empty : get_nothing;
		return;
	}
	prepare_zones(plane);
	plane->get_last =
		ribbon_probes(width)
			->get_zone[map_shape_of(plane, (unsigned) plane->nlayers,
									plane->nzones[0] + plane->nzones[1])];
	plane->get_first = plane->get_last;
	if (plane->nlayers > 0)
	{
		const RibbonProbes *probes = ribbon_probes((unsigned) plane->width);
		RibbonShape shape = map_shape_of(plane, 0, (unsigned) plane->nlayers);

		plane->get_first = probes->get[shape];
		plane->get_bumped = plane->nlayers == 1 ? plane->get_last :
			shape == RIBBON_COLUMN				? get_bumped_bit :
												  probes->get_bumped;
		plane->bucket_mask = (1u << plane->buckets.log2_size) - 1;
		prepare_plane_batches(plane, probes, shape);
	}
	plane->get = plane->salted ? get_salted : plane->get_first;
}
