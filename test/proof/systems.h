/*
 * systems.h - contracts of systems (see contracts.h)
 */
#ifndef RIBBON_SYSTEMS_H
#define RIBBON_SYSTEMS_H

#include "bodies.h"
#include "format/icml.h"

/*
 * ribbon_mulhi: a < 2^64, so a b / 2^64 < b.  (CBMC does not prove this, nor
 * that the product grows with a, which any_start assumes.)
 */
uint64_t
any_mulhi(uint64_t a, uint64_t b)
{
	uint64_t result = nondet_uint64();

	(void) a;
	assume(b == 0 ? result == 0 : result < b);
	return result;
}

/* ribbon_mix, and all that is made of hashes: any number */
uint64_t
any_mix(uint64_t hash)
{
	(void) hash;
	return nondet_uint64();
}

static inline unsigned
any_width(void)
{
	return nondet_bool() ? 32 : nondet_bool() ? 64 : 128;
}

/* ribbon_place_systems: the geometry of each system */
static inline bool
system_contract(const RibbonSystem *system)
{
	unsigned wide = system->wide > 0;

	if ((system->width != 32 && system->width != 64 && system->width != 128) ||
		system->nslots > MAX_SLOTS ||
		system->row_bits != ribbon_min64(system->width, system->nslots) ||
		system->ncolumns + wide > RIBBON_MAX_COLUMNS ||
		system->groups != (system->ncolumns + wide + 7) / 8 ||
		system->check_bits + system->value_bits > system->ncolumns + 0u ||
		system->check_bits + system->value_bits + 1u < system->ncolumns ||
		system->smash > 63)
		return false;
	if (system->nslots == 0)
		return system->nstarts == 0 && system->range == 0 &&
			system->smash == 0 && system->wide_block == RIBBON_NO_BLOCK;
	return system->nstarts == system->nslots - system->row_bits + 1 &&
		system->range == system->nstarts + 2 * system->smash &&
		(system->wide == 0 ?
			 system->wide_block == RIBBON_NO_BLOCK &&
				 system->last_narrow == UINT64_MAX :
			 system->wide_block <= (system->nstarts - 1) / system->width);
}

static inline RibbonSystem
any_system(unsigned width)
{
	RibbonSystem system;

	system.width = (uint8_t) width;
	assume(system_contract(&system));
	return system;
}

/*
 * Where a hash may start.  ribbon_mulhi grows with the hash, so that one of a
 * wide key is in a wide block; smash may make it too large.
 */
static inline uint64_t
any_start(const RibbonSystem *system, uint64_t hash)
{
	uint64_t start = nondet_uint64();

	assume(start <= system->range);
	assume(hash <= system->last_narrow ||
		   start / system->width >= system->wide_block);
	return start;
}

/*
 * An opened plane of so many layers, and one zone or two, of which the second
 * is wide.  (Which zone it is makes no difference to what follows, nor does
 * what a zone multiplies hashes with, which are any numbers.)
 */
static inline void
any_plane(RibbonPlane *plane, unsigned width, unsigned nlayers, bool wide)
{
	plane->width = width;
	plane->nkeys = 1;
	plane->check.bits = plane->value_bits == 0;
	plane->nlayers = nlayers;
	plane->nzones[0] = 1;
	plane->nzones[1] = wide;
	plane->split = wide ? RIBBON_SHARES / 2 : 0;
	plane->rotation = nondet_unsigned();
	plane->salted = nondet_bool();
	assume(plane->rotation < RIBBON_ROTATIONS);
	for (unsigned i = 0; i < nlayers + 1 + wide; i++)
	{
		RibbonSystem system;

		assume(system.check_bits + system.value_bits <= RIBBON_MAX_COLUMNS &&
			   system.ncolumns <= RIBBON_MAX_COLUMNS);
		assume(system.nslots <= MAX_SLOTS && system.smash <= 63);
		assume(system.nslots == 0 ?
				   i >= nlayers && system.nstarts == 0 && system.range == 0 &&
					   system.smash == 0 && system.whole == 0 :
				   system.nstarts >= 1 && system.nstarts <= system.nslots &&
					   system.whole <= system.nstarts &&
					   system.range == system.nstarts + 2 * system.smash);
		system.factor = 1;
		plane->systems[i] = system;
	}
}

/* ribbon_zones_locate: see any_plane */
uint64_t
any_zone(const RibbonPlane *plane)
{
	return plane->nlayers + (plane->nzones[1] > 0);
}

#endif /* RIBBON_SYSTEMS_H */
