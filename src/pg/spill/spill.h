/*
 * spill.h - where sets of hashes, or of records, are that do not fit in memory
 *
 *	 aggregate/ --hashes--> set, of the core --blocks--> spill.c
 *	 other processes <--names of files, lists of blocks--> spillset.c
 *
 * A set (set/set.h) is in blocks of temporary files.  The files belong to a
 * spill (spill.c), which is what the core calls a file: it writes one, and
 * reads others.  All groups of a plan share a spill, or two if states go from
 * one of its nodes to another; a state that another extension holds has one of
 * its own.  A set can be given to another process; the files of parallel
 * workers outlive their processes.  sharedfile.c says how they are named and
 * found, and when they are removed.
 *
 * A function of a set may throw from within the core, for its memory and its
 * file are the server's.  Nothing is to be done then: the set's context gives
 * its blocks back when it is reset (spillset.c).
 */
#ifndef RIBBON_SPILL_H
#define RIBBON_SPILL_H

#include "ribbon_pg.h"

#include "lib/stringinfo.h"
#include "set/set.h"

struct RibbonFileName; /* sharedfile.h */

/*
 * spill.c: the files of sets, cut into blocks of 32 kB.
 */
typedef struct RibbonSpill
{
	RibbonFile base; /* how the core sees it; first, as it is cast */
	MemoryContext context;
	MemoryContextCallback on_reset;
	bool shared;					/* its own file can be given away */
	struct RibbonSpillFile **files; /* by number; the first is its own, which
									 * may not be open yet */
	uint32 nfiles;
} RibbonSpill;

/*
 * Make a spill in a memory context.  When the context is reset or deleted, its
 * files are closed, and deleted unless they were given away.  If shared, the
 * file that it writes can be given to other processes.
 */
extern RibbonSpill *ribbon_spill_create(MemoryContext context, bool shared);

/* The one in this context that is shared, or not; made if there is none. */
extern RibbonSpill *ribbon_spill_of(MemoryContext context, bool shared);

/*
 * Give a file of a shared spill, or one that was adopted, to another process,
 * which deletes it in the end: returns the name to be sent.
 */
extern const struct RibbonFileName *ribbon_spill_give(RibbonSpill *spill,
													  uint32 file);

/*
 * Open a file that another process has given, unless it is open.  Returns its
 * number in this spill.
 */
extern uint32 ribbon_spill_adopt(RibbonSpill *spill,
								 const struct RibbonFileName *name);

/* Have files closed and deleted that errors leave.  Once in a process. */
extern void ribbon_spill_init(void);

/*
 * spillset.c: sets in a spill.
 */

/*
 * An empty set, in memory.  Once it is in a spill, it gives its blocks back
 * when its context is reset.
 */
extern RibbonSet *ribbon_spillset_create(MemoryContext context,
										 RibbonElementKind kind);

/* The spill that a set is in. */
static inline RibbonSpill *
ribbon_spillset_spill(const RibbonSet *set)
{
	return (RibbonSpill *) set->file;
}

/*
 * Add all elements of another set.  If its blocks can be read here, they are
 * taken over, and the other set is empty then; else they are copied.  Returns
 * what ribbon_set_absorb does.
 */
extern RibbonStatus ribbon_spillset_absorb(RibbonSet *set, RibbonSet *other);

/* Give the files of a set of a shared spill away, and append their names. */
extern RibbonStatus ribbon_spillset_put(StringInfo out, RibbonSet *set);

/* Have an empty set share them.  RIBBON_CORRUPT: they are no such set's. */
extern RibbonStatus ribbon_spillset_get(StringInfo in, RibbonSet *set);

#endif /* RIBBON_SPILL_H */
