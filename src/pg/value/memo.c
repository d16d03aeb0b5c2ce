/*
 * memo.c - what a call site remembers of values and their texts
 *
 * To make a text of a value, or to read one, takes as long as to take in or to
 * look up many rows: a function of the type, under settings of its own.  There
 * are few different values, so each call site remembers what it has made, for
 * all groups of an aggregate, or all maps that are asked.
 *
 * Values can have the same hash, and a code stands for another text in another
 * map.  So the value or text itself is compared, too.
 *
 * Nothing is remembered for longer than a command (valuetype.h), for the next
 * command may rename the label of an enum.
 */
#include "value/memo.h"

#include "common/pg_prng.h"
#include "keys/hashes.h"
#include "utils/memutils.h"
#include "values/values.h"

#define MAX_MEMOS	   RIBBON_DICTIONARY_VALUES
#define MAX_MEMO_BYTES (8 * 1024)		  /* of a value and its text */
#define MAX_BYTES	   (14 * 1024 * 1024) /* and 2 MB for a table that grows */
#define FIRST_MEMOS	   64

/* Entries are small, so that few cache lines hold many. */
typedef struct MemoEntry
{
	RibbonMemo *memo;
	uint32 number;
	char status; /* the hash table's */
} MemoEntry;

#define SH_PREFIX				memos
#define SH_ELEMENT_TYPE			MemoEntry
#define SH_KEY_TYPE				uint32
#define SH_KEY					number
#define SH_HASH_KEY(table, key) (key)
#define SH_EQUAL(table, a, b)	((a) == (b))
#define SH_SCOPE				static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

uint32
ribbon_memo_number(RibbonValueBytes value)
{
	/* else the bytes of values could be chosen so that hashes agree */
	static uint32 secret = 0;

	if (unlikely(secret == 0))
		secret = pg_prng_uint32(&pg_global_prng_state);
	return (uint32) ribbon_hash_bytes_seeded(value.bytes, value.nbytes, secret);
}

/* Room for one more memo: all are forgotten if there are too many. */
static void
make_memo_room(RibbonMemos *memos)
{
	memos_hash *table = memos->table;

	if (table != NULL &&
		(MemoryContextMemAllocated(table->ctx, false) > MAX_BYTES ||
		 table->members >= MAX_MEMOS))
	{
		MemoryContextDelete(table->ctx);
		memos->table = NULL;
	}
	if (memos->table == NULL)
		memos->table =
			memos_create(GenerationContextCreate(memos->parent, "ribbon values",
												 ALLOCSET_SMALL_SIZES),
						 FIRST_MEMOS, NULL);
}

bool
ribbon_memo_is_taken(const RibbonMemos *memos, uint32 number)
{
	return memos->table != NULL && memos_lookup(memos->table, number) != NULL;
}

RibbonMemo *
ribbon_memo_find(const RibbonMemos *memos, uint32 number, RibbonValueBytes from)
{
	const MemoEntry *entry = memos->table == NULL ?
		NULL :
		memos_lookup(memos->table, number);
	RibbonMemo *memo = entry == NULL ? NULL : entry->memo;

	return memo != NULL && memo->from.nbytes == from.nbytes &&
			memcmp(memo->from.bytes, from.bytes, from.nbytes) == 0 ?
		memo :
		NULL;
}

void
ribbon_memo_add(RibbonMemos *memos, uint32 number, RibbonValueBytes from,
				RibbonValueBytes made)
{
	RibbonMemo *memo;
	char *bytes;
	bool found;

	if (from.nbytes + made.nbytes > MAX_MEMO_BYTES)
		return;
	make_memo_room(memos);
	memo = MemoryContextAlloc(memos->table->ctx,
							  sizeof(RibbonMemo) + made.nbytes + from.nbytes);
	bytes = (char *) (memo + 1);
	memcpy(bytes, made.bytes, made.nbytes);
	memcpy(bytes + made.nbytes, from.bytes, from.nbytes);
	*memo = (RibbonMemo){.from = {bytes + made.nbytes, from.nbytes},
						 .made = {bytes, made.nbytes}};
	memos_insert(memos->table, number, &found)->memo = memo;
}
