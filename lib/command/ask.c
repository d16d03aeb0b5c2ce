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
	uint64_t count;
	bool done; /* there is no need to go on */
} Asker;

/* The end of lines, as they came. */
static char
end_of(const Asker *asker)
{
	return asker->options->input.zero_ends ? '\0' : '\n';
}

static void
need_output(void)
{
	if (ferror(stdout))
		die_errno("could not write to standard output");
}

static void
test_batch(Asker *asker, const ribbon_keys *keys)
{
	const Options *options = asker->options;

	need_success(ribbon_filter_contains_keys(asker->filter, keys,
											 asker->selected));
	chain_correct(&asker->chain, keys, asker->selected, asker->n);
	for (size_t i = 0; i < asker->n; i++)
	{
		const Record *record = &asker->records[i];

		if (asker->is_null[i] || asker->selected[i] == options->answers.invert)
			continue;
		asker->count++;
		if (options->quiet)
		{
			asker->done = true;
			return;
		}
		if (options->answers.count_only)
			continue;
		put_bytes(record->text, record->size);
		(void) putchar(end_of(asker));
	}
}

/* A line, the delimiter, and the value. */
static void
put_answer(Asker *asker, const Record *record, int found, const char *text,
		   size_t size)
{
	const AnswerOptions *answers = &asker->options->answers;
	const InputOptions *input = &asker->options->input;

	if (found != RIBBON_FOUND_NO)
		asker->count++;
	if (answers->count_only || asker->options->quiet ||
		(found == RIBBON_FOUND_NO && !answers->values_only))
		return;
	if (!answers->values_only)
	{
		put_bytes(record->text, record->size);
		(void) putchar(input->delimiter);
	}
	if (found == RIBBON_FOUND_VALUE)
		put_field(input, answers->null, text, size);
	else if (found == RIBBON_FOUND_NULL)
		put_bytes(answers->null, strlen(answers->null));
	(void) putchar(end_of(asker));
}

static void
get_batch(Asker *asker, const ribbon_keys *keys)
{
	ribbon_value_type type = ribbon_filter_value_type(asker->filter);
	uint8_t found[BATCH];
	int64_t numbers[BATCH];
	const char *texts[BATCH];
	size_t sizes[BATCH];

	need_success(type == RIBBON_VALUE_TEXT ?
					 ribbon_filter_get_texts(asker->filter, keys, found, texts,
											 sizes) :
					 ribbon_filter_get_int64s(asker->filter, keys, found,
											  numbers));
	for (size_t i = 0; i < asker->n; i++)
	{
		char number[64];
		const char *text = number;
		size_t size = 0;

		if (found[i] == RIBBON_FOUND_VALUE && type == RIBBON_VALUE_TEXT)
		{
			text = texts[i];
			size = sizes[i];
		}
		else if (found[i] == RIBBON_FOUND_VALUE)
			size = ribbon_value_format(numbers[i], type, number,
									   sizeof(number));
		put_answer(asker, &asker->records[i],
				   asker->is_null[i] ? RIBBON_FOUND_NO : found[i], text, size);
		if (asker->options->quiet && asker->count > 0)
		{
			asker->done = true;
			return;
		}
	}
}

static void
answer_batch(Asker *asker)
{
	ribbon_keys *keys;

	if (asker->n == 0 || asker->done)
		return;
	keys = need(ribbon_keys_hashed(asker->keys, asker->n));
	if (options_are_of(asker->options, OF_GET))
		get_batch(asker, keys);
	else
		test_batch(asker, keys);
	ribbon_keys_free(keys);
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

	for (int i = 1; i < options->nfiles; i++)
		if (strcmp(options->files[0], "-") == 0 &&
			strcmp(options->files[i], "-") == 0)
			die("standard input cannot be the filter and the keys");
	if (!options->quiet && !options->answers.count_only)
		output_check_inputs(options, "");
	load(&loaded, options->files[0]);
	if (options_are_of(options, OF_GET) && !ribbon_filter_is_map(loaded.filter))
		die("\"%s\" is a filter, whose keys have no values", options->files[0]);
	if (options->nafter > 0)
		chain_need_exact(loaded.filter, options->files[0]);
	key_type = key_type_of(&options->input, loaded.filter, options->files[0]);
	asker = need(calloc(1, sizeof(Asker)));
	asker->options = options;
	asker->filter = loaded.filter;
	asker->fields = (Fields){.key_type = key_type, .quiet = options->quiet};
	chain_open(&asker->chain, options, key_type);
	for (int i = 1; i < options->nfiles && !asker->done; i++)
		ask_file(asker, options->files[i]);
	if (options->answers.count_only && !options->quiet)
		(void) printf("%llu\n", (unsigned long long) asker->count);
	count = asker->count;
	chain_close(&asker->chain);
	free(asker);
	unload(&loaded);
	return count > 0 ? STATUS_YES : STATUS_NO;
}
