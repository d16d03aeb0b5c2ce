/*
 * options_read.c - the options of a subcommand, read and checked
 */
#include "known_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* What getopt_long returns for option i of the table without a short form. */
#define LONG_OPTION 256

/* The options of this subcommand, as getopt_long takes them. */
static void
list_options(unsigned of, struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (const KnownOption *known = known_options; known->name != NULL; known++)
	{
		bool takes = known->argument != NULL;

		if ((known->of & of) == 0)
			continue;
		longs->name = known->name;
		longs->has_arg = takes;
		longs->flag = NULL;
		longs++->val = known->letter != 0 ?
			known->letter :
			LONG_OPTION + (int) (known - known_options);
		if (known->letter != 0)
			*shorts++ = known->letter;
		if (known->letter != 0 && takes)
			*shorts++ = ':';
	}
	*longs = (struct option){0};
	*shorts = '\0';
}

/* The option that getopt_long has found, or NULL. */
static const KnownOption *
option_found(unsigned of, int found)
{
	if (found >= LONG_OPTION)
		return &known_options[found - LONG_OPTION];
	for (const KnownOption *known = known_options; known->name != NULL; known++)
		if (known->letter != 0 && known->letter == found &&
			(known->of & of) != 0)
			return known;
	return NULL;
}

/* Does a word begin the names of several options, as --he does? */
static bool
is_ambiguous(unsigned of, const char *word)
{
	size_t size = strcspn(word, "=");
	int n = 0;

	for (const KnownOption *known = known_options; known->name != NULL; known++)
		n += size > 2 && (known->of & of) != 0 &&
			strncmp(known->name, word + 2, size - 2) == 0;
	return n > 1;
}

/*
 * What getopt_long has stopped at, in this word or, if it is a letter, maybe
 * the next one.
 */
static void
die_of_option(const Subcommand *subcommand, const char *word)
{
	const KnownOption *known = option_found(subcommand->bit, optopt);
	int letter = (unsigned char) optopt; /* which may be below 0 */
	char brief[sizeof("-\\xFF")];

	if (known == NULL ? letter != 0 : word[1] != '-')
	{
		(void) snprintf(brief, sizeof(brief),
						letter < 0x80 ? "-%c" : "-\\x%02X", letter);
		word = brief;
	}
	if (letter == 0 && is_ambiguous(subcommand->bit, word))
		die("option \"%s\" may be several: try ribbon %s --help", word,
			subcommand->name);
	if (known == NULL)
		die("there is no option \"%s\": try ribbon %s --help", word,
			subcommand->name);
	if (known->argument == NULL)
		die("option \"--%s\" takes no argument: try ribbon %s --help",
			known->name, subcommand->name);
	die("option \"%s\" needs an argument: try ribbon %s --help", word,
		subcommand->name);
}

/*
 * Is what separates columns, and what a NULL looks like, as COPY takes it?
 * Text has letters, digits and dots behind its backslashes, and so have the
 * values that get prints.
 */
static void
check_format(const InputOptions *input, const char *null, bool prints_values)
{
	const Format *format = input->format;
	bool is_text = format->mark == '\\' ||
		(prints_values && format->mark != '"' && !input->zero_ends);
	bool has_columns = format->has_columns || input->key_column != NULL ||
		input->has_values || prints_values;
	char delimiter = input->delimiter;

	if (input->has_delimiter && !has_columns)
		die("a delimiter is between columns: say which by --column, or use a --format that has them");
	if (is_text && strchr("abcdefghijklmnopqrstuvwxyz0123456789.", delimiter))
		die("a delimiter of this format is no small letter, digit or dot, which stand behind backslashes: \"%c\"",
			delimiter);
	if ((unsigned char) delimiter > 0x7F && !input->sql_ascii)
		die("a delimiter is one character of one byte");
	if (!input->zero_ends && strpbrk(null, "\r\n") != NULL)
		die("what a NULL looks like has no end of a line in it");
	if (has_columns && strchr(null, delimiter) != NULL)
		die("what a NULL looks like has no delimiter in it: \"%s\"", null);
	if (format->mark == '"' && strchr(null, '"') != NULL)
		die("what a NULL looks like in CSV has no quote in it");
	if (input->prefix != NULL && !format->has_hashes)
		die("only hashes have a prefix: use --format sha1");
	if (input->zero_ends && format->mark != '\0')
		die("records of COPY's formats end with lines, not with zero bytes");
}

/* How many of the files begin .. end - 1 are standard input? */
static int
count_inputs(const FileNames *files, int begin, int end)
{
	int n = 0;

	for (int i = begin; i < end; i++)
		n += strcmp(files->names[i], "-") == 0;
	return n;
}

/*
 * What standard input has is read once.  The first nfilters files are filters,
 * as those of --after are; the others have keys.
 */
static void
check_inputs(const FileNames *files, const FileNames *after, int nfilters)
{
	int of_filters = count_inputs(files, 0, nfilters) +
		count_inputs(after, 0, after->n);

	if (of_filters > 1)
		die("standard input cannot be two filters");
	if (of_filters > 0 && count_inputs(files, nfilters, files->n) > 0)
		die("standard input cannot be the filter and the keys");
}

/* What was not set, from what was; and what does not go together. */
static void
finish_options(Options *options)
{
	InputOptions *input = &options->input;
	const Format *format = input->format;
	bool prints_values = options_are_of(options, OF_GET);
	bool needs_filter = !options_are_of(options, BUILDS);

	if (format->has_hashes && !input->has_key_type)
		input->key_type = RIBBON_KEY_BYTES;
	if (format->has_hashes && input->key_type != RIBBON_KEY_BYTES)
		die("keys of format sha1 are of type bytea");
	if (!input->has_delimiter)
		input->delimiter = format->delimiter;
	if (input->null == NULL)
		input->null = format->null;
	options->answers.null = input->null != NULL ? input->null :
		prints_values							? "\\N" :
												  "";
	check_format(input, options->answers.null, prints_values);
	if (needs_filter && options->files.n == 0)
		die("ribbon %s needs the name of a filter's or map's file",
			options->subcommand->name);
	if (options_are_of(options, READS) && options->files.n == needs_filter)
		options->files.names[options->files.n++] = "-";
	if (options_are_of(options, READS))
		check_inputs(&options->files, &options->after, needs_filter);
}

void
options_read(Options *options, const Subcommand *subcommand, int argc,
			 char **argv)
{
	struct option longs[MAX_OPTIONS];
	char shorts[2 * MAX_OPTIONS];
	bool is_exact = subcommand->bit == OF_EXACT;
	int found;

	*options =
		(Options){.subcommand = subcommand,
				  .files.names = need(calloc((size_t) argc + 1,
											 sizeof(char *))),
				  .after.names = need(calloc((size_t) argc, sizeof(char *))),
				  .input = {.subcommand = subcommand->name,
							.has_values = is_exact || subcommand->bit == OF_MAP,
							.format = &formats[0],
							.key_type = RIBBON_KEY_TEXT,
							.value_type = is_exact ? RIBBON_VALUE_BOOL :
													 RIBBON_VALUE_INT64},
				  .build = {.kind = is_exact ? RIBBON_KIND_EXACT :
											   RIBBON_KIND_BURR,
							.code = RIBBON_VALUES_AUTO},
				  .output = {.fpr = 0.01, .file = "-"}};

	list_options(subcommand->bit, longs, shorts);
	while (!options->wants_help &&
		   (found = getopt_long(argc, argv, shorts, longs, NULL)) >= 0)
	{
		const KnownOption *option;

		if (found == ':' || found == '?')
			die_of_option(subcommand, argv[optind - 1]);
		option = option_found(subcommand->bit, found);
		option->set(options, option, optarg);
	}
	for (; optind < argc && !options->wants_help; optind++)
		options->files.names[options->files.n++] = argv[optind];
	if (!options->wants_help)
		finish_options(options);
}

void
options_free(Options *options)
{
	free(options->after.names);
	free(options->files.names);
}
