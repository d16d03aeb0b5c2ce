/*
 * memo.c - what a call site remembers of values and their texts
 *
 * To make a text of a value, or to read one, takes as long as to take in or to
 * look up many rows: a function of the type, under settings of its own.  There
 * are few different values, so each call site remembers what it has made.
 *
 * While maps are built, these are texts, found by the bytes of their values and
 * shared by all groups of an aggregate.  While maps are asked, these are
 * values, found by the codes of their texts.  Another map may have another text
 * under that code, so texts are compared; the same text is the same value in
 * any map.
 *
 * But not for longer than a moment (valuetype.h), for the next command may
 * rename the label of an enum.
 */
#include "value/memo.h"

#include "common/pg_prng.h"
#include "keys/hashes.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"
#include "values/values.h"

#define MAX_MEMOS	   RIBBON_DICTIONARY_VALUES
#define MAX_MEMO_BYTES (8 * 1024)		  /* of a value and its text */
#define MAX_BYTES	   (14 * 1024 * 1024) /* and 2 MB for a table that grows */
#define FIRST_MEMOS	   64				  /* a power of two */

/* Of this process: the bytes of values could be chosen so that hashes agree. */
static uint32 secret = 0;

/* Entries are small, so that few cache lines hold many. */
typedef struct MemoEntry
{
	const RibbonMemo *memo;
	uint32 hash; /* of its from */
	char status; /* the hash table's */
} MemoEntry;

#define SH_PREFIX		memos
#define SH_ELEMENT_TYPE MemoEntry
#define SH_KEY_TYPE		const RibbonMemo *
#define SH_KEY			memo
#define SH_HASH_KEY(table, key) \
	(uint32) ribbon_hash_bytes_seeded((key)->from.bytes, (key)->from.nbytes, \
									  secret)
#define SH_EQUAL(table, a, b) ribbon_value_bytes_equal((a)->from, (b)->from)
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE				  static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Room for one more memo: all are forgotten if there are too many. */
static void
make_memo_room(RibbonMemos *memos)
{
	if (memos->context != NULL &&
		(MemoryContextMemAllocated(memos->context, false) > MAX_BYTES ||
		 (memos->by_value != NULL && memos->by_value->members >= MAX_MEMOS)))
	{
		MemoryContextDelete(memos->context);
		*memos = (RibbonMemos){.parent = memos->parent};
	}
	if (secret == 0)
		secret = pg_prng_uint32(&pg_global_prng_state);
	if (memos->context == NULL)
		memos->context = GenerationContextCreate(memos->parent, "ribbon values",
												 ALLOCSET_SMALL_SIZES);
}

static RibbonMemo *
create_memo(RibbonMemos *memos, RibbonValueBytes from, RibbonValueBytes made)
{
	RibbonMemo *memo = MemoryContextAlloc(memos->context,
										  sizeof(RibbonMemo) + from.nbytes +
											  made.nbytes);
	char *bytes = (char *) (memo + 1);

	memcpy(bytes, made.bytes, made.nbytes);
	memcpy(bytes + made.nbytes, from.bytes, from.nbytes);
	*memo = (RibbonMemo){.from = {bytes + made.nbytes, from.nbytes},
						 .made = {bytes, made.nbytes}};
	return memo;
}

RibbonMemo *
ribbon_memo_find_value(const RibbonMemos *memos, RibbonValueBytes value)
{
	const RibbonMemo sought = {.from = value};
	const MemoEntry *entry = memos->by_value == NULL ?
		NULL :
		memos_lookup(memos->by_value, &sought);

	return entry == NULL ? NULL : (RibbonMemo *) entry->memo;
}

void
ribbon_memo_add_value(RibbonMemos *memos, RibbonValueBytes value,
					  RibbonValueBytes text)
{
	bool found;

	if (value.nbytes + text.nbytes > MAX_MEMO_BYTES)
		return;
	make_memo_room(memos);
	if (memos->by_value == NULL)
		memos->by_value = memos_create(memos->context, FIRST_MEMOS, NULL);
	memos_insert(memos->by_value, create_memo(memos, value, text), &found);
}

/* For the value of a text with this code. */
static void
make_code_room(RibbonMemos *memos, uint32 code)
{
	uint32 ncodes = Max(pg_nextpower2_32(code + 1), FIRST_MEMOS);
	RibbonMemo **room = MemoryContextAllocZero(memos->context,
											   ncodes * sizeof(RibbonMemo *));

	if (memos->ncodes > 0)
		memcpy(room, memos->by_code, memos->ncodes * sizeof(RibbonMemo *));
	memos->by_code = room;
	memos->ncodes = ncodes;
}

void
ribbon_memo_add_code(RibbonMemos *memos, uint32 code, RibbonValueBytes text,
					 RibbonValueBytes value)
{
	if (text.nbytes + value.nbytes > MAX_MEMO_BYTES)
		return;
	make_memo_room(memos);
	if (code >= memos->ncodes)
		make_code_room(memos, code);
	memos->by_code[code] = create_memo(memos, text, value);
}
