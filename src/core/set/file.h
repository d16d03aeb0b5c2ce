/*
 * file.h - a file of blocks: all that a set needs of its caller
 *
 * Sets that do not fit into memory (set.h) keep their elements in blocks of a
 * file.  Many sets may share one.  The caller supplies two callbacks, to write
 * and to read words at some place; which blocks are in use is kept here:
 *
 *	 file     | block 0 | block 1 | block 2 | block 3 | ...
 *	 free              ^                   ^
 *
 * A block may also lie in another file, which is only read: its source says in
 * which.  Such blocks come from sets of other processes.
 *
 * The callbacks return RIBBON_OK or another status, which ends the call of the
 * set that needed them and is what it returns; but RIBBON_BAD_FILE for a number
 * that is no status.  Called in the thread that called the core, they may also
 * longjmp out of it, as those of RibbonEnv may.  For that
 *
 * - a block is never in two lists, nor in a list when it is free.  At worst it
 *	 is in none; then it is not used again.
 * - ribbon_set_release gives all blocks of a set back.  It calls nothing and
 *	 frees no memory, so it may be called while memory is being cleaned up.
 */
#ifndef RIBBON_FILE_H
#define RIBBON_FILE_H

#include "ribbon_core.h"

/* 32 kB: long enough to be read at speed, short enough for a small set. */
#define RIBBON_BLOCK_WORDS 4096

/* Up to RIBBON_BLOCK_WORDS words of a file: whole elements. */
typedef struct RibbonBlock
{
	uint64_t first;	 /* its first hash, once the set is sealed */
	uint32_t source; /* 0: the file itself; others are only read */
	uint32_t number; /* it begins at word number * RIBBON_BLOCK_WORDS */
	uint32_t nwords;
} RibbonBlock;

typedef struct RibbonFile RibbonFile;
struct RibbonFile
{
	/* Write words[0..n), n > 0, to word at of the file. */
	RibbonStatus (*write)(RibbonFile *file, uint64_t at, const uint64_t *words,
						  size_t n);

	/* Read words[0..n), n > 0, which were written. */
	RibbonStatus (*read)(RibbonFile *file, uint32_t source, uint64_t at,
						 uint64_t *words, size_t n);

	/* May several threads read at a time?  Then read must not longjmp. */
	bool threads_read;

	/* Words that may be in memory, to be sorted; as many again are needed. */
	size_t sort_words;

	/* Words of a set that is not split yet; no more than sort_words. */
	size_t whole_words;

	RibbonEnv env; /* memory for what follows */

	/* which blocks are free; zeroed at first */
	uint32_t *free_blocks;
	uint32_t nfree;
	uint32_t capacity; /* at least nblocks */
	uint32_t nblocks;  /* of the file, free or not */
};

/* Set *block to an empty block of the file.  Errors: RIBBON_OUT_OF_MEMORY. */
extern RibbonStatus ribbon_file_allocate(RibbonFile *file, RibbonBlock *block);

/* Give a block back, which is in no list; one of another source is left. */
extern void ribbon_file_free(RibbonFile *file, const RibbonBlock *block);

/* Free what the members above point to.  The file itself is the caller's. */
extern void ribbon_file_close(RibbonFile *file);

#endif /* RIBBON_FILE_H */
