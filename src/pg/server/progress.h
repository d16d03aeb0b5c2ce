/*
 * progress.h - what a build shows of itself in shared memory
 *
 * Shared by progress.c, which writes it, and progressview.c, which reads it.
 */
#ifndef RIBBON_PROGRESS_H
#define RIBBON_PROGRESS_H

#include "utils/backend_progress.h"

/* No command of the server has this number: the letters "ribb". */
#define RIBBON_PROGRESS_COMMAND ((ProgressCommandType) 0x72696262)

/* The numbers of its entry. */
enum
{
	RIBBON_PROGRESS_MAP, /* 1: ribbon_map; 0: ribbon_build */
	RIBBON_PROGRESS_PHASE,
	RIBBON_PROGRESS_KEYS_READ,
	RIBBON_PROGRESS_KEYS_SOLVED,
	RIBBON_PROGRESS_LAYER, /* from 1 on; 0 before */
	RIBBON_PROGRESS_SHARE, /* of the phase, in these: */
	RIBBON_PROGRESS_TEMP_BYTES,
	RIBBON_PROGRESS_NUMBERS
};
#define RIBBON_PROGRESS_WHOLE 1000000

#endif /* RIBBON_PROGRESS_H */
