/*
 * grow.c - how a set grows in a file, by elements and other sets, and is closed
 *
 * In a file, a set that holds no more than can soon be sorted is just a list of
 * blocks.  One that grows beyond is split into 256 parts by the highest bits of
 * the hashes, and what comes later goes into the part it belongs to, so that
 * each part is again a list of blocks, of about 1/256 of the elements.
 *
 *	 add:   8f31.. 02a7.. 8f90.. d1e0..     02 | 02a7
 *	                                 ->     8f | 8f31 8f90
 *	                                        d1 | d1e0
 *
 * Sets in one file move blocks from list to list.  Another process gets the
 * blocks' numbers, and reads them where they are: in a file that is one source
 * of its own one.  So the set that had them lends them, and gives none back.
 */
#include "base/bits.h"
#include "set/blocks.h"
#include "set/read.h"

void
ribbon_set_release(RibbonSet *set)
{
	for (uint32_t i = 0; set->parts != NULL && i < RIBBON_SET_PARTS; i++)
		ribbon_blocks_drop(set, &set->parts[i], 0);
	/* an error may have left it unsplit */
	ribbon_blocks_drop(set, &set->whole, 0);
}

void
ribbon_set_close(RibbonSet *set)
{
	for (uint32_t i = 0; set->parts != NULL && i < RIBBON_SET_PARTS; i++)
		ribbon_blocks_free(set, &set->parts[i]);
	ribbon_free(&set->env, set->parts);
	ribbon_blocks_free(set, &set->whole);
	ribbon_free(&set->env, set->array);
	memset(set, 0, sizeof(*set));
}

RibbonStatus
ribbon_set_split(RibbonSet *set)
{
	RibbonStatus status = ribbon_blocks_split(set, &set->whole,
											  RIBBON_TOP_SHIFT, &set->parts);

	ribbon_blocks_count(set);
	return status;
}

/*
 * Make room for so many words more in a list that is to be sorted in memory, or
 * split it.  If it is full of duplicates, there is room once these are dropped.
 * A quarter of it must be free then, so that this is not tried too often.
 */
static RibbonStatus
prepare_whole(RibbonSet *set, uint64_t nwords)
{
	RibbonBlockList *list = &set->whole;
	uint64_t most = set->file->whole_words;
	RibbonStatus status;

	set->sealed = false;
	if (set->parts != NULL || list->nwords + nwords <= most)
		return RIBBON_OK;
	if (list->nwords > 0 && list->nwords <= most && nwords <= most / 4 * 3)
	{
		status = ribbon_blocks_sort(set, &list, 1);
		ribbon_blocks_count(set);
		if (status != RIBBON_OK || list->nwords + nwords <= most / 4 * 3)
			return status;
	}
	return ribbon_set_split(set);
}

RibbonStatus
ribbon_set_add(RibbonSet *set, const uint64_t *words, size_t n)
{
	size_t stride = ribbon_set_stride(set);
	RibbonStatus status = prepare_whole(set, (uint64_t) n * stride);

	set->n += n;
	if (status == RIBBON_OK && set->parts == NULL)
		return ribbon_blocks_append(set, &set->whole, words, n * stride);
	for (size_t i = 0, now; i < n && status == RIBBON_OK; i += now)
	{
		now = (size_t) ribbon_min64(n - i, RIBBON_SET_CHUNK / stride);
		status = ribbon_blocks_scatter(set, words + i * stride, now,
									   RIBBON_TOP_SHIFT, set->parts);
	}
	return status;
}

RibbonStatus
ribbon_set_pour(RibbonSet *set)
{
	size_t n = set->narray / ribbon_set_stride(set);

	set->narray = 0;
	set->n -= n; /* which are added once more */
	return n > 0 ? ribbon_set_add(set, set->array, n) : RIBBON_OK;
}

RibbonStatus
ribbon_set_flush(RibbonSet *set)
{
	RibbonStatus status = ribbon_set_pour(set);

	ribbon_free(&set->env, set->array);
	set->array = NULL;
	set->room = 0;
	return status;
}

/* A RibbonTakeElements: add a copy of another set's. */
static RibbonStatus
copy_elements(void *arg, const uint64_t *elements, size_t n)
{
	return ribbon_set_add((RibbonSet *) arg, elements, n);
}

RibbonStatus
ribbon_set_absorb(RibbonSet *set, RibbonSet *other)
{
	RibbonStatus status = ribbon_set_flush(other); /* which may split it */
	RibbonBlockList *from = ribbon_set_own_lists(other);

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
			ribbon_blocks_move(set, &ribbon_set_own_lists(set)[i], &from[i]) :
			ribbon_blocks_split(set, &from[i], RIBBON_TOP_SHIFT, &set->parts);
	ribbon_blocks_count(set);
	ribbon_blocks_count(other);
	return status;
}

RibbonStatus
ribbon_set_take(RibbonSet *set, uint32_t i, const RibbonBlock *block)
{
	RibbonBlock copy = *block;
	RibbonBlockList one = {.blocks = &copy,
						   .nblocks = 1,
						   .nwords = copy.nwords};

	set->n += block->nwords / ribbon_set_stride(set);
	set->sealed = false;
	return ribbon_blocks_move(set, &ribbon_set_own_lists(set)[i], &one);
}

void
ribbon_set_refile(RibbonSet *set, RibbonFile *file, const uint32_t *sources)
{
	RibbonBlockList *lists = ribbon_set_own_lists(set);

	for (uint32_t i = 0; i < ribbon_set_nlists(set); i++)
		for (uint32_t b = 0; b < lists[i].nblocks; b++)
			lists[i].blocks[b].source = sources[lists[i].blocks[b].source];
	set->file = file;
}
