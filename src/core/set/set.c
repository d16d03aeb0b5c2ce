/*
 * set.c - a set of hashes or records that does not fit into memory
 *
 * A set that holds no more than can soon be sorted is just a list of blocks.
 * One that grows beyond is cut into 256 parts by the highest bits of the
 * hashes, and what comes later goes into the part it belongs to, so that each
 * part is again a list of blocks, of about 1/256 of the elements.
 *
 *	 add:   8f31.. 02a7.. 8f90.. d1e0..     02 | 02a7
 *	                                 ->     8f | 8f31 8f90
 *	                                        d1 | d1e0
 *
 * Sealing sorts part after part in memory, drops the duplicates, and writes
 * the part back in place (seal.c).
 */
#include "set/set.h"

#include "base/bits.h"
#include "set/blocks.h"

static RibbonStatus
store_add(RibbonStore *store, const uint64_t *words, size_t n)
{
	return ribbon_set_collect((RibbonSet *) store, words, n);
}

static RibbonStatus
store_seal(RibbonStore *store, uint64_t *n)
{
	RibbonSet *set = (RibbonSet *) store;
	RibbonStatus status = ribbon_set_seal(set);

	*n = ribbon_set_count(set);
	return status;
}

static RibbonStatus
store_read(RibbonStore *store, uint64_t first, uint64_t last, uint64_t *words,
		   size_t room, size_t *n)
{
	return ribbon_set_read((RibbonSet *) store, first, last, words, room, n);
}

static void
store_close(RibbonStore *store)
{
	ribbon_set_close((RibbonSet *) store);
}

RibbonStore *
ribbon_set_store(RibbonSet *set)
{
	return &set->store;
}

RibbonStatus
ribbon_set_create(const RibbonEnv *env, RibbonFile *file,
				  RibbonElementKind kind, RibbonSet **set)
{
	RibbonSet *made = ribbon_alloc_zeroed(env, sizeof(RibbonSet));

	if (made == NULL)
		return RIBBON_OUT_OF_MEMORY;
	made->env = *env;
	made->file = file;
	made->kind = kind;
	made->words = ribbon_element_words(kind);
	made->lists = &made->whole;
	made->nlists = 1;
	made->store = (RibbonStore){store_add, store_seal, store_read, store_close};
	*set = made;
	return RIBBON_OK;
}

void
ribbon_set_release(RibbonSet *set)
{
	if (set->lists != &set->whole) /* which an error has left uncut */
		ribbon_blocks_drop(set, &set->whole);
	for (uint32_t i = 0; i < set->nlists; i++)
		ribbon_blocks_drop(set, &set->lists[i]);
}

void
ribbon_set_close(RibbonSet *set)
{
	RibbonEnv env;

	if (set == NULL)
		return;
	env = set->env;
	if (set->lists != &set->whole)
	{
		for (uint32_t i = 0; i < set->nlists; i++)
			ribbon_blocks_free(set, &set->lists[i]);
		ribbon_free(&env, set->lists);
	}
	ribbon_blocks_free(set, &set->whole);
	ribbon_free(&env, set->buffer);
	ribbon_free(&env, set->collected);
	ribbon_free(&env, set);
}

RibbonFile *
ribbon_set_file(const RibbonSet *set)
{
	return set->file;
}

const uint64_t *
ribbon_set_conflict(const RibbonSet *set)
{
	return set->conflict;
}

uint64_t
ribbon_set_count(const RibbonSet *set)
{
	uint64_t n = set->ncollected;

	for (uint32_t i = 0; i < set->nlists; i++)
		n += set->lists[i].nwords;
	return n / set->words;
}

RibbonStatus
ribbon_set_cut(RibbonSet *set)
{
	RibbonBlockList *lists = ribbon_alloc_zeroed(&set->env,
												 RIBBON_SET_PARTS *
													 sizeof(RibbonBlockList));

	if (lists == NULL)
		return RIBBON_OUT_OF_MEMORY;
	set->lists = lists;
	set->nlists = RIBBON_SET_PARTS;
	return ribbon_set_split(set, &set->whole, RIBBON_TOP_SHIFT, lists);
}

/*
 * Make room for so many words more in a list that is to be sorted in memory, or
 * cut it.  If it is full of duplicates, there is room once these are dropped.
 * A quarter of it must be free then, so that this is not tried too often.
 */
static RibbonStatus
make_room(RibbonSet *set, uint64_t nwords)
{
	RibbonBlockList *list = &set->whole;
	uint64_t most = set->file->whole_words;
	RibbonStatus status;

	if (set->nlists > 1 || list->nwords + nwords <= most)
		return RIBBON_OK;
	if (list->nwords > 0 && list->nwords <= most && nwords <= most / 4 * 3)
	{
		status = ribbon_set_sort_lists(set, &list, 1);
		if (status != RIBBON_OK || list->nwords + nwords <= most / 4 * 3)
			return status;
	}
	return ribbon_set_cut(set);
}

RibbonStatus
ribbon_set_deal(RibbonSet *set, const uint64_t *words, size_t n, unsigned shift,
				RibbonBlockList *parts)
{
	size_t each = set->words;
	RibbonStatus status = RIBBON_OK;

	for (size_t begin = 0, end; begin < n && status == RIBBON_OK; begin = end)
	{
		uint64_t hash = words[begin * each];
		uint64_t last = hash | ribbon_low_mask(shift);

		end = n;
		if (last < UINT64_MAX)
			end = begin +
				ribbon_element_first(words + begin * each, each, n - begin,
									 last + 1);
		status =
			ribbon_blocks_append(set,
								 &parts[hash >> shift & (RIBBON_SET_PARTS - 1)],
								 words + begin * each, (end - begin) * each);
	}
	return status;
}

/*
 * Copy n elements to scattered, in the order of their highest bits; end[p] is
 * where those with bits p end, in words.  each is a constant.
 */
static inline __attribute__((always_inline)) void
scatter(const uint64_t *words, size_t n, size_t each, uint64_t *scattered,
		size_t *end)
{
	size_t sum = 0;

	memset(end, 0, RIBBON_SET_PARTS * sizeof(size_t));
	for (size_t i = 0; i < n * each; i += each)
		end[words[i] >> RIBBON_TOP_SHIFT] += each;
	for (int p = 0; p < RIBBON_SET_PARTS; p++)
	{
		size_t count = end[p];

		end[p] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n * each; i += each)
	{
		size_t *at = &end[words[i] >> RIBBON_TOP_SHIFT];

		for (size_t j = 0; j < each; j++)
			scattered[(*at)++] = words[i + j];
	}
}

/* Add n elements, in any order, to the parts. */
static RibbonStatus
add_scattered(RibbonSet *set, const uint64_t *words, size_t n)
{
	uint64_t *scattered = ribbon_alloc_array(&set->env, n * set->words,
											 sizeof(uint64_t));
	size_t end[RIBBON_SET_PARTS];
	size_t begin = 0;
	RibbonStatus status = RIBBON_OK;

	if (scattered == NULL)
		return RIBBON_OUT_OF_MEMORY;
	if (set->words == 1)
		scatter(words, n, 1, scattered, end);
	else
		scatter(words, n, RIBBON_RECORD_WORDS, scattered, end);
	for (int p = 0; p < RIBBON_SET_PARTS && status == RIBBON_OK; p++)
	{
		status = ribbon_blocks_append(set, &set->lists[p], scattered + begin,
									  end[p] - begin);
		begin = end[p];
	}
	ribbon_free(&set->env, scattered);
	return status;
}

RibbonStatus
ribbon_set_add(RibbonSet *set, const uint64_t *words, size_t n)
{
	RibbonStatus status = make_room(set, (uint64_t) n * set->words);

	if (status == RIBBON_OK && set->nlists == 1)
		return ribbon_blocks_append(set, &set->whole, words, n * set->words);
	for (size_t i = 0, now; i < n && status == RIBBON_OK; i += now)
	{
		now = (size_t) ribbon_min64(n - i, RIBBON_SET_CHUNK / set->words);
		status = add_scattered(set, words + i * set->words, now);
	}
	return status;
}

RibbonStatus
ribbon_set_add_sorted(RibbonSet *set, const uint64_t *words, size_t n)
{
	RibbonStatus status = make_room(set, (uint64_t) n * set->words);

	if (status != RIBBON_OK)
		return status;
	return set->nlists == 1 ?
		ribbon_blocks_append(set, &set->whole, words, n * set->words) :
		ribbon_set_deal(set, words, n, RIBBON_TOP_SHIFT, set->lists);
}

static RibbonStatus
add_collected(RibbonSet *set)
{
	size_t n = set->ncollected / set->words;

	set->ncollected = 0;
	return n > 0 ? ribbon_set_add(set, set->collected, n) : RIBBON_OK;
}

RibbonStatus
ribbon_set_collect(RibbonSet *set, const uint64_t *words, size_t n)
{
	size_t left = n * set->words;
	RibbonStatus status = RIBBON_OK;

	if (set->collected == NULL)
		set->collected = ribbon_alloc_array(&set->env, RIBBON_SET_CHUNK,
											sizeof(uint64_t));
	if (set->collected == NULL)
		return RIBBON_OUT_OF_MEMORY;
	while (left > 0 && status == RIBBON_OK)
	{
		size_t now = (size_t) ribbon_min64(left,
										   RIBBON_SET_CHUNK - set->ncollected);

		memcpy(set->collected + set->ncollected, words, now * sizeof(uint64_t));
		set->ncollected += now;
		if (set->ncollected == RIBBON_SET_CHUNK)
			status = add_collected(set);
		words += now;
		left -= now;
	}
	return status;
}

/* Add a copy of another set's elements. */
static RibbonStatus
copy_set(RibbonSet *set, const RibbonSet *other)
{
	uint64_t *words = ribbon_alloc_array(&set->env, RIBBON_BLOCK_WORDS,
										 sizeof(uint64_t));
	RibbonSetPosition position = {0, 0};
	RibbonStatus status = words == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
	size_t n = 1;

	while (status == RIBBON_OK && n > 0)
	{
		status = ribbon_set_next(other, &position, words, &n);
		if (status == RIBBON_OK && n > 0)
			status = ribbon_set_add(set, words, n);
	}
	ribbon_free(&set->env, words);
	return status;
}

RibbonStatus
ribbon_set_absorb(RibbonSet *set, RibbonSet *other)
{
	RibbonStatus status = add_collected(other);

	if (status == RIBBON_OK && set->nlists < other->nlists)
		status = ribbon_set_cut(set);
	if (status == RIBBON_OK && set->file != other->file)
		return copy_set(set, other);
	for (uint32_t i = 0; i < other->nlists && status == RIBBON_OK; i++)
		status = set->nlists == other->nlists ?
			ribbon_blocks_move(set, &set->lists[i], &other->lists[i]) :
			ribbon_set_split(set, &other->lists[i], RIBBON_TOP_SHIFT,
							 set->lists);
	return status;
}

RibbonStatus
ribbon_set_seal(RibbonSet *set)
{
	RibbonStatus status = add_collected(set);

	ribbon_free(&set->env, set->collected);
	set->collected = NULL;
	return status == RIBBON_OK ? ribbon_set_sort_all(set) : status;
}

/* The lists that may have hashes of a range are read one after the other. */
RibbonStatus
ribbon_set_read(RibbonSet *set, uint64_t first, uint64_t last, uint64_t *words,
				size_t room, size_t *n)
{
	bool whole = set->nlists == 1;
	uint64_t least = whole ? 0 : first >> RIBBON_TOP_SHIFT;
	uint64_t most = whole ? 0 : last >> RIBBON_TOP_SHIFT;
	uint64_t nwords = 0;
	RibbonStatus status = RIBBON_OK;

	room = room < SIZE_MAX / set->words ? room * set->words : SIZE_MAX;
	for (uint64_t i = least; i <= most && first <= last && status == RIBBON_OK;
		 i++)
		status = ribbon_blocks_range(set, &set->lists[i], first, last, words,
									 room, &nwords);
	*n = (size_t) ribbon_min64(nwords / set->words, SIZE_MAX);
	return status;
}

RibbonStatus
ribbon_set_next(const RibbonSet *set, RibbonSetPosition *position,
				uint64_t *words, size_t *n)
{
	const RibbonBlockList *list;
	uint32_t block;

	while (position->list < set->nlists &&
		   position->block == set->lists[position->list].nblocks)
	{
		position->list++;
		position->block = 0;
	}
	*n = 0;
	if (position->list == set->nlists)
		return RIBBON_OK;
	list = &set->lists[position->list];
	block = position->block++;
	*n = list->blocks[block].nwords / set->words;
	return ribbon_blocks_read(&set->env, set, list, block, block + 1, words);
}

RibbonStatus
ribbon_set_open_store(const RibbonEnv *env, const RibbonSet *like,
					  unsigned words, RibbonStore **store)
{
	RibbonSet *set;
	RibbonStatus status =
		ribbon_set_create(env, like->file,
						  words == 1 ? RIBBON_HASHES : like->kind, &set);

	if (status == RIBBON_OK)
		*store = &set->store;
	return status;
}

void
ribbon_set_lend(RibbonSet *set)
{
	set->lent = true;
}

bool
ribbon_set_is_lent(const RibbonSet *set)
{
	return set->lent;
}

uint32_t
ribbon_set_nlists(const RibbonSet *set)
{
	return set->nlists;
}

const RibbonBlock *
ribbon_set_blocks(const RibbonSet *set, uint32_t i, uint32_t *n)
{
	*n = set->lists[i].nblocks;
	return set->lists[i].blocks;
}

RibbonStatus
ribbon_set_take(RibbonSet *set, uint32_t i, const RibbonBlock *block)
{
	return ribbon_blocks_take(set, &set->lists[i], block);
}

void
ribbon_set_refile(RibbonSet *set, RibbonFile *file, const uint32_t *sources)
{
	for (uint32_t i = 0; i < set->nlists; i++)
		for (uint32_t b = 0; b < set->lists[i].nblocks; b++)
		{
			RibbonBlock *block = &set->lists[i].blocks[b];

			block->source = sources[block->source];
		}
	set->file = file;
}
