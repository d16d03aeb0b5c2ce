/*
 * kernel.c - prove that probes read a system within its bytes
 * (probe/column.h)
 */
#include "loads.h"
#include "probe/prepare.c"

/*
 * PROVE	ribbon_column_bit
 * FOR		systems of up to 2^20 slots, of one value bit
 * UNWIND	1
 * REPLACE	ribbon_load64:any_load64 ribbon_load_bits:any_load_bits
 *			ribbon_hash_coeff:any_coeff ribbon_parity64:any_parity64
 */
void
prove_column(void)
{
	uint64_t left, start = nondet_uint64();
	RibbonSystem system = any_placed_system(any_width(), &left);

	assume(system.nslots > 0 && system.result_bits == 1 && system.wide == 0);
	system.whole = column_whole(&system, left);
	ribbon_column_bit(&system, nondet_uint64(), start);
}
