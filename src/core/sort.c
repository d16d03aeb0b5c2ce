/*
 * sort.c - order words by starting position
 *
 * A radix sort from the most significant byte.  Words are hashes, so the first
 * pass cuts them into pieces of equal size, which soon fit a cache; a piece of
 * a few words is finished by insertion.  Each pass scatters from one array to
 * the other, so a piece ends up in either, and the last step brings it home.
 * Words chosen to share their high bytes cost up to eight passes, no more.
 */
#include "sort.h"

#define RADIX_BITS		8
#define NPIECES			(1 << RADIX_BITS)
#define INSERTION		32	  /* below this, insertion sort wins */
#define INTERRUPT_WORDS 65536 /* words moved between looks at the flag */

static void
insertion_sort(uint64_t *words, size_t n)
{
	for (size_t i = 1; i < n; i++)
	{
		uint64_t word = words[i];
		size_t j = i;

		for (; j > 0 && words[j - 1] > word; j--)
			words[j] = words[j - 1];
		words[j] = word;
	}
}

/*
 * Sort n words at from, which agree in all bits from shift + RADIX_BITS up,
 * into from (home) or into other (!home).
 */
static RibbonStatus
sort_piece(const RibbonEnv *env, uint64_t *from, uint64_t *other, size_t n,
		   int shift, bool home)
{
	size_t end[NPIECES];
	size_t sum = 0, begin = 0;

	if (n <= INSERTION || shift < 0)
	{
		if (shift >= 0)
			insertion_sort(from, n);
		if (!home)
			memcpy(other, from, n * sizeof(uint64_t));
		return RIBBON_OK;
	}

	memset(end, 0, sizeof(end));
	for (size_t i = 0; i < n; i++)
	{
		end[(from[i] >> shift) & (NPIECES - 1)]++;
		if (i % INTERRUPT_WORDS == INTERRUPT_WORDS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	for (int p = 0; p < NPIECES; p++)
	{
		size_t count = end[p];

		end[p] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
	{
		other[end[(from[i] >> shift) & (NPIECES - 1)]++] = from[i];
		if (i % INTERRUPT_WORDS == INTERRUPT_WORDS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}

	for (int p = 0; p < NPIECES; p++)
	{
		RibbonStatus status = sort_piece(env, other + begin, from + begin,
										 end[p] - begin, shift - RADIX_BITS,
										 !home);

		if (status != RIBBON_OK)
			return status;
		begin = end[p];
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_sort(const RibbonEnv *env, uint64_t *words, uint64_t *scratch, size_t n)
{
	return sort_piece(env, words, scratch, n, 64 - RADIX_BITS, true);
}

RibbonStatus
ribbon_sort_alone(const RibbonEnv *env, uint64_t *words, size_t n)
{
	uint64_t *scratch;
	RibbonStatus status;

	if (n > SIZE_MAX / sizeof(uint64_t))
		return RIBBON_OUT_OF_MEMORY;
	scratch = ribbon_alloc(env, n * sizeof(uint64_t));
	if (scratch == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_sort(env, words, scratch, n);
	ribbon_free(env, scratch);
	return status;
}

size_t
ribbon_sort_unique(uint64_t *words, size_t n)
{
	size_t kept = n > 0;

	for (size_t i = 1; i < n; i++)
		if (words[i] != words[kept - 1])
			words[kept++] = words[i];
	return kept;
}
