/*
 * records.h - records for maps, with values of several sorts, as frequent as
 * each other or not; what holds of every map that was built from them
 */
#ifndef RIBBON_TEST_RECORDS_H
#define RIBBON_TEST_RECORDS_H

#include "maps.h"

#define BASE (-5) /* the least value */

static inline MapParams
params_of(int width, unsigned value_bits, double fpr)
{
	MapParams params = map_params(width, fpr, value_bits);

	params.base = BASE;
	return params;
}

/* How values are chosen. */
typedef enum Values
{
	RANDOM,
	ZERO,
	ONES,
	ALTERNATING,
	OF_HASH, /* bits of the hash */
	FEW,	 /* one in a hundred is not 0 */
	NVALUES
} Values;

static inline uint64_t
value_of(Values how, uint64_t hash, size_t i, unsigned value_bits,
		 Random *random)
{
	uint64_t value = random_next(random);

	switch (how)
	{
		case ZERO:
			value = 0;
			break;
		case ONES:
			value = UINT64_MAX;
			break;
		case ALTERNATING:
			value = i % 2 == 0 ? 0 : UINT64_MAX;
			break;
		case OF_HASH:
			value = hash;
			break;
		case FEW:
			value = value % 100 == 0 ? value >> 7 : 0;
			break;
		default:
			break;
	}
	return value & ribbon_low_mask(value_bits);
}

/* Records of random keys, with value words for params_of. */
static inline uint64_t *
random_records(Random *random, size_t n, unsigned value_bits, Values how)
{
	uint64_t *records = malloc((n + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = random_next(random);
		records[2 * i + 1] = value_of(how, records[2 * i], i, value_bits,
									  random) +
			(uint64_t) BASE;
	}
	return records;
}

/* Values that are more frequent or less. */
typedef enum Skew
{
	SKEW_GEOMETRIC, /* value i has 2^-(i + 1) of the keys */
	SKEW_UNIFORM,	/* 100 values */
	SKEW_FIVE,		/* 5 values */
	SKEW_MOSTLY,	/* one value has 95 % of the keys, 40 others the rest */
	SKEW_RARE,		/* one of two values has 0.4 % of the keys */
	SKEW_TWO,		/* 30 % */
	SKEW_ZIPF,		/* of about 700 values */
	SKEW_FAR,		/* few values, 2^60 apart */
	NSKEWS
} Skew;

static inline const char *
skewed_name(Skew skew)
{
	static const char *const names[NSKEWS] = {
		"geometric", "uniform", "five values", "mostly one value",
		"rare",		 "70/30",	"Zipf",		   "far apart",
	};

	return names[skew];
}

/* Bits of the plain codes. */
static inline unsigned
skewed_bits(Skew skew)
{
	static const unsigned bits[NSKEWS] = {6, 7, 3, 6, 1, 1, 10, 64};

	return bits[skew];
}

static inline uint64_t
skewed_value(Random *random, Skew skew)
{
	uint64_t chance = random_below(random, 1000);

	switch (skew)
	{
		case SKEW_GEOMETRIC:
			return (uint64_t) __builtin_ctzll(random_next(random) |
											  UINT64_C(1) << 63);
		case SKEW_UNIFORM:
			return random_below(random, 100);
		case SKEW_FIVE:
			return random_below(random, 5);
		case SKEW_MOSTLY:
			return chance < 950 ? 33 : random_below(random, 41);
		case SKEW_RARE:
			return chance < 4;
		case SKEW_TWO:
			return chance < 300;
		case SKEW_ZIPF:
			return 700 / (random_below(random, 700) + 1);
		case SKEW_FAR:
			return random_below(random, 1 + random_below(random, 7)) << 60;
		case NSKEWS:
			break;
	}
	return 0;
}

/* n random hashes, with such values. */
static inline uint64_t *
skewed_records(Random *random, Skew skew, size_t n)
{
	uint64_t *records = malloc((n + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = random_next(random);
		records[2 * i + 1] = skewed_value(random, skew);
	}
	return records;
}

/* Columns per key that are called for, on average. */
static inline double
columns_of(const MapParams *params)
{
	return params->value_bits + (params->fpr < 1 ? bits_of(params->fpr) : 0);
}

/*
 * What a map takes at most.  No more is said of slots of few bits with w = 32
 * or 64 and a layer, of thresholds of w = 32, and of slots so large that
 * headers leave no room for one more.
 */
static inline void
check_size(const Built *built, const MapParams *params, size_t n)
{
	double bits = columns_of(params);
	double most = 1.003 * (double) n * bits / 8 + 16;

	if (bits > 40 || (n > 20000 && params->width == 32) ||
		(n > 20000 && params->width == 64 && bits < 8))
		return;
	CHECK((double) built->nbytes <= most,
		  "w %d, r %u, fpr %g, n %zu: %zu bytes, not %.1f", params->width,
		  params->value_bits, params->fpr, n, built->nbytes, most);
}

/*
 * Do all keys have their values?  Of many keys the slow reader is asked for
 * some only.
 */
static inline void
check_values(const Built *built, const MapParams *params,
			 const uint64_t *records, size_t n)
{
	size_t step = 1 + n / 3000;
	size_t wrong = 0;
	uint64_t code;

	CHECK(built->status == RIBBON_OK, "w %d, r %u, fpr %g, n %zu: %s",
		  params->width, params->value_bits, params->fpr, n,
		  ribbon_status_text(built->status));
	if (built->status != RIBBON_OK)
		return;
	CHECK(built->filter.nkeys == n, "%zu keys", (size_t) built->filter.nkeys);
	for (size_t i = 0; i < n; i += step)
		wrong += !map_get_slowly(&built->filter, records[2 * i], &code) ||
			code + (uint64_t) params->base != records[2 * i + 1];
	for (size_t i = 0; step > 1 && i < n; i++)
		wrong += !ribbon_get(&built->filter, records[2 * i], &code) ||
			code + (uint64_t) params->base != records[2 * i + 1];
	CHECK(wrong == 0, "w %d, r %u, fpr %g: %zu of %zu are wrong", params->width,
		  params->value_bits, params->fpr, wrong, n);
}

static const unsigned bits_tried[] = {0, 1, 2, 3, 8, 13, 24, 32, 49, 56, 64};
static const double fprs_tried[] = {1, 0.5, 0.3, 0.01, 1e-4, 0x1p-32};

#define NBITS ((unsigned) (sizeof(bits_tried) / sizeof(bits_tried[0])))
#define NFPRS ((unsigned) (sizeof(fprs_tried) / sizeof(fprs_tried[0])))

#endif /* RIBBON_TEST_RECORDS_H */
