/*
 * backsubst.c - back substitution, from a band straight into ICML blocks
 */
#include "solve/backsubst.h"

#include "probe/kernel.h"

RibbonStatus
ribbon_backsubst(const RibbonEnv *env, RibbonBacksubst *run)
{
	return ribbon_kernel()->solve[ribbon_kernel_index(run->system->width)](env,
																		   run);
}
