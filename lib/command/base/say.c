/*
 * say.c - messages on standard error, and how the command ends
 */
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters that stand on their line until there is more to say. */
static int passing;

void
say_passing(const char *format, ...)
{
	va_list arguments;

	(void) fputc('\r', stderr);
	va_start(arguments, format);
	passing = vfprintf(stderr, format, arguments);
	va_end(arguments);
}

void
end_passing(void)
{
	/* with blanks, for not every terminal knows how to erase */
	if (passing > 0)
		(void) fprintf(stderr, "\r%*s\r", passing, "");
	passing = 0;
}

/* Names of files, too, may hold what a terminal would obey. */
static void
say(const char *format, va_list arguments)
{
	char text[8192];

	(void) vsnprintf(text, sizeof(text), format, arguments);
	for (unsigned char *c = (unsigned char *) text; *c != '\0'; c++)
	{
		/* in UTF-8, U+0080 to U+009F, too */
		if (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0)
			*c = c[1] = '?';
		else if (*c < ' ' || *c == 0x7F)
			*c = '?';
	}
	(void) fflush(stdout);
	end_passing();
	(void) fprintf(stderr, "ribbon: %s\n", text);
}

void
die(const char *format, ...)
{
	va_list arguments;

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
