/*
 * builder_finish.c - from what was collected to the bytes of a filter or map
 */
#include "builder.h"

#include <stdlib.h>

/* What has been done of a build when these begin; the rest is solving. */
#define SEAL_BEGINS	 0.05
#define SOLVE_BEGINS 0.35

/* Free what has been collected. */
static void
free_collected(ribbon_builder *builder)
{
	ribbon_set_close(&builder->set);
	ribbon_tempfile_close(&builder->file);
	ribbon_texts_free(&builder->texts, &ribbon_malloc_env);
}

void
ribbon_builder_free(ribbon_builder *builder)
{
	if (builder == NULL)
		return;
	free_collected(builder);
	free(builder);
}

/* A set in a file takes a while to be sorted, before the rest. */
static RibbonStatus
build_bytes(ribbon_builder *builder, void **bytes, size_t *size)
{
	RibbonWork *work = &builder->work;
	RibbonSet *set = &builder->set;
	uint8_t *built = NULL;
	RibbonStatus status = RIBBON_OK;

	work->span = 1;
	if (set->in_file)
	{
		work->begin = SEAL_BEGINS;
		work->span = SOLVE_BEGINS - SEAL_BEGINS;
		status = ribbon_set_seal(set);
		work->begin = SOLVE_BEGINS;
		work->span = 1 - SOLVE_BEGINS;
	}
	if (status == RIBBON_OK)
		status = ribbon_build(&set->env, &builder->params, set, 0, &built,
							  size);
	*bytes = status == RIBBON_OK ? built : NULL;
	return status;
}

ribbon_status
ribbon_builder_finish(ribbon_builder *builder, void **bytes, size_t *size)
{
	ribbon_status status = ribbon_builder_begin(builder);

	if (status != RIBBON_SUCCESS)
		return status;
	builder->state = RIBBON_FINISHED;
	if (builder->params.values != NULL)
		status = ribbon_builder_set_codes(builder);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_judge(builder,
									  build_bytes(builder, bytes, size));
	free((void *) builder->values.dictionary);
	free_collected(builder);
	return status;
}

void
ribbon_bytes_free(void *bytes)
{
	free(bytes);
}

uint64_t
ribbon_expected_size(uint64_t nkeys, double fpr)
{
	RibbonParams params = {.kind = RIBBON_BURR, .fpr = fpr};

	if (ribbon_params_check(&params) != RIBBON_OK || nkeys > RIBBON_MAX_KEYS)
		return 0;
	return ribbon_expected_bytes(&params, nkeys);
}
