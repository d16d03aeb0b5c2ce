/*
 * handover.c - sets in files that go to another set or process
 *
 * Sets in one file move blocks from list to list.  Another process gets the
 * blocks' numbers, and reads them where they are: in a file that is one source
 * of its own one.  So the set that had them lends them, and gives none back.
 */
#include "set/blocks.h"
#include "set/read.h"

/* A RibbonTakeElements: add a copy of another set's. */
static RibbonStatus
copy_elements(void *arg, const uint64_t *elements, size_t n)
{
	return ribbon_set_add_to_file((RibbonSet *) arg, elements, n);
}

RibbonStatus
ribbon_set_absorb(RibbonSet *set, RibbonSet *other)
{
	RibbonStatus status = ribbon_set_flush(other); /* which may split it */
	RibbonBlockList *from = ribbon_set_lists(other);

	if (status == RIBBON_CONFLICT)
		memcpy(set->conflict, other->conflict, sizeof(set->conflict));
	set->sealed = false;
	if (status == RIBBON_OK && set->parts == NULL && other->parts != NULL)
		status = ribbon_set_split(set);
	if (status == RIBBON_OK && set->file != other->file)
		return ribbon_set_each(&set->env, other, copy_elements, set);
	for (uint32_t i = 0; i < ribbon_set_nlists(other) && status == RIBBON_OK;
		 i++)
		status = set->parts == NULL || other->parts != NULL ?
			ribbon_blocks_move(set, &ribbon_set_lists(set)[i], &from[i]) :
			ribbon_blocks_split(set, &from[i], RIBBON_TOP_SHIFT, &set->parts);
	ribbon_blocks_count(set);
	ribbon_blocks_count(other);
	return status;
}

RibbonStatus
ribbon_set_add_block(RibbonSet *set, uint32_t i, const RibbonBlock *block)
{
	RibbonBlock copy = *block;
	RibbonBlockList one = {.blocks = &copy,
						   .nblocks = 1,
						   .nwords = copy.nwords};

	set->n += block->nwords / ribbon_set_stride(set);
	set->sealed = false;
	return ribbon_blocks_move(set, &ribbon_set_lists(set)[i], &one);
}

void
ribbon_set_refile(RibbonSet *set, RibbonFile *file, const uint32_t *sources)
{
	RibbonBlockList *lists = ribbon_set_lists(set);

	for (uint32_t i = 0; i < ribbon_set_nlists(set); i++)
		for (uint32_t b = 0; b < lists[i].nblocks; b++)
			lists[i].blocks[b].source = sources[lists[i].blocks[b].source];
	set->file = file;
}
