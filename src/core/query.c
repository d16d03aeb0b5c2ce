/*
 * query.c - is this key in the set?
 *
 * Follow the key to the layer that holds it (the first one whose threshold
 * does not bump it, else the last layer's zone) and probe there.  One key in
 * eleven or so goes past the first layer.
 */
#include "format.h"
#include "layer.h"
#include "probe.h"
#include "zone.h"

bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	uint64_t word = filter->salted ? ribbon_mix(hash ^ filter->salt) : hash;
	const RibbonRegion *zone;

	if (filter->nkeys == 0)
		return false;
	if (filter->kind == RIBBON_HOMOGENEOUS)
		return ribbon_probe(&filter->zones[0], word, 0);

	for (int i = 0; i < filter->nlayers; i++)
	{
		const RibbonRegion *layer = &filter->layers[i];
		uint64_t start = ribbon_region_start(layer, word);

		if (RIBBON_LIKELY(!ribbon_layer_bumps(layer, &filter->buckets, start)))
			return ribbon_probe_at(layer, word, start,
								   ribbon_hash_fingerprint(word));
		word = ribbon_hash_next_layer(word);
	}
	zone = &filter->zones[ribbon_zone_of(filter, word)];
	word = ribbon_hash_seeded(word, zone->seed);
	return ribbon_probe(zone, word, ribbon_hash_fingerprint(word));
}

void
ribbon_contains_batch(const RibbonFilter *filter, const uint64_t *hashes,
					  size_t n, bool *answers)
{
	for (size_t i = 0; i < n; i++)
		answers[i] = ribbon_contains(filter, hashes[i]);
}

/* The share of keys, and so of strangers, that a layer keeps. */
static double
layer_share(const RibbonFilter *filter, int layer)
{
	return (double) (filter->layer_keys[layer] -
					 filter->layer_keys[layer + 1]) /
		(double) filter->nkeys;
}

/* The FPR of the last layer's narrow or wide zones. */
static double
class_fpr(const RibbonFilter *filter, int wide)
{
	if (filter->nzones[wide] == 0)
		return 0;
	return ribbon_region_fpr(&filter->zones[wide ? filter->nzones[0] : 0]);
}

double
ribbon_fpr(const RibbonFilter *filter)
{
	double split = (double) filter->split / RIBBON_SHARES;
	double fpr;

	if (filter->nkeys == 0)
		return 0;
	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		double dependent = ribbon_format_decode_dependence(filter->dependence);

		return dependent +
			(1 - dependent) * ribbon_region_fpr(&filter->zones[0]);
	}

	fpr = (double) filter->layer_keys[filter->nlayers] /
		(double) filter->nkeys *
		((1 - split) * class_fpr(filter, 0) + split * class_fpr(filter, 1));
	for (int i = 0; i < filter->nlayers; i++)
		fpr += layer_share(filter, i) * ribbon_region_fpr(&filter->layers[i]);
	return fpr;
}

uint64_t
ribbon_nslots(const RibbonFilter *filter)
{
	uint64_t nslots = 0;

	if (filter->nkeys == 0)
		return 0;
	for (unsigned z = 0; z < filter->nzones[0] + filter->nzones[1]; z++)
		nslots += filter->zones[z].nslots;
	for (int i = 0; i < filter->nlayers; i++)
		nslots += filter->layers[i].nslots;
	return nslots;
}
