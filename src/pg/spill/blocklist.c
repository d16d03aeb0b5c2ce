/*
 * blocklist.c - a list of the blocks that hold a key store's hashes
 *
 *----------
 *	 blocks     | first 02a7 | first 0513 | first 0b40 |
 *	            | 4096 hashes | 4096 hashes |  877 hashes |  <- append here
 *	 file            |            |            |
 *	             ....[.......]....[.......]....[..     ]
 *----------
 *
 * Hashes are appended to the last block, until it is full and a fresh one is
 * asked for.  Once a list is sorted, each block tells its first hash, and the
 * hashes in a range are found by a binary search.
 *
 * If there is an error, the store gives back the blocks of all its lists.  So a
 * block is never in two of them, nor in one when it has been given back.
 */
#include "spill/blocks.h"

/* Room for n more blocks. */
static void
make_room(RibbonKeyStore *store, RibbonBlockList *list, uint32 n)
{
	uint32 capacity = Max(list->capacity, 4);

	if (list->nblocks + n <= list->capacity)
		return;
	while (capacity < list->nblocks + n)
		capacity *= 2;
	list->blocks = ribbon_enlarge(store->context, list->blocks,
								  (Size) capacity * sizeof(RibbonBlock));
	list->capacity = capacity;
}

void
ribbon_blocklist_take(RibbonKeyStore *store, RibbonBlockList *list,
					  const RibbonBlock *block)
{
	make_room(store, list, 1);
	list->blocks[list->nblocks++] = *block;
	list->nwords += block->nwords;
}

void
ribbon_blocklist_append(RibbonKeyStore *store, RibbonBlockList *list,
						const uint64 *words, size_t n)
{
	while (n > 0)
	{
		RibbonBlock *block = NULL;
		size_t now;

		if (list->nblocks > 0)
			block = &list->blocks[list->nblocks - 1];
		if (block == NULL || !ribbon_spill_owns(block) ||
			block->nwords == RIBBON_BLOCK_WORDS)
		{
			RibbonBlock fresh = ribbon_spill_allocate(store->spill);

			fresh.first = words[0];
			ribbon_blocklist_take(store, list, &fresh);
			block = &list->blocks[list->nblocks - 1];
		}
		now = Min(n, RIBBON_BLOCK_WORDS - block->nwords);
		ribbon_spill_append(store->spill, block, words, now);
		list->nwords += now;
		words += now;
		n -= now;
	}
}

size_t
ribbon_blocklist_read(RibbonKeyStore *store, const RibbonBlockList *list,
					  uint32 begin, uint64 *words)
{
	size_t n = 0;

	for (uint32 i = begin; i < list->nblocks; i++)
	{
		ribbon_spill_read(store->spill, &list->blocks[i], words + n);
		n += list->blocks[i].nwords;
	}
	return n;
}

/* From the last one on, so that the next ones asked for are in this order. */
void
ribbon_blocklist_drop(RibbonKeyStore *store, RibbonBlockList *list,
					  uint32 begin)
{
	while (list->nblocks > begin)
	{
		const RibbonBlock *block = &list->blocks[--list->nblocks];

		list->nwords -= block->nwords;
		if (!store->given)
			ribbon_spill_free(store->spill, block);
	}
}

size_t
ribbon_blocklist_pop(RibbonKeyStore *store, RibbonBlockList *list,
					 uint64 *words, size_t room)
{
	uint32 begin = list->nblocks;
	size_t n = 0;

	while (begin > 0 && n + list->blocks[begin - 1].nwords <= room)
		n += list->blocks[--begin].nwords;

	ribbon_blocklist_read(store, list, begin, words);
	ribbon_blocklist_drop(store, list, begin);
	return n;
}

/*
 * The last block that begins below hash, or the first.  (Of an exact set
 * several blocks may have the same hash.)
 */
static uint32
find_block(const RibbonBlockList *list, uint64 hash)
{
	uint32 low = 0;
	uint32 high = list->nblocks;

	while (low < high)
	{
		uint32 middle = low + (high - low) / 2;

		if (list->blocks[middle].first < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

/* Read those records of a block whose hashes are in a range, likewise. */
static size_t
read_some(RibbonKeyStore *store, const RibbonBlock *block, uint64 first,
		  uint64 last, uint64 *words, size_t room)
{
	unsigned of_record = store->records.words;
	size_t n = 0;

	if (store->buffer == NULL)
		store->buffer = MemoryContextAlloc(store->context,
										   RIBBON_BLOCK_WORDS * sizeof(uint64));
	ribbon_spill_read(store->spill, block, store->buffer);
	for (uint32 i = 0; i < block->nwords; i += of_record)
	{
		uint64 hash = store->buffer[i];

		if (hash < first || hash > last)
			continue;
		if (n < room)
			memcpy(words + n, store->buffer + i, of_record * sizeof(uint64));
		n += of_record;
	}
	return n;
}

size_t
ribbon_blocklist_range(RibbonKeyStore *store, const RibbonBlockList *list,
					   uint64 first, uint64 last, uint64 *words, size_t room)
{
	uint64 n = 0; /* may be more than a size_t holds */

	for (uint32 i = find_block(list, first);
		 i < list->nblocks && list->blocks[i].first <= last; i++)
	{
		const RibbonBlock *block = &list->blocks[i];
		bool is_inner = block->first >= first && i + 1 < list->nblocks &&
			list->blocks[i + 1].first <= last;

		if (!is_inner)
			n += read_some(store, block, first, last, words + n,
						   n < room ? room - n : 0);
		else
		{
			if (n + block->nwords <= room)
				ribbon_spill_read(store->spill, block, words + n);
			n += block->nwords;
		}
	}
	return (size_t) Min(n, SIZE_MAX);
}

/* All or none of the blocks: one in both lists would be freed twice. */
void
ribbon_blocklist_move(RibbonKeyStore *store, RibbonBlockList *to,
					  RibbonBlockList *from)
{
	make_room(store, to, from->nblocks);
	for (uint32 i = 0; i < from->nblocks; i++)
		to->blocks[to->nblocks++] = from->blocks[i];
	to->nwords += from->nwords;
	from->nblocks = 0;
	from->nwords = 0;
}
