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

static int (*const runs[])(const Options *options) = {
	['b'] = command_build, ['m'] = command_build,  ['e'] = command_build,
	['t'] = command_test,  ['g'] = command_get,	   ['a'] = command_stats,
	['c'] = command_check, ['s'] = command_shrink,
};

/* Names of files, too, may hold what a terminal would obey. */
static void
say(const char *format, va_list arguments)
{
	char text[8192];

	(void) vsnprintf(text, sizeof(text), format, arguments);
	for (char *c = text; *c != '\0'; c++)
		if ((unsigned char) *c < ' ' || *c == 0x7F)
			*c = '?';
	(void) fprintf(stderr, "ribbon: %s\n", text);
}

void
die(const char *format, ...)
{
	va_list arguments;

	output_abandon();
	(void) fflush(stdout);
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	exit(STATUS_ERROR);
}

void
warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void
die_errno(const char *format, ...)
{
	char text[8000];
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
	char letter = command_letter(name);
	int status = STATUS_YES;

	output_guard();
	if (letter != '\0')
	{
		options_read(&options, argc - 1, argv + 1);
		if (options.wants_help)
			put_usage(stdout, letter);
		else
			status = runs[(int) letter](&options);
		free((void *) options.after);
	}
	else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
			 strcmp(name, "help") == 0)
		put_usage(stdout, argc > 2 ? command_letter(argv[2]) : '\0');
	else if (strcmp(name, "--version") == 0)
	{
		int version = ribbon_library_version();

		(void) printf("ribbon %d.%d.%d\n", version / 10000, version / 100 % 100,
					  version % 100);
	}
	else if (argc > 1)
		die("there is no subcommand \"%s\": try ribbon --help", name);
	else
	{
		put_usage(stderr, '\0');
		return STATUS_ERROR;
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		die_errno("could not write to standard output");
	return status;
}
