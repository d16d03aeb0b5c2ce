/*
 * array_probe.c - are any, or all, elements of an array in this filter?
 *
 * A probe waits for memory, so the elements are hashed first and probed
 * together, a batch at a time; a batch that settles the answer is the last.
 * NULL elements are skipped: of no elements, none is in the filter, and all
 * are.  An array of several dimensions is as good as one of one.
 */
#include "ribbon_pg.h"

#include "miscadmin.h"
#include "utils/array.h"

#define BATCH 256

PG_FUNCTION_INFO_V1(ribbon_contains_any);
PG_FUNCTION_INFO_V1(ribbon_contains_all);

static bool find_answer(FunctionCallInfo fcinfo, bool wanted);
static size_t next_batch(ArrayIterator elements, RibbonKeyType *key_type,
						 uint64_t *hashes);

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

/* Is there an element for which the filter's answer is the wanted one? */
static bool
find_answer(FunctionCallInfo fcinfo, bool wanted)
{
	RibbonProbeSite *site = ribbon_probe_site(fcinfo);
	ArrayType *array = PG_GETARG_ARRAYTYPE_P(1);
	ArrayIterator elements;
	uint64_t hashes[BATCH];
	bool answers[BATCH];
	size_t n;
	bool found = false;

	if (site->key_type.type != ARR_ELEMTYPE(array))
		ribbon_keyclass_decide(&site->key_type, ARR_ELEMTYPE(array),
							   PG_GET_COLLATION(), fcinfo->flinfo->fn_mcxt);

	elements = array_create_iterator(array, 0, NULL);
	do
	{
		CHECK_FOR_INTERRUPTS();
		n = next_batch(elements, &site->key_type, hashes);
		ribbon_probe_hashes(site, PG_GETARG_DATUM(0), hashes, n, answers);
		for (size_t i = 0; i < n && !found; i++)
			found = answers[i] == wanted;
	} while (!found && n == BATCH);
	array_free_iterator(elements);

	PG_FREE_IF_COPY(array, 1);
	return found;
}

/* Hash up to BATCH elements; 0 if there are no more. */
static size_t
next_batch(ArrayIterator elements, RibbonKeyType *key_type, uint64_t *hashes)
{
	size_t n = 0;
	Datum element;
	bool isnull;

	while (n < BATCH && array_iterate(elements, &element, &isnull))
		if (!isnull)
			hashes[n++] = ribbon_keyhash_value(key_type, element);

	return n;
}
