/*
 * cpu.h - what the CPU can do, and the operating system lets us use
 */
#ifndef RIBBON_CPU_H
#define RIBBON_CPU_H

#include <stdbool.h>

typedef struct RibbonCpu
{
	bool popcnt;
	bool avx2;	 /* and BMI2, which came with it */
	bool avx512; /* F, VL, BW, DQ, VBMI2 and VPOPCNTDQ */
} RibbonCpu;

extern RibbonCpu ribbon_cpu_detect(void);

#endif /* RIBBON_CPU_H */
