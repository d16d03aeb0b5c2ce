/*
 * spill.h - sets of hashes, or of records, that do not fit in memory
 *
 *	 aggregate/ --hashes--> keystore.c, blocklist.c --blocks--> spillfile.c
 *	 the core <--hashes--> keystore.c
 *	 other processes <--names of files, lists of blocks--> storebytes.c
 *
 * A key store (keystore.c) is a set of hashes in temporary files, roughly in
 * order while it grows, and in order once it is sealed.  The files belong to a
 * spill (spillfile.c), which cuts them into blocks.  All groups of a plan's
 * node share a spill; a state that another extension holds has one of its own.
 * Files of parallel workers outlive their processes.  sharedfile.c says how
 * they are named and found, and when they are removed.
 *
 * A set is of hashes, for a filter, or of records, for a map: two words each, a
 * hash and a value word, in the order of the hashes.  Arrays, blocks and lists
 * are counted in words.  A record is never split between blocks.
 *
 * Other folders may use key stores, spills as a whole and sorting (keysort.c).
 */
#ifndef RIBBON_SPILL_H
#define RIBBON_SPILL_H

#include "ribbon_pg.h"

#include "lib/stringinfo.h"
#include "server/server.h"
#include "storage/fd.h"

/* 32 kB: long enough to be read at speed, short enough for a small group. */
#define RIBBON_BLOCK_WORDS 4096

/* Lists that a large set is cut into, by the highest bits of its hashes. */
#define RIBBON_PART_BITS	  8
#define RIBBON_KEYSTORE_PARTS (1 << RIBBON_PART_BITS)
#define RIBBON_TOP_SHIFT	  (64 - RIBBON_PART_BITS)

/* Up to RIBBON_BLOCK_WORDS words of a file: hashes, or whole records. */
typedef struct RibbonBlock
{
	uint64 first;  /* its first hash, once the store is sealed */
	uint32 file;   /* number of the file in the spill */
	uint32 number; /* of the block in the file */
	uint32 nwords;
} RibbonBlock;

/*
 * Names a file that other processes of a query can open, together with the pid
 * of the leader of the parallel workers.
 */
typedef struct RibbonFileName
{
	uint32 pid;	   /* of the process that created it */
	uint32 number; /* of the file among those of the process */
	Oid tablespace;
} RibbonFileName;

/*
 * keysort.c: sorting hashes or records.
 */

/*
 * What an array of words, or a key store, is made of: hashes, or records, which
 * are hashes with a value each (ribbon.h).  An array's length is counted in
 * words.
 */
typedef struct RibbonRecords
{
	RibbonElementKind kind;
	unsigned words; /* of an element: 1, or RIBBON_RECORD_WORDS */

	/* Of records: throw the error for two that conflict (ribbon.h). */
	void (*conflict)(const void *arg, const uint64_t *two_records);
	const void *arg;
} RibbonRecords;

/* Memory for n words, which may be 0 or very many. */
static inline uint64 *
ribbon_alloc_words(size_t n)
{
	return MemoryContextAllocHuge(CurrentMemoryContext,
								  Max(n, 1) * sizeof(uint64));
}

/* Sort words[0..*n) and drop duplicates, so that *n words are left. */
extern void ribbon_keysort_array(const RibbonRecords *records, uint64_t *words,
								 size_t *n);

/*
 * sharedfile.c: temporary files that other processes of a query can open.
 */

/* Create a file, and fill in *name, by which others find it. */
extern File ribbon_sharedfile_create(RibbonFileName *name);

/* Open a file for reading.  Throws if there is no file of this name. */
extern File ribbon_sharedfile_open(const RibbonFileName *name);

/* Delete a file.  Does not throw. */
extern void ribbon_sharedfile_delete(const RibbonFileName *name);

/*
 * From now on, delete such files as are left when a transaction ends, or a
 * subtransaction fails.
 */
extern void ribbon_sharedfile_init(void);

/*
 * spillfile.c: a spill, which is files that are cut into blocks.
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

/* An empty block of the file that the spill writes. */
extern RibbonBlock ribbon_spill_allocate(RibbonSpill *spill);

/*
 * Give a block back, if it is in that file; else do nothing.  Does not throw.
 */
extern void ribbon_spill_free(RibbonSpill *spill, const RibbonBlock *block);

/* Is the block in the file that the spill writes?  (Others are only read.) */
extern bool ribbon_spill_owns(const RibbonBlock *block);

/* Add words[0..n) to such a block, which has room for them. */
extern void ribbon_spill_append(RibbonSpill *spill, RibbonBlock *block,
								const uint64 *words, size_t n);

/* Read all words of a block, block->nwords of them, to words[]. */
extern void ribbon_spill_read(RibbonSpill *spill, const RibbonBlock *block,
							  uint64 *words);

/* The number of files that blocks may be in: RibbonBlock.file is below it. */
extern uint32 ribbon_spill_nfiles(const RibbonSpill *spill);

/*
 * Give a file of a shared spill, or one that was adopted, to another process,
 * which deletes it in the end: returns the name to be sent.
 */
extern const RibbonFileName *ribbon_spill_give(RibbonSpill *spill, uint32 file);

/*
 * Open a file that another process has given, unless it is open.  Returns its
 * number in this spill.
 */
extern uint32 ribbon_spill_adopt(RibbonSpill *spill,
								 const RibbonFileName *name);

/*
 * For the abort of a subtransaction: is a shared file open whose resource owner
 * is that of an outer transaction?  Does not throw.
 */
extern bool ribbon_spill_outlives(void);

/*
 * blocklist.c: the lists of blocks of a key store.
 */

/* Zeroed at first.  Once sealed, blocks are in the order of their hashes. */
typedef struct RibbonBlockList
{
	RibbonBlock *blocks; /* in the store's context */
	uint32 nblocks;
	uint32 capacity;
	uint64 nwords; /* in all blocks */
} RibbonBlockList;

typedef struct RibbonKeyStore RibbonKeyStore;

/* Add words[0..n) at the end of one of the store's lists. */
extern void ribbon_blocklist_append(RibbonKeyStore *store,
									RibbonBlockList *list, const uint64 *words,
									size_t n);

/* Add a block that is in no list. */
extern void ribbon_blocklist_take(RibbonKeyStore *store, RibbonBlockList *list,
								  const RibbonBlock *block);

/* Move all blocks to the end of another list of the store. */
extern void ribbon_blocklist_move(RibbonKeyStore *store, RibbonBlockList *to,
								  RibbonBlockList *from);

/* Read the words of the blocks from this one on; returns their number. */
extern size_t ribbon_blocklist_read(RibbonKeyStore *store,
									const RibbonBlockList *list, uint32 begin,
									uint64 *words);

/*
 * Read the words of the last blocks, as many as fit into words[0..room), and
 * give these blocks back.  Returns the number of words, which is 0 only if the
 * list is empty: room must be RIBBON_BLOCK_WORDS or more.
 */
extern size_t ribbon_blocklist_pop(RibbonKeyStore *store, RibbonBlockList *list,
								   uint64 *words, size_t room);

/* As ribbon_keystore_read, in a list that has been sorted. */
extern size_t ribbon_blocklist_range(RibbonKeyStore *store,
									 const RibbonBlockList *list, uint64 first,
									 uint64 last, uint64 *words, size_t room);

/* Give back the blocks from this one on.  Does not throw. */
extern void ribbon_blocklist_drop(RibbonKeyStore *store, RibbonBlockList *list,
								  uint32 begin);

/*
 * keystore.c: a set of hashes or records in blocks.
 */
struct RibbonKeyStore
{
	RibbonStore core; /* how the core sees the store; first, as it is cast */
	MemoryContext context;
	RibbonSpill *spill;		/* NULL once another store has its blocks */
	RibbonRecords records;	/* what its elements are */
	size_t sort_words;		/* words that a thread may sort in memory */
	RibbonBlockList *lists; /* &whole, or RIBBON_KEYSTORE_PARTS lists */
	uint32 nlists;
	RibbonBlockList whole; /* as long as the store is small */
	bool given;			   /* its blocks are in files that were given away */
	uint64 *buffer;		   /* a block, for reading; NULL until needed */
	uint64 *collected;	   /* words that the core has added, or NULL */
	size_t ncollected;
	MemoryContextCallback on_reset;
};

/* An empty store.  When its context is reset, it gives its blocks back. */
extern RibbonKeyStore *ribbon_keystore_create(MemoryContext context,
											  RibbonSpill *spill,
											  const RibbonRecords *records);

/* Divide the store's hashes, and those to come, into parts. */
extern void ribbon_keystore_open_parts(RibbonKeyStore *store);

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

/*
 * Sort, and drop duplicates.  Returns the number of words left.  More may be
 * added later.
 */
extern uint64 ribbon_keystore_seal(RibbonKeyStore *store);

/*
 * keysort.c: the same for some lists of a store, which together fit in memory.
 */
extern void ribbon_keysort_lists(RibbonKeyStore *store, RibbonBlockList **lists,
								 unsigned nlists);

/*
 * Read the records of a sealed store whose hashes are in first..last to
 * words[0..room), in order.  Returns the number of their words, at most
 * SIZE_MAX. If that is more than room, the contents of words[] are undefined.
 */
extern size_t ribbon_keystore_read(RibbonKeyStore *store, uint64 first,
								   uint64 last, uint64 *words, size_t room);

/*
 * Move each record of a list to parts[i], where i is the eight bits of its hash
 * from bit shift on.  Duplicates that are near each other are dropped.  (A
 * block that has been given back must be in no list: after an error, it would
 * be given back again.)
 */
extern void ribbon_keystore_split(RibbonKeyStore *store, RibbonBlockList *list,
								  unsigned shift, RibbonBlockList *parts);

/* A new key store, which the core fills, reads and closes. */
extern RibbonStore *ribbon_keystore_open(RibbonSpill *spill,
										 const RibbonRecords *records);

/*
 * storebytes.c: what a store's files and blocks are called, for other processes
 */

/* Give the files of a store of a shared spill away, and append their names. */
extern void ribbon_storebytes_put(StringInfo out, RibbonKeyStore *store);

/* Have an empty store share them.  false if the bytes are not a store's. */
extern bool ribbon_storebytes_get(StringInfo in, RibbonKeyStore *store);

#endif /* RIBBON_SPILL_H */
