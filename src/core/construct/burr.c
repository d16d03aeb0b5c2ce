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
 * If hashes are suspicious, the build begins again with salted ones (salt.h).
 */
#include "construct/planes.h"

#include "construct/cut.h"
#include "construct/last_layer.h"
#include "construct/layer.h"
#include "construct/salt.h"
#include "format/format.h"
#include "format/icml.h"
#include "format/zones.h"
#include "set/derive.h"

#define MAX_ATTEMPTS 8 /* sizes of a small layer */
#define MAX_ROUNDS	 4 /* of them, in a map that takes too many bytes */

/*
 * A plane under construction.  Thresholds stand in front of all slots, so they
 * are kept apart until the last layer is solved:
 *
 *----------
 *	 meanwhile	 | before | room for thresholds |slots 0|slots 1|zones|
 *	 in the end	 | before   |thresh. 0|thresh. 1|slots 0|slots 1|zones|
 *----------
 */
typedef struct Burr
{
	const RibbonEnv *env;
	const RibbonPlaneJob *job;
	RibbonPlane *plane;
	unsigned wide;			/* of 2048 keys, how many the FPR asks to be wide */
	unsigned round;			/* of sizes of layers: 0 .. MAX_ROUNDS - 1 */
	RibbonBytes thresholds; /* of bumped layers */
	RibbonBytes *slots; /* in the order of the format, behind room for them */
} Burr;

/*
 * The most slots of the first layer that may stay empty.  There is no limit if
 * no size would keep to it: more attempts would only cost time.  Then zones
 * cannot take the keys, or they would have been preferred.
 */
#define NO_LIMIT INT64_MAX

static int64_t
empty_limit(const RibbonPlane *plane)
{
	uint64_t limit = ribbon_shape_empty_limit(plane, plane->nkeys);

	return limit < ribbon_shape_empty_expected(plane, plane->nkeys) ?
		NO_LIMIT :
		(int64_t) limit;
}

/*
 * Build layer plane->nlayers, of nslots slots, for the hashes, and add its
 * thresholds and slots.  bumped and errors are those of ribbon_layer_build;
 * hashes are suspicious, too, that leave more slots empty than chance explains.
 * The first layer has wide keys that suit its size.  *wasteful, false before,
 * is set if another size is to be tried.
 */
static RibbonStatus
try_layer(Burr *b, uint64_t nslots, const RibbonSet *hashes, RibbonSet *bumped,
		  bool *wasteful)
{
	RibbonPlane *plane = b->plane;
	RibbonSystem *system = &plane->systems[plane->nlayers];
	RibbonLayer layer = {.plane = plane,
						 .number = plane->nlayers,
						 .supply = b->job->supply,
						 .bumped = bumped};
	RibbonStatus status;
	int64_t empty;

	if (plane->nlayers == 0)
		ribbon_shape_nudge(plane, b->wide, nslots);
	ribbon_system_init(system, RIBBON_SYSTEM_LAYER, nslots, plane->width,
					   plane->check, plane->value_bits);
	status =
		ribbon_bytes_extend(b->env, &b->thresholds,
							ribbon_buckets_threshold_bytes(system,
														   &plane->buckets),
							&layer.thresholds);
	if (status == RIBBON_OK)
		status = ribbon_bytes_extend(b->env, b->slots,
									 ribbon_icml_bytes(system), &layer.slots);
	if (status == RIBBON_OK)
		status = ribbon_layer_build(b->env, &layer, hashes);
	if (status != RIBBON_OK)
		return status;
	empty = (int64_t) (nslots + bumped->n - hashes->n);
	if (!ribbon_cut_is_whole(&plane->buckets, nslots))
		return RIBBON_OK;
	if (empty > (int64_t) ribbon_shape_most_empty(plane, nslots))
		return RIBBON_SUSPICIOUS;
	*wasteful = plane->nlayers == 0 && empty > empty_limit(plane);
	return RIBBON_OK;
}

/*
 * Build a layer for the hashes, and add it to the plane and its bytes.  How
 * many slots stay empty at the ends of a small layer differs from size to size.
 * If they are too many in the first layer, MAX_ATTEMPTS sizes are tried.  If
 * they are in all of these, and zones fit, those are *better_zones; if zones do
 * not fit, the last size is kept, which need not be the best one.  Without
 * *better_zones, *bumped has the next layer's hashes, sorted.  The caller frees
 * it, after a failure too.
 */
static RibbonStatus
add_layer(Burr *b, const RibbonSet *hashes, RibbonSet *bumped,
		  bool *better_zones)
{
	RibbonPlane *plane = b->plane;
	size_t end_thresholds = b->thresholds.end;
	size_t end_slots = b->slots->end;
	uint64_t limit = ribbon_shape_bumped_limit(plane, hashes->n);
	unsigned attempt = b->round * MAX_ATTEMPTS;
	bool wasteful;
	RibbonStatus status = ribbon_set_begin(b->env, bumped, hashes, hashes->kind,
										   plane->salted ? hashes->n : limit);

	*better_zones = false;
	if (status != RIBBON_OK)
		return status;
	do
	{
		uint64_t nslots = ribbon_shape_layer_slots(plane, hashes->n, attempt++);

		wasteful = false;
		b->thresholds.end = end_thresholds;
		b->slots->end = end_slots;
		ribbon_set_clear(bumped);
		status = try_layer(b, nslots, hashes, bumped, &wasteful);
	} while (wasteful && attempt % MAX_ATTEMPTS > 0);
	*better_zones = wasteful && ribbon_zones_fit(plane->width, hashes->n);
	if (status != RIBBON_OK || *better_zones)
		return status;
	status = ribbon_set_finish(bumped);
	plane->layer_keys[++plane->nlayers] = bumped->n;
	return status;
}

/* Build all layers for the hashes, which are not changed. */
static RibbonStatus
build_layers(Burr *b, const RibbonSet *all)
{
	RibbonPlane *plane = b->plane;
	const RibbonSet *hashes = all;
	RibbonSet left = {.n = 0}; /* what the newest layer has bumped */
	RibbonSet next;
	bool better_zones;
	RibbonStatus status = RIBBON_OK;

	plane->layer_keys[0] = all->n;
	while (status == RIBBON_OK &&
		   (!ribbon_shape_is_last_layer(plane, b->wide, hashes->n) ||
			(b->round > 0 && plane->nlayers == 0)))
	{
		status = add_layer(b, hashes, &next, &better_zones);
		if (better_zones) /* as if no layer had been tried */
		{
			b->thresholds.end = b->thresholds.begin;
			b->slots->end = b->slots->begin;
			ribbon_plane_set_wide(plane, b->wide);
			ribbon_set_close(&next);
			break;
		}
		ribbon_set_close(&left);
		left = next;
		hashes = &left;
	}
	if (status == RIBBON_OK && hashes->in_file)
	{
		status = ribbon_set_load(b->env, hashes, &next);
		ribbon_set_close(&left);
		left = next;
		hashes = &left;
	}
	if (status == RIBBON_OK)
		status = ribbon_last_layer_add(b->env, plane, b->slots, hashes,
									   b->job->supply);
	ribbon_set_close(&left);
	return status;
}

/* Begin a buffer of the expected size, and a little more for empty slots. */
static RibbonStatus
create_slots(Burr *b)
{
	const RibbonPlane *plane = b->plane;
	double slot_bytes = (double) plane->nkeys *
		(ribbon_result_bits_mean(plane->check) + plane->value_bits) / 8;
	uint64_t nbuckets = plane->nkeys >> plane->buckets.log2_size;
	uint64_t before = b->job->room.before;

	if (!ribbon_shape_is_last_layer(plane, plane->check.wide, plane->nkeys))
		before += ribbon_buckets_bytes(&plane->buckets, nbuckets) + 64;
	return ribbon_bytes_create(b->env, b->slots, before,
							   (uint64_t) (1.003 * slot_bytes) + 256 +
								   b->job->room.behind);
}

/*
 * Does a map take more bytes than it may, as by chance up to one in seven does
 * where layers begin?  Then prepare to build it again: with w = 128 if the
 * width is open, which takes fewer bytes, else with the next sizes of layers,
 * of one at least.  In so few rounds no layer bumps more than its limit.
 */
static bool
prepare_again(Burr *b)
{
	const RibbonPlaneParams *params = &b->job->params;
	RibbonPlane *plane = b->plane;
	uint8_t header[RIBBON_MAX_HEADER];
	uint64_t nbytes = b->thresholds.end + b->slots->end - b->slots->begin;

	if (!params->in_map || plane->salted)
		return false;
	nbytes += ribbon_format_encode(plane, 0, header);
	if (nbytes <= ribbon_shape_map_limit(plane, b->wide))
		return false;
	if (params->width == RIBBON_DEFAULT_WIDTH && plane->width != 128)
	{
		ribbon_shape_set_width(plane, 128);
		return true;
	}
	return empty_limit(plane) != NO_LIMIT && ++b->round < MAX_ROUNDS;
}

/* Build the plane's layers for these hashes (RibbonSaltAttempt). */
static RibbonStatus
build_hashes(void *arg, const RibbonSet *hashes)
{
	Burr *b = (Burr *) arg;
	RibbonStatus status;
	bool again;

	b->round = 0;
	do
	{
		b->plane->nlayers = 0;
		ribbon_plane_set_wide(b->plane, b->wide);
		status = create_slots(b);
		if (status == RIBBON_OK)
			status = build_layers(b, hashes);
		again = status == RIBBON_OK && prepare_again(b);
		if (again || status == RIBBON_SUSPICIOUS)
		{
			ribbon_bytes_discard(b->env, &b->thresholds);
			ribbon_bytes_discard(b->env, b->slots);
		}
	} while (again);
	return status;
}

RibbonStatus
ribbon_burr_build(const RibbonEnv *env, const RibbonPlaneJob *job,
				  RibbonBytes *bytes)
{
	Burr b = {.env = env,
			  .job = job,
			  .plane = job->plane,
			  .wide = job->params.check.wide,
			  .slots = bytes};
	RibbonPrefix thresholds;
	RibbonStatus status;

	ribbon_shape_choose(&job->params, job->plane);
	status = ribbon_salt_build(env, b.plane, job->hashes, build_hashes, &b);
	thresholds = (RibbonPrefix){b.thresholds.buffer, b.thresholds.end};
	if (status == RIBBON_OK)
		status = ribbon_bytes_prepend(env, bytes, job->room.before, &thresholds,
									  1);
	ribbon_bytes_discard(env, &b.thresholds);
	return status;
}
