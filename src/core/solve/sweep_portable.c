/*
 * sweep_portable.c - eight slots of a sweep, for every machine
 */
#include "solve/sweep_plain.h"

size_t
ribbon_sweep_block(RibbonSweep *sweep, size_t begin, size_t n, size_t out,
				   bool *failed)
{
	return step_any(sweep, begin, n, out, failed);
}
