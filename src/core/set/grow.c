/*
 * grow.c - how a set grows in a file
 *
 * In a file, a set that holds no more than can soon be sorted is just a list of
 * blocks.  One that grows beyond is split into 256 parts by the highest bits of
 * the hashes, and what comes later goes into the part it belongs to, so that
 * each part is again a list of blocks, of about 1/256 of the elements.
 *
 *	 add:   8f31.. 02a7.. 8f90.. d1e0..     02 | 02a7
 *	                                 ->     8f | 8f31 8f90
 *	                                        d1 | d1e0
 */
#include "base/bits.h"
#include "set/blocks.h"

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
ribbon_set_add_to_file(RibbonSet *set, const uint64_t *words, size_t n)
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
ribbon_set_move_array(RibbonSet *set)
{
	size_t n = set->narray / ribbon_set_stride(set);

	set->narray = 0;
	set->n -= n; /* which are added once more */
	return n > 0 ? ribbon_set_add_to_file(set, set->array, n) : RIBBON_OK;
}

RibbonStatus
ribbon_set_flush(RibbonSet *set)
{
	RibbonStatus status = ribbon_set_move_array(set);

	ribbon_free(&set->env, set->array);
	set->array = NULL;
	set->room = 0;
	return status;
}
