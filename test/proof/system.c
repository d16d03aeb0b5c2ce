/*
 * system.c - prove the geometry of a system: where its slots lie, and how many
 * bytes they take (format/system.h, format/icml.h)
 */
#include "format/system.c"

#include "systems.h"

#include "format/buckets.c"
#include "format/place.c"

/*
 * PROVE	ribbon_system_init, ribbon_system_set_seed
 * FOR		systems of up to 2^51 slots
 * UNWIND	1
 * REPLACE	ribbon_mulhi:any_mulhi ribbon_mix:any_mix
 */
void
prove_system(void)
{
	RibbonSystem system;
	RibbonResultBits check = {nondet_unsigned(), nondet_unsigned()};
	uint64_t nslots = nondet_uint64();
	unsigned width = any_width();
	unsigned value_bits = nondet_unsigned();
	RibbonSystemKind kind = nondet_bool() ? RIBBON_SYSTEM_ZONE :
		nondet_bool()					  ? RIBBON_SYSTEM_LAYER :
											RIBBON_SYSTEM_HOMOGENEOUS;

	assume(check.bits <= 32 && check.wide <= RIBBON_SHARES);
	assume(value_bits <= RIBBON_MAX_COLUMNS - check.bits - (check.wide > 0));
	assume(nslots <= MAX_SLOTS);
	/* read_layers, and ribbon_plane_is_bare, see to that */
	assume(kind == RIBBON_SYSTEM_ZONE ||
		   (nslots >= (kind == RIBBON_SYSTEM_LAYER ? width : 1) &&
			check.wide < RIBBON_SHARES));
	ribbon_system_init(&system, kind, nslots, width, check, value_bits);
	if (kind == RIBBON_SYSTEM_ZONE)
		ribbon_system_set_seed(&system, nondet_byte() & 15);
	prove(system_contract(&system));
}

/*
 * PROVE	ribbon_system_start
 * FOR		systems of up to 2^51 slots, all hashes
 * UNWIND	1
 * REPLACE	ribbon_mulhi:any_mulhi
 */
void
prove_start(void)
{
	RibbonSystem system = any_system(any_width());

	assume(system.nslots > 0);
	prove(ribbon_system_start(&system, nondet_uint64()) < system.nstarts);
}

/*
 * PROVE	zone_check
 * FOR		all numbers of result bits, before and after they were shrunk
 * UNWIND	1
 */
void
prove_zone_check(void)
{
	static RibbonPlane plane;
	RibbonResultBits narrow, wide;

	plane.check.bits = nondet_unsigned();
	plane.check.wide = nondet_unsigned();
	plane.split = nondet_unsigned();
	assume(plane.check.bits <= 32 && plane.check.wide < RIBBON_SHARES &&
		   plane.split < RIBBON_SHARES);
	narrow = zone_check(&plane, false);
	wide = zone_check(&plane, true);
	prove(narrow.bits == plane.check.bits && narrow.wide < RIBBON_SHARES);
	prove(wide.bits == plane.check.bits && wide.wide <= RIBBON_SHARES);
}
