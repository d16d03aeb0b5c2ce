/*
 * builder_options.c - what a builder is to build
 */
#include "builder.h"

#include "base/threads.h"
#include "values/civil.h"

#include <stdlib.h>

/* Kinds, codes and types of values have the numbers of the core. */
#define SAME(ours, core) \
	_Static_assert((int) (ours) == (int) (core), #ours " is " #core)
SAME(RIBBON_KIND_BURR, RIBBON_BURR);
SAME(RIBBON_KIND_HOMOGENEOUS, RIBBON_HOMOGENEOUS);
SAME(RIBBON_KIND_AUTO, RIBBON_AUTO);
SAME(RIBBON_KIND_EXACT, RIBBON_EXACT);
SAME(RIBBON_VALUES_PLAIN, RIBBON_CODING_PLAIN);
SAME(RIBBON_VALUES_ENTROPY, RIBBON_CODING_ENTROPY);
SAME(RIBBON_VALUES_AUTO, RIBBON_CODING_AUTO);
SAME(RIBBON_VALUE_TEXT, RIBBON_VALUES_DICTIONARY);
SAME(RIBBON_VALUE_BOOL, RIBBON_VALUES_BOOL);
SAME(RIBBON_VALUE_INT16, RIBBON_VALUES_INT2);
SAME(RIBBON_VALUE_INT32, RIBBON_VALUES_INT4);
SAME(RIBBON_VALUE_INT64, RIBBON_VALUES_INT8);
SAME(RIBBON_VALUE_DATE, RIBBON_VALUES_DATE);
SAME(RIBBON_VALUE_TIMESTAMP, RIBBON_VALUES_TIMESTAMP);
SAME(RIBBON_VALUE_TIMESTAMPTZ, RIBBON_VALUES_TIMESTAMPTZ);

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

/* May this option be set, to a valid value?  If not: RIBBON_ERROR_OPTION. */
static bool
may_set(const ribbon_builder *builder, const char *option, bool valid)
{
	bool early = builder->state == RIBBON_TAKES_OPTIONS;

	if (!early || !valid)
		(void) ribbon_error_set(RIBBON_ERROR_OPTION,
								early ? "invalid %s" :
										"%s must be set before the first key",
								option);
	return early && valid;
}

ribbon_status
ribbon_builder_set_values(ribbon_builder *builder, ribbon_value_type value_type)
{
	if (!may_set(builder, "type of values",
				 (unsigned) value_type < RIBBON_KNOWN_VALUE_CLASSES))
		return RIBBON_ERROR_OPTION;
	builder->params.values = &builder->values;
	builder->values.value_class = value_type;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_kind(ribbon_builder *builder, ribbon_kind kind)
{
	if (!may_set(builder, "kind", (unsigned) kind <= RIBBON_KIND_EXACT))
		return RIBBON_ERROR_OPTION;
	builder->params.kind = (RibbonKind) kind;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_exact_fpr(ribbon_builder *builder, double fpr)
{
	if (!may_set(builder, "false-positive rate", true))
		return RIBBON_ERROR_OPTION;
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
	if (!may_set(builder, "time", ribbon_civil_is_timestamp(as_of)))
		return RIBBON_ERROR_OPTION;
	builder->params.has_as_of = true;
	builder->params.as_of = as_of;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_width(ribbon_builder *builder, int width)
{
	if (!may_set(builder, "ribbon width", true))
		return RIBBON_ERROR_OPTION;
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
	if (!may_set(builder, "code", (unsigned) code <= RIBBON_VALUES_AUTO))
		return RIBBON_ERROR_OPTION;
	builder->values.coding = (RibbonCoding) code;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_seed(ribbon_builder *builder, uint32_t seed)
{
	if (!may_set(builder, "seed", true))
		return RIBBON_ERROR_OPTION;
	builder->values.seed = seed;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_memory(ribbon_builder *builder, uint64_t bytes)
{
	if (!may_set(builder, "memory", true))
		return RIBBON_ERROR_OPTION;
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
	char *copy = NULL;

	if (!may_set(builder, "directory", true))
		return RIBBON_ERROR_OPTION;
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
	if (!may_set(builder, "number of threads", true))
		return RIBBON_ERROR_OPTION;
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
	if (!may_set(builder, "progress", true))
		return RIBBON_ERROR_OPTION;
	builder->work.progress = progress;
	builder->work.progress_arg = arg;
	return RIBBON_SUCCESS;
}

/* Do the options go together? */
static ribbon_status
check_options(const ribbon_builder *builder)
{
	const RibbonParams *params = &builder->params;
	bool is_map = params->values != NULL;
	bool is_exact = ribbon_builder_is_exact(builder);
	const char *wrong = NULL;

	if (is_map && params->kind != RIBBON_BURR)
		wrong = "maps are of kind burr only";
	else if (!is_map && builder->values.seed != 0)
		wrong = "only maps have a seed";
	else if (!is_map && builder->values.coding != RIBBON_CODING_AUTO)
		wrong = "only maps have a code";
	else if (params->has_as_of && !is_exact)
		wrong = "only exact sets say as of when they are right";
	else if (builder->has_exact_fpr && !is_exact)
		wrong = "only exact sets have a rate for keys that are not listed";
	if (wrong != NULL)
		return ribbon_error_set(RIBBON_ERROR_OPTION, "%s", wrong);
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

		if (directory == NULL || directory[0] == '\0')
			directory = RIBBON_TMP;
		status = ribbon_builder_set_directory(builder, directory);
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
