/*
 * sliced.c - prove that a lookup in slices asks for bytes of the plane, and
 * reads no others (probe/sliced.c)
 */
#include "loads.h"
#include "probe/sliced.c"

#include "format/buckets.c"

static RibbonOpened opened;
static uint64_t part_at, part_bytes; /* of the plane: what may be asked for */

/* Bytes of a system: its thresholds or slots, which lie at any place. */
static const uint8_t *
fetch_part(void *arg, uint64_t at, size_t size)
{
	const uint8_t *bytes = malloc(size);

	(void) arg;
	prove(size >= 1 && size <= RIBBON_MAX_SLICE);
	prove(at >= opened.plane.at + part_at);
	prove(at - opened.plane.at - part_at <= part_bytes);
	prove(size <= part_bytes - (at - opened.plane.at - part_at));
	assume(bytes != NULL);
	return bytes;
}

uint64_t
any_part_at(const RibbonPlane *plane, unsigned i)
{
	prove(i < ribbon_plane_nsystems(plane));
	return part_at;
}

/* A plane whose first system this is, somewhere in a value. */
static const RibbonSystem *
begin_part(RibbonSystem system, uint64_t nbytes)
{
	RibbonPlane *plane = &opened.plane;

	opened.fetch = fetch_part;
	part_bytes = nbytes;
	part_at = nondet_uint64();
	plane->at = nondet_uint64();
	assume(plane->at <= INT64_MAX && part_at <= INT64_MAX / 2);
	plane->nlayers = 1;
	plane->systems[0] = system;
	return &plane->systems[0];
}

static void
bump_of(unsigned width, unsigned scheme)
{
	RibbonSystem layer = any_system(width);
	RibbonBuckets buckets = ribbon_buckets_of_scheme(width, scheme);
	uint64_t start = nondet_uint64();

	assume(layer.nslots >= width && layer.nslots <= FEWER_SLOTS << 4);
	assume(start < layer.nstarts);
	opened.plane.buckets = buckets;
	bumps(&opened,
		  begin_part(layer, ribbon_buckets_threshold_bytes(&layer, &buckets)),
		  start);
}

/*
 * PROVE	bumps, in slices
 * FOR		layers of up to 2^14 slots, w = 64 and, in groups, w = 128
 * UNWIND	1
 * REPLACE	ribbon_place_thresholds_at:any_part_at
 */
void
prove_sliced_bumps(void)
{
	if (nondet_bool())
		bump_of(64, 0);
	else
		bump_of(128, 1);
}

/* ribbon_system_start: see any_start */
uint64_t
any_first_start(const RibbonSystem *system, uint64_t hash)
{
	uint64_t start = any_start(system, hash);

	assume(start < system->nstarts);
	return start;
}

static void
slots_of(unsigned width, unsigned columns)
{
	RibbonSystem system;
	const RibbonSystem *its;
	uint64_t hash = nondet_uint64();
	unsigned nbits;

	system.width = (uint8_t) width;
	system.ncolumns = (uint8_t) columns;
	assume(system_contract(&system) && system.nslots > 0 &&
		   system.nslots <= FEWER_SLOTS);
	its = begin_part(system, ribbon_icml_bytes(&system));
	nbits = ribbon_system_bits(its, hash);
	if (nbits > 0)
		get_result_bits(&opened, its, hash, nbits);
}

/*
 * PROVE	get_result_bits, in slices, w = 32
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	3
 * REPLACE	ribbon_place_slots_at:any_part_at ribbon_load_bits:any_load_bits
 *			ribbon_system_start:any_first_start ribbon_hash_coeff:any_coeff
 *			ribbon_parity64:any_parity64
 */
void
prove_slots32(void)
{
	slots_of(32, 1);
}

/*
 * PROVE	get_result_bits, in slices, w = 64
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	3
 * REPLACE	ribbon_place_slots_at:any_part_at ribbon_load_bits:any_load_bits
 *			ribbon_system_start:any_first_start ribbon_hash_coeff:any_coeff
 *			ribbon_parity64:any_parity64
 */
void
prove_slots64(void)
{
	slots_of(64, 1);
}

/*
 * PROVE	get_result_bits, in slices, w = 128
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	3
 * REPLACE	ribbon_place_slots_at:any_part_at ribbon_load_bits:any_load_bits
 *			ribbon_system_start:any_first_start ribbon_hash_coeff:any_coeff
 *			ribbon_parity64:any_parity64
 */
void
prove_slots128(void)
{
	slots_of(128, 1);
}

/* bumps */
bool
any_sliced_bumps(const RibbonOpened *its, const RibbonSystem *layer,
				 uint64_t start)
{
	prove(layer - its->plane.systems < its->plane.nlayers);
	prove(start < layer->nstarts);
	return nondet_bool();
}

/* get_result_bits */
uint64_t
any_result_bits(const RibbonOpened *its, const RibbonSystem *system,
				uint64_t hash, unsigned nbits)
{
	prove((size_t) (system - its->plane.systems) <
		  ribbon_plane_nsystems(&its->plane));
	prove(system->nslots > 0 && nbits > 0);
	prove(nbits == ribbon_system_bits(system, hash));
	return nondet_uint64();
}

/* ribbon_zones_locate, which counts zones alone */
unsigned
any_zone_of(const RibbonPlane *plane, const RibbonZoneFinder *finder,
			uint64_t hash)
{
	(void) finder;
	(void) hash;
	return (unsigned) any_zone(plane) - plane->nlayers;
}

static void
find_in(unsigned nlayers, RibbonKind kind)
{
	uint64_t code;

	any_plane(&opened.plane, 64, nlayers, kind == RIBBON_BURR);
	opened.plane.kind = kind;
	ribbon_sliced_find(&opened, nondet_uint64(), &code);
}

/*
 * PROVE	ribbon_sliced_find
 * FOR		planes of no layer, or seven, and homogeneous ones
 * UNWIND	11
 * REPLACE	bumps:any_sliced_bumps get_result_bits:any_result_bits
 *			ribbon_zones_locate:any_zone_of ribbon_mulhi:any_mulhi
 *			ribbon_mix:any_mix
 */
void
prove_sliced(void)
{
	if (nondet_bool())
		find_in(0, RIBBON_HOMOGENEOUS);
	else if (nondet_bool())
		find_in(0, RIBBON_BURR);
	else
		find_in(RIBBON_MAX_LAYERS, RIBBON_BURR);
}
