/*
 * sort.c - order words by starting position
 *
 * A radix sort from the most significant bits.  Words are hashes, so the first
 * pass cuts them into pieces of equal size, each of which fits a cache, and
 * the second into pieces of about one word, so that all is nearly in order
 * and insertion finishes it.  Each pass scatters from one array to the other,
 * so a piece ends up in either, and the last step brings it home.
 *
 * Words chosen to share their high bits make large pieces.  Bits in which a
 * large piece's words all agree are passed over; where one of them does not
 * agree, there are as many passes as there are bits, six or more at a time.
 */
#include "sort.h"

#include "bits.h"

#define MAX_RADIX_BITS	12
#define FEW				16	  /* words that are not worth a pass */
#define LARGE			4	  /* times a piece's usual size */
#define INTERRUPT_WORDS 65536 /* words moved between looks at the flag */

/* Fast if no word is far from its place. */
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
 * Bits for the next pass over n hashes: as few passes as can be, of about as
 * many bits each, should leave pieces of a word or less.
 */
static unsigned
radix_bits(size_t n, unsigned bits_left)
{
	unsigned wanted = 1;
	unsigned npasses;

	while (wanted < bits_left && n >> wanted > 0)
		wanted++;
	npasses = (wanted + MAX_RADIX_BITS - 1) / MAX_RADIX_BITS;
	return (unsigned) ribbon_min64(wanted / npasses + 1,
								   ribbon_min64(bits_left, MAX_RADIX_BITS));
}

/* Words from begin on, but at most INTERRUPT_WORDS of them. */
static size_t
chunk_end(size_t begin, size_t n)
{
	return n - begin < INTERRUPT_WORDS ? n : begin + INTERRUPT_WORDS;
}

/* *bits becomes the number of lowest bits in which the words differ. */
static RibbonStatus
find_bits_left(const RibbonEnv *env, const uint64_t *words, size_t n,
			   unsigned *bits)
{
	uint64_t different = 0;

	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			different |= words[i] ^ words[0];
		if (i < n && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*bits = different == 0 ? 0 : 64 - (unsigned) __builtin_clzll(different);
	return RIBBON_OK;
}

/*
 * Sort n words at from, which agree in all but their lowest bits_left bits,
 * into from (home) or into other (!home).
 */
static RibbonStatus
sort_piece(const RibbonEnv *env, uint64_t *from, uint64_t *other, size_t n,
		   unsigned bits_left, bool home)
{
	size_t end[1 << MAX_RADIX_BITS];
	unsigned bits;
	unsigned shift;
	size_t npieces;
	size_t mask;
	size_t sum = 0;
	size_t begin = 0;
	size_t largest = 0;

	if (n <= FEW)
	{
		insertion_sort(from, n);
		if (!home)
			memcpy(other, from, n * sizeof(uint64_t));
		return RIBBON_OK;
	}
	if (bits_left == 0)
		return home ? RIBBON_OK :
					  ribbon_copy(env, other, from, n * sizeof(uint64_t));

	bits = radix_bits(n, bits_left);
	shift = bits_left - bits;
	npieces = (size_t) 1 << bits;
	mask = npieces - 1;
	memset(end, 0, npieces * sizeof(size_t));
	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			end[from[i] >> shift & mask]++;
		if (i < n && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	for (size_t p = 0; p < npieces; p++)
	{
		size_t count = end[p];

		largest = count > largest ? count : largest;
		end[p] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			other[end[from[i] >> shift & mask]++] = from[i];
		if (n >= INTERRUPT_WORDS && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}

	/* many small pieces are one nearly sorted run */
	if (largest <= FEW)
	{
		insertion_sort(other, n);
		if (home)
			memcpy(from, other, n * sizeof(uint64_t));
		return RIBBON_OK;
	}
	sum = 0;
	for (size_t p = 0; p < npieces; p++)
	{
		size_t count = end[p] - begin;
		unsigned left = shift;
		RibbonStatus status = RIBBON_OK;

		if (count == 0)
			continue;
		if (shift > 0 && count > FEW + LARGE * (n >> bits))
			status = find_bits_left(env, other + begin, count, &left);
		if (status == RIBBON_OK)
			status = sort_piece(env, other + begin, from + begin, count, left,
								!home);
		sum += count;
		begin = end[p];
		if (status == RIBBON_OK && sum >= INTERRUPT_WORDS)
		{
			sum = 0;
			if (ribbon_interrupted(env))
				status = RIBBON_INTERRUPTED;
		}
		if (status != RIBBON_OK)
			return status;
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_sort(const RibbonEnv *env, uint64_t *words, size_t n)
{
	uint64_t *scratch;
	RibbonStatus status;

	if (n <= FEW)
	{
		insertion_sort(words, n);
		return RIBBON_OK;
	}
	if (n > SIZE_MAX / sizeof(uint64_t))
		return RIBBON_OUT_OF_MEMORY;
	scratch = ribbon_alloc(env, n * sizeof(uint64_t));
	if (scratch == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_touch(env, scratch, n * sizeof(uint64_t));
	if (status == RIBBON_OK)
		status = sort_piece(env, words, scratch, n, 64, true);
	ribbon_free(env, scratch);
	return status;
}

RibbonStatus
ribbon_sort_unique(const RibbonEnv *env, uint64_t *words, size_t *n)
{
	size_t kept = *n > 0;

	for (size_t i = 1; i < *n; i++)
	{
		if (words[i] != words[kept - 1])
			words[kept++] = words[i];
		if (ribbon_looks_now(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*n = kept;
	return RIBBON_OK;
}
