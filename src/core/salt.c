/*
 * salt.c - start again from hashes that nobody could aim at anything
 */
#include "salt.h"

#include "hash.h"
#include "sort.h"

/* A number that depends on every hash of the sorted set. */
static RibbonStatus
digest(const RibbonEnv *env, const uint64_t *hashes, size_t nhashes,
	   uint64_t *sum)
{
	*sum = nhashes;
	for (size_t i = 0; i < nhashes; i++)
	{
		*sum = ribbon_mix(*sum ^ hashes[i]);
		if (ribbon_looks_now(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_salt_hashes(const RibbonEnv *env, RibbonFilter *filter, uint64_t *hashes,
				   size_t nhashes)
{
	RibbonStatus status = digest(env, hashes, nhashes, &filter->salt);

	if (status != RIBBON_OK)
		return status;
	filter->salted = true;
	for (size_t i = 0; i < nhashes; i++)
	{
		hashes[i] = ribbon_mix(hashes[i] ^ filter->salt);
		if (ribbon_looks_now(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_sort(env, hashes, nhashes);
}
