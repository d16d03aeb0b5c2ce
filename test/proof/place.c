/*
 * place.c - prove that the parts of a plane lie one behind the other, up to
 * its last byte (format/place.h)
 */
#include "format/place.c"

#include "loads.h"

#define FEW_LAYERS	2
#define FEW_SYSTEMS 4

static RibbonPlane plane;

/* What each system takes, the same whenever it is asked. */
#define MAX_PART (UINT64_C(1) << 20)
static uint64_t slots_bytes[FEW_SYSTEMS], thresholds_bytes[FEW_SYSTEMS];

uint64_t
its_slots_bytes(const RibbonSystem *system)
{
	prove(system - plane.systems < FEW_SYSTEMS);
	return slots_bytes[system - plane.systems];
}

uint64_t
its_thresholds_bytes(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	(void) buckets;
	prove(system - plane.systems < FEW_LAYERS);
	return thresholds_bytes[system - plane.systems];
}

/* init_systems */
void
no_geometry(RibbonPlane *of)
{
	(void) of;
}

static uint8_t bytes[RIBBON_MAX_HEADER + 2 * FEW_SYSTEMS * MAX_PART];

/*
 * PROVE	ribbon_place_systems, ribbon_place_bytes,
 *			ribbon_place_thresholds_at, ribbon_place_slots_at
 * FOR		planes of two layers and two zones, each of up to 2^20 bytes
 * UNWIND	6
 * REPLACE	init_systems:no_geometry ribbon_icml_bytes:its_slots_bytes
 *			ribbon_buckets_threshold_bytes:its_thresholds_bytes
 */
void
prove_place(void)
{
	plane.nlayers = FEW_LAYERS;
	plane.nzones[0] = FEW_SYSTEMS - FEW_LAYERS;
	plane.header_bytes = nondet_size();
	assume(plane.header_bytes <= RIBBON_MAX_HEADER);
	for (int i = 0; i < FEW_SYSTEMS; i++)
	{
		slots_bytes[i] = nondet_uint64();
		thresholds_bytes[i] = nondet_uint64();
		assume(slots_bytes[i] <= MAX_PART && thresholds_bytes[i] <= MAX_PART);
	}
	ribbon_place_systems(&plane);
	ribbon_place_bytes(&plane, bytes);
	for (int i = 0; i < FEW_SYSTEMS; i++)
	{
		uint64_t begin = ribbon_place_slots_at(&plane, i);

		prove(begin >= plane.header_bytes);
		prove(begin + slots_bytes[i] <= plane.total_bytes);
		prove(plane.systems[i].slots == bytes + begin);
	}
	for (int i = 0; i < FEW_LAYERS; i++)
	{
		uint64_t begin = ribbon_place_thresholds_at(&plane, i);

		prove(begin + thresholds_bytes[i] <= ribbon_place_slots_at(&plane, 0));
		prove(plane.systems[i].thresholds == bytes + begin);
	}
}
