/*
 * memo.c - what a call site remembers of values and their texts
 *
 * To make a text of a value, or to read one, takes as long as to take in or to
 * look up many rows: a function of the type, under settings of its own.  There
 * are few different values, so each call site remembers what it has made of
 * those that it has seen, by their bytes.  All groups of an aggregate share it,
 * and all maps that a function looks into: whatever map comes next, the same
 * text is the same value.
 *
 * But not for longer than a moment (valuetype.c), for the next command may
 * rename the label of an enum.
 */
#include "value/value.h"

#include "base/hash.h"
#include "common/pg_prng.h"

#define MAX_MEMOS	   RIBBON_DICTIONARY_VALUES
#define MAX_MEMO_BYTES (8 * 1024)		 /* of a value and its text, */
#define MAX_BYTES	   (8 * 1024 * 1024) /* of all of them */
#define FIRST_MEMOS	   64

/* Of this process: the bytes of values could be chosen so that hashes agree. */
static uint32 secret = 0;

static inline uint32
hash_bytes(RibbonBytes key)
{
	return (uint32) ribbon_hash_bytes_seeded(key.bytes, key.nbytes, secret);
}

#define SH_PREFIX				memo
#define SH_ELEMENT_TYPE			RibbonMemo
#define SH_KEY_TYPE				RibbonBytes
#define SH_KEY					from
#define SH_HASH_KEY(table, key) hash_bytes(key)
#define SH_EQUAL(table, a, b) \
	((a).nbytes == (b).nbytes && memcmp((a).bytes, (b).bytes, (a).nbytes) == 0)
#define SH_STORE_HASH
#define SH_GET_HASH(table, memo) (memo)->hash
#define SH_SCOPE				 static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

void
ribbon_memo_begin(RibbonValueType *value_type)
{
	if (secret == 0)
		secret = pg_prng_uint32(&pg_global_prng_state);
	value_type->memo = memo_create(value_type->context, FIRST_MEMOS, NULL);
	value_type->memo_bytes = 0;
}

RibbonMemo *
ribbon_memo_find(RibbonValueType *value_type, RibbonBytes from)
{
	return memo_lookup(value_type->memo, from);
}

void
ribbon_memo_add(RibbonValueType *value_type, RibbonBytes from, RibbonBytes made)
{
	size_t nbytes = from.nbytes + made.nbytes;
	RibbonMemo *added;
	char *copy;
	bool found;

	if (nbytes > MAX_MEMO_BYTES)
		return;
	copy = MemoryContextAlloc(value_type->context, Max(nbytes, 1));
	memcpy(copy, made.bytes, made.nbytes);
	memcpy(copy + made.nbytes, from.bytes, from.nbytes);
	from.bytes = copy + made.nbytes;
	added = memo_insert(value_type->memo, from, &found);
	added->made = (RibbonBytes){copy, made.nbytes};
	added->id = 0;
	value_type->memo_bytes += nbytes;
	if (value_type->memo->members > MAX_MEMOS ||
		value_type->memo_bytes > MAX_BYTES)
		value_type->is_known = false;
}
