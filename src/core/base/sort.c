/*
 * sort.c - order hashes, or records, by starting position
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
 *
 * sort_template.h has the sort itself, for hashes and for records.
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

#define ELEMENT		  uint64_t
#define HASH(element) (element)
#define SORT_FN(verb) hashes_##verb
#include "base/sort_template.h"

typedef struct Record
{
	uint64_t hash;
	uint64_t word;
} Record;

#define ELEMENT		  Record
#define HASH(element) ((element).hash)
#define SORT_FN(verb) records_##verb
#include "base/sort_template.h"

RibbonStatus
ribbon_sort(const RibbonEnv *env, uint64_t *hashes, size_t n)
{
	return hashes_sort(env, hashes, n);
}

RibbonStatus
ribbon_sort_records(const RibbonEnv *env, uint64_t *records, size_t n)
{
	return records_sort(env, (Record *) records, n);
}

/*
 * Drop repeated ones of *n sorted elements, of which the first kept ones are
 * distinct.  stride, the words of an element, is a constant.
 */
static inline __attribute__((always_inline)) RibbonStatus
unique(const RibbonEnv *env, uint64_t *words, size_t stride, size_t kept,
	   size_t *n, uint64_t conflict[4])
{
	for (size_t i = kept; i < *n; i++)
	{
		const uint64_t *element = words + i * stride;
		const uint64_t *last = words + (kept - 1) * stride;

		if (element[0] != last[0])
			memcpy(words + kept++ * stride, element, stride * sizeof(uint64_t));
		else if (stride > 1 && element[1] != last[1])
		{
			memcpy(conflict, last, sizeof(Record));
			memcpy(conflict + 2, element, sizeof(Record));
			return RIBBON_CONFLICT;
		}
		if (ribbon_interrupt_is_due(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*n = kept;
	return RIBBON_OK;
}

/*
 * Sort n records of one hash by their words, and drop repeated ones; *n becomes
 * the number that is left.  There is one or two, unless keys were chosen.
 */
static RibbonStatus
unique_words(const RibbonEnv *env, Record *records, size_t *n,
			 uint64_t conflict[4])
{
	uint64_t hash = records[0].hash;
	size_t kept = 1;
	RibbonStatus status;

	for (size_t i = 0; i < *n; i++)
		records[i].hash = records[i].word;
	status = records_sort(env, records, *n);
	if (status != RIBBON_OK)
		return status;
	for (size_t i = 0; i < *n; i++)
	{
		if (records[i].word != records[kept - 1].word)
			records[kept++] = records[i];
		records[kept - 1].hash = hash;
		if (kept > 1 &&
			(records[kept - 1].word ^ records[kept - 2].word) == RIBBON_MEMBER)
		{
			memcpy(conflict, &records[kept - 2], 2 * sizeof(Record));
			return RIBBON_CONFLICT;
		}
	}
	*n = kept;
	return RIBBON_OK;
}

/* The same for records of an exact set, of which one hash may have several. */
static RibbonStatus
unique_exact(const RibbonEnv *env, Record *records, size_t kept, size_t *n,
			 uint64_t conflict[4])
{
	RibbonStatus status = RIBBON_OK;
	size_t end;

	kept--; /* it may have the hash of the next one */
	for (size_t i = kept; status == RIBBON_OK && i < *n; i = end)
	{
		size_t nwords;
		bool same = true;

		for (end = i + 1; end < *n && records[end].hash == records[i].hash;
			 end++)
			same &= records[end].word == records[i].word;
		nwords = same ? 1 : end - i;
		memmove(&records[kept], &records[i], nwords * sizeof(Record));
		if (!same)
			status = unique_words(env, &records[kept], &nwords, conflict);
		kept += nwords;
		if (ribbon_interrupt_is_due(i) && ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
	}
	if (status == RIBBON_OK)
		*n = kept;
	return status;
}

RibbonStatus
ribbon_distinct(const RibbonEnv *env, RibbonElementKind kind, uint64_t *words,
				size_t *n, uint64_t conflict[4])
{
	Record *records = (Record *) words;
	size_t distinct; /* so many are, from the first one on */

	for (bool sorted = false;; sorted = true)
	{
		RibbonStatus status = kind == RIBBON_HASHES ?
			hashes_count_distinct(env, words, *n, &distinct) :
			records_count_distinct(env, records, *n, &distinct);

		if (status != RIBBON_OK || distinct == *n)
			return status;
		if (sorted)
			break;
		status = kind == RIBBON_HASHES ? ribbon_sort(env, words, *n) :
										 ribbon_sort_records(env, words, *n);
		if (status != RIBBON_OK)
			return status;
	}
	if (kind == RIBBON_HASHES)
		return unique(env, words, 1, distinct, n, conflict);
	if (kind == RIBBON_MAP_RECORDS)
		return unique(env, words, RIBBON_RECORD_WORDS, distinct, n, conflict);
	return unique_exact(env, records, distinct, n, conflict);
}
