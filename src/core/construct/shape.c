/*
 * shape.c - what the layers of a BuRR plane are like, and how large
 */
#include "construct/shape.h"

#include "format/zones.h"

#include <float.h>

/*
 * What belongs to a bucket scheme (format/buckets.c) in a build.  Overload and
 * thresholds were chosen together: more overload leaves fewer slots empty,
 * until buckets have to bump more keys than their upper threshold does.  Which
 * scheme is smaller depends on the result bits per slot.
 */
typedef struct TradeOff
{
	double overload; /* -epsilon: m = (1 - overload) n [tune] */
	double empty;	 /* share of slots that stay empty [tune] */
} TradeOff;

/* By ribbon_width_index and scheme. */
static const TradeOff trade_offs[3][RIBBON_BUCKET_SCHEMES] = {
	{{0.1587, 0.0005}, {0.0778, 0.0070}},
	{{0.0875, 0.00012}, {0.0396, 0.0030}},
	{{0.0400, 0.00009}, {0.0420, 0.0005}},
};

static const TradeOff *
trade_off(const RibbonPlane *plane)
{
	return &trade_offs[ribbon_width_index(plane->width)][plane->scheme];
}

/* Bits of thresholds for each slot. */
static double
threshold_bits(const RibbonPlane *plane)
{
	return 8.0 *
		(double) ribbon_buckets_bytes(&plane->buckets, RIBBON_GROUP_BUCKETS) /
		(RIBBON_GROUP_BUCKETS << plane->buckets.log2_size);
}

/* All columns of a slot, on average, if so many of 2048 keys are wide. */
static double
mean_columns(const RibbonPlane *plane, unsigned wide)
{
	return plane->check.bits + plane->value_bits +
		(double) wide / RIBBON_SHARES;
}

static void
set_scheme(RibbonPlane *plane, unsigned scheme)
{
	plane->scheme = scheme;
	plane->buckets = ribbon_buckets_of_scheme(plane->width, scheme);
}

void
ribbon_shape_set_width(RibbonPlane *plane, unsigned width)
{
	unsigned best = 0;
	double best_cost = DBL_MAX;

	plane->width = width;
	for (unsigned s = 0; s < RIBBON_BUCKET_SCHEMES; s++)
	{
		double cost;

		set_scheme(plane, s);
		cost = trade_off(plane)->empty +
			threshold_bits(plane) / mean_columns(plane, plane->check.wide);
		if (cost < best_cost)
		{
			best = s;
			best_cost = cost;
		}
	}
	set_scheme(plane, best);
}

/*
 * Blocks store column r from the one on in which the first wide key starts.
 * Each slot of that block before this key's starting position wastes a bit.  So
 * take the number that wastes fewest bits, or the first one that wastes at most
 * w/8.
 *
 * Without it filters with bumped layers are 0.01 to 0.12 % larger (w = 64: 8
 * bytes for 30,000 keys, 250 for 10^6), 5 of 20 of 30,000 keys at 1 % by more
 * than 0.3 % and 12 bytes, and nearly all have other bytes.
 */
void
ribbon_shape_nudge(RibbonPlane *plane, unsigned wide, uint64_t nslots)
{
	unsigned width = plane->width;
	unsigned best = wide;
	uint64_t least = UINT64_MAX;
	RibbonSystem system;

	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, nslots, width,
					   plane->check, 0);
	for (unsigned d = 0; d <= RIBBON_NUDGE && d < wide && least > width / 8;
		 d++)
	{
		uint64_t lost =
			ribbon_system_start(&system, ribbon_hash_highest(wide - d)) % width;

		if (lost < least)
		{
			least = lost;
			best = wide - d;
		}
	}
	ribbon_plane_set_wide(plane, best);
}

/*
 * Zones take fewer bytes than a layer, but more time.  A layer takes bytes for
 * its thresholds, some empty slots at its ends, half a block of column r where
 * that begins, and its numbers in the header.  It is built as soon as these are
 * no more than a small share of the filter, and LAYER_FREE_BYTES.
 */
#define LAYER_HEADER_BYTES 6  /* of its numbers */
#define LAYER_SHARE		   28 /* 10,000ths of the bytes of all result bits */
#define LAYER_SHARE_128	   29 /* if w = 128: its zones are slower */
#define LAYER_FREE_BYTES   3

bool
ribbon_shape_is_last_layer(const RibbonPlane *plane, unsigned wide,
						   uint64_t nkeys)
{
	double mean = mean_columns(plane, wide);
	double bytes = (double) nkeys * mean / 8;
	double thresholds = (double) nkeys * threshold_bits(plane) / 8;
	double ends = plane->buckets.threshold[1] * (mean / 8) / 2;
	double last_column_bytes = wide > 0 ? plane->width / 8 : 0;

	if (plane->nlayers == RIBBON_MAX_LAYERS)
		return true;
	if (!ribbon_zones_fit(plane->width, nkeys))
		return false;
	return LAYER_HEADER_BYTES + thresholds + ends + last_column_bytes +
		trade_off(plane)->empty * bytes >
		(plane->width == 128 ? LAYER_SHARE_128 : LAYER_SHARE) / 10000.0 *
			bytes +
		LAYER_FREE_BYTES;
}

/*
 * The default is w = 64, but 128 where slots have fewer result bits on average
 * than this, so that the thresholds take a large share: two bits per 128 slots
 * are 1.6 % of one result bit per slot, 0.26 % of six.  In a map they, and what
 * the ends of windows waste, are to be below 0.3 %.  Small sets have no
 * thresholds, nor have homogeneous filters (HOMOG_FEW_BITS, homog_size.c).
 */
#define FEW_BITS_FILTER 6
#define FEW_BITS_MAP	7
#define FEW_BITS_ZONES	3.25 /* of what w = 64 makes zones alone */

void
ribbon_shape_choose(const RibbonPlaneParams *params, RibbonPlane *plane)
{
	bool open = params->width == RIBBON_DEFAULT_WIDTH;
	double few = params->in_map ? FEW_BITS_MAP : FEW_BITS_FILTER;
	unsigned wide;

	ribbon_plane_set_check(plane, params->check);
	plane->value_bits = params->value_bits;
	wide = plane->check.wide;
	ribbon_shape_set_width(plane, open ? 64 : (unsigned) params->width);
	if (!open)
		return;
	if (ribbon_shape_is_last_layer(plane, wide, plane->nkeys))
		few = FEW_BITS_ZONES;
	if (mean_columns(plane, wide) < few)
		ribbon_shape_set_width(plane, 128);
}

/*
 * The sizes of attempts differ by so many slots, so the last bucket's end does.
 */
#define SLOTS_STEP 11

uint64_t
ribbon_shape_layer_slots(const RibbonPlane *plane, uint64_t nkeys,
						 unsigned attempt)
{
	double load = 1 - trade_off(plane)->overload;

	return (uint64_t) ((double) nkeys * load) - attempt * SLOTS_STEP;
}

/*
 * A filter may have 0.3 % and 12 bytes beside its result bits.  A map may have
 * four bytes more: its head has flags, and three bytes of its values.  If there
 * is a layer, the head and header of a filter take up to 13 bytes, or 16 with
 * wide keys, and the last layer has two spare slots.
 */
#define SPARE_SHARE	 30 /* 10,000ths */
#define SPARE_BYTES	 12
#define HEADER_BYTES 13
#define WIDE_BYTES	 3
#define LAST_SLOTS	 2

/* What a layer is built for must be less than what a filter may have. */
_Static_assert(LAYER_SHARE < SPARE_SHARE && LAYER_SHARE_128 < SPARE_SHARE,
			   "no size of the first layer would keep to its limit");

uint64_t
ribbon_shape_empty_limit(const RibbonPlane *plane, uint64_t nkeys)
{
	double mean = mean_columns(plane, plane->check.wide);
	int over = HEADER_BYTES + (plane->check.wide > 0 ? WIDE_BYTES : 0) -
		SPARE_BYTES;
	double bits = SPARE_SHARE / 10000.0 * (double) nkeys * mean -
		threshold_bits(plane) * (double) nkeys - 8 * over;
	double nslots = bits / mean - LAST_SLOTS;

	return nslots > 0 ? (uint64_t) nslots : 0;
}

/* wide was rounded, so half of one does not count. */
uint64_t
ribbon_shape_map_limit(const RibbonPlane *plane, unsigned wide)
{
	double mean = mean_columns(plane, wide) -
		(wide > 0 ? 0.5 / RIBBON_SHARES : 0);

	return (uint64_t) ((1 + SPARE_SHARE / 10000.0) * (double) plane->nkeys *
						   mean / 8 +
					   SPARE_BYTES);
}

uint64_t
ribbon_shape_empty_expected(const RibbonPlane *plane, uint64_t nkeys)
{
	return 1 + (uint64_t) (trade_off(plane)->empty * (double) nkeys);
}

/*
 * A few groups may have several exceptions, and leave 700 slots empty each
 * (SEVERAL_COST, window.c).
 */
#define EMPTY_BY_EXCEPTIONS 2048

static uint64_t
empty_by_exceptions(const RibbonPlane *plane)
{
	return plane->buckets.grouped ? EMPTY_BY_EXCEPTIONS : 0;
}

/*
 * At a layer's ends about as many slots stay empty as the lower threshold says,
 * and between them as many as are usual.  Five times as many are no accident;
 * where hardly any are usual, EMPTY_SHARE more are none either.
 */
#define EMPTY_TIMES 5
#define EMPTY_SHARE 0.0016 /* of all slots */

uint64_t
ribbon_shape_most_empty(const RibbonPlane *plane, uint64_t nslots)
{
	double share = EMPTY_TIMES * trade_off(plane)->empty + EMPTY_SHARE;

	return EMPTY_TIMES * plane->buckets.threshold[1] +
		(uint64_t) (share * (double) nslots) + empty_by_exceptions(plane);
}

/*
 * As many keys are bumped as there are more keys than filled slots, which
 * varies little.  So 5 % more than expected, 0.2 % of the keys and 512 are
 * enough; and as many as groups with several exceptions may bump in vain.
 */
#define BUMPED_FACTOR 1.05
#define BUMPED_SHARE  0.002 /* of all keys */
#define BUMPED_MORE	  512

uint64_t
ribbon_shape_bumped_limit(const RibbonPlane *plane, uint64_t nkeys)
{
	const TradeOff *s = trade_off(plane);
	double expected = (s->overload + s->empty) * (double) nkeys;

	return (uint64_t) (BUMPED_FACTOR * expected +
					   BUMPED_SHARE * (double) nkeys) +
		BUMPED_MORE + empty_by_exceptions(plane);
}
