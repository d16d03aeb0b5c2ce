/*
 * prepare.c - choose the functions that probe a plane
 *
 * A key is followed to the layer that holds it: the first one whose threshold
 * does not bump it, else the last layer's zone.  One key in eleven or so goes
 * past the first layer.  probes.h has, for each ribbon width, the kernel's
 * functions for each of these steps and each shape of system.  Here those of
 * one plane are put into it, once, when it is opened; so are the starts below
 * which whole words can be read, and the number of keys from which on batches
 * are faster.
 */
#include "probe/opened.h"

#include "format/icml.h"
#include "format/zones.h"
#include "probe/batch.h"
#include "probe/column.h"
#include "probe/locate.h"
#include "probe/probes.h"

#include <limits.h>

/* Bytes of a plane from which on most of its slots are in no near cache. */
#define RIBBON_FAR (UINT64_C(1) << 19)

/* A plane without keys has none. */
static bool
find_none(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	(void) opened;
	(void) hash;
	*code = 0;
	return false;
}

/* A plane without check bits and value bits has all keys, with code 0. */
static bool
find_all(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	(void) opened;
	(void) hash;
	*code = 0;
	return true;
}

/* A plane whose hashes are salted. */
static bool
find_salted(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	return opened->find_first(opened, ribbon_locate_salted(opened, hash), code);
}

/* In a layer of a column. */
static bool
find_bit(const RibbonSystem *layer, uint64_t hash, uint64_t start,
		 uint64_t *code)
{
	*code = ribbon_column_bit(layer, hash, start);
	return true;
}

/*
 * RibbonSystem.whole of a column of values, if left bytes can be read from its
 * first one on.
 */
static uint64_t
column_whole(const RibbonSystem *system, uint64_t left)
{
	return left < RIBBON_COLUMN_BYTES ?
		0 :
		ribbon_min64(8 * (left - RIBBON_COLUMN_BYTES + 1), system->nstarts);
}

/*
 * The same of a system of blocks.  A probe that starts below whole reads whole
 * groups of eight columns, and so bytes behind the second block's last column.
 * If there are enough of them up to the plane's end, each start whose two
 * blocks are full is below whole.  Else full blocks must follow that have at
 * least as many columns as are read behind the second block.
 */
static uint64_t
blocks_whole(const RibbonSystem *system, uint64_t left)
{
	uint64_t nfull = system->nslots / system->width;
	unsigned ncolumns = system->ncolumns;
	uint64_t nneeded = 2;
	uint64_t last;

	if (ncolumns == 0 || nfull < 2)
		return 0;
	last = ribbon_icml_block_bit(system, nfull - 1) / 8;
	if (last + (uint64_t) system->groups * system->width > left)
		nneeded = 1 + (8 * system->groups + ncolumns - 1u) / ncolumns;
	return nfull < nneeded ? 0 : (nfull - nneeded + 1) * system->width;
}

static void
prepare_systems(RibbonPlane *plane)
{
	bool column = ribbon_plane_is_column(plane);
	const uint8_t *end = plane->bytes + plane->total_bytes;

	for (unsigned i = 0; i < ribbon_plane_nsystems(plane); i++)
	{
		RibbonSystem *system = &plane->systems[i];
		uint64_t left = (uint64_t) (end - system->slots);

		system->whole = column ? column_whole(system, left) :
								 blocks_whole(system, left);
	}
}

/*
 * The shape of nsystems systems of a plane: the most general one of them.  Only
 * maps may have no check bits.  RIBBON_SHAPE_UP_TO_16 reads two groups of
 * columns in all systems, for which zones of one have no room.
 */
static RibbonShape
shape_of(const RibbonPlane *plane, bool gives_values, unsigned first,
		 unsigned nsystems)
{
	RibbonShape shape = RIBBON_SHAPE_UNIFORM_8;
	unsigned least = UINT_MAX;
	bool unchecked = gives_values && !ribbon_has_check(plane->check);

	if (gives_values && ribbon_plane_is_column(plane))
		return RIBBON_SHAPE_COLUMN;
	for (unsigned i = first; i < first + nsystems; i++)
	{
		const RibbonSystem *system = &plane->systems[i];
		RibbonShape needed = system->groups > 2 ? RIBBON_SHAPE_ANY :
			system->groups > 1					? RIBBON_SHAPE_UP_TO_16 :
			system->wide > 0					? RIBBON_SHAPE_UP_TO_8 :
												  RIBBON_SHAPE_UNIFORM_8;

		shape = needed > shape ? needed : shape;
		least = system->groups < least ? system->groups : least;
	}
	if (unchecked)
		return shape == RIBBON_SHAPE_ANY   ? RIBBON_SHAPE_UNCHECKED_ANY :
			shape == RIBBON_SHAPE_UP_TO_16 ? RIBBON_SHAPE_UNCHECKED_16 :
											 RIBBON_SHAPE_UNCHECKED_8;
	return shape == RIBBON_SHAPE_UP_TO_16 && least < 2 ? RIBBON_SHAPE_ANY :
														 shape;
}

/* Of functions by shape the one for this, or one that does more. */
static RibbonFind *
of_shape(RibbonFind *const *functions, RibbonShape shape)
{
	if (functions[shape] == NULL && ribbon_probes_shape_is_unchecked(shape))
		shape = RIBBON_SHAPE_UNCHECKED_ANY;
	return functions[shape] != NULL ? functions[shape] :
									  functions[RIBBON_SHAPE_ANY];
}

/* Are zones as batches take them: all their blocks even, in as many groups? */
static bool
zones_are_alike(const RibbonPlane *plane)
{
	const RibbonSystem *zones = ribbon_plane_zones(plane);
	unsigned last = ribbon_plane_nzones(plane) - 1;

	return !ribbon_plane_is_column(plane) &&
		plane->check.wide == plane->split &&
		zones[0].groups == zones[last].groups;
}

/* The zones of the last layer. */
static void
prepare_zones(RibbonOpened *opened, bool gives_values)
{
	const RibbonPlane *plane = &opened->plane;
	const RibbonProbes *probes =
		ribbon_probes(ribbon_zones_width(plane->width));
	RibbonShape shape = shape_of(plane, gives_values, plane->nlayers,
								 ribbon_plane_nzones(plane));

	opened->find_last =
		of_shape(ribbon_probes_of_plane(probes, plane, gives_values)->last,
				 shape);
	opened->batch_last = zones_are_alike(plane) ? probes->batch : NULL;
}

/*
 * The most bytes of a plane that count as cached where a probe loads more: any
 * number of groups of columns, or two of them and thresholds.
 */
#define CACHED_ANY_GROUPS (UINT64_C(3) << 19)
#define CACHED_TWO_GROUPS (UINT64_C(2) << 20)

/*
 * From how many keys on are they probed as batches, and loaded ahead if they
 * are probed singly?
 *
 * Single probes overlap their loads as well, as far as the CPU looks ahead.  To
 * look farther pays when most loads miss the nearer caches: in a filter of no
 * more bytes than these, fewer where a probe loads more, single probes are as
 * fast [measured with test/bench/engine.c, half members].  Vectors save
 * instructions, too, but a batch of them begins with some 100 ns of waiting
 * where loads miss.  Two steps, of filters of many columns, are for batches of
 * non-members.
 */
static void
choose_batches(RibbonOpened *opened, const RibbonProbes *probes,
			   RibbonShape shape, bool gives_values)
{
	const RibbonPlane *plane = &opened->plane;
	bool homogeneous = plane->kind == RIBBON_HOMOGENEOUS;
	unsigned ngroups = ribbon_probes_shape_groups(shape);
	uint64_t most = ngroups == 0	 ? CACHED_ANY_GROUPS :
		!homogeneous && ngroups == 2 ? CACHED_TWO_GROUPS :
									   UINT64_MAX;
	bool cached = plane->total_bytes <=
		ribbon_min64(probes->cached_bytes, most);

	opened->in_steps = shape == RIBBON_SHAPE_ANY && !gives_values;
	opened->ahead = !cached && !plane->salted;
	if (opened->in_steps)
		opened->least_batch = cached ? 2 * RIBBON_AHEAD : RIBBON_AHEAD;
	else
		opened->least_batch = !cached ? 128 :
			homogeneous				  ? 64 :
										2 * RIBBON_AHEAD;
}

/* The bumped layers, or a homogeneous system. */
static void
prepare_layers(RibbonOpened *opened, bool gives_values)
{
	const RibbonPlane *plane = &opened->plane;
	const RibbonProbes *probes = ribbon_probes(plane->width);
	RibbonShape shape = shape_of(plane, gives_values, 0,
								 plane->nlayers > 0 ? plane->nlayers : 1);

	opened->find_first =
		of_shape(ribbon_probes_of_plane(probes, plane, gives_values)->first,
				 shape);
	opened->at = shape == RIBBON_SHAPE_COLUMN ? find_bit : probes->at;
	opened->bucket_mask = (1u << plane->buckets.log2_size) - 1;
	opened->batch = shape == RIBBON_SHAPE_COLUMN ? probes->batch_of_column :
												   probes->batch;
	choose_batches(opened, probes, shape, gives_values);
}

void
ribbon_prepare(RibbonOpened *opened, bool gives_values)
{
	RibbonPlane *plane = &opened->plane;
	bool homogeneous = plane->kind == RIBBON_HOMOGENEOUS;

	if (plane->nkeys == 0 || ribbon_plane_nsystems(plane) == 0)
	{
		opened->find = plane->nkeys == 0 ? find_none : find_all;
		return;
	}
	if (!homogeneous)
		opened->zones = ribbon_zones_finder(plane);
	if (opened->fetch != NULL)
	{
		opened->find = ribbon_sliced_find;
		return;
	}
	opened->far = plane->total_bytes > RIBBON_FAR;
	prepare_systems(plane);
	if (!homogeneous)
		prepare_zones(opened, gives_values);
	if (homogeneous || plane->nlayers > 0)
		prepare_layers(opened, gives_values);
	else /* hashes come to the zones at once */
	{
		opened->find_first = opened->find_last;
		opened->batch = opened->batch_last;
		opened->least_batch = RIBBON_AHEAD * ribbon_plane_nzones(plane);
	}
	opened->find = plane->salted ? find_salted : opened->find_first;
}
