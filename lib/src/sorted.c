/*
 * sorted.c - a file of elements in the order of their hashes
 *
 * An index has the hash of each 2048th element.  By it, and a look at one block
 * of so many, it is found where a hash belongs.
 */
#include "internal.h"

#include <stdlib.h>
#include <unistd.h>

#define BLOCK 2048 /* elements between two that the index has */

bool
ribbon_sorted_add(RibbonSorted *sorted, const uint64_t *words, size_t n)
{
	size_t needed = (size_t) ((sorted->n + n) / BLOCK + 1);

	if (needed > sorted->capacity)
	{
		size_t capacity = needed + needed / 2;
		uint64_t *index = realloc(sorted->index, capacity * sizeof(uint64_t));

		if (index == NULL)
			return false;
		sorted->index = index;
		sorted->capacity = capacity;
	}
	for (uint64_t i = (BLOCK - sorted->n % BLOCK) % BLOCK; i < n; i += BLOCK)
		sorted->index[(sorted->n + i) / BLOCK] = words[i * sorted->words];
	sorted->n += n;
	return true;
}

/* How many of n hashes, each some words behind the one before, are below? */
static size_t
count_below(const uint64_t *hashes, size_t words, size_t n, uint64_t hash)
{
	size_t low = 0;

	while (low < n)
	{
		size_t middle = low + (n - low) / 2;

		if (hashes[middle * words] < hash)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Set *place to the number of elements whose hashes are below this one. */
static int
find_place(const RibbonSorted *sorted, uint64_t hash, uint64_t *place)
{
	uint64_t block[BLOCK * RIBBON_RECORD_WORDS];
	size_t size = sorted->words * sizeof(uint64_t);
	size_t nblocks = (size_t) ((sorted->n + BLOCK - 1) / BLOCK);
	size_t before = count_below(sorted->index, 1, nblocks, hash);
	size_t n = BLOCK;
	int failed;

	*place = 0;
	if (before == 0)
		return 0;

	/* the last block that begins below the hash */
	*place = (uint64_t) (before - 1) * BLOCK;
	if (sorted->n - *place < n)
		n = (size_t) (sorted->n - *place);
	failed = ribbon_tempfile_read(sorted->fd, block, n * size, *place * size);
	if (failed == 0)
		*place += count_below(block, sorted->words, n, hash);
	return failed;
}

int
ribbon_sorted_range(const RibbonSorted *sorted, uint64_t first, uint64_t last,
					uint64_t *begin, uint64_t *end)
{
	int failed = 0;

	*begin = 0;
	*end = first <= last ? sorted->n : 0;
	if (first > last)
		return 0;
	if (first > 0)
		failed = find_place(sorted, first, begin);
	if (failed == 0 && last < UINT64_MAX)
		failed = find_place(sorted, last + 1, end);
	return failed;
}

void
ribbon_sorted_close(RibbonSorted *sorted)
{
	if (sorted->fd >= 0)
		(void) close(sorted->fd);
	free(sorted->index);
}
