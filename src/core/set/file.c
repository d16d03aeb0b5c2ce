/*
 * file.c - which blocks of a file are free
 *
 * Those that are given back last are used first.  So the file is as large as
 * its blocks were at the busiest time; and a list that is given back from its
 * end on gets the same blocks again, in the same order.
 */
#include "set/file.h"

#include "base/env.h"

#define FIRST_CAPACITY 16

/* Room for giving all blocks back, so that this cannot fail. */
static RibbonStatus
make_free_list(RibbonFile *file)
{
	uint32_t capacity = file->capacity > 0 ? 2 * file->capacity :
											 FIRST_CAPACITY;
	uint32_t *blocks = ribbon_alloc_array(&file->env, capacity,
										  sizeof(uint32_t));

	if (blocks == NULL)
		return RIBBON_OUT_OF_MEMORY;
	/* the old list is empty: blocks are made only when none is free */
	ribbon_free(&file->env, file->free_blocks);
	file->free_blocks = blocks;
	file->capacity = capacity;
	return RIBBON_OK;
}

RibbonStatus
ribbon_file_allocate(RibbonFile *file, RibbonBlock *block)
{
	memset(block, 0, sizeof(*block));
	if (file->nfree > 0)
	{
		block->number = file->free_blocks[--file->nfree];
		return RIBBON_OK;
	}
	if (file->nblocks == file->capacity &&
		(file->nblocks > UINT32_MAX / 2 || make_free_list(file) != RIBBON_OK))
		return RIBBON_OUT_OF_MEMORY;
	block->number = file->nblocks++;
	return RIBBON_OK;
}

void
ribbon_file_free(RibbonFile *file, const RibbonBlock *block)
{
	if (block->source == 0)
		file->free_blocks[file->nfree++] = block->number;
}

void
ribbon_file_close(RibbonFile *file)
{
	ribbon_free(&file->env, file->free_blocks);
	file->free_blocks = NULL;
	file->nfree = file->capacity = file->nblocks = 0;
}
