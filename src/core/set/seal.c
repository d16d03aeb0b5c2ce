/*
 * seal.c - sort a set and drop its duplicates; close a set
 */
#include "set/blocks.h"
#include "set/sort.h"

/* What is in an array is sorted there. */
static RibbonStatus
seal_array(RibbonSet *set)
{
	size_t n = (size_t) set->n;
	RibbonStatus status = set->n > SIZE_MAX ?
		RIBBON_OUT_OF_MEMORY :
		ribbon_distinct(&set->env, set->kind, set->array, &n, set->conflict);

	set->n = n;
	set->narray = n * ribbon_set_stride(set);
	return status;
}

RibbonStatus
ribbon_set_seal(RibbonSet *set)
{
	RibbonStatus status = RIBBON_OK;

	if (set->sealed)
		return RIBBON_OK;
	if (set->in_file)
		status = ribbon_set_flush(set);
	if (status == RIBBON_OK)
		status = set->in_file ? ribbon_blocks_seal(set) : seal_array(set);
	set->sealed = status == RIBBON_OK;
	return status;
}

void
ribbon_set_release(RibbonSet *set)
{
	for (uint32_t i = 0; set->parts != NULL && i < RIBBON_SET_PARTS; i++)
		ribbon_blocks_drop(set, &set->parts[i], 0);
	/* an error may have left it unsplit */
	ribbon_blocks_drop(set, &set->whole, 0);
}

void
ribbon_set_close(RibbonSet *set)
{
	for (uint32_t i = 0; set->parts != NULL && i < RIBBON_SET_PARTS; i++)
		ribbon_blocks_free(set, &set->parts[i]);
	ribbon_free(&set->env, set->parts);
	ribbon_blocks_free(set, &set->whole);
	if (!set->borrowed)
		ribbon_free(&set->env, set->array);
	memset(set, 0, sizeof(*set));
}
