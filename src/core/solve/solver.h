/*
 * solver.h - from equations to slots, and the kernels that do it
 *
 * The first page of this room.  Each key stands for an equation of a system
 * (format/system.h): its hash says which slots are added up, and its result
 * what they add up to.  Systems are solved so, in the order of a build
 * (construct/planes.h):
 *
 *----------
 *	 supply.h			where the results of keys come from
 *	 band.h, band.c		the equations of a system, at most one for each slot
 *	 sweep.h			a bucket of keys is banded, which may bump some; it says
 *						which of its files does what
 *	 backsubst.h		a band becomes slots; in plain C:
 *						backsubst_template.h, by vectors of bytes:
 *						backsubst_vector_template.h
 *	 dense.h, dense.c	a zone of few keys is solved without a band, as a
 *						matrix, under several seeds at once: dense_template.h
 *	 rate.h, rate.c		the rate of a homogeneous system, when it is solved
 *----------
 *
 * The inner loops of these exist by kernel (base/kernel.h): solver_portable.c,
 * solver_vector.c and solver_avx512.c have a table of them each, of which
 * solver.c knows the one in use.  Loops with vectors use the words of vector.h,
 * as a CPU's vector_*_part.h defines them, and those of band_vector.h.
 *
 * Probes have other words (Lanes, probe/kernel_place.h), since they do other
 * things.  A Vector has bytes of many rows, which are shuffled, transposed and
 * added up; 64 of them are a Line.  Lanes have one hash each, from which places
 * are computed, gathered and masked.  In common they have no more than the type
 * of a register, and how it is loaded.
 */
#ifndef RIBBON_SOLVER_H
#define RIBBON_SOLVER_H

#include "base/kernel.h"
#include "solve/backsubst.h"
#include "solve/dense.h"
#include "solve/sweep_step.h"

typedef struct RibbonSolver
{
	/* by ribbon_width_index, for that ribbon width */
	RibbonSolveLoop *backsubst[3];
	RibbonSweepMakeRows *rows[3];
	/* for all widths */
	RibbonSweepAdvance *advance;
	RibbonDenseSolve *dense;
} RibbonSolver;

/* The loops of the kernel in use. */
extern const RibbonSolver *ribbon_solver(void);

/* The kernels' loops, and back substitution, which some of them share. */
extern const RibbonSolver ribbon_solver_portable;
extern const RibbonSolver ribbon_solver_vector; /* AVX2 or NEON */
extern RibbonStatus ribbon_vector32_backsubst(const RibbonEnv *env,
											  RibbonBacksubst *task);
extern RibbonStatus ribbon_vector64_backsubst(const RibbonEnv *env,
											  RibbonBacksubst *task);
extern RibbonStatus ribbon_vector128_backsubst(const RibbonEnv *env,
											   RibbonBacksubst *task);
#if defined(__x86_64__)
extern const RibbonSolver ribbon_solver_avx512;
#endif

#endif /* RIBBON_SOLVER_H */
