/*
 * probes.c - the kernels' probes
 */
#include "probe/probes.h"

const RibbonProbes *
ribbon_probes(unsigned width)
{
	static const RibbonProbes *const *const kernels[RIBBON_NKERNELS] =
	{ [RIBBON_KERNEL_PORTABLE] = ribbon_probes_portable,
#if defined(__x86_64__)
	  [RIBBON_KERNEL_POPCNT] = ribbon_probes_popcnt,
	  [RIBBON_KERNEL_AVX2] = ribbon_probes_avx2,
	  [RIBBON_KERNEL_AVX512] = ribbon_probes_avx512,
#elif defined(RIBBON_NEON)
	  [RIBBON_KERNEL_NEON] = ribbon_probes_neon,
#endif
	};

	return kernels[ribbon_kernel()][ribbon_width_index(width)];
}
