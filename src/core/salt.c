/*
 * salt.c - start again from hashes that nobody could aim at anything
 */
#include "salt.h"

#include "hash.h"
#include "sort.h"

/* A number that depends on every hash of the sorted set. */
static uint64_t
digest(const uint64_t *hashes, size_t nhashes)
{
	uint64_t sum = nhashes;

	for (size_t i = 0; i < nhashes; i++)
		sum = ribbon_mix(sum ^ hashes[i]);
	return sum;
}

RibbonStatus
ribbon_salt_hashes(const RibbonEnv *env, RibbonFilter *filter, uint64_t *hashes,
				   size_t nhashes)
{
	filter->salted = true;
	filter->salt = digest(hashes, nhashes);
	for (size_t i = 0; i < nhashes; i++)
		hashes[i] = ribbon_mix(hashes[i] ^ filter->salt);
	return ribbon_sort_alone(env, hashes, nhashes);
}
