/*
 * blocks.c - a list of the blocks that hold a set's elements
 *
 *----------
 *	 blocks     | first 02a7 | first 0513 | first 0b40 |
 *	            | 4096 hashes | 4096 hashes |  877 hashes |  <- append here
 *	 file            |            |            |
 *	             ....[.......]....[.......]....[..     ]
 *----------
 *
 * Elements are appended to the last block, until it is full and a fresh one is
 * asked for.  Blocks that lie one behind the other in the file are written and
 * read at once.
 */
#include "set/blocks.h"

#include "base/bits.h"

/* 1 MB: words that are written or read at once, at most. */
#define RUN_WORDS ((size_t) 128 * 1024)

/* What a callback returned must not be taken for RIBBON_TOO_MANY. */
static RibbonStatus
file_status(RibbonStatus status)
{
	return (unsigned) status < RIBBON_NSTATUS ? status : RIBBON_BAD_FILE;
}

/* Where a block begins in its file, in words. */
static uint64_t
word_of_block(const RibbonBlock *block)
{
	return (uint64_t) block->number * RIBBON_BLOCK_WORDS;
}

/* Room for n more blocks. */
static RibbonStatus
make_block_room(RibbonSet *set, RibbonBlockList *list, uint32_t n)
{
	uint64_t capacity = list->capacity > 0 ? list->capacity : 4;
	RibbonBlock *blocks;

	if (list->nblocks + n <= list->capacity)
		return RIBBON_OK;
	while (capacity < (uint64_t) list->nblocks + n)
		capacity *= 2;
	blocks = capacity > UINT32_MAX ?
		NULL :
		ribbon_resize(&set->env, list->blocks,
					  list->nblocks * sizeof(RibbonBlock),
					  capacity * sizeof(RibbonBlock));
	if (blocks == NULL)
		return RIBBON_OUT_OF_MEMORY;
	list->blocks = blocks;
	list->capacity = (uint32_t) capacity;
	return RIBBON_OK;
}

/* Set *last to the last block, if it can be written to, or to a new one. */
static RibbonStatus
open_block(RibbonSet *set, RibbonBlockList *list, uint64_t first,
		   RibbonBlock **last)
{
	RibbonStatus status = make_block_room(set, list, 1);
	RibbonBlock fresh;

	*last = NULL;
	if (list->nblocks > 0)
		*last = &list->blocks[list->nblocks - 1];
	if (status != RIBBON_OK ||
		(*last != NULL && (*last)->source == 0 &&
		 (*last)->nwords < RIBBON_BLOCK_WORDS))
		return status;
	status = ribbon_file_allocate(set->file, &fresh);
	if (status != RIBBON_OK)
		return status;
	fresh.first = first;
	*last = &list->blocks[list->nblocks++];
	**last = fresh;
	return RIBBON_OK;
}

/*
 * Give words to the last block, and to as many new ones as lie behind it in the
 * file, and write them; set *done to their number.
 */
static RibbonStatus
append_run(RibbonSet *set, RibbonBlockList *list, const uint64_t *words,
		   size_t n, size_t *done)
{
	uint64_t at = 0;
	size_t run = 0;
	RibbonStatus status = RIBBON_OK;

	n = (size_t) ribbon_min64(n, RUN_WORDS);
	while (run < n)
	{
		RibbonBlock *last;
		uint64_t to;
		size_t now;

		status = open_block(set, list, words[run], &last);
		if (status != RIBBON_OK)
			return status;
		to = word_of_block(last) + last->nwords;
		if (run == 0)
			at = to;
		if (to != at + run)
			break;
		now = (size_t) ribbon_min64(n - run, RIBBON_BLOCK_WORDS - last->nwords);
		last->nwords += (uint32_t) now;
		list->nwords += now;
		run += now;
	}
	*done = run;
	return file_status(set->file->write(set->file, at, words, run));
}

RibbonStatus
ribbon_blocks_append(RibbonSet *set, RibbonBlockList *list,
					 const uint64_t *words, size_t n)
{
	RibbonStatus status = RIBBON_OK;

	while (n > 0 && status == RIBBON_OK)
	{
		size_t done = 0;

		status = append_run(set, list, words, n, &done);
		if (status == RIBBON_OK && ribbon_interrupted(&set->env))
			status = RIBBON_INTERRUPTED;
		words += done;
		n -= done;
	}
	return status;
}

RibbonStatus
ribbon_blocks_read(const RibbonEnv *env, const RibbonSet *set,
				   const RibbonBlockList *list, uint32_t begin, uint32_t end,
				   uint64_t *words)
{
	const RibbonBlock *blocks = list->blocks;
	RibbonStatus status = RIBBON_OK;

	for (uint32_t i = begin; i < end && status == RIBBON_OK;)
	{
		const RibbonBlock *first = &blocks[i];
		size_t run = first->nwords;

		for (i++; i < end && blocks[i].source == first->source &&
			 word_of_block(&blocks[i]) == word_of_block(first) + run &&
			 run < RUN_WORDS;
			 i++)
			run += blocks[i].nwords;
		status = file_status(set->file->read(set->file, first->source,
											 word_of_block(first), words, run));
		if (status == RIBBON_OK && ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
		words += run;
	}
	return status;
}

/* From the last one, as file.c says. */
void
ribbon_blocks_drop(RibbonSet *set, RibbonBlockList *list, uint32_t begin)
{
	while (list->nblocks > begin)
	{
		const RibbonBlock *block = &list->blocks[--list->nblocks];

		list->nwords -= block->nwords;
		if (!set->lent)
			ribbon_file_free(set->file, block);
	}
}

void
ribbon_blocks_free(RibbonSet *set, RibbonBlockList *list)
{
	ribbon_blocks_drop(set, list, 0);
	ribbon_free(&set->env, list->blocks);
	memset(list, 0, sizeof(*list));
}

RibbonStatus
ribbon_blocks_move(RibbonSet *set, RibbonBlockList *to, RibbonBlockList *from)
{
	RibbonStatus status = make_block_room(set, to, from->nblocks);

	if (status != RIBBON_OK || from->nblocks == 0)
		return status;
	memcpy(to->blocks + to->nblocks, from->blocks,
		   from->nblocks * sizeof(RibbonBlock));
	to->nblocks += from->nblocks;
	to->nwords += from->nwords;
	from->nblocks = 0;
	from->nwords = 0;
	return RIBBON_OK;
}

void
ribbon_blocks_count(RibbonSet *set)
{
	const RibbonBlockList *lists = ribbon_set_lists(set);
	uint64_t nwords = set->narray;

	for (uint32_t i = 0; i < ribbon_set_nlists(set); i++)
		nwords += lists[i].nwords;
	set->n = nwords / ribbon_set_stride(set);
}
