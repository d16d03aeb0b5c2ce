/*
 * distinct.c - sorting hashes in memory, in one array or several at once
 */
#include "server/server.h"

#include "miscadmin.h"

/* What the tasks of ribbon_distinct_arrays share. */
typedef struct Arrays
{
	uint64_t **arrays;
	size_t *sizes;
} Arrays;

void
ribbon_distinct_array(uint64_t *hashes, size_t *n)
{
	RibbonEnv env = ribbon_env_create();
	RibbonStatus status = ribbon_distinct(&env, hashes, n);

	if (status != RIBBON_OK)
		ribbon_error_throw(status);
}

/* A task. */
static RibbonStatus
distinct_array(const RibbonEnv *env, void *arg, unsigned i)
{
	Arrays *arrays = arg;

	return ribbon_distinct(env, arrays->arrays[i], &arrays->sizes[i]);
}

bool
ribbon_distinct_arrays(uint64_t **arrays, size_t *sizes, unsigned narrays)
{
	Arrays all = {arrays, sizes};
	RibbonStatus status;

	if (narrays == 1)
	{
		ribbon_distinct_array(arrays[0], &sizes[0]);
		return true;
	}
	status = ribbon_threads_run(narrays, distinct_array, &all);
	CHECK_FOR_INTERRUPTS();
	if (status != RIBBON_OK && status != RIBBON_INTERRUPTED)
		ribbon_error_throw(status);
	return status == RIBBON_OK;
}
