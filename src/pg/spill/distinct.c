/*
 * distinct.c - sorting hashes or records, in one array or several at once
 */
#include "spill/spill.h"

#include "miscadmin.h"

/* Two records of one hash and different values: a conflict. */
typedef uint64_t Conflict[2 * RIBBON_RECORD_WORDS];

/* What the tasks of ribbon_distinct_arrays share. */
typedef struct Arrays
{
	const RibbonRecords *records;
	uint64_t **arrays;
	size_t *sizes;
	Conflict *conflicts; /* of each array */
} Arrays;

/* Sort words[0..*n) and drop duplicates; RIBBON_CONFLICT fills in conflict. */
static RibbonStatus
sort_distinct(const RibbonEnv *env, const RibbonRecords *records,
			  uint64_t *words, size_t *n, Conflict conflict)
{
	RibbonStatus status;

	*n /= records->words;
	status = ribbon_distinct(env, records->kind, words, n, conflict);
	*n *= records->words;
	return status;
}

pg_noreturn static void
throw_status(RibbonStatus status, const RibbonRecords *records,
			 const Conflict conflict)
{
	if (status == RIBBON_CONFLICT)
		records->conflict(records->arg, conflict);
	ribbon_error_throw(RIBBON_SQL_FILTER, status);
}

void
ribbon_distinct_array(const RibbonRecords *records, uint64_t *words, size_t *n)
{
	RibbonEnv env = ribbon_env_create();
	Conflict conflict;
	RibbonStatus status = sort_distinct(&env, records, words, n, conflict);

	if (status != RIBBON_OK)
		throw_status(status, records, conflict);
}

/* A RibbonTask: sort array i. */
static RibbonStatus
distinct_array(const RibbonEnv *env, void *arg, unsigned i)
{
	Arrays *arrays = arg;

	return sort_distinct(env, arrays->records, arrays->arrays[i],
						 &arrays->sizes[i], arrays->conflicts[i]);
}

bool
ribbon_distinct_arrays(const RibbonRecords *records, uint64_t **arrays,
					   size_t *sizes, unsigned narrays)
{
	Conflict conflicts[RIBBON_MAX_DISTINCT_ARRAYS] = {0};
	Arrays all = {records, arrays, sizes, conflicts};
	RibbonStatus status;

	if (narrays == 1)
	{
		ribbon_distinct_array(records, arrays[0], &sizes[0]);
		return true;
	}
	status = ribbon_threads_run(narrays, distinct_array, &all);
	CHECK_FOR_INTERRUPTS();
	for (unsigned i = 0; status == RIBBON_CONFLICT && i < narrays; i++)
		if (conflicts[i][1] != conflicts[i][3])
			throw_status(status, records, conflicts[i]);
	if (status != RIBBON_OK && status != RIBBON_INTERRUPTED)
		ribbon_error_throw(RIBBON_SQL_FILTER, status);
	return status == RIBBON_OK;
}
