/*
 * arrayprobe.c - are any, or all, elements of an array in this filter?
 *
 * A probe waits for memory, so the elements are hashed first and probed
 * together, a batch at a time; a batch that settles the answer is the last.
 * NULL elements are skipped: of no elements, none is in the filter, and all
 * are.
 *
 * Rows, whose columns may differ from one to the next, are probed one by one.
 */
#include "probing/probesite.h"

#include "key/elements.h"
#include "miscadmin.h"

/* Hash a batch of elements that are not NULL; fewer if there are no more. */
static size_t
next_batch(RibbonElements *elements, RibbonKeyHasher *hasher, uint64_t *hashes)
{
	RibbonElements after = *elements;
	size_t n = 0;
	Datum element;
	bool is_null;

	for (; n < RIBBON_ARRAY_PROBES &&
		 ribbon_elements_next(&after, &element, &is_null);
		 *elements = after)
	{
		if (is_null)
			continue;
		if (!ribbon_keyhash_add_to_batch(hasher, element, n, &hashes[n]))
			break;
		n++;
	}
	return n;
}

/* Look the next elements up, which are a batch, and return their number. */
static size_t
probe_batch(RibbonProbeSite *site, Datum filter, RibbonElements *elements,
			bool *answers)
{
	uint64_t hashes[RIBBON_ARRAY_PROBES];
	RibbonElements begin = *elements;
	size_t n;

	do
	{
		*elements = begin;
		n = next_batch(elements, &site->hasher, hashes);
	} while (!ribbon_contains_hashes(site, filter, hashes, n, answers));
	return n;
}

/* Is there an element for which the filter's answer is the wanted one? */
static bool
find_answer(FunctionCallInfo fcinfo, bool wanted)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, RIBBON_SQL_FILTER,
													 sizeof(*site));
	RibbonKeyHasher *hasher = &site->hasher;
	ArrayType *array = PG_GETARG_ARRAYTYPE_P(1);
	RibbonElements elements;
	bool answers[RIBBON_ARRAY_PROBES];
	size_t n;
	bool found = false;

	ribbon_keyhash_begin_array(hasher, ARR_ELEMTYPE(array), PG_GET_COLLATION(),
							   site->context);
	ribbon_elements_begin(&elements, array, &hasher->type);
	do
	{
		CHECK_FOR_INTERRUPTS();
		n = probe_batch(site, PG_GETARG_DATUM(0), &elements, answers);
		for (size_t i = 0; i < n && !found; i++)
			found = answers[i] == wanted;
	} while (!found && elements.index < elements.count);

	PG_FREE_IF_COPY(array, 1);
	return found;
}

RIBBON_SQL_FUNCTION(ribbon_contains_any,
					BoolGetDatum(find_answer(fcinfo, true)));
RIBBON_SQL_FUNCTION(ribbon_contains_all,
					BoolGetDatum(!find_answer(fcinfo, false)));
