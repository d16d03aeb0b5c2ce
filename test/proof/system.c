/*
 * system.c - prove the geometry of a system: where its slots lie, and how many
 * bytes they take (format/system.h, format/icml.h)
 */
#include "format/system.c"

#include "systems.h"

#include "format/buckets.c"
#include "format/place.c"

/*
 * PROVE	ribbon_system_init, ribbon_system_init_zone,
 *			ribbon_system_insert_value
 * FOR		systems of up to 2^51 slots
 * UNWIND	1
 * REPLACE	ribbon_mulhi:any_mulhi ribbon_mix:any_mix
 */
void
prove_system(void)
{
	RibbonSystem system;
	RibbonResultBits result_bits = {nondet_unsigned(), nondet_unsigned()};
	uint64_t nslots = nondet_uint64();
	unsigned width = any_width();
	unsigned value_bits = nondet_unsigned();

	assume(result_bits.bits <= 33 && result_bits.wide < RIBBON_SHARES);
	assume(nslots <= MAX_SLOTS);
	if (nondet_bool())
		ribbon_system_init_zone(&system, nslots, width, nondet_byte() & 15,
								result_bits);
	else
	{
		bool bumped = nondet_bool();

		/* read_layers, and ribbon_plane_is_bare, see to that */
		assume(nslots >= (bumped ? width : 1));
		ribbon_system_init(&system, nslots, width, bumped, result_bits);
	}
	if (nondet_bool())
	{
		unsigned checks = result_bits.bits -
			(result_bits.bits > 0 && nondet_bool());

		assume(value_bits <=
			   RIBBON_MAX_COLUMNS - result_bits.bits - (result_bits.wide > 0));
		ribbon_system_insert_value(&system, checks, value_bits);
	}
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
 * PROVE	zone_columns
 * FOR		all numbers of result bits, before and after they were shrunk
 * UNWIND	1
 */
void
prove_zone_columns(void)
{
	static RibbonPlane plane;
	RibbonResultBits columns[2];

	plane.check.bits = nondet_unsigned();
	plane.check.wide = nondet_unsigned();
	plane.split = nondet_unsigned();
	assume(plane.check.bits <= 32 && plane.check.wide < RIBBON_SHARES &&
		   plane.split < RIBBON_SHARES);
	zone_columns(&plane, columns);
	prove(columns[0].bits == plane.check.bits &&
		  columns[0].wide < RIBBON_SHARES);
	prove(columns[1].bits <= 33 && columns[1].wide < RIBBON_SHARES);
	prove(plane.check.wide == 0 ||
		  columns[1].bits + (columns[1].wide > 0) <= plane.check.bits + 1);
}
