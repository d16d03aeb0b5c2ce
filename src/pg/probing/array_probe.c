/*
 * array_probe.c - are any, or all, elements of an array in this filter?
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

#define BATCH 256

PG_FUNCTION_INFO_V1(ribbon_contains_any);
PG_FUNCTION_INFO_V1(ribbon_contains_all);

/* Hash up to BATCH elements that are not NULL; fewer if there are no more. */
static size_t
next_batch(RibbonElements *elements, RibbonKeyHasher *hasher, uint64_t *hashes)
{
	RibbonElements after = *elements;
	size_t n = 0;
	Datum element;
	bool is_null;

	while (n < BATCH && ribbon_elements_next(&after, &element, &is_null))
	{
		if (!is_null &&
			!ribbon_keyhash_in_batch(hasher, element, n, &hashes[n]))
			break;
		n += !is_null;
		*elements = after;
	}
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
	uint64_t hashes[BATCH];
	bool answers[BATCH];
	size_t n;
	bool found = false;

	hasher->takes_arrays = true;
	if (!hasher->has_type || hasher->type.type != ARR_ELEMTYPE(array))
		ribbon_keyhash_set_type(hasher, ARR_ELEMTYPE(array), PG_GET_COLLATION(),
								fcinfo->flinfo->fn_mcxt);
	else
		ribbon_keyhash_forget(hasher); /* there may be no element */

	ribbon_elements_begin(&elements, array, &hasher->type);
	do
	{
		RibbonElements batch = elements;

		CHECK_FOR_INTERRUPTS();
		do
		{
			elements = batch;
			n = next_batch(&elements, hasher, hashes);
		} while (!ribbon_probe_hashes(site, PG_GETARG_DATUM(0), hashes, n,
									  answers));
		for (size_t i = 0; i < n && !found; i++)
			found = answers[i] == wanted;
	} while (!found && elements.index < elements.count);

	PG_FREE_IF_COPY(array, 1);
	return found;
}

Datum
ribbon_contains_any(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(find_answer(fcinfo, true));
}

Datum
ribbon_contains_all(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!find_answer(fcinfo, false));
}
