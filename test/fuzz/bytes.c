/*
 * bytes.c - small changes that know nothing of what the bytes mean
 */
#include "fuzz.h"

uint64_t
fuzz_number(Random *random)
{
	uint64_t any = random_next(random);
	unsigned shift = (unsigned) random_below(random, 64);

	switch (random_below(random, 4))
	{
		case 0:
			return any % 20;
		case 1:
			return (UINT64_C(1) << shift) + any % 5 - 2;
		case 2:
			return any >> shift;
		default:
			return 64 * (any % 300) + any / 300 % 3 - 1;
	}
}

/* Make room for n bytes at a place, or close it. */
static size_t
insert(Random *random, uint8_t *input, size_t size, size_t max)
{
	size_t at = (size_t) random_below(random, size + 1);
	size_t n = 1 + (size_t) random_below(random, 8);

	if (n > max - size)
		return size;
	memmove(input + at + n, input + at, size - at);
	for (size_t i = 0; i < n; i++)
		input[at + i] = (uint8_t) random_next(random);
	return size + n;
}

static size_t
cut(Random *random, uint8_t *input, size_t size)
{
	size_t at = (size_t) random_below(random, size);
	size_t n = 1 + (size_t) random_below(random, 8);

	if (n > size - at)
		n = size - at;
	memmove(input + at, input + at + n, size - at - n);
	return size - n;
}

size_t
fuzz_mutate_bytes(Random *random, uint8_t *input, size_t size, size_t max)
{
	size_t front = size < 40 ? size : 40;
	size_t at;

	if (size == 0)
		return insert(random, input, size, max);
	at = (size_t) random_below(random, random_below(random, 2) ? front : size);
	switch (random_below(random, 5))
	{
		case 0:
			return insert(random, input, size, max);
		case 1:
			return cut(random, input, size);
		case 2:
			input[at] ^= (uint8_t) (1 << random_below(random, 8));
			return size;
		case 3:
			input[at] = (uint8_t) (random_below(random, 2) ? -1 : 0);
			return size;
		default:
			input[at] = (uint8_t) random_next(random);
			return size;
	}
}
