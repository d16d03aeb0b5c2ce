/*
 * kernel_portable.c - the inner loops in plain C, for every machine
 */
#include "icml.h"
#include "kernel.h"
#include "sweep_step.h"

#define KERNEL_TARGET
#include "kernel_scalar.h"

const RibbonKernel ribbon_kernel_portable = {
	"portable",
	{probe32_loop, probe64_loop, probe128_loop},
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	{ribbon_sweep32_advance, ribbon_sweep64_advance, ribbon_sweep128_advance},
};
