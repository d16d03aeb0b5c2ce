/*
 * mutate_build.c - sets of hashes, described by families
 */
#include "base/bits.h"
#include "target_build.h"

#define MAX_FAMILIES 12

static void
random_family(Random *random, uint8_t *at)
{
	at[0] = (uint8_t) random_below(random, FAMILY_COUNT);
	at[1] = (uint8_t) random_next(random);
	ribbon_store64(at + 2, fuzz_number(random));
	ribbon_store64(at + 10, fuzz_number(random));
}

size_t
mutate_build(Random *random, uint8_t *input, size_t size, size_t max)
{
	size_t n = size < BUILD_PARAMS ? 0 : (size - BUILD_PARAMS) / BUILD_FAMILY;
	uint8_t *family;

	if (max < BUILD_PARAMS + BUILD_FAMILY || size < BUILD_PARAMS)
		return fuzz_mutate_bytes(random, input, size, max);
	size = BUILD_PARAMS + n * BUILD_FAMILY;
	if (n == 0 ||
		(random_below(random, 4) == 0 && n < MAX_FAMILIES &&
		 size + BUILD_FAMILY <= max))
	{
		random_family(random, input + size);
		return size + BUILD_FAMILY;
	}
	family = input + BUILD_PARAMS + BUILD_FAMILY * random_below(random, n);
	switch (random_below(random, 6))
	{
		case 0:
			input[random_below(random, 3)] = (uint8_t) random_next(random);
			return size;
		case 1: /* drop the last one */
			return size - BUILD_FAMILY;
		case 2:
			random_family(random, family);
			return size;
		case 3:
			family[1] = (uint8_t) random_next(random);
			return size;
		case 4:
			ribbon_store64(family + 2 + 8 * random_below(random, 2),
						   fuzz_number(random));
			return size;
		default:
			input[random_below(random, size)] ^=
				(uint8_t) (1 << random_below(random, 8));
			return size;
	}
}

/* Every family alone, few and many of it, with every kind and width. */
size_t
seed_build(unsigned i, uint8_t *input, size_t max)
{
	Random random = {i};
	uint8_t *family = input + BUILD_PARAMS;

	if (i >= 12 * FAMILY_COUNT || max < BUILD_PARAMS + BUILD_FAMILY)
		return 0;
	input[0] = (uint8_t) (i % 12);
	input[1] = (uint8_t) random_below(&random, 256);
	input[2] = (uint8_t) random_next(&random);
	random_family(&random, family);
	family[0] = (uint8_t) (i / 12);
	family[1] = (uint8_t) (i % 2 ? 127 - random_below(&random, 30) :
								   random_below(&random, 256));
	return BUILD_PARAMS + BUILD_FAMILY;
}
