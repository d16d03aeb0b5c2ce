/*
 * query.c - is this key in the set?
 *
 * Follow the key to the layer that holds it (the first one whose threshold
 * does not bump it, else the last layer's zone) and probe there.  One key in
 * eleven or so goes past the first layer.  Kernels do the common case all by
 * themselves (probe_template.h); what they leave is done here.
 */
#include "query.h"

#include "format.h"
#include "kernel.h"
#include "layer.h"
#include "zone.h"

/* The last layer's answer. */
static bool
ask_zone(const RibbonFilter *filter, uint64_t word)
{
	const RibbonRegion *zone = &filter->zones[ribbon_zone_of(filter, word)];

	word = ribbon_hash_seeded(word, zone->seed);
	return ribbon_probe(zone, word, ribbon_hash_fingerprint(word));
}

static bool
ask_nobody(const RibbonFilter *filter, uint64_t word)
{
	(void) filter;
	(void) word;
	return false;
}

bool
ribbon_query_from(const RibbonFilter *filter, int first, uint64_t word)
{
	if (filter->kind == RIBBON_HOMOGENEOUS)
		return ribbon_probe(&filter->zones[0], word, 0);

	for (int i = first; i < filter->nlayers; i++)
	{
		const RibbonRegion *layer = &filter->layers[i];
		uint64_t start = ribbon_region_start(layer, word);

		if (RIBBON_LIKELY(!ribbon_layer_bumps(layer, &filter->buckets, start)))
			return ribbon_probe_at(layer, word, start,
								   ribbon_hash_fingerprint(word));
		word = ribbon_hash_next_layer(word);
	}
	return ask_zone(filter, word);
}

void
ribbon_query_prepare(RibbonFilter *filter)
{
	bool homogeneous = filter->kind == RIBBON_HOMOGENEOUS;
	bool many = filter->columns + (filter->wide > 0) > 8;
	const RibbonProbes *probes =
		ribbon_kernel()->probes[ribbon_kernel_index(filter->width)];

	filter->contains = probes->contains[homogeneous][many];
	filter->batch = probes->batch[homogeneous][many];
	if (filter->nkeys == 0)
		filter->contains = ask_nobody;
	else if (!homogeneous && filter->nlayers == 0)
		filter->contains = ask_zone;
}

/* The word of the first layer. */
static inline uint64_t
first_word(const RibbonFilter *filter, uint64_t hash)
{
	return RIBBON_UNLIKELY(filter->salted) ? ribbon_mix(hash ^ filter->salt) :
											 hash;
}

bool
ribbon_contains(const RibbonFilter *filter, uint64_t hash)
{
	return filter->contains(filter, first_word(filter, hash));
}

/*
 * Take all keys of a batch through a layer, then those that it bumps through
 * the next one, and so on.
 */
static void
ask_layers(const RibbonFilter *filter, RibbonBatch *batch)
{
	const RibbonRegion *regions = filter->layers;
	int nregions = filter->nlayers;
	uint16_t *keys;

	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		regions = filter->zones;
		nregions = 1;
	}
	for (int i = 0; i < nregions && batch->nkeys > 0; i++)
	{
		if (regions[i].whole == 0)
		{
			for (unsigned k = 0; k < batch->nkeys; k++)
				batch->answers[batch->keys[k]] =
					ribbon_query_from(filter, i, batch->words[batch->keys[k]]);
			return;
		}

		filter->batch(filter, &regions[i], batch);
		for (unsigned k = 0; k < batch->nrest; k++)
			batch->answers[batch->rest[k]] =
				ribbon_query_from(filter, i, batch->words[batch->rest[k]]);
		for (unsigned k = 0; k < batch->nbumped; k++)
			batch->words[batch->bumped[k]] =
				ribbon_hash_next_layer(batch->words[batch->bumped[k]]);
		keys = batch->keys;
		batch->keys = batch->bumped;
		batch->bumped = keys;
		batch->nkeys = batch->nbumped;
	}
	if (filter->kind == RIBBON_BURR)
		for (unsigned k = 0; k < batch->nkeys; k++)
			batch->answers[batch->keys[k]] =
				ask_zone(filter, batch->words[batch->keys[k]]);
}

void
ribbon_contains_batch(const RibbonFilter *filter, const uint64_t *hashes,
					  size_t n, bool *answers)
{
	RibbonBatch batch;

	if (filter->nkeys == 0)
	{
		memset(answers, 0, n * sizeof(bool));
		return;
	}
	for (size_t i = 0; i < n; i += RIBBON_BATCH)
	{
		batch.nkeys = (unsigned) ribbon_min64(n - i, RIBBON_BATCH);
		batch.keys = batch.lists[0];
		batch.bumped = batch.lists[1];
		batch.answers = answers + i;
		for (unsigned k = 0; k < batch.nkeys; k++)
		{
			batch.keys[k] = (uint16_t) k;
			batch.words[k] = first_word(filter, hashes[i + k]);
		}
		ask_layers(filter, &batch);
	}
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
