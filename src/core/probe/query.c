/*
 * query.c - is this key in the set?
 *
 * Follow the key to the layer that holds it (the first one whose threshold
 * does not bump it, else the last layer's zone) and probe there.  One key in
 * eleven or so goes past the first layer.  Kernels do the common case all by
 * themselves (probe_template.h); what they leave is done here.
 */
#include "probe/query.h"

#include "format/zones.h"
#include "probe/locate.h"
#include "probe/probe.h"
#include "probe/probes.h"

static bool
ask_nobody(const RibbonFilter *filter, uint64_t hash)
{
	(void) filter;
	(void) hash;
	return false;
}

static bool
ask_salted(const RibbonFilter *filter, uint64_t hash)
{
	return filter->contains_salted(filter, ribbon_locate_salted(filter, hash));
}

/* The shape of one system or several: the most general one. */
static RibbonShape
shape_of(const RibbonSystem *systems, unsigned nsystems)
{
	RibbonShape shape = RIBBON_EVEN;

	for (unsigned i = 0; i < nsystems; i++)
	{
		RibbonShape needed = RIBBON_EVEN;

		if (systems[i].groups > 2)
			needed = RIBBON_MORE;
		else if (systems[i].groups > 1)
			needed = RIBBON_MANY;
		else if (systems[i].wide > 0)
			needed = RIBBON_FEW;
		shape = needed > shape ? needed : shape;
	}
	return shape;
}

/* Zones per 2048th of the keys, in 2^32nds, rounded up. */
static uint64_t
zone_step(uint64_t nzones, uint64_t shares)
{
	return nzones * (((UINT64_C(1) << 32) + shares - 1) / shares);
}

/* How to probe the last layer. */
static void
prepare_zones(RibbonFilter *filter)
{
	uint64_t narrow = RIBBON_SHARES - filter->split;
	unsigned width = ribbon_zones_width(filter->width);
	uint64_t first = (uint64_t) filter->nlayers << 32;
	RibbonShape shape = shape_of(filter->systems + filter->nlayers,
								 filter->nzones[0] + filter->nzones[1]);

	filter->last_layer = ribbon_probes(width)->zone[shape];
	filter->zone_step[0] = zone_step(filter->nzones[0], narrow);
	filter->zone_base[0] = first;
	filter->first_wide_zone = UINT64_MAX;
	if (filter->split > 0)
	{
		filter->first_wide_zone = ribbon_hash_highest(filter->split);
		filter->zone_step[1] = zone_step(filter->nzones[1], filter->split);
		filter->zone_base[1] = first + ((uint64_t) filter->nzones[0] << 32) -
			narrow * filter->zone_step[1];
	}
	else
	{
		filter->zone_step[1] = filter->zone_step[0];
		filter->zone_base[1] = filter->zone_base[0];
	}
}

void
ribbon_query_prepare(RibbonFilter *filter)
{
	const RibbonProbes *probes = ribbon_probes((unsigned) filter->width);

	if (filter->nkeys == 0)
		filter->contains_salted = ask_nobody;
	else if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		RibbonShape shape = shape_of(filter->systems, 1);

		filter->contains_salted = probes->contains[1][shape];
		filter->batch = probes->batch[1][shape];
	}
	else
	{
		RibbonShape shape = shape_of(filter->systems,
									 (unsigned) filter->nlayers);

		prepare_zones(filter);
		filter->bucket_mask = (1u << filter->buckets.log2_size) - 1;
		filter->contains_salted = filter->nlayers == 0 ?
			filter->last_layer :
			probes->contains[0][shape];
		filter->contains_bumped = filter->nlayers == 1 ? filter->last_layer :
														 probes->bumped;
		filter->batch = probes->batch[0][shape];
	}
	filter->contains = filter->salted ? ask_salted : filter->contains_salted;
}

/*
 * Take hashes through the layers from this one on: all through the first, those
 * that it bumps through the next one, and so on.
 */
static void
ask_layers(const RibbonFilter *filter, const uint64_t *hashes, unsigned nhashes,
		   bool *answers)
{
	const RibbonSystem *system = filter->systems;
	const RibbonSystem *end = system +
		(filter->kind == RIBBON_HOMOGENEOUS ? 1 : filter->nlayers);
	RibbonBatch batch;
	uint64_t next_hashes[RIBBON_BATCH];
	bool next_answers[RIBBON_BATCH];
	uint16_t keys[RIBBON_BATCH]; /* whose answer: not yet used in layer 0 */
	int layer = 0;

	batch.hashes = hashes;
	batch.nhashes = nhashes;
	batch.answers = answers;
	while (system < end && system->whole > 0 && batch.nhashes > 0)
	{
		filter->batch(filter, system, &batch);
		for (unsigned k = 0; k < batch.nrest; k++)
			batch.answers[batch.rest[k]] =
				ribbon_probe_from(filter, layer, batch.hashes[batch.rest[k]]);
		if (layer > 0)
			for (unsigned k = 0; k < batch.nhashes; k++)
				answers[keys[k]] = next_answers[k];

		for (unsigned k = 0; k < batch.nbumped; k++)
		{
			unsigned i = batch.bumped[k];

			keys[k] = (uint16_t) (layer > 0 ? keys[i] : i);
			next_hashes[k] = ribbon_hash_next_layer(batch.hashes[i]);
		}
		batch.hashes = next_hashes;
		batch.nhashes = batch.nbumped;
		batch.answers = next_answers;
		system++;
		layer++;
	}
	for (unsigned k = 0; k < batch.nhashes; k++)
		answers[layer > 0 ? keys[k] : k] = ribbon_probe_from(filter, layer,
															 batch.hashes[k]);
}

void
ribbon_contains_batch(const RibbonFilter *filter, const uint64_t *hashes,
					  size_t n, bool *answers)
{
	if (filter->nkeys == 0)
	{
		memset(answers, 0, n * sizeof(bool));
		return;
	}
	for (size_t i = 0; i < n; i += RIBBON_BATCH)
	{
		unsigned nhashes = (unsigned) ribbon_min64(n - i, RIBBON_BATCH);
		const uint64_t *first = hashes + i;
		uint64_t salted[RIBBON_BATCH];

		if (filter->salted)
		{
			for (unsigned k = 0; k < nhashes; k++)
				salted[k] = ribbon_locate_salted(filter, first[k]);
			first = salted;
		}
		ask_layers(filter, first, nhashes, answers + i);
	}
}
