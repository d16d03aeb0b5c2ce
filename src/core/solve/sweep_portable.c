/*
 * sweep_portable.c - one step of a sweep, for every machine
 */
#include "solve/sweep_plain.h"

RIBBON_SWEEP_STEP(ribbon_sweep_block)
