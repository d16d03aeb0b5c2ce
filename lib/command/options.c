/*
 * options.c - what follows the name of a subcommand
 */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum
{
	OPTION_KIND = 256,
	OPTION_AS_OF,
	OPTION_CODE,
	OPTION_WIDTH,
	OPTION_SEED,
	OPTION_TMP,
	OPTION_THREADS,
	OPTION_FORMAT,
	OPTION_VALUE_COLUMN,
	OPTION_HEADER,
	OPTION_NULL,
	OPTION_AS,
	OPTION_COUNT,
	OPTION_VALUES
};

/*
 * Which subcommands have an option: letters of build, map, exact, test, get,
 * shrink.
 */
typedef struct Known
{
	struct option option;
	const char *commands;
} Known;

#define BUILDS "bme"
#define READS  "bmetg"
#define WRITES "bmes"

static const Known known[] = {
	{{"fpr", required_argument, NULL, 'f'}, "bms"},
	{{"as-of", required_argument, NULL, OPTION_AS_OF}, "e"},
	{{"key", required_argument, NULL, 'k'}, READS},
	{{"value", required_argument, NULL, 'v'}, "m"},
	{{"kind", required_argument, NULL, OPTION_KIND}, "b"},
	{{"code", required_argument, NULL, OPTION_CODE}, "m"},
	{{"width", required_argument, NULL, OPTION_WIDTH}, BUILDS},
	{{"seed", required_argument, NULL, OPTION_SEED}, "m"},
	{{"memory", required_argument, NULL, 'm'}, BUILDS},
	{{"tmp", required_argument, NULL, OPTION_TMP}, BUILDS},
	{{"threads", required_argument, NULL, OPTION_THREADS}, BUILDS},
	{{"format", required_argument, NULL, OPTION_FORMAT}, READS},
	{{"column", required_argument, NULL, 'c'}, READS},
	{{"value-column", required_argument, NULL, OPTION_VALUE_COLUMN}, "me"},
	{{"delimiter", required_argument, NULL, 'd'}, READS},
	{{"header", no_argument, NULL, OPTION_HEADER}, READS},
	{{"null", required_argument, NULL, OPTION_NULL}, READS},
	{{"zero", no_argument, NULL, '0'}, READS},
	{{"output", required_argument, NULL, 'o'}, WRITES},
	{{"as", required_argument, NULL, OPTION_AS}, WRITES},
	{{"quiet", no_argument, NULL, 'q'}, "bmetgs"},
	{{"count", no_argument, NULL, OPTION_COUNT}, "tg"},
	{{"invert", no_argument, NULL, 'V'}, "t"},
	{{"values", no_argument, NULL, OPTION_VALUES}, "g"},
};

#define NKNOWN (sizeof(known) / sizeof(known[0]))

const char *const value_names[8] = {
	"text",	  "boolean", "smallint",  "integer",
	"bigint", "date",	 "timestamp", "timestamptz",
};

/* The letter of a subcommand. */
static char
letter_of(const char *command)
{
	return strcmp(command, "stats") == 0 ? 'a' :
		strcmp(command, "shrink") == 0	 ? 's' :
										   command[0];
}

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
	static const char units[] = "KMGT";
	char digits[24];
	size_t n = strlen(text);
	const char *unit = NULL;
	unsigned shift = 0;

	if (n > 0)
		unit = strchr(units, text[n - 1] & ~0x20);
	if (unit != NULL && *unit != '\0')
	{
		shift = 10 * (unsigned) (unit - units + 1);
		n--;
	}
	if (n == 0 || n >= sizeof(digits))
		return false;
	memcpy(digits, text, n);
	digits[n] = '\0';
	if (!parse_count(digits, UINT64_MAX >> shift, size))
		return false;
	*size <<= shift;
	return true;
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
		if (strcmp(names[i], name) == 0)
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
	static const char *const others[] = {"string", "bool",	"int2",	 "int4",
										 "int8",   "int16", "int32", "int64",
										 "decade", NULL};
	static const ribbon_value_type types[] =
		{RIBBON_VALUE_TEXT,	 RIBBON_VALUE_BOOL,	 RIBBON_VALUE_INT16,
		 RIBBON_VALUE_INT32, RIBBON_VALUE_INT64, RIBBON_VALUE_INT16,
		 RIBBON_VALUE_INT32, RIBBON_VALUE_INT64, RIBBON_VALUE_INT16};
	int other;

	for (int i = 0; i < 8; i++)
		if (strcmp(value_names[i], name) == 0)
		{
			options->value_type = (ribbon_value_type) i;
			options->value_form = VALUE_PLAIN;
			return;
		}
	other = need_name("type of values", name, others);
	options->value_type = types[other];
	options->value_form = strcmp(name, "decade") == 0 ? VALUE_DECADE :
														VALUE_PLAIN;
}

static void
set_option(Options *options, int letter, const char *value)
{
	static const char *const kinds[] = {"burr", "homogeneous", "auto", NULL};
	static const char *const codes[] = {"plain", "entropy", "auto", NULL};
	static const char *const formats[] = {"lines", "csv", "sha1", NULL};
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
			options->has_as_of = true;
			if (ribbon_value_parse(&options->as_of, RIBBON_VALUE_TIMESTAMPTZ,
								   value, strlen(value)) != RIBBON_SUCCESS)
				die("%s", ribbon_error_text());
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
				die("invalid size \"%s\"", value);
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
			if (strlen(value) != 1 || strchr("\"\r\n", *value) != NULL)
				die("a delimiter is one character, other than a quote");
			options->delimiter = *value;
			break;
		case OPTION_HEADER:
			options->has_header = true;
			break;
		case OPTION_NULL:
			options->null = value;
			break;
		case '0':
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
		case 'V':
			options->invert = true;
			break;
		default:
			options->values_only = true;
	}
}

void
options_read(Options *options, int argc, char **argv)
{
	static char dash[] = "-";
	static char *standard_input[] = {dash, NULL};
	struct option longs[NKNOWN + 1];
	char letter = letter_of(argv[0]);
	bool needs_filter = strchr("bme", letter) == NULL;
	int found;

	memset(options, 0, sizeof(*options));
	options->command = argv[0];
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
	for (size_t i = 0; i < NKNOWN; i++)
		longs[i] = known[i].option;
	memset(&longs[NKNOWN], 0, sizeof(longs[NKNOWN]));

	opterr = 1;
	argv[0] = (char *) "ribbon";
	while ((found = getopt_long(argc, argv, "f:k:v:m:c:d:0o:qV", longs,
								NULL)) >= 0)
	{
		const Known *option = NULL;

		for (size_t i = 0; i < NKNOWN; i++)
			if (known[i].option.val == found)
				option = &known[i];
		if (option == NULL)
			die("try ribbon --help"); /* getopt has said why */
		if (strchr(option->commands, letter) == NULL)
			die("ribbon %s has no option --%s", options->command,
				option->option.name);
		set_option(options, found, optarg);
	}
	options->files = argv + optind;
	options->nfiles = argc - optind;

	if (options->format == FORMAT_SHA1 && !options->has_key_type)
		options->key_type = RIBBON_KEY_BYTES;
	if (options->format == FORMAT_SHA1 && options->key_type != RIBBON_KEY_BYTES)
		die("keys of format sha1 are of type bytea");
	if (options->delimiter == '\0')
		options->delimiter = options->format == FORMAT_CSV ? ',' :
			options->format == FORMAT_SHA1				   ? ':' :
															 '\t';
	if (options->zero_ends && options->format == FORMAT_CSV)
		die("records of CSV end with lines, not with zero bytes");
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
