/*
 * usage.c - what --help says
 */
#include "known_options.h"

#include <string.h>

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

/* The options of some subcommands. */
static void
put_options(FILE *file, unsigned of)
{
	const char *heading = NULL;

	for (const KnownOption *option = known_options; option->name != NULL;
		 option++)
	{
		if (option->of == 0)
			heading = option->name;
		if ((option->of & of) == 0)
			continue;
		if (heading != NULL)
			(void) fprintf(file, "\n%s:\n", heading);
		heading = NULL;
		put_option(file, option);
	}
}

void
put_usage(FILE *file, const Subcommand *subcommands, size_t n)
{
	unsigned of = 0;

	for (size_t i = 0; i < n; i++)
	{
		const Subcommand *one = &subcommands[i];

		(void) fprintf(file, "%-6s ribbon %s %-*s  %s\n",
					   i == 0 ? "Usage:" : "", one->name,
					   35 - (int) strlen(one->name), one->arguments, one->what);
		of |= one->bit;
	}
	put_options(file, of);
	(void)
		fputs("\nThe status is 0 if a line was selected (or all went well), 1 if none was (or\n"
			  "check found damage), and 2 after an error. Try ribbon SUBCOMMAND --help, ribbon\n"
			  "--version, and man ribbon.\n",
			  file);
}
