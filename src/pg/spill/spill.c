/*
 * spill.c - a file of blocks, for the core's sets: temporary files
 *
 * A spill writes one file, made when something is first written, and reads
 * files that other processes have written.
 *
 * The file is one of the server's temporary files, with all that goes with
 * them: temp_tablespaces, temp_file_limit, log_temp_files, a place in EXPLAIN
 * (BUFFERS).  We write and read whole pieces of a block, and so need none of
 * the buffering of a BufFile.
 *
 * If all goes well, the files are closed here, when the context of the spill is
 * deleted.  After an error the server's resource owners close them, before that
 * context is deleted or after.  A callback of theirs tells which of our files
 * they have closed: the numbers of these may be other files' by then.
 */
#include "spill/spill.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "commands/tablespace.h"
#include "executor/instrument.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "nodes/memnodes.h"
#include "portability/instr_time.h"
#include "server/progress.h"
#include "server/server.h"
#include "spill/sharedfile.h"
#include "storage/bufmgr.h"
#include "utils/resowner.h"

#define BLOCK_BYTES (RIBBON_BLOCK_WORDS * sizeof(uint64))
#define OWN_FILE	0 /* the one to write; the others are adopted */

/*
 * 8 MB: words that each thread may sort, however small work_mem is; and of a
 * set that is one list, for there may be many small groups.
 */
#define WHOLE_WORDS ((size_t) 1024 * 1024)

typedef struct RibbonSpillFile
{
	dlist_node node; /* of open_files, if open */
	ResourceOwner owner;
	bool open;
	bool named;
	bool given; /* another process will look for it, and delete it */
	File file;
	int64 nbytes; /* of the blocks that we have written */
	RibbonFileName name;
} RibbonSpillFile;

/* All that are open in this process. */
static dlist_head open_files = DLIST_STATIC_INIT(open_files);

/* It is closed, or about to be. */
static void
forget_file(RibbonSpillFile *file)
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

	if (phase != RESOURCE_RELEASE_AFTER_LOCKS)
		return;

	dlist_foreach_modify(iter, &open_files)
	{
		RibbonSpillFile *file = dlist_container(RibbonSpillFile, node,
												iter.cur);

		if (file->owner == CurrentResourceOwner)
			forget_file(file);
	}
}

static RibbonSpillFile *
add_file(RibbonSpill *spill)
{
	RibbonSpillFile *file = MemoryContextAllocZero(spill->context,
												   sizeof(RibbonSpillFile));

	spill->files = ribbon_enlarge(spill->context, spill->files,
								  (spill->nfiles + 1) *
									  sizeof(RibbonSpillFile *));
	spill->files[spill->nfiles++] = file;
	return file;
}

static void
note_opened(RibbonSpillFile *file, File handle)
{
	file->file = handle;
	file->open = true;
	file->owner = CurrentResourceOwner;
	dlist_push_tail(&open_files, &file->node);
}

static void
open_own(RibbonSpill *spill)
{
	RibbonSpillFile *file = spill->files[OWN_FILE];

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

/* For EXPLAIN (BUFFERS); start is set if track_io_timing is. */
static void
count_transfer(bool writing, int size, instr_time start)
{
	int64 nblocks = (size + BLCKSZ - 1) / BLCKSZ;
	instr_time *time;
	instr_time end;

	if (writing)
		pgBufferUsage.temp_blks_written += nblocks;
	else
		pgBufferUsage.temp_blks_read += nblocks;
	if (INSTR_TIME_IS_ZERO(start))
		return;
	time = writing ? &pgBufferUsage.temp_blk_write_time :
					 &pgBufferUsage.temp_blk_read_time;
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(*time, end, start);
}

/* Write or read n words from word at of a file on. */
static void
transfer_words(RibbonSpillFile *file, uint64_t at, uint64_t *words, size_t n,
			   bool writing)
{
	off_t offset = (off_t) (at * sizeof(uint64));
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
	ereport(ERROR,
			(errcode_for_file_access(),
			 writing ? errmsg("could not write keys to temporary file: %m") :
					   errmsg("could not read keys from temporary file: %m")));
}

/* A RibbonFile's. */
static RibbonStatus
write_words(RibbonFile *base, uint64_t at, const uint64_t *words, size_t n)
{
	RibbonSpill *spill = (RibbonSpill *) base;
	RibbonSpillFile *file = spill->files[OWN_FILE];
	int64 nbytes = (int64) base->nblocks * BLOCK_BYTES;

	if (!file->open && file->nbytes == 0)
		open_own(spill);
	transfer_words(file, at, (uint64 *) words, n, true);
	if (nbytes > file->nbytes)
	{
		ribbon_progress_spilled(nbytes - file->nbytes);
		file->nbytes = nbytes;
	}
	return RIBBON_OK;
}

/* A RibbonFile's. */
static RibbonStatus
read_words(RibbonFile *base, uint32_t source, uint64_t at, uint64_t *words,
		   size_t n)
{
	RibbonSpill *spill = (RibbonSpill *) base;

	Assert(source < spill->nfiles);
	transfer_words(spill->files[source], at, words, n, false);
	return RIBBON_OK;
}

/*
 * Called when the spill's context is reset or deleted.  A file that was given
 * away is deleted by the process that adopts it.  One that the server has
 * closed is left: the transaction has failed, or a part of it, and sharedfile.c
 * deletes all named files.
 */
static void
close_all(void *arg)
{
	RibbonSpill *spill = arg;

	for (uint32 i = 0; i < spill->nfiles; i++)
	{
		RibbonSpillFile *file = spill->files[i];

		if (!file->open)
			continue;
		forget_file(file);
		FileClose(file->file);
		if (file->named && (i != OWN_FILE || !file->given))
			ribbon_sharedfile_delete(&file->name);
	}
}

RibbonSpill *
ribbon_spill_create(MemoryContext context, bool shared)
{
	RibbonSpill *spill = MemoryContextAllocZero(context, sizeof(RibbonSpill));
	size_t affordable = (size_t) work_mem * 1024 / (2 * sizeof(uint64));

	spill->base.env = ribbon_env_create(context);
	spill->base.write = write_words;
	spill->base.read = read_words;
	spill->base.sort_words = Max(affordable,
								 spill->base.env.nthreads * WHOLE_WORDS);
	spill->base.whole_words = WHOLE_WORDS;
	spill->context = context;
	spill->shared = shared;
	add_file(spill);
	spill->on_reset.func = close_all;
	spill->on_reset.arg = spill;
	MemoryContextRegisterResetCallback(context, &spill->on_reset);
	return spill;
}

RibbonSpill *
ribbon_spill_of(MemoryContext context, bool shared)
{
	for (const MemoryContextCallback *callback = context->reset_cbs;
		 callback != NULL; callback = callback->next)
	{
		RibbonSpill *spill = callback->arg;

		if (callback->func == close_all && spill->shared == shared)
			return spill;
	}
	return ribbon_spill_create(context, shared);
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
	RibbonSpillFile *file;
	File handle;

	for (uint32 i = OWN_FILE + 1; i < spill->nfiles; i++)
		if (memcmp(&spill->files[i]->name, name, sizeof(*name)) == 0)
			return i;

	handle = ribbon_sharedfile_open(name);
	file = add_file(spill);
	file->named = true;
	file->name = *name;
	note_opened(file, handle);
	return spill->nfiles - 1;
}

/* Is a shared file open whose resource owner is an outer transaction's? */
static bool
is_outer_file_open(void)
{
	dlist_iter iter;

	dlist_foreach(iter, &open_files)
	{
		RibbonSpillFile *file = dlist_container(RibbonSpillFile, node,
												iter.cur);
		ResourceOwner owner = file->owner;

		while (owner != NULL && owner != CurTransactionResourceOwner)
			owner = ResourceOwnerGetParent(owner);
		if (file->named && owner == NULL)
			return true;
	}
	return false;
}

/*
 * Shared files are deleted here, too, as a function that catches errors may go
 * on for long.  But it may itself have been called by a parallel query, whose
 * files are not ours to delete.  Nor are those of a portal that was suspended
 * before the savepoint: it has a plan with partial states, but runs it without
 * workers.
 */
static void
at_subtransaction_end(SubXactEvent event, SubTransactionId id,
					  SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB && !IsParallelWorker())
		ribbon_sharedfile_clean(IsInParallelMode() || is_outer_file_open());
}

void
ribbon_spill_init(void)
{
	RegisterResourceReleaseCallback(owner_released, NULL);
	RegisterSubXactCallback(at_subtransaction_end, NULL);
	ribbon_sharedfile_init();
}
