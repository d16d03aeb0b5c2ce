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
 * Keep what is distinct of *n sorted elements, of which the first kept ones
 * are.  kind is a constant.
 */
static inline __attribute__((always_inline)) RibbonStatus
keep_distinct(const RibbonEnv *env, RibbonElementKind kind, uint64_t *words,
			  size_t kept, size_t *n, RibbonRecord conflict[2])
{
	size_t stride = ribbon_element_stride(kind);
	RibbonRecord *records = (RibbonRecord *) words;

	for (size_t i = kept; i < *n; i++)
	{
		const uint64_t *element = words + i * stride;
		const uint64_t *last = words + (kept - 1) * stride;

		if (element[0] != last[0])
			memcpy(words + kept++ * stride, element, stride * sizeof(uint64_t));
		else if (stride > 1 && element[1] != last[1])
		{
			RibbonRecord *first = &records[i - 1]; /* the same as the last */
			RibbonStatus status;
			size_t nkept;

			memcpy(&conflict[0], last, sizeof(RibbonRecord));
			memcpy(&conflict[1], element, sizeof(RibbonRecord));
			if (kind == RIBBON_MAP_RECORDS)
				return RIBBON_CONFLICT;
			for (; i + 1 < *n && records[i + 1].hash == first->hash; i++)
				if (ribbon_interrupted_at(env, i))
					return RIBBON_INTERRUPTED;
			status = keep_one_per_word(env, first,
									   (size_t) (&records[i] - first) + 1,
									   &records[kept - 1], &nkept, conflict);
			if (status != RIBBON_OK)
				return status;
			kept += nkept - 1;
		}
		if (ribbon_interrupted_at(env, i))
			return RIBBON_INTERRUPTED;
	}
	*n = kept;
	return RIBBON_OK;
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

	return kind == RIBBON_HASHES ?
		keep_distinct(env, RIBBON_HASHES, words, distinct, n, conflict) :
		kind == RIBBON_MAP_RECORDS ?
		keep_distinct(env, RIBBON_MAP_RECORDS, words, distinct, n, conflict) :
		keep_distinct(env, RIBBON_EXACT_RECORDS, words, distinct, n, conflict);
}
