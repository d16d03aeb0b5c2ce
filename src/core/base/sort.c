/*
 * sort.c - order hashes by starting position
 *
 * A radix sort from the most significant bits.  Hashes are spread evenly, so
 * the first pass cuts them into pieces of nearly equal size, each of which fits
 * a cache.  The second pass cuts these into pieces of about one hash.  Then all
 * hashes are nearly in order, and insertion sort finishes.  Each pass copies
 * from one array to the other, so a piece may end in the scratch array; its
 * last step copies it back.
 *
 * Hashes that were chosen to share their high bits make large pieces.  If all
 * hashes of a large piece agree in some bits, the next pass starts at the
 * highest bit in which they differ.  A large piece of a large piece is no
 * accident; it is sorted from the least significant bits, which takes the same
 * time whatever the hashes are.
 *
 * So at most MAX_PASSES + 1 calls of sort_piece are nested, each with a table
 * of 32 kB on the stack, and one call of sort_from_low, with 16 kB.
 */
#include "base/sort.h"

#include "base/bits.h"

#define MAX_RADIX_BITS	 12
#define MAX_PASSES		 4	   /* from the most significant bits */
#define FEW				 16	   /* hashes: insertion sort is faster */
#define MANY			 65536 /* hashes: pieces of half a hash are faster */
#define LARGE			 4	   /* times a piece's usual size */
#define INTERRUPT_HASHES 65536 /* moved between calls of interrupted */

/* From the least significant bits: bits of a digit, most and fewest. */
#define LOW_BITS	 11
#define LOW_BITS_FEW 6
#define FEW_FROM_LOW 48 /* hashes: insertion sort is faster */

typedef struct Passes
{
	unsigned left; /* passes that the piece may still take */
	bool large;	   /* is the piece, or a piece it was cut from, a large one? */
} Passes;

/* Takes time in proportion to how far the hashes are from their places. */
static void
insertion_sort(uint64_t *hashes, size_t n)
{
	for (size_t i = 1; i < n; i++)
	{
		uint64_t hash = hashes[i];
		size_t j = i;

		for (; j > 0 && hashes[j - 1] > hash; j--)
			hashes[j] = hashes[j - 1];
		hashes[j] = hash;
	}
}

/*
 * How many bits the next pass over n hashes takes, of bits_left bits in which
 * they may differ.  The aim is the least number of passes, of about as many
 * bits each, after which pieces have one hash on average; or half a hash if n
 * is so large that counting the pieces takes little of the time.
 */
static unsigned
radix_bits(size_t n, unsigned bits_left)
{
	unsigned wanted = 1;
	unsigned npasses;

	while (wanted < bits_left && n >> wanted > 0)
		wanted++;
	npasses = (wanted + MAX_RADIX_BITS - 1) / MAX_RADIX_BITS;
	return (unsigned) ribbon_min64(wanted / npasses + (n >= MANY),
								   ribbon_min64(bits_left, MAX_RADIX_BITS));
}

/* The end of the next INTERRUPT_HASHES of n hashes, from begin on. */
static size_t
chunk_end(size_t begin, size_t n)
{
	return n - begin < INTERRUPT_HASHES ? n : begin + INTERRUPT_HASHES;
}

/* Set *bits to the number of the lowest bits in which the hashes differ. */
static RibbonStatus
find_bits_left(const RibbonEnv *env, const uint64_t *hashes, size_t n,
			   unsigned *bits)
{
	uint64_t different = 0;

	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			different |= hashes[i] ^ hashes[0];
		if (i < n && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*bits = different == 0 ? 0 : 64 - (unsigned) __builtin_clzll(different);
	return RIBBON_OK;
}

/*
 * Copy n hashes from one array to the other, in the order of their digit, which
 * is bits bits from shift on.  end[digit] becomes the index behind the last
 * hash of that digit; *largest is the number of hashes of the most frequent
 * one.
 */
static RibbonStatus
scatter(const RibbonEnv *env, const uint64_t *from, uint64_t *to, size_t n,
		unsigned shift, unsigned bits, size_t *end, size_t *largest)
{
	size_t ndigits = (size_t) 1 << bits;
	size_t mask = ndigits - 1;
	size_t most = 0;
	size_t sum = 0;

	memset(end, 0, ndigits * sizeof(size_t));
	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			end[from[i] >> shift & mask]++;
		if (i < n && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	for (size_t digit = 0; digit < ndigits; digit++)
	{
		size_t count = end[digit];

		most = count > most ? count : most;
		end[digit] = sum;
		sum += count;
	}
	*largest = most;
	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			to[end[from[i] >> shift & mask]++] = from[i];
		if (n >= INTERRUPT_HASHES && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* n sorted hashes: leave them at from (in_place), or copy them to other. */
static RibbonStatus
deliver(const RibbonEnv *env, const uint64_t *from, uint64_t *other, size_t n,
		bool in_place)
{
	if (in_place)
		return RIBBON_OK;
	if (n >= INTERRUPT_HASHES)
		return ribbon_copy(env, other, from, n * sizeof(uint64_t));
	memcpy(other, from, n * sizeof(uint64_t));
	return RIBBON_OK;
}

/*
 * Sort as sort_piece does, digit by digit from the lowest one on: each pass
 * leaves hashes of equal digits in the order in which it finds them.
 */
static RibbonStatus
sort_from_low(const RibbonEnv *env, uint64_t *from, uint64_t *other, size_t n,
			  unsigned bits_left, bool in_place)
{
	size_t end[1 << LOW_BITS];
	unsigned bits = LOW_BITS_FEW;

	while (bits < LOW_BITS && n >> bits > 0)
		bits++;
	for (unsigned shift = 0; shift < bits_left; shift += bits)
	{
		size_t largest;
		RibbonStatus status = scatter(env, from, other, n, shift, bits, end,
									  &largest);
		uint64_t *to = other;

		if (status != RIBBON_OK)
			return status;
		other = from;
		from = to;
		in_place = !in_place;
	}
	return deliver(env, from, other, n, in_place);
}

static RibbonStatus sort_piece(const RibbonEnv *env, uint64_t *from,
							   uint64_t *other, size_t n, unsigned bits_left,
							   bool in_place, Passes passes);

/*
 * Sort the pieces of a pass over n hashes: npieces of them, where end[p] is
 * behind piece p, agree in all but their lowest bits_left bits.
 */
static RibbonStatus
sort_pieces(const RibbonEnv *env, uint64_t *from, uint64_t *other,
			const size_t *end, size_t npieces, unsigned bits_left,
			bool in_place, Passes passes)
{
	size_t usual = end[npieces - 1] / npieces;
	size_t sum = 0;
	size_t begin = 0;

	for (size_t p = 0; p < npieces; begin = end[p++])
	{
		size_t count = end[p] - begin;
		Passes next = {passes.left - 1, passes.large};
		unsigned left = bits_left;
		RibbonStatus status = RIBBON_OK;

		if (count == 0)
			continue;
		if (RIBBON_UNLIKELY(count > FEW + LARGE * usual))
		{
			next.left = passes.large ? 0 : next.left;
			next.large = true;
			if (bits_left > 0)
				status = find_bits_left(env, from + begin, count, &left);
		}
		if (status == RIBBON_OK)
			status = sort_piece(env, from + begin, other + begin, count, left,
								in_place, next);
		sum += count;
		if (status == RIBBON_OK && sum >= INTERRUPT_HASHES)
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

/*
 * Sort n hashes at from, which agree in all but their lowest bits_left bits,
 * into from (in_place) or into other (!in_place).
 */
static RibbonStatus
sort_piece(const RibbonEnv *env, uint64_t *from, uint64_t *other, size_t n,
		   unsigned bits_left, bool in_place, Passes passes)
{
	size_t end[1 << MAX_RADIX_BITS];
	unsigned bits;
	size_t largest;
	RibbonStatus status;

	if (n <= (passes.left > 0 ? FEW : FEW_FROM_LOW))
	{
		insertion_sort(from, n);
		return deliver(env, from, other, n, in_place);
	}
	if (bits_left == 0)
		return deliver(env, from, other, n, in_place);
	if (passes.left == 0)
		return sort_from_low(env, from, other, n, bits_left, in_place);

	bits = radix_bits(n, bits_left);
	bits_left -= bits;
	status = scatter(env, from, other, n, bits_left, bits, end, &largest);
	if (status != RIBBON_OK)
		return status;

	/* many small pieces are one nearly sorted run */
	if (largest <= FEW)
	{
		insertion_sort(other, n);
		return deliver(env, other, from, n, !in_place);
	}
	return sort_pieces(env, other, from, end, (size_t) 1 << bits, bits_left,
					   !in_place, passes);
}

RibbonStatus
ribbon_sort(const RibbonEnv *env, uint64_t *hashes, size_t n)
{
	Passes passes = {MAX_PASSES, false};
	uint64_t *scratch;
	RibbonStatus status;

	if (n <= FEW)
	{
		insertion_sort(hashes, n);
		return RIBBON_OK;
	}
	scratch = ribbon_alloc_array(env, n, sizeof(uint64_t));
	if (scratch == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_touch(env, scratch, n * sizeof(uint64_t));
	if (status == RIBBON_OK)
		status = sort_piece(env, hashes, scratch, n, 64, true, passes);
	ribbon_free(env, scratch);
	return status;
}

RibbonStatus
ribbon_sort_distinct(const RibbonEnv *env, const uint64_t *hashes, size_t n,
					 size_t *ndistinct)
{
	size_t i = n > 0;

	for (; i < n && hashes[i - 1] < hashes[i]; i++)
		if (ribbon_interrupt_is_due(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	*ndistinct = i;
	return RIBBON_OK;
}

RibbonStatus
ribbon_sort_unique(const RibbonEnv *env, uint64_t *hashes, size_t *n)
{
	size_t kept;
	RibbonStatus status = ribbon_sort_distinct(env, hashes, *n, &kept);

	if (status != RIBBON_OK)
		return status;
	for (size_t i = kept; i < *n; i++)
	{
		if (hashes[i] != hashes[kept - 1])
			hashes[kept++] = hashes[i];
		if (ribbon_interrupt_is_due(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*n = kept;
	return RIBBON_OK;
}
