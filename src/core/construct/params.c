/*
 * params.c - from key count and false-positive rate to slots, result bits and
 * buckets
 *
 * Constants marked [tune] were found with test/bench/tune.c: it prints the
 * share of empty slots of layers, the success rate of zones, and P.
 */
#include "construct/params.h"

#include "base/power.h"
#include "format/zones.h"

#include <float.h>

/*
 * What belongs to a bucket scheme (format/buckets.c) in a build.  Overload and
 * thresholds were chosen together: more overload leaves fewer slots empty,
 * until buckets have to bump more keys than their upper threshold does.  Which
 * scheme is smaller depends on the result bits per slot.
 */
typedef struct Scheme
{
	double overload; /* -epsilon: m = (1 - overload) n [tune] */
	double empty;	 /* share of slots that stay empty [tune] */
} Scheme;

/* By ribbon_width_index and scheme. */
static const Scheme schemes[3][RIBBON_BUCKET_SCHEMES] = {
	{{0.1587, 0.0005}, {0.0778, 0.0070}},
	{{0.0875, 0.00012}, {0.0396, 0.0030}},
	{{0.0400, 0.00009}, {0.0420, 0.0005}},
};

static const Scheme *
scheme_of(const RibbonLayerShape *shape)
{
	return &schemes[ribbon_width_index((unsigned) shape->width)][shape->scheme];
}

/* Bits of a bucket's threshold. */
static double
threshold_bits(const RibbonLayerShape *shape)
{
	return 8.0 *
		(double) ribbon_buckets_bytes(&shape->buckets, RIBBON_GROUP_BUCKETS) /
		RIBBON_GROUP_BUCKETS;
}

RibbonResultBits
ribbon_params_check_bits(double fpr)
{
	RibbonResultBits less = {0,
							 (unsigned) ((2 - 2 * fpr) * RIBBON_SHARES + 0.5)};

	return less.wide < RIBBON_SHARES ? less : ribbon_result_bits_for(fpr);
}

RibbonResultBits
ribbon_params_columns(const RibbonPlaneParams *params)
{
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);

	columns.bits += params->value_bits;
	return columns;
}

/* The shape of this width, with the scheme that takes fewest bits. */
static RibbonLayerShape
shape_of_width(int width, RibbonResultBits columns)
{
	RibbonLayerShape best = {.width = width};
	double best_cost = DBL_MAX;

	for (unsigned s = 0; s < RIBBON_BUCKET_SCHEMES; s++)
	{
		RibbonLayerShape shape = {width, columns, s,
								  ribbon_buckets_of_scheme(width, s)};
		double cost = scheme_of(&shape)->empty +
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
ribbon_params_is_last_layer(const RibbonLayerShape *shape, uint64_t nkeys)
{
	double mean = ribbon_result_bits_mean(shape->columns);
	double bytes = (double) nkeys * mean / 8;
	double thresholds = (double) nkeys * threshold_bits(shape) / 8 /
		(1 << shape->buckets.log2_size);
	double ends = shape->buckets.threshold[1] * (mean / 8) / 2;
	double last_column_bytes = shape->columns.wide > 0 ? shape->width / 8 : 0;

	if (ribbon_zones_count(shape->width, nkeys, RIBBON_SHARES) ==
		RIBBON_MAX_ZONES)
		return false;
	return LAYER_HEADER_BYTES + thresholds + ends + last_column_bytes +
		scheme_of(shape)->empty * bytes >
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
#define FEW_BITS_HOMOGENEOUS 2.5
#define FEW_BITS_FILTER		 6
#define FEW_BITS_MAP		 7
#define FEW_BITS_ZONES		 3.25 /* of what w = 64 makes zones alone */

RibbonLayerShape
ribbon_params_shape(const RibbonPlaneParams *params, uint64_t nkeys)
{
	RibbonResultBits columns = ribbon_params_columns(params);
	bool open = params->width == RIBBON_DEFAULT_WIDTH;
	RibbonLayerShape shape = shape_of_width(open ? 64 : params->width, columns);
	double few = params->in_map ? FEW_BITS_MAP : FEW_BITS_FILTER;

	if (!open)
		return shape;
	if (ribbon_params_is_last_layer(&shape, nkeys))
		few = FEW_BITS_ZONES;
	return ribbon_result_bits_mean(columns) < few ?
		shape_of_width(128, columns) :
		shape;
}

/*
 * A row of 32 bits has bit 0 set, so one in 2^31 non-members that start where a
 * key does has the key's row, and is a false positive.  Below this rate, the
 * slots that would make up for that take more bytes than rows of 64 bits cost.
 */
#define HOMOG_LEAST_FPR_32 (1.0 / (1 << 20))

int
ribbon_params_homog_width(int asked, double fpr)
{
	double mean = ribbon_result_bits_mean(ribbon_result_bits_for(fpr));

	if (asked == RIBBON_DEFAULT_WIDTH)
		return mean < FEW_BITS_HOMOGENEOUS ? 128 : 64;
	return asked == 32 && fpr < HOMOG_LEAST_FPR_32 ? 64 : asked;
}

/*
 * The sizes of attempts differ by so many slots, so the last bucket's end does.
 */
#define SLOTS_STEP 11

uint64_t
ribbon_params_layer_slots(const RibbonLayerShape *shape, uint64_t nkeys,
						  unsigned attempt)
{
	double load = 1 - scheme_of(shape)->overload;

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
ribbon_params_empty_limit(const RibbonLayerShape *shape, uint64_t nkeys)
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
ribbon_params_empty_expected(const RibbonLayerShape *shape, uint64_t nkeys)
{
	return 1 + (uint64_t) (scheme_of(shape)->empty * (double) nkeys);
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
ribbon_params_most_empty(const RibbonLayerShape *shape, uint64_t nslots)
{
	double share = 5 * scheme_of(shape)->empty + 0.0016;

	return 5 * shape->buckets.threshold[1] +
		(uint64_t) (share * (double) nslots) + empty_by_exceptions(shape);
}

/*
 * As many keys are bumped as there are more keys than filled slots, which
 * varies little.  So 5 % more than expected, 0.2 % of the keys and 512 are
 * enough; and as many as groups with several exceptions may bump in vain.
 */
uint64_t
ribbon_params_bumped_limit(const RibbonLayerShape *shape, uint64_t nkeys)
{
	const Scheme *s = scheme_of(shape);
	double expected = (s->overload + s->empty) * (double) nkeys;

	return (uint64_t) (1.05 * expected + 0.002 * (double) nkeys) + 512 +
		empty_by_exceptions(shape);
}

/*
 * The spare slots with which one seed in three solves a zone.  With w = 64 and
 * smash 31, the shares of seeds that do, without spare slots and with some
 * (their number in brackets), are 0.29 and 0.57 (1) for 300 keys, 0.19, 0.37
 * (1) and 0.53 (2) for 1000, 0.12 and 0.34 (2) for 1500, 0.06 and 0.27 (4) for
 * 2000 [tune].  Twice the width takes four times the keys.  Where slots have
 * few bits, zones are much of what a filter has beyond the least: there a slot
 * fewer must do, with which one seed in five does.
 */
#define FEW_BITS_SPARE 4

uint64_t
ribbon_params_zone_spare(unsigned width, unsigned ncolumns, uint64_t nkeys)
{
	uint64_t keys = width == 128 ? nkeys / 4 : nkeys;

	if (ncolumns > FEW_BITS_SPARE)
		keys += 512;
	return keys <= 1024 ? 0 : (keys - 512) / 512;
}

#define LOG2_E 0x1.71547652b82fep+0

/*
 * For large n, P is about exp(c0 - c1 epsilon w), with c0 and c1 by width, from
 * n = 10^7 and epsilon w from 4.5 to 8 [tune].  The ends of the band add about
 * 2^-spare, where spare = m - n.
 */
double
ribbon_params_homog_dependence(int width, uint64_t nkeys, uint64_t nslots)
{
	static const double c[3][2] = {{-0.5, 1.08}, {1.1, 1.6}, {1.4, 1.7}};
	const double *k = c[ribbon_width_index((unsigned) width)];
	uint64_t spare = nslots - nkeys;
	double inside = k[0] - k[1] * width * (double) spare / (double) nkeys;
	double ends = spare < 1000 ? 3 * ribbon_power_of_two(-(int) spare) : 0;
	double p = ends + ribbon_exp2(inside * LOG2_E);

	if (nslots <= (uint64_t) width)
		return 0; /* there are at least as many spare slots as result bits */
	return p < 1 ? p : 1;
}

static double
mean_bits_for(double fpr, double dependence)
{
	return ribbon_result_bits_mean(ribbon_result_bits_beside(fpr, dependence));
}

/* The share of P in the least FPR: more than 32 result bits there are not. */
#define LEAST_FPR_SHARE 0.003

/* The least number of spare slots: log2(1/fpr), rounded up. */
static uint64_t
least_spare(double fpr)
{
	int exponent;

	(void) ribbon_split_power(fpr, &exponent);
	return (uint64_t) (1 - exponent);
}

/*
 * With few spare slots P is large, and more result bits must make up for it.
 * Try more spare slots step by step, until the slots would take more bits than
 * the best size so far even if P were 0.
 */
uint64_t
ribbon_params_homog_slots(int width, double fpr, uint64_t nkeys)
{
	uint64_t step = nkeys / 512 + 1;
	uint64_t best = 0;
	double best_bits = DBL_MAX;
	double limit = fpr < 2 * RIBBON_MIN_FPR ? LEAST_FPR_SHARE * fpr : fpr / 2;
	double least_bits = mean_bits_for(fpr, 0);
	uint64_t least = least_spare(fpr);

	for (uint64_t spare = least; spare < nkeys + 128; spare += step)
	{
		uint64_t nslots = nkeys + spare;
		double p = ribbon_params_homog_dependence(width, nkeys, nslots);
		double bits;

		if ((double) nslots * least_bits >= best_bits)
			break;
		if (p > limit)
			continue;
		bits = (double) nslots * mean_bits_for(fpr, p);
		if (bits < best_bits)
		{
			best = nslots;
			best_bits = bits;
		}
	}
	return best;
}
