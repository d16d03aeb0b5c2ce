/*
 * spill.h - sets of hashes, or of records, that do not fit in memory
 *
 *	 aggregate/ --hashes--> keystore.c, blocklist.c --blocks--> spillfile.c
 *	 the core <--hashes--> keystore.c
 *	 other processes <--names of files, lists of blocks--> storebytes.c
 *
 * A key store (keystore.c) is a set of hashes in temporary files, roughly in
 * order while it grows, and in order once it is sealed: add to it, seal it, and
 * read it, or let the core read it.  The files belong to a spill (spillfile.c),
 * which cuts them into blocks.  All groups of a plan's node share a spill; a
 * state that another extension holds has one of its own.  A store can be given
 * to another process (storebytes.c); the files of parallel workers outlive
 * their processes.  sharedfile.c says how they are named and found, and when
 * they are removed.
 *
 * A set is of hashes, for a filter, or of records: two words each, a hash and a
 * word more, in the order of the hashes.  That word is a value, for a map; for
 * an exact set the key's second hash and whether it is a member (ribbon.h).
 * Arrays, blocks and lists are counted in words.  A record is never split
 * between blocks.
 *
 * blocks.h has what the files of this folder share: blocks, lists of them, and
 * files.
 */
#ifndef RIBBON_SPILL_H
#define RIBBON_SPILL_H

#include "ribbon_pg.h"

#include "lib/stringinfo.h"

/* 32 kB: long enough to be read at speed, short enough for a small group. */
#define RIBBON_BLOCK_WORDS 4096

/*
 * What an array of words, or a key store, is made of.  An array's length is
 * counted in words.
 */
typedef struct RibbonRecords
{
	RibbonElementKind kind;
	unsigned words; /* of an element: 1, or RIBBON_RECORD_WORDS */

	/* Of records: throw the error for two that conflict (ribbon.h). */
	void (*conflict)(const void *arg, const uint64_t *two_records);
	const void *arg;
} RibbonRecords;

/* Of two records that conflict: the word of the first (0), or second (1). */
static inline uint64
ribbon_conflict_word(const uint64_t *two_records, int which)
{
	return two_records[RIBBON_RECORD_WORDS * which + 1];
}

/* Memory for n words, which may be 0 or very many. */
static inline uint64 *
ribbon_alloc_words(size_t n)
{
	return MemoryContextAllocHuge(CurrentMemoryContext,
								  Max(n, 1) * sizeof(uint64));
}

/* Enlarge an array to size bytes; old is NULL if there is none yet. */
static inline void *
ribbon_enlarge(MemoryContext context, void *old, Size size)
{
	return old == NULL ? MemoryContextAllocHuge(context, size) :
						 repalloc_huge(old, size);
}

/*
 * spillfile.c: the files of stores.
 */
typedef struct RibbonSpill RibbonSpill;

/*
 * Make a spill in a memory context.  When the context is reset or deleted, its
 * files are closed, and deleted unless they were given away.  If shared, the
 * file that it writes can be given to other processes.
 */
extern RibbonSpill *ribbon_spill_create(MemoryContext context, bool shared);
extern bool ribbon_spill_is_shared(const RibbonSpill *spill);
extern MemoryContext ribbon_spill_context(const RibbonSpill *spill);

/*
 * sharedfile.c: temporary files that other processes of a query can open.
 */

/*
 * From now on, delete such files as are left when a transaction ends, or a
 * subtransaction fails.
 */
extern void ribbon_sharedfile_init(void);

/*
 * keystore.c: a set of hashes or records in a spill.
 */
typedef struct RibbonKeyStore RibbonKeyStore;

/* An empty store.  When its context is reset, it gives its blocks back. */
extern RibbonKeyStore *ribbon_keystore_create(MemoryContext context,
											  RibbonSpill *spill,
											  const RibbonRecords *records);

/* The spill of a store; NULL once another store has its blocks. */
extern RibbonSpill *ribbon_keystore_spill(const RibbonKeyStore *store);

/* Add words[0..n), in any order. */
extern void ribbon_keystore_add(RibbonKeyStore *store, const uint64 *words,
								size_t n);

/* The number of words in a store, with duplicates until it is sealed. */
extern uint64 ribbon_keystore_nwords(const RibbonKeyStore *store);

/*
 * Add all hashes of another store.  If its blocks can be read here, they are
 * taken over, and the other store's spill becomes NULL; else they are copied.
 */
extern void ribbon_keystore_absorb(RibbonKeyStore *store,
								   RibbonKeyStore *other);

/* Where one reads in a store; zeroed at first. */
typedef struct RibbonStorePosition
{
	uint32 list;
	uint32 block;
} RibbonStorePosition;

/*
 * Read the next block to words[0..RIBBON_BLOCK_WORDS).  Returns the number of
 * its words, 0 at the end.  In a sealed store they come in order.
 */
extern size_t ribbon_keystore_next(const RibbonKeyStore *store,
								   RibbonStorePosition *position,
								   uint64 *words);

/* A sealed store as the core reads it; the caller keeps it. */
extern RibbonStore *ribbon_keystore_core(RibbonKeyStore *store);

/*
 * A new store beside another one, of such elements or of hashes alone (words is
 * 1), which the core fills, reads and closes.
 */
extern RibbonStore *ribbon_keystore_open(const RibbonKeyStore *like,
										 unsigned words);

/*
 * keysort.c: sorting arrays and stores.
 */

/* Sort words[0..*n) and drop duplicates, so that *n words are left. */
extern void ribbon_keysort_array(const RibbonRecords *records, uint64_t *words,
								 size_t *n);

/*
 * Sort a store, and drop duplicates.  Returns the number of words left.  More
 * may be added later.
 */
extern uint64 ribbon_keysort_seal(RibbonKeyStore *store);

/*
 * storebytes.c: what a store's files and blocks are called, for other processes
 */

/* Give the files of a store of a shared spill away, and append their names. */
extern void ribbon_storebytes_put(StringInfo out, RibbonKeyStore *store);

/* Have an empty store share them.  false if the bytes are not a store's. */
extern bool ribbon_storebytes_get(StringInfo in, RibbonKeyStore *store);

#endif /* RIBBON_SPILL_H */
