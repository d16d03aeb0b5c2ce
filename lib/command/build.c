/*
 * build.c - ribbon build, ribbon map, ribbon exact: from records to bytes
 */
#include "chain.h"
#include "conflict.h"
#include "fields.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>

/* Records between two looks at the clock. */
#define STEP 4096

static ribbon_builder *
new_builder(const Options *options, Progress *progress)
{
	bool is_exact = options_are_of(options, OF_EXACT);
	ribbon_builder *builder;

	need_success(ribbon_builder_new(&builder, options->key_type,
									is_exact ? 1 : options->fpr));
	if (options_are_of(options, OF_MAP))
		need_success(ribbon_builder_set_values(builder, options->value_type));
	need_success(ribbon_builder_set_kind(builder, (ribbon_kind) options->kind));
	need_success(ribbon_builder_set_code(builder, (ribbon_code) options->code));
	need_success(ribbon_builder_set_width(builder, (int) options->width));
	need_success(ribbon_builder_set_seed(builder, options->seed));
	need_success(ribbon_builder_set_threads(builder, options->threads));
	need_success(ribbon_builder_set_progress(builder, progress_build,
											 progress));
	if (options->has_memory)
		need_success(ribbon_builder_set_memory(builder, options->memory));
	if (is_exact && options->has_fpr)
		need_success(ribbon_builder_set_exact_fpr(builder, options->fpr));
	if (options->has_as_of)
		need_success(ribbon_builder_set_as_of(builder, options->as_of));
	if (options->directory != NULL)
		need_success(ribbon_builder_set_directory(builder, options->directory));
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

/* All records of file i. */
static void
add_file(const Options *options, const Chain *chain, ribbon_builder *builder,
		 Kept *kept, int i, Progress *progress)
{
	bool is_exact = options_are_of(options, OF_EXACT);
	Reader reader;
	Record record;
	Columns columns;
	uint64_t seen = 0;
	uint64_t n = 0;

	reader_open(&reader, options, options->files[i]);
	if (options_has_values(options))
		reader_keep(&reader, &kept[i]);
	columns = columns_of(&reader);
	while (reader_next(&reader, &record))
	{
		ribbon_status status = RIBBON_SUCCESS;
		ribbon_key key;

		if (++n % STEP == 0)
		{
			progress_read(progress, reader.read - seen,
						  ribbon_builder_count(builder));
			seen = reader.read;
		}
		if (!key_of(&reader, &record, &columns, options->key_type, &key))
			continue;
		if (options_has_values(options))
		{
			Value value = value_of(&reader, &record, &columns);

			/* a key of which it is not known whether it is a member */
			if (is_exact && value.is_null)
				continue;
			status = is_exact ?
				ribbon_builder_add_member(builder, key,
										  (value.number != 0) !=
											  chain_has(chain, key)) :
				add_value(builder, key, &value, options->value_type);
		}
		else
			status = ribbon_builder_add(builder, key);
		if (status == RIBBON_ERROR_VALUE_RANGE)
			die_at(&reader, &record, "%s", ribbon_error_text());
		if (status == RIBBON_ERROR_CONFLICT)
			die_of_conflict(options, builder, kept);
		need_success(status);
	}
	progress_read(progress, reader.read - seen, ribbon_builder_count(builder));
	reader_close(&reader);
}

int
command_build(const Options *options)
{
	Progress progress;
	Chain chain;
	ribbon_builder *builder;
	Kept *kept = need(calloc((size_t) options->nfiles, sizeof(Kept)));
	ribbon_status status;
	void *bytes;
	size_t size;

	output_check(options);
	chain_open(&chain, options);
	progress_init(&progress, options);
	builder = new_builder(options, &progress);
	for (int i = 0; i < options->nfiles; i++)
		add_file(options, &chain, builder, kept, i, &progress);
	status = ribbon_builder_finish(builder, &bytes, &size);
	end_passing();
	if (status == RIBBON_ERROR_CONFLICT)
		die_of_conflict(options, builder, kept);
	need_success(status);
	ribbon_builder_free(builder);
	output_write(options, bytes, size);
	ribbon_bytes_free(bytes);
	for (int i = 0; i < options->nfiles; i++)
		free(kept[i].bytes);
	free(kept);
	chain_close(&chain);
	return STATUS_YES;
}
