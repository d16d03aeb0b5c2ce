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
#include "probe/plan.h"

#include "base/hash.h"
#include "probe/batch.h"

#include <string.h>

/* The second plane has the uppermost bits. */
static bool
get_from_both(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	const RibbonPlan *second = ribbon_plan_next(plan);
	uint64_t high;

	if (!plan->find(plan, hash, code))
		return false;
	second->find(second, hash, &high);
	*code |= high << plan->plane.value_bits;
	return true;
}

/* Contains, of an exact set whose only plane is a column. */
static bool
find_by_bit(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	uint64_t bit;

	(void) code;
	(void) plan->find(plan, hash, &bit);
	return bit != 0;
}

/* Of an exact set with a filter of the members, then a column. */
static bool
find_exactly(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	return plan->find(plan, hash, code) &&
		find_by_bit(ribbon_plan_next(plan), hash, code);
}

/* The same of bits that are masked. */
static bool
find_by_masked_bit(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	return find_by_bit(plan, hash, code) != ribbon_hash_mask(hash);
}

static bool
find_at_rate(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	return plan->find(plan, hash, code) &&
		find_by_masked_bit(ribbon_plan_next(plan), hash, code);
}

/* Of an inverted exact set, with a filter of the keys that are not members. */
static bool
find_unless_stored(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	return !plan->find(plan, hash, code);
}

/* Of an inverted exact set with such a filter, then a column. */
static bool
find_unless_both(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	return !plan->find(plan, hash, code) ||
		find_by_bit(ribbon_plan_next(plan), hash, code);
}

/* How to probe an exact set. */
static RibbonFind *
find_of_exact(const RibbonFilter *filter, const RibbonPlan *plan)
{
	bool is_inverted = filter->is_inverted;

	if (plan->plane.value_bits > 0)
		return filter->has_rate ? find_by_masked_bit : find_by_bit;
	if (plan->plane.next > 0)
		return filter->has_rate ? find_at_rate :
			is_inverted			? find_unless_both :
								  find_exactly;
	return is_inverted ? find_unless_stored : plan->find;
}

void
ribbon_filter_prepare(RibbonFilter *filter)
{
	const RibbonPlan *plan = ribbon_plan(filter);

	filter->contains = filter->is_exact ? find_of_exact(filter, plan) :
										  plan->find;
	filter->get = plan->plane.codes > 0			   ? ribbon_coded_get :
		filter->has_values && plan->plane.next > 0 ? get_from_both :
													 filter->contains;
}

/* Put the uppermost bits, which the second plane has, above those of codes. */
static void
add_high_bits(const RibbonPlan *first, const uint64_t *hashes, unsigned n,
			  uint64_t *codes)
{
	bool found[RIBBON_ROUND];
	uint64_t high[RIBBON_ROUND];

	ribbon_batches_find(ribbon_plan_next(first), hashes, n, found, high);
	for (unsigned i = 0; i < n; i++)
		codes[i] |= high[i] << first->plane.value_bits;
}

/*
 * Look up n hashes in a map.  codes may be NULL: then planes behind the first,
 * which have no check bits, are not read.
 */
static void
get_batches(const RibbonPlan *plan, const uint64_t *hashes, size_t n,
			bool *found, uint64_t *codes)
{
	uint64_t buffer[RIBBON_ROUND];

	for (size_t i = 0; i < n; i += RIBBON_ROUND)
	{
		unsigned nhashes = (unsigned) ribbon_min64(n - i, RIBBON_ROUND);

		ribbon_batches_find(plan, hashes + i, nhashes, found + i,
							codes == NULL ? buffer : codes + i);
		if (codes == NULL)
			continue;
		if (plan->plane.codes > 0)
			ribbon_coded_finish(plan, hashes + i, nhashes, found + i,
								codes + i);
		else if (plan->plane.next > 0)
			add_high_bits(plan, hashes + i, nhashes, codes + i);
	}
}

/* The bits that a column, masked or not, has for n hashes. */
static void
contains_by_bits(const RibbonPlan *plan, bool masked, const uint64_t *hashes,
				 size_t n, bool *answers)
{
	uint64_t codes[RIBBON_ROUND];

	for (size_t i = 0; i < n; i += RIBBON_ROUND)
	{
		unsigned nhashes = (unsigned) ribbon_min64(n - i, RIBBON_ROUND);

		ribbon_batches_find(plan, hashes + i, nhashes, answers + i, codes);
		for (unsigned k = 0; k < nhashes; k++)
			answers[i + k] = codes[k] !=
				(masked ? ribbon_hash_mask(hashes[i + k]) : 0);
	}
}

/*
 * Probe the filter, then the column for those of the hashes that pass.  If it
 * is inverted, the others are members.
 */
static void
contains_in_both(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
				 bool *answers)
{
	const RibbonPlan *plan = ribbon_plan(filter);
	bool turned_away = filter->is_inverted;
	uint64_t passed[RIBBON_ROUND];
	bool bits[RIBBON_ROUND + 1];
	size_t npassed = 0;

	ribbon_batches_find(plan, hashes, n, answers, NULL);
	for (size_t i = 0; i < n; i++)
	{
		passed[npassed] = hashes[i];
		npassed += answers[i];
	}
	bits[npassed] = false;
	contains_by_bits(ribbon_plan_next(plan), filter->has_rate, passed, npassed,
					 bits);
	for (size_t i = 0, k = 0; i < n; i++)
	{
		bool bit = bits[k] & answers[i];

		k += answers[i];
		answers[i] = bit | (turned_away & !answers[i]);
	}
}

static void
contains_in_exact(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
				  bool *answers)
{
	const RibbonPlan *plan = ribbon_plan(filter);

	if (plan->plane.value_bits > 0)
		contains_by_bits(plan, filter->has_rate, hashes, n, answers);
	else if (plan->plane.next > 0)
		for (size_t i = 0; i < n; i += RIBBON_ROUND)
			contains_in_both(filter, hashes + i,
							 (size_t) ribbon_min64(n - i, RIBBON_ROUND),
							 answers + i);
	else
	{
		ribbon_batches_find(plan, hashes, n, answers, NULL);
		for (size_t i = 0; filter->is_inverted && i < n; i++)
			answers[i] = !answers[i];
	}
}

void
ribbon_contains_batch(const RibbonFilter *filter, const uint64_t *hashes,
					  size_t n, bool *answers)
{
	const RibbonPlan *plan = ribbon_plan(filter);

	if (filter->has_values)
		get_batches(plan, hashes, n, answers, NULL);
	else if (filter->is_exact)
		contains_in_exact(filter, hashes, n, answers);
	else
		ribbon_batches_find(plan, hashes, n, answers, NULL);
}

void
ribbon_get_batch(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
				 bool *answers, uint64_t *codes)
{
	if (filter->fetch != NULL) /* a slice costs more than all else */
		for (size_t i = 0; i < n; i++)
			answers[i] = ribbon_get(filter, hashes[i], &codes[i]);
	else if (filter->has_values)
		get_batches(ribbon_plan(filter), hashes, n, answers, codes);
	else
	{
		ribbon_contains_batch(filter, hashes, n, answers);
		memset(codes, 0, n * sizeof(*codes));
	}
}
