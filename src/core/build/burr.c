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
 * A layer that bumps far more keys than chance explains was aimed at, and so
 * was a last layer that cannot be solved: then the build starts again with
 * salted hashes (salt.h).
 */
#include "build/burr.h"

#include "build/draft.h"
#include "format/format.h"
#include "format/icml.h"
#include "build/layer.h"
#include "build/params.h"
#include "build/salt.h"
#include "build/window.h"
#include "build/zone.h"

#define MAX_ATTEMPTS 8 /* at a layer, before the best of them is taken */
#define NO_ACCIDENT	 4 /* times the most slots that may stay empty */

/* A filter under construction. */
typedef struct Burr
{
	const RibbonEnv *env;
	RibbonFilter filter;
	RibbonDraft draft;
} Burr;

/*
 * Add layer filter->nlayers, of nslots slots, for the words.  bumped and aimed:
 * see layer.h.
 */
static RibbonStatus
try_layer(Burr *b, uint64_t nslots, const RibbonWords *words,
		  RibbonWords *bumped, bool *aimed)
{
	RibbonFilter *filter = &b->filter;
	RibbonColumns columns = {filter->columns, filter->wide};
	RibbonRegion *region = &filter->layers[filter->nlayers];
	RibbonLayer layer = {.region = region,
						 .buckets = &filter->buckets,
						 .number = filter->nlayers,
						 .crowds = filter->salted};
	RibbonStatus status;

	ribbon_region_init(region, nslots, (unsigned) filter->width, true, columns);
	status =
		ribbon_draft_add_layer(b->env, &b->draft,
							   ribbon_layer_threshold_bytes(region,
															&filter->buckets),
							   ribbon_icml_bytes(region), &layer.slots);
	if (status != RIBBON_OK)
		return status;
	layer.thresholds = b->draft.thresholds[filter->nlayers];
	return ribbon_layer_build(b->env, &layer, words, bumped, aimed);
}

/* How many slots of a small layer may stay empty at this attempt. */
static int64_t
empty_limit(const RibbonFilter *filter, uint64_t nslots, unsigned attempt)
{
	return (int64_t) ribbon_params_empty_limit(filter->width, filter->scheme,
											   nslots, attempt);
}

/*
 * Add a layer.  What stays empty at the ends of a small layer varies from one
 * size to the next, so several are tried until little does, or the best is done
 * again.  On return *bumped, for the caller to free, holds the next layer's
 * words; or *aimed is set.
 */
static RibbonStatus
add_layer(Burr *b, const RibbonWords *words, RibbonWords *bumped, bool *aimed)
{
	RibbonFilter *filter = &b->filter;
	uint64_t limit = ribbon_params_bumped_limit(filter->width, filter->scheme,
												words->n);
	int64_t fewest = INT64_MAX;
	bool done = false;
	RibbonStatus status =
		ribbon_words_create(b->env, bumped, filter->salted ? words->n : limit);

	for (unsigned attempt = 0, best = 0; status == RIBBON_OK && !done;
		 attempt++)
	{
		bool last = attempt == MAX_ATTEMPTS;
		uint64_t nslots = ribbon_params_layer_slots(filter->width,
													filter->scheme, words->n,
													last ? best : attempt);
		int64_t empty;

		status = try_layer(b, nslots, words, bumped, aimed);
		if (status != RIBBON_OK)
			break;
		empty = (int64_t) (nslots + bumped->n - words->n);
		if (empty < fewest)
		{
			fewest = empty;
			best = attempt;
		}
		*aimed |= nslots < RIBBON_WINDOW_STRETCHED &&
			empty > NO_ACCIDENT * empty_limit(filter, nslots, MAX_ATTEMPTS);
		done = *aimed || last || nslots >= RIBBON_WINDOW_STRETCHED ||
			empty <= empty_limit(filter, nslots, attempt) ||
			(attempt + 1 == MAX_ATTEMPTS && best == attempt);
		if (!done)
		{
			ribbon_draft_drop_layer(b->env, &b->draft,
									ribbon_icml_bytes(&filter->layers
														   [filter->nlayers]));
			ribbon_words_clear(bumped);
		}
	}
	if (status != RIBBON_OK || *aimed)
		return status;
	status = ribbon_words_seal(b->env, bumped);
	filter->layer_keys[++filter->nlayers] = bumped->n;
	return status;
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

/*
 * Has a zone more of nkeys keys than chance gives it?  Eight times the root of
 * their number and eight more are not to be expected.
 */
static bool
is_overfull(const RibbonFilter *filter, unsigned z, size_t nkeys,
			size_t zone_keys)
{
	double mean = (double) ribbon_zone_expected_slots(filter, z, nkeys);
	double more = (double) zone_keys - mean - 8;

	return more > 0 && more * more > 64 * mean;
}

/* Solve one zone, and add it to the draft.  *aimed if that cannot be done. */
static RibbonStatus
add_zone(Burr *b, unsigned z, const uint64_t *words, size_t nwords,
		 unsigned *tries, bool *aimed)
{
	RibbonFilter *filter = &b->filter;
	RibbonZone zone;
	bool solved;
	RibbonStatus status =
		ribbon_zone_build(b->env, ribbon_zone_width(filter->width), words,
						  nwords, filter->columns + (z >= filter->nzones[0]),
						  tries, &zone, &solved);

	if (status != RIBBON_OK)
		return status;
	*aimed = !solved;
	filter->zones[z] = zone.region;
	if (zone.slots != NULL)
	{
		status = ribbon_draft_add_slots(b->env, &b->draft, zone.slots,
										ribbon_icml_bytes(&zone.region));
		ribbon_free(b->env, zone.slots);
	}
	return status;
}

/*
 * Tries for all zones.  Five for each are usual; of sets of a thousand keys, for
 * which they are hardest to find, one in a thousand needs more than 24 [tune].
 * To give up costs more if there are layers.
 */
static unsigned
most_tries(const RibbonFilter *filter)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];

	return (filter->nlayers == 0 ? 8 : 12) * nzones + 16;
}

/*
 * Copy words to turned, turned, zone by zone; zone z's are turned[first[z]] up
 * to turned[first[z + 1] - 1].
 */
static void
turn_words(const RibbonFilter *filter, const uint64_t *words, size_t nwords,
		   uint64_t *turned, size_t *first)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];
	size_t next[2 * RIBBON_MAX_ZONES] = {0};

	for (size_t i = 0; i < nwords; i++)
		next[ribbon_zone_of(filter,
							ribbon_hash_turned(words[i], filter->turn))]++;
	first[0] = 0;
	for (unsigned z = 0; z < nzones; z++)
	{
		first[z + 1] = first[z] + next[z];
		next[z] = first[z];
	}
	for (size_t i = 0; i < nwords; i++)
	{
		uint64_t word = ribbon_hash_turned(words[i], filter->turn);

		turned[next[ribbon_zone_of(filter, word)]++] = word;
	}
}

/* Solve the zones of the turned words. */
static RibbonStatus
add_zones(Burr *b, const uint64_t *turned, size_t nwords, const size_t *first,
		  bool *aimed)
{
	const RibbonFilter *filter = &b->filter;
	unsigned nzones = filter->nzones[0] + filter->nzones[1];
	unsigned tries = most_tries(filter);
	RibbonStatus status = RIBBON_OK;

	for (unsigned z = 0; z < nzones; z++)
		*aimed |= is_overfull(filter, z, nwords, first[z + 1] - first[z]);
	for (unsigned z = 0; status == RIBBON_OK && !*aimed && z < nzones; z++)
		status = add_zone(b, z, turned + first[z], first[z + 1] - first[z],
						  &tries, aimed);
	return status;
}

/* The words, which are an array, stay what they are. */
static RibbonStatus
add_last_layer(Burr *b, const RibbonWords *words, bool *aimed)
{
	RibbonFilter *filter = &b->filter;
	size_t nwords = (size_t) words->n;
	size_t first[2 * RIBBON_MAX_ZONES + 1];
	uint64_t *turned = ribbon_alloc_array(b->env, nwords, sizeof(uint64_t));
	RibbonStatus status;

	if (turned == NULL)
		return RIBBON_OUT_OF_MEMORY;
	filter->nzones[0] = ribbon_zone_count(filter->width, nwords,
										  RIBBON_SHARES - filter->split);
	filter->nzones[1] = ribbon_zone_count(filter->width, nwords, filter->split);
	filter->turn = filter->split > 0 ?
		choose_turn(filter, words->array, nwords) :
		0;
	turn_words(filter, words->array, nwords, turned, first);
	status = add_zones(b, turned, nwords, first, aimed);
	ribbon_free(b->env, turned);
	return status;
}

/*
 * Solve all layers for the words.  If they look aimed at, *aimed is set and
 * words is unchanged.
 */
static RibbonStatus
build_layers(Burr *b, const RibbonWords *hashes, bool *aimed)
{
	RibbonFilter *filter = &b->filter;
	RibbonColumns columns = {filter->columns, filter->wide};
	RibbonWords words = *hashes;
	RibbonStatus status = RIBBON_OK;

	words.owned = false;
	*aimed = false;
	filter->nlayers = 0;
	filter->layer_keys[0] = words.n;
	while (status == RIBBON_OK && !*aimed &&
		   filter->nlayers < RIBBON_MAX_LAYERS &&
		   !ribbon_params_is_last_layer(filter->width, filter->scheme, columns,
										words.n))
	{
		RibbonWords bumped;

		status = add_layer(b, &words, &bumped, aimed);
		ribbon_words_free(b->env, &words);
		words = bumped;
	}
	if (status == RIBBON_OK && !*aimed && words.store != NULL)
		status = ribbon_words_load(b->env, &words);
	if (status == RIBBON_OK && !*aimed)
		status = add_last_layer(b, &words, aimed);
	ribbon_words_free(b->env, &words);
	return status;
}

/*
 * Begin a draft.  Thresholds and slots of the layers, and a little more for
 * what stays empty; if that is not enough, the draft grows.
 */
static RibbonStatus
create_draft(Burr *b, size_t headroom)
{
	const RibbonFilter *filter = &b->filter;
	RibbonColumns columns = {filter->columns, filter->wide};
	double nkeys = (double) filter->nkeys;
	double nslots = nkeys * ribbon_params_mean_columns(columns) / 8;
	double nbuckets = nkeys / (1 << filter->buckets.log2_size);

	return ribbon_draft_create(b->env, &b->draft, headroom,
							   ribbon_params_is_last_layer(filter->width,
														   filter->scheme,
														   columns,
														   filter->nkeys) ?
								   0 :
								   (uint64_t) (nbuckets / 4) + 64,
							   (uint64_t) (1.003 * nslots) + 256);
}

static RibbonStatus
finish(Burr *b, uint8_t **bytes, size_t *nbytes)
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t header_bytes = ribbon_format_encode(&b->filter, header);

	return ribbon_draft_finish(b->env, &b->draft, header, header_bytes, bytes,
							   nbytes);
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

/* Solve all layers for the words, salted if and as long as they look aimed at. */
static RibbonStatus
build_unaimed(Burr *b, RibbonWords *words, size_t headroom)
{
	bool aimed = false;
	RibbonStatus status = RIBBON_OK;

	do
	{
		ribbon_draft_free(b->env, &b->draft);
		if (aimed)
			status = ribbon_salt_words(b->env, &b->filter, words);
		if (status == RIBBON_OK)
			status = create_draft(b, headroom);
		if (status == RIBBON_OK)
			status = build_layers(b, words, &aimed);
	} while (status == RIBBON_OK && aimed);
	return status;
}

RibbonStatus
ribbon_burr_build(const RibbonEnv *env, const RibbonParams *params,
				  RibbonWords *hashes, size_t headroom, uint8_t **bytes,
				  size_t *nbytes)
{
	RibbonColumns columns = ribbon_params_columns(params->fpr);
	Burr b;
	RibbonFilter *filter = &b.filter;
	RibbonWords words = *hashes;
	RibbonStatus status;

	hashes->owned = false; /* they are ours now, if they were anybody's */
	b.env = env;
	memset(&b.draft, 0, sizeof(b.draft));
	ribbon_format_init_empty(filter, params->key_class);
	filter->nkeys = hashes->n;
	filter->width = params->width;
	filter->columns = columns.columns;
	filter->wide = filter->split = columns.wide;
	filter->scheme = ribbon_params_scheme(params->width, columns);
	filter->buckets = ribbon_params_buckets(params->width, filter->scheme);
	if (filter->wide > 0 &&
		!ribbon_params_is_last_layer(filter->width, filter->scheme, columns,
									 hashes->n))
		filter->wide = filter->split =
			nudge_wide(filter,
					   ribbon_params_layer_slots(filter->width, filter->scheme,
												 hashes->n, 0));

	status = build_unaimed(&b, &words, headroom);
	if (status == RIBBON_OK)
		status = finish(&b, bytes, nbytes);
	ribbon_words_free(env, &words);
	ribbon_draft_free(env, &b.draft);
	return status;
}
