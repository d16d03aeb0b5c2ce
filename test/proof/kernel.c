/*
 * kernel.c - prove that the portable kernel reads a system within its bytes,
 * from any start on (probe/at_template.h, probe/kernel_slots.h)
 */
#include "loads.h"
#include "probe/kernel_portable.c"
#include "probe/prepare.c"

/*
 * Any start in any system of so many columns, which has been prepared as
 * ribbon_prepare does.  (What is constant makes products easy.)
 */
static void
find_among(unsigned width, unsigned columns, RibbonFindAt *find)
{
	uint64_t left = nondet_uint64();
	uint64_t hash = nondet_uint64();
	uint64_t code;
	RibbonSystem system;

	system.width = (uint8_t) width;
	system.ncolumns = (uint8_t) columns;
	assume(system_contract(&system) && system.nslots <= FEWER_SLOTS);
	assume(left >= ribbon_icml_bytes(&system) && left < FEWER_SLOTS << 4);
	system.slots = malloc(left);
	assume(system.slots != NULL);
	system.whole = blocks_whole(&system, left);
	find(&system, hash, any_start(&system, hash), &code);
}

/*
 * PROVE	the portable kernel: find at any start, w = 32
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	9
 * REPLACE	ribbon_load32:any_load32 ribbon_load64:any_load64
 *			ribbon_load_bits:any_load_bits ribbon_hash_coeff:any_coeff
 *			ribbon_hash_fingerprint:any_fingerprint
 *			ribbon_parity32:any_parity32 ribbon_parity64:any_parity64
 */
void
prove_find32(void)
{
	find_among(32, 1, at32_find);
}

/*
 * PROVE	the portable kernel: find at any start, w = 64
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	9
 * REPLACE	ribbon_load32:any_load32 ribbon_load64:any_load64
 *			ribbon_load_bits:any_load_bits ribbon_hash_coeff:any_coeff
 *			ribbon_hash_fingerprint:any_fingerprint
 *			ribbon_parity32:any_parity32 ribbon_parity64:any_parity64
 */
void
prove_find64(void)
{
	find_among(64, 1, at64_find);
}

/*
 * PROVE	the portable kernel: find at any start, w = 128
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	9
 * REPLACE	ribbon_load32:any_load32 ribbon_load64:any_load64
 *			ribbon_load_bits:any_load_bits ribbon_hash_coeff:any_coeff
 *			ribbon_hash_fingerprint:any_fingerprint
 *			ribbon_parity32:any_parity32 ribbon_parity64:any_parity64
 */
void
prove_find128(void)
{
	find_among(128, 1, at128_find);
}

/*
 * PROVE	ribbon_column_bit
 * FOR		systems of up to 2^10 slots, of one value bit
 * UNWIND	1
 * REPLACE	ribbon_load64:any_load64 ribbon_load_bits:any_load_bits
 *			ribbon_hash_coeff:any_coeff ribbon_parity64:any_parity64
 */
void
prove_column(void)
{
	uint64_t left, start = nondet_uint64();
	RibbonSystem system = any_placed_system(any_width(), &left);

	assume(system.nslots > 0 && system.ncolumns == 1 && system.wide == 0);
	system.whole = column_whole(&system, left);
	ribbon_column_bit(&system, nondet_uint64(), start);
}

static void
whole_of(unsigned width)
{
	RibbonSystem system = any_system(width);
	uint64_t left = nondet_uint64();

	prove(blocks_whole(&system, left) <= system.nstarts);
	prove(column_whole(&system, left) <= system.nstarts);
}

/*
 * PROVE	blocks_whole, column_whole: there are as many starts
 * FOR		systems of up to 2^51 slots
 * UNWIND	1
 */
void
prove_whole(void)
{
	if (nondet_bool())
		whole_of(32);
	else if (nondet_bool())
		whole_of(64);
	else
		whole_of(128);
}
