/*
 * shard.c - spread a set over several filters
 *
 * A filter is one value, and a value ends at 1 GB.  A larger set is cut by a
 * hash of its keys, and a filter is built of each part; a probe goes to the
 * one filter that its key would be in.
 */
#include "key/keyhash.h"

PG_FUNCTION_INFO_V1(ribbon_shard);

/* ribbon_shard(key, shards) returns a number from 0 to shards - 1 */
Datum
ribbon_shard(PG_FUNCTION_ARGS)
{
	int32 nshards = PG_GETARG_INT32(1);

	if (nshards < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of shards must be positive, not %d", nshards)));

	PG_RETURN_INT32((int32)
						ribbon_hash_to_shard(ribbon_keyhash_argument(fcinfo),
											 (uint32_t) nshards));
}
