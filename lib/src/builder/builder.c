/*
 * builder.c - a builder from its first call to its last: options, keys, bytes
 */
#include "builder.h"

#include "base/threads.h"

#include <stdlib.h>

#define DEFAULT_MEMORY ((uint64_t) 256 << 20)

/* Where temporary files are made by default; Windows has another place. */
#ifndef RIBBON_TMP
#define RIBBON_TMP "/tmp"
#endif

/* What has been done of a build when these begin; the rest is solving. */
#define SEAL_BEGINS	 0.05
#define SOLVE_BEGINS 0.35

ribbon_status
ribbon_builder_new(ribbon_builder **builder, int key_type, double fpr)
{
	ribbon_builder *made;

	if (ribbon_key_type_name(key_type) == NULL)
		return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
								"there is no type of keys %d", key_type);
	if (!ribbon_is_fpr(fpr) && fpr != 1)
		return ribbon_error_set(RIBBON_ERROR_FPR,
								"the false-positive rate must be 2^-32 to 0.5, not %g; of a map it may be 1",
								fpr);
	made = calloc(1, sizeof(ribbon_builder));
	if (made == NULL)
		return ribbon_error_memory();
	made->params.key_class = key_type;
	made->typed = key_type != RIBBON_KEY_ANY;
	made->params.fpr = fpr;
	made->values.coding = RIBBON_CODING_AUTO;
	ribbon_tempfile_init(&made->file);
	ribbon_tempfile_set_memory(&made->file, DEFAULT_MEMORY);
	*builder = made;
	return RIBBON_SUCCESS;
}

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

/* Fix what was left open, and open the set. */
static ribbon_status
open_set(ribbon_builder *builder)
{
	RibbonParams *params = &builder->params;
	RibbonEnv env;

	if (builder->file.directory == NULL)
	{
		/* copied, for the program may change its environment */
		const char *directory = getenv("TMPDIR");
		ribbon_status status;

		if (directory == NULL || directory[0] == '\0')
			directory = RIBBON_TMP;
		status = ribbon_builder_set_directory(builder, directory);
		if (status != RIBBON_SUCCESS)
			return status;
	}
	if (builder->work.nthreads == 0)
		builder->work.nthreads = ribbon_threads_cores();
	env = ribbon_work_env(&builder->work);
	builder->set = ribbon_set_growing(&env, ribbon_params_elements(params));
	ribbon_set_limit(&builder->set, builder->file.file.sort_words,
					 &builder->file.file);
	if (ribbon_builder_is_exact(builder) && !builder->has_exact_fpr)
		params->fpr = 1;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_begin(ribbon_builder *builder)
{
	ribbon_status status;

	switch (builder->state)
	{
		case RIBBON_TAKES_OPTIONS:
			status = ribbon_builder_check_options(builder);
			if (status == RIBBON_SUCCESS)
				status = open_set(builder);
			if (status == RIBBON_SUCCESS)
				builder->state = RIBBON_TAKES_KEYS;
			return status;
		case RIBBON_TAKES_KEYS:
			return RIBBON_SUCCESS;
		case RIBBON_LOST_KEYS:
			return ribbon_error_set(builder->broken_by,
									"the builder has lost keys, for an earlier call failed");
		default:
			return ribbon_error_set(RIBBON_ERROR_OPTION,
									"the builder has been finished");
	}
}

ribbon_status
ribbon_builder_begin_keys(ribbon_builder *builder, int key_type, size_t n)
{
	ribbon_status status = builder->state == RIBBON_TAKES_KEYS ?
		RIBBON_SUCCESS :
		ribbon_builder_begin(builder);

	if (status != RIBBON_SUCCESS)
		return status;
	if (!builder->typed && builder->count == 0 && key_type != RIBBON_KEY_NONE &&
		(n > 0 || builder->params.key_class == RIBBON_KEY_ANY))
	{
		if (ribbon_key_type_name(key_type) == NULL)
			return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
									"there is no type of keys %d", key_type);
		builder->params.key_class = key_type;
	}
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_judge(ribbon_builder *builder, RibbonStatus status)
{
	if (status == RIBBON_BAD_FILE && builder->file.has_failed)
		return ribbon_tempfile_error(&builder->file);
	return status == RIBBON_CONFLICT ?
		ribbon_builder_remember_conflict(builder) :
		ribbon_error_core(status);
}

uint64_t
ribbon_builder_count(const ribbon_builder *builder)
{
	return builder->count;
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
