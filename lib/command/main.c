/*
 * main.c - ribbon: filters and maps from the shell
 */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct
{
	const char *name;
	int (*run)(const Options *options);
} commands[] = {
	{"build", command_build}, {"map", command_build},
	{"exact", command_build}, {"test", command_test},
	{"get", command_get},	  {"stats", command_stats},
	{"check", command_check}, {"shrink", command_shrink},
};

static const char usage[] =
	"Usage: ribbon build [OPTION]... [FILE]...          keys to a filter\n"
	"       ribbon map [OPTION]... [FILE]...            keys and values to a map\n"
	"       ribbon exact [OPTION]... [FILE]...          all keys, members or not, to an exact set\n"
	"       ribbon test [OPTION]... FILTER [FILE]...    lines whose keys may be in it\n"
	"       ribbon get [OPTION]... MAP [FILE]...        lines and the values of their keys\n"
	"       ribbon stats FILTER...                      what filters and maps are\n"
	"       ribbon check FILTER...                      are their bytes as they were?\n"
	"       ribbon shrink --fpr RATE [OPTION]... FILTER\n"
	"                                                   a smaller filter at a higher rate\n"
	"\n"
	"Building:\n"
	"  -f, --fpr RATE         false-positive rate: 0.01 (the default), 1/128, 0.1%\n"
	"  -k, --key TYPE         type of the keys: text (the default), integer, uuid, bytea,\n"
	"                         date, timestamp, numeric, ... as PostgreSQL names them\n"
	"  -v, --value TYPE       of a map: bigint (the default), integer, smallint, boolean,\n"
	"                         date, timestamp, timestamptz, text, or decade (of a count)\n"
	"      --as-of TIME       as of when an exact set is right: 2024-02-29 12:00+00\n"
	"      --kind KIND        burr (the default), homogeneous or auto\n"
	"      --code CODE        of a map's values: plain, entropy or auto (the default)\n"
	"      --width WIDTH      ribbon width: 32, 64 or 128\n"
	"      --seed NUMBER      seed of a map\n"
	"  -m, --memory SIZE      for keys, before they go to files (256M)\n"
	"      --tmp DIRECTORY    where these files are ($TMPDIR or /tmp)\n"
	"      --threads NUMBER   at most so many (as there are cores)\n"
	"\n"
	"Input:\n"
	"      --format FORMAT    lines (the default), csv, or sha1 (HEX:COUNT)\n"
	"  -c, --column COLUMN    with the keys: a number, or a name with --header\n"
	"      --value-column COLUMN\n"
	"                         with the values of a map; of an exact set, true or false\n"
	"  -d, --delimiter CHAR   between columns (a tab; in CSV a comma)\n"
	"      --header           the first line has the names of the columns\n"
	"      --null TEXT        a field that means NULL\n"
	"  -0, --zero             records end with a zero byte\n"
	"\n"
	"Output:\n"
	"  -o, --output FILE      instead of standard output; written whole or not at all\n"
	"      --as FORM          raw (the default), hex, or copy (COPY ... (FORMAT binary))\n"
	"  -q, --quiet            no progress; of test: nothing, only the status\n"
	"      --count            of test and get: only how many lines\n"
	"  -V, --invert           of test: the lines whose keys are surely not in it\n"
	"      --values           of get: only the values, a line for each\n"
	"\n"
	"The status is 0 if a line was selected (or all went well), 1 if none was, and 2\n"
	"after an error. man ribbon says more.\n";

void
die(const char *format, ...)
{
	va_list arguments;

	output_abandon();
	(void) fflush(stdout);
	(void) fputs("ribbon: ", stderr);
	va_start(arguments, format);
	(void) vfprintf(stderr, format, arguments);
	va_end(arguments);
	(void) fputc('\n', stderr);
	exit(STATUS_ERROR);
}

void
die_errno(const char *format, ...)
{
	char text[1024];
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	(void) vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	die("%s: %s", text, strerror(saved));
}

void *
need(void *p)
{
	if (p == NULL)
		die("out of memory");
	return p;
}

int
main(int argc, char **argv)
{
	Options options;
	const char *name = argc > 1 ? argv[1] : "";
	int status = -1;

	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
		strcmp(name, "help") == 0)
	{
		(void) fputs(usage, stdout);
		status = STATUS_YES;
	}
	if (strcmp(name, "--version") == 0)
	{
		int version = ribbon_library_version();

		(void) printf("ribbon %d.%d.%d\n", version / 10000, version / 100 % 100,
					  version % 100);
		status = STATUS_YES;
	}
	output_guard();
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(name, commands[i].name) == 0)
		{
			options_read(&options, argc - 1, argv + 1);
			status = commands[i].run(&options);
		}
	if (status < 0)
	{
		(void) fputs(usage, stderr);
		return STATUS_ERROR;
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		die_errno("could not write to standard output");
	return status;
}
