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

#define LEAST_MEMORY ((uint64_t) 16 << 20)

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
	builder->work.nthreads = threads;
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

ribbon_status
ribbon_builder_check_options(const ribbon_builder *builder)
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
