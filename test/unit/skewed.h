/*
 * skewed.h - records whose values are more frequent or less
 */
#ifndef RIBBON_TEST_SKEWED_H
#define RIBBON_TEST_SKEWED_H

#include "testing.h"

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

static inline int
compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

#endif /* RIBBON_TEST_SKEWED_H */
