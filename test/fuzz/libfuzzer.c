/*
 * libfuzzer.c - one of the targets, FUZZ_TARGET, for clang's libFuzzer
 *
 * The target's own mutations alternate with libFuzzer's, which know what the
 * program compares with what.
 */
#include "fuzz.h"

extern size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
									  unsigned seed);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FUZZ_TARGET.run(data, size);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	Random random = {seed};

	if (random_below(&random, 4) == 0)
		return LLVMFuzzerMutate(data, size, max);
	return FUZZ_TARGET.mutate(&random, data, size, max);
}
