/*
 * read.c - ranges of a sealed set, and all of a set
 *
 * Each block of a sealed set tells its first hash, so the blocks of a range are
 * found by a binary search.  Those that are not wholly in it are its first and
 * its last one.
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
	ribbon_free(env, range->block);
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

/* A range that is being read from a file. */
typedef struct Reading
{
	const RibbonEnv *env;
	const RibbonSet *set;
	uint64_t first, last;
	RibbonSetRange *range;
	size_t stride; /* words of an element */
	size_t room;   /* words */
	uint64_t n; /* words so far; once they are more than room, only counted */
} Reading;

/* Have room for so many elements, at least.  What was read is gone. */
static RibbonStatus
make_range_buffer(const Reading *r, uint64_t nbuffer)
{
	RibbonSetRange *range = r->range;

	if (nbuffer <= range->nbuffer && range->buffer != NULL)
		return RIBBON_OK;
	ribbon_free(r->env, range->buffer);
	range->buffer = ribbon_alloc_array(r->env, nbuffer,
									   r->stride * sizeof(uint64_t));
	range->nbuffer = (size_t) nbuffer;
	return range->buffer == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

/* Read those elements of a block that are in the range. */
static RibbonStatus
read_some(Reading *r, const RibbonBlockList *list, uint32_t block)
{
	RibbonSetRange *range = r->range;
	size_t stride = r->stride;
	size_t end = list->blocks[block].nwords / stride;
	size_t begin, nfound;
	RibbonStatus status;

	if (range->block == NULL)
		range->block = ribbon_alloc_array(r->env, RIBBON_BLOCK_WORDS,
										  sizeof(uint64_t));
	if (range->block == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_blocks_read(r->env, r->set, list, block, block + 1,
								range->block);
	if (status != RIBBON_OK)
		return status;
	begin = ribbon_element_first(range->block, stride, end, r->first);
	if (r->last < UINT64_MAX)
		end = ribbon_element_first(range->block, stride, end, r->last + 1);
	nfound = end > begin ? (end - begin) * stride : 0;
	if (nfound > 0 && r->n + nfound <= r->room)
		memcpy(range->buffer + r->n, range->block + begin * stride,
			   nfound * sizeof(uint64_t));
	r->n += nfound;
	return RIBBON_OK;
}

/*
 * Blocks between two that begin in the range are read whole.  (Of an exact set
 * several blocks may have the same hash.)
 */
static RibbonStatus
read_list(Reading *r, const RibbonBlockList *list)
{
	uint32_t i = count_below(list, r->first);
	uint32_t end = r->last < UINT64_MAX ? count_below(list, r->last + 1) :
										  list->nblocks;
	uint64_t inner = 0;
	RibbonStatus status = RIBBON_OK;

	if (i > 0) /* the last one that begins below the range */
		status = read_some(r, list, i - 1);
	for (uint32_t b = i; b + 1 < end; b++)
		inner += list->blocks[b].nwords;
	if (status == RIBBON_OK && inner > 0 && r->n + inner <= r->room)
		status = ribbon_blocks_read(r->env, r->set, list, i, end - 1,
									r->range->buffer + r->n);
	r->n += inner;
	if (status == RIBBON_OK && i < end)
		status = read_some(r, list, end - 1);
	return status;
}

/* The lists that may have hashes of the range are read one after the other. */
static RibbonStatus
read_file(Reading *r)
{
	const RibbonBlockList *lists = ribbon_set_lists(r->set);
	bool one = r->set->parts == NULL;
	uint64_t i = one ? 0 : r->first >> RIBBON_TOP_SHIFT;
	uint64_t most = one ? 0 : r->last >> RIBBON_TOP_SHIFT;
	RibbonStatus status = RIBBON_OK;

	r->room = r->range->nbuffer * r->stride;
	r->n = 0;
	for (; i <= most && r->first <= r->last && status == RIBBON_OK; i++)
		status = read_list(r, &lists[i]);
	r->range->words = r->range->buffer;
	r->range->n = (size_t) ribbon_min64(r->n / r->stride, SIZE_MAX);
	return status;
}

/* With room for most; if that is UINT64_MAX, once more where room is short. */
static RibbonStatus
read_all_of(Reading *r, uint64_t most)
{
	const RibbonSetRange *range = r->range;
	RibbonStatus status = RIBBON_OK;

	if (most < UINT64_MAX)
		status = make_range_buffer(r, most);
	if (status == RIBBON_OK)
		status = read_file(r);
	if (status != RIBBON_OK || range->n <= range->nbuffer || most < UINT64_MAX)
		return status;
	status = make_range_buffer(r, range->n);
	if (status == RIBBON_OK)
		status = read_file(r);
	if (status == RIBBON_OK && range->n > range->nbuffer)
		status = RIBBON_BAD_FILE;
	return status;
}

RibbonStatus
ribbon_set_read(const RibbonEnv *env, const RibbonSet *set, uint64_t first,
				uint64_t last, uint64_t most, RibbonSetRange *range)
{
	size_t stride = ribbon_set_stride(set);
	Reading r = {env, set, first, last, range, stride, 0, 0};
	size_t end = (size_t) set->n;
	size_t begin;
	RibbonStatus status = RIBBON_OK;

	if (!set->in_file)
	{
		begin = ribbon_element_first(set->array, stride, end, first);
		if (last < UINT64_MAX)
			end = ribbon_element_first(set->array, stride, end, last + 1);
		range->words = set->array + begin * stride;
		range->n = end > begin ? end - begin : 0;
	}
	else
		status = read_all_of(&r, most);
	return status == RIBBON_OK && range->n > most ? RIBBON_TOO_MANY : status;
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
