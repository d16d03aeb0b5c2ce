/*
 * array_probe.c - are any, or all, elements of an array in this filter?
 *
 * A probe waits for memory, so the elements are hashed first and probed
 * together, a batch at a time; a batch that settles the answer is the last.
 * NULL elements are skipped: of no elements, none is in the filter, and all
 * are.  An array of several dimensions is as good as one of one.
 */
#include "ribbon_pg.h"

#include "access/tupmacs.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#define BATCH 256

PG_FUNCTION_INFO_V1(ribbon_contains_any);
PG_FUNCTION_INFO_V1(ribbon_contains_all);

/* The elements of an array that are still to come. */
typedef struct Elements
{
	const char *next;
	const bits8 *nulls; /* or NULL if there are none */
	int index;
	int count;
	int16 length;
	bool by_value;
	char align;
} Elements;

static bool find_answer(FunctionCallInfo fcinfo, bool wanted);
static void begin_elements(Elements *elements, ArrayType *array);
static size_t next_batch(Elements *elements, RibbonKeyType *key_type,
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
	Elements elements;
	uint64_t hashes[BATCH];
	bool answers[BATCH];
	size_t n;
	bool found = false;

	if (site->key_type.type != ARR_ELEMTYPE(array))
		ribbon_keyclass_decide(&site->key_type, ARR_ELEMTYPE(array),
							   PG_GET_COLLATION(), fcinfo->flinfo->fn_mcxt);

	begin_elements(&elements, array);
	do
	{
		CHECK_FOR_INTERRUPTS();
		n = next_batch(&elements, &site->key_type, hashes);
		ribbon_probe_hashes(site, PG_GETARG_DATUM(0), hashes, n, answers);
		for (size_t i = 0; i < n && !found; i++)
			found = answers[i] == wanted;
	} while (!found && n == BATCH);

	PG_FREE_IF_COPY(array, 1);
	return found;
}

static void
begin_elements(Elements *elements, ArrayType *array)
{
	elements->next = ARR_DATA_PTR(array);
	elements->nulls = ARR_NULLBITMAP(array);
	elements->index = 0;
	elements->count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &elements->length,
						 &elements->by_value, &elements->align);
}

/* Hash up to BATCH elements; fewer if there are no more. */
static size_t
next_batch(Elements *elements, RibbonKeyType *key_type, uint64_t *hashes)
{
	const char *next = elements->next;
	size_t n = 0;

	for (; n < BATCH && elements->index < elements->count; elements->index++)
	{
		Datum element;

		if (elements->nulls != NULL &&
			att_isnull(elements->index, elements->nulls))
			continue;
		element = fetch_att(next, elements->by_value, elements->length);
		hashes[n++] = ribbon_keyhash_row(key_type, element);
		next = att_addlength_pointer(next, elements->length, next);
		next = (const char *) att_align_nominal(next, elements->align);
	}
	elements->next = next;
	return n;
}
