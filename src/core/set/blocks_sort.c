/*
 * blocks_sort.c - sorting the lists of a set in a file, which seals it
 *
 * To seal a set is to sort its lists, several at once if there are threads,
 * each in memory; to drop the duplicates; and to write it back in place.
 * Hashes are spread evenly, unless keys were chosen so that they are not; or
 * there are very many.  So a list that is too large is itself split by its next
 * eight bits, and so on.
 */
#include "base/bits.h"
#include "set/blocks.h"
#include "set/sort.h"

/* Lists of a batch, at most. */
#define MAX_BATCH 64

/* Words that are worth making threads for: some 5 ms of sorting. */
#define WORTH_THREADS RIBBON_SET_CHUNK

/* A list that is sorted with others. */
typedef struct Sorting
{
	RibbonBlockList *list;
	uint64_t *words; /* its elements, in memory */
	size_t nelements;
	RibbonStatus status;
	RibbonRecord conflict[2];
} Sorting;

/* Lists that are sorted at once. */
typedef struct Batch
{
	RibbonSet *set;
	Sorting lists[MAX_BATCH];
	unsigned n;
	unsigned ntasks;
	bool tasks_read; /* or they have been read */
} Batch;

static RibbonStatus
load_list(const RibbonEnv *env, const Batch *batch, const Sorting *sorting)
{
	return ribbon_blocks_read(env, batch->set, sorting->list, 0,
							  sorting->list->nblocks, sorting->words);
}

/*
 * A RibbonTask: sort lists i, i + ntasks, ... until there is an error.  What
 * came of them is in the batch, for a list that was being sorted when there was
 * an interrupt must be read again.
 */
static RibbonStatus
sort_some(const RibbonEnv *env, void *arg, unsigned i)
{
	Batch *batch = (Batch *) arg;
	RibbonStatus status = RIBBON_OK;

	for (; i < batch->n && status == RIBBON_OK; i += batch->ntasks)
	{
		Sorting *sorting = &batch->lists[i];

		if (batch->tasks_read)
			status = load_list(env, batch, sorting);
		if (status == RIBBON_OK)
			status = ribbon_distinct(env, batch->set->kind, sorting->words,
									 &sorting->nelements, sorting->conflict);
		sorting->status = status;
	}
	return RIBBON_OK;
}

/*
 * What came of the tasks: an error, of the first list that has one, or an
 * interrupt.
 */
static RibbonStatus
batch_status(const Batch *batch)
{
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 0; i < batch->n; i++)
	{
		const Sorting *sorting = &batch->lists[i];

		if (sorting->status == RIBBON_OK)
			continue;
		status = sorting->status;
		if (status == RIBBON_CONFLICT)
			memcpy(batch->set->conflict, sorting->conflict,
				   sizeof(sorting->conflict));
		if (status != RIBBON_INTERRUPTED)
			break;
	}
	return status;
}

/* Begin a batch; read its lists, unless the tasks do. */
static RibbonStatus
begin_batch(Batch *batch)
{
	RibbonStatus status = RIBBON_OK;

	batch->tasks_read = batch->ntasks == 1 || batch->set->file->threads_read;
	for (unsigned i = 0; i < batch->n && status == RIBBON_OK; i++)
	{
		Sorting *sorting = &batch->lists[i];

		sorting->status = RIBBON_OK;
		sorting->nelements = (size_t) (sorting->list->nwords /
									   ribbon_set_stride(batch->set));
		if (!batch->tasks_read)
			status = load_list(&batch->set->env, batch, sorting);
	}
	return status;
}

/*
 * Sort the lists of a batch; again, if a thread has seen an interrupt that came
 * to nothing.
 */
static RibbonStatus
run_batch(Batch *batch)
{
	const RibbonEnv *env = &batch->set->env;
	RibbonStatus status;

	batch->ntasks = (unsigned) ribbon_min64(batch->n,
											ribbon_tasks_at_once(env));
	do
	{
		status = begin_batch(batch);
		if (status != RIBBON_OK)
			return status;
		status = ribbon_tasks_run(env, batch->ntasks, sort_some, batch);
		if (status == RIBBON_OK)
			status = batch_status(batch);
	} while (batch->ntasks > 1 && status == RIBBON_INTERRUPTED &&
			 !ribbon_interrupted(env));
	return status;
}

RibbonStatus
ribbon_blocks_sort(RibbonSet *set, RibbonBlockList **lists, unsigned nlists)
{
	Batch batch = {.set = set, .n = nlists};
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 0; i < nlists && status == RIBBON_OK; i++)
	{
		Sorting *sorting = &batch.lists[i];

		sorting->list = lists[i];
		sorting->words = ribbon_alloc_array(&set->env, lists[i]->nwords,
											sizeof(uint64_t));
		if (sorting->words == NULL)
			status = RIBBON_OUT_OF_MEMORY;
	}
	if (status == RIBBON_OK)
		status = run_batch(&batch);
	for (unsigned i = 0; i < nlists; i++)
	{
		Sorting *sorting = &batch.lists[i];

		if (status == RIBBON_OK)
		{
			ribbon_blocks_drop(set, lists[i], 0);
			status = ribbon_blocks_append(set, lists[i], sorting->words,
										  sorting->nelements *
											  ribbon_set_stride(set));
		}
		ribbon_free(&set->env, sorting->words);
	}
	return status;
}

RibbonStatus
ribbon_blocks_scatter(RibbonSet *set, const uint64_t *words, size_t n,
					  unsigned shift, RibbonBlockList *parts)
{
	size_t stride = ribbon_set_stride(set);
	uint64_t *scattered = ribbon_alloc_array(&set->env, n * stride,
											 sizeof(uint64_t));
	size_t end[RIBBON_SET_PARTS];
	RibbonDigit part = {shift, RIBBON_PART_BITS, end};
	size_t begin = 0;
	RibbonStatus status;

	if (scattered == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_scatter(&set->env, stride, words, n, scattered, &part);
	for (int p = 0; p < RIBBON_SET_PARTS && status == RIBBON_OK; p++)
	{
		status = ribbon_blocks_append(set, &parts[p],
									  scattered + begin * stride,
									  (end[p] - begin) * stride);
		begin = end[p];
	}
	ribbon_free(&set->env, scattered);
	return status;
}

RibbonStatus
ribbon_blocks_split(RibbonSet *set, RibbonBlockList *list, unsigned shift,
					RibbonBlockList **parts)
{
	RibbonStatus status = RIBBON_OK;
	uint64_t *words;

	if (*parts == NULL)
		*parts = ribbon_alloc_zeroed(&set->env,
									 RIBBON_SET_PARTS *
										 sizeof(RibbonBlockList));
	if (*parts == NULL)
		return RIBBON_OUT_OF_MEMORY;
	if (list->nblocks == 0)
		return RIBBON_OK;
	words = ribbon_alloc_array(&set->env, RIBBON_SET_CHUNK, sizeof(uint64_t));
	if (words == NULL)
		return RIBBON_OUT_OF_MEMORY;
	while (list->nblocks > 0 && status == RIBBON_OK)
	{
		uint32_t begin = list->nblocks;
		size_t n = 0;

		while (begin > 0 &&
			   n + list->blocks[begin - 1].nwords <= RIBBON_SET_CHUNK)
			n += list->blocks[--begin].nwords;
		status = ribbon_blocks_read(&set->env, set, list, begin, list->nblocks,
									words);
		if (status != RIBBON_OK)
			break;
		ribbon_blocks_drop(set, list, begin);
		n /= ribbon_set_stride(set);
		status = ribbon_distinct(&set->env, set->kind, words, &n,
								 set->conflict);
		if (status == RIBBON_OK)
			status = ribbon_blocks_scatter(set, words, n, shift, *parts);
	}
	ribbon_free(&set->env, words);
	return status;
}

static RibbonStatus seal_lists(RibbonSet *set, RibbonBlockList *lists,
							   uint32_t nlists, int shift);

/*
 * Sort a list that is too large for memory: split it by the eight bits from
 * shift on, sort the parts, and put them together again.
 *
 * If no bits are left (shift < 0), all hashes of the list are the same.  It is
 * of an exact set, whose keys were chosen so: else all its elements would be
 * duplicates, of which splits leave few, or there had been a conflict.  It
 * stays unsorted, and may have duplicates.  The build gives all keys other
 * hashes (construct/salt.h), and seals a new set.
 */
static RibbonStatus
seal_large(RibbonSet *set, RibbonBlockList *list, int shift)
{
	RibbonBlockList *parts = NULL;
	RibbonStatus status;

	if (shift < 0)
		return RIBBON_OK;
	status = ribbon_blocks_split(set, list, (unsigned) shift, &parts);
	if (status == RIBBON_OK)
		status = seal_lists(set, parts, RIBBON_SET_PARTS,
							shift - RIBBON_PART_BITS);
	for (int p = 0; parts != NULL && p < RIBBON_SET_PARTS; p++)
	{
		if (status == RIBBON_OK)
			status = ribbon_blocks_move(set, list, &parts[p]);
		ribbon_blocks_free(set, &parts[p]);
	}
	ribbon_free(&set->env, parts);
	return status;
}

/*
 * Sort some lists, whose hashes agree in the bits from shift + 8 on.  Threads
 * get a list each at a time, or more if these are short; those that are sorted
 * at once fit into memory together.
 */
static RibbonStatus
seal_lists(RibbonSet *set, RibbonBlockList *lists, uint32_t nlists, int shift)
{
	const RibbonEnv *env = &set->env;
	unsigned most = (unsigned) ribbon_min64(ribbon_tasks_at_once(env),
											MAX_BATCH);
	RibbonStatus status = RIBBON_OK;

	for (uint32_t i = 0; i < nlists && status == RIBBON_OK;)
	{
		RibbonBlockList *batch[MAX_BATCH];
		uint64_t total = 0;
		unsigned n = 0;

		while (i < nlists && n < MAX_BATCH &&
			   (n < most || (most > 1 && total < WORTH_THREADS)) &&
			   total + lists[i].nwords <= set->file->sort_words)
		{
			total += lists[i].nwords;
			if (lists[i].nwords > 0)
				batch[n++] = &lists[i];
			i++;
		}
		if (n > 0)
			status = ribbon_blocks_sort(set, batch, n);
		else if (i < nlists)
			status = seal_large(set, &lists[i++], shift);
		if (status == RIBBON_OK && env->progress != NULL && nlists > 1 &&
			shift == RIBBON_TOP_SHIFT - RIBBON_PART_BITS)
			env->progress(env->arg, RIBBON_SORTING_SET,
						  (double) i / (double) nlists);
	}
	return status;
}

RibbonStatus
ribbon_blocks_seal(RibbonSet *set)
{
	int shift = RIBBON_TOP_SHIFT - (set->parts != NULL ? RIBBON_PART_BITS : 0);
	RibbonStatus status = seal_lists(set, ribbon_set_lists(set),
									 ribbon_set_nlists(set), shift);

	ribbon_blocks_count(set);
	return status;
}
