/*
 * usage.c - the subcommands, and what --help says
 */
#include "options.h"

#include <string.h>

const Subcommand subcommands[] = {
	{'b', "build [OPTION]... [FILE]...", "build a filter of keys",
	 command_build},
	{'m', "map [OPTION]... [FILE]...", "build a map from keys to values",
	 command_build},
	{'e', "exact [OPTION]... [FILE]...",
	 "build an exact set: right about all these keys", command_build},
	{'t', "test [OPTION]... FILTER [FILE]...",
	 "print the lines whose keys may be in it", command_test},
	{'g', "get [OPTION]... MAP [FILE]...",
	 "print lines, each with the value of its key", command_get},
	{'a', "stats FILTER...", "describe filters and maps", command_stats},
	{'c', "check FILTER...", "look for damage", command_check},
	{'s', "shrink --fpr RATE [OPTION]... FILTER",
	 "make a smaller filter, at a higher rate", command_shrink},
	{0, NULL, NULL, NULL},
};

static void
put_option(FILE *file, const KnownOption *option)
{
	char name[64];
	const char *help = option->help;
	int column;

	(void) snprintf(name, sizeof(name), "--%s%s%s", option->name,
					option->argument != NULL ? " " : "",
					option->argument != NULL ? option->argument : "");
	column = option->letter != 0 ?
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
put_options(FILE *file, const Subcommand *subcommand)
{
	const char *heading = NULL;

	for (const KnownOption *option = known_options; option->name != NULL;
		 option++)
	{
		if (option->commands == NULL)
			heading = option->name;
		else if (subcommand == NULL || option_is_of(option, subcommand->letter))
		{
			if (heading != NULL)
				(void) fprintf(file, "\n%s:\n", heading);
			heading = NULL;
			put_option(file, option);
		}
	}
}

void
put_usage(FILE *file, const Subcommand *subcommand)
{
	const char *before = "Usage:";

	for (const Subcommand *one = subcommands; one->line != NULL; one++)
	{
		if (subcommand != NULL && subcommand != one)
			continue;
		(void) fprintf(file, "%-6s ribbon %-36s  %s\n", before, one->line,
					   one->what);
		before = "";
	}
	put_options(file, subcommand);
	(void)
		fputs("\nThe status is 0 if a line was selected (or all went well), 1 if none was, and 2\n"
			  "after an error. Try ribbon SUBCOMMAND --help, and man ribbon.\n",
			  file);
}
