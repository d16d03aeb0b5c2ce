/*
 * locate.c - prove that a key's bucket is one of its layer's (probe/locate.h)
 */
#include "loads.h"
#include "probe/prepare.c"

#include "format/buckets.c"

static RibbonOpened opened;

/*
 * A layer, with the four bytes behind its thresholds that slots of 32 bits or
 * more take at least.
 */
static void
bump_of(unsigned width)
{
	RibbonSystem layer = any_system(width);
	uint64_t start = nondet_uint64();
	unsigned scheme = nondet_bool();

	assume(layer.nslots >= width && layer.nslots <= FEWER_SLOTS << 6);
	assume(start < layer.nstarts);
	opened.plane.buckets = ribbon_buckets_of_scheme(width, scheme);
	opened.bucket_mask = (1u << opened.plane.buckets.log2_size) - 1;
	layer.thresholds =
		malloc(ribbon_buckets_threshold_bytes(&layer, &opened.plane.buckets) +
			   4);
	assume(layer.thresholds != NULL);
	ribbon_locate_bumps(&opened, &layer, start, width);
	ribbon_buckets_bump(&layer, &opened.plane.buckets, start);
}

/*
 * PROVE	ribbon_locate_bumps, ribbon_buckets_bump
 * FOR		layers of up to 2^16 slots, each width and scheme
 * UNWIND	1
 * REPLACE	ribbon_load32:any_load32
 */
void
prove_bumps(void)
{
	if (nondet_bool())
		bump_of(32);
	else if (nondet_bool())
		bump_of(64);
	else
		bump_of(128);
}
