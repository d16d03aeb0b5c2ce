/*
 * ask_exact.c - is this key in an exact set?
 *
 * An exact set has a filter of its members, and behind it a column of values: a
 * bit for each key of the universe that passes the filter, which says whether
 * it is a member.  It may have the column alone, with a bit for each key of the
 * universe, or the filter alone, if no other key of the universe passes it.
 */
#include "probe/ask_exact.h"

#include "base/bits.h"
#include "probe/probes.h"
#include "probe/query.h"

#include <string.h>

static bool
contains_by_bit(const RibbonPlane *plane, uint64_t hash)
{
	uint64_t code;

	return plane->get(plane, hash, &code) && code != 0;
}

static bool
contains_exactly(const RibbonPlane *plane, uint64_t hash)
{
	return plane->contains(plane, hash) &&
		contains_by_bit(ribbon_plane_second(plane), hash);
}

static bool
contains_all(const RibbonPlane *plane, uint64_t hash)
{
	(void) plane;
	(void) hash;
	return true;
}

/* How to probe an exact set. */
static RibbonContainsLoop
exact_loop(const RibbonPlane *plane)
{
	if (plane->value_bits > 0)
		return contains_by_bit;
	if (plane->second > 0)
		return contains_exactly;
	return plane->nkeys > 0 && plane->result_bits == 0 ? contains_all :
														 plane->contains;
}

static bool
get_of_exact(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	*code = 0;
	return exact_loop(plane)(plane, hash);
}

void
ribbon_exact_prepare(RibbonFilter *filter)
{
	filter->contains = exact_loop(ribbon_plane(filter));
	filter->get = get_of_exact;
}

/* The bits of n hashes, of a plane that has no other columns. */
static void
ask_bits(const RibbonPlane *plane, size_t nall, const uint64_t *hashes,
		 size_t n, bool *answers)
{
	uint64_t codes[RIBBON_BATCH];

	for (size_t i = 0; i < n; i += RIBBON_BATCH)
	{
		unsigned nhashes = (unsigned) ribbon_min64(n - i, RIBBON_BATCH);

		ribbon_query_get(plane, nall < plane->least_batch, hashes + i, nhashes,
					   answers + i, codes);
		for (unsigned k = 0; k < nhashes; k++)
			answers[i + k] = codes[k] != 0;
	}
}

#define EXACT_HASHES 1024 /* of an exact set that are asked at a time */

/*
 * The filter of an exact set, and then the second plane for those of n hashes,
 * of nall, that pass it.
 */
static void
ask_both(const RibbonPlane *plane, size_t nall, const uint64_t *hashes,
		 size_t n, bool *answers)
{
	uint64_t passed[EXACT_HASHES];
	bool bits[EXACT_HASHES];
	size_t npassed = 0;

	ribbon_query_ask(plane, hashes, n, answers);
	for (size_t i = 0; i < n; i++)
	{
		passed[npassed] = hashes[i];
		npassed += answers[i];
	}
	ask_bits(ribbon_plane_second(plane), nall, passed, npassed, bits);
	for (size_t i = 0, k = 0; i < n; i++)
		if (answers[i])
			answers[i] = bits[k++];
}

void
ribbon_exact_ask(const RibbonPlane *plane, const uint64_t *hashes, size_t n,
				 bool *answers)
{
	if (plane->value_bits > 0)
		ask_bits(plane, n, hashes, n, answers);
	else if (plane->second > 0)
		for (size_t i = 0; i < n; i += EXACT_HASHES)
			ask_both(plane, n, hashes + i,
					 (size_t) ribbon_min64(n - i, EXACT_HASHES), answers + i);
	else if (plane->nkeys > 0 && plane->result_bits == 0)
		memset(answers, true, n * sizeof(*answers));
	else
		ribbon_query_ask(plane, hashes, n, answers);
}
