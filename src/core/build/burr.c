/*
 * burr.c - bumped ribbon: overloaded layers, and a last layer without bumping
 *
 *----------
 *	 hashes, sorted
 *	   |
 *	 layer 0   m = 0.91 n slots     9 % of the keys are bumped
 *	   |
 *	 layer 1   for these            9 % of them are bumped
 *	   |       (and so on, while a layer is smaller than zones)
 *	 last      Standard Ribbon, in one or a few zones: takes all keys
 *	           that are left
 *----------
 *
 * Hashes are suspicious if a layer bumps far more keys than chance explains, if
 * they cluster (cluster.h), or if the last layer cannot be solved.  Then the
 * build begins again with salted hashes (salt.h).
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

#define MAX_ATTEMPTS 8 /* sizes of a small layer; then the best is taken */
#define NO_ACCIDENT	 4 /* times the limit of empty slots is suspicious */

/* A filter under construction. */
typedef struct Burr
{
	const RibbonEnv *env;
	RibbonFilter filter;
	RibbonOutput output;
} Burr;

/*
 * Build layer filter->nlayers, of nslots slots, for the hashes, and add it to
 * the output buffer.  bumped and *suspicious are those of ribbon_layer_build.
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

/* The most slots of a small layer that may stay empty at this attempt. */
static int64_t
empty_limit(const RibbonFilter *filter, uint64_t nslots, unsigned attempt)
{
	return (int64_t) ribbon_params_empty_limit(filter->width, filter->scheme,
											   nslots, attempt);
}

/*
 * Build a layer for the hashes, and add it to filter and output buffer.  How
 * many slots stay empty at the ends of a small layer differs from size to size,
 * so several sizes are tried until it is few; after MAX_ATTEMPTS the best of
 * them is built once more.  On RIBBON_OK *bumped has the next layer's hashes,
 * sorted, or *suspicious is true.  The caller frees *bumped, after a failure
 * too.
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
 * Set nwide[i] to the number of hashes that are wide in rotation i.
 *
 * A hash is wide if the share (its 11 high bits) after the rotation, plus
 * split, is 2048 or more: bit 11 of the sum.  A machine word has four fields of
 * 16 bits, so one addition does it for four rotations, 16 bits apart.
 */
#define FIELDS		   4
#define ONE_PER_FIELD  UINT64_C(0x0001000100010001)
#define HASHES_PER_SUM 65535 /* that cannot overflow a field */

static void
count_wide(const uint64_t *hashes, size_t nhashes, unsigned split,
		   size_t *nwide)
{
	memset(nwide, 0, RIBBON_ROTATIONS * sizeof(size_t));
	for (size_t begin = 0; begin < nhashes; begin += HASHES_PER_SUM)
	{
		size_t end = ribbon_min64(nhashes, begin + HASHES_PER_SUM);

		for (unsigned rotation = 0; rotation < FIELDS; rotation++)
		{
			uint64_t sums = 0;

			for (size_t i = begin; i < end; i++)
			{
				uint64_t shares = ribbon_hash_rotated(hashes[i], rotation) >>
						5 &
					ONE_PER_FIELD * (RIBBON_SHARES - 1);

				sums += (shares + ONE_PER_FIELD * split) >> 11 & ONE_PER_FIELD;
			}
			for (unsigned field = 0; field < FIELDS; field++)
				nwide[rotation + FIELDS * field] += sums >> (48 - 16 * field) &
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
 * Has zone z, with zone_keys of nkeys keys, more than chance explains: eight
 * standard deviations and eight keys above the mean?
 */
static bool
is_overfull(const RibbonFilter *filter, unsigned z, size_t nkeys,
			size_t zone_keys)
{
	double mean = (double) ribbon_zones_expected_slots(filter, z, nkeys);
	double more = (double) zone_keys - mean - 8;

	return more > 0 && more * more > 64 * mean;
}

/*
 * Solve zone z for its rotated hashes, and add it to filter and output buffer.
 * *suspicious is set to whether no try succeeds; tries is ribbon_zone_build's.
 */
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
 * The most tries (a seed and a size each) for all zones together.  Five for
 * each zone are usual.  Sets of a thousand keys need most: one set in a
 * thousand more than 24 [tune, see params.c].  With bumped layers there are
 * more tries, since a new build costs more.
 */
static unsigned
most_tries(const RibbonFilter *filter)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];

	return (filter->nlayers == 0 ? 8 : 12) * nzones + 16;
}

/*
 * Set rotated[0..nhashes) to the hashes, rotated, zone by zone; zone z has
 * rotated[first[z]] .. rotated[first[z + 1] - 1].
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

/* Solve all zones; rotated and first are those of rotate_hashes. */
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

/* Build the last layer for the hashes, an array that is not changed. */
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
 * Build all layers for the hashes, which are not changed.  *suspicious is set
 * to whether they are suspicious; then no last layer has been built.
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
 * Begin an output buffer of the expected size: thresholds and slots, and a
 * little more for slots that stay empty.  It grows if that is not enough.
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

/* Put header, thresholds and slots together. */
static RibbonStatus
finish(Burr *b, uint8_t **bytes, size_t *nbytes)
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t header_bytes = ribbon_format_encode(&b->filter, header);

	return ribbon_output_finish(b->env, &b->output, header, header_bytes, bytes,
								nbytes);
}

/*
 * A number of wide keys (of 2048) at which layer 0, of nslots slots, wastes
 * little.  Column r is stored from the block of the first wide key's starting
 * position on, so the slots of that block before this position waste a bit
 * each.  Up to RIBBON_NUDGE fewer wide keys change the FPR by no more than
 * 0.2 %.  So take the number that wastes fewest bits, or the first one that
 * wastes at most w/8.
 *
 * Without it filters with bumped layers are 0.01 to 0.12 % larger (w = 64: 8
 * bytes for 30,000 keys, 250 for 10^6), 5 of 20 of 30,000 keys at 1 % by more
 * than 0.3 % and 12 bytes, and nearly all have other bytes.
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

/*
 * Build all layers; as long as the hashes are suspicious, again with a new
 * salt.
 */
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

	hashes->owned = false; /* own is freed instead, if hashes was owned */
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
