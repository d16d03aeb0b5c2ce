/*
 * burr.c - bumped ribbon: layers, and the last layer that takes the rest
 *
 *----------
 *	 hashes, sorted
 *	   |
 *	 layer 0   m = 0.92 n slots     8 % of the keys are bumped
 *	   |
 *	 layer 1   of those             8 % of them are bumped
 *	   |       (only while a layer still pays for itself)
 *	 last      Standard Ribbon, in two zones if the result bits are
 *	           fractional: holds all that is left
 *----------
 *
 * Each layer is solved into a buffer of its own, because the header, which comes
 * first, has a size that is only known when all layers are done.
 *
 * A layer that bumps far more keys than chance explains was aimed at: then the build
 * starts again with salted hashes (salt.h).
 */
#include "burr.h"

#include "format.h"
#include "icml.h"
#include "layer.h"
#include "params.h"
#include "salt.h"
#include "sort.h"
#include "zone.h"

/* The pieces of a filter under construction, each to be freed. */
typedef struct Pieces
{
	uint8_t    *thresholds[RIBBON_MAX_LAYERS];
	uint8_t    *slots[RIBBON_MAX_LAYERS];
	RibbonZone	zones[2];
} Pieces;

static void
free_pieces(const RibbonEnv *env, Pieces *pieces)
{
	for (int i = 0; i < RIBBON_MAX_LAYERS; i++)
	{
		ribbon_free(env, pieces->thresholds[i]);
		ribbon_free(env, pieces->slots[i]);
	}
	for (int z = 0; z < 2; z++)
		ribbon_free(env, pieces->zones[z].slots);
	memset(pieces, 0, sizeof(*pieces));
}

/*
 * Add layer filter->nlayers, of nslots slots, for the sorted words, and write
 * the next layer's sorted words to bumped.
 */
static RibbonStatus
add_layer(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
		  uint64_t nslots, const uint64_t *words, size_t nwords,
		  uint64_t *bumped, size_t max_bumped, size_t *nbumped)
{
	int			i = filter->nlayers++;
	RibbonColumns columns = {(unsigned) filter->columns,
	(unsigned) filter->wide};
	RibbonRegion *layer = &filter->layers[i];
	RibbonStatus status;

	ribbon_region_init(layer, nslots, (unsigned) filter->width, true, columns);
	pieces->thresholds[i] =
		ribbon_alloc_zeroed(env, ribbon_layer_threshold_bytes(layer,
															  &filter->buckets));
	pieces->slots[i] = ribbon_alloc_zeroed(env, ribbon_icml_bytes(layer));
	if (pieces->thresholds[i] == NULL || pieces->slots[i] == NULL)
		return RIBBON_OUT_OF_MEMORY;

	status = ribbon_layer_build(env, layer, &filter->buckets, words, nwords,
								bumped, max_bumped, pieces->thresholds[i],
								pieces->slots[i], nbumped);
	if (status != RIBBON_OK || *nbumped > max_bumped)
		return status;
	filter->layer_keys[i + 1] = *nbumped;
	for (size_t k = 0; k < *nbumped; k++)
		bumped[k] = ribbon_hash_next_layer(bumped[k]);
	return ribbon_sort_alone(env, bumped, *nbumped);
}

/* Bring the words of zone 1 behind those of zone 0; returns how many zone 0 has. */
static size_t
split_zones(uint64_t *words, size_t nwords, int split)
{
	size_t		low = 0,
				high = nwords;

	while (low < high)
	{
		if (ribbon_hash_share(words[low]) <
			(unsigned) (RIBBON_SHARES - split))
			low++;
		else
		{
			uint64_t	word = words[low];

			words[low] = words[--high];
			words[high] = word;
		}
	}
	return low;
}

static RibbonStatus
add_last_layer(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
			   uint64_t *words, size_t nwords)
{
	size_t		nlow = split_zones(words, nwords, filter->split);
	RibbonStatus status;

	status = ribbon_zone_build(env, words, nlow, (unsigned) filter->columns,
							   &pieces->zones[0]);
	if (status == RIBBON_OK)
		status = ribbon_zone_build(env, words + nlow, nwords - nlow,
								   (unsigned) filter->columns + 1,
								   &pieces->zones[1]);
	for (int z = 0; z < 2 && status == RIBBON_OK; z++)
		filter->zones[z] = pieces->zones[z].region;
	return status;
}

/*
 * Solve all layers for the sorted words.  Words are left alone and *aimed is set
 * if a layer bumps more than chance would; with salted hashes that
 * does not happen, and words is overwritten.
 */
static RibbonStatus
build_layers(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
			 uint64_t *words, size_t nwords, bool *aimed)
{
	uint64_t   *bumped = filter->salted ? words : NULL;
	RibbonStatus status = RIBBON_OK;

	*aimed = false;
	filter->nlayers = 0;
	filter->layer_keys[0] = nwords;
	while (filter->nlayers < RIBBON_MAX_LAYERS)
	{
		uint64_t	nslots = ribbon_params_layer_slots(filter->width,
													   filter->scheme, nwords);
		uint64_t	limit = ribbon_params_bumped_limit(nwords, nslots);

		if (nslots == 0)
			break;
		if (bumped == NULL)
			bumped = ribbon_alloc(env, limit * sizeof(uint64_t));
		if (bumped == NULL)
			return RIBBON_OUT_OF_MEMORY;

		status = add_layer(env, filter, pieces, nslots,
						   filter->nlayers == 0 ? words : bumped, nwords,
						   bumped, filter->salted ? nwords : limit, &nwords);
		*aimed = !filter->salted && nwords > limit;
		if (status != RIBBON_OK || *aimed)
			break;
	}
	if (status == RIBBON_OK && !*aimed)
		status = add_last_layer(env, filter, pieces,
								filter->nlayers == 0 ? words : bumped, nwords);
	if (bumped != words)
		ribbon_free(env, bumped);
	return status;
}

/* Header and pieces, in the order of the format. */
static RibbonStatus
assemble(const RibbonEnv *env, RibbonFilter *filter, const Pieces *pieces,
		 size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	uint8_t    *buffer;

	ribbon_format_derive(filter, NULL);
	buffer = ribbon_alloc(env, headroom + filter->total_bytes);
	if (buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	ribbon_format_encode(filter, buffer + headroom);
	ribbon_format_derive(filter, buffer + headroom);

	for (int i = 0; i < filter->nlayers; i++)
	{
		RibbonRegion *layer = &filter->layers[i];

		memcpy((uint8_t *) layer->thresholds, pieces->thresholds[i],
			   ribbon_layer_threshold_bytes(layer, &filter->buckets));
		memcpy((uint8_t *) layer->slots, pieces->slots[i],
			   ribbon_icml_bytes(layer));
	}
	for (int z = 0; z < 2; z++)
		if (pieces->zones[z].slots != NULL)
			memcpy((uint8_t *) filter->zones[z].slots, pieces->zones[z].slots,
				   ribbon_icml_bytes(&filter->zones[z]));
	*bytes = buffer;
	*nbytes = filter->total_bytes;
	return RIBBON_OK;
}

RibbonStatus
ribbon_burr_build(const RibbonEnv *env, const RibbonParams *params,
				  uint64_t *hashes, size_t nhashes, size_t headroom,
				  uint8_t **bytes, size_t *nbytes)
{
	RibbonColumns columns = ribbon_params_columns(params->fpr);
	RibbonFilter filter;
	Pieces		pieces;
	RibbonStatus status;
	bool		aimed;

	ribbon_format_init_empty(&filter, params->key_class);
	filter.nkeys = nhashes;
	filter.width = params->width;
	filter.columns = (int) columns.columns;
	filter.wide = filter.split = (int) columns.wide;
	filter.scheme = ribbon_params_scheme(params->width, columns);
	filter.buckets = ribbon_params_buckets(params->width, filter.scheme);
	memset(&pieces, 0, sizeof(pieces));

	status = build_layers(env, &filter, &pieces, hashes, nhashes, &aimed);
	if (status == RIBBON_OK && aimed)
	{
		free_pieces(env, &pieces);
		status = ribbon_salt_hashes(env, &filter, hashes, nhashes);
		if (status == RIBBON_OK)
			status = build_layers(env, &filter, &pieces, hashes, nhashes,
								  &aimed);
	}
	if (status == RIBBON_OK)
		status = assemble(env, &filter, &pieces, headroom, bytes, nbytes);
	free_pieces(env, &pieces);
	return status;
}
