/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 */
#include "construct/layer.h"

#include "construct/fill.h"
#include "construct/salt.h"

#define BUMPED_AT_ONCE 512 /* words per call of ribbon_set_collect */

/*
 * Add the next layer's hashes of a window's bumped keys to layer->bumped, with
 * their value words if they have any.
 */
static RibbonStatus
collect_bumped(const RibbonLayer *layer, const RibbonWindow *window)
{
	const RibbonSystem *system = &layer->plane->systems[layer->number];
	const RibbonBuckets *buckets = &layer->plane->buckets;
	uint64_t next[BUMPED_AT_ONCE];
	size_t stride = window->stride;
	size_t n = 0; /* words */

	for (size_t i = 0; i < window->range.n;)
	{
		uint64_t bucket =
			ribbon_system_start(system, window->range.words[i * stride]) >>
			buckets->log2_size;
		uint64_t limit = ribbon_buckets_limit(layer->thresholds, buckets,
											  bucket);
		size_t end = *ribbon_window_end(window, bucket);

		for (; i < end; i++)
		{
			uint64_t hash = window->range.words[i * stride];

			if (ribbon_system_start(system, hash) >= limit)
				break;
			next[n++] = ribbon_hash_next_layer(hash);
			if (stride > 1)
				next[n++] = window->range.words[i * stride + 1];
			if (n == BUMPED_AT_ONCE)
			{
				RibbonStatus status = ribbon_set_collect(layer->bumped, next,
														 n / stride);

				if (status != RIBBON_OK)
					return status;
				n = 0;
			}
		}
		i = end;
	}
	return ribbon_set_collect(layer->bumped, next, n / stride);
}

/* A window is solved: write its thresholds, and collect what it bumps. */
static RibbonStatus
take_window(void *arg, RibbonWindow *window)
{
	RibbonLayer *layer = (RibbonLayer *) arg;
	RibbonStatus status;

	ribbon_window_thresholds(window, layer->thresholds);
	status = collect_bumped(layer, window);
	return status == RIBBON_TOO_MANY ? RIBBON_SUSPICIOUS : status;
}

RibbonStatus
ribbon_layer_build(const RibbonEnv *env, RibbonLayer *layer,
				   const RibbonSet *hashes)
{
	const RibbonPlane *plane = layer->plane;
	const RibbonSystem *system = &plane->systems[layer->number];
	RibbonCut cut = ribbon_cut_layer(system, &plane->buckets);
	RibbonBacksubst task = {.system = system, .slots = layer->slots};
	RibbonFill fill;
	RibbonStatus status = ribbon_fill_create(env, &fill, &cut, hashes,
											 layer->supply, plane->salted);

	fill.layer = (int) layer->number;
	if (status == RIBBON_OK)
		status = ribbon_fill_solve(&fill, &task, take_window, layer);
	ribbon_fill_free(&fill);
	return status;
}
