/*
 * histogram.h - how many keys of a map have each value
 *
 * Values are told apart by their plain codes (ribbon_core.h).  Each different
 * one has a number, 0 .. n - 1, in ascending order of plain codes.
 */
#ifndef RIBBON_HISTOGRAM_H
#define RIBBON_HISTOGRAM_H

#include "set/set.h"
#include "solve/supply.h"

/* A plain code, and how many keys have it: sorted as a map's record is. */
typedef struct RibbonCounted
{
	uint64_t code;
	uint64_t count;
} RibbonCounted;

typedef struct RibbonHistogram
{
	RibbonSupply plain;	   /* of plain codes, all their bits */
	uint32_t n;			   /* different codes */
	uint32_t most;		   /* room for so many */
	RibbonCounted *values; /* by number */
	uint32_t *slots;	   /* number + 1 of a code by its hash, 0 is empty */
	unsigned shift;		   /* from a hash to a slot */
	uint32_t mask;		   /* slots less one */
	unsigned attempt;	   /* which hash */
} RibbonHistogram;

/*
 * Count the records, which are sorted and distinct.  ribbon_histogram_free is
 * to be called after a failure too.  Errors: RIBBON_TOO_MANY (more than
 * RIBBON_MAX_CODES different codes), RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED,
 * those of files.
 */
extern RibbonStatus ribbon_histogram_create(const RibbonEnv *env,
											RibbonHistogram *histogram,
											const RibbonValues *values,
											const RibbonSet *records);
extern void ribbon_histogram_free(const RibbonEnv *env,
								  RibbonHistogram *histogram);

/* The number of a plain code that has been counted. */
extern uint32_t ribbon_histogram_find(const RibbonHistogram *histogram,
									  uint64_t code);

#endif /* RIBBON_HISTOGRAM_H */
