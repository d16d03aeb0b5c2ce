/*
 * burr.c - bumped ribbon: layers, and the last layer that takes the rest
 *
 *----------
 *	 hashes, sorted
 *	   |
 *	 layer 0   m = 0.91 n slots     9 % of the keys are bumped
 *	   |
 *	 layer 1   of those             9 % of them are bumped
 *	   |       (only while a layer still pays for itself)
 *	 last      Standard Ribbon, in one or a few zones: holds all that
 *	           is left
 *----------
 *
 * Each layer is solved into a buffer of its own, because the header, which
 * comes first, has a size that is only known when all layers are done.
 *
 * A layer that bumps far more keys than chance explains was aimed at, and so
 * was a last layer that cannot be solved: then the build starts again with
 * salted hashes (salt.h).
 */
#include "burr.h"

#include "format.h"
#include "icml.h"
#include "layer.h"
#include "params.h"
#include "salt.h"
#include "sort.h"
#include "zone.h"

#include <limits.h>

#define MAX_ATTEMPTS 8 /* at a layer, before the best of them is taken */

/* The pieces of a filter under construction, each to be freed. */
typedef struct Pieces
{
	uint8_t *thresholds[RIBBON_MAX_LAYERS];
	uint8_t *slots[RIBBON_MAX_LAYERS];
	RibbonZone zones[2 * RIBBON_MAX_ZONES];
} Pieces;

static void
free_pieces(const RibbonEnv *env, Pieces *pieces)
{
	for (int i = 0; i < RIBBON_MAX_LAYERS; i++)
	{
		ribbon_free(env, pieces->thresholds[i]);
		ribbon_free(env, pieces->slots[i]);
	}
	for (int z = 0; z < 2 * RIBBON_MAX_ZONES; z++)
		ribbon_free(env, pieces->zones[z].slots);
	memset(pieces, 0, sizeof(*pieces));
}

/*
 * Try to add layer filter->nlayers, of nslots slots, for the sorted words, and
 * write the words it bumps to bumped.  More than max_bumped: see layer.h.
 */
static RibbonStatus
try_layer(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
		  uint64_t nslots, const uint64_t *words, size_t nwords,
		  uint64_t *bumped, size_t max_bumped, size_t *nbumped)
{
	int i = filter->nlayers;
	RibbonColumns columns = {filter->columns, filter->wide};
	RibbonRegion *layer = &filter->layers[i];
	RibbonStatus status;

	ribbon_region_init(layer, nslots, (unsigned) filter->width, true, columns);
	ribbon_free(env, pieces->thresholds[i]);
	ribbon_free(env, pieces->slots[i]);
	pieces->thresholds[i] =
		ribbon_alloc_zeroed(env,
							ribbon_layer_threshold_bytes(layer,
														 &filter->buckets));
	pieces->slots[i] = ribbon_alloc(env, ribbon_icml_bytes(layer));
	if (pieces->thresholds[i] == NULL || pieces->slots[i] == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_zero(env, pieces->slots[i], ribbon_icml_bytes(layer));
	if (status != RIBBON_OK)
		return status;
	return ribbon_layer_build(env, layer, &filter->buckets, words, nwords,
							  bumped, max_bumped, pieces->thresholds[i],
							  pieces->slots[i], nbumped);
}

/*
 * Add a layer.  What stays empty at the ends of a small layer varies from one
 * size to the next, so several are tried until little does, or the best is done
 * again.  On return *bumped, for the caller to free, holds the next layer's
 * sorted words; or *aimed is set.
 */
static RibbonStatus
add_layer(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
		  const uint64_t *words, size_t nwords, uint64_t **bumped,
		  size_t *nbumped, bool *aimed)
{
	uint64_t limit = ribbon_params_bumped_limit(filter->width, filter->scheme,
												nwords);
	size_t max_bumped = filter->salted ? nwords : limit;
	int64_t fewest = INT64_MAX;
	bool done = false;

	*bumped = ribbon_alloc(env, max_bumped * sizeof(uint64_t));
	if (*bumped == NULL)
		return RIBBON_OUT_OF_MEMORY;

	for (unsigned attempt = 0, best = 0; !done; attempt++)
	{
		bool last = attempt == MAX_ATTEMPTS;
		uint64_t nslots = ribbon_params_layer_slots(filter->width,
													filter->scheme, nwords,
													last ? best : attempt);
		RibbonStatus status = try_layer(env, filter, pieces, nslots, words,
										nwords, *bumped, max_bumped, nbumped);
		int64_t empty;

		if (status != RIBBON_OK)
			return status;
		*aimed = *nbumped > max_bumped;
		empty = (int64_t) (nslots + *nbumped - nwords);
		if (empty < fewest)
		{
			fewest = empty;
			best = attempt;
		}
		done = *aimed || last || nslots >= RIBBON_STRETCHED_SLOTS ||
			empty <= (int64_t) ribbon_params_empty_limit(filter->width,
														 filter->scheme, nslots,
														 attempt) ||
			(attempt + 1 == MAX_ATTEMPTS && best == attempt);
	}
	if (*aimed)
		return RIBBON_OK;

	filter->layer_keys[++filter->nlayers] = *nbumped;
	for (size_t i = 0; i < *nbumped; i++)
	{
		(*bumped)[i] = ribbon_hash_next_layer((*bumped)[i]);
		if (ribbon_looks_now(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_sort(env, *bumped, *nbumped);
}

/* Turn all words, and sort them. */
static RibbonStatus
turn_words(const RibbonEnv *env, uint64_t *words, size_t nwords, unsigned turn)
{
	for (size_t i = 0; i < nwords; i++)
		words[i] = ribbon_hash_turned(words[i], turn);
	return ribbon_sort(env, words, nwords);
}

/* first[z] becomes the index of zone z's first one of the sorted words. */
static void
find_zones(const RibbonFilter *filter, const uint64_t *words, size_t nwords,
		   size_t *first)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];

	for (size_t i = 0, z = 0; z <= nzones; z++)
	{
		while (i < nwords && ribbon_zone_of(filter, words[i]) < z)
			i++;
		first[z] = z == nzones ? nwords : i;
	}
}

/*
 * How many of the words are wide in each turn?  A turn brings one of the 16
 * digits of four bits to the top, and what counts are the 11 bits from there
 * on.  Four turns at a time are four lanes of a word, each of which overflows
 * into its bit 11 if it is wide.
 */
#define LANES		  4
#define ONE_PER_LANE  UINT64_C(0x0001000100010001)
#define WORDS_PER_SUM 65535 /* that cannot overflow a lane */

static void
count_wide(const uint64_t *words, size_t nwords, unsigned split, size_t *nwide)
{
	memset(nwide, 0, RIBBON_TURNS * sizeof(size_t));
	for (size_t begin = 0; begin < nwords; begin += WORDS_PER_SUM)
	{
		size_t end = ribbon_min64(nwords, begin + WORDS_PER_SUM);

		for (unsigned turn = 0; turn < LANES; turn++)
		{
			uint64_t sums = 0;

			for (size_t i = begin; i < end; i++)
			{
				uint64_t shares = ribbon_hash_turned(words[i], turn) >> 5 &
					ONE_PER_LANE * (RIBBON_SHARES - 1);

				sums += (shares + ONE_PER_LANE * split) >> 11 & ONE_PER_LANE;
			}
			for (unsigned lane = 0; lane < LANES; lane++)
				nwide[turn + LANES * lane] += sums >> (48 - 16 * lane) & 0xFFFF;
		}
	}
}

/* The turn that makes fewest of the last layer's words wide. */
static unsigned
choose_turn(const RibbonFilter *filter, const uint64_t *words, size_t nwords)
{
	size_t nwide[RIBBON_TURNS];
	unsigned best = 0;

	count_wide(words, nwords, filter->split, nwide);
	for (unsigned turn = 1; turn < RIBBON_TURNS; turn++)
		if (nwide[turn] < nwide[best])
			best = turn;
	return best;
}

/* If *aimed is set, words are what they were. */
static RibbonStatus
add_last_layer(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
			   uint64_t *words, size_t nwords, bool *aimed)
{
	unsigned max_sizes = filter->salted ? UINT_MAX : RIBBON_ZONE_SIZES;
	size_t first[2 * RIBBON_MAX_ZONES + 1];
	RibbonStatus status;

	filter->nzones[0] = ribbon_zone_count(filter->width, nwords,
										  RIBBON_SHARES - filter->split);
	filter->nzones[1] = ribbon_zone_count(filter->width, nwords, filter->split);
	filter->turn = filter->split > 0 ? choose_turn(filter, words, nwords) : 0;
	status = turn_words(env, words, nwords, filter->turn);
	find_zones(filter, words, nwords, first);
	for (unsigned z = 0; status == RIBBON_OK && !*aimed &&
		 z < filter->nzones[0] + filter->nzones[1];
		 z++)
	{
		bool solved;

		status = ribbon_zone_build(env, ribbon_zone_width(filter->width),
								   words + first[z], first[z + 1] - first[z],
								   filter->columns + (z >= filter->nzones[0]),
								   max_sizes, &pieces->zones[z], &solved);
		filter->zones[z] = pieces->zones[z].region;
		*aimed = status == RIBBON_OK && !solved;
	}
	if (*aimed)
		status = turn_words(env, words, nwords,
							(RIBBON_TURNS - filter->turn) % RIBBON_TURNS);
	return status;
}

/*
 * Solve all layers for the sorted hashes.  If they look aimed at, *aimed is
 * set and hashes is unchanged; with salted hashes that does not happen.
 */
static RibbonStatus
build_layers(const RibbonEnv *env, RibbonFilter *filter, Pieces *pieces,
			 uint64_t *hashes, size_t nhashes, bool *aimed)
{
	uint64_t *words = hashes;
	size_t nwords = nhashes;
	RibbonColumns columns = {filter->columns, filter->wide};
	RibbonStatus status = RIBBON_OK;

	*aimed = false;
	filter->nlayers = 0;
	filter->layer_keys[0] = nhashes;
	while (status == RIBBON_OK && !*aimed &&
		   filter->nlayers < RIBBON_MAX_LAYERS &&
		   !ribbon_params_is_last_layer(filter->width, filter->scheme, columns,
										nwords))
	{
		uint64_t *bumped;

		status = add_layer(env, filter, pieces, words, nwords, &bumped, &nwords,
						   aimed);
		if (words != hashes)
			ribbon_free(env, words);
		words = bumped;
	}
	if (status == RIBBON_OK && !*aimed)
		status = add_last_layer(env, filter, pieces, words, nwords, aimed);
	if (words != hashes)
		ribbon_free(env, words);
	return status;
}

/* Header and pieces, in the order of the format. */
static RibbonStatus
assemble(const RibbonEnv *env, RibbonFilter *filter, const Pieces *pieces,
		 size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	uint8_t *buffer;
	RibbonStatus status = ribbon_format_create(env, filter, headroom, &buffer);

	if (status != RIBBON_OK)
		return status;
	for (int i = 0; i < filter->nlayers && status == RIBBON_OK; i++)
	{
		RibbonRegion *layer = &filter->layers[i];

		memcpy((uint8_t *) layer->thresholds, pieces->thresholds[i],
			   ribbon_layer_threshold_bytes(layer, &filter->buckets));
		status = ribbon_copy(env, (uint8_t *) layer->slots, pieces->slots[i],
							 ribbon_icml_bytes(layer));
	}
	for (unsigned z = 0; z < filter->nzones[0] + filter->nzones[1]; z++)
		if (pieces->zones[z].slots != NULL)
			memcpy((uint8_t *) filter->zones[z].slots, pieces->zones[z].slots,
				   ribbon_icml_bytes(&filter->zones[z]));
	if (status != RIBBON_OK)
	{
		ribbon_free(env, buffer);
		return status;
	}
	*bytes = buffer;
	*nbytes = filter->total_bytes;
	return RIBBON_OK;
}

/*
 * Where does the last column begin?  In mid-block, half a block of it is stored
 * for nobody.  So make a few keys fewer wide, as few as may be and no more than
 * the FPR does not notice: until the first wide key starts where a block does,
 * or little behind.
 */
static unsigned
nudge_wide(const RibbonFilter *filter, uint64_t nslots)
{
	unsigned best = filter->wide;
	uint64_t least = UINT64_MAX;

	for (unsigned d = 0; d <= RIBBON_NUDGE && d < filter->wide; d++)
	{
		RibbonColumns columns = {filter->columns, filter->wide - d};
		RibbonRegion region;
		uint64_t first, lost;

		ribbon_region_init(&region, nslots, (unsigned) filter->width, true,
						   columns);
		first = ribbon_hash_highest(columns.wide);
		lost = ribbon_region_start(&region, first) % (unsigned) filter->width;
		if (lost < least)
		{
			least = lost;
			best = columns.wide;
		}
		if (lost <= (unsigned) filter->width / 8)
			break;
	}
	return best;
}

RibbonStatus
ribbon_burr_build(const RibbonEnv *env, const RibbonParams *params,
				  uint64_t *hashes, size_t nhashes, size_t headroom,
				  uint8_t **bytes, size_t *nbytes)
{
	RibbonColumns columns = ribbon_params_columns(params->fpr);
	RibbonFilter filter;
	Pieces pieces;
	RibbonStatus status;
	bool aimed;

	ribbon_format_init_empty(&filter, params->key_class);
	filter.nkeys = nhashes;
	filter.width = params->width;
	filter.columns = columns.columns;
	filter.wide = filter.split = columns.wide;
	filter.scheme = ribbon_params_scheme(params->width, columns);
	filter.buckets = ribbon_params_buckets(params->width, filter.scheme);
	if (filter.wide > 0 &&
		!ribbon_params_is_last_layer(filter.width, filter.scheme, columns,
									 nhashes))
		filter.wide = filter.split =
			nudge_wide(&filter,
					   ribbon_params_layer_slots(filter.width, filter.scheme,
												 nhashes, 0));
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
