/*
 * keystore.c - a set of hashes or records too large for memory
 *
 * Hashes arrive in any order and with duplicates, many at a time, and are
 * wanted in order and once.  A store that holds no more than can be sorted in
 * memory is just a list of blocks.  One that grows beyond is cut into 256 parts
 * by the highest bits of the hashes, and what comes later goes into the part
 * it belongs to, so that each part is again a list of blocks, of about 1/256
 * of the hashes.
 *
 *	 add:   8f31.. 02a7.. 8f90.. d1e0..     02 | 02a7
 *	                                 ->     8f | 8f31 8f90
 *	                                        d1 | d1e0
 *
 * Sealing sorts part after part in memory, drops the duplicates, and writes
 * the part back in place (keysort.c).
 *
 * Once sealed, a range of hashes is found by a binary search (blocklist.c).
 * Reading windows one below the other reads each block once, or twice where two
 * windows meet.
 *
 * Blocks of other processes are read, but never written: their owners may
 * have to show them again.
 *
 * The core reads the hashes of a large set from a store, and puts into others
 * what layers bump.  It counts records, where we count words, and adds a few at
 * a time, which are collected until it is worth scattering them.  A store that
 * the core opens lives in a context below the spill's, and the core closes it
 * when it is done.  After an error, which is thrown through the core (env.c),
 * the store goes with the spill, and not later, since it gives its blocks back
 * to it.
 */
#include "spill/blocks.h"

#include "miscadmin.h"
#include "utils/memutils.h"

/* 2 MB: words that are read or scattered at a time. */
#define CHUNK_WORDS (256 * 1024)

/* 8 MB: a store of no more is not cut.  To sort it takes as much again. */
#define WHOLE_WORDS (1024 * 1024)

/* Called when the store's context is reset or deleted. */
static void
release_blocks(void *arg)
{
	RibbonKeyStore *store = arg;

	if (store->spill == NULL)
		return;
	if (store->lists != &store->whole) /* which an error has left uncut */
		ribbon_blocklist_drop(store, &store->whole, 0);
	for (uint32 i = 0; i < store->nlists; i++)
		ribbon_blocklist_drop(store, &store->lists[i], 0);
	store->spill = NULL;
}

/*
 * Can n more hashes be added to a list that is to be sorted in memory?  If it
 * is full of duplicates, they can, once these are dropped.  A quarter of it
 * must be free then, so that this is not tried too often.
 */
static bool
has_room(RibbonKeyStore *store, size_t n)
{
	RibbonBlockList *list = &store->whole;

	if (list->nwords + n <= WHOLE_WORDS)
		return true;
	if (list->nwords == 0 || list->nwords > WHOLE_WORDS)
		return false;
	ribbon_keysort_lists(store, &list, 1);
	return list->nwords + n <= WHOLE_WORDS / 4 * 3;
}

/*
 * Copy the records of words[0..n) to scattered, in the order of the eight bits
 * from shift on; end[p] is where those with bits p end.
 */
static pg_attribute_always_inline void
scatter_records(const uint64 *words, size_t n, unsigned of_record,
				unsigned shift, uint64 *scattered, size_t *end)
{
	size_t sum = 0;

	memset(end, 0, RIBBON_KEYSTORE_PARTS * sizeof(size_t));
	for (size_t i = 0; i < n; i += of_record)
		end[words[i] >> shift & (RIBBON_KEYSTORE_PARTS - 1)] += of_record;
	for (int p = 0; p < RIBBON_KEYSTORE_PARTS; p++)
	{
		size_t count = end[p];

		end[p] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i += of_record)
	{
		size_t *at = &end[words[i] >> shift & (RIBBON_KEYSTORE_PARTS - 1)];

		for (unsigned j = 0; j < of_record; j++)
			scattered[(*at)++] = words[i + j];
	}
}

/* Add records to the parts that the eight bits from shift on name. */
static void
scatter_words(RibbonKeyStore *store, const uint64 *words, size_t n,
			  unsigned shift, RibbonBlockList *parts)
{
	uint64 *scattered = ribbon_alloc_words(n);
	size_t end[RIBBON_KEYSTORE_PARTS];
	size_t begin = 0;

	if (store->records.words == 1)
		scatter_records(words, n, 1, shift, scattered, end);
	else
		scatter_records(words, n, RIBBON_RECORD_WORDS, shift, scattered, end);

	for (int p = 0; p < RIBBON_KEYSTORE_PARTS; p++)
	{
		ribbon_blocklist_append(store, &parts[p], scattered + begin,
								end[p] - begin);
		begin = end[p];
	}
	pfree(scattered);
}

void
ribbon_keystore_add(RibbonKeyStore *store, const uint64 *words, size_t n)
{
	if (store->nlists == 1 && !has_room(store, n))
		ribbon_keystore_open_parts(store);

	if (store->nlists == 1)
		ribbon_blocklist_append(store, store->lists, words, n);
	else
		for (size_t i = 0; i < n; i += CHUNK_WORDS)
			scatter_words(store, words + i, Min(n - i, CHUNK_WORDS),
						  RIBBON_TOP_SHIFT, store->lists);
}

uint64
ribbon_keystore_nwords(const RibbonKeyStore *store)
{
	uint64 n = 0;

	for (uint32 i = 0; i < store->nlists; i++)
		n += store->lists[i].nwords;
	return n;
}

size_t
ribbon_keystore_next(const RibbonKeyStore *store, RibbonStorePosition *position,
					 uint64 *words)
{
	const RibbonBlock *block;

	while (position->list < store->nlists &&
		   position->block == store->lists[position->list].nblocks)
	{
		position->list++;
		position->block = 0;
	}
	if (position->list == store->nlists)
		return 0;
	block = &store->lists[position->list].blocks[position->block++];
	ribbon_spill_read(store->spill, block, words);
	return block->nwords;
}

/* Copy another store's hashes. */
static void
copy_store(RibbonKeyStore *store, const RibbonKeyStore *other)
{
	uint64 *words = ribbon_alloc_words(RIBBON_BLOCK_WORDS);
	RibbonStorePosition position = {0};
	size_t n;

	while ((n = ribbon_keystore_next(other, &position, words)) > 0)
		ribbon_keystore_add(store, words, n);
	pfree(words);
}

/* Let another store's blocks refer to the files of this store's spill. */
static void
adopt_list(RibbonKeyStore *store, RibbonKeyStore *other, RibbonBlockList *list)
{
	if (store->spill == other->spill)
		return;
	for (uint32 i = 0; i < list->nblocks; i++)
	{
		const RibbonFileName *name = ribbon_spill_give(other->spill,
													   list->blocks[i].file);

		list->blocks[i].file = ribbon_spill_adopt(store->spill, name);
	}
}

void
ribbon_keystore_split(RibbonKeyStore *store, RibbonBlockList *list,
					  unsigned shift, RibbonBlockList *parts)
{
	uint64 *words;

	if (list->nblocks == 0)
		return;

	words = ribbon_alloc_words(CHUNK_WORDS);
	while (list->nblocks > 0)
	{
		size_t n = ribbon_blocklist_pop(store, list, words, CHUNK_WORDS);

		ribbon_keysort_array(&store->records, words, &n);
		scatter_words(store, words, n, shift, parts);
	}
	pfree(words);
}

void
ribbon_keystore_open_parts(RibbonKeyStore *store)
{
	store->lists = MemoryContextAllocZero(store->context,
										  RIBBON_KEYSTORE_PARTS *
											  sizeof(RibbonBlockList));
	store->nlists = RIBBON_KEYSTORE_PARTS;
	ribbon_keystore_split(store, &store->whole, RIBBON_TOP_SHIFT, store->lists);
}

void
ribbon_keystore_absorb(RibbonKeyStore *store, RibbonKeyStore *other)
{
	if (store->nlists < other->nlists)
		ribbon_keystore_open_parts(store);

	/* blocks of this spill, or in files that were given away, can be shared */
	if (store->spill != other->spill && !other->given)
	{
		copy_store(store, other);
		return;
	}
	for (uint32 i = 0; i < other->nlists; i++)
	{
		adopt_list(store, other, &other->lists[i]);
		if (store->nlists == other->nlists)
			ribbon_blocklist_move(store, &store->lists[i], &other->lists[i]);
		else
			ribbon_keystore_split(store, &other->lists[i], RIBBON_TOP_SHIFT,
								  store->lists);
	}
	other->spill = NULL;
}

RibbonSpill *
ribbon_keystore_spill(const RibbonKeyStore *store)
{
	return store->spill;
}

RibbonStore *
ribbon_keystore_core(RibbonKeyStore *store)
{
	return &store->core;
}

/* The lists that may have hashes of a range are read one after the other. */
static RibbonStatus
core_read(RibbonStore *store, uint64_t first, uint64_t last, uint64_t *words,
		  size_t room, size_t *nrecords)
{
	RibbonKeyStore *keys = (RibbonKeyStore *) store;
	bool whole = keys->nlists == 1;
	uint64 least = whole ? 0 : first >> RIBBON_TOP_SHIFT;
	uint64 most = whole ? 0 : last >> RIBBON_TOP_SHIFT;
	uint64 n = 0; /* words */

	room *= keys->records.words;
	for (uint64 i = least; i <= most && first <= last; i++)
		n += ribbon_blocklist_range(keys, &keys->lists[i], first, last,
									n <= room ? words + n : NULL,
									n <= room ? room - n : 0);
	*nrecords = (size_t) Min(n / keys->records.words, SIZE_MAX);
	return RIBBON_OK;
}

static void
add_collected(RibbonKeyStore *keys)
{
	ribbon_keystore_add(keys, keys->collected, keys->ncollected);
	keys->ncollected = 0;
}

static RibbonStatus
core_add(RibbonStore *store, const uint64_t *words, size_t n)
{
	RibbonKeyStore *keys = (RibbonKeyStore *) store;

	n *= keys->records.words;
	while (n > 0)
	{
		size_t now = Min(n, CHUNK_WORDS - keys->ncollected);

		memcpy(keys->collected + keys->ncollected, words, now * sizeof(uint64));
		keys->ncollected += now;
		if (keys->ncollected == CHUNK_WORDS)
			add_collected(keys);
		words += now;
		n -= now;
	}
	return RIBBON_OK;
}

static RibbonStatus
core_seal(RibbonStore *store, uint64_t *nrecords)
{
	RibbonKeyStore *keys = (RibbonKeyStore *) store;

	add_collected(keys);
	pfree(keys->collected);
	*nrecords = ribbon_keysort_seal(keys) / keys->records.words;
	return RIBBON_OK;
}

static void
core_close(RibbonStore *store)
{
	MemoryContextDelete(((RibbonKeyStore *) store)->context);
}

RibbonKeyStore *
ribbon_keystore_create(MemoryContext context, RibbonSpill *spill,
					   const RibbonRecords *records)
{
	size_t affordable = (size_t) work_mem * 1024 / (2 * sizeof(uint64));
	RibbonKeyStore *store = MemoryContextAllocZero(context,
												   sizeof(RibbonKeyStore));

	store->core.read = core_read;
	store->context = context;
	store->spill = spill;
	store->records = *records;
	store->lists = &store->whole;
	store->nlists = 1;
	store->sort_words = Max(affordable / ribbon_threads_count(), WHOLE_WORDS);
	store->on_reset.func = release_blocks;
	store->on_reset.arg = store;
	MemoryContextRegisterResetCallback(context, &store->on_reset);
	return store;
}

RibbonStore *
ribbon_keystore_open(const RibbonKeyStore *like, unsigned words)
{
	RibbonRecords hashes = {.kind = RIBBON_HASHES, .words = 1};
	MemoryContext context =
		AllocSetContextCreate(ribbon_spill_context(like->spill),
							  "ribbon core store", ALLOCSET_DEFAULT_SIZES);
	RibbonKeyStore *keys = ribbon_keystore_create(context, like->spill,
												  words == 1 ? &hashes :
															   &like->records);

	keys->core.add = core_add;
	keys->core.seal = core_seal;
	keys->core.close = core_close;
	keys->collected = MemoryContextAlloc(context, CHUNK_WORDS * sizeof(uint64));
	return &keys->core;
}
