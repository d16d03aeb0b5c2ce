/*
 * sweep_portable.c - eight slots of a sweep, for every machine
 */
#include "sweep_plain.h"

bool
ribbon_sweep32_advance(RibbonSweep *sweep)
{
	return advance(sweep, 32);
}

bool
ribbon_sweep64_advance(RibbonSweep *sweep)
{
	return advance(sweep, 64);
}

bool
ribbon_sweep128_advance(RibbonSweep *sweep)
{
	return advance(sweep, 128);
}
