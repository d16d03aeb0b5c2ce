/*
 * known_options.c - the options of all subcommands, and how each is set
 */
#include "known_options.h"

#include "command/base/numbers.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* From 1970-01-01 on. */
#define SECONDS_TO_2000 946684800

/*
 * Functions of the table below: first those of the member that it names.
 */

static void *
member_of(Options *options, const KnownOption *option)
{
	return (char *) options + option->member;
}

static void
set_flag(Options *options, const KnownOption *option, const char *value)
{
	(void) value;
	*(bool *) member_of(options, option) = true;
}

static void
set_text(Options *options, const KnownOption *option, const char *value)
{
	*(const char **) member_of(options, option) = value;
}

static void
die_of_value(const KnownOption *option, const char *value)
{
	die("invalid %s \"%s\"", option->what != NULL ? option->what : option->name,
		value);
}

static void
set_count(Options *options, const KnownOption *option, const char *value)
{
	uint64_t number;

	if (!parse_count(value, UINT32_MAX, &number))
		die_of_value(option, value);
	*(unsigned *) member_of(options, option) = (unsigned) number;
}

static void
set_width(Options *options, const KnownOption *option, const char *value)
{
	set_count(options, option, value);
	if (options->build.width > INT_MAX)
		die_of_value(option, value);
}

/* The index of a name, or the end. */
static int
index_of(const KnownOption *option, const char *value)
{
	char known[64] = "";

	for (int i = 0; option->names[i] != NULL; i++)
	{
		if (strcasecmp(option->names[i], value) == 0)
			return i;
		(void) strcat(strcat(known, i == 0 ? "" : ", "), option->names[i]);
	}
	die("invalid %s \"%s\": there are %s",
		option->what != NULL ? option->what : option->name, value, known);
}

static void
set_name(Options *options, const KnownOption *option, const char *value)
{
	*(int *) member_of(options, option) = index_of(option, value);
}

static void
set_format(Options *options, const KnownOption *option, const char *value)
{
	options->input.format = &formats[index_of(option, value)];
}

static void
set_fpr(Options *options, const KnownOption *option, const char *value)
{
	options->output.has_fpr = true;
	if (!parse_rate(value, &options->output.fpr))
		die_of_value(option, value);
}

static void
set_key_type(Options *options, const KnownOption *option, const char *name)
{
	int key_type = ribbon_key_type_named(name);
	ribbon_key key;

	(void) option;
	if (key_type < 0)
		die("there is no type of keys \"%s\"", name);
	if (ribbon_key_parse(&key, key_type, "", 0) == RIBBON_ERROR_KEY_TYPE)
		die("%s", ribbon_error_text());
	options->input.has_key_type = true;
	options->input.key_type = key_type;
}

static void
set_value_type(Options *options, const KnownOption *option, const char *name)
{
	static const struct
	{
		ribbon_value_type type;
		const char *names[5]; /* NULL behind the last one */
	} types[] = {
		{RIBBON_VALUE_TEXT, {"text", "string", "varchar", "character varying"}},
		{RIBBON_VALUE_BOOL, {"boolean", "bool"}},
		{RIBBON_VALUE_INT16, {"smallint", "int2", "int16", "decade"}},
		{RIBBON_VALUE_INT32, {"integer", "int", "int4", "int32"}},
		{RIBBON_VALUE_INT64, {"bigint", "int8", "int64"}},
		{RIBBON_VALUE_DATE, {"date"}},
		{RIBBON_VALUE_TIMESTAMP, {"timestamp", "timestamp without time zone"}},
		{RIBBON_VALUE_TIMESTAMPTZ, {"timestamptz", "timestamp with time zone"}},
	};

	options->input.is_decade = strcasecmp(name, "decade") == 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (const char *const *known = types[i].names; *known != NULL; known++)
			if (strcasecmp(*known, name) == 0)
			{
				options->input.value_type = types[i].type;
				return;
			}
	die_of_value(option, name);
}

/* As the server's option takes it: a time with its offset from UTC, or now. */
static void
set_as_of(Options *options, const KnownOption *option, const char *value)
{
	(void) option;
	options->build.has_as_of = true;
	if (strcasecmp(value, "now") == 0)
		options->build.as_of = ((int64_t) time(NULL) - SECONDS_TO_2000) *
			1000000;
	else if (ribbon_value_parse(&options->build.as_of, RIBBON_VALUE_TIMESTAMPTZ,
								value, strlen(value)) != RIBBON_SUCCESS)
		die("invalid time \"%s\": in ISO 8601 with its offset from UTC, such as 2001-02-28 12:00:00+00, or now, infinity or -infinity",
			value);
}

static void
add_after(Options *options, const KnownOption *option, const char *value)
{
	(void) option;
	options->after.names[options->after.n++] = value;
}

static void
set_memory(Options *options, const KnownOption *option, const char *value)
{
	(void) option;
	options->build.has_memory = true;
	if (!parse_size(value, &options->build.memory))
		die("invalid size \"%s\": a number with its unit, such as 256MB",
			value);
}

static void
set_delimiter(Options *options, const KnownOption *option, const char *value)
{
	(void) option;
	if (strcmp(value, "\\t") == 0)
		value = "\t";
	if (strlen(value) != 1 || strchr("\"\\\r\n", *value) != NULL)
		die("a delimiter is one character of one byte, no quote or backslash");
	options->input.has_delimiter = true;
	options->input.delimiter = *value;
}

static void
set_prefix(Options *options, const KnownOption *option, const char *value)
{
	(void) option;
	if (strlen(value) != PREFIX_DIGITS ||
		strspn(value, "0123456789abcdefABCDEF") != PREFIX_DIGITS)
		die("invalid prefix \"%s\": %d hexadecimal digits", value,
			PREFIX_DIGITS);
	options->input.prefix = value;
}

static const char *const kinds[] = {"burr", "homogeneous", "auto", NULL};
static const char *const codes[] = {"plain", "entropy", "auto", NULL};
static const char *const format_names[] = {"lines", "text", "csv", "sha1",
										   NULL};
const Format formats[] = {{.delimiter = '\t'},
						  {'\t', "\\N", .mark = '\\', .has_columns = true},
						  {',', "", .mark = '"', .has_columns = true},
						  {':', .has_columns = true, .has_hashes = true}};
static const char *const forms[] = {"raw", "hex", "copy", NULL};

#define SETS(function, to) .set = function, .member = offsetof(Options, to)

const KnownOption known_options[MAX_OPTIONS] = {
	{.name = "Building"},
	{"fpr", "RATE", 'f', OF_BUILD | OF_MAP,
	 "false-positive rate: 0.01 (the default), 1/128, 0.1%", .set = set_fpr,
	 .what = "rate"},
	{"fpr", "RATE", 'f', OF_EXACT,
	 "of exact: that of keys that are not listed (no default)", .set = set_fpr,
	 .what = "rate"},
	{"fpr", "RATE", 'f', OF_SHRINK,
	 "of shrink: the new rate, higher than it was (no default)", .set = set_fpr,
	 .what = "rate"},
	{"value", "TYPE", 'v', OF_MAP,
	 "type of the values: bigint (the default), integer, smallint,\n"
	 "boolean, date, timestamp, timestamptz, text, or decade\n"
	 "(the number of digits of a count, less one)",
	 .set = set_value_type, .what = "type of values"},
	{"as-of", "TIME", 0, OF_EXACT,
	 "time up to which the keys are complete: now, or\n"
	 "2024-02-29 12:00+00",
	 .set = set_as_of},
	{"kind", "KIND", 0, OF_BUILD, "burr (the default), homogeneous or auto",
	 SETS(set_name, build.kind), .names = kinds},
	{"code", "CODE", 0, OF_MAP,
	 "how values are stored: plain, entropy (fewer bits for\n"
	 "frequent values) or auto (the default: what is smaller)",
	 SETS(set_name, build.code), .names = codes},
	{"width", "WIDTH", 0, BUILDS, "ribbon width: 32, 64 or 128",
	 SETS(set_width, build.width)},
	{"seed", "NUMBER", 0, OF_MAP,
	 "another seed, if two keys have the same hash",
	 SETS(set_count, build.seed)},
	{"memory", "SIZE", 'm', BUILDS,
	 "memory for keys, before they go to files (256MB)", .set = set_memory},
	{"tmp", "DIRECTORY", 0, BUILDS,
	 "directory for these files ($TMPDIR or /tmp)",
	 SETS(set_text, build.directory)},
	{"threads", "NUMBER", 0, BUILDS, "at most this many threads (one per core)",
	 SETS(set_count, build.threads), .what = "number of threads"},
	{.name = "Input"},
	{"key", "TYPE", 'k', READS,
	 "type of the keys: text (the default, but of test and get\n"
	 "the filter's own), integer, uuid, bytea, date, timestamp,\n"
	 "numeric, inet, jsonb, ... as PostgreSQL names them",
	 .set = set_key_type},
	{"sql-ascii", NULL, 0, READS,
	 "keys are texts of a database with encoding SQL_ASCII:\n"
	 "bytes, which need not be UTF-8",
	 SETS(set_flag, input.sql_ascii)},
	{"format", "FORMAT", 0, READS,
	 "lines (the default), text or csv as COPY has them, or\n"
	 "sha1 (HEX:COUNT, of exact HEX:true)",
	 .set = set_format, .names = format_names},
	{"column", "COLUMN", 'c', READS,
	 "column with the keys: a number, or a name with --header",
	 SETS(set_text, input.key_column)},
	{"value-column", "COLUMN", 0, OF_MAP | OF_EXACT,
	 "column with the values; for exact sets, true or false",
	 SETS(set_text, input.value_column)},
	{"delimiter", "CHAR", 'd', READS,
	 "what separates columns (a tab; in CSV a comma)", .set = set_delimiter},
	{"header", NULL, 0, READS, "the first line has the names of the columns",
	 SETS(set_flag, input.has_header)},
	{"null", "TEXT", 0, READS, "what a NULL field looks like",
	 SETS(set_text, input.null)},
	{"prefix", "HEX", 0, READS,
	 "first 5 digits of the hashes of a range (sha1), if they\n"
	 "are not the name of the file",
	 .set = set_prefix},
	{"after", "FILE", 0, OF_EXACT | OF_TEST,
	 "an exact set that this one corrects; again for each of\n"
	 "a chain, the oldest first",
	 .set = add_after},
	{"zero", NULL, 'z', READS, "records end with a zero byte, not a newline",
	 SETS(set_flag, input.zero_ends)},
	{.name = "Output"},
	{"output", "FILE", 'o', WRITES, "write to FILE, whole or not at all",
	 SETS(set_text, output.file)},
	{"as", "FORM", 0, WRITES,
	 "raw (the default), hex, or copy (COPY ... (FORMAT binary))",
	 SETS(set_name, output.form), .names = forms, .what = "form"},
	{"quiet", NULL, 'q', WRITES | OF_TEST | OF_GET,
	 "show no progress and no warnings; of test and get: print\n"
	 "nothing, just set the status",
	 SETS(set_flag, quiet)},
	{"count", NULL, 0, OF_TEST | OF_GET,
	 "of test and get: print only the number of lines",
	 SETS(set_flag, answers.count_only)},
	{"invert", NULL, 'v', OF_TEST,
	 "of test: print the lines whose keys are surely not in it",
	 SETS(set_flag, answers.invert)},
	{"values", NULL, 0, OF_GET, "of get: print only the values, one per line",
	 SETS(set_flag, answers.values_only)},
	{"help", NULL, 'h', OF_ALL, "print this help", SETS(set_flag, wants_help)},
};
