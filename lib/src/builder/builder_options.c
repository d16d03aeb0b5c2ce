/*
 * builder_options.c - what a builder is to build
 */
#include "builder.h"

#include "base/threads.h"
#include "values/civil.h"

#include <stdlib.h>

#define DEFAULT_MEMORY ((uint64_t) 256 << 20)
#define LEAST_MEMORY   ((uint64_t) 16 << 20)

/* Where temporary files are made by default; Windows has another place. */
#ifndef RIBBON_TMP
#define RIBBON_TMP "/tmp"
#endif

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

/* May this option be set, to a value that is valid? */
static ribbon_status
check_option(const ribbon_builder *builder, const char *option, bool valid)
{
	if (builder->state != RIBBON_TAKES_OPTIONS)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"%s must be set before the first key", option);
	if (!valid)
		return ribbon_error_set(RIBBON_ERROR_OPTION, "invalid %s", option);
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_values(ribbon_builder *builder, ribbon_value_type value_type)
{
	ribbon_status status = check_option(builder, "type of values",
										(unsigned) value_type <
											RIBBON_KNOWN_VALUE_CLASSES);

	if (status == RIBBON_SUCCESS)
	{
		builder->params.values = &builder->values;
		builder->values.value_class = value_type;
	}
	return status;
}

ribbon_status
ribbon_builder_set_kind(ribbon_builder *builder, ribbon_kind kind)
{
	ribbon_status status = check_option(builder, "kind",
										(unsigned) kind <= RIBBON_KIND_EXACT);

	if (status == RIBBON_SUCCESS)
		builder->params.kind = (RibbonKind) kind;
	return status;
}

ribbon_status
ribbon_builder_set_exact_fpr(ribbon_builder *builder, double fpr)
{
	ribbon_status status = check_option(builder, "false-positive rate", true);

	if (status != RIBBON_SUCCESS)
		return status;
	if (!ribbon_is_fpr(fpr))
		return ribbon_error_set(RIBBON_ERROR_FPR,
								"the false-positive rate must be 2^-32 to 0.5, not %g",
								fpr);
	builder->params.fpr = fpr;
	builder->has_exact_fpr = true;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_as_of(ribbon_builder *builder, int64_t as_of)
{
	ribbon_status status = check_option(builder, "time",
										ribbon_civil_is_timestamp(as_of));

	if (status == RIBBON_SUCCESS)
	{
		builder->params.has_as_of = true;
		builder->params.as_of = as_of;
	}
	return status;
}

ribbon_status
ribbon_builder_set_width(ribbon_builder *builder, int width)
{
	ribbon_status status = check_option(builder, "ribbon width", true);

	if (status != RIBBON_SUCCESS)
		return status;
	if (width != 0 && width != 32 && width != 64 && width != 128)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"the ribbon width must be 32, 64 or 128, not %d",
								width);
	builder->params.width = width;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_code(ribbon_builder *builder, ribbon_code code)
{
	ribbon_status status = check_option(builder, "code",
										(unsigned) code <= RIBBON_VALUES_AUTO);

	if (status == RIBBON_SUCCESS)
		builder->values.coding = (RibbonCoding) code;
	return status;
}

ribbon_status
ribbon_builder_set_seed(ribbon_builder *builder, uint32_t seed)
{
	ribbon_status status = check_option(builder, "seed", true);

	if (status == RIBBON_SUCCESS)
		builder->values.seed = seed;
	return status;
}

ribbon_status
ribbon_builder_set_memory(ribbon_builder *builder, uint64_t bytes)
{
	ribbon_status status = check_option(builder, "memory", true);

	if (status != RIBBON_SUCCESS)
		return status;
	if (bytes < LEAST_MEMORY)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"the memory must be at least %d MB, not %llu bytes",
								(int) (LEAST_MEMORY >> 20),
								(unsigned long long) bytes);
	ribbon_tempfile_set_memory(&builder->file, bytes);
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_directory(ribbon_builder *builder, const char *directory)
{
	ribbon_status status = check_option(builder, "directory", true);
	char *copy = NULL;

	if (status != RIBBON_SUCCESS)
		return status;
	if (directory != NULL && directory[0] != '\0')
	{
		size_t size = strlen(directory) + 1;

		copy = malloc(size);
		if (copy == NULL)
			return ribbon_error_memory();
		memcpy(copy, directory, size);
	}
	free(builder->file.directory);
	builder->file.directory = copy;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_threads(ribbon_builder *builder, unsigned threads)
{
	ribbon_status status = check_option(builder, "number of threads", true);

	if (status != RIBBON_SUCCESS)
		return status;
	if (threads > RIBBON_MAX_THREADS)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"the number of threads must be at most %d, not %u",
								RIBBON_MAX_THREADS, threads);
	builder->threads = threads;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_progress(ribbon_builder *builder, ribbon_progress progress,
							void *arg)
{
	ribbon_status status = check_option(builder, "progress", true);

	if (status == RIBBON_SUCCESS)
	{
		builder->work.progress = progress;
		builder->work.progress_arg = arg;
	}
	return status;
}

/* Do the options go together? */
static ribbon_status
check_options(const ribbon_builder *builder)
{
	const RibbonParams *params = &builder->params;
	bool is_map = params->values != NULL;
	bool is_exact = ribbon_builder_is_exact(builder);

	if (is_map && params->kind != RIBBON_BURR)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"maps are of kind burr only");
	if (!is_map && builder->values.seed != 0)
		return ribbon_error_set(RIBBON_ERROR_OPTION, "only maps have a seed");
	if (!is_map && builder->values.coding != RIBBON_CODING_AUTO)
		return ribbon_error_set(RIBBON_ERROR_OPTION, "only maps have a code");
	if (params->has_as_of && !is_exact)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"only exact sets say as of when they are right");
	if (builder->has_exact_fpr && !is_exact)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"only exact sets have a rate for keys that are not listed");
	if (!is_map && !is_exact && params->fpr == 1)
		return ribbon_error_set(RIBBON_ERROR_FPR,
								"the false-positive rate of a filter must be 2^-32 to 0.5, not 1");
	return RIBBON_SUCCESS;
}

/* Fix what was left open, and open the set. */
static ribbon_status
open_set(ribbon_builder *builder)
{
	RibbonParams *params = &builder->params;
	ribbon_status status = RIBBON_SUCCESS;
	RibbonEnv env;

	if (builder->file.directory == NULL)
	{
		/* copied, for the program may change its environment */
		const char *directory = getenv("TMPDIR");
		bool is_set = directory != NULL && directory[0] != '\0';

		status = ribbon_builder_set_directory(builder,
											  is_set ? directory : RIBBON_TMP);
	}
	if (status != RIBBON_SUCCESS)
		return status;
	builder->work.nthreads = builder->threads > 0 ? builder->threads :
													ribbon_threads_cores();
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
			status = check_options(builder);
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
	ribbon_status status = RIBBON_SUCCESS;

	if (builder->state != RIBBON_TAKES_KEYS)
		status = ribbon_builder_begin(builder);
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
