/*
 * query.c - is this key in the set?
 *
 * Follow the key to the layer that holds it (the first one whose threshold does
 * not bump it, else the last layer's zone) and probe there.  One key in sixteen or so
 * goes past the first layer.
 */
#include "format.h"
#include "layer.h"
#include "probe.h"

bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	uint64_t	word = filter->salted ? ribbon_mix(hash ^ filter->salt) : hash;
	const RibbonRegion *zone;

	if (filter->nkeys == 0)
		return false;
	if (filter->kind == RIBBON_HOMOGENEOUS)
		return ribbon_probe(&filter->zones[0], word, 0);

	for (int i = 0; i < filter->nlayers; i++)
	{
		const RibbonRegion *layer = &filter->layers[i];
		uint64_t	start = ribbon_region_start(layer, word);

		if (RIBBON_LIKELY(!ribbon_layer_bumps(layer, &filter->buckets, start)))
			return ribbon_probe_at(layer, word, start,
								   ribbon_hash_fingerprint(word));
		word = ribbon_hash_next_layer(word);
	}
	zone = &filter->zones[ribbon_hash_share(word) >=
						  (unsigned) (RIBBON_SHARES - filter->split)];
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

/* Keys that a stranger would be one of, had it been bumped like them. */
static double
layer_share(const RibbonFilter *filter, int layer)
{
	return (double) (filter->layer_keys[layer] - filter->layer_keys[layer + 1]) /
		(double) filter->nkeys;
}

double
ribbon_fpr(const RibbonFilter *filter)
{
	double		zone1 = (double) filter->split / RIBBON_SHARES;
	double		last,
				fpr = 0;

	if (filter->nkeys == 0)
		return 0;
	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		double		dependent = ribbon_format_decode_dependence(filter->dependence);

		return dependent +
			(1 - dependent) * ribbon_region_fpr(&filter->zones[0]);
	}

	last = (1 - zone1) * ribbon_region_fpr(&filter->zones[0]) +
		zone1 * ribbon_region_fpr(&filter->zones[1]);
	for (int i = 0; i < filter->nlayers; i++)
		fpr += layer_share(filter, i) * ribbon_region_fpr(&filter->layers[i]);
	return fpr + (double) filter->layer_keys[filter->nlayers] /
		(double) filter->nkeys * last;
}

uint64_t
ribbon_nslots(const RibbonFilter *filter)
{
	uint64_t	nslots = filter->zones[0].nslots + filter->zones[1].nslots;

	for (int i = 0; i < filter->nlayers; i++)
		nslots += filter->layers[i].nslots;
	return nslots;
}
