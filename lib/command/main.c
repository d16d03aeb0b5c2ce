/*
 * main.c - ribbon: filters and maps from the shell
 */
#include "options.h"
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

void
need_success(ribbon_status status)
{
	if (status != RIBBON_SUCCESS)
		die("%s", ribbon_error_text());
}

/* NULL: there is none of this name. */
static const Subcommand *
subcommand_named(const char *name)
{
	for (const Subcommand *one = subcommands; one->line != NULL; one++)
	{
		size_t length = strcspn(one->line, " ");

		if (strlen(name) == length && memcmp(name, one->line, length) == 0)
			return one;
	}
	return NULL;
}

static int
run(const Subcommand *subcommand, int argc, char **argv)
{
	Options options;
	int status = STATUS_YES;

	options_read(&options, subcommand, argc, argv);
	if (options.wants_help)
		put_usage(stdout, subcommand);
	else
		status = subcommand->run(&options);
	options_free(&options);
	return status;
}

int
main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const Subcommand *subcommand = subcommand_named(name);
	int status = STATUS_YES;

	output_guard();
	if (subcommand != NULL)
		status = run(subcommand, argc - 1, argv + 1);
	else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
			 strcmp(name, "help") == 0)
		put_usage(stdout, argc > 2 ? subcommand_named(argv[2]) : NULL);
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
		put_usage(stderr, NULL);
		return STATUS_ERROR;
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		die_errno("could not write to standard output");
	return status;
}
