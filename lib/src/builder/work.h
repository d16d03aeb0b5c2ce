/*
 * work.h - what the core asks of its caller: memory, threads, progress
 */
#ifndef RIBBON_LIB_WORK_H
#define RIBBON_LIB_WORK_H

#include "src/internal.h"

/* A long call: who is told how far it is, and whether it is to end. */
typedef struct RibbonWork
{
	ribbon_progress progress; /* or NULL */
	void *progress_arg;
	unsigned nthreads; /* at most; until it begins, 0: as many as cores */
	double share;	   /* done */
	double begin;	   /* of what is done now: begin + span is its end */
	double span;
	bool cancelled; /* read and written atomically while threads run */
} RibbonWork;

/* What the core is given; work must stay. */
extern RibbonEnv ribbon_work_env(RibbonWork *work);

#endif /* RIBBON_LIB_WORK_H */
