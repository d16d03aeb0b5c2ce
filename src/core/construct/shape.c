/*
 * shape.c - what the layers of a BuRR plane are like, and how large
 *
 * Constants marked [tune] were found with test/bench/tune.c: it prints the
 * share of empty slots of layers.
 */
#include "construct/shape.h"

#include "format/zones.h"

#include <float.h>

RibbonResultBits
ribbon_params_columns(const RibbonPlaneParams *params)
{
	RibbonResultBits columns = ribbon_result_bits_for(params->fpr);

	columns.bits += params->value_bits;
	return columns;
}

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
trade_off(const RibbonLayerShape *shape)
{
	return &trade_offs[ribbon_width_index(shape->width)][shape->scheme];
}

/* Bits of a bucket's threshold. */
static double
threshold_bits(const RibbonLayerShape *shape)
{
	return 8.0 *
		(double) ribbon_buckets_bytes(&shape->buckets, RIBBON_GROUP_BUCKETS) /
		RIBBON_GROUP_BUCKETS;
}

/* The shape of this width, with the scheme that takes fewest bits. */
static RibbonLayerShape
shape_of_width(unsigned width, RibbonResultBits columns)
{
	RibbonLayerShape best = {.width = width};
	double best_cost = DBL_MAX;

	for (unsigned s = 0; s < RIBBON_BUCKET_SCHEMES; s++)
	{
		RibbonLayerShape shape = {width, columns, s,
								  ribbon_buckets_of_scheme(width, s)};
		double cost = trade_off(&shape)->empty +
			threshold_bits(&shape) / ribbon_result_bits_mean(columns) /
				(1 << shape.buckets.log2_size);

		if (cost < best_cost)
		{
			best = shape;
			best_cost = cost;
		}
	}
	return best;
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
ribbon_shape_is_last_layer(const RibbonLayerShape *shape, uint64_t nkeys)
{
	double mean = ribbon_result_bits_mean(shape->columns);
	double bytes = (double) nkeys * mean / 8;
	double thresholds = (double) nkeys * threshold_bits(shape) / 8 /
		(1 << shape->buckets.log2_size);
	double ends = shape->buckets.threshold[1] * (mean / 8) / 2;
	double last_column_bytes = shape->columns.wide > 0 ? shape->width / 8 : 0;

	if (!ribbon_zones_fit(shape->width, nkeys))
		return false;
	return LAYER_HEADER_BYTES + thresholds + ends + last_column_bytes +
		trade_off(shape)->empty * bytes >
		(shape->width == 128 ? LAYER_SHARE_128 : LAYER_SHARE) / 10000.0 *
			bytes +
		LAYER_FREE_BYTES;
}

/*
 * The default is w = 64, but 128 where slots have fewer result bits on average
 * than this, so that the thresholds take a large share: two bits per 128 slots
 * are 1.6 % of one result bit per slot, 0.26 % of six.  In a map they, and what
 * the ends of windows waste, are to be below 0.3 %.  Small sets have no
 * thresholds.
 */
#define FEW_BITS_FILTER 6
#define FEW_BITS_MAP	7
#define FEW_BITS_ZONES	3.25 /* of what w = 64 makes zones alone */

RibbonLayerShape
ribbon_shape_choose(const RibbonPlaneParams *params, uint64_t nkeys)
{
	RibbonResultBits columns = ribbon_params_columns(params);
	bool open = params->width == RIBBON_DEFAULT_WIDTH;
	RibbonLayerShape shape =
		shape_of_width(open ? 64 : (unsigned) params->width, columns);
	double few = params->in_map ? FEW_BITS_MAP : FEW_BITS_FILTER;

	if (!open)
		return shape;
	if (ribbon_shape_is_last_layer(&shape, nkeys))
		few = FEW_BITS_ZONES;
	return ribbon_result_bits_mean(columns) < few ?
		shape_of_width(128, columns) :
		shape;
}

/*
 * The sizes of attempts differ by so many slots, so the last bucket's end does.
 */
#define SLOTS_STEP 11

uint64_t
ribbon_shape_layer_slots(const RibbonLayerShape *shape, uint64_t nkeys,
						 unsigned attempt)
{
	double load = 1 - trade_off(shape)->overload;

	return (uint64_t) ((double) nkeys * load) - attempt * SLOTS_STEP;
}

/*
 * Of what a map may have beside its result bits, 0.3 % and 16 bytes, its
 * headers take up to 17 bytes if it has a layer, or 20 with wide keys, and the
 * last layer two slots.  A filter may have four bytes less, and its header
 * takes four bytes less.
 */
#define SPARE_SHARE	 30 /* 10,000ths */
#define HEADER_BYTES (17 - 16)
#define WIDE_BYTES	 3
#define LAST_SLOTS	 2

/* What a layer is built for must be less than what a filter may have. */
_Static_assert(LAYER_SHARE < SPARE_SHARE && LAYER_SHARE_128 < SPARE_SHARE,
			   "no size of the first layer would keep to its limit");

uint64_t
ribbon_shape_empty_limit(const RibbonLayerShape *shape, uint64_t nkeys)
{
	double mean = ribbon_result_bits_mean(shape->columns);
	double headers = HEADER_BYTES + (shape->columns.wide > 0 ? WIDE_BYTES : 0);
	double bits = SPARE_SHARE / 10000.0 * (double) nkeys * mean -
		threshold_bits(shape) * (double) nkeys /
			(1 << shape->buckets.log2_size) -
		8 * headers;
	double nslots = bits / mean - LAST_SLOTS;

	return nslots > 0 ? (uint64_t) nslots : 0;
}

uint64_t
ribbon_shape_empty_expected(const RibbonLayerShape *shape, uint64_t nkeys)
{
	return 1 + (uint64_t) (trade_off(shape)->empty * (double) nkeys);
}

/*
 * A group with two exceptions leaves some 700 slots empty, if both have the
 * second threshold.
 */
#define EMPTY_BY_EXCEPTIONS 2048

static uint64_t
empty_by_exceptions(const RibbonLayerShape *shape)
{
	return shape->buckets.grouped ? EMPTY_BY_EXCEPTIONS : 0;
}

/*
 * At a layer's ends about as many slots stay empty as the lower threshold says,
 * and between them as many as are usual.  Five times as many are no accident.
 */
uint64_t
ribbon_shape_most_empty(const RibbonLayerShape *shape, uint64_t nslots)
{
	double share = 5 * trade_off(shape)->empty + 0.0016;

	return 5 * shape->buckets.threshold[1] +
		(uint64_t) (share * (double) nslots) + empty_by_exceptions(shape);
}

/*
 * As many keys are bumped as there are more keys than filled slots, which
 * varies little.  So 5 % more than expected, 0.2 % of the keys and 512 are
 * enough; and as many as groups with several exceptions may bump in vain.
 */
uint64_t
ribbon_shape_bumped_limit(const RibbonLayerShape *shape, uint64_t nkeys)
{
	const TradeOff *s = trade_off(shape);
	double expected = (s->overload + s->empty) * (double) nkeys;

	return (uint64_t) (1.05 * expected + 0.002 * (double) nkeys) + 512 +
		empty_by_exceptions(shape);
}
