/*
 * floatread.c - keys of type float: numbers as strtod reads them
 */
#define _GNU_SOURCE /* newlocale */
#include "keyread.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Numbers are read alike whatever the locale of the program is. */
static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void
make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
}

bool
ribbon_floatread_number(RibbonCursor text, double *number)
{
	char copy[512];
	size_t size = ribbon_cursor_size(&text);
	char *end;
	locale_t old;

	/* the server takes nan(...) of some numbers only */
	if (size == 0 || size >= sizeof(copy) || memchr(text.at, '(', size) != NULL)
		return false;
	memcpy(copy, text.at, size);
	copy[size] = '\0';
	(void) pthread_once(&c_locale_once, make_c_locale);
	if (c_locale == (locale_t) 0)
		return false;
	old = uselocale(c_locale);
	errno = 0;
	*number = strtod(copy, &end);
	(void) uselocale(old);
	return end == copy + size &&
		(errno != ERANGE || (*number != 0 && !isinf(*number)));
}
