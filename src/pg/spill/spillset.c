/*
 * spillset.c - sets of the core, in memory contexts and spills; and what their
 * files and blocks are called, for other processes
 *
 * A set goes with its context, after an error or when all is well.  Its blocks
 * are given back to the spill then, which lives longer.
 */
#include "spill/spill.h"

#include "libpq/pqformat.h"
#include "server/server.h"
#include "spill/sharedfile.h"

/* Called when the set's context is reset or deleted. */
static void
release_blocks(void *arg)
{
	ribbon_set_release(arg);
}

RibbonSet *
ribbon_spillset_create(MemoryContext context, RibbonElementKind kind)
{
	RibbonEnv env = ribbon_env_create(context);
	MemoryContextCallback *on_reset =
		MemoryContextAllocZero(context, sizeof(MemoryContextCallback));
	RibbonSet *set = MemoryContextAlloc(context, sizeof(RibbonSet));

	*set = ribbon_set_growing(&env, kind);
	on_reset->func = release_blocks;
	on_reset->arg = set;
	MemoryContextRegisterResetCallback(context, on_reset);
	return set;
}

/* Blocks in files that were given away can be shared by another spill. */
static void
adopt_files(RibbonSpill *spill, RibbonSet *other)
{
	RibbonSpill *from = ribbon_spillset_spill(other);
	uint32 nfiles = from->nfiles;
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

/*
 * A set as bytes:
 *
 *	 number of files (uint32), their names (RibbonFileName)
 *	 number of lists of blocks (uint32): 1, or one for each part
 *	 each list: number of blocks (uint32), the blocks (RibbonBlock)
 *
 * as they are in memory.  The process that reads this opens the files, and
 * makes the blocks its own by adding them to its lists.  Bytes that were made
 * up do no harm: files are looked for by these names among those of this
 * query's processes alone.
 */

static void
append_number(StringInfo out, uint32 number)
{
	appendBinaryStringInfo(out, (char *) &number, sizeof(number));
}

static uint32
get_number(StringInfo in)
{
	uint32 number;

	pq_copymsgbytes(in, (char *) &number, sizeof(number));
	return number;
}

RibbonStatus
ribbon_spillset_put(StringInfo out, RibbonSet *set)
{
	RibbonSpill *spill = ribbon_spillset_spill(set);
	RibbonStatus status = ribbon_set_flush(set);
	uint32 nfiles;
	uint32 nlists;

	if (status != RIBBON_OK)
		return status;
	nfiles = spill->nfiles;
	nlists = ribbon_set_nlists(set);
	append_number(out, nfiles);
	for (uint32 i = 0; i < nfiles; i++)
		appendBinaryStringInfo(out, (const char *) ribbon_spill_give(spill, i),
							   sizeof(RibbonFileName));
	append_number(out, nlists);
	for (uint32 i = 0; i < nlists; i++)
	{
		const RibbonBlockList *list = &ribbon_set_lists(set)[i];

		append_number(out, list->nblocks);
		for (uint32 b = 0; b < list->nblocks; b++)
			appendBinaryStringInfo(out, (const char *) &list->blocks[b],
								   sizeof(RibbonBlock));
	}
	ribbon_set_lend(set);
	return RIBBON_OK;
}

/* Add blocks to list i; files[0..nfiles) are their files' numbers here. */
static RibbonStatus
get_list(StringInfo in, RibbonSet *set, uint32 i, const uint32 *files,
		 uint32 nfiles)
{
	RibbonStatus status = RIBBON_OK;

	for (uint32 nblocks = get_number(in); nblocks > 0 && status == RIBBON_OK;
		 nblocks--)
	{
		RibbonBlock block;

		pq_copymsgbytes(in, (char *) &block, sizeof(block));
		if (block.source >= nfiles || block.nwords == 0 ||
			block.nwords > RIBBON_BLOCK_WORDS ||
			block.nwords % ribbon_set_stride(set) != 0)
			return RIBBON_CORRUPT;
		block.source = files[block.source];
		status = ribbon_set_add_block(set, i, &block);
	}
	return status;
}

RibbonStatus
ribbon_spillset_get(StringInfo in, RibbonSet *set)
{
	RibbonSpill *spill = ribbon_spillset_spill(set);
	RibbonStatus status = RIBBON_OK;
	uint32 nfiles = get_number(in);
	uint32 *files;
	uint32 nlists;

	if (nfiles > (uint32) in->len / sizeof(RibbonFileName))
		return RIBBON_CORRUPT;
	files = palloc(Max(nfiles, 1) * sizeof(uint32));
	for (uint32 i = 0; i < nfiles; i++)
	{
		RibbonFileName name;

		pq_copymsgbytes(in, (char *) &name, sizeof(name));
		files[i] = ribbon_spill_adopt(spill, &name);
	}

	ribbon_set_lend(set);
	nlists = get_number(in);
	if (nlists == RIBBON_SET_PARTS)
		status = ribbon_set_split(set);
	if (status == RIBBON_OK && nlists != ribbon_set_nlists(set))
		status = RIBBON_CORRUPT;
	for (uint32 i = 0; i < nlists && status == RIBBON_OK; i++)
		status = get_list(in, set, i, files, nfiles);
	pfree(files);
	return status;
}
