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
	{'b', "build [OPTION]... [FILE]...", "keys to a filter"},
	{'m', "map [OPTION]... [FILE]...", "keys and values to a map"},
	{'e', "exact [OPTION]... [FILE]...",
	 "all keys, members or not, to an exact set"},
	{'t', "test [OPTION]... FILTER [FILE]...", "lines whose keys may be in it"},
	{'g', "get [OPTION]... MAP [FILE]...",
	 "lines and the values of their keys"},
	{'a', "stats FILTER...", "what filters and maps are"},
	{'c', "check FILTER...", "are their bytes as they were?"},
	{'s', "shrink --fpr RATE [OPTION]... FILTER",
	 "a smaller filter at a higher rate"},
};

#define BUILDS "bme"
#define READS  "bmetg"
#define WRITES "bmes"

const KnownOption known_options[] = {
	{"Building", NULL, 0, NULL, NULL},
	{"fpr", "RATE", 'f', "bms",
	 "false-positive rate: 0.01 (the default), 1/128, 0.1%"},
	{"value", "TYPE", 'v', "m",
	 "of a map: bigint (the default), integer, smallint, boolean,\n"
	 "date, timestamp, timestamptz, text, or decade (of a count)"},
	{"as-of", "TIME", OPTION_AS_OF, "e",
	 "as of when an exact set is right: 2024-02-29 12:00+00"},
	{"kind", "KIND", OPTION_KIND, "b",
	 "burr (the default), homogeneous or auto"},
	{"code", "CODE", OPTION_CODE, "m",
	 "of a map's values: plain, entropy or auto (the default)"},
	{"width", "WIDTH", OPTION_WIDTH, BUILDS, "ribbon width: 32, 64 or 128"},
	{"seed", "NUMBER", OPTION_SEED, "m", "seed of a map"},
	{"memory", "SIZE", 'm', BUILDS, "for keys, before they go to files (256M)"},
	{"tmp", "DIRECTORY", OPTION_TMP, BUILDS,
	 "where these files are ($TMPDIR or /tmp)"},
	{"threads", "NUMBER", OPTION_THREADS, BUILDS,
	 "at most so many (as there are cores)"},
	{"Input", NULL, 0, NULL, NULL},
	{"key", "TYPE", 'k', READS,
	 "type of the keys: text (the default), integer, uuid, bytea,\n"
	 "date, timestamp, numeric, ... as PostgreSQL names them"},
	{"sql-ascii", NULL, OPTION_SQL_ASCII, READS,
	 "keys are texts of a database with encoding SQL_ASCII:\n"
	 "bytes, which need not be UTF-8"},
	{"format", "FORMAT", OPTION_FORMAT, READS,
	 "lines (the default), text or csv as COPY has them, or\n"
	 "sha1 (HEX:COUNT)"},
	{"column", "COLUMN", 'c', READS,
	 "with the keys: a number, or a name with --header"},
	{"value-column", "COLUMN", OPTION_VALUE_COLUMN, "me",
	 "with the values of a map; of an exact set, true or false"},
	{"delimiter", "CHAR", 'd', READS,
	 "between columns (a tab; in CSV a comma)"},
	{"header", NULL, OPTION_HEADER, READS,
	 "the first line has the names of the columns"},
	{"null", "TEXT", OPTION_NULL, READS, "a field that means NULL"},
	{"zero", NULL, 'z', READS, "records end with a zero byte, not with a line"},
	{"Output", NULL, 0, NULL, NULL},
	{"output", "FILE", 'o', WRITES,
	 "instead of standard output; written whole or not at all"},
	{"as", "FORM", OPTION_AS, WRITES,
	 "raw (the default), hex, or copy (COPY ... (FORMAT binary))"},
	{"quiet", NULL, 'q', BUILDS "s", "no progress"},
	{"quiet", NULL, 'q', "tg",
	 "of test and get: print nothing, only the status"},
	{"count", NULL, OPTION_COUNT, "tg",
	 "of test and get: print only how many lines"},
	{"invert", NULL, 'v', "t",
	 "of test: the lines whose keys are surely not in it"},
	{"values", NULL, OPTION_VALUES, "g",
	 "of get: print only the values, a line for each"},
	{"help", NULL, 'h', "bmetgacs", "print this"},
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
