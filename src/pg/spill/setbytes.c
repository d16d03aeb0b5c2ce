/*
 * setbytes.c - what a set's files and blocks are called, for another
 * process
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
#include "spill/files.h"

#include "libpq/pqformat.h"

static void
put_number(StringInfo out, uint32 number)
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

void
ribbon_setbytes_put(StringInfo out, RibbonSet *set)
{
	RibbonSpill *spill = ribbon_spillset_spill(set);
	uint32 nfiles = ribbon_spill_nfiles(spill);
	uint32 nlists = ribbon_set_nlists(set);

	put_number(out, nfiles);
	for (uint32 i = 0; i < nfiles; i++)
		appendBinaryStringInfo(out, (const char *) ribbon_spill_give(spill, i),
							   sizeof(RibbonFileName));
	put_number(out, nlists);
	for (uint32 i = 0; i < nlists; i++)
	{
		const RibbonBlockList *list = &ribbon_set_lists(set)[i];

		put_number(out, list->nblocks);
		for (uint32 b = 0; b < list->nblocks; b++)
			appendBinaryStringInfo(out, (const char *) &list->blocks[b],
								   sizeof(RibbonBlock));
	}
	set->lent = true;
}

/* Add blocks to list i; files[0..nfiles) are their files' numbers here. */
static bool
get_list(StringInfo in, RibbonSet *set, uint32 i, const uint32 *files,
		 uint32 nfiles)
{
	for (uint32 nblocks = get_number(in); nblocks > 0; nblocks--)
	{
		RibbonBlock block;
		RibbonStatus status;

		pq_copymsgbytes(in, (char *) &block, sizeof(block));
		if (block.source >= nfiles || block.nwords == 0 ||
			block.nwords > RIBBON_BLOCK_WORDS ||
			block.nwords % ribbon_set_words(set) != 0)
			return false;
		block.source = files[block.source];
		status = ribbon_set_take(set, i, &block);
		if (status != RIBBON_OK)
			ribbon_error_throw(RIBBON_SQL_FILTER, status);
	}
	return true;
}

bool
ribbon_setbytes_get(StringInfo in, RibbonSet *set)
{
	RibbonSpill *spill = ribbon_spillset_spill(set);
	uint32 nfiles = get_number(in);
	RibbonStatus status = RIBBON_OK;
	uint32 *files;
	uint32 nlists;
	bool valid = true;

	if (nfiles > (uint32) in->len / sizeof(RibbonFileName))
		return false;
	files = palloc(Max(nfiles, 1) * sizeof(uint32));
	for (uint32 i = 0; i < nfiles; i++)
	{
		RibbonFileName name;

		pq_copymsgbytes(in, (char *) &name, sizeof(name));
		files[i] = ribbon_spill_adopt(spill, &name);
	}

	set->lent = true;
	nlists = get_number(in);
	if (nlists == RIBBON_SET_PARTS)
		status = ribbon_set_cut(set);
	if (status != RIBBON_OK)
		ribbon_error_throw(RIBBON_SQL_FILTER, status);
	if (nlists != ribbon_set_nlists(set))
		return false;
	for (uint32 i = 0; i < nlists && valid; i++)
		valid = get_list(in, set, i, files, nfiles);
	pfree(files);
	return valid;
}
