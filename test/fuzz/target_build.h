/*
 * target_build.h - the inputs of the build target: see target_build.c
 */
#ifndef RIBBON_FUZZ_TARGET_BUILD_H
#define RIBBON_FUZZ_TARGET_BUILD_H

#include "fuzz.h"

#define BUILD_PARAMS 3	/* bytes */
#define BUILD_FAMILY 18 /* bytes of each family */
#define BUILD_MOST	 1024

typedef enum FamilyKind
{
	FAMILY_RANDOM,
	FAMILY_ARITHMETIC,
	FAMILY_EQUAL_HIGH,
	FAMILY_EQUAL_LOW,
	FAMILY_ONE,
	FAMILY_MANY_PLACES,
	FAMILY_LAYER,
	FAMILY_SEEDS,
	FAMILY_ROTATED,
	FAMILY_COEFFICIENTS,
	FAMILY_COUNT
} FamilyKind;

/* A family of hashes: which one, and two numbers that it makes use of. */
typedef struct Family
{
	FamilyKind which;
	uint64_t a, b;
} Family;

/*
 * The hashes, duplicates and all, that an input stands for, or so many times as
 * many; how many.
 */
extern size_t build_hashes(const uint8_t *input, size_t size, size_t times,
						   uint64_t *hashes, size_t max);

/* What to build of them. */
extern RibbonParams build_params(const uint8_t *input);

/* As in FuzzTarget: mutate_build.c. */
extern size_t mutate_build(Random *random, uint8_t *input, size_t size,
						   size_t max);
extern size_t seed_build(unsigned i, uint8_t *input, size_t max);

#endif /* RIBBON_FUZZ_TARGET_BUILD_H */
