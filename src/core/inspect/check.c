/*
 * check.c - check a filter's bytes as far as that can be done without the keys
 *
 * ribbon_open has checked that the header can be read, does not contradict
 * itself, and gives the number of bytes that there are.  That makes probes
 * safe, and reads nothing but the header.  ribbon_check reads the other bytes.
 * It checks what holds in every filter that was built or shrunk:
 *
 *	 layers		a bumped layer has fewer slots than keys come to it;
 *	 thresholds	no more buckets have a threshold above 0 than the header counts
 *				bumped keys; if none has, no key is bumped; if all buckets bump
 *				all positions, all keys are bumped;
 *	 padding	unused bits are zero;
 *	 rate		the slots of a homogeneous filter have the false-positive rate
 *				that the header states (solve/rate.h);
 *	 codes		of a map, codes of one length are in the order of their values.
 *
 * So an undamaged filter is never reported.  Damage is not always found: any
 * value of a BuRR slot could be right for some set of keys, so a change of it
 * can be seen only with the keys.
 */
#include "base/env.h"
#include "format/buckets.h"
#include "format/codes.h"
#include "format/icml.h"
#include "inspect/inspect.h"
#include "probe/opened.h"
#include "solve/rate.h"

/*
 * The header keeps P to 0.034 %, so it states the rate more exactly than this.
 */
#define STATED_WITHIN 0.001

static RibbonStatus
check_layer(const RibbonEnv *env, const RibbonPlane *plane, unsigned i)
{
	const RibbonSystem *layer = &plane->systems[i];
	const RibbonBuckets *buckets = &plane->buckets;
	uint64_t nkeys = plane->layer_keys[i];
	uint64_t nbumped = plane->layer_keys[i + 1];
	uint64_t nbuckets = ribbon_buckets_count(layer, buckets);
	uint64_t some = 0; /* buckets with a threshold above 0, */
	uint64_t all = 0;  /* and those whose keys are all bumped */

	if (layer->nslots >= nkeys)
		return RIBBON_BAD_LAYERS;
	for (uint64_t bucket = 0; bucket < nbuckets; bucket++)
	{
		unsigned t = ribbon_buckets_threshold(layer->thresholds, buckets,
											  bucket);

		some += t > 0;
		all += t >> buckets->log2_size > 0;
		if (ribbon_interrupted_at(env, bucket))
			return RIBBON_INTERRUPTED;
	}
	if (some > nbumped || (some == 0 && nbumped > 0) ||
		(all == nbuckets && nbumped < nkeys))
		return RIBBON_BAD_THRESHOLDS;
	return ribbon_buckets_padded(buckets, layer->thresholds, nbuckets) ?
		RIBBON_OK :
		RIBBON_BAD_PADDING;
}

/* Check that the bits behind a system's last slot are zero. */
static RibbonStatus
check_padding(const RibbonSystem *system)
{
	return ribbon_is_padded(system->slots, ribbon_icml_bits(system)) ?
		RIBBON_OK :
		RIBBON_BAD_PADDING;
}

static RibbonStatus
check_rate(const RibbonEnv *env, const RibbonPlane *plane)
{
	double chance = ribbon_result_bits_fpr(plane->check);
	double stated = ribbon_inspect_plane_fpr(plane);
	double probability, rate;
	RibbonStatus status = ribbon_rate_excess(env, &plane->systems[0],
											 plane->check, &probability);

	if (status != RIBBON_OK)
		return status;
	rate = ribbon_dependence_rate(probability, chance);
	if (rate < (1 - STATED_WITHIN) * stated ||
		rate > (1 + STATED_WITHIN) * stated)
		return RIBBON_BAD_RATE;
	return RIBBON_OK;
}

static RibbonStatus
check_plane(const RibbonEnv *env, const RibbonPlane *plane)
{
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 0;
		 i < ribbon_plane_nsystems(plane) && status == RIBBON_OK; i++)
	{
		if (i < plane->nlayers)
			status = check_layer(env, plane, i);
		if (status == RIBBON_OK)
			status = check_padding(&plane->systems[i]);
	}
	if (status == RIBBON_OK && plane->kind == RIBBON_HOMOGENEOUS)
		status = check_rate(env, plane);
	return status;
}

RibbonStatus
ribbon_check(const RibbonEnv *env, const RibbonFilter *filter)
{
	const RibbonOpened *opened = ribbon_opened(filter);
	const RibbonCodes *codes = ribbon_opened_codes(opened);
	RibbonStatus status = codes == NULL ? RIBBON_OK : ribbon_codes_check(codes);

	for (; opened != NULL && status == RIBBON_OK;
		 opened = ribbon_opened_next(opened))
		status = check_plane(env, &opened->plane);
	return status;
}
