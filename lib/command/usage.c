/*
 * usage.c - the options of each subcommand, and what --help says
 */
#include "command.h"

#include <string.h>

static const struct
{
	char letter;
	const char *line; /* what follows "ribbon NAME" */
	const char *what;
} commands[] = {
	{'b', "build [OPTION]... [FILE]...", "build a filter of keys"},
	{'m', "map [OPTION]... [FILE]...", "build a map from keys to values"},
	{'e', "exact [OPTION]... [FILE]...",
	 "build an exact set: right about all these keys"},
	{'t', "test [OPTION]... FILTER [FILE]...",
	 "print the lines whose keys may be in it"},
	{'g', "get [OPTION]... MAP [FILE]...",
	 "print lines, each with the value of its key"},
	{'a', "stats FILTER...", "describe filters and maps"},
	{'c', "check FILTER...", "look for damage"},
	{'s', "shrink --fpr RATE [OPTION]... FILTER",
	 "make a smaller filter, at a higher rate"},
};

#define BUILDS "bme"
#define READS  "bmetg"
#define WRITES "bmes"

const KnownOption known_options[] = {
	{"Building", NULL, 0, NULL, NULL},
	{"fpr", "RATE", 'f', "bmes",
	 "false-positive rate: 0.01 (the default), 1/128, 0.1%;\n"
	 "for exact sets, of keys that are not listed (no default)"},
	{"value", "TYPE", 'v', "m",
	 "type of the values: bigint (the default), integer, smallint,\n"
	 "boolean, date, timestamp, timestamptz, text, or decade\n"
	 "(the number of digits of a count, less one)"},
	{"as-of", "TIME", OPTION_AS_OF, "e",
	 "time up to which the keys are complete: now, or\n"
	 "2024-02-29 12:00+00"},
	{"kind", "KIND", OPTION_KIND, "b",
	 "burr (the default), homogeneous or auto"},
	{"code", "CODE", OPTION_CODE, "m",
	 "how values are stored: plain, entropy (fewer bits for\n"
	 "frequent values) or auto (the default: what is smaller)"},
	{"width", "WIDTH", OPTION_WIDTH, BUILDS, "ribbon width: 32, 64 or 128"},
	{"seed", "NUMBER", OPTION_SEED, "m",
	 "another seed, if two keys have the same hash"},
	{"memory", "SIZE", 'm', BUILDS,
	 "memory for keys, before they go to files (256MB)"},
	{"tmp", "DIRECTORY", OPTION_TMP, BUILDS,
	 "directory for these files ($TMPDIR or /tmp)"},
	{"threads", "NUMBER", OPTION_THREADS, BUILDS,
	 "at most this many threads (one per core)"},
	{"Input", NULL, 0, NULL, NULL},
	{"key", "TYPE", 'k', READS,
	 "type of the keys: text (the default), integer, uuid, bytea,\n"
	 "date, timestamp, numeric, inet, jsonb, ... as PostgreSQL\n"
	 "names them"},
	{"sql-ascii", NULL, OPTION_SQL_ASCII, READS,
	 "keys are texts of a database with encoding SQL_ASCII:\n"
	 "bytes, which need not be UTF-8"},
	{"format", "FORMAT", OPTION_FORMAT, READS,
	 "lines (the default), text or csv as COPY has them, or\n"
	 "sha1 (HEX:COUNT, of exact HEX:true)"},
	{"column", "COLUMN", 'c', READS,
	 "column with the keys: a number, or a name with --header"},
	{"value-column", "COLUMN", OPTION_VALUE_COLUMN, "me",
	 "column with the values; for exact sets, true or false"},
	{"delimiter", "CHAR", 'd', READS,
	 "what separates columns (a tab; in CSV a comma)"},
	{"header", NULL, OPTION_HEADER, READS,
	 "the first line has the names of the columns"},
	{"null", "TEXT", OPTION_NULL, READS, "what a NULL field looks like"},
	{"prefix", "HEX", OPTION_PREFIX, READS,
	 "first 5 digits of the hashes of a range (sha1), if they\n"
	 "are not the name of the file"},
	{"after", "FILE", OPTION_AFTER, "et",
	 "an exact set that this one corrects; again for each of\n"
	 "a chain, the oldest first"},
	{"zero", NULL, 'z', READS, "records end with a zero byte, not a newline"},
	{"Output", NULL, 0, NULL, NULL},
	{"output", "FILE", 'o', WRITES, "write to FILE, whole or not at all"},
	{"as", "FORM", OPTION_AS, WRITES,
	 "raw (the default), hex, or copy (COPY ... (FORMAT binary))"},
	{"quiet", NULL, 'q', BUILDS "s", "show no progress and no warnings"},
	{"quiet", NULL, 'q', "tg",
	 "of test and get: print nothing, just set the status"},
	{"count", NULL, OPTION_COUNT, "tg",
	 "of test and get: print only the number of lines"},
	{"invert", NULL, 'v', "t",
	 "of test: print the lines whose keys are surely not in it"},
	{"values", NULL, OPTION_VALUES, "g",
	 "of get: print only the values, one per line"},
	{"help", NULL, 'h', "bmetgacs", "print this help"},
	{NULL, NULL, 0, NULL, NULL},
};

char
command_letter(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
	{
		size_t length = strcspn(commands[i].line, " ");

		if (strlen(name) == length &&
			memcmp(name, commands[i].line, length) == 0)
			return commands[i].letter;
	}
	return '\0';
}

static void
put_option(FILE *file, const KnownOption *option)
{
	char name[64];
	const char *help = option->help;
	int column;

	(void) snprintf(name, sizeof(name), "--%s%s%s", option->name,
					option->argument != NULL ? " " : "",
					option->argument != NULL ? option->argument : "");
	column = option->letter < OPTION_LONG ?
		fprintf(file, "  -%c, %s", option->letter, name) :
		fprintf(file, "      %s", name);
	while (*help != '\0')
	{
		size_t length = strcspn(help, "\n");

		if (column > 24)
			column = fprintf(file, "\n") - 1;
		(void) fprintf(file, "%*s%.*s\n", 25 - column, "", (int) length, help);
		column = 0;
		help += length + (help[length] == '\n' ? 1 : 0);
	}
}

/* The options of one subcommand, or all of them. */
static void
put_options(FILE *file, char letter)
{
	const char *heading = NULL;

	for (const KnownOption *option = known_options; option->name != NULL;
		 option++)
	{
		if (option->commands == NULL)
			heading = option->name;
		else if (letter == '\0' || strchr(option->commands, letter) != NULL)
		{
			if (heading != NULL)
				(void) fprintf(file, "\n%s:\n", heading);
			heading = NULL;
			put_option(file, option);
		}
	}
}

void
put_usage(FILE *file, char letter)
{
	const char *before = "Usage:";

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
	{
		if (letter != '\0' && commands[i].letter != letter)
			continue;
		(void) fprintf(file, "%-6s ribbon %-36s  %s\n", before,
					   commands[i].line, commands[i].what);
		before = "";
	}
	put_options(file, letter);
	(void)
		fputs("\nThe status is 0 if a line was selected (or all went well), 1 if none was, and 2\n"
			  "after an error. Try ribbon SUBCOMMAND --help, and man ribbon.\n",
			  file);
}
