/*
 * read.c - ranges of a sealed set, and all of a set
 *
 * Each block of a sealed set tells its first hash, so the blocks of a range are
 * found by a binary search.  All of them are read into one buffer; what is not
 * in the range is at its two ends.
 */
#include "set/read.h"

#include "base/bits.h"
#include "set/blocks.h"

/* Elements of an array that are taken at once: 512 kB of hashes. */
#define TAKEN_AT_ONCE ((size_t) 64 * 1024)

void
ribbon_set_range_free(const RibbonEnv *env, RibbonSetRange *range)
{
	ribbon_free(env, range->buffer);
}

/* The number of blocks that begin below hash. */
static uint32_t
count_below(const RibbonBlockList *list, uint64_t hash)
{
	uint32_t low = 0;
	uint32_t high = list->nblocks;

	while (low < high)
	{
		uint32_t middle = low + (high - low) / 2;

		if (list->blocks[middle].first < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Set *begin and *end to the blocks of a list that may have hashes of a range;
 * returns their words.
 */
static uint64_t
find_blocks(const RibbonBlockList *list, uint64_t first, uint64_t last,
			uint32_t *begin, uint32_t *end)
{
	uint64_t nwords = 0;

	*begin = count_below(list, first);
	*begin -= *begin > 0; /* the last one that begins below the range */
	*end = last < UINT64_MAX ? count_below(list, last + 1) : list->nblocks;
	for (uint32_t b = *begin; b < *end; b++)
		nwords += list->blocks[b].nwords;
	return nwords;
}

/*
 * Read all blocks that may have hashes of a range.  Two of them may have others
 * as well, so if they have more words than most elements and two blocks, there
 * are too many.  With such a limit all ranges have the same room.
 */
static RibbonStatus
read_blocks(const RibbonEnv *env, const RibbonSet *set, uint64_t first,
			uint64_t last, uint64_t most, RibbonSetRange *range)
{
	const RibbonBlockList *lists = ribbon_set_lists(set);
	bool one = set->parts == NULL;
	uint32_t low = one ? 0 : (uint32_t) (first >> RIBBON_TOP_SHIFT);
	uint32_t high = one ? 0 : (uint32_t) (last >> RIBBON_TOP_SHIFT);
	size_t stride = ribbon_set_stride(set);
	uint64_t nwords = 0;
	uint64_t room;
	uint32_t begin, end;
	RibbonStatus status = RIBBON_OK;

	for (uint32_t i = low; i <= high; i++)
		nwords += find_blocks(&lists[i], first, last, &begin, &end);
	room = most < UINT64_MAX ? most * stride + 2 * RIBBON_BLOCK_WORDS : nwords;
	if (nwords > room)
		return RIBBON_TOO_MANY;
	if (range->buffer == NULL || range->room < room)
	{
		ribbon_free(env, range->buffer);
		range->buffer = ribbon_alloc_array(env, room, sizeof(uint64_t));
		range->room = (size_t) room;
	}
	if (range->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (uint32_t i = low; i <= high && status == RIBBON_OK; i++)
	{
		nwords = find_blocks(&lists[i], first, last, &begin, &end);
		status = ribbon_blocks_read(env, set, &lists[i], begin, end,
									range->buffer + range->n * stride);
		range->n += (size_t) (nwords / stride);
	}
	range->words = range->buffer;
	return status;
}

RibbonStatus
ribbon_set_read(const RibbonEnv *env, const RibbonSet *set, uint64_t first,
				uint64_t last, uint64_t most, RibbonSetRange *range)
{
	size_t stride = ribbon_set_stride(set);
	size_t begin, end;
	RibbonStatus status = RIBBON_OK;

	range->words = set->array;
	range->n = set->in_file ? 0 : (size_t) set->n;
	if (set->in_file && first <= last)
		status = read_blocks(env, set, first, last, most, range);
	if (status != RIBBON_OK || range->n == 0)
		return status;
	end = range->n;
	begin = ribbon_element_first(range->words, stride, end, first);
	if (last < UINT64_MAX)
		end = ribbon_element_first(range->words, stride, end, last + 1);
	range->words += begin * stride;
	range->n = end > begin ? end - begin : 0;
	return range->n > most ? RIBBON_TOO_MANY : RIBBON_OK;
}

/* Blocks, one after the other; *n is the number of their elements. */
static RibbonStatus
each_of_file(const RibbonEnv *env, const RibbonSet *set,
			 RibbonTakeElements take, void *arg, uint64_t *n)
{
	const RibbonBlockList *lists = ribbon_set_lists(set);
	size_t stride = ribbon_set_stride(set);
	uint64_t *words = ribbon_alloc_array(env, RIBBON_BLOCK_WORDS,
										 sizeof(uint64_t));
	RibbonStatus status = words == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;

	*n = 0;
	for (uint32_t i = 0; i < ribbon_set_nlists(set); i++)
		for (uint32_t b = 0; b < lists[i].nblocks && status == RIBBON_OK; b++)
		{
			size_t now = lists[i].blocks[b].nwords / stride;

			status = ribbon_blocks_read(env, set, &lists[i], b, b + 1, words);
			if (status == RIBBON_OK)
				status = take(arg, words, now);
			*n += now;
		}
	ribbon_free(env, words);
	return status;
}

RibbonStatus
ribbon_set_each(const RibbonEnv *env, const RibbonSet *set,
				RibbonTakeElements take, void *arg)
{
	size_t stride = ribbon_set_stride(set);
	size_t n = set->narray / stride;
	uint64_t nread = 0;
	RibbonStatus status = RIBBON_OK;

	if (set->in_file)
		status = each_of_file(env, set, take, arg, &nread);
	for (size_t i = 0; i < n && status == RIBBON_OK; i += TAKEN_AT_ONCE)
	{
		status = take(arg, set->array + i * stride,
					  (size_t) ribbon_min64(n - i, TAKEN_AT_ONCE));
		if (status == RIBBON_OK && ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
	}
	return status == RIBBON_OK && nread + n != set->n ? RIBBON_BAD_FILE :
														status;
}
