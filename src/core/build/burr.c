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

#include "build/layer.h"
#include "build/output.h"
#include "build/params.h"
#include "build/salt.h"
#include "build/window.h"
#include "build/zone.h"
#include "format/format.h"
#include "format/icml.h"

#define MAX_ATTEMPTS 8 /* at a layer, before the best of them is taken */
#define NO_ACCIDENT	 4 /* times the most slots that may stay empty */

/* A filter under construction. */
typedef struct Burr
{
	const RibbonEnv *env;
	RibbonFilter filter;
	RibbonOutput output;
} Burr;

/*
 * Add layer filter->nlayers, of nslots slots, for the hashes.  bumped and suspicious:
 * see layer.h.
 */
static RibbonStatus
try_layer(Burr *b, uint64_t nslots, const RibbonHashes *hashes,
		  RibbonHashes *bumped, bool *suspicious)
{
	RibbonFilter *filter = &b->filter;
	RibbonResultBits result_bits = {filter->result_bits, filter->wide};
	RibbonSystem *system = &filter->systems[filter->nlayers];
	RibbonLayer layer = {.system = system,
						 .buckets = &filter->buckets,
						 .number = filter->nlayers,
						 .clustered = filter->salted};
	RibbonStatus status;

	ribbon_system_init(system, nslots, (unsigned) filter->width, true,
					   result_bits);
	status =
		ribbon_output_add_layer(b->env, &b->output,
								ribbon_buckets_threshold_bytes(system,
															   &filter
																	->buckets),
								ribbon_icml_bytes(system), &layer.slots);
	if (status != RIBBON_OK)
		return status;
	layer.thresholds = b->output.thresholds[filter->nlayers];
	return ribbon_layer_build(b->env, &layer, hashes, bumped, suspicious);
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
 * hashes; or *suspicious is set.
 */
static RibbonStatus
add_layer(Burr *b, const RibbonHashes *hashes, RibbonHashes *bumped,
		  bool *suspicious)
{
	RibbonFilter *filter = &b->filter;
	uint64_t limit = ribbon_params_bumped_limit(filter->width, filter->scheme,
												hashes->n);
	int64_t fewest = INT64_MAX;
	bool done = false;
	RibbonStatus status = ribbon_hashes_create(b->env, bumped,
											   filter->salted ? hashes->n :
																limit);

	for (unsigned attempt = 0, best = 0; status == RIBBON_OK && !done;
		 attempt++)
	{
		bool last = attempt == MAX_ATTEMPTS;
		uint64_t nslots = ribbon_params_layer_slots(filter->width,
													filter->scheme, hashes->n,
													last ? best : attempt);
		int64_t empty;

		status = try_layer(b, nslots, hashes, bumped, suspicious);
		if (status != RIBBON_OK)
			break;
		empty = (int64_t) (nslots + bumped->n - hashes->n);
		if (empty < fewest)
		{
			fewest = empty;
			best = attempt;
		}
		*suspicious |= nslots < RIBBON_WINDOW_STRETCHED &&
			empty > NO_ACCIDENT * empty_limit(filter, nslots, MAX_ATTEMPTS);
		done = *suspicious || last || nslots >= RIBBON_WINDOW_STRETCHED ||
			empty <= empty_limit(filter, nslots, attempt) ||
			(attempt + 1 == MAX_ATTEMPTS && best == attempt);
		if (!done)
		{
			ribbon_output_drop_layer(b->env, &b->output,
									 ribbon_icml_bytes(&filter->systems
															[filter->nlayers]));
			ribbon_hashes_clear(bumped);
		}
	}
	if (status != RIBBON_OK || *suspicious)
		return status;
	status = ribbon_hashes_seal(b->env, bumped);
	filter->layer_keys[++filter->nlayers] = bumped->n;
	return status;
}

/*
 * How many of the hashes are wide in each rotation?  A rotation brings one of the 16
 * digits of four bits to the top, and what counts are the 11 bits from there
 * on.  Four rotations at a time are four lanes of a word, each of which overflows
 * into its bit 11 if it is wide.
 */
#define LANES		   4
#define ONE_PER_LANE   UINT64_C(0x0001000100010001)
#define HASHES_PER_SUM 65535 /* that cannot overflow a lane */

static void
count_wide(const uint64_t *hashes, size_t nhashes, unsigned split,
		   size_t *nwide)
{
	memset(nwide, 0, RIBBON_ROTATIONS * sizeof(size_t));
	for (size_t begin = 0; begin < nhashes; begin += HASHES_PER_SUM)
	{
		size_t end = ribbon_min64(nhashes, begin + HASHES_PER_SUM);

		for (unsigned rotation = 0; rotation < LANES; rotation++)
		{
			uint64_t sums = 0;

			for (size_t i = begin; i < end; i++)
			{
				uint64_t shares = ribbon_hash_rotated(hashes[i], rotation) >>
						5 &
					ONE_PER_LANE * (RIBBON_SHARES - 1);

				sums += (shares + ONE_PER_LANE * split) >> 11 & ONE_PER_LANE;
			}
			for (unsigned lane = 0; lane < LANES; lane++)
				nwide[rotation + LANES * lane] += sums >> (48 - 16 * lane) &
					0xFFFF;
		}
	}
}

/* The rotation that makes fewest of the last layer's hashes wide. */
static unsigned
choose_rotation(const RibbonFilter *filter, const uint64_t *hashes,
				size_t nhashes)
{
	size_t nwide[RIBBON_ROTATIONS];
	unsigned best = 0;

	count_wide(hashes, nhashes, filter->split, nwide);
	for (unsigned rotation = 1; rotation < RIBBON_ROTATIONS; rotation++)
		if (nwide[rotation] < nwide[best])
			best = rotation;
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
	double mean = (double) ribbon_zones_expected_slots(filter, z, nkeys);
	double more = (double) zone_keys - mean - 8;

	return more > 0 && more * more > 64 * mean;
}

/* Solve one zone, and add it to the output buffer.  *suspicious if that cannot be done. */
static RibbonStatus
add_zone(Burr *b, unsigned z, const uint64_t *hashes, size_t nhashes,
		 unsigned *tries, bool *suspicious)
{
	RibbonFilter *filter = &b->filter;
	RibbonZone zone;
	bool solved;
	RibbonStatus status =
		ribbon_zone_build(b->env, ribbon_zones_width(filter->width), hashes,
						  nhashes,
						  filter->result_bits + (z >= filter->nzones[0]), tries,
						  &zone, &solved);

	if (status != RIBBON_OK)
		return status;
	*suspicious = !solved;
	filter->systems[(unsigned) filter->nlayers + z] = zone.system;
	if (zone.slots != NULL)
	{
		status = ribbon_output_add_slots(b->env, &b->output, zone.slots,
										 ribbon_icml_bytes(&zone.system));
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
 * Copy hashes to rotated[], rotated, zone by zone; zone z's are rotated[first[z]] up
 * to rotated[first[z + 1] - 1].
 */
static void
rotate_hashes(const RibbonFilter *filter, const uint64_t *hashes,
			  size_t nhashes, uint64_t *rotated, size_t *first)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];
	size_t next[2 * RIBBON_MAX_ZONES] = {0};

	for (size_t i = 0; i < nhashes; i++)
		next[ribbon_zones_find(filter,
							   ribbon_hash_rotated(hashes[i],
												   filter->rotation))]++;
	first[0] = 0;
	for (unsigned z = 0; z < nzones; z++)
	{
		first[z + 1] = first[z] + next[z];
		next[z] = first[z];
	}
	for (size_t i = 0; i < nhashes; i++)
	{
		uint64_t hash = ribbon_hash_rotated(hashes[i], filter->rotation);

		rotated[next[ribbon_zones_find(filter, hash)]++] = hash;
	}
}

/* Solve the zones of the rotated hashes. */
static RibbonStatus
add_zones(Burr *b, const uint64_t *rotated, size_t nhashes, const size_t *first,
		  bool *suspicious)
{
	const RibbonFilter *filter = &b->filter;
	unsigned nzones = filter->nzones[0] + filter->nzones[1];
	unsigned tries = most_tries(filter);
	RibbonStatus status = RIBBON_OK;

	for (unsigned z = 0; z < nzones; z++)
		*suspicious |= is_overfull(filter, z, nhashes, first[z + 1] - first[z]);
	for (unsigned z = 0; status == RIBBON_OK && !*suspicious && z < nzones; z++)
		status = add_zone(b, z, rotated + first[z], first[z + 1] - first[z],
						  &tries, suspicious);
	return status;
}

/* The hashes, which are an array, stay what they are. */
static RibbonStatus
add_last_layer(Burr *b, const RibbonHashes *hashes, bool *suspicious)
{
	RibbonFilter *filter = &b->filter;
	size_t nhashes = (size_t) hashes->n;
	size_t first[2 * RIBBON_MAX_ZONES + 1];
	uint64_t *rotated = ribbon_alloc_array(b->env, nhashes, sizeof(uint64_t));
	RibbonStatus status;

	if (rotated == NULL)
		return RIBBON_OUT_OF_MEMORY;
	filter->nzones[0] = ribbon_zones_count(filter->width, nhashes,
										   RIBBON_SHARES - filter->split);
	filter->nzones[1] = ribbon_zones_count(filter->width, nhashes,
										   filter->split);
	filter->rotation = filter->split > 0 ?
		choose_rotation(filter, hashes->array, nhashes) :
		0;
	rotate_hashes(filter, hashes->array, nhashes, rotated, first);
	status = add_zones(b, rotated, nhashes, first, suspicious);
	ribbon_free(b->env, rotated);
	return status;
}

/*
 * Solve all layers for the hashes.  If they look clustered, *suspicious is set and
 * hashes is unchanged.
 */
static RibbonStatus
build_layers(Burr *b, const RibbonHashes *all, bool *suspicious)
{
	RibbonFilter *filter = &b->filter;
	RibbonResultBits result_bits = {filter->result_bits, filter->wide};
	RibbonHashes hashes = *all;
	RibbonStatus status = RIBBON_OK;

	hashes.owned = false;
	*suspicious = false;
	filter->nlayers = 0;
	filter->layer_keys[0] = hashes.n;
	while (status == RIBBON_OK && !*suspicious &&
		   filter->nlayers < RIBBON_MAX_LAYERS &&
		   !ribbon_params_is_last_layer(filter->width, filter->scheme,
										result_bits, hashes.n))
	{
		RibbonHashes bumped;

		status = add_layer(b, &hashes, &bumped, suspicious);
		ribbon_hashes_free(b->env, &hashes);
		hashes = bumped;
	}
	if (status == RIBBON_OK && !*suspicious && hashes.store != NULL)
		status = ribbon_hashes_load(b->env, &hashes);
	if (status == RIBBON_OK && !*suspicious)
		status = add_last_layer(b, &hashes, suspicious);
	ribbon_hashes_free(b->env, &hashes);
	return status;
}

/*
 * Begin an output buffer.  Thresholds and slots of the layers, and a little more for
 * what stays empty; if that is not enough, the output buffer grows.
 */
static RibbonStatus
create_output(Burr *b, size_t headroom)
{
	const RibbonFilter *filter = &b->filter;
	RibbonResultBits result_bits = {filter->result_bits, filter->wide};
	double nkeys = (double) filter->nkeys;
	double nslots = nkeys * ribbon_result_bits_mean(result_bits) / 8;
	double nbuckets = nkeys / (1 << filter->buckets.log2_size);

	return ribbon_output_create(b->env, &b->output, headroom,
								ribbon_params_is_last_layer(filter->width,
															filter->scheme,
															result_bits,
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

	return ribbon_output_finish(b->env, &b->output, header, header_bytes, bytes,
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
		RibbonResultBits result_bits = {filter->result_bits, filter->wide - d};
		RibbonSystem system;
		uint64_t first, lost;

		ribbon_system_init(&system, nslots, (unsigned) filter->width, true,
						   result_bits);
		first = ribbon_hash_highest(result_bits.wide);
		lost = ribbon_system_start(&system, first) % (unsigned) filter->width;
		if (lost < least)
		{
			least = lost;
			best = result_bits.wide;
		}
		if (lost <= (unsigned) filter->width / 8)
			break;
	}
	return best;
}

/* Solve all layers for the hashes, salted if and as long as they are suspicious. */
static RibbonStatus
build_unsuspicious(Burr *b, RibbonHashes *hashes, size_t headroom)
{
	bool suspicious = false;
	RibbonStatus status = RIBBON_OK;

	do
	{
		ribbon_output_free(b->env, &b->output);
		if (suspicious)
			status = ribbon_salt_hashes(b->env, &b->filter, hashes);
		if (status == RIBBON_OK)
			status = create_output(b, headroom);
		if (status == RIBBON_OK)
			status = build_layers(b, hashes, &suspicious);
	} while (status == RIBBON_OK && suspicious);
	return status;
}

RibbonStatus
ribbon_burr_build(const RibbonEnv *env, const RibbonParams *params,
				  RibbonHashes *hashes, size_t headroom, uint8_t **bytes,
				  size_t *nbytes)
{
	RibbonResultBits result_bits = ribbon_result_bits_for(params->fpr);
	Burr b;
	RibbonFilter *filter = &b.filter;
	RibbonHashes own = *hashes;
	RibbonStatus status;

	hashes->owned = false; /* own is to be freed instead, if it is */
	b.env = env;
	memset(&b.output, 0, sizeof(b.output));
	ribbon_format_init_empty(filter, params->key_class);
	filter->nkeys = hashes->n;
	filter->width = params->width;
	filter->result_bits = result_bits.bits;
	filter->wide = filter->split = result_bits.wide;
	filter->scheme = ribbon_params_scheme(params->width, result_bits);
	filter->buckets = ribbon_buckets_of_scheme(params->width, filter->scheme);
	if (filter->wide > 0 &&
		!ribbon_params_is_last_layer(filter->width, filter->scheme, result_bits,
									 hashes->n))
		filter->wide = filter->split =
			nudge_wide(filter,
					   ribbon_params_layer_slots(filter->width, filter->scheme,
												 hashes->n, 0));

	status = build_unsuspicious(&b, &own, headroom);
	if (status == RIBBON_OK)
		status = finish(&b, bytes, nbytes);
	ribbon_hashes_free(env, &own);
	ribbon_output_free(env, &b.output);
	return status;
}
