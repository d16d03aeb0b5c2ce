/*
 * build.c - ribbon build, ribbon map, ribbon exact: from records to bytes
 */
#include "command.h"

#include "chain.h"
#include "conflict.h"
#include "command/files/fields.h"
#include "command/files/output.h"
#include "command/files/progress.h"

#include <stdlib.h>

/* Records between two looks at the clock. */
#define STEP 4096

typedef struct Build
{
	const Options *options;
	Chain chain; /* of exact sets that this one corrects */
	ribbon_builder *builder;
	Fields fields;
	Kept *kept; /* of each file that was begun, if there are values */
	int nkept;
	Progress progress;

	size_t n; /* keys of an exact set that are not added yet */
	ribbon_key keys[BATCH];
	bool members[BATCH];
} Build;

static ribbon_builder *
new_builder(const Options *options, Progress *progress)
{
	const BuildOptions *build = &options->build;
	const OutputOptions *output = &options->output;
	bool is_exact = options_are_of(options, OF_EXACT);
	ribbon_builder *builder;

	need_success(ribbon_builder_new(&builder, options->input.key_type,
									is_exact ? 1 : output->fpr));
	if (options_are_of(options, OF_MAP))
		need_success(ribbon_builder_set_values(builder,
											   options->input.value_type));
	need_success(ribbon_builder_set_kind(builder, (ribbon_kind) build->kind));
	need_success(ribbon_builder_set_code(builder, (ribbon_code) build->code));
	need_success(ribbon_builder_set_width(builder, (int) build->width));
	need_success(ribbon_builder_set_seed(builder, build->seed));
	need_success(ribbon_builder_set_threads(builder, build->threads));
	need_success(ribbon_builder_set_progress(builder, progress_build,
											 progress));
	if (build->has_memory)
		need_success(ribbon_builder_set_memory(builder, build->memory));
	if (is_exact && output->has_fpr)
		need_success(ribbon_builder_set_exact_fpr(builder, output->fpr));
	if (build->has_as_of)
		need_success(ribbon_builder_set_as_of(builder, build->as_of));
	if (build->directory != NULL)
		need_success(ribbon_builder_set_directory(builder, build->directory));
	return builder;
}

static ribbon_status
add_value(ribbon_builder *builder, ribbon_key key, const Value *value,
		  ribbon_value_type type)
{
	if (value->is_null)
		return ribbon_builder_add_null_value(builder, key);
	if (type == RIBBON_VALUE_TEXT)
		return ribbon_builder_add_text_value(builder, key, value->text.text,
											 value->text.size);
	return ribbon_builder_add_int64_value(builder, key, value->number);
}

/* RIBBON_SUCCESS, or the end with what is wrong. */
static void
need_built(const Build *build, ribbon_status status)
{
	if (status == RIBBON_ERROR_CONFLICT)
		die_of_conflict(build->options, build->builder, build->kept,
						build->nkept);
	need_success(status);
}

/* Add the keys that are collected, as the chain has to be corrected. */
static void
add_members(Build *build)
{
	ribbon_keys *keys = need(ribbon_keys_hashed(build->keys, build->n));

	chain_correct(&build->chain, keys, build->members, build->n);
	need_built(build,
			   ribbon_builder_add_members(build->builder, keys,
										  build->members));
	ribbon_keys_free(keys);
	build->n = 0;
}

/* The key of a record, with what else it has. */
static ribbon_status
add_record(Build *build, Reader *reader, const Record *record)
{
	const Options *options = build->options;
	ribbon_key key;
	Value value;

	if (!fields_key(&build->fields, reader, record, &key))
		return RIBBON_SUCCESS;
	if (!options->input.has_values)
		return ribbon_builder_add(build->builder, key);
	value = fields_value(&build->fields, reader, record);
	if (!options_are_of(options, OF_EXACT))
		return add_value(build->builder, key, &value,
						 options->input.value_type);

	/* a key of which it is not known whether it is a member */
	if (value.is_null)
		return RIBBON_SUCCESS;
	build->keys[build->n] = key;
	build->members[build->n++] = value.number != 0;
	if (build->n == BATCH)
		add_members(build);
	return RIBBON_SUCCESS;
}

/* All records of file i. */
static void
add_file(Build *build, int i)
{
	const Options *options = build->options;
	Reader reader;
	Record record;
	uint64_t seen = 0;
	uint64_t n = 0;

	reader_open(&reader, &options->input, options->files.names[i]);
	if (options->input.has_values)
		reader_keep(&reader, &build->kept[build->nkept++]);
	fields_begin(&build->fields, &reader);
	while (reader_next(&reader, &record))
	{
		ribbon_status status;

		if (++n % STEP == 0)
		{
			progress_read(&build->progress, reader.read - seen,
						  ribbon_builder_count(build->builder));
			seen = reader.read;
		}
		status = add_record(build, &reader, &record);
		if (status == RIBBON_ERROR_VALUE_RANGE)
			die_at(&reader, &record, "%s", ribbon_error_text());
		need_built(build, status);
	}
	if (build->n > 0)
		add_members(build);
	progress_read(&build->progress, reader.read - seen,
				  ribbon_builder_count(build->builder));
	reader_close(&reader);
}

int
command_build(const Options *options)
{
	Build *build = need(calloc(1, sizeof(Build)));
	ribbon_status status;
	void *bytes;
	size_t size;

	build->options = options;
	build->fields = (Fields){.key_type = options->input.key_type,
							 .quiet = options->quiet};
	build->kept = need(calloc((size_t) options->files.n, sizeof(Kept)));
	output_check(&options->output, &options->files, &options->after);
	chain_open(&build->chain, &options->after, options->input.key_type);
	progress_init(&build->progress, &options->files, options->quiet);
	build->builder = new_builder(options, &build->progress);
	for (int i = 0; i < options->files.n; i++)
		add_file(build, i);
	status = ribbon_builder_finish(build->builder, &bytes, &size);
	end_passing();
	need_built(build, status);
	ribbon_builder_free(build->builder);
	output_write(&options->output, bytes, size);
	ribbon_bytes_free(bytes);
	for (int i = 0; i < build->nkept; i++)
		free(build->kept[i].bytes);
	free(build->kept);
	chain_close(&build->chain);
	free(build);
	return STATUS_YES;
}
