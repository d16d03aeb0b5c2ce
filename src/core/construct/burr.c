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

/*
 * How many slots stay empty at the ends of a small layer differs from size to
 * size.  So the choices of a build, in their order, are MAX_SIZES sizes of the
 * first layer, and if none of these keeps to its limit, zones alone; in a map
 * that takes too many bytes, with w = 128 then, or with the next sizes.
 */
#define MAX_SIZES  8
#define MAX_ROUNDS 4

/* A status: the first layer has a size that leaves too many slots empty. */
#define WASTEFUL ((RibbonStatus) (RIBBON_SUSPICIOUS + 1))

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
	unsigned size;			/* of these: 0 .. MAX_SIZES - 1, or zones alone */
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
 * The first layer has wide keys that suit its size, and may be WASTEFUL.
 */
static RibbonStatus
build_layer(Burr *b, uint64_t nslots, const RibbonSet *hashes,
			RibbonSet *bumped)
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
	if (status != RIBBON_OK || !ribbon_cut_is_whole(&plane->buckets, nslots))
		return status;
	empty = (int64_t) (nslots + bumped->n - hashes->n);
	if (empty > (int64_t) ribbon_shape_most_empty(plane, nslots))
		return RIBBON_SUSPICIOUS;
	/* another size, or zones if they fit, may do better */
	return plane->nlayers == 0 && empty > empty_limit(plane) &&
			(b->size + 1 < MAX_SIZES ||
			 ribbon_zones_fit(plane->width, hashes->n)) ?
		WASTEFUL :
		RIBBON_OK;
}

/*
 * Build a layer for the hashes, and add it to the plane and its bytes.  *bumped
 * gets the next layer's hashes, sorted.  The caller frees it, after a failure
 * too.
 */
static RibbonStatus
add_layer(Burr *b, const RibbonSet *hashes, RibbonSet *bumped)
{
	RibbonPlane *plane = b->plane;
	uint64_t limit = ribbon_shape_bumped_limit(plane, hashes->n);
	unsigned size = b->round * MAX_SIZES + (plane->nlayers == 0 ? b->size : 0);
	uint64_t nslots = ribbon_shape_layer_slots(plane, hashes->n, size);
	RibbonStatus status = ribbon_set_begin(b->env, bumped, hashes, hashes->kind,
										   plane->salted ? hashes->n : limit);

	if (status == RIBBON_OK)
		status = build_layer(b, nslots, hashes, bumped);
	if (status == RIBBON_OK)
		status = ribbon_set_finish(bumped);
	if (status == RIBBON_OK)
		plane->layer_keys[++plane->nlayers] = bumped->n;
	return status;
}

/* Are so many hashes to have a bumped layer?  In later rounds there is one. */
static bool
needs_layer(const Burr *b, uint64_t nhashes)
{
	return b->size < MAX_SIZES &&
		(!ribbon_shape_is_last_layer(b->plane, b->wide, nhashes) ||
		 (b->round > 0 && b->plane->nlayers == 0));
}

/* Build all layers for the hashes, which are not changed; or WASTEFUL. */
static RibbonStatus
build_layers(Burr *b, const RibbonSet *all)
{
	RibbonPlane *plane = b->plane;
	const RibbonSet *hashes = all;
	RibbonSet left = {.n = 0}; /* what the newest layer has bumped */
	RibbonSet next;
	RibbonStatus status = RIBBON_OK;

	b->thresholds.end = b->thresholds.begin;
	b->slots->end = b->slots->begin;
	plane->nlayers = 0;
	ribbon_plane_set_wide(plane, b->wide);
	plane->layer_keys[0] = all->n;
	while (status == RIBBON_OK && needs_layer(b, hashes->n))
	{
		status = add_layer(b, hashes, &next);
		ribbon_set_close(&left);
		left = next;
		hashes = &left;
	}
	/* behind all layers: of some 4 * 10^11 keys (w = 32), or in a fuzzer */
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

/*
 * Begin a buffer of the bytes of all result bits, and what few filters exceed
 * beside these: SPARE_SHARE (shape.c), and a few hundred bytes of blocks and
 * spare slots of zones.  It grows if they do.
 */
#define SLOTS_FACTOR   1.003
#define SLOTS_MORE	   256
#define THRESHOLD_MORE 64 /* bytes that layers' thresholds are rounded up by */

static RibbonStatus
create_slots(Burr *b)
{
	const RibbonPlane *plane = b->plane;
	double slot_bytes = (double) plane->nkeys *
		(ribbon_result_bits_mean(plane->check) + plane->value_bits) / 8;
	uint64_t nbuckets = plane->nkeys >> plane->buckets.log2_size;
	uint64_t before = b->job->room.before;

	if (!ribbon_shape_is_last_layer(plane, plane->check.wide, plane->nkeys))
		before += ribbon_buckets_bytes(&plane->buckets, nbuckets) +
			THRESHOLD_MORE;
	return ribbon_bytes_create(b->env, b->slots, before,
							   (uint64_t) (SLOTS_FACTOR * slot_bytes) +
								   SLOTS_MORE + b->job->room.behind);
}

/*
 * Does a map take more bytes than it may, as by chance up to one in seven does
 * where layers begin?
 */
static bool
is_too_large(const Burr *b)
{
	uint8_t header[RIBBON_MAX_HEADER];
	uint64_t nbytes = b->thresholds.end + ribbon_bytes_size(b->slots);

	if (!b->job->params.in_map || b->plane->salted)
		return false;
	nbytes += ribbon_format_encode(b->plane, 0, header);
	return nbytes > ribbon_shape_map_limit(b->plane, b->wide);
}

/*
 * After a choice that ended so, is there another one to be built?  w = 128, if
 * the width is open, takes fewer bytes.  In so few rounds no layer bumps more
 * than its limit.
 */
static bool
choose_next(Burr *b, RibbonStatus status)
{
	RibbonPlane *plane = b->plane;

	if (status == WASTEFUL)
	{
		b->size++;
		return true;
	}
	if (status != RIBBON_OK || !is_too_large(b))
		return false;
	b->size = 0;
	if (b->job->params.width == RIBBON_DEFAULT_WIDTH && plane->width != 128)
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
	RibbonStatus status = create_slots(b);

	if (status != RIBBON_OK)
		return status;
	b->round = b->size = 0;
	do
		status = build_layers(b, hashes);
	while (choose_next(b, status));
	if (status == RIBBON_SUSPICIOUS)
	{
		ribbon_bytes_discard(b->env, &b->thresholds);
		ribbon_bytes_discard(b->env, b->slots);
	}
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
