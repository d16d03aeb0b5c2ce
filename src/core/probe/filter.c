/*
 * filter.c - contains and get of a filter, from the answers of its planes
 *
 * A filter has one plane.  A map has one or two, of which the second has the
 * uppermost value bits; or one for each level of its codes (coded.c).
 *
 * An exact set has a filter and behind it a column of values, or either alone;
 * format/format.h says of which keys, and when it is inverted or masked.
 *
 * Functions are in pairs: one for a hash, and one for n <= RIBBON_BATCH hashes
 * that the first plane has answered (RibbonInside.finish).
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

static void
finish_from_both(const RibbonOpened *first, const uint64_t *hashes, unsigned n,
				 bool *answers, uint64_t *codes)
{
	bool found[RIBBON_BATCH];
	uint64_t high[RIBBON_BATCH];

	(void) answers;
	ribbon_batches_find(ribbon_opened_next(first), hashes, n, found, high);
	for (unsigned i = 0; i < n; i++)
		codes[i] |= high[i] << first->plane.value_bits;
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

/* The bits of a column, which have been found. */
static void
finish_by_bit(const RibbonOpened *column, const uint64_t *hashes, unsigned n,
			  bool *answers, uint64_t *bits)
{
	for (unsigned i = 0; i < n; i++)
		answers[i] = bits[i] !=
			(column->masked ? ribbon_hash_mask(hashes[i]) : 0);
}

/* Of one with a filter, then perhaps a column. */
static bool
find_behind(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	if (!opened->find(opened, hash, code))
		return opened->inverted;
	if (opened->next == 0)
		return !opened->inverted;
	opened = ribbon_opened_next(opened);
	return opened->masked ? find_by_masked_bit(opened, hash, code) :
							find_by_bit(opened, hash, code);
}

/*
 * A column's bits, if there is one, of the hashes that pass the filter.  If
 * that is inverted, the others are members.
 */
static void
finish_behind(const RibbonOpened *filter, const uint64_t *hashes, unsigned n,
			  bool *answers, uint64_t *codes)
{
	uint64_t passed[RIBBON_BATCH];
	bool bits[RIBBON_BATCH + 1];
	size_t npassed = 0;

	for (size_t i = 0; i < n; i++)
	{
		passed[npassed] = hashes[i];
		npassed += answers[i];
	}
	if (filter->next == 0)
		memset(bits, false, npassed);
	else if (npassed > 0)
	{
		const RibbonOpened *column = ribbon_opened_next(filter);

		ribbon_batches_find(column, passed, npassed, bits, codes);
		finish_by_bit(column, passed, (unsigned) npassed, bits, codes);
	}
	bits[npassed] = false;
	for (size_t i = 0, k = 0; i < n; i++)
	{
		bool bit = bits[k] & answers[i];

		k += answers[i];
		answers[i] = bit | (filter->inverted & !answers[i]);
	}
}

void
ribbon_filter_prepare(RibbonFilter *filter)
{
	const RibbonOpened *opened = ribbon_opened(filter);
	RibbonInside *inside = &filter->inside;
	bool two = opened->next > 0;

	inside->contains = inside->get = opened->find;
	inside->finish = NULL;
	if (opened->codes > 0)
	{
		inside->get = ribbon_coded_get;
		inside->finish = ribbon_coded_finish;
	}
	else if (filter->has_values && two)
	{
		inside->get = get_from_both;
		inside->finish = finish_from_both;
	}
	else if (filter->is_exact && opened->plane.value_bits > 0)
	{
		inside->contains = opened->masked ? find_by_masked_bit : find_by_bit;
		inside->finish = finish_by_bit;
	}
	else if (filter->is_exact && (two || opened->inverted))
	{
		inside->contains = find_behind;
		inside->finish = finish_behind;
	}
	if (filter->is_exact)
		inside->get = inside->contains;
}

/* Look up n hashes in all planes.  codes is NULL for exact sets. */
static void
find_in_rounds(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
			   bool *answers, uint64_t *codes)
{
	const RibbonOpened *opened = ribbon_opened(filter);
	bool stores = filter->has_values || opened->plane.value_bits > 0;
	uint64_t buffer[RIBBON_BATCH];

	for (size_t i = 0; i < n; i += RIBBON_BATCH)
	{
		unsigned now = (unsigned) ribbon_min64(n - i, RIBBON_BATCH);
		uint64_t *its = codes == NULL ? buffer : codes + i;

		ribbon_batches_find(opened, hashes + i, now, answers + i,
							stores ? its : NULL);
		if (filter->inside.finish != NULL)
			filter->inside.finish(opened, hashes + i, now, answers + i, its);
	}
}

/* A map has a key if its first plane does. */
void
ribbon_contains_batch(const RibbonFilter *filter, const uint64_t *hashes,
					  size_t n, bool *answers)
{
	if (filter->is_exact)
		find_in_rounds(filter, hashes, n, answers, NULL);
	else
		ribbon_batches_find(ribbon_opened(filter), hashes, n, answers, NULL);
}

void
ribbon_get_batch(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
				 bool *answers, uint64_t *codes)
{
	if (filter->fetch != NULL) /* a slice costs more than all else */
		for (size_t i = 0; i < n; i++)
			answers[i] = ribbon_get(filter, hashes[i], &codes[i]);
	else if (filter->has_values)
		find_in_rounds(filter, hashes, n, answers, codes);
	else
	{
		ribbon_contains_batch(filter, hashes, n, answers);
		memset(codes, 0, n * sizeof(*codes));
	}
}
