/*
 * partialstore.c - what a state in files sends: their names, and lists of
 * blocks
 *
 * What is sent are the names of files, and lists of the blocks in them that
 * belong to the group: one list for the whole store, or one for each of its
 * parts (spill.h).  The process that reads them opens the files and adds the
 * blocks to lists of a store of its own.
 *
 * The bytes may have been made up (partial.c).  So no file may be named twice,
 * and each block must be within its file and is taken once.
 */
#include "aggregate/aggregate.h"

#include "utils/memutils.h"

/* A file that a state names. */
typedef struct TakenFile
{
	uint32 number; /* which of the spill's it is here */
	uint64 nwords; /* that it has room for */
	uint8 *blocks; /* a bit for each: is it taken? */
} TakenFile;

static uint32 count_lists(const RibbonKeyStore *store);
static const RibbonBlockList *lists_of(const RibbonKeyStore *store);
static bool take_file(TakenFile *file, TakenFile *files, RibbonKeyStore *store,
					  const RibbonFileName *name);
static bool take_list(RibbonKeyStore *store, RibbonBlockList *list,
					  const uint8_t **at, TakenFile *files);

size_t
ribbon_partialstore_bytes(const RibbonKeyStore *store)
{
	uint32 nlists = count_lists(store);
	size_t size = (2 + nlists) * RIBBON_PARTIAL_NUMBER +
		(size_t) ribbon_spill_nfiles(store->spill) * RIBBON_PARTIAL_FILE;

	for (uint32 i = 0; i < nlists; i++)
		size += (size_t) lists_of(store)[i].nblocks * RIBBON_PARTIAL_BLOCK;
	return size;
}

uint8_t *
ribbon_partialstore_give(uint8_t *out, RibbonKeyStore *store)
{
	uint32 nfiles = ribbon_spill_nfiles(store->spill);
	uint32 nlists = count_lists(store);

	out = ribbon_partial_put_number(out, nfiles);
	out = ribbon_partial_put_number(out, nlists);
	for (uint32 i = 0; i < nfiles; i++)
		out = ribbon_partial_put_file(out, ribbon_spill_give(store->spill, i));
	for (uint32 i = 0; i < nlists; i++)
	{
		const RibbonBlockList *list = &lists_of(store)[i];

		out = ribbon_partial_put_number(out, list->nblocks);
		for (uint32 b = 0; b < list->nblocks; b++)
			out = ribbon_partial_put_block(out, &list->blocks[b]);
	}
	store->given = true;
	return out;
}

static uint32
count_lists(const RibbonKeyStore *store)
{
	return store->parts != NULL ? RIBBON_KEYSTORE_PARTS : 1;
}

static const RibbonBlockList *
lists_of(const RibbonKeyStore *store)
{
	return store->parts != NULL ? store->parts : &store->whole;
}

bool
ribbon_partialstore_take(RibbonKeyStore *store, const RibbonPartial *partial)
{
	const uint8_t *at = partial->lists;
	RibbonBlockList *lists = &store->whole;
	TakenFile *files;

	store->given = true;
	files = MemoryContextAllocHuge(CurrentMemoryContext,
								   Max(partial->nfiles, 1) * sizeof(TakenFile));
	for (uint32 i = 0; i < partial->nfiles; i++)
	{
		RibbonFileName name = ribbon_partial_file(partial, i);

		if (!take_file(&files[i], files, store, &name))
			return false;
	}

	if (partial->nlists > 1)
		lists = store->parts = palloc0(RIBBON_KEYSTORE_PARTS *
									   sizeof(RibbonBlockList));
	for (uint32 i = 0; i < partial->nlists; i++)
		if (!take_list(store, &lists[i], &at, files))
			return false;

	for (uint32 i = 0; i < partial->nfiles; i++)
		pfree(files[i].blocks);
	pfree(files);
	return true;
}

/* Open one more of the files, which must not be one of those before. */
static bool
take_file(TakenFile *file, TakenFile *files, RibbonKeyStore *store,
		  const RibbonFileName *name)
{
	RibbonSpill *spill = store->spill;
	uint64 nblocks;

	file->number = ribbon_spill_adopt(spill, name);
	for (const TakenFile *other = files; other < file; other++)
		if (other->number == file->number)
			return false;
	file->nwords = ribbon_spill_file_words(spill, file->number);
	nblocks = file->nwords / RIBBON_BLOCK_WORDS + 1;
	file->blocks =
		MemoryContextAllocExtended(CurrentMemoryContext, nblocks / 8 + 1,
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	return true;
}

static bool
take_list(RibbonKeyStore *store, RibbonBlockList *list, const uint8_t **at,
		  TakenFile *files)
{
	for (uint32 n = ribbon_partial_next_number(at); n > 0; n--)
	{
		RibbonBlock block = ribbon_partial_next_block(at);
		TakenFile *file = &files[block.file];
		uint64 end = (uint64) block.number * RIBBON_BLOCK_WORDS + block.nwords;

		if (end > file->nwords ||
			(file->blocks[block.number / 8] & 1 << block.number % 8) != 0)
			return false;
		file->blocks[block.number / 8] |= 1 << block.number % 8;
		block.file = file->number;
		ribbon_blocklist_take(store, list, &block);
	}
	return true;
}
