/*
 * keyfunctions.c - a key's hash, in SQL: ribbon_hash, ribbon_key, ribbon_shard
 */
#include "key/key.h"

static uint64_t
hash_argument(FunctionCallInfo fcinfo)
{
	return ribbon_keyhash_value(ribbon_keyhash_of_argument(fcinfo, 0),
								PG_GETARG_DATUM(0));
}

RIBBON_SQL_FUNCTION(ribbon_hash, Int64GetDatum((int64) hash_argument(fcinfo)));

/* ribbon_key(key) returns a ribbonkey */
RIBBON_SQL_ENTRY(ribbon_key)
{
	RibbonKeyHasher *hasher = ribbon_keyhash_of_argument(fcinfo, 0);
	RibbonKeyHashes hashes = ribbon_keyhash_both(hasher, PG_GETARG_DATUM(0));

	PG_RETURN_POINTER(ribbonkey_make(hasher->last_class, hashes));
}

/*
 * ribbon_shard(key, shards) returns a number from 0 to shards - 1
 *
 * A filter is one value, and a value ends at 1 GB.  A larger set is cut by a
 * hash of its keys, and a filter is built of each part; a probe goes to the one
 * filter that its key would be in.
 */
RIBBON_SQL_ENTRY(ribbon_shard)
{
	int32 nshards = PG_GETARG_INT32(1);

	if (nshards < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of shards must be positive, not %d", nshards)));

	PG_RETURN_INT32((int32) ribbon_hash_to_shard(hash_argument(fcinfo),
												 (uint32_t) nshards));
}
