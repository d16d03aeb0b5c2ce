/*
 * blocks.h - what the files of this folder share: blocks, lists of them, files
 *
 *----------
 *	 key store		  one list, or 256 by the highest bits of hashes
 *	   list			  blocks, of any of the spill's files
 *	     block		  32 kB of a file
 *	 spill			  the one file that it writes, and files that others gave
 *----------
 *
 * A block is allocated of the file that the spill writes, filled, read and
 * freed.  Blocks of files that others have given are only read.
 */
#ifndef RIBBON_BLOCKS_H
#define RIBBON_BLOCKS_H

#include "server/server.h"
#include "spill/spill.h"
#include "storage/fd.h"

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
 * sharedfile.c: temporary files that other processes of a query can open.
 */

/* Create a file, and fill in *name, by which others find it. */
extern File ribbon_sharedfile_create(RibbonFileName *name);

/* Open a file for reading.  Throws if there is no file of this name. */
extern File ribbon_sharedfile_open(const RibbonFileName *name);

/* Delete a file.  Does not throw. */
extern void ribbon_sharedfile_delete(const RibbonFileName *name);

/*
 * spillfile.c: a spill, which is files that are cut into blocks.
 */

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

/*
 * Read the records of a sorted list whose hashes are in first..last to
 * words[0..room), in order.  Returns the number of their words, at most
 * SIZE_MAX.  If that is more than room, the contents of words[] are undefined.
 */
extern size_t ribbon_blocklist_range(RibbonKeyStore *store,
									 const RibbonBlockList *list, uint64 first,
									 uint64 last, uint64 *words, size_t room);

/* Give back the blocks from this one on.  Does not throw. */
extern void ribbon_blocklist_drop(RibbonKeyStore *store, RibbonBlockList *list,
								  uint32 begin);

/*
 * keystore.c: a set of hashes or records in lists of blocks.
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

/* Divide the store's hashes, and those to come, into parts. */
extern void ribbon_keystore_open_parts(RibbonKeyStore *store);

/*
 * Move each record of a list to parts[i], where i is the eight bits of its hash
 * from bit shift on.  Duplicates that are near each other are dropped.  (A
 * block that has been given back must be in no list: after an error, it would
 * be given back again.)
 */
extern void ribbon_keystore_split(RibbonKeyStore *store, RibbonBlockList *list,
								  unsigned shift, RibbonBlockList *parts);

/*
 * keysort.c
 */

/* Sort some lists of a store, which together fit in memory, as a store. */
extern void ribbon_keysort_lists(RibbonKeyStore *store, RibbonBlockList **lists,
								 unsigned nlists);

#endif /* RIBBON_BLOCKS_H */
