/*
 * slots.c - prove that strings of bits are read within their bytes
 * (base/bits.h)
 */
#include "loads.h"

/*
 * PROVE	ribbon_load_bits
 * FOR		up to 64 bits, in up to 2^26 bytes
 * UNWIND	9
 * REPLACE	ribbon_load64:any_load64
 */
void
prove_load_bits(void)
{
	uint64_t at = nondet_uint64();
	unsigned n = nondet_unsigned();
	const uint8_t *bytes;

	assume(n <= 64 && at < UINT64_C(1) << 29);
	bytes = malloc((at + n + 7) / 8);
	assume(bytes != NULL);
	prove(ribbon_load_bits(bytes, at, n) <= ribbon_low_mask(n));
}
