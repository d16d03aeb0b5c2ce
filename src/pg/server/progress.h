/*
 * progress.h - how far is a build, and what does it wait for?
 *
 * Nothing throws but ribbon_wait_event.
 */
#ifndef RIBBON_PROGRESS_H
#define RIBBON_PROGRESS_H

#include "ribbon_pg.h"

#include "utils/backend_status.h"

/* Once per process: at the end of a transaction, the display shall end. */
extern void ribbon_progress_init(void);

/* What a build does, in this order. */
typedef enum RibbonPhase
{
	RIBBON_COLLECTING,
	RIBBON_SORTING,
	RIBBON_SOLVING
} RibbonPhase;

/*
 * For the state of this aggregate so many keys have come, with duplicates.  The
 * work that follows, up to ribbon_progress_end, is shown as its build.
 */
extern void ribbon_progress_collected(int aggregate, uint64_t nkeys);

/* A share (0 .. 1) of a phase is done; of a layer (1, 2, ...) if solving. */
extern void ribbon_progress_report(RibbonPhase phase, int layer, double share);

/* The work is done. */
extern void ribbon_progress_end(void);

/* This process' temporary files have grown by so much, or shrunk. */
extern void ribbon_progress_spilled(int64_t nbytes);

/* The numbers that a process shows while it builds. */
enum
{
	RIBBON_SHOWN_AGGREGATE, /* its number */
	RIBBON_SHOWN_PHASE,
	RIBBON_SHOWN_KEYS_READ,
	RIBBON_SHOWN_KEYS_SOLVED,
	RIBBON_SHOWN_LAYER, /* from 1 on; 0 before */
	RIBBON_SHOWN_SHARE, /* of the phase, in these: */
	RIBBON_SHOWN_TEMP_BYTES,
	RIBBON_SHOWN_NUMBERS
};
#define RIBBON_SHOWN_WHOLE 1000000

/*
 * Those of a process that has this entry, whose library may be another
 * version's; NULL if it does not build.
 */
extern const int64 *ribbon_progress_shown(const PgBackendStatus *entry);

/* What a build may have to wait for. */
typedef enum RibbonWait
{
	RIBBON_WAIT_READ,	/* temporary files */
	RIBBON_WAIT_WRITE,	/* them, too */
	RIBBON_WAIT_THREADS /* other threads that work on a build */
} RibbonWait;

/* The event, for pgstat_report_wait_start and FileRead.  May throw. */
extern uint32 ribbon_wait_event(RibbonWait wait);

#endif /* RIBBON_PROGRESS_H */
