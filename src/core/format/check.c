/*
 * check.c - does a filter keep what its bytes promise?
 *
 * ribbon_open has shown that the header can be read, contradicts itself
 * nowhere and calls for as many bytes as there are; that makes probes safe, and
 * takes no look at the rest.  Here is the look at the rest.  Builders leave
 * marks that damage wipes out:
 *
 *	 layers		a bumped layer has fewer slots than keys come to it
 *	 thresholds	whoever gives up a bucket's positions has a key to bump, and
 *				who bumps a key has given up some; the header counts these keys
 *	 padding	bits that are in use by nobody are zero
 *	 rate		a homogeneous solution tells its own false-positive rate, which
 *				the header states
 *
 * No builder leaves others, whatever the keys, so nothing is ever said against
 * a filter that is as it was written.  The converse does not hold: to a slot of
 * BuRR all values are as good as another's.  Only who has the keys can
 * tell that one of them has been changed.
 */
#include "base/alloc.h"
#include "format/buckets.h"
#include "format/icml.h"
#include "format/rate.h"

/* The two bytes of a stated P round the rate by a thirtieth of this. */
#define SAME_RATE 0.001

/* Buckets whose thresholds bump something, and those that bump all. */
typedef struct Codes
{
	uint64_t some;
	uint64_t all;
} Codes;

static RibbonStatus
count_codes(const RibbonEnv *env, const RibbonSystem *layer, uint64_t nbuckets,
			Codes *codes)
{
	for (uint64_t bucket = 0; bucket < nbuckets; bucket++)
	{
		unsigned code = ribbon_buckets_code(layer->thresholds, bucket);

		codes->some += code > 0;
		codes->all += code == 3;
		if (ribbon_looks_now(bucket) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

static RibbonStatus
check_layer(const RibbonEnv *env, const RibbonFilter *filter, int i)
{
	const RibbonSystem *layer = &filter->systems[i];
	uint64_t nkeys = filter->layer_keys[i];
	uint64_t nbumped = filter->layer_keys[i + 1];
	uint64_t nbuckets = ribbon_buckets_count(layer, &filter->buckets);
	Codes codes = {0, 0};
	RibbonStatus status;

	if (layer->nslots >= nkeys)
		return RIBBON_BAD_LAYERS;
	status = count_codes(env, layer, nbuckets, &codes);
	if (status != RIBBON_OK)
		return status;
	if (codes.some > nbumped || (codes.some == 0 && nbumped > 0) ||
		(codes.all == nbuckets && nbumped < nkeys))
		return RIBBON_BAD_THRESHOLDS;
	if (nbuckets % 4 != 0 &&
		layer->thresholds[nbuckets / 4] >> 2 * (nbuckets % 4) != 0)
		return RIBBON_BAD_PADDING;
	return RIBBON_OK;
}

/* The bits behind a system's last slot. */
static RibbonStatus
check_padding(const RibbonSystem *system)
{
	uint64_t nfull = system->nslots / system->width;
	uint64_t nbits = ribbon_icml_block_bit(system, nfull);

	if (nfull * system->width < system->nslots)
		nbits += (uint64_t) ribbon_icml_rows(system, nfull) *
			ribbon_icml_columns(system, nfull);
	if (nbits % 8 != 0 && system->slots[nbits / 8] >> nbits % 8 != 0)
		return RIBBON_BAD_PADDING;
	return RIBBON_OK;
}

static RibbonStatus
check_rate(const RibbonEnv *env, const RibbonFilter *filter)
{
	RibbonResultBits result_bits = {filter->result_bits, filter->wide};
	double chance = ribbon_result_bits_fpr(result_bits);
	double stated = ribbon_fpr(filter);
	double probability, rate;
	RibbonStatus status = ribbon_rate_excess(env, &filter->systems[0],
											 result_bits, &probability);

	if (status != RIBBON_OK)
		return status;
	rate = ribbon_rate_of(probability, chance);
	if (rate < (1 - SAME_RATE) * stated || rate > (1 + SAME_RATE) * stated)
		return RIBBON_BAD_RATE;
	return RIBBON_OK;
}

RibbonStatus
ribbon_check(const RibbonEnv *env, const RibbonFilter *filter)
{
	RibbonStatus status = RIBBON_OK;

	for (int i = 0; i < filter->nlayers && status == RIBBON_OK; i++)
	{
		status = check_layer(env, filter, i);
		if (status == RIBBON_OK)
			status = check_padding(&filter->systems[i]);
	}
	for (unsigned i = (unsigned) filter->nlayers;
		 i < ribbon_filter_nsystems(filter) && status == RIBBON_OK; i++)
		status = check_padding(&filter->systems[i]);
	if (status == RIBBON_OK && filter->kind == RIBBON_HOMOGENEOUS)
		status = check_rate(env, filter);
	return status;
}
