/*
 * sort.c - order hashes, or records, by starting position
 *
 * A radix sort from the most significant bits.  Hashes are spread evenly, so
 * the first pass cuts them into pieces of nearly equal size, each of which fits
 * a cache.  The second pass cuts these into pieces of half a hash.  Then all
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
 *
 * sort_template.h has the sort itself, for hashes and for records.
 */
#include "set/sort.h"

#include "base/bits.h"

#define MAX_RADIX_BITS	 12
#define FIRST_BITS		 5	   /* of a pass before the last one, at least */
#define MAX_FIRST_BITS	 9	   /* and at most */
#define MAX_PASSES		 4	   /* from the most significant bits */
#define AHEAD			 16	   /* hashes of a piece: memory has come by then */
#define FEW				 16	   /* hashes: insertion sort is faster */
#define LARGE			 4	   /* times a piece's usual size */
#define INTERRUPT_HASHES 65536 /* moved between calls of interrupted */

/* From the least significant bits: bits of a digit, most and fewest. */
#define LOW_BITS	 11
#define LOW_BITS_FEW 6
#define FEW_FROM_LOW 48 /* hashes: insertion sort is faster */

_Static_assert((FEW & (FEW - 1)) == 0, "scatter needs a power of two");

typedef struct Passes
{
	unsigned left;	/* passes that the piece may still take */
	bool large;		/* is the piece, or a piece it was cut from, a large one? */
	bool *repeated; /* is any hash there twice? */
} Passes;

/*
 * How many bits the next pass over n hashes takes, of bits_left bits in which
 * they may differ.  Passes end with pieces of half a hash on average.  The last
 * one takes as many bits as it can, since its counters and piece are in the
 * nearest cache.
 */
static unsigned
radix_bits(size_t n, unsigned bits_left)
{
	unsigned wanted = 1;

	while (wanted < bits_left && n >> (wanted - 1) > 0)
		wanted++;
	return wanted <= MAX_RADIX_BITS ?
		wanted :
		wanted < MAX_RADIX_BITS + FIRST_BITS ?
		FIRST_BITS :
		(unsigned) ribbon_min64(wanted - MAX_RADIX_BITS, MAX_FIRST_BITS);
}

/* The end of the next INTERRUPT_HASHES of n hashes, from begin on. */
static size_t
chunk_end(size_t begin, size_t n)
{
	return n - begin < INTERRUPT_HASHES ? n : begin + INTERRUPT_HASHES;
}

#define ELEMENT		  uint64_t
#define HASH(element) (element)
#define SORT_FN(verb) hashes_##verb
#include "set/sort_template.h"

#define ELEMENT		  RibbonRecord
#define HASH(element) ((element).hash)
#define SORT_FN(verb) records_##verb
#include "set/sort_template.h"

RibbonStatus
ribbon_sort(const RibbonEnv *env, size_t stride, uint64_t *words, size_t n,
			bool *repeated)
{
	return stride > 1 ? records_sort(env, words, n, repeated) :
						hashes_sort(env, words, n, repeated);
}

RibbonStatus
ribbon_scatter(const RibbonEnv *env, size_t stride, const uint64_t *words,
			   size_t n, uint64_t *to, const RibbonDigit *digit)
{
	bool few;

	if (stride > 1)
		return records_scatter(env, (const RibbonRecord *) words,
							   (RibbonRecord *) to, n, digit, &few);
	return hashes_scatter(env, words, to, n, digit, &few);
}
