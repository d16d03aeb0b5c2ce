/*
 * options.c - what follows the name of a subcommand
 */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* From 1970-01-01 on. */
#define SECONDS_TO_2000 946684800

const char *const value_names[8] = {
	"text",	  "boolean", "smallint",  "integer",
	"bigint", "date",	 "timestamp", "timestamptz",
};

bool
parse_count(const char *text, uint64_t most, uint64_t *number)
{
	uint64_t sum = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++)
	{
		unsigned digit = (unsigned char) *text - (unsigned) '0';

		if (digit > 9 || sum > (most - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*number = sum;
	return true;
}

bool
parse_size(const char *text, uint64_t *size)
{
	static const struct
	{
		const char *name;
		unsigned shift;
	} units[] = {{"B", 0},	{"K", 10},	{"kB", 10}, {"M", 20}, {"MB", 20},
				 {"G", 30}, {"GB", 30}, {"T", 40},	{"TB", 40}};
	char digits[24];
	size_t n = strspn(text, "0123456789");
	const char *unit = text + n + strspn(text + n, " ");

	if (n == 0 || n >= sizeof(digits))
		return false;
	memcpy(digits, text, n);
	digits[n] = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcasecmp(unit, units[i].name) == 0)
		{
			if (!parse_count(digits, UINT64_MAX >> units[i].shift, size))
				return false;
			*size <<= units[i].shift;
			return true;
		}
	return false;
}

/* 0.01, 1e-3, 1/128, 0.1%. */
static double
parse_fpr(const char *text)
{
	char *end;
	double fpr = strtod(text, &end);

	if (end != text && *end == '/')
	{
		const char *below = end + 1;

		fpr /= strtod(below, &end);
		if (end == below)
			end = (char *) text;
	}
	else if (end != text && strcmp(end, "%") == 0)
	{
		fpr /= 100;
		end++;
	}
	if (end == text || *end != '\0')
		die("invalid rate \"%s\"", text);
	return fpr;
}

static uint64_t
need_count(const char *what, const char *text, uint64_t most)
{
	uint64_t number;

	if (!parse_count(text, most, &number))
		die("invalid %s \"%s\"", what, text);
	return number;
}

/* The index of a name in a list that ends with NULL. */
static int
need_name(const char *what, const char *name, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strcasecmp(names[i], name) == 0)
			return i;
	die("invalid %s \"%s\"", what, name);
}

static void
set_key_type(Options *options, const char *name)
{
	options->key_type = ribbon_key_type_named(name);
	options->has_key_type = true;
	if (options->key_type <= 0)
		die("there is no type of keys \"%s\"", name);
}

static void
set_value_type(Options *options, const char *name)
{
	static const char *const others[] = {"string",
										 "bool",
										 "int2",
										 "int4",
										 "int8",
										 "int16",
										 "int32",
										 "int64",
										 "decade",
										 "int",
										 "varchar",
										 "character varying",
										 "timestamp without time zone",
										 "timestamp with time zone",
										 NULL};
	static const ribbon_value_type types[] =
		{RIBBON_VALUE_TEXT,		 RIBBON_VALUE_BOOL,		  RIBBON_VALUE_INT16,
		 RIBBON_VALUE_INT32,	 RIBBON_VALUE_INT64,	  RIBBON_VALUE_INT16,
		 RIBBON_VALUE_INT32,	 RIBBON_VALUE_INT64,	  RIBBON_VALUE_INT16,
		 RIBBON_VALUE_INT32,	 RIBBON_VALUE_TEXT,		  RIBBON_VALUE_TEXT,
		 RIBBON_VALUE_TIMESTAMP, RIBBON_VALUE_TIMESTAMPTZ};
	int other;

	for (int i = 0; i < 8; i++)
		if (strcasecmp(value_names[i], name) == 0)
		{
			options->value_type = (ribbon_value_type) i;
			options->value_form = VALUE_PLAIN;
			return;
		}
	other = need_name("type of values", name, others);
	options->value_type = types[other];
	options->value_form = strcasecmp(name, "decade") == 0 ? VALUE_DECADE :
															VALUE_PLAIN;
}

/* As the server's option takes it: a time with its offset from UTC, or now. */
static void
set_as_of(Options *options, const char *value)
{
	options->has_as_of = true;
	if (strcasecmp(value, "now") == 0)
		options->as_of = ((int64_t) time(NULL) - SECONDS_TO_2000) * 1000000;
	else if (ribbon_value_parse(&options->as_of, RIBBON_VALUE_TIMESTAMPTZ,
								value, strlen(value)) != RIBBON_SUCCESS)
		die("invalid time \"%s\": in ISO 8601 with its offset from UTC, such as 2001-02-28 12:00:00+00, or now, infinity or -infinity",
			value);
}

static void
set_option(Options *options, int letter, const char *value)
{
	static const char *const kinds[] = {"burr", "homogeneous", "auto", NULL};
	static const char *const codes[] = {"plain", "entropy", "auto", NULL};
	static const char *const formats[] = {"lines", "text", "csv", "sha1", NULL};
	static const char *const forms[] = {"raw", "hex", "copy", NULL};

	switch (letter)
	{
		case 'f':
			options->fpr = parse_fpr(value);
			options->has_fpr = true;
			break;
		case 'k':
			set_key_type(options, value);
			break;
		case 'v':
			set_value_type(options, value);
			break;
		case OPTION_KIND:
			options->kind = (ribbon_kind) need_name("kind", value, kinds);
			break;
		case OPTION_AS_OF:
			set_as_of(options, value);
			break;
		case OPTION_AFTER:
			options->after[options->nafter++] = value;
			break;
		case OPTION_CODE:
			options->code = (ribbon_code) need_name("code", value, codes);
			break;
		case OPTION_WIDTH:
			options->width = (int) need_count("width", value, 128);
			break;
		case OPTION_SEED:
			options->seed = (uint32_t) need_count("seed", value, UINT32_MAX);
			break;
		case 'm':
			if (!parse_size(value, &options->memory))
				die("invalid size \"%s\": a number with its unit, such as 256MB",
					value);
			if (options->memory < (uint64_t) 16 << 20)
				die("invalid memory \"%s\": it takes 16MB", value);
			break;
		case OPTION_TMP:
			options->directory = value;
			break;
		case OPTION_THREADS:
			options->threads = (unsigned) need_count("number of threads", value,
													 64);
			break;
		case OPTION_FORMAT:
			options->format = (Format) need_name("format", value, formats);
			break;
		case 'c':
			options->key_column = value;
			break;
		case OPTION_VALUE_COLUMN:
			options->value_column = value;
			break;
		case 'd':
			if (strcmp(value, "\\t") == 0)
				value = "\t";
			if (strlen(value) != 1 || strchr("\"\\\r\n", *value) != NULL)
				die("a delimiter is one character of one byte, no quote or backslash");
			options->delimiter = *value;
			break;
		case OPTION_HEADER:
			options->has_header = true;
			break;
		case OPTION_SQL_ASCII:
			options->sql_ascii = true;
			break;
		case OPTION_NULL:
			options->null = value;
			break;
		case OPTION_PREFIX:
			if (strlen(value) != 5 ||
				strspn(value, "0123456789abcdefABCDEF") != 5)
				die("invalid prefix \"%s\": 5 hexadecimal digits", value);
			options->prefix = value;
			break;
		case 'z':
			options->zero_ends = true;
			break;
		case 'o':
			options->output = strcmp(value, "-") == 0 ? NULL : value;
			break;
		case OPTION_AS:
			options->form = (Form) need_name("form", value, forms);
			break;
		case 'q':
			options->quiet = true;
			break;
		case OPTION_COUNT:
			options->count_only = true;
			break;
		case OPTION_INVERT:
			options->invert = true;
			break;
		default:
			options->values_only = true;
	}
}

/* The options of this subcommand, as getopt_long takes them. */
static void
list_options(char letter, struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (const KnownOption *known = known_options; known->name != NULL; known++)
	{
		if (known->commands == NULL || strchr(known->commands, letter) == NULL)
			continue;
		*longs++ = (struct option){known->name, known->argument != NULL, NULL,
								   known->letter};
		if (known->letter < OPTION_LONG)
			*shorts++ = (char) known->letter;
		if (known->letter < OPTION_LONG && known->argument != NULL)
			*shorts++ = ':';
	}
	*longs = (struct option){0};
	*shorts = '\0';
}

/* What getopt_long has stopped at: an option without its argument, or none. */
static void
die_of_option(const Options *options, int found, const char *shorts,
			  const char *word)
{
	char brief[] = {'-', (char) optopt, '\0'};

	if (found == ':' ? word[1] != '-' :
					   optopt > 0 && optopt < OPTION_LONG &&
				strchr(shorts, optopt) == NULL)
		word = brief;
	die("%s \"%s\"%s: try ribbon %s --help",
		found == ':' ? "option" : "there is no option", word,
		found == ':' ? " needs an argument" : "", options->command);
}

/*
 * Is what separates columns, and what a NULL looks like, as COPY takes it?
 * Text has letters, digits and dots behind its backslashes, and so have the
 * values that get prints.
 */
static void
check_format(const Options *options, char letter)
{
	bool is_text = options->format == FORMAT_TEXT ||
		(letter == 'g' && options->format != FORMAT_CSV && !options->zero_ends);
	bool has_columns = options->format != FORMAT_LINES ||
		options->key_column != NULL || strchr("meg", letter) != NULL;
	const char *null = options->null != NULL ? options->null : "";
	char delimiter = options->delimiter;

	if (is_text && strchr("abcdefghijklmnopqrstuvwxyz0123456789.", delimiter))
		die("a delimiter of this format is no small letter, digit or dot, which stand behind backslashes: \"%c\"",
			delimiter);
	if ((unsigned char) delimiter > 0x7F && !options->sql_ascii)
		die("a delimiter is one character of one byte");
	if (!options->zero_ends && strpbrk(null, "\r\n") != NULL)
		die("what a NULL looks like has no end of a line in it");
	if (has_columns && strchr(null, delimiter) != NULL)
		die("what a NULL looks like has no delimiter in it");
	if (options->format == FORMAT_CSV && strchr(null, '"') != NULL)
		die("what a NULL looks like in CSV has no quote in it");
	if (options->prefix != NULL && options->format != FORMAT_SHA1)
		die("only hashes have a prefix: use --format sha1");
}

void
options_read(Options *options, int argc, char **argv)
{
	static char dash[] = "-";
	static char *standard_input[] = {dash, NULL};
	struct option longs[MAX_OPTIONS];
	char shorts[2 * MAX_OPTIONS];
	char letter = command_letter(argv[0]);
	bool needs_filter = strchr("bme", letter) == NULL;
	int found;

	memset(options, 0, sizeof(*options));
	options->command = argv[0];
	options->after = need(calloc((size_t) argc, sizeof(char *)));
	options->fpr = 0.01;
	options->key_type = RIBBON_KEY_TEXT;
	options->value_type = RIBBON_VALUE_INT64;
	options->is_map = letter == 'm';
	options->code = RIBBON_VALUES_AUTO;
	options->is_exact = letter == 'e';
	if (options->is_exact)
	{
		options->kind = RIBBON_KIND_EXACT;
		options->value_type = RIBBON_VALUE_BOOL;
	}

	list_options(letter, longs, shorts);
	while ((found = getopt_long(argc, argv, shorts, longs, NULL)) >= 0)
	{
		if (found == 'h')
		{
			options->wants_help = true;
			return;
		}
		if (found == ':' || found == '?')
			die_of_option(options, found, shorts, argv[optind - 1]);
		/* -v is --value, or of test --invert */
		if (found == 'v' && letter == 't')
			found = OPTION_INVERT;
		set_option(options, found, optarg);
	}
	options->files = argv + optind;
	options->nfiles = argc - optind;

	if (options->format == FORMAT_SHA1 && !options->has_key_type)
		options->key_type = RIBBON_KEY_BYTES;
	if (options->format == FORMAT_SHA1 && options->key_type != RIBBON_KEY_BYTES)
		die("keys of format sha1 are of type bytea");
	if (options->delimiter == '\0')
		options->delimiter = "\t\t,:"[options->format];
	check_format(options, letter);
	if (options->zero_ends &&
		(options->format == FORMAT_CSV || options->format == FORMAT_TEXT))
		die("records of COPY's formats end with lines, not with zero bytes");
	if (needs_filter && options->nfiles == 0)
		die("ribbon %s needs the name of a filter's or map's file",
			options->command);
	if (letter == 's' && (options->nfiles > 1 || !options->has_fpr))
		die("ribbon shrink needs --fpr and one filter");
	if (!needs_filter && options->nfiles == 0)
	{
		options->files = standard_input;
		options->nfiles = 1;
	}
}
