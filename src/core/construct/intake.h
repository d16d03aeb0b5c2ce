/*
 * intake.h - the hashes of a system are read window by window, and looked at
 *
 * Hashes of which one window has too many, or that cluster (cluster.c), are
 * suspicious.  That holds for hashes in an array, too, since a filter's bytes
 * must not depend on where its hashes were.
 */
#ifndef RIBBON_INTAKE_H
#define RIBBON_INTAKE_H

#include "construct/cut.h"
#include "set/read.h"

typedef struct RibbonIntake
{
	const RibbonCut *cut;
	const RibbonSet *hashes;
	bool accept_clustered; /* nothing is suspicious */
	uint64_t most;		   /* hashes of a window, by chance */
	uint64_t nread;		   /* so far */
} RibbonIntake;

/* Begin to read; cut and hashes are used until the end. */
extern RibbonIntake ribbon_intake(const RibbonCut *cut, const RibbonSet *hashes,
								  bool accept_clustered);

/*
 * Set range, which has room for intake->most hashes (ribbon_set_make_room),
 * to the hashes of window g.  Errors: RIBBON_SUSPICIOUS (salt.h),
 * RIBBON_OUT_OF_MEMORY, those of files.
 */
extern RibbonStatus ribbon_intake_read(const RibbonEnv *env,
									   RibbonIntake *intake, uint64_t g,
									   RibbonSetRange *range);

/* All windows have been read: RIBBON_BAD_FILE if those were not all hashes. */
extern RibbonStatus ribbon_intake_end(const RibbonIntake *intake);

#endif /* RIBBON_INTAKE_H */
