/*
 * filter.c - contains and get of a filter, from the answers of its planes
 *
 * A filter has one plane.  A map has one or two, of which the second has the
 * uppermost value bits; or one for each level of its codes (coded.c).
 *
 * An exact set has a filter of its members, and behind it a column of values: a
 * bit for each key of the universe that passes the filter, which says whether
 * it is a member.  It may have the column alone, with a bit for each key of the
 * universe, or the filter alone, if no other key of the universe passes it.
 * If it is inverted, the filter is of the keys that are not members.  If it has
 * a rate, the column's bits are masked (format/exact_head.h).
 */
#include "probe/opened.h"

#include "base/hash.h"
#include "probe/batch.h"

#include <string.h>

/* The second plane has the uppermost bits. */
static bool
get_from_both(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	const RibbonOpened *second;
	uint64_t high;

	if (!opened->find(opened, hash, code))
		return false;
	second = ribbon_opened_next(opened);
	second->find(second, hash, &high);
	*code |= high << opened->plane.value_bits;
	return true;
}

/* Contains, of an exact set whose only plane is a column. */
static bool
find_by_bit(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	uint64_t bit;

	(void) code;
	(void) opened->find(opened, hash, &bit);
	return bit != 0;
}

static bool
find_by_masked_bit(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	return find_by_bit(opened, hash, code) != ribbon_hash_mask(hash);
}

/* Of one with a filter, then perhaps a column. */
static bool
find_in_both(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	if (!opened->find(opened, hash, code))
		return opened->inverted;
	if (opened->next == 0)
		return !opened->inverted;
	opened = ribbon_opened_next(opened);
	return opened->masked ? find_by_masked_bit(opened, hash, code) :
							find_by_bit(opened, hash, code);
}

void
ribbon_filter_prepare(RibbonFilter *filter)
{
	const RibbonOpened *opened = ribbon_opened(filter);
	RibbonInside *inside = &filter->inside;
	bool two = opened->next > 0;

	inside->contains = opened->find;
	if (filter->is_exact && opened->plane.value_bits > 0)
		inside->contains = opened->masked ? find_by_masked_bit : find_by_bit;
	else if (filter->is_exact && (two || opened->inverted))
		inside->contains = find_in_both;
	inside->get = opened->codes > 0 ? ribbon_coded_get :
		filter->has_values && two	? get_from_both :
									  inside->contains;
}

/* Put the uppermost bits, which the second plane has, above those of codes. */
static void
add_high_bits(const RibbonOpened *first, const uint64_t *hashes, unsigned n,
			  uint64_t *codes)
{
	bool found[RIBBON_ROUND];
	uint64_t high[RIBBON_ROUND];

	ribbon_batches_find(ribbon_opened_next(first), hashes, n, found, high);
	for (unsigned i = 0; i < n; i++)
		codes[i] |= high[i] << first->plane.value_bits;
}

/*
 * Look up n hashes in a map.  codes may be NULL: then planes behind the first,
 * which have no check bits, are not read.
 */
static void
get_batches(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
			bool *found, uint64_t *codes)
{
	uint64_t buffer[RIBBON_ROUND];

	for (size_t i = 0; i < n; i += RIBBON_ROUND)
	{
		unsigned nhashes = (unsigned) ribbon_min64(n - i, RIBBON_ROUND);

		ribbon_batches_find(opened, hashes + i, nhashes, found + i,
							codes == NULL ? buffer : codes + i);
		if (codes == NULL)
			continue;
		if (opened->codes > 0)
			ribbon_coded_finish(opened, hashes + i, nhashes, found + i,
								codes + i);
		else if (opened->next > 0)
			add_high_bits(opened, hashes + i, nhashes, codes + i);
	}
}

/* The bits that a column has for n <= RIBBON_ROUND hashes. */
static void
contains_by_bits(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
				 bool *answers)
{
	uint64_t codes[RIBBON_ROUND];

	ribbon_batches_find(opened, hashes, n, answers, codes);
	for (size_t i = 0; i < n; i++)
		answers[i] = codes[i] !=
			(opened->masked ? ribbon_hash_mask(hashes[i]) : 0);
}

/*
 * Of n <= RIBBON_ROUND answers of the filter: probe the column for those of the
 * hashes that pass.  If it is inverted, the others are members.
 */
static void
contains_behind(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
				bool *answers)
{
	uint64_t passed[RIBBON_ROUND];
	bool bits[RIBBON_ROUND + 1];
	size_t npassed = 0;

	for (size_t i = 0; i < n; i++)
	{
		passed[npassed] = hashes[i];
		npassed += answers[i];
	}
	bits[npassed] = false;
	if (npassed > 0)
		contains_by_bits(ribbon_opened_next(opened), passed, npassed, bits);
	for (size_t i = 0, k = 0; i < n; i++)
	{
		bool bit = bits[k] & answers[i];

		k += answers[i];
		answers[i] = bit | (opened->inverted & !answers[i]);
	}
}

static void
contains_in_exact(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
				  bool *answers)
{
	for (size_t now; n > 0; n -= now, hashes += now, answers += now)
	{
		now = (size_t) ribbon_min64(n, RIBBON_ROUND);
		if (opened->plane.value_bits > 0)
		{
			contains_by_bits(opened, hashes, now, answers);
			continue;
		}
		ribbon_batches_find(opened, hashes, now, answers, NULL);
		if (opened->next > 0)
			contains_behind(opened, hashes, now, answers);
		else
			for (size_t i = 0; opened->inverted && i < now; i++)
				answers[i] = !answers[i];
	}
}

void
ribbon_contains_batch(const RibbonFilter *filter, const uint64_t *hashes,
					  size_t n, bool *answers)
{
	const RibbonOpened *opened = ribbon_opened(filter);

	if (filter->has_values)
		get_batches(opened, hashes, n, answers, NULL);
	else if (filter->is_exact)
		contains_in_exact(opened, hashes, n, answers);
	else
		ribbon_batches_find(opened, hashes, n, answers, NULL);
}

void
ribbon_get_batch(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
				 bool *answers, uint64_t *codes)
{
	if (filter->fetch != NULL) /* a slice costs more than all else */
		for (size_t i = 0; i < n; i++)
			answers[i] = ribbon_get(filter, hashes[i], &codes[i]);
	else if (filter->has_values)
		get_batches(ribbon_opened(filter), hashes, n, answers, codes);
	else
	{
		ribbon_contains_batch(filter, hashes, n, answers);
		memset(codes, 0, n * sizeof(*codes));
	}
}
