/*
 * distinct.c - sort hashes or records, and drop duplicates (ribbon_distinct)
 *
 * Elements that are sorted and distinct already are only read.  Others are
 * sorted.  Then those of one hash are neighbours, and one pass goes through
 * them:
 *
 *----------
 *	 hashes			one of each hash is kept
 *	 map records	the same; two value words of one hash are a conflict
 *	 exact records	one of each hash and word is kept; two words of one hash
 *					that differ in RIBBON_MEMBER alone are a conflict: a key
 *					that is both a member and not
 *----------
 */
#include "set/sort.h"

/* Set *ndistinct to how many, from the first on, are sorted and distinct. */
static RibbonStatus
count_distinct(const RibbonEnv *env, size_t stride, const uint64_t *words,
			   size_t n, size_t *ndistinct)
{
	size_t i = n > 0;

	for (; i < n && words[(i - 1) * stride] < words[i * stride]; i++)
		if (ribbon_interrupted_at(env, i))
			return RIBBON_INTERRUPTED;
	*ndistinct = i;
	return RIBBON_OK;
}

/*
 * Drop repeated hashes or map records of *n sorted ones, of which the first
 * kept ones are distinct.
 */
static inline __attribute__((always_inline)) RibbonStatus
keep_one_per_hash(const RibbonEnv *env, size_t stride, uint64_t *words,
				  size_t kept, size_t *n, RibbonRecord conflict[2])
{
	for (size_t i = kept; i < *n; i++)
	{
		const uint64_t *element = words + i * stride;
		const uint64_t *last = words + (kept - 1) * stride;

		if (element[0] != last[0])
			memcpy(words + kept++ * stride, element, stride * sizeof(uint64_t));
		else if (stride > 1 && element[1] != last[1])
		{
			memcpy(&conflict[0], last, sizeof(RibbonRecord));
			memcpy(&conflict[1], element, sizeof(RibbonRecord));
			return RIBBON_CONFLICT;
		}
		if (ribbon_interrupted_at(env, i))
			return RIBBON_INTERRUPTED;
	}
	*n = kept;
	return RIBBON_OK;
}

/*
 * Sort n exact records of one hash by their words, and copy one of each to
 * kept[0 .. *nkept), which may begin where they do, or before.  There is one or
 * two, unless keys were chosen.
 */
static RibbonStatus
keep_one_per_word(const RibbonEnv *env, RibbonRecord *records, size_t n,
				  RibbonRecord *kept, size_t *nkept, RibbonRecord conflict[2])
{
	uint64_t hash = records[0].hash;
	size_t k = 0;
	RibbonStatus status;

	for (size_t i = 0; i < n; i++)
	{
		records[i].hash = records[i].word;
		if (ribbon_interrupted_at(env, i))
			return RIBBON_INTERRUPTED;
	}
	status = ribbon_sort(env, RIBBON_RECORD_WORDS, &records->hash, n, NULL);
	if (status != RIBBON_OK)
		return status;
	for (size_t i = 0; i < n; i++)
	{
		if (k == 0 || records[i].word != kept[k - 1].word)
			kept[k++] = (RibbonRecord){hash, records[i].word};
		if (k > 1 && (kept[k - 1].word ^ kept[k - 2].word) == RIBBON_MEMBER)
		{
			memcpy(conflict, &kept[k - 2], 2 * sizeof(RibbonRecord));
			return RIBBON_CONFLICT;
		}
		if (ribbon_interrupted_at(env, i))
			return RIBBON_INTERRUPTED;
	}
	*nkept = k;
	return RIBBON_OK;
}

/*
 * The same for all of *n exact records; the first kept ones are distinct.  Each
 * record is one to be interrupted at: the first of a hash, and the others.
 */
static RibbonStatus
keep_distinct_words(const RibbonEnv *env, RibbonRecord *records, size_t kept,
					size_t *n, RibbonRecord conflict[2])
{
	RibbonStatus status = RIBBON_OK;
	size_t end;

	kept--; /* it may have the hash of the next one */
	for (size_t i = kept; status == RIBBON_OK && i < *n; i = end)
	{
		size_t nwords = 1;
		bool same = true;

		for (end = i + 1; end < *n && records[end].hash == records[i].hash;
			 end++)
		{
			same &= records[end].word == records[i].word;
			if (ribbon_interrupted_at(env, end))
				return RIBBON_INTERRUPTED;
		}
		if (same)
			records[kept] = records[i];
		else
			status = keep_one_per_word(env, &records[i], end - i,
									   &records[kept], &nwords, conflict);
		kept += nwords;
		if (ribbon_interrupted_at(env, i))
			status = RIBBON_INTERRUPTED;
	}
	if (status == RIBBON_OK)
		*n = kept;
	return status;
}

RibbonStatus
ribbon_distinct(const RibbonEnv *env, RibbonElementKind kind, uint64_t *words,
				size_t *n, RibbonRecord conflict[2])
{
	size_t stride = ribbon_element_stride(kind);
	size_t distinct;
	bool repeated;
	RibbonStatus status = count_distinct(env, stride, words, *n, &distinct);

	if (status != RIBBON_OK || distinct == *n)
		return status;

	status = ribbon_sort(env, stride, words, *n, &repeated);
	if (status == RIBBON_OK && !repeated)
		return RIBBON_OK;
	if (status == RIBBON_OK)
		status = count_distinct(env, stride, words, *n, &distinct);
	if (status != RIBBON_OK || distinct == *n)
		return status;

	switch (kind)
	{
		case RIBBON_HASHES:
			return keep_one_per_hash(env, 1, words, distinct, n, conflict);
		case RIBBON_MAP_RECORDS:
			return keep_one_per_hash(env, RIBBON_RECORD_WORDS, words, distinct,
									 n, conflict);
		default:
			return keep_distinct_words(env, (RibbonRecord *) words, distinct, n,
									   conflict);
	}
}
