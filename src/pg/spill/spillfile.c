/*
 * spillfile.c - blocks of hashes in temporary files
 *
 * A spill writes one file, made when the first block is asked for, and reads
 * files that other processes have written.  Blocks that are given back are
 * used again, so the file is as large as its blocks were at the busiest time.
 *
 * The file is one of the server's temporary files, with all that goes with
 * them: temp_tablespaces, temp_file_limit, log_temp_files, a place in EXPLAIN
 * (BUFFERS).  We write and read whole pieces of a block, and so need
 * none of the buffering of a BufFile.
 *
 * If all goes well, the files are closed here, when the context of the spill is
 * deleted.  After an error the server's resource owners close them, before that
 * context is deleted or after.  A callback of theirs tells which of our files
 * they have closed: the numbers of these may be other files' by then.
 */
#include "spill/blocks.h"

#include "commands/tablespace.h"
#include "executor/instrument.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "storage/bufmgr.h"
#include "utils/resowner.h"

#define BLOCK_BYTES (RIBBON_BLOCK_WORDS * sizeof(uint64))
#define OWN_FILE	0 /* the one to write; the others are adopted */

typedef struct SpillFile
{
	dlist_node node; /* of open_files, if open */
	ResourceOwner owner;
	bool open;
	bool named;
	bool given; /* another process will look for it, and delete it */
	File file;
	int64 nbytes; /* of our own blocks in it */
	RibbonFileName name;
} SpillFile;

struct RibbonSpill
{
	MemoryContext context;
	MemoryContextCallback on_reset;
	bool shared;
	SpillFile **files; /* of which OWN_FILE may not be open yet */
	uint32 nfiles;
	uint32 nblocks;		 /* of our own file, */
	uint32 *free_blocks; /* and those of them not in use */
	uint32 nfree;
	uint32 capacity; /* of free_blocks: at least nblocks */
};

/* All that are open in this process. */
static dlist_head open_files = DLIST_STATIC_INIT(open_files);

/* It is closed, or about to be. */
static void
forget_file(SpillFile *file)
{
	file->open = false;
	dlist_delete(&file->node);
	ribbon_progress_spilled(-file->nbytes);
}

/* A resource owner has closed the files that were its own. */
static void
owner_released(ResourceReleasePhase phase, bool commit, bool top_level,
			   void *arg)
{
	dlist_mutable_iter iter;

	(void) commit;
	(void) top_level;
	(void) arg;
	if (phase != RESOURCE_RELEASE_AFTER_LOCKS)
		return;

	dlist_foreach_modify(iter, &open_files)
	{
		SpillFile *file = dlist_container(SpillFile, node, iter.cur);

		if (file->owner == CurrentResourceOwner)
			forget_file(file);
	}
}

static void
watch_owners(void)
{
	static bool watching = false;

	if (watching)
		return;
	RegisterResourceReleaseCallback(owner_released, NULL);
	watching = true;
}

static SpillFile *
add_file(RibbonSpill *spill)
{
	SpillFile *file = MemoryContextAllocZero(spill->context, sizeof(SpillFile));

	spill->files = ribbon_enlarge(spill->context, spill->files,
								  (spill->nfiles + 1) * sizeof(SpillFile *));
	spill->files[spill->nfiles++] = file;
	return file;
}

/*
 * A file that was given away is deleted by the process that adopts it.  One
 * that the server has closed is left: the transaction has failed, or a part of
 * it, and sharedfile.c deletes all named files.
 */
static void
close_file(SpillFile *file, bool adopted)
{
	if (!file->open)
		return;

	forget_file(file);
	FileClose(file->file);
	if (file->named && (adopted || !file->given))
		ribbon_sharedfile_delete(&file->name);
}

/* Called when the spill's context is reset or deleted. */
static void
close_all(void *arg)
{
	RibbonSpill *spill = arg;

	for (uint32 i = 0; i < spill->nfiles; i++)
		close_file(spill->files[i], i != OWN_FILE);
}

RibbonSpill *
ribbon_spill_create(MemoryContext context, bool shared)
{
	RibbonSpill *spill = MemoryContextAllocZero(context, sizeof(RibbonSpill));

	watch_owners();
	spill->context = context;
	spill->shared = shared;
	add_file(spill);
	spill->on_reset.func = close_all;
	spill->on_reset.arg = spill;
	MemoryContextRegisterResetCallback(context, &spill->on_reset);
	return spill;
}

bool
ribbon_spill_is_shared(const RibbonSpill *spill)
{
	return spill->shared;
}

MemoryContext
ribbon_spill_context(const RibbonSpill *spill)
{
	return spill->context;
}

bool
ribbon_spill_owns(const RibbonBlock *block)
{
	return block->file == OWN_FILE;
}

static void
note_opened(SpillFile *file, File handle)
{
	file->file = handle;
	file->open = true;
	file->owner = CurrentResourceOwner;
	dlist_push_tail(&open_files, &file->node);
}

static void
open_own(RibbonSpill *spill)
{
	SpillFile *file = spill->files[OWN_FILE];

	if (spill->nblocks > 0)
		elog(ERROR, "temporary file of keys was closed");

	if (spill->shared)
	{
		note_opened(file, ribbon_sharedfile_create(&file->name));
		file->named = true;
	}
	else
	{
		PrepareTempTablespaces();
		note_opened(file, OpenTemporaryFile(false));
	}
}

RibbonBlock
ribbon_spill_allocate(RibbonSpill *spill)
{
	RibbonBlock block = {0};

	if (!spill->files[OWN_FILE]->open)
		open_own(spill);

	block.file = OWN_FILE;
	if (spill->nfree > 0)
	{
		block.number = spill->free_blocks[--spill->nfree];
		return block;
	}

	/* room for giving it back, so that this cannot fail */
	if (spill->nblocks == spill->capacity)
	{
		uint32 capacity = Max(2 * spill->capacity, 16);

		spill->free_blocks = ribbon_enlarge(spill->context, spill->free_blocks,
											(Size) capacity * sizeof(uint32));
		spill->capacity = capacity;
	}
	block.number = spill->nblocks++;
	spill->files[OWN_FILE]->nbytes += BLOCK_BYTES;
	ribbon_progress_spilled(BLOCK_BYTES);
	return block;
}

void
ribbon_spill_free(RibbonSpill *spill, const RibbonBlock *block)
{
	if (!ribbon_spill_owns(block))
		return;
	Assert(spill->nfree < spill->nblocks);
	spill->free_blocks[spill->nfree++] = block->number;
}

/* For EXPLAIN (BUFFERS); start is set if track_io_timing is. */
static void
count_transfer(bool writing, int size, instr_time start)
{
	int64 nblocks = (size + BLCKSZ - 1) / BLCKSZ;
	instr_time end;

	if (writing)
		pgBufferUsage.temp_blks_written += nblocks;
	else
		pgBufferUsage.temp_blks_read += nblocks;
	if (INSTR_TIME_IS_ZERO(start))
		return;
	INSTR_TIME_SET_CURRENT(end);
	if (writing)
		INSTR_TIME_ACCUM_DIFF(pgBufferUsage.temp_blk_write_time, end, start);
	else
		INSTR_TIME_ACCUM_DIFF(pgBufferUsage.temp_blk_read_time, end, start);
}

/* Write or read n hashes from hash number at of a block on. */
static void
transfer_words(RibbonSpill *spill, const RibbonBlock *block, size_t at,
			   uint64 *words, size_t n, bool writing)
{
	SpillFile *file = spill->files[block->file];
	off_t offset = (off_t) block->number * BLOCK_BYTES + at * sizeof(uint64);
	int size = (int) (n * sizeof(uint64));
	instr_time start;
	int done;

	CHECK_FOR_INTERRUPTS();
	if (!file->open)
		elog(ERROR, "temporary file of keys was closed");

	errno = 0;
	INSTR_TIME_SET_ZERO(start);
	if (track_io_timing)
		INSTR_TIME_SET_CURRENT(start);
	if (writing)
		done = FileWrite(file->file, (char *) words, size, offset,
						 ribbon_wait_event(RIBBON_WAIT_WRITE));
	else
		done = FileRead(file->file, (char *) words, size, offset,
						ribbon_wait_event(RIBBON_WAIT_READ));
	count_transfer(writing, size, start);
	if (done == size)
		return;

	/* fewer bytes than asked for without a reason: no space, or cut off */
	if (errno == 0)
		errno = writing ? ENOSPC : EIO;
	if (writing)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not write keys to temporary file: %m")));
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not read keys from temporary file: %m")));
}

void
ribbon_spill_append(RibbonSpill *spill, RibbonBlock *block, const uint64 *words,
					size_t n)
{
	Assert(ribbon_spill_owns(block));
	Assert(block->nwords + n <= RIBBON_BLOCK_WORDS);
	transfer_words(spill, block, block->nwords, (uint64 *) words, n, true);
	block->nwords += (uint32) n;
}

void
ribbon_spill_read(RibbonSpill *spill, const RibbonBlock *block, uint64 *words)
{
	transfer_words(spill, block, 0, words, block->nwords, false);
}

uint32
ribbon_spill_nfiles(const RibbonSpill *spill)
{
	return spill->nfiles;
}

const RibbonFileName *
ribbon_spill_give(RibbonSpill *spill, uint32 file)
{
	Assert(file < spill->nfiles && spill->files[file]->named);
	spill->files[file]->given = true;
	return &spill->files[file]->name;
}

uint32
ribbon_spill_adopt(RibbonSpill *spill, const RibbonFileName *name)
{
	SpillFile *file;
	File handle;

	for (uint32 i = OWN_FILE + 1; i < spill->nfiles; i++)
		if (spill->files[i]->name.pid == name->pid &&
			spill->files[i]->name.number == name->number)
			return i;

	handle = ribbon_sharedfile_open(name);
	file = add_file(spill);
	file->named = true;
	file->name = *name;
	note_opened(file, handle);
	return spill->nfiles - 1;
}

bool
ribbon_spill_outlives(void)
{
	dlist_iter iter;

	dlist_foreach(iter, &open_files)
	{
		SpillFile *file = dlist_container(SpillFile, node, iter.cur);
		ResourceOwner owner = file->owner;

		while (owner != NULL && owner != CurTransactionResourceOwner)
			owner = ResourceOwnerGetParent(owner);
		if (file->named && owner == NULL)
			return true;
	}
	return false;
}
