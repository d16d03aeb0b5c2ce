/*
 * check.c - prove that a value is checked within its bytes (format/check.c)
 */
#include "format/check.c"

#include "format/buckets.c"
#include "format/codes.c"
#include "format/rate.c"
#include "loads.h"

#define FEW_BUCKETS 4

static bool
any_interrupt(void *arg)
{
	(void) arg;
	return nondet_bool();
}

static void
check_layer_of(unsigned width)
{
	RibbonEnv env = {.interrupted = any_interrupt};
	RibbonSystem layer = any_system(width);
	RibbonPlane plane;

	plane.nlayers = 1;
	plane.buckets = ribbon_buckets_of_scheme((int) width, nondet_bool());
	assume(layer.nslots >= width);
	assume(ribbon_buckets_count(&layer, &plane.buckets) <= FEW_BUCKETS);
	layer.thresholds = malloc(ribbon_buckets_threshold_bytes(&layer,
															 &plane.buckets));
	assume(layer.thresholds != NULL);
	plane.systems[0] = layer;
	check_layer(&env, &plane, 0);
}

/*
 * PROVE	check_layer
 * FOR		layers of up to four buckets, each width and scheme
 * UNWIND	5
 */
void
prove_check_layer(void)
{
	if (nondet_bool())
		check_layer_of(32);
	else if (nondet_bool())
		check_layer_of(64);
	else
		check_layer_of(128);
}

/*
 * PROVE	check_padding
 * FOR		systems of up to 2^10 slots, of up to 8 columns
 * UNWIND	1
 */
void
prove_check_padding(void)
{
	RibbonSystem system = any_system(any_width());

	assume(system.nslots <= FEWER_SLOTS);
	assume(system.result_bits + (system.wide > 0) <= FEWER_COLUMNS);
	system.slots = malloc(ribbon_icml_bytes(&system));
	assume(system.slots != NULL);
	check_padding(&system);
}

/*
 * PROVE	ribbon_codes_check
 * FOR		up to 3 codes of up to 2 lengths
 * UNWIND	4
 * REPLACE	ribbon_load_bits:any_load_bits
 */
void
prove_codes_check(void)
{
	RibbonCodes codes;

	codes.front = nondet_bool();
	assume(codes_contract(&codes) && codes.nlevels <= 2 && codes.ncodes <= 3);
	for (unsigned i = 0; i < 2; i++)
		assume(i >= codes.nlevels || level_contract(&codes, i));
	codes.table = malloc(ribbon_codes_table_bytes(&codes));
	assume(codes.table != NULL);
	ribbon_codes_check(&codes);
}

static void
rows_of(unsigned width)
{
	Count count;
	Rows rows;
	RibbonSystem system;
	uint64_t slot = nondet_uint64();
	unsigned n = nondet_unsigned();

	system.width = (uint8_t) width;
	system.result_bits = 1;
	assume(system_contract(&system) && system.nslots > 0 &&
		   system.nslots <= FEWER_SLOTS);
	assume(slot < system.nslots && n >= 1 && n <= system.nslots - slot &&
		   n <= system.row_bits);
	system.slots = malloc(ribbon_icml_bytes(&system));
	assume(system.slots != NULL);
	count.system = &system;
	count.result_bits = 1 + (slot / width >= system.wide_block);
	load_rows(&count, slot, n, &rows);
}

/*
 * PROVE	load_rows, by which a homogeneous filter's rate is counted
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	3
 * REPLACE	ribbon_load64:any_load64 ribbon_load_bits:any_load_bits
 */
void
prove_rows(void)
{
	if (nondet_bool())
		rows_of(32);
	else if (nondet_bool())
		rows_of(64);
	else
		rows_of(128);
}
