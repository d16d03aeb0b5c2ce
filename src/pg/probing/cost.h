/*
 * cost.h - what a probe costs, for all who reckon with it
 *
 *	 planner/support.c	is told to the planner, in comparisons of integers
 *	 scan/path.c		what a scan by the page saves of it
 *	 storedcache.c		adds up probes in slices, in chunks, until it pays to
 *						read the datum
 *
 * All are guesses near the times of test/bench/sql_probe.py: 25 ns for a
 * comparison, 0.3 us for a chunk that is read as part of a whole datum, and 2.5
 * us, as for 8 chunks, for a datum that is opened and probed in slices.
 */
#ifndef RIBBON_COST_H
#define RIBBON_COST_H

#include "base/power.h"

/* In comparisons: to look a value up once more, which is in the CPU's cache. */
#define RIBBON_COST_VALUE 4

/* What a probe takes among many, of its time by itself. */
#define RIBBON_COST_BATCH_SHARE 0.25

/* In chunks of a whole datum: to open a stored one, and a probe in slices. */
#define RIBBON_COST_OPEN_CHUNKS	 4
#define RIBBON_COST_PROBE_CHUNKS 4

/* A chunk: its bytes, and in comparisons. */
#define RIBBON_COST_CHUNK_BYTES 2000
#define RIBBON_COST_CHUNK		12.5

/* In comparisons: to open a stored datum and probe it once in slices. */
#define RIBBON_COST_SLICES \
	(RIBBON_COST_CHUNK * (RIBBON_COST_OPEN_CHUNKS + RIBBON_COST_PROBE_CHUNKS))

/* In comparisons: to read a datum of so many bytes whole. */
static inline double
ribbon_cost_of_reading(double nbytes)
{
	return nbytes / RIBBON_COST_CHUNK_BYTES * RIBBON_COST_CHUNK;
}

/*
 * In comparisons: to probe a filter of so many bytes in memory.  One of 10 MB,
 * which is doubled 7 times from what a cache near the CPU has room for, waits
 * for 70 ns; three doublings cost one comparison more.
 */
static inline double
ribbon_cost_of_probe(double nbytes)
{
	return 2 + ribbon_log2(1 + nbytes / 65536) / 3;
}

#endif /* RIBBON_COST_H */
