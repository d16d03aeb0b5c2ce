/*
 * options.c - the options of a subcommand, read and checked
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
check_format(const Options *options)
{
	bool prints_values = options_are_of(options, OF_GET);
	const Format *format = options->format;
	bool is_text = format->mark == '\\' ||
		(prints_values && format->mark != '"' && !options->zero_ends);
	bool has_columns = format->has_columns || options->key_column != NULL ||
		options_has_values(options) || prints_values;
	const char *null = options->printed_null;
	char delimiter = options->delimiter;

	if (is_text && strchr("abcdefghijklmnopqrstuvwxyz0123456789.", delimiter))
		die("a delimiter of this format is no small letter, digit or dot, which stand behind backslashes: \"%c\"",
			delimiter);
	if ((unsigned char) delimiter > 0x7F && !options->sql_ascii)
		die("a delimiter is one character of one byte");
	if (!options->zero_ends && strpbrk(null, "\r\n") != NULL)
		die("what a NULL looks like has no end of a line in it");
	if (has_columns && strchr(null, delimiter) != NULL)
		die("what a NULL looks like has no delimiter in it: \"%s\"", null);
	if (format->mark == '"' && strchr(null, '"') != NULL)
		die("what a NULL looks like in CSV has no quote in it");
	if (options->prefix != NULL && !format->has_hashes)
		die("only hashes have a prefix: use --format sha1");
}

/* What was not set, from what was; and what does not go together. */
static void
finish_options(Options *options)
{
	const Format *format = options->format;
	bool needs_filter = !options_are_of(options, BUILDS);

	if (format->has_hashes && !options->has_key_type)
		options->key_type = RIBBON_KEY_BYTES;
	if (format->has_hashes && options->key_type != RIBBON_KEY_BYTES)
		die("keys of format sha1 are of type bytea");
	if (options->delimiter == '\0')
		options->delimiter = format->delimiter;
	if (options->null == NULL)
		options->null = format->null;
	options->printed_null = options->null != NULL ? options->null :
		options_are_of(options, OF_GET)			  ? "\\N" :
													"";
	check_format(options);
	if (options->zero_ends && format->mark != '\0')
		die("records of COPY's formats end with lines, not with zero bytes");
	if (needs_filter && options->nfiles == 0)
		die("ribbon %s needs the name of a filter's or map's file",
			options->subcommand->name);
	if (options_are_of(options, READS) && options->nfiles == needs_filter)
		options->files[options->nfiles++] = "-";
}

void
options_read(Options *options, const Subcommand *subcommand, int argc,
			 char **argv)
{
	struct option longs[MAX_OPTIONS];
	char shorts[2 * MAX_OPTIONS];
	int found;

	*options =
		(Options){.subcommand = subcommand,
				  .after = need(calloc((size_t) argc, sizeof(char *))),
				  .files = need(calloc((size_t) argc + 1, sizeof(char *))),
				  .fpr = 0.01,
				  .key_type = RIBBON_KEY_TEXT,
				  .code = RIBBON_VALUES_AUTO,
				  .format = &formats[0],
				  .value_type = RIBBON_VALUE_INT64,
				  .output = "-"};
	if (options_are_of(options, OF_EXACT))
	{
		options->kind = RIBBON_KIND_EXACT;
		options->value_type = RIBBON_VALUE_BOOL;
	}

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
		options->files[options->nfiles++] = argv[optind];
	if (!options->wants_help)
		finish_options(options);
}

void
options_free(Options *options)
{
	free(options->after);
	free(options->files);
}
