/*
 * storebytes.c - what a key store's files and blocks are called, for another
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
#include "spill/blocks.h"

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
ribbon_storebytes_put(StringInfo out, RibbonKeyStore *store)
{
	uint32 nfiles = ribbon_spill_nfiles(store->spill);

	put_number(out, nfiles);
	for (uint32 i = 0; i < nfiles; i++)
		appendBinaryStringInfo(out,
							   (const char *) ribbon_spill_give(store->spill,
																i),
							   sizeof(RibbonFileName));
	put_number(out, store->nlists);
	for (uint32 i = 0; i < store->nlists; i++)
	{
		const RibbonBlockList *list = &store->lists[i];

		put_number(out, list->nblocks);
		for (uint32 b = 0; b < list->nblocks; b++)
			appendBinaryStringInfo(out, (const char *) &list->blocks[b],
								   sizeof(RibbonBlock));
	}
	store->given = true;
}

/* Add blocks to a list; files[0..nfiles) are their files' numbers here. */
static bool
get_list(StringInfo in, RibbonKeyStore *store, RibbonBlockList *list,
		 const uint32 *files, uint32 nfiles)
{
	for (uint32 nblocks = get_number(in); nblocks > 0; nblocks--)
	{
		RibbonBlock block;

		pq_copymsgbytes(in, (char *) &block, sizeof(block));
		if (block.file >= nfiles || block.nwords == 0 ||
			block.nwords > RIBBON_BLOCK_WORDS ||
			block.nwords % store->records.words != 0)
			return false;
		block.file = files[block.file];
		ribbon_blocklist_take(store, list, &block);
	}
	return true;
}

bool
ribbon_storebytes_get(StringInfo in, RibbonKeyStore *store)
{
	uint32 nfiles = get_number(in);
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
		files[i] = ribbon_spill_adopt(store->spill, &name);
	}

	store->given = true;
	nlists = get_number(in);
	if (nlists == RIBBON_KEYSTORE_PARTS)
		ribbon_keystore_open_parts(store);
	if (nlists != store->nlists)
		return false;
	for (uint32 i = 0; i < nlists && valid; i++)
		valid = get_list(in, store, &store->lists[i], files, nfiles);
	pfree(files);
	return valid;
}
