/*
 * spillset.c - sets of the core, in memory contexts and spills
 *
 * A set's memory is its context's.  After an error, which is thrown through the
 * core (env.c), the set goes with that, as it does when all is well; a callback
 * gives its blocks back to the spill then, which lives longer.
 */
#include "spill/files.h"

#include "utils/memutils.h"

/* Called when the set's context is reset or deleted. */
static void
release_blocks(void *arg)
{
	ribbon_set_release(arg);
}

RibbonSet *
ribbon_spillset_create(MemoryContext context, RibbonSpill *spill,
					   RibbonElementKind kind)
{
	RibbonEnv env = ribbon_env_of_context(context);
	MemoryContextCallback *on_reset =
		MemoryContextAllocZero(context, sizeof(MemoryContextCallback));
	RibbonSet *set = MemoryContextAlloc(context, sizeof(RibbonSet));

	*set = ribbon_set_in_file(&env, (RibbonFile *) spill, kind);
	on_reset->func = release_blocks;
	on_reset->arg = set;
	MemoryContextRegisterResetCallback(context, on_reset);
	return set;
}

RibbonSpill *
ribbon_spillset_spill(const RibbonSet *set)
{
	return (RibbonSpill *) set->file;
}

/* Blocks in files that were given away can be shared by another spill. */
static void
adopt_files(RibbonSpill *spill, RibbonSet *other)
{
	RibbonSpill *from = ribbon_spillset_spill(other);
	uint32 nfiles = ribbon_spill_nfiles(from);
	uint32 *files = palloc(nfiles * sizeof(uint32));

	files[0] = 0; /* none is in the file that it would write */
	for (uint32 i = 1; i < nfiles; i++)
		files[i] = ribbon_spill_adopt(spill, ribbon_spill_give(from, i));
	ribbon_set_refile(other, (RibbonFile *) spill, files);
	pfree(files);
}

RibbonStatus
ribbon_spillset_absorb(RibbonSet *set, RibbonSet *other)
{
	RibbonSpill *spill = ribbon_spillset_spill(set);

	if (spill != ribbon_spillset_spill(other) && other->lent)
		adopt_files(spill, other);
	return ribbon_set_absorb(set, other);
}
