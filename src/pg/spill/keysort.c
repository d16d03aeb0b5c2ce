/*
 * keysort.c - sorting hashes or records: arrays of them, and key stores
 *
 * To seal a key store is to sort its lists, one after the other or several at
 * once, each in memory; to drop the duplicates; and to write it back in place.
 * Hashes are spread evenly, unless keys were chosen so that they are not; or
 * there are very many.  So a list that is too large is itself cut by its next
 * eight bits, and so on; once all bits are used up, all its hashes are the
 * same.
 */
#include "spill/blocks.h"

#include "miscadmin.h"

/* Arrays, and lists, that are sorted at once, at most. */
#define MAX_BATCH 16

/* Two records of one hash and different words; zeroed if there are none. */
typedef uint64_t Conflict[2 * RIBBON_RECORD_WORDS];

/* What the tasks of sort_arrays share. */
typedef struct Arrays
{
	const RibbonRecords *records;
	uint64_t **arrays;
	size_t *sizes;
	Conflict *conflicts; /* of each array */
} Arrays;

/* Sort words[0..*n) and drop duplicates; RIBBON_CONFLICT fills in conflict. */
static RibbonStatus
sort_distinct(const RibbonEnv *env, const RibbonRecords *records,
			  uint64_t *words, size_t *n, Conflict conflict)
{
	RibbonStatus status;

	*n /= records->words;
	status = ribbon_distinct(env, records->kind, words, n, conflict);
	*n *= records->words;
	return status;
}

pg_noreturn static void
throw_status(RibbonStatus status, const RibbonRecords *records,
			 const Conflict conflict)
{
	if (status == RIBBON_CONFLICT)
		records->conflict(records->arg, conflict);
	ribbon_error_throw(RIBBON_SQL_FILTER, status);
}

void
ribbon_keysort_array(const RibbonRecords *records, uint64_t *words, size_t *n)
{
	RibbonEnv env = ribbon_env_create();
	Conflict conflict;
	RibbonStatus status = sort_distinct(&env, records, words, n, conflict);

	if (status != RIBBON_OK)
		throw_status(status, records, conflict);
}

/* A RibbonTask: sort array i. */
static RibbonStatus
sort_one(const RibbonEnv *env, void *arg, unsigned i)
{
	Arrays *arrays = arg;

	return sort_distinct(env, arrays->records, arrays->arrays[i],
						 &arrays->sizes[i], arrays->conflicts[i]);
}

/*
 * Sort several arrays at once, at most MAX_BATCH.  False after an interrupt
 * that has thrown nothing: then the contents of the arrays are lost.
 */
static bool
sort_arrays(const RibbonRecords *records, uint64_t **arrays, size_t *sizes,
			unsigned narrays)
{
	Conflict conflicts[MAX_BATCH] = {0};
	Arrays all = {records, arrays, sizes, conflicts};
	RibbonStatus status;

	if (narrays == 1)
	{
		ribbon_keysort_array(records, arrays[0], &sizes[0]);
		return true;
	}
	status = ribbon_threads_run(narrays, sort_one, &all);
	CHECK_FOR_INTERRUPTS();
	for (unsigned i = 0; status == RIBBON_CONFLICT && i < narrays; i++)
		if (ribbon_conflict_word(conflicts[i], 0) !=
			ribbon_conflict_word(conflicts[i], 1))
			throw_status(status, records, conflicts[i]);
	if (status != RIBBON_OK && status != RIBBON_INTERRUPTED)
		ribbon_error_throw(RIBBON_SQL_FILTER, status);
	return status == RIBBON_OK;
}

void
ribbon_keysort_lists(RibbonKeyStore *store, RibbonBlockList **lists,
					 unsigned nlists)
{
	uint64 *words[MAX_BATCH];
	size_t n[MAX_BATCH];

	for (unsigned l = 0; l < nlists; l++)
		words[l] = ribbon_alloc_words(lists[l]->nwords);
	do
	{
		for (unsigned l = 0; l < nlists; l++)
			n[l] = ribbon_blocklist_read(store, lists[l], 0, words[l]);
	} while (!sort_arrays(&store->records, words, n, nlists));

	for (unsigned l = 0; l < nlists; l++)
	{
		ribbon_blocklist_drop(store, lists[l], 0);
		ribbon_blocklist_append(store, lists[l], words[l], n[l]);
		pfree(words[l]);
	}
}

/*
 * The hashes of this list are all the same; and so are their values, or there
 * is a conflict.  Keys of an exact set may have been chosen to have one hash:
 * if they do not fit into two blocks, duplicates may be left.  The core then
 * gives all keys other hashes (construct/salt.h), and seals a new store.
 */
static void
keep_one(RibbonKeyStore *store, RibbonBlockList *list)
{
	RibbonBlockList kept = {0};
	uint64 *words;
	size_t n = 0;

	if (list->nwords <= store->records.words)
		return;
	words = ribbon_alloc_words(2 * RIBBON_BLOCK_WORDS);
	while (list->nblocks > 0)
	{
		n += ribbon_blocklist_pop(store, list, words + n, RIBBON_BLOCK_WORDS);
		ribbon_keysort_array(&store->records, words, &n);
		if (n > RIBBON_BLOCK_WORDS)
		{
			ribbon_blocklist_append(store, &kept, words, n);
			n = 0;
		}
	}
	ribbon_blocklist_append(store, list, words, n);
	ribbon_blocklist_move(store, list, &kept);
	if (kept.blocks != NULL)
		pfree(kept.blocks);
	pfree(words);
}

static void seal_lists(RibbonKeyStore *store, RibbonBlockList *lists,
					   uint32 nlists, unsigned shift);

/* Cut a list that is too large for memory. */
static void
seal_large(RibbonKeyStore *store, RibbonBlockList *list, unsigned shift)
{
	RibbonBlockList *parts = palloc0(RIBBON_KEYSTORE_PARTS *
									 sizeof(RibbonBlockList));

	ribbon_keystore_split(store, list, shift, parts);
	if (shift > 0)
		seal_lists(store, parts, RIBBON_KEYSTORE_PARTS,
				   shift - RIBBON_PART_BITS);
	for (int p = 0; p < RIBBON_KEYSTORE_PARTS; p++)
	{
		if (shift == 0)
			keep_one(store, &parts[p]);
		ribbon_blocklist_move(store, list, &parts[p]);
		if (parts[p].blocks != NULL)
			pfree(parts[p].blocks);
	}
	pfree(parts);
}

/*
 * Sort some lists, whose hashes agree in the bits from shift + 8 on.  Those
 * that fit into memory are sorted several at once.
 */
static void
seal_lists(RibbonKeyStore *store, RibbonBlockList *lists, uint32 nlists,
		   unsigned shift)
{
	unsigned nthreads = ribbon_threads_count();
	RibbonBlockList *batch[MAX_BATCH];
	unsigned n = 0;

	for (uint32 i = 0; i < nlists; i++)
	{
		if (lists[i].nwords > store->sort_words)
			seal_large(store, &lists[i], shift);
		else if (lists[i].nwords > 0)
			batch[n++] = &lists[i];
		if (n == Min(nthreads, MAX_BATCH) || (i + 1 == nlists && n > 0))
		{
			ribbon_keysort_lists(store, batch, n);
			n = 0;
		}
		if (nlists > 1 && shift == RIBBON_TOP_SHIFT - RIBBON_PART_BITS)
			ribbon_progress_report(RIBBON_SORTING, 0, (i + 1.0) / nlists);
	}
}

uint64
ribbon_keysort_seal(RibbonKeyStore *store)
{
	seal_lists(store, store->lists, store->nlists,
			   store->nlists == 1 ? RIBBON_TOP_SHIFT :
									RIBBON_TOP_SHIFT - RIBBON_PART_BITS);
	return ribbon_keystore_nwords(store);
}
