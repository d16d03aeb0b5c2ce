/*
 * ask.c - ribbon test, ribbon get: lines whose keys are in it
 *
 * Keys are looked up many at a time, as many as have been read together: what
 * comes by a pipe is answered when it comes.
 */
#include "command.h"

#include "chain.h"
#include "command/files/fields.h"
#include "command/files/output.h"
#include "command/files/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Asker
{
	const Options *options;
	const ribbon_filter *filter;
	Chain chain; /* before it */
	Fields fields;
	Reader reader;
	size_t n; /* records that have been read */
	ribbon_key keys[BATCH];
	Record records[BATCH];
	bool is_null[BATCH]; /* which is in no set */
	bool selected[BATCH];
	uint64_t count; /* of those selected */
	bool done;		/* there is no need to go on */

	/* of get: what is found for them, numbers or texts */
	ribbon_value_type value_type;
	uint8_t found[BATCH];
	int64_t numbers[BATCH];
	const char *texts[BATCH];
	size_t sizes[BATCH];
} Asker;

static void
need_output(void)
{
	if (ferror(stdout))
		die_errno("could not write to standard output");
}

/* Which records are selected, and with which values. */
static void
look_up(Asker *asker, const ribbon_keys *keys)
{
	const ribbon_filter *filter = asker->filter;
	bool is_get = options_are_of(asker->options, OF_GET);
	bool invert = asker->options->answers.invert;

	if (!is_get)
	{
		need_success(ribbon_filter_contains_keys(filter, keys,
												 asker->selected));
		chain_correct(&asker->chain, keys, asker->selected, asker->n);
	}
	else if (asker->value_type == RIBBON_VALUE_TEXT)
		need_success(ribbon_filter_get_texts(filter, keys, asker->found,
											 asker->texts, asker->sizes));
	else
		need_success(ribbon_filter_get_int64s(filter, keys, asker->found,
											  asker->numbers));
	for (size_t i = 0; i < asker->n; i++)
		asker->selected[i] = !asker->is_null[i] &&
			(is_get ? asker->found[i] != RIBBON_FOUND_NO :
					  asker->selected[i] != invert);
}

static void
put_value(const Asker *asker, size_t i)
{
	const Options *options = asker->options;
	const char *null = options->answers.null;
	char number[64];

	if (!asker->selected[i])
		return;
	if (asker->found[i] == RIBBON_FOUND_NULL)
		put_bytes(null, strlen(null));
	else if (asker->value_type == RIBBON_VALUE_TEXT)
		put_field(&options->input, null, asker->texts[i], asker->sizes[i]);
	else
		put_field(&options->input, null, number,
				  ribbon_value_format(asker->numbers[i], asker->value_type,
									  number, sizeof(number)));
}

/* A line; of get, the delimiter and the value, too, or the value alone. */
static void
put_answer(const Asker *asker, size_t i)
{
	const Options *options = asker->options;
	bool is_get = options_are_of(options, OF_GET);

	if (!options->answers.values_only)
		put_bytes(asker->records[i].text, asker->records[i].size);
	if (is_get && !options->answers.values_only)
		(void) putchar(options->input.delimiter);
	if (is_get)
		put_value(asker, i);
	(void) putchar(options->input.zero_ends ? '\0' : '\n');
}

static void
answer_batch(Asker *asker)
{
	const Options *options = asker->options;
	bool prints = !options->answers.count_only && !options->quiet;
	ribbon_keys *keys;

	if (asker->n == 0 || asker->done)
		return;
	keys = need(ribbon_keys_hashed(asker->keys, asker->n));
	look_up(asker, keys);
	ribbon_keys_free(keys);
	for (size_t i = 0; i < asker->n; i++)
	{
		asker->count += asker->selected[i];
		if (prints && (asker->selected[i] || options->answers.values_only))
			put_answer(asker, i);
	}
	asker->done = options->quiet && asker->count > 0;
	asker->n = 0;
	need_output();
}

/* What has been read so far is answered before more is waited for. */
static void
before_read(void *arg)
{
	answer_batch(arg);
	if (fflush(stdout) != 0)
		need_output();
}

/* The type that keys of this filter are read as. */
static int
key_type_of(const InputOptions *input, const ribbon_filter *filter,
			const char *name)
{
	int key_type = ribbon_filter_key_type(filter);

	if (takes_any_keys(filter))
		return input->key_type;

	/* a text may be a char(n), whose trailing blanks do not count */
	if (input->format->has_hashes ?
			key_type != RIBBON_KEY_BYTES :
			input->has_key_type && key_type != input->key_type &&
				(key_type != RIBBON_KEY_CHAR ||
				 input->key_type != RIBBON_KEY_TEXT))
		die_of_key_type(filter, name, input->key_type);
	if (key_type == RIBBON_KEY_ANY)
		die("the keys of \"%s\" are hashes that a program has made", name);
	return key_type;
}

static void
ask_file(Asker *asker, const char *name)
{
	Record record;

	reader_open(&asker->reader, &asker->options->input, name);
	fields_begin(&asker->fields, &asker->reader);
	asker->reader.before_read = before_read;
	asker->reader.arg = asker;
	while (!asker->done && reader_next(&asker->reader, &record))
	{
		ribbon_key *key = &asker->keys[asker->n];

		*key = ribbon_key_hashed(asker->fields.key_type, 0, 0);
		asker->is_null[asker->n] = !fields_key(&asker->fields, &asker->reader,
											   &record, key);
		asker->records[asker->n++] = record;
		if (asker->n == BATCH)
			answer_batch(asker);
	}
	answer_batch(asker);
	reader_close(&asker->reader);
}

/* The first file is the filter, the others have the keys. */
int
command_ask(const Options *options)
{
	Asker *asker;
	uint64_t count;
	Loaded loaded;
	int key_type;

	if (!options->quiet && !options->answers.count_only)
		output_check_inputs(&options->files, &options->after, "");
	load(&loaded, options->files.names[0]);
	if (options_are_of(options, OF_GET) && !ribbon_filter_is_map(loaded.filter))
		die("\"%s\" is a filter, whose keys have no values",
			options->files.names[0]);
	if (options->after.n > 0)
		chain_need_exact(loaded.filter, options->files.names[0]);
	key_type = key_type_of(&options->input, loaded.filter,
						   options->files.names[0]);
	asker = need(calloc(1, sizeof(Asker)));
	asker->options = options;
	asker->filter = loaded.filter;
	asker->value_type = ribbon_filter_value_type(loaded.filter);
	asker->fields = (Fields){.key_type = key_type, .quiet = options->quiet};
	chain_open(&asker->chain, &options->after, key_type);
	for (int i = 1; i < options->files.n && !asker->done; i++)
		ask_file(asker, options->files.names[i]);
	if (options->answers.count_only && !options->quiet)
		(void) printf("%llu\n", (unsigned long long) asker->count);
	count = asker->count;
	chain_close(&asker->chain);
	free(asker);
	unload(&loaded);
	return count > 0 ? STATUS_YES : STATUS_NO;
}
