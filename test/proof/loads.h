/*
 * loads.h - contracts of what reads a system's bytes (contracts.h says what
 * these are)
 *
 * Each proves that the bytes may be read, and then returns anything.
 */
#ifndef RIBBON_LOADS_H
#define RIBBON_LOADS_H

#include "systems.h"

#include <stdlib.h>

uint32_t
any_load32(const uint8_t *p)
{
	prove(__CPROVER_r_ok(p, 4));
	return nondet_unsigned();
}

uint64_t
any_load64(const uint8_t *p)
{
	prove(__CPROVER_r_ok(p, 8));
	return nondet_uint64();
}

/* ribbon_load_bits */
uint64_t
any_load_bits(const uint8_t *p, uint64_t at, unsigned n)
{
	uint64_t result = nondet_uint64();

	prove(n <= 64);
	prove(n == 0 || __CPROVER_r_ok(p, (at + n + 7) / 8));
	assume(result <= ribbon_low_mask(n));
	return result;
}

/* ribbon_hash_coeff, ribbon_hash_fingerprint */
uint64_t
any_coeff(uint64_t hash, uint64_t multiplier)
{
	(void) multiplier;
	return any_mix(hash);
}

uint32_t
any_fingerprint(uint64_t hash)
{
	return (uint32_t) any_mix(hash);
}

/* ribbon_parity32, ribbon_parity64, which are GCC's */
uint32_t
any_parity32(uint32_t x)
{
	(void) x;
	return nondet_bool();
}

uint32_t
any_parity64(uint64_t x)
{
	(void) x;
	return nondet_bool();
}

/* A system whose slots are in memory, with any number of bytes behind them. */
#define FEWER_SLOTS	  (UINT64_C(1) << 10)
#define FEWER_COLUMNS 8

static inline RibbonSystem
any_placed_system(unsigned width, uint64_t *left)
{
	RibbonSystem system = any_system(width);

	assume(system.nslots <= FEWER_SLOTS);
	assume(system.ncolumns + (system.wide > 0) <= FEWER_COLUMNS);
	*left = nondet_uint64();
	assume(*left >= ribbon_icml_bytes(&system) && *left < FEWER_SLOTS << 4);
	system.slots = malloc(*left);
	assume(system.slots != NULL);
	return system;
}

#endif /* RIBBON_LOADS_H */
