/*
 * layers.c - prove that a hash is followed to a system of its plane, and looked
 * up there from its own start on (probe/kernel_layers.h, probe/find.c)
 */
#include "loads.h"
#include "probe/find.c"
#include "probe/kernel_portable.c"
#include "probe/kernel_layers.h"
#include "probe/prepare.c"

static RibbonOpened opened;

/* The last start that was asked for: of which hash, among how many, and it. */
static uint64_t started_hash, started_range, started;

uint64_t
start_again(uint64_t hash, uint64_t range)
{
	started_hash = hash;
	started_range = range;
	started = any_mulhi(hash, range);
	return started;
}

/*
 * Is start that of this hash in this system of the plane?  It may be too large
 * by what smash adds, but not too small.
 */
static void
prove_started(const RibbonSystem *system, uint64_t hash, uint64_t start)
{
	size_t i = (size_t) (system - opened.plane.systems);

	prove(i < ribbon_plane_nsystems(&opened.plane));
	prove(started_hash == hash && started_range == system->range);
	prove(start + system->smash == started ||
		  (started < system->smash && start == 0) ||
		  (start + system->smash < started && start == system->nstarts - 1));
}

bool
any_whole(const RibbonSystem *system, uint64_t hash, uint64_t start,
		  RibbonVariant v, uint64_t *code)
{
	(void) v;
	prove_started(system, hash, start);
	prove(start < system->whole);
	*code = nondet_uint64();
	return nondet_bool();
}

bool
any_end(const RibbonSystem *system, uint64_t hash, uint64_t start,
		RibbonVariant v, uint64_t *code)
{
	(void) v;
	prove_started(system, hash, start);
	*code = nondet_uint64();
	return nondet_bool();
}

static bool
any_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
	   uint64_t *code)
{
	prove_started(system, hash, start);
	*code = nondet_uint64();
	return nondet_bool();
}

bool
any_bit(const RibbonSystem *system, uint64_t hash, uint64_t start)
{
	prove_started(system, hash, start);
	prove(system->nslots > 0);
	return nondet_bool();
}

/* ribbon_locate_bumps */
bool
any_locate_bumps(const RibbonOpened *its, const RibbonSystem *layer,
				 uint64_t start, unsigned width)
{
	prove(layer - its->plane.systems < its->plane.nlayers);
	prove(start < layer->nstarts);
	prove(width == 128 || width == its->plane.width);
	return nondet_bool();
}

unsigned
any_located_zone(const RibbonPlane *plane, const RibbonZoneFinder *finder,
				 uint64_t hash)
{
	(void) finder;
	(void) hash;
	return (unsigned) any_zone(plane) - plane->nlayers;
}

/* A hash in a plane of so many layers; several zones if there are several. */
static void
find_among_layers(unsigned width, unsigned nlayers, RibbonFind *first,
				  RibbonFind *last)
{
	uint64_t code;

	any_plane(&opened.plane, width, nlayers, nlayers > 1);
	opened.at = any_at;
	opened.find_last = last;
	(nlayers > 0 ? first : last)(&opened, nondet_uint64(), &code);
}

/* In planes of no layer, one, or three. */
static void
find_in_planes(unsigned width, RibbonFind *first, RibbonFind *last)
{
	if (nondet_bool())
		find_among_layers(width, 0, NULL, last);
	else if (nondet_bool())
		find_among_layers(width, 1, first, last);
	else
		find_among_layers(width, 3, first, last);
}

/*
 * PROVE	the portable kernel: find_first, find_last, w = 32;
 *			ribbon_find_from, ribbon_locate_last
 * FOR		planes of no layer, one, or three
 * UNWIND	6
 * REPLACE	ribbon_mulhi:start_again ribbon_mix:any_mix
 *			find_whole:any_whole find_end:any_end
 *			ribbon_locate_bumps:any_locate_bumps
 *			ribbon_zones_locate:any_located_zone
 */
void
prove_layers32(void)
{
	find_in_planes(32, map32_first_ANY, map64_last_ANY);
}

/*
 * PROVE	the portable kernel: find_first, find_last, w = 64;
 *			ribbon_find_from, ribbon_locate_last
 * FOR		planes of no layer, one, or three
 * UNWIND	6
 * REPLACE	ribbon_mulhi:start_again ribbon_mix:any_mix
 *			find_whole:any_whole find_end:any_end
 *			ribbon_locate_bumps:any_locate_bumps
 *			ribbon_zones_locate:any_located_zone
 */
void
prove_layers64(void)
{
	find_in_planes(64, map64_first_ANY, map64_last_ANY);
}

/*
 * PROVE	the portable kernel: find_first, find_last, w = 128;
 *			ribbon_find_from, ribbon_locate_last
 * FOR		planes of no layer, one, or three
 * UNWIND	6
 * REPLACE	ribbon_mulhi:start_again ribbon_mix:any_mix
 *			find_whole:any_whole find_end:any_end
 *			ribbon_locate_bumps:any_locate_bumps
 *			ribbon_zones_locate:any_located_zone
 */
void
prove_layers128(void)
{
	find_in_planes(128, map128_first_ANY, map128_last_ANY);
}

/*
 * PROVE	the portable kernel: find_only, w = 128
 * FOR		homogeneous planes
 * UNWIND	3
 * REPLACE	ribbon_mulhi:start_again find_whole:any_whole find_end:any_end
 */
void
prove_homogeneous(void)
{
	uint64_t hash = nondet_uint64();
	uint64_t code;

	any_plane(&opened.plane, 128, 0, false);
	opened.plane.kind = RIBBON_HOMOGENEOUS;
	opened.at = any_at;
	assume(opened.plane.systems[0].smash == 0);
	homog128_first_ANY(&opened, hash, &code);
}

/*
 * PROVE	column_first, find_bit, column_last; ribbon_find_from
 * FOR		columns of no layer, one, or three
 * UNWIND	6
 * REPLACE	ribbon_mulhi:start_again ribbon_mix:any_mix
 *			ribbon_column_bit:any_bit
 *			ribbon_locate_bumps:any_locate_bumps
 *			ribbon_zones_locate:any_located_zone
 */
void
prove_columns(void)
{
	opened.plane.value_bits = 1;
	opened.at = find_bit;
	find_in_planes(64, column_first, column_last);
}
